"""All positions of a small game by their numbers."""

from functools import cached_property

import numpy as np

from marubatsu.engine.rules.masks import Bools, Ints, Masks


class Numbered:
    """All N positions of a game by their numbers, searched by circle's and cross's masks."""

    def __init__(self, circle: Masks, cross: Masks, class_: Ints, symmetry: Ints) -> None:
        """Take the columns of the table of positions: [N] each.

        Raises ValueError when a position occurs twice, or not each class has one representative.
        """
        self.circle, self.cross, self.class_ = circle, cross, class_
        self.represents: Bools = symmetry == 0  # [N] whether it is the representative of its class
        # Two masks may not fit one integer, so each is replaced by its place among those there are.
        self._circles, self._crosses = np.unique(circle), np.unique(cross)
        ranks = self._rank(circle, cross)
        self._by_rank = np.argsort(ranks)
        self._ranks = ranks[self._by_rank]
        if not (self._ranks[1:] > self._ranks[:-1]).all():
            raise ValueError("a position occurs twice")
        classes = np.sort(class_[self.represents])
        if (
            not len(classes)
            or class_.max() != classes[-1]
            or (classes != np.arange(len(classes))).any()
        ):
            raise ValueError("not every class has one representative")

    def find(self, circle: Masks, cross: Masks) -> tuple[Ints, Bools]:
        """Return the numbers of positions, any number where there is none, and which there are."""
        ranks = self._rank(circle, cross)
        at = np.minimum(np.searchsorted(self._ranks, ranks), len(self._ranks) - 1)
        return self._by_rank[at], self._ranks[at] == ranks

    @cached_property
    def orbit(self) -> Ints:
        """The number of members of each class: [C]."""
        return np.bincount(self.class_)

    @cached_property
    def representative(self) -> Ints:
        """The number of the position that represents each class: [C]."""
        numbers = np.flatnonzero(self.represents)
        return numbers[np.argsort(self.class_[numbers])]

    def _rank(self, circle: Masks, cross: Masks) -> Ints:
        """Return one number for each pair of masks, -1 where a mask occurs nowhere: [N]."""
        places = []
        for masks, values in ((circle, self._circles), (cross, self._crosses)):
            place = np.minimum(np.searchsorted(values, masks), len(values) - 1)
            places.append(np.where(values[place] == masks, place, -1))
        rank: Ints = np.where(
            np.minimum(*places) < 0, -1, places[0] * len(self._crosses) + places[1]
        )
        return rank
