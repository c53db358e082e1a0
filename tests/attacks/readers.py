"""Everything that reads data and prints an answer: commands, and the interface in Python."""

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb

import marubatsu
from marubatsu.pipeline.support.errors import DataError
from tests.attacks.tally import Refused
from tests.helpers.data.data_sets import copied
from tests.helpers.processes.commands import run_here

BUILT, SOLVED = "2x2k2", "3x2k2"
"""A game with all tables, and one with a solution only."""

Ask = Callable[[Path], str]
"""Asks about the data in a folder; returns the answer as a text, or raises `Refused`."""


def command(*arguments: str) -> Ask:

    def ask(root: Path) -> str:
        done = run_here(*arguments, data=root)
        if done.returncode == 0:
            return done.stdout
        assert (done.returncode, done.stdout) == (1, ""), done
        raise Refused(done.stderr)

    return ask


def anchors(root: Path) -> str:
    """Compare the known counts, which is refused in the rows: each says that it failed."""
    done = run_here("anchors", SOLVED, data=root)
    if done.returncode == 1 and "differ" not in done.stdout and " failed: " in done.stdout:
        raise Refused(done.stdout)
    return done.stdout


def queried(ask: Callable[[Path], object]) -> Ask:

    def text_shown(root: Path) -> str:
        try:
            return str(ask(root))
        except (DataError, duckdb.Error) as error:  # DuckDB reports Arrow's errors.
            raise Refused(str(error)) from error

    return text_shown


def made_views(root: Path) -> str:
    """Print the views, and run them in a DuckDB of one's own."""
    script = command("views", "--game", BUILT)(root)
    with duckdb.connect() as connection:
        connection.execute(script)
        return str(connection.execute("select board, score from positions order by all").fetchall())


LINES: dict[str, tuple[str, ...]] = {
    "show": ("show", "o...", "--game", BUILT),
    "show solved": ("show", "o.....", "--game", SOLVED),
    "query": ("query", "plies", "--game", BUILT),
    "sql": ("sql", "select board, score from positions order by all", "--game", BUILT),
    "sql solved": ("sql", "select board, score from solution order by 1", "--game", SOLVED),
    "check": ("check", BUILT, "--only", "scores"),
    "check solved": ("check", SOLVED, "--only", "solution_values"),
    "audits": ("audit", "--game", BUILT),
    "audit": ("audit", "ai2", "--game", BUILT, "--format", "json"),
    "audit solved": ("audit", "ai2", "--game", SOLVED, "--sample", "9", "--format", "json"),
    "review": ("match", "ai1", "ai2", "--review", "--game", BUILT),
}
COMMANDS: dict[str, Ask] = {
    **{name: command(*arguments) for name, arguments in LINES.items()},
    "anchors": anchors,
}
PYTHON: dict[str, Ask] = {
    "oracle": queried(lambda root: marubatsu.oracle(BUILT, data=root).answer("o...")),
    "oracle solved": queried(lambda root: marubatsu.oracle(SOLVED, data=root).answer("o.....")),
    "tables": queried(
        lambda root: marubatsu.sql(
            "select board, score from positions order by all", BUILT, data=root
        ).fetchall()
    ),
    "tables solved": queried(
        lambda root: sorted(
            marubatsu.tables(SOLVED, data=root).solution.project("board, score, ply").fetchall()
        )
    ),
}
READERS = {**COMMANDS, **PYTHON}
SLOW = {"sql", "sql solved"}
"""Readers that start a process."""


def game_of(reader: str) -> str:
    return SOLVED if "solved" in reader or reader == "anchors" else BUILT


def copy_of(data: Path, root: Path) -> Path:
    shutil.rmtree(root, ignore_errors=True)
    return copied(data, root)
