"""Chances that agents of other frameworks give their actions."""

from collections.abc import Mapping, Sequence
from math import fsum, isfinite

from marubatsu.pipeline.frameworks.interfaces import AnswerError

TOLERANCE = 0.001
"""How far from 1 the sum of chances may be, as those of 32 bits and rounded ones are."""


def chances_of(
    cell_of: Mapping[int, int], pairs: Sequence[tuple[int, float]]
) -> list[tuple[int, float]]:
    """Return the legal cells with their chances, without those that have none.

    The mapping has the legal actions. Raises AnswerError for numbers that are no chances, and for
    an illegal action with a chance.
    """
    if not pairs:
        raise AnswerError("no move", "its policy has no action")
    text = ", ".join(f"{action}: {chance:g}" for action, chance in pairs)
    chances = [chance for _, chance in pairs]
    are_chances = all(isfinite(chance) and chance >= 0 for chance in chances)
    if not are_chances or abs(fsum(chances) - 1) > TOLERANCE:
        raise AnswerError(
            "wrong answer",
            f"{text}; expected chances of 0 or more that add up to 1: apply softmax over the legal "
            "actions, or return the argmax",
        )
    played = [(action, chance) for action, chance in pairs if chance]
    illegal = [f"{action}: {chance:g}" for action, chance in played if action not in cell_of]
    if illegal:
        raise AnswerError(
            "illegal move",
            f"chances of illegal actions ({', '.join(illegal)}); legal: "
            f"{', '.join(map(str, cell_of))}; apply the mask before softmax",
        )
    return [(cell_of[action], chance) for action, chance in played]
