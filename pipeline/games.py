"""The games that are known or built, with their sizes."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.game import Game
from engine.positions import MAX_POSITIONS
from pipeline.catalog import known_counts
from pipeline.errors import DataError
from pipeline.output import Rows
from pipeline.stages import stages_of
from pipeline.store import DataSet
from pipeline.verify import data_sets

SMALL_GAMES = ("3x3k3-misere", "3x3k3-gravity", "2x4k2", "3x2k2")
"""Worth naming beside the games of which counts are known."""

_SIZES = ("positions", "classes", "nodes")

COLUMNS = (
    "game", "notation", "cells", "positions", "classes", "nodes", "counts", "tables", "bytes",
)  # fmt: skip


def list_games(root: Path) -> Rows:
    """List games from small to large; ``counts`` says where the sizes come from."""
    known = _known_sizes()
    built = {data_set.game: data_set for data_set in data_sets(root)[0]}
    games = {*known, *built, *map(Game.parse, SMALL_GAMES)}
    rows = [_row(game, known.get(game, {}), built.get(game)) for game in games]
    return Rows(COLUMNS, sorted(rows, key=lambda row: (row[2], row[1])))


def _row(game: Game, known: dict[str, int], data_set: DataSet | None) -> list[Any]:
    tables = {stage.table.name: stage.table.file for stage in stages_of(game)}
    sizes, counts, built = dict(known), "known", "none"
    total_bytes = None
    if data_set is not None:
        try:
            manifest = data_set.manifest()
        except DataError:
            built = "damaged"
            manifest = None
        if manifest is not None:
            files = manifest.files
            here = [name for name, file in tables.items() if file in files]
            built = f"{len(here)} of {len(tables)}"
            total_bytes = sum(entry.bytes for entry in files.values())
            rows = {name: files[tables[name]].rows for name in here}
            if "tree_bfs" in rows or "tree_dfs" in rows:
                rows["nodes"] = rows.get("tree_bfs", rows.get("tree_dfs", 0))
            measured = {name: n for name, n in rows.items() if name in _SIZES}
            if measured:
                sizes.update(measured)
                counts = "built"
    elif "positions" not in sizes:
        from engine.estimate import estimate_nodes, estimate_positions

        counts = "estimate"
        sizes = {"positions": round(estimate_positions(game)), "nodes": round(estimate_nodes(game))}
    if built == "none" and sizes["positions"] > MAX_POSITIONS:
        built = "too large"
    return [
        game.name, game.notation, game.cells, sizes.get("positions"), sizes.get("classes"),
        sizes.get("nodes"), counts, built, total_bytes,
    ]  # fmt: skip


def _known_sizes() -> dict[Game, dict[str, int]]:
    sizes: dict[Game, dict[str, int]] = {}
    for game, quantity, count in _totals():
        if quantity in _SIZES:
            sizes.setdefault(Game.parse(game), {})[quantity] = count
    return sizes


def _totals() -> Iterator[tuple[str, str, int]]:
    with known_counts().open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if not row["ply"]:
                yield row["game"], row["quantity"], int(row["count"])
