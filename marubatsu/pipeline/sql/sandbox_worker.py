"""The process in which a user's SQL runs. Only `pipeline.sql.sandbox` starts it.

Standard input is a socket that brings the statement and then the files; the worker ends when it
ends. The answer goes to standard output (see `pipeline.sql.frames`).

Protection of the data and the machine, from the inside out:

- The tables that the statement reads are copied into a database in memory; a solution may be too
  large, so Python streams its rows.
- Files, network, extensions and settings are locked.
- Only one statement runs; it must read, and its transaction is read-only.
- The process may not write files, and its memory is limited.
- The parent ends it when its time is up; it also ends when the parent ends.
"""

import contextlib
import json
import os
import re
import resource
import socket
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import duckdb

from marubatsu.engine.rules.input_error import did_you_mean, nearest
from marubatsu.pipeline.sql.frames import FIRST_FILE, MOST_FILES, RowForm, frame
from marubatsu.pipeline.sql.query_files import (
    Query,
    nodes,
    parser,
    relations,
    syntax_tree,
    tables_to_open,
    views_read,
)
from marubatsu.pipeline.support.events import buffer_output

_STREAMED = "solution_files"
_BATCH = 1000
_ARROW_BATCH = 100_000
_READS = {"SELECT", "EXPLAIN"}
_INSIDE = "_QUERY_NODE"  # ends the type of a statement in a select that writes: INSERT_QUERY_NODE
_HEADROOM = 3 << 30
"""Address space above DuckDB's own limit: libraries, stacks, and mappings it never fills."""
_DATA_HEADROOM = 256 << 20
"""Memory above DuckDB's own limit and what the process has before: 8 MB for each thread's stack."""


def main() -> None:
    """Answer one request."""
    os.environ["HOME"] = "/"  # DuckDB shows it in settings and errors.
    connection = parser()
    buffer_output()
    views_read("select 1")  # Load the parser before a statement comes.
    messages: SimpleQueue[dict[str, Any]] = SimpleQueue()
    _limit(resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    try:
        Thread(target=_listen, args=[messages], daemon=True).start()
    except RuntimeError:
        _fail("the system starts no more threads for the query", cure="more threads")
        return
    request = messages.get()
    _limit(resource.RLIMIT_FSIZE, 0)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_AS, request["memory"] + _HEADROOM)
    views: list[Query] = []
    there: list[str] = []
    try:
        connection.execute("set memory_limit = ?", [f"{request['memory']}B"])
        if refusal := _refusal(connection, request):
            _fail(refusal)
            return
        views = views_read(request["sql"])
        _send(sorted(tables_to_open(views)))
        given = messages.get()
        there = given["there"]
        load(connection, views, given)
        _limit(resource.RLIMIT_DATA, request["memory"] + _data_now() + _DATA_HEADROOM)
        _answer(connection, request, views)
    except (duckdb.OutOfMemoryException, MemoryError):
        is_vast = any(view.name == "solution_moves" for view in views)
        choose = "; choose a ply and a key of solution_moves" * is_vast
        _fail(f"the query needs more memory than it may have{choose}", cure="more memory")
    except (UnicodeError, RecursionError) as error:
        _fail(f"the query or its answer cannot be written down: {error}")
    except duckdb.Error as error:
        text = str(error)
        missing, lacks = _missing_table(text, there)
        cured = _sentence(text) + _cure_of_names(text, request["sql"])
        _fail(
            f"the query failed: {missing or _named_file(text) or cured}",
            may_be_data=not isinstance(error, _OF_STATEMENTS),
            lacks=lacks,
        )


_OF_STATEMENTS = (
    duckdb.BinderException, duckdb.CatalogException, duckdb.ConversionException,
    duckdb.ParserException, duckdb.PermissionException, duckdb.SyntaxException,
)  # fmt: skip
"""Errors that a statement causes, whatever the files hold."""


def _data_now() -> int:
    """Return the private memory of this process, in bytes; 0 where no file says it."""
    with contextlib.suppress(OSError):
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[5]
        return int(pages) * resource.getpagesize()
    return 0


def _listen(messages: SimpleQueue[dict[str, Any]]) -> None:
    """Put what the parent sends into a queue, and its files from `FIRST_FILE` on.

    End this process when the parent has ended.
    """
    text, file = b"", FIRST_FILE
    with socket.socket(fileno=sys.stdin.fileno()) as parent:
        while True:
            received, handles, *_ = socket.recv_fds(parent, 1 << 16, MOST_FILES)
            if not received:
                os._exit(1)
            for handle in handles:
                os.dup2(handle, file, inheritable=False)
                os.close(handle)
                file += 1
            text += received
            if text.endswith(b"\n"):
                messages.put(json.loads(text))
                text = b""


def load(
    connection: duckdb.DuckDBPyConnection, views: Iterable[Query], given: Mapping[str, Any]
) -> None:
    """Copy the files of some views into the database, and lock access to everything else.

    ``given`` are the tables that are there, the variables of the views, and the parts of a
    solution. A solution is not copied: Python streams its rows.
    """
    made = dict[str, Query]()
    for view in views:
        if view.tables.issubset(given["tables"]) and view.sources.views <= made.keys():
            made[view.name] = view
    connection.execute("create schema files; use files")
    connection.execute(given["variables"])
    for view in made.values():
        if view.sources.variables and view.name != _STREAMED:
            connection.execute(view.creation)
    connection.execute("use main")
    for view in made.values():
        if view.name == _STREAMED:
            # DuckDB does not know how many rows a stream has, and would hold them all for a join.
            connection.execute("set disabled_optimizers = 'join_order,build_side_probe_side'")
            connection.register(view.name, _stream(given["parts"]))
        elif view.sources.variables:
            connection.table(f"files.{view.name}").create(view.name)
        else:
            connection.execute(view.creation)
    connection.execute("drop schema files cascade")
    connection.execute(
        "reset variable files; reset variable parts; reset variable places; "
        "reset variable footer; reset variable reference"
    )
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")


def _stream(parts: Mapping[str, tuple[int, int, int]]) -> Any:
    """Open the parts of a solution, which are too large to be copied."""
    import pyarrow as pa

    from marubatsu.pipeline.sql.solution_rows import PartRows

    return PartRows([(place, pa.OSFile(name), name) for name, place in parts.items()])


def _answer(
    connection: duckdb.DuckDBPyConnection, request: Mapping[str, Any], views: Iterable[Query]
) -> None:
    """Run one reading statement and send its rows."""
    sql, parameters = _without_end(request["sql"]), request["parameters"] or {}
    connection.execute("begin transaction read only")
    if any(view.name == _STREAMED for view in views):
        from marubatsu.engine.rules.game import Game
        from marubatsu.pipeline.sql.solution_rows import with_keys

        sql = with_keys(Game(request["game"]), sql, parameters)
    relation = connection.sql(sql, params=parameters or None)
    match request["form"]:
        case RowForm.ARROW:
            if "UHUGEINT" in str(relation.types):  # It would come as a number below zero.
                raise duckdb.BinderException("Arrow has no uhugeint: write column::varchar")
            _answer_in_arrow(relation)
        case RowForm.COLUMNS:
            casts = _casts(relation)
            _answer_in_arrow(relation.project(casts) if casts else relation)
        case RowForm.JSON:
            _answer_in_json(connection, relation, sql, parameters or None)
    _send({}, is_last=True)


def _refusal(connection: duckdb.DuckDBPyConnection, request: Mapping[str, Any]) -> str:
    """Say why this is not one statement that reads, with values for its parameters, or nothing."""
    statements = connection.extract_statements(request["sql"])
    if len(statements) != 1:
        count = f"{len(statements)} statements" if statements else "none"
        return f"expected one statement that reads, got {count}"
    kind = _kind(statements[0])
    if kind == "MULTI":
        return "expected the values of a pivot, as in `on score in (-1, 0, 1)`"
    types = (str(node.get("type")) for node in nodes(syntax_tree(request["sql"])))
    kind = next((each.removesuffix(_INSIDE) for each in types if each.endswith(_INSIDE)), kind)
    if kind not in _READS:
        return f"expected a statement that reads, such as select, got {kind}"
    return _wrong_values(statements[0].named_parameters, request["parameters"])


def _wrong_values(names: Iterable[str], values: Mapping[str, Any] | None) -> str:
    """Say how values do not fit the names of parameters, or nothing; None: there can be none."""
    named, given = ({name.lower() for name in each} for each in (names, values or ()))
    if given == named:
        return ""
    if values is None:
        return f"expected values in place of {_listed(named)}"
    if not named:
        return f"the statement has no {_listed(given)}: leave out the option parameter"
    got = f", got {_listed(given)}" if given else ""
    return f"expected values for {_listed(named)}{got}: give the option parameter for each"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"${name}" for name in sorted(names))


def _without_end(sql: str) -> str:
    """Return a statement without the semicolon at its end, and comments after it."""
    tokens = [at for at, kind in duckdb.tokenize(sql) if kind != duckdb.token_type.comment]
    encoded = sql.encode()
    return encoded[: tokens[-1]].decode() if encoded[tokens[-1] :].startswith(b";") else sql


def _answer_in_json(
    connection: duckdb.DuckDBPyConnection,
    relation: duckdb.DuckDBPyRelation,
    sql: str,
    parameters: dict[str, Any] | None,
) -> None:
    """Send the rows with values that JSON can hold."""
    if casts := _casts(relation):
        sql = relation.project(casts).sql_query()
    result = connection.execute(sql, parameters)
    _send(relation.columns)
    while rows := result.fetchmany(_BATCH):
        _send(rows)


def _casts(relation: duckdb.DuckDBPyRelation) -> str:
    """Write, in SQL, the columns with values that JSON can hold; nothing where all have them."""
    types = [_json_type(kind) for kind in relation.types]
    if types == [str(kind) for kind in relation.types]:
        return ""
    named = zip(range(1, len(types) + 1), types, relation.columns, strict=True)
    return ", ".join(
        f'#{number}::{kind} as "{name.replace(chr(34), chr(34) * 2)}"'
        for number, kind, name in named
    )


_IN_JSON = {
    "null", "boolean", "tinyint", "smallint", "integer", "bigint", "hugeint", "utinyint",
    "usmallint", "uinteger", "ubigint", "float", "double", "varchar",
}  # fmt: skip
"""The types whose values JSON and Arrow can hold; DuckDB writes a large uhugeint below zero."""


def _json_type(kind: Any) -> str:
    """Name, in SQL, the type nearest to a DuckDBPyType whose values JSON can hold.

    DuckDB writes dates, decimals and the like as text. Python has no infinite date and no interval
    of a million years.

    >>> from duckdb.sqltypes import DuckDBPyType
    >>> _json_type(DuckDBPyType("STRUCT(a DATE, b INTEGER)[]"))
    'STRUCT("a" VARCHAR, "b" INTEGER)[]'
    """
    match kind.id:
        case "list":
            ((_, item),) = kind.children
            return f"{_json_type(item)}[]"
        case "array":
            (_, item), (_, size) = kind.children
            return f"{_json_type(item)}[{size}]"
        case "map" | "tuple":
            return f"{kind.id.upper()}({', '.join(_json_type(item) for _, item in kind.children)})"
        case "struct" if kind.children:
            items = (
                '"' + name.replace('"', '""') + '" ' + _json_type(item)
                for name, item in kind.children
            )
            return f"STRUCT({', '.join(items)})"
        case name:
            return str(kind) if name in _IN_JSON else "VARCHAR"


def _answer_in_arrow(relation: duckdb.DuckDBPyRelation) -> None:
    """Send the rows with DuckDB's own types."""
    reader = relation.to_arrow_reader(_ARROW_BATCH)
    _send_batches(reader.schema, [])
    try:
        for batch in reader:
            _send_batches(reader.schema, [batch])
    except OSError as error:  # DuckDB's own errors, which come through Arrow.
        if str(error).startswith("Out of Memory"):
            raise MemoryError from error
        raise duckdb.Error(str(error)) from error


def _kind(statement: duckdb.Statement) -> str:
    try:
        return statement.type.name
    except ValueError:  # A kind that the Python package cannot name.
        return "another kind"


def _sentence(message: str) -> str:
    """Return a DuckDB message on one line, without the excerpt of the query and tracebacks."""
    for follows in ("\nLINE ", "\n\nStack Trace", " Detail: Python exception"):
        message, _, _ = message.partition(follows)
    lines = message.splitlines()
    return " ".join(line.strip() for line in lines if line.strip())


def _missing_table(error: str, tables: Collection[str]) -> tuple[str, list[str]]:
    """Say what a game lacks for a table or view of ours that a statement names, and list it.

    Of another name, say what may have been meant.
    """
    match = re.search(r"Table with name (\w+) does not exist", error)
    query = relations().get(match[1].lower()) if match else None
    if match and query is None:
        close = nearest(match[1], relations())
        instead = did_you_mean(close) if close else f"this game has {', '.join(tables)}"
        return f"there is no table {match[1]}: {instead}", []
    if query is None or not (lacks := [name for name in query.needs if name not in tables]):
        return "", []
    others = f"; it has {', '.join(tables)}" if tables else ""
    reads = "" if lacks == [query.name] else f", which {query.name} reads"
    return f"this game has no {' and no '.join(lacks)}{reads}{others}", lacks


def _named_file(error: str) -> str:
    """Say what to name instead of a file, where DuckDB refuses to open one; else nothing."""
    match = re.search(r'Cannot access (?:file|directory) "(.*?)" - file system operations', error)
    if match is None:
        return ""
    return (
        f"SQL reads no files here: instead of {match[1]!r} write the name of a table; "
        "`marubatsu views` makes these tables in a DuckDB of your own"
    )


def _cure_of_names(error: str, sql: str) -> str:
    """Say what to write instead of a text in double quotes, or of the table of another game."""
    column = re.search(r'Referenced column "(.*?)" not found', error)
    if column and f'"{column[1]}"' in sql:
        return f"; \"\" quotes a name: write a text as '{column[1]}'"
    if 'because schema "' in error:
        return "; SQL reads one game, that of the option game: docs/python.md joins two"
    return ""


def _limit(kind: int, value: int) -> None:
    """Lower a limit of this process, where the system supports it."""
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (value, value))


def _send_batches(schema: Any, batches: list[Any]) -> None:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as stream:
        for batch in batches:
            stream.write_batch(batch)
    _write(frame(sink.getvalue().to_pybytes()))


def _send(content: object, *, is_last: bool = False) -> None:
    _write(frame(json.dumps(content).encode(), is_last=is_last))


def _fail(
    sentence: str, *, may_be_data: bool = False, lacks: Collection[str] = (), cure: str = ""
) -> None:
    """Send an error as the end: of the statement, or with a cure, of the limits.

    Its cause may be a file that cannot be read, or a missing table.
    """
    end = {"error": sentence, "may_be_data": may_be_data, "lacks": lacks, "cure": cure}
    _send(end, is_last=True)


def _write(content: bytes) -> None:
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
