"""The raw file of a solution: lines of text, then bytes that need no library to be read.

::

    marubatsu raw 1
    game 3x2k2
    order 0 1 2 3 4 5
    ply 0 blocks 1 rows 1
    ply 1 blocks 2 rows 2

``order`` has the cell at each place. The plies follow, and an empty line. Then each ply has the
masks of its blocks, in cells, as 64 bits with the lowest byte first, and a byte for the value of
each row; 127 stands for null. `engine.large.index` explains places, blocks and rows, and
`engine.large.values` the values.
"""

from collections import Counter
from collections.abc import Callable
from typing import BinaryIO

import numpy as np

from marubatsu.engine.large.index import Index
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.parts import values_of
from marubatsu.pipeline.store.listed_files import is_part, ply_of_part
from marubatsu.pipeline.store.open_file import Opened
from marubatsu.pipeline.tables.solved_schemas import BLOCKS

_VERSION = 1


def write_raw(
    game: Game, solution: Opened, out: BinaryIO, progress: Callable[[float], None]
) -> None:
    """Write an open solution, part by part. Raises DamagedError when a file has changed."""
    blocks = solution.files[BLOCKS.file].rows(["ply", "mask"])
    plies, masks = (blocks[name].to_numpy() for name in ("ply", "mask"))
    parts = sorted(filter(is_part, solution.files))
    rows: Counter[int] = Counter()
    for name in parts:
        rows[ply_of_part(name)] += solution.manifest.files[name].rows
    lines = [
        f"marubatsu raw {_VERSION}",
        f"game {game.notation}",
        f"order {' '.join(map(str, Index(game).order))}",
        *(f"ply {ply} blocks {(plies == ply).sum()} rows {rows[ply]}" for ply in sorted(rows)),
    ]
    out.write("\n".join([*lines, "\n"]).encode("ascii"))
    written = 0
    for ply in sorted(rows):
        out.write(masks[plies == ply].astype("<u8").tobytes())
        for name in parts:
            if ply_of_part(name) == ply:
                values = values_of(solution.files[name].rows()["value"].combine_chunks())
                out.write(np.ascontiguousarray(values).data)
                written += len(values)
                progress(written / rows.total())
