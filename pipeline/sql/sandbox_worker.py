"""The process in which a user's SQL runs. Only `pipeline.sql.sandbox` starts it.

Line 1 of standard input is the request as JSON; the worker ends when standard input ends. The
answer goes to standard output as lines of JSON: ``{"columns": [...]}``, then batches
``{"rows": [[...], ...]}``, then ``{"done": true}``; or, at any point,
``{"error": sentence, "usage": whether the SQL is at fault}``.

Protection of the data and the machine, from the inside out:

- The tables are copied into a database in memory; a solution may be too large, so Python streams
  its rows.
- Files, network, extensions and settings are locked.
- Only one statement runs; it must read, and its transaction is read-only.
- The process may not write files, and its memory is limited.
- The parent ends it when its time is up; it also ends when the parent ends.
"""

import contextlib
import json
import os
import resource
import sys
import threading
from pathlib import Path
from typing import Any

import duckdb

from marubatsu.pipeline.sql.catalog import connect
from marubatsu.pipeline.sql.query_files import views
from marubatsu.pipeline.sql.view_script import parts_of_solution, view_script

_STREAMED = "solution_files"
_BATCH = 1000
_READS = {"SELECT", "EXPLAIN"}
_HEADROOM = 3 << 30
"""Address space above DuckDB's own limit: libraries, stacks, and mappings it never fills."""


def main() -> None:
    """Answer one request."""
    request = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_AS, request["memory"] + _HEADROOM)
    try:
        connection = connect(request["memory"])
        load(connection, Path(request["folder"]), frozenset(request["tables"]))
        _answer(connection, request["sql"])
    except (duckdb.OutOfMemoryException, MemoryError):
        _tell(error="the query needs more memory than it may have; raise --memory", usage=False)
    except (UnicodeError, RecursionError) as error:
        _tell(error=f"the query or its answer cannot be written down: {error}", usage=True)
    except duckdb.Error as error:
        _tell(error=f"the query failed: {_sentence(str(error))}", usage=True)


def _end_with_parent() -> None:
    """Wait until standard input ends, because the parent ended; then end this process."""
    sys.stdin.read()
    os._exit(1)


def load(connection: duckdb.DuckDBPyConnection, folder: Path, tables: frozenset[str]) -> None:
    """Copy the files into the database, and lock access to everything else.

    A solution is not copied: Python streams its rows.
    """
    connection.execute("create schema files; use files")
    connection.execute(view_script(folder, tables))
    connection.execute("use main")
    for view in views():
        if tables.issuperset(view.needs):
            if view.name == _STREAMED:
                connection.register(view.name, _stream(folder))
            elif view.reads_files:
                connection.table(f"files.{view.name}").create(view.name)
            else:
                connection.execute(view.sql)
    connection.execute("drop schema files cascade")
    connection.execute(
        "reset variable data; reset variable reference; reset variable footer; "
        "reset variable folders_of_ais"
    )
    connection.execute("set variable parts = null")
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")


def _stream(folder: Path) -> Any:
    """Open the files of a solution, which are too large to be copied."""
    import pyarrow as pa
    from pyarrow.dataset import dataset, partitioning

    plies = partitioning(pa.schema([("ply", pa.int8())]), flavor="hive")
    return dataset(parts_of_solution(folder), format="parquet", partitioning=plies)


def _answer(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Run one reading statement and send its rows."""
    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        found = f"{len(statements)} statements" if statements else "none"
        _tell(error=f"expected one statement that reads, got {found}", usage=True)
        return
    kind = _kind(statements[0])
    if kind not in _READS:
        _tell(error=f"expected a statement that reads, such as select, got {kind}", usage=True)
        return
    connection.execute("begin transaction read only")
    result = connection.execute(statements[0])
    _tell(columns=[column[0] for column in result.description])
    while rows := result.fetchmany(_BATCH):
        _tell(rows=[[_to_json(value) for value in row] for row in rows])
    _tell(done=True)


def _kind(statement: duckdb.Statement) -> str:
    try:
        return statement.type.name
    except ValueError:  # A kind that the Python package cannot name.
        return "another kind"


def _to_json(value: object) -> object:
    """Keep values that JSON can hold; turn dates, decimals and the like into text."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case list() | tuple():
            return [_to_json(item) for item in value]
        case dict():
            return {str(key): _to_json(item) for key, item in value.items()}
        case _:
            return str(value)


def _sentence(message: str) -> str:
    """Return a DuckDB message on one line, without the excerpt of the query."""
    lines = (
        message.split("\nLINE ", maxsplit=1)[0].split("\n\nStack Trace", maxsplit=1)[0].splitlines()
    )
    return " ".join(line.strip() for line in lines if line.strip())


def _limit(kind: int, value: int) -> None:
    """Lower a limit of this process, where the system supports it."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (value, value))


def _tell(**message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
