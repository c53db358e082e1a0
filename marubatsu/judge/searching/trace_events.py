"""The events of a search in the short form that the page plays."""

from array import array
from collections.abc import Sequence
from typing import Any

from marubatsu.engine.search.trace import EventKind

_Happening = tuple[str, float | None, float | None, float | None, int]


class TraceEvents:
    """Events in their order, without those of their parts that say the same again and again."""

    def __init__(self) -> None:
        """Start without events."""
        self._kinds: dict[_Happening, int] = {}
        self._codes = array("i")
        self._cells: list[int | None] = []

    def __len__(self) -> int:
        """Return the number of events."""
        return len(self._codes)

    @property
    def entered(self) -> int:
        """Number of nodes that the search enters."""
        return len(self._cells)

    def add(
        self,
        kind: str,
        alpha: float | None,
        beta: float | None,
        score: float | None,
        skipped: int,
        *,
        cell: int | None,
    ) -> None:
        """Add an event; an entry has the cell that is played to enter, None at the root.

        Windows and scores are circle's view, None where there is no end of the window or no score.
        """
        happening = (str(kind), alpha, beta, score, skipped)
        self._codes.append(self._kinds.setdefault(happening, len(self._kinds)))
        if kind == EventKind.ENTER:
            self._cells.append(cell)

    def content(self) -> dict[str, Sequence[Any]]:
        """Return the events as lists.

        ``kinds`` are the events that differ: what happens, with the window, the score and the moves
        that a cut skips. ``codes`` has the index of each event in ``kinds``, ``cells`` the cell of
        each entry.
        """
        names = ("kind", "alpha", "beta", "score", "skipped")
        return {
            "kinds": [dict(zip(names, each, strict=True)) for each in self._kinds],
            "codes": self._codes.tolist(),
            "cells": self._cells,
        }
