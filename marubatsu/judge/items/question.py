"""One question to a language model: its text, and the move that a reply names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from marubatsu.engine.notations.reading import BoardLike, read_position
from marubatsu.engine.rules.board_text import MARKS, from_text, to_text
from marubatsu.engine.rules.game import Game, game_of
from marubatsu.engine.rules.position import Position
from marubatsu.judge.items.question_text import PLAIN, Notation, label, question_text
from marubatsu.judge.items.replies import find_move
from marubatsu.pipeline.support.errors import OptionError, UsageError

_NOTATIONS = (Notation.BOARD, Notation.TEXT)  # which need no line of play


@dataclass(frozen=True)
class ReplyMove:
    """What a reply names. Nothing is guessed: see docs/learning.md."""

    verdict: str  # "legal", "illegal" (a cell that may not be filled) or "unparsable"
    move: int | None  # the cell of a legal move
    is_in_form: bool  # whether the reply ends with the line that the question asks for


@dataclass(frozen=True)
class Question:
    """A question about an unfinished position."""

    game: Game
    board: str  # the position, as the tables spell it
    text: str  # rules, position, side to move, and how to reply
    names: Mapping[str, int]  # the legal moves: the name in a reply, and the cell

    @classmethod
    def of_item(cls, item: Mapping[str, Any]) -> "Question":
        """Return the question of an item, as `items` makes them. A twin has names of its own."""
        game = game_of(item["game"])
        legal = game.legal_moves(from_text(game, item["board"]))
        names = dict(zip(item["moves"], legal, strict=True))
        return cls(game, item["board"], item["question"], names)

    @property
    def position(self) -> Position:
        """The position."""
        return from_text(self.game, self.board)

    def read(self, reply: str) -> ReplyMove:
        """Return the move that a reply names."""
        named = find_move(reply, self.names)
        if named.move is None:
            return ReplyMove("unparsable", None, named.is_in_form)
        cell = self.names.get(named.move)
        return ReplyMove("illegal" if cell is None else "legal", cell, named.is_in_form)


def question(
    board: BoardLike,
    game: Game | str = "tictactoe",
    *,
    notation: str = "board",
    first: str = MARKS[0],
) -> Question:
    """Return the question about one position of any game, with the reader of its replies.

    It is the question of `items`, without their answer: `reward` says what a move is worth.
    ``notation`` is ``board``, a picture in text, or ``text``, the cells in a line. ``first`` is as
    in `answer`. Raises InputError for a name of no game and for no position, UsageError for a
    finished one and for another notation.

    >>> asked = question("o...x....")
    >>> asked.read("I take the corner. Move: C1")
    ReplyMove(verdict='legal', move=8, is_in_form=False)
    >>> asked.read("b2").verdict, asked.read("a1 or c3").verdict
    ('illegal', 'unparsable')
    """
    if notation not in _NOTATIONS:
        raise OptionError("notation", notation, f"expected one of {', '.join(_NOTATIONS)}")
    played = game_of(game)
    position = read_position(played, board, first=first)
    legal = played.legal_moves(position)
    if not legal:
        raise UsageError(f"{to_text(played, position)} is finished: it has no moves")
    form = Notation(notation)
    return Question(
        game=played,
        board=to_text(played, position),
        text=question_text(played, form, PLAIN, position, ()),
        names={label(played, form, PLAIN, cell): cell for cell in legal},
    )
