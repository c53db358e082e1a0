"""The forms of answers that an AI may give, and what the values in them are."""

from collections.abc import Collection
from typing import NamedTuple

from marubatsu.judge.agents.calling import Plain

AUTO = "auto"


class AnswerForm(NamedTuple):
    """A form: what an answer is, and an example."""

    meaning: str
    example: str


FORMS = {
    AUTO: AnswerForm(
        "any other form, where all that fit mean the same", "`4`, `[0, 4]`, `{4: 0.5, 0: 0.5}`"
    ),
    "moves": AnswerForm("a move, or several in a list, tuple, array or set", "`4`, `(0, 4)`"),
    "row-column": AnswerForm(
        "row and column, from 0 at the top left, and perhaps a score; or several such pairs",
        "`(0, 2)` is cell 2",
    ),
    "column-row": AnswerForm("the same, the column first: x and y", "`(2, 0)` is cell 2"),
    "column": AnswerForm("in games with gravity, a column, from 0; or several", "`3`"),
    "move-score": AnswerForm("one move, and its score", "`(4, 0.5)`"),
    "score-move": AnswerForm("a score, and the move that has it", "`(0.5, 4)`"),
    "chances": AnswerForm(
        "chances that add up to 1: a mapping of moves, pairs, or a value for every cell",
        "`{4: 0.9, 0: 0.1}`",
    ),
    "weights": AnswerForm("the same with weights of 0 or more, such as visits", "`{4: 90, 0: 10}`"),
    "scores": AnswerForm(
        "the same with scores: the AI plays the best, each with the same chance", "`{4: 1, 0: -1}`"
    ),
}
"""Every form, by the name that users choose it with."""

PLACES = ("row-column", "column-row")
SCORED = ("move-score", "score-move")
BY_VALUES = ("chances", "weights", "scores")


def is_number(value: Plain) -> bool:
    """Return whether a value is a number."""
    return isinstance(value, int | float)


def is_pair(value: Plain) -> bool:
    """Return whether a value is a tuple or list of two values."""
    return isinstance(value, tuple | list) and len(value) == len(SCORED)


def is_place(value: Plain) -> bool:
    """Return whether a value is a row and a column, with or without a score."""
    return (
        isinstance(value, tuple | list)
        and len(value) in (2, 3)
        and all(isinstance(each, int) for each in value[:2])
        and all(map(is_number, value[2:]))
    )


def are_distinct(moves: Collection[object]) -> bool:
    """Return whether no value is there twice."""
    return len({*moves}) == len(moves)
