"""The run of all techniques on a game, and the table ``techniques`` that keeps its searches.

What is kept already is not searched again. An ordering of one's own is counted next to it: curves
show its nodes between those of no ordering and those of the least tree, which is a bound for
alpha-beta without a table and without a root window.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, NamedTuple

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.kernels.bit_rules import SearchTally, bit_game, require_bitboard_game
from marubatsu.engine.kernels.bitboard_searches import AIOrder, searcher_of
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.size import is_large
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.laboratory.kept_tables import read_rows, replace_rows
from marubatsu.pipeline.laboratory.proof_graph import least_nodes
from marubatsu.pipeline.laboratory.technique_grid import (
    Counted,
    Setting,
    columns_of,
    count_each,
    counted_of,
    orderings,
    positions_of,
    settings_of,
)
from marubatsu.pipeline.stages.usable import stale_error, stale_files
from marubatsu.pipeline.support.background import in_background
from marubatsu.pipeline.support.events import held_back, note_once
from marubatsu.pipeline.support.progress import Advance
from marubatsu.pipeline.tables.data_set import DataSet, TechniquesTable

NODE_LIMIT = 1_000_000
"""Nodes of one search; at a million a second, that is a second."""

_KEEP_EVERY = 10.0  # seconds


class Compared(NamedTuple):
    """What is kept after a run."""

    settings: list[Setting]  # of the game, in their order
    positions: list[Position]
    counted: dict[str, Counted]  # by name of the setting
    left: int  # settings without time to count them


class OwnOrdering(NamedTuple):
    """What an ordering of one's own costs."""

    counted: dict[Setting, Counted]
    left: int  # settings without time to count them
    asked: int  # positions about which it was asked
    seconds: float  # of the searches, and of its answers


class _LateError(Exception):
    """The time is up."""


@contextmanager
def _until(ends: float) -> Iterator[Callable[[], None]]:
    """Yield a function that ends the block when time is up, and raises Interrupted after a signal.

    No signal ends it elsewhere.
    """
    with held_back() as signals, suppress(_LateError):

        def stop_if_late() -> None:
            signals.stop_if_asked()
            if time.monotonic() > ends:
                raise _LateError

        yield stop_if_late


def compare(data_set: DataSet, *, limit: int, seconds: float, progress: Advance) -> Compared:
    """Run every setting of a game that is not kept, and keep what was counted.

    A setting that was stopped at a lower limit runs again. All settings run again when other code
    counted them; a warning says so. Raises Interrupted after a signal; then and after ``seconds``
    the settings that are done are kept. Raises GameError for a game that is too large, DataError
    when rows are damaged or cannot be written.
    """
    game, ends = data_set.game, time.monotonic() + seconds
    require_bitboard_game(game)
    settings, positions = settings_of(game), positions_of(game)
    kept = read(data_set, positions)
    waiting = [setting for setting in settings if _is_needed(kept.get(setting.name), limit)]
    written, changed = time.monotonic(), False
    with _until(ends) as stop_if_late:
        try:
            for number, setting in enumerate(waiting):
                progress(number / len(waiting), setting.name)
                stop_if_late()
                searcher = searcher_of(game, setting.options)
                count = partial(count_each, searcher, positions, limit)
                kept[setting.name] = in_background(count, searcher.stop, stop_if_late)
                changed = True
                if time.monotonic() > written + _KEEP_EVERY:
                    write(data_set, settings, positions, kept)
                    written, changed = time.monotonic(), False
        finally:
            if changed:
                write(data_set, settings, positions, kept)
    left = sum(_is_needed(kept.get(setting.name), limit) for setting in settings)
    return Compared(settings, positions, kept, left)


def _is_needed(counted: Counted | None, limit: int) -> bool:
    return counted is None or (not counted.is_finished and counted.limit < limit)


def count_ordering(
    game: Game, ordering: AI, *, limit: int, seconds: float, progress: Advance
) -> OwnOrdering:
    """Count alpha-beta with an ordering, as `orderings` does with ours.

    It is asked once about each position that a search expands. The searches are not kept: an AI of
    others may be another one tomorrow. After ``seconds`` the settings that are done are returned.
    Raises GameError for a game that is too large, AIError for an ordering that fails, and
    Interrupted after a signal.
    """
    started = time.monotonic()
    order, positions = AIOrder(bit_game(game), ordering), positions_of(game)
    settings = [Setting(options) for options in orderings([ordering])]
    counted: dict[Setting, Counted] = {}
    with _until(started + seconds) as stop_if_late:
        for setting in settings:
            searcher = searcher_of(game, setting.options, order)
            tallies: list[SearchTally] = []
            for position in positions:
                done = len(counted) + len(tallies) / len(positions)

                def look(name: str = setting.name, share: float = done / len(settings)) -> None:
                    progress(share, f"{name}: asked about {order.asked:,} positions")
                    stop_if_late()

                count = partial(searcher.count, position, limit)
                tallies.append(in_background(count, searcher.stop, look))
            counted[setting] = Counted(limit, tuple(tallies))
    left = len(settings) - len(counted)
    return OwnOrdering(counted, left, order.asked, time.monotonic() - started)


def total(setting: Setting, counted: Counted) -> list[Any]:
    """Return setting, searches, how many were stopped, nodes of all, nodes of the empty board."""
    tallies = counted.tallies
    stopped = sum(tally.score is None for tally in tallies)
    nodes = sum(tally.nodes for tally in tallies)
    return [setting.name, len(tallies), stopped, nodes, tallies[0].nodes]


def read(data_set: DataSet, positions: Sequence[Position]) -> dict[str, Counted]:
    """Read what is kept of a game for some positions; settings with others are left out.

    What other code has counted is left out too, and a warning says so. Raises DataError when the
    file is damaged.
    """
    table = data_set.sibling(TechniquesTable)
    if not table.has_manifest:
        return {}
    with table.lock(write=False):
        manifest = table.manifest()
        if manifest and (stale := stale_files(table, manifest, manifest.files, compares_code=True)):
            what = "its searches are counted again; what this run does not reach is dropped"
            error = stale_error(table, stale, what)
            note_once("stale", str(table.folder), str(error), **error.facts)
            return {}
        counted = read_rows(
            table, lambda rows: counted_of(data_set.game, rows.to_pylist(), positions)
        )
        return counted or {}


def write(
    data_set: DataSet,
    settings: Iterable[Setting],
    positions: Sequence[Position],
    counted: Mapping[str, Counted],
) -> None:
    """Keep the searches of settings, and no others. Raises DataError when that fails."""
    table = TechniquesTable(data_set.root, data_set.game)
    columns = columns_of(data_set.game, settings, positions, counted)
    with table.lock(write=True):
        replace_rows(table, columns)


def curve(counted: Counted) -> list[int | None]:
    """Return the nodes of one setting from each position; None where the search was stopped."""
    return [t.nodes if t.score is not None else None for t in counted.tallies]


def least_curve(game: Game, positions: Sequence[Position]) -> list[int] | None:
    """Return the fewest nodes from each position over all orders of the moves.

    None for a game with more than a million positions: it takes all of them.
    """
    if is_large(game):
        return None
    every = enumerate_positions(game)
    nodes = least_nodes(every, score_positions(every))
    wanted = set(positions)
    at = {each: number for number, each in enumerate(every) if each in wanted}
    return [int(nodes[at[position]]) for position in positions]
