"""AI against AI, game by game on a board."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from marubatsu.engine.ais.ai import Cached, Chooser, FailedError, Rule, Weighted
from marubatsu.engine.boards.board import PLAYING, Board
from marubatsu.engine.rules.position import EMPTY, Status


@dataclass(frozen=True)
class Tally:
    """How many games one side of a match won, lost and drew."""

    win: int = 0
    lose: int = 0
    draw: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.win + other.win, self.lose + other.lose, self.draw + other.draw)

    @property
    def games(self) -> int:
        """Number of games."""
        return self.win + self.lose + self.draw


@dataclass(frozen=True)
class Match:
    """The games of the first of two AIs, as circle and as cross."""

    as_circle: Tally
    as_cross: Tally

    @property
    def total(self) -> Tally:
        """The sum of both tallies."""
        return self.as_circle + self.as_cross


class Arena:
    """Two AIs that play pairs of games on a board: the first is circle, then cross."""

    def __init__(
        self,
        board: Board[Any],
        first: Chooser,
        second: Chooser,
        *,
        remember: bool = True,
        forfeit: Callable[[FailedError], None] | None = None,
    ) -> None:
        """Start on a board that no other code uses.

        With ``remember``, the arena computes the candidates in a position once for all games,
        unless an AI may answer otherwise the next time. With ``forfeit``, an AI that fails loses
        the game: this is called, and ends the match with what it raises.
        """
        self._forfeit = forfeit
        self._board = board
        board.set_up(EMPTY)
        self._start = board.save()
        self._first, self._second = (
            self._remembering(ai.candidates) if remember and ai.is_fixed else ai.candidates
            for ai in (first, second)
        )

    def _remembering(self, candidates: Rule) -> Rule:
        """Keep what an AI chooses in a position, by the key of the board."""
        board, key_of = self._board, self._board.key
        by_key: Cached[Hashable, Sequence[Any]] = Cached(lambda key: tuple(candidates(board)))
        return lambda board: by_key[key_of()]

    def play(
        self, pairs: int, random: Random, progress: Callable[[float], None] = lambda share: None
    ) -> Match:
        """Play pairs of games: one ``random.choice`` among the candidates for every move."""
        counts = ({Status.CIRCLE: 0, Status.CROSS: 0, Status.DRAW: 0} for _ in range(2))
        as_circle, as_cross = counts
        for pair in range(pairs):
            if pair % 1024 == 0:
                progress(pair / pairs)
            as_circle[self._result(self._first, self._second, random)] += 1
            as_cross[self._result(self._second, self._first, random)] += 1
        return Match(
            Tally(as_circle[Status.CIRCLE], as_circle[Status.CROSS], as_circle[Status.DRAW]),
            Tally(as_cross[Status.CROSS], as_cross[Status.CIRCLE], as_cross[Status.DRAW]),
        )

    def play_one(self, random: Random, *, first_is_circle: bool) -> list[int]:
        """Play one game, as `play` does; return its moves as cells."""
        seats = (self._first, self._second) if first_is_circle else (self._second, self._first)
        self._game(*seats, random)
        return [self._board.cell_of(move) for move in self._board.moves]

    def _result(self, circle: Rule, cross: Rule, random: Random) -> Status:
        try:
            return self._game(circle, cross, random)
        except FailedError as error:
            if self._forfeit is None:
                raise
            self._forfeit(error)
        return Status.CIRCLE if len(self._board.moves) % 2 else Status.CROSS

    def _game(self, circle: Rule, cross: Rule, random: Random) -> Status:
        board, bits = self._board, random.getrandbits
        board.restore(self._start)
        mover, waiting = circle, cross
        while board.status is PLAYING:
            candidates = mover(board)
            if candidates.__class__ is Weighted:
                board.make(candidates.draw(random))
                mover, waiting = waiting, mover
                continue
            count = len(candidates)
            width = count.bit_length()  # The draw of random.choice, without its calls.
            drawn = bits(width)
            while drawn >= count:
                drawn = bits(width)
            board.make(candidates[drawn])
            mover, waiting = waiting, mover
        return board.status
