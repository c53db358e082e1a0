"""An item: a question with its answer, and what is known about the position in it."""

from dataclasses import dataclass
from typing import Any

from marubatsu.judge.items.naming import Form
from marubatsu.judge.items.question import Notation


@dataclass(frozen=True, kw_only=True)
class Item:
    """An unfinished position as a question, with its answer.

    Moves are written as a reply names them, by ascending cell. ``losses`` say how much each lowers
    the mover's score (0, 1, 2). ``hardness``, ``only_moves``, ``class_`` and ``split`` are those of
    the table of splits.
    """

    id: str
    game: str
    split: str
    notation: Notation
    form: Form
    twin_of: str | None  # id of the original; None: it is one
    question: str
    best_moves: list[str]
    moves: list[str]
    losses: list[int]
    score_mover: int  # +1 the mover wins, 0 draw, -1 the mover loses
    distance: int  # plies to the end, with the fastest win and the slowest loss
    hardness: float
    only_moves: int
    ply: int
    class_: int
    board: str  # the position in the spelling of the tables, without the names of a twin

    def to_json(self) -> dict[str, Any]:
        """Return the item as one object."""
        named = {"notation": self.notation.value, "form": self.form.value}
        return {name.rstrip("_"): value for name, value in {**vars(self), **named}.items()}
