"""A solution as files that the page reads without a server, a few values at a time.

::

    solution.json       what all rows of each ply have in common, and the parts of the ply
    blocks/PLY.json     the masks of its blocks in the order of places, ascending
    tables/solution/…   the parts: the same rows, with pages that every browser can decompress

`engine.large.index` explains blocks, places and rows.
"""

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pyarrow.parquet as pq

from marubatsu.engine.large.index import Index
from marubatsu.pipeline.store.data_set import DataSet, Solution
from marubatsu.pipeline.store.integrity import open_parts, parts_of_solution, require_intact
from marubatsu.pipeline.store.listed_files import rows_of_part
from marubatsu.pipeline.store.open_file import OpenFile
from marubatsu.pipeline.tables.parquet import writer_options
from marubatsu.pipeline.tables.solved_schemas import SOLUTION


def solution_files(data_set: DataSet) -> Iterator[tuple[str, bytes]]:
    """Yield the path, below the folder of the game, and the bytes of each file.

    The data set is a snapshot. Raises DamagedError when a file has changed.
    """
    opened = open_parts(data_set, require_intact)
    names = {held: name for name, held in opened[Solution.part].files.items()}
    index = Index(data_set.game)
    plies: dict[int, list[dict[str, Any]]] = {}
    for place, held in parts_of_solution(opened):
        name, data = f"{Solution.part}/{names[held]}", _with_gzip(held)
        plies.setdefault(place.ply, []).append({"path": name, "bytes": len(data)})
        yield f"tables/{name}", data
    shapes = {ply: index.shape(ply) for ply in plies}
    for ply, shape in shapes.items():
        yield f"blocks/{ply}.json", _json(shape.blocks.tolist())
    yield (
        "solution.json",
        _json(
            {
                "order": index.order,
                "group": SOLUTION.row_group,
                "plies": {
                    ply: {
                        "cells": shape.cells,
                        "chosen": shape.chosen,
                        "rows": rows_of_part(shape.rows),
                        "parts": plies[ply],
                    }
                    for ply, shape in shapes.items()
                },
            }
        ),
    )


def is_solution_part(name: str) -> bool:
    """Whether a file of a game, by its name in the folder of the game, has values of a ply."""
    return name.startswith(f"{Solution.part}/ply=")


def _with_gzip(held: OpenFile) -> bytes:
    """Return a part with the same rows; no browser decompresses Zstandard for a script."""
    goal = BytesIO()
    options = {**writer_options(SOLUTION), "compression": "gzip", "compression_level": 9}
    pq.write_table(held.rows(), goal, row_group_size=SOLUTION.row_group, **options)
    return goal.getvalue()


def _json(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode()
