"""The games that are known, built or solved, with their sizes."""

from pathlib import Path
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size import MAX_POSITIONS, estimate_positions
from marubatsu.pipeline.checking.verify import data_sets
from marubatsu.pipeline.sql.reference import known_counts
from marubatsu.pipeline.stages.stage import stages_of
from marubatsu.pipeline.store.data_set import DataSet, Saved, Solution
from marubatsu.pipeline.store.integrity import damages
from marubatsu.pipeline.store.manifest import Entry, Manifest
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.output import Rows

_SIZES = ("positions", "classes", "nodes")

COLUMNS = (
    "game", "notation", "cells", "positions", "classes", "nodes", "counts", "tables", "bytes",
    "solved",
)  # fmt: skip


def list_games(root: Path) -> Rows:
    """List games from small to large.

    ``counts`` is the source of the sizes, ``solved`` the number of classes in a solution.
    """
    known = _known_sizes()
    built: dict[Game, DataSet] = {}
    solved: dict[Game, Solution] = {}
    for data_set in data_sets(root)[0]:
        if isinstance(data_set, Solution):
            solved[data_set.game] = data_set
        elif not isinstance(data_set, Saved):
            built[data_set.game] = data_set
    rows = [
        _row(game, known.get(game, {}), built.get(game), solved.get(game))
        for game in {*known, *built, *solved}
    ]
    return Rows(COLUMNS, sorted(rows, key=lambda row: (row[2], row[1])))


def _row(
    game: Game, known: dict[str, int], data_set: DataSet | None, solution: Solution | None
) -> list[Any]:
    sizes, counts, total_bytes = dict(known), "known", None
    positions = sizes.get("positions") or estimate_positions(game)
    built = "too large" if positions > MAX_POSITIONS else "none"
    if data_set is not None:
        built, tables = _built(data_set)
        rows = {name: entry.rows for name, entry in tables.items()}
        rows["nodes"] = rows.get("tree_bfs", rows.get("tree_dfs", 0))
        measured = {name: rows[name] for name in _SIZES if rows.get(name)}
        if measured:
            sizes.update(measured)
            counts = "built"
        total_bytes = sum(entry.bytes for entry in tables.values()) or None
    return [game.name, game.notation, game.cells, *map(sizes.get, _SIZES), counts, built,
            total_bytes, None if solution is None else _solved(solution)]  # fmt: skip


def _intact(data_set: DataSet) -> tuple[Manifest | None, bool]:
    """Return the manifest of a data set, and whether it and all its files are intact."""
    try:
        manifest = data_set.manifest()
    except DataError:
        return None, False
    return manifest, manifest is None or not any(damages(data_set, manifest))


def _built(data_set: DataSet) -> tuple[str, dict[str, Entry]]:
    """Return how much of a data set is built, and its tables' entries in the manifest."""
    manifest, is_intact = _intact(data_set)
    tables = manifest.tables if manifest else {}
    if not is_intact:
        return "damaged", tables
    return f"{len(tables)} of {len(stages_of(data_set.game))}" if manifest else "none", tables


def _solved(solution: Solution) -> int | str | None:
    """Return the number of classes in a solution, ``damaged``, or None without a solution."""
    manifest, is_intact = _intact(solution)
    if not is_intact:
        return "damaged"
    return sum(entry.rows for entry in manifest.files.values()) if manifest else None


def _known_sizes() -> dict[Game, dict[str, int]]:
    sizes: dict[Game, dict[str, int]] = {}
    for known in known_counts():
        of_game = sizes.setdefault(known.game, {})
        if known.ply is None and known.quantity in _SIZES:
            of_game[known.quantity] = known.count
    return sizes
