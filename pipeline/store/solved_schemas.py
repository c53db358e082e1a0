"""The tables of games without tables of positions: of solutions, and of what searches found."""

from dataclasses import replace

from marubatsu.pipeline.store.schemas import (
    DELTA,
    DICTIONARY,
    DISTANCE,
    INT8,
    INT32,
    INT64,
    MASK,
    PLY,
    PREFIX,
    SPLIT,
    TEXT,
    Column,
    Table,
)

_PLY, _DISTANCE = (replace(column, encoding=SPLIT) for column in (PLY, DISTANCE))

SOLUTION = Table(
    "solution",
    "one row of the index of a large game, in the files of its ply: see `engine/large/index.py`",
    (),
    (
        Column(
            "value", INT8, "score and distance of a class in one number, view of the side to move",
            "64 - n wins in n plies, 0 draws, n - 64 loses in n plies",
            null="where the row shows no position that play reaches, or one that an earlier row of "
            "the ply shows up to symmetry", encoding=DICTIONARY,
        ),
    ),
    row_group=1 << 17,  # A lookup reads one row group.
)  # fmt: skip
BLOCKS = Table(
    "blocks",
    "one block of the index of a large game",
    ("ply", "block"),
    (
        PLY,
        Column("block", INT32, "number of the block in its ply; all blocks of a ply have the same "
               "number of rows", encoding=DELTA),
        Column("mask", MASK, "circle's cells; with gravity the filled cells", "bit i = cell i",
               encoding=DELTA),
    ),
    row_group=1 << 16,
)  # fmt: skip
_SIDES = ("circle", "cross")
VALUE_COUNTS = Table(
    "value_counts",
    "the classes of one ply of a large game with the same score and distance",
    ("ply", "score_mover", "distance"),
    (
        _PLY,
        Column("score_mover", INT8, "minimax value, view of the side to move",
               "+1 wins, 0 draws, -1 loses"),
        _DISTANCE,
        Column("classes", INT64, "number of classes", unit="classes"),
        Column("positions", INT64, "number of their members", unit="positions"),
    ),
)  # fmt: skip
SOLVED = {table.name: table for table in (SOLUTION, BLOCKS, VALUE_COUNTS)}
"""The tables of the solution of a large game, by name."""
ANSWERS = Table(
    "answers", "a class that a search has solved, shown by the member with the smallest masks",
    ("ply", "circle", "cross"), (
        _PLY,
        *(Column(side, INT64, f"cells that hold {side}", "bit i = cell i") for side in _SIDES),
        Column("board", TEXT, "the cells, row by row", "as in positions", encoding=PREFIX),
        Column("score", INT8, "minimax value", "as in positions"),
        _DISTANCE,
        Column("nodes", INT64, "visited; 0 where the values of the moves gave it", unit="nodes"),
    ),
)  # fmt: skip
