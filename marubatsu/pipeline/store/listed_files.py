"""The files that the manifests of a game list: their names, and what each may hold.

A table has a file of its own name. The rows of a solution are in ``ply=NN/part-NNNN.parquet``:
those of a ply are in the order of the index, over all its parts, so the number of a row is its
place. The parts of a ply have `rows_of_part` rows, the last one fewer; a ply that play does not
reach has none. A saved AI has ``ais.NAME.HASH.parquet`` and ``ai_moves.NAME.HASH.parquet``, and all
of them together ``matches.HASH.parquet``. A kept table has one of two names in turn.

A manifest that lists anything else was written by somebody else: a table that is listed twice
would have its rows twice.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.schemas import AI_MOVES, AIS, MATCHES, TABLES, Table

SOLUTION = "solution"
"""The table whose rows are in parts."""

_SAVED = re.compile(r"[a-z_]+(\.[a-z][a-z0-9_]*)?\.[0-9a-f]{8}\.parquet")

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


def table_of(file: str) -> str:
    """Return the table of a file; more may follow its name, as in ``answers.0.parquet``."""
    return SOLUTION if is_part(file) else file.partition(".")[0]


def ai_of(file: str) -> str:
    """Return the saved AI whose rows a file has; "" for the matches of all."""
    parts = file.split(".")
    return parts[1] if len(parts) == 4 else ""


def kept_files(table: Table) -> tuple[str, str]:
    """Return the two names that the file of a kept table has in turn."""
    return f"{table.name}.0.parquet", f"{table.name}.1.parquet"


def wrong_tables(names: Collection[str]) -> str:
    """Name a file that is no table of a game, "" for none."""
    return _unknown(names, {table.file for table in TABLES.values()})


def wrong_kept(names: Collection[str], table: Table) -> str:
    """Say how files are not the one of a kept table, "" when they are."""
    if other := _unknown(names, kept_files(table)):
        return other
    return {0: "it lists no file", 1: ""}.get(len(names), "it lists two files")


def wrong_saved(names: Collection[str]) -> str:
    """Say how files are not those of saved AIs, "" when they are."""
    of: dict[tuple[str, str], str] = {}
    for name in sorted(names):
        table, ai = table_of(name), ai_of(name)
        allowed = (AIS.name, AI_MOVES.name) if ai else (MATCHES.name,)
        if not _SAVED.fullmatch(name) or table not in allowed:
            return f"it lists {name}"
        if (table, ai) in of:
            return f"it lists another {name}"
        of[table, ai] = name
    for (table, ai), name in of.items():
        other = AIS.name if table == AI_MOVES.name else AI_MOVES.name
        if ai and (other, ai) not in of:
            return f"it lists {name} alone"
    return ""


def wrong_solution(game: Game, files: Mapping[str, int]) -> str:
    """Say how files with their rows are not those of a solution, "" when they are.

    It has the parts of ply 0 and of the plies after it, as far as play reaches.
    """
    from marubatsu.engine.large.index import rows_of_plies  # NumPy, which SQL over tables spares
    from marubatsu.pipeline.tables.solved_schemas import BLOCKS, VALUE_COUNTS

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
    return f"it does not list {lacking}" if lacking else _unknown(files, whole)


def _unknown(names: Collection[str], allowed: Collection[str]) -> str:
    other = min({*names} - {*allowed}, default="")
    return f"it lists {other}" if other else ""
