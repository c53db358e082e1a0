"""How the rows of a solution are divided into files.

They are in ``ply=NN/part-NNNN.parquet``: those of a ply are in the order of the index, over all its
parts, so the number of a row is its place. The parts of a ply have `rows_of_part` rows, the last
one fewer; a ply that play does not reach has none.
"""

from collections.abc import Iterator, Mapping

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.manifest import is_part, unknown
from marubatsu.pipeline.tables.solved_schemas import BLOCKS, VALUE_COUNTS

PART = 1 << 22
"""Rows of a part at least, but for the last one of a ply."""

MOST_PARTS = 1 << 10
"""Parts of a ply at most: who reads a whole solution holds all its files open."""


def part_file(ply: int, number: int) -> str:
    """Name a part of a ply."""
    return f"ply={ply:02}/part-{number:04}.parquet"


def ply_of_part(file: str) -> int:
    """Return the ply of a part, from its name."""
    return int(file.removeprefix("ply=")[:2])


def rows_of_part(rows: int) -> int:
    """Return how many rows each part of a ply with so many rows has, but for the last one."""
    size = PART
    while size * MOST_PARTS < rows:
        size *= 2
    return size


def parts(rows: int) -> Iterator[tuple[int, int, int]]:
    """Yield the number, the first row and the row after the last of each part of a ply."""
    size = rows_of_part(rows)
    for number, first in enumerate(range(0, rows, size)):
        yield number, first, min(first + size, rows)


def wrong_solution(game: Game, files: Mapping[str, int]) -> str:
    """Say how files with their rows are not those of a solution, "" when they are.

    It has the parts of ply 0 and of the plies after it, as far as play reaches.
    """
    from marubatsu.engine.large.index import rows_of_plies  # NumPy, which SQL over tables spares

    given = {name: rows for name, rows in files.items() if is_part(name)}
    plies = len({ply_of_part(name) for name in given})
    expected = {
        part_file(ply, number): last - first
        for ply, rows in enumerate(rows_of_plies(game)[:plies])
        for number, first, last in parts(rows)
    }
    for name, rows in expected.items():
        if name in given and rows != given[name]:
            return f"{name} has {given[name]:,} rows, expected {rows:,}"
    whole = {BLOCKS.file, VALUE_COUNTS.file, *(expected or [part_file(0, 0)])}
    if not files:
        return "it lists no file"
    lacking = min(whole - files.keys(), default="")
    return f"it does not list {lacking}" if lacking else unknown(files, whole)
