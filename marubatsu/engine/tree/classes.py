"""Positions up to the symmetries of the board."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.masks import Ints, distinct, images
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.engine.tree.positions import Positions


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of N positions: C classes, numbered by their representatives."""

    representative: Ints  # [C] position number, ascending
    class_: Ints  # [N] class of each position
    symmetry: NDArray[np.int16]  # [N] first symmetry that takes it to its representative
    orbit: Ints  # [C] number of members


def classify(positions: Positions) -> Classes:
    """Put positions that are images of each other into one class.

    The members of an orbit share their least image (circle mask first, then cross mask). The
    representative is the member with the smallest position number.
    """
    circle, cross = positions.circle, positions.cross
    group = symmetries(positions.game)
    least_circle, least_cross = circle.copy(), cross.copy()
    for symmetry in group[1:]:
        image_circle, image_cross = images(symmetry, circle), images(symmetry, cross)
        less = (image_circle < least_circle) | (
            (image_circle == least_circle) & (image_cross < least_cross)
        )
        least_circle[less] = image_circle[less]
        least_cross[less] = image_cross[less]
    representative, class_ = distinct(least_circle, least_cross, positions.game.cells)

    goal_circle, goal_cross = circle[representative][class_], cross[representative][class_]
    to_representative = np.full(len(positions), -1, dtype=np.int16)
    for number, symmetry in reversed(list(enumerate(group))):
        arrives = (images(symmetry, circle) == goal_circle) & (
            images(symmetry, cross) == goal_cross
        )
        to_representative[arrives] = number
    return Classes(
        representative=representative.astype(np.int32),
        class_=class_.astype(np.int32),
        symmetry=to_representative,
        orbit=np.bincount(class_).astype(np.int32),
    )
