"""The parts of a solution: ``ply=NN/part-NNNN.parquet``, and the rows of each.

The rows of a ply are in the order of the index, over all its parts, so the number of a row is its
place. The parts of a ply have `rows_of_part` rows, the last one fewer. A ply that play does not
reach has none.
"""

from collections.abc import Iterator, Mapping

from marubatsu.engine.rules.game import Game

PART = 1 << 22
"""Rows of a part at least, but for the last one of a ply."""

MOST_PARTS = 1 << 10
"""Parts of a ply at most: who reads a whole solution holds all its files open."""


def part_file(ply: int, number: int) -> str:
    """Name a part of a ply."""
    return f"ply={ply:02}/part-{number:04}.parquet"


def is_part(file: str) -> bool:
    """Whether a file has a part of a solution, not a whole table."""
    return "/" in file


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


def wrong_parts(game: Game, files: Mapping[str, int]) -> str:
    """Say how the parts of a solution, with the rows of each, are not those of whole plies.

    Nothing when they are those of ply 0 and of the plies after it, as far as play reaches.
    """
    from marubatsu.engine.large.index import rows_of_plies  # NumPy, which SQL over tables spares

    if not files:
        return "it lists no file"
    found = {name: rows for name, rows in files.items() if is_part(name)}
    plies = len({ply_of_part(name) for name in found})
    expected = {
        part_file(ply, number): last - first
        for ply, rows in enumerate(rows_of_plies(game)[:plies])
        for number, first, last in parts(rows)
    }
    for name, rows in expected.items():
        if name not in found:
            return f"{name} is not listed"
        if rows != found[name]:
            return f"{name} has {found[name]:,} rows, expected {rows:,}"
    other = min(found.keys() - expected.keys(), default="")
    return f"{other} is no part of this game" if other else "" if found else "no ply is listed"
