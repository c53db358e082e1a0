"""The file of a search's events, which the page replays."""

from array import array
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from marubatsu.engine.ais.ai import Number
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.search.layers import Event, EventKind, Trace
from marubatsu.engine.search.options import Options, Result, SearchError, SearchSettings, plain
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.pipeline.support.progress import Advance
from marubatsu.pipeline.tables.output import destination
from marubatsu.version import __version__

_Happening = tuple[str, float | None, float | None, float | None, int]

CONTENT = "search trace"
"""What a file says of itself, in its first words."""

VERSION = 1
"""The version of the file's form."""

MOST_EVENTS = 2_000_000
"""The most events of a file: the page keeps all of them in memory."""


class TraceEvents:
    """Events in their order; those that are alike but for the cell are stored once."""

    def __init__(self) -> None:
        self._kinds: dict[_Happening, int] = {}
        self._codes = array("i")
        self._cells: list[int | None] = []

    def __len__(self) -> int:
        return len(self._codes)

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


def recorder(events: TraceEvents, progress: Advance) -> Trace:
    """Return what adds each event. It raises SearchError when there are too many."""

    def record(event: Event) -> None:
        if len(events) == MOST_EVENTS:
            raise SearchError(
                f"the search makes more than {MOST_EVENTS:,} events, too many for a file that the "
                "page plays: name a later position, a smaller depth, an ordering or a table"
            )
        if len(events) % 10_000 == 0:
            progress(None, f"{len(events):,} events")
        variation = event.variation
        cell = variation[-1] if event.kind is EventKind.ENTER and variation else None
        alpha, beta, score = map(_end, (event.alpha, event.beta, event.score))
        events.add(event.kind, alpha, beta, score, event.skipped, cell=cell)

    return record


def write_trace(
    file: Path,
    game: Game,
    position: Position,
    options: Options,
    result: Result,
    events: TraceEvents,
) -> None:
    """Write the events of a search; the page reads the game, the board and the options, too."""
    ordering, evaluation = options.ordering, options.evaluation
    content = {
        "content": CONTENT,
        "version": VERSION,
        "marubatsu": __version__,
        "game": game.name,
        "board": to_text(game, position),
        "algorithm": options.algorithm,
        "ordering": None if ordering is None else ordering.name,
        **{name: getattr(options, name) for name in SearchSettings.__annotations__},
        "evaluation": None if evaluation is None else evaluation.name,
        "score": result.score,
        "nodes": result.nodes,
        **events.content(),
    }
    with destination(file) as out:
        out.write(json_text(content) + "\n")


def _end(value: Number | None) -> float | None:
    """Return a score or an end of a window as JSON holds it, None where there is none."""
    return None if value is None or not isfinite(value) else plain(value)
