"""A reply to a question, and its exact rewards: what all environments share.

Scores are from the view of the side to move. A reply without a legal move, illegal or unreadable,
gets ``legal`` 0, ``best`` 0 and the dense reward ``illegal``.
"""

from dataclasses import dataclass
from math import isfinite
from typing import Any

import marubatsu as mb

ILLEGAL = -2.0
"""The dense reward of an illegal or unreadable reply: that of giving away a whole win."""

SEARCH_SECONDS = 5.0
"""The time of a search for one answer, in a game without tables."""


@dataclass(frozen=True)
class JudgedReply:
    """The grade of a reply; a value is None where the time of a search was up."""

    verdict: str  # legal, illegal or unparsable
    move: int | None  # the cell; None without a legal move
    is_in_form: bool  # whether the reply ends with the line that the question asks for
    legal: float  # 1, or 0
    best: float | None  # 1 for a best move, else 0
    loss: int | None  # how much the mover's score drops: 0, 1, 2; None without a legal move
    plies_lost: int | None  # plies by which the mover wins later or loses sooner
    dense: float | None  # shaped by the values: 0 for a best move, minus the loss for others

    def rewards(self) -> dict[str, float]:
        """Return the rewards that are known, by name."""
        named = {"legal": self.legal, "best": self.best, "dense": self.dense}
        return {name: value for name, value in named.items() if value is not None}

    def metrics(self) -> dict[str, float]:
        """Return what else is known, by name."""
        named = {"loss": self.loss, "plies_lost": self.plies_lost, "in_form": self.is_in_form}
        return {name: float(value) for name, value in named.items() if value is not None}


def judge(
    question: mb.Question,
    reply: str,
    *,
    potential: str = "score",
    illegal: float = ILLEGAL,
    time: float = SEARCH_SECONDS,
    data: str | None = None,
) -> JudgedReply:
    """Judge a reply by the exact values of its position: see `marubatsu.reward`.

    Raises ValueError for a reward ``illegal`` that is not finite.
    """
    if not isfinite(illegal):
        raise ValueError(f"illegal={illegal}: expected a finite number")
    read = question.read(reply)
    if read.move is None:
        return JudgedReply(read.verdict, None, read.is_in_form, 0.0, 0.0, None, None, illegal)
    reward = mb.reward(
        question.game, question.board, read.move, potential=potential, time=time, data=data
    )
    best = None if reward.is_best is None else float(reward.is_best)
    return JudgedReply(
        read.verdict, read.move, read.is_in_form, 1.0, best, reward.loss, reward.plies_lost,
        reward.dense,
    )  # fmt: skip


def critical_items(
    game: str, split: str, notation: str, *, twins: bool, data: str | None
) -> list[dict[str, Any]]:
    """Return the items of a split in which some legal move is not a best one.

    Splits hold whole classes, so no board of one has an image in another.
    """
    listed = mb.items(game, split=split, notation=notation, twins=twins, data=data)
    return [item for item in listed if any(item["losses"])]
