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

from collections.abc import Callable
from typing import BinaryIO

import numpy as np

from marubatsu.engine.large.index import Index
from marubatsu.pipeline.solving.solved_rows import GROUP, SolvedRows

_VERSION = 1


def write_raw(solution: SolvedRows, out: BinaryIO, progress: Callable[[float], None]) -> None:
    """Write a solution, a row group at a time. Raises DamagedError when a file is damaged."""
    index, written = Index(solution.game), 0
    lines = [
        f"ply {ply} blocks {len(index.blocks(ply))} rows {rows}\n"
        for ply, rows in enumerate(solution.rows)
    ]
    out.write("".join([first_lines("raw", _VERSION, index), *lines, "\n"]).encode("ascii"))
    for ply, rows in enumerate(solution.rows):
        out.write(index.blocks(ply).astype("<u8").tobytes())
        for group in range(-(-rows // GROUP)):
            values = solution.read(ply, group)
            out.write(np.ascontiguousarray(values).data)
            written += len(values)
            progress(written / sum(solution.rows))


def first_lines(form: str, version: int, index: Index) -> str:
    """Return the lines with which a file begins that has a solution in some form."""
    order = " ".join(map(str, index.order))
    return f"marubatsu {form} {version}\ngame {index.game.notation}\norder {order}\n"
