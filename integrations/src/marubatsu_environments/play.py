"""One game of a model against an AI, or of a model against a model."""

from collections.abc import Callable
from functools import partial

import marubatsu as mb
from marubatsu import frameworks
from marubatsu_environments.judged_replies import ILLEGAL, SEARCH_SECONDS, JudgedReply, judge

SIDES = ("circle", "cross")
"""The sides; circle moves first."""

WIN, DRAW, LOSS = 1.0, 0.0, -1.0
"""The reward of a finished game."""


class Play:
    """A game that goes on reply by reply.

    ``opponent`` names an AI, such as ``perfect``, which draws among all best moves by ``seed``; it
    moves as soon as it is its turn. None: the replies move both sides. ``first`` and ``numbering``
    say how ``board`` is read. An illegal or unreadable reply loses the game.
    """

    def __init__(
        self,
        game: str = "tictactoe",
        *,
        opponent: str | None = "perfect",
        side: str = "circle",
        board: str | None = None,
        first: str = "o",
        numbering: str | None = None,
        seed: int | None = None,
        potential: str = "score",
        illegal: float = ILLEGAL,
        time: float = SEARCH_SECONDS,
        data: str | None = None,
    ) -> None:
        """Begin at a board or after moves, by default on the empty board.

        Raises ValueError for another side; and what `marubatsu.question` and
        `marubatsu.frameworks.player` raise.
        """
        if side not in SIDES:
            raise ValueError(f"side {side!r}: expected circle or cross")
        self.game, self.side = mb.Game(game), side
        self.replies: dict[str, list[JudgedReply]] = {each: [] for each in SIDES}
        self.moves: list[int | None] = []  # of both sides; None: a reply without a legal one
        start = mb.Position(0, 0) if board is None else board
        question = mb.question(start, self.game, first=first, numbering=numbering)
        self.position = question.position
        self._loser: str | None = None  # the side that gave no legal move
        self._judge = partial(judge, potential=potential, illegal=illegal, time=time, data=data)
        self._opponent: Callable[[mb.BoardLike], int] | None = None
        if opponent is not None:
            self._opponent = frameworks.player(self.game, opponent, seed=seed, time=time, data=data)
            self._let_opponent_move()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or by a reply without a legal move."""
        return self._loser is not None or self.game.status(self.position) is not mb.Status.PLAYING

    @property
    def turn(self) -> str:
        """The side to move, while the game goes on."""
        return self.position.turn.word

    @property
    def board(self) -> str:
        """The position: its cells row by row from the top, as in ``o...x....``."""
        circle, cross = self.position
        cells = range(self.game.cells)
        return "".join("o" if circle >> i & 1 else "x" if cross >> i & 1 else "." for i in cells)

    @property
    def question(self) -> mb.Question:
        """The question to the side to move, while the game goes on."""
        return mb.question(self.position, self.game)

    def answer(self, reply: str) -> JudgedReply:
        """Judge the reply of the side to move, play its move, and let the opponent answer.

        Raises ValueError after the end of the game.
        """
        if self.is_over:
            raise ValueError("the game is over: begin another one")
        side = self.turn
        judged = self._judge(self.question, reply)
        self.replies[side].append(judged)
        if judged.move is None:
            self._loser = side
            self.moves.append(None)
        else:
            self._play(judged.move)
            self._let_opponent_move()
        return judged

    def result(self, side: str) -> float:
        """Return the reward of a finished game for a side: `WIN`, `DRAW` or `LOSS`.

        Raises ValueError before the end of the game.
        """
        if not self.is_over:
            raise ValueError("the game goes on: it has no result yet")
        status = self.game.status(self.position)
        if self._loser is not None:
            return LOSS if side == self._loser else WIN
        if status is mb.Status.DRAW:
            return DRAW
        return WIN if status.word == side else LOSS

    def rewards(self, side: str) -> dict[str, float]:
        """Return the rewards of a finished game for a side.

        ``result``; ``legal``, whether all replies were; ``best``, the share of best moves; and
        ``dense``, the sum over the replies. A share or a sum with an unknown part is left out.
        """
        replies = self.replies[side]
        named = {"result": self.result(side), "legal": min([r.legal for r in replies], default=1.0)}
        best = [r.best for r in replies if r.best is not None]
        if best and len(best) == len(replies):
            named["best"] = sum(best) / len(best)
        dense = [r.dense for r in replies if r.dense is not None]
        if len(dense) == len(replies):
            named["dense"] = sum(dense)
        return named

    def _let_opponent_move(self) -> None:
        if self._opponent and self.turn != self.side and not self.is_over:
            self._play(self._opponent(self.position))

    def _play(self, move: int) -> None:
        self.position = self.game.play(self.position, move)
        self.moves.append(move)
