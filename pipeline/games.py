"""The games that are known or built, with their sizes."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.estimate import MAX_POSITIONS
from engine.game import Game
from pipeline.errors import DataError
from pipeline.manifest import Entry
from pipeline.output import Rows
from pipeline.sqlfiles import known
from pipeline.stages import stages_of
from pipeline.store import DataSet
from pipeline.verify import damages, data_sets

_SIZES = ("positions", "classes", "nodes")

COLUMNS = (
    "game", "notation", "cells", "positions", "classes", "nodes", "counts", "tables", "bytes",
)  # fmt: skip


def list_games(root: Path) -> Rows:
    """List games from small to large; ``counts`` says where the sizes come from."""
    known = _known_sizes()
    built = {data_set.game: data_set for data_set in data_sets(root)[0]}
    rows = [_row(game, known.get(game, {}), built.get(game)) for game in {*known, *built}]
    return Rows(COLUMNS, sorted(rows, key=lambda row: (row[2], row[1])))


def _row(game: Game, known: dict[str, int], data_set: DataSet | None) -> list[Any]:
    sizes, counts, total_bytes = dict(known), "known", None
    built = "too large" if sizes.get("positions", 0) > MAX_POSITIONS else "none"
    if data_set is not None:
        built, tables = _built(data_set)
        rows = {name: entry.rows for name, entry in tables.items()}
        rows["nodes"] = rows.get("tree_bfs", rows.get("tree_dfs", 0))
        measured = {name: rows[name] for name in _SIZES if rows.get(name)}
        if measured:
            sizes.update(measured)
            counts = "built"
        total_bytes = sum(entry.bytes for entry in tables.values())
    return [game.name, game.notation, game.cells, *map(sizes.get, _SIZES), counts, built,
            total_bytes]  # fmt: skip


def _built(data_set: DataSet) -> tuple[str, dict[str, Entry]]:
    """Say how much of a data set is there, and return what its manifest knows of the tables."""
    try:
        manifest = data_set.manifest()
    except DataError:
        return "damaged", {}
    if manifest is None:
        return "none", {}
    if any(damages(data_set, manifest)):
        return "damaged", manifest.tables
    return f"{len(manifest.tables)} of {len(stages_of(data_set.game))}", manifest.tables


def _known_sizes() -> dict[Game, dict[str, int]]:
    sizes: dict[Game, dict[str, int]] = {}
    for game, quantity, count in _totals():
        if quantity in _SIZES:
            sizes.setdefault(Game.parse(game), {})[quantity] = count
    return sizes


def _totals() -> Iterator[tuple[str, str, int]]:
    with (known() / "known_counts.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if not row["ply"]:
                yield row["game"], row["quantity"], int(row["count"])
