"""Commands that answer questions about the tables."""

import re
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from marubatsu.cli.options.shared import (
    DEFAULT_GAME,
    DataOption,
    FormatOption,
    GameOption,
    OutputOption,
    app,
)
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.support.search_limits import LONGEST
from marubatsu.pipeline.tables.formats import Format

_MOST_SQL = 1_000_000  # bytes


def _report_names(incomplete: str) -> list[str]:
    """Complete the name of a report."""
    from marubatsu.pipeline.sql.query_files import reports

    return [name for name in reports() if name.startswith(incomplete)]


@app.command()
def query(
    *,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="A report; without it, list them all.",
            autocompletion=_report_names,
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Answer every one.")] = False,
    game: GameOption = DEFAULT_GAME,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Answer one of the shipped questions, or list them.

    Example: marubatsu query openings --format markdown
    """
    from marubatsu.pipeline.sql import query_files
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.tables.output import destination, write

    if name is not None and every:
        raise UsageError("expected either NAME or --all, got both")
    if every and format_ not in (Format.TABLE, Format.MARKDOWN):
        raise UsageError(
            f"--all writes a text with many tables: expected table or markdown, got {format_}"
        )
    if name is None and not every:
        listed = [(report.name, report.question) for report in query_files.reports().values()]
        with destination(output) as out:
            write(("report", "question"), listed, format_, out)
        return
    from marubatsu.pipeline.sql.catalog import open_catalog, why_missing
    from marubatsu.pipeline.stages.staleness import require_usable
    from marubatsu.pipeline.support.progress import progress, say_waiting

    data_set = data_set_of(game, data)
    reports = (
        [query_files.report(name)] if name is not None else list(query_files.reports().values())
    )
    require = partial(require_usable, tables=set[str]().union(*(each.files for each in reports)))
    with (
        progress("query") as advance,
        open_catalog(data_set, say_waiting, require) as catalog,
        destination(output) as out,
    ):
        for number, report in enumerate(reports):
            advance(number / len(reports))
            if every:
                heading = f"{report.name}: {report.question}"
                out.write("\n" * (number > 0) + f"{heading}\n{report.grain}\n\n")
            missing = catalog.missing(report)
            if every and missing:
                out.write(f"needs {' and '.join(missing)}: {why_missing(data_set, missing)}\n")
                continue
            answer = catalog.ask(report)
            write(answer.columns, answer.rows, format_, out)


@app.command()
def sql(
    statement: Annotated[
        str | None,
        typer.Argument(
            metavar="[SQL]", help="One statement that reads; - takes it from standard input."
        ),
    ] = None,
    file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take the statement from a file.")
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter",
            "-p",
            metavar="NAME=VALUE",
            help="A value for $NAME in the SQL: a number, true, false, null, else text.",
        ),
    ] = None,
    game: GameOption = DEFAULT_GAME,
    timeout: Annotated[
        float,
        typer.Option(metavar="SECONDS", help="Stop the query and its answer after this time."),
    ] = 30.0,
    memory: Annotated[
        str, typer.Option(metavar="SIZE", help="Memory for the query, as in 500MB or 2GB.")
    ] = "1GB",
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Run SQL of your own over the tables, without access to files or network.

    Example: marubatsu sql "select status, count(*) from positions group by status"
    Example: marubatsu sql --file query.sql -p ply=3 --output rows.parquet
    """
    from marubatsu.pipeline.sql.sandbox import QueryLimits, Statement, run_sql, run_sql_to_arrow
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.support.interrupts import ended_after
    from marubatsu.pipeline.support.machine import parse_memory
    from marubatsu.pipeline.support.progress import progress, say_waiting
    from marubatsu.pipeline.support.streams import drop_output
    from marubatsu.pipeline.tables.output import destination, write

    if not 0 < timeout <= LONGEST:
        raise UsageError(f"--timeout {timeout:g}: expected more than 0, at most {LONGEST} seconds")
    limits = QueryLimits(timeout, parse_memory(memory))
    asked = Statement(_one_statement(statement, file), _values(parameter or []))
    data_set = data_set_of(game, data)

    def too_late() -> DataError:
        drop_output()  # Writing what it still holds would wait again.
        return limits.too_late()

    with ended_after(timeout, too_late), ExitStack() as open_until_read:
        opened = open_until_read.enter_context
        if format_.is_binary:
            from marubatsu.pipeline.tables.arrow_files import write_batches

            with progress("sql"):
                typed = opened(run_sql_to_arrow(data_set, asked, limits, say_waiting))
            write_batches(typed.schema, typed.batches, format_, opened(destination(output)))
        else:
            with progress("sql"):
                plain = opened(run_sql(data_set, asked, limits, say_waiting))
            write(plain.columns, plain.rows, format_, opened(destination(output)))


def _one_statement(statement: str | None, file: Path | None) -> str:
    """Return the SQL from the argument, a file or standard input. Raises UsageError."""
    if (statement is None) == (file is None):
        raise UsageError("expected one statement: as SQL, as --file FILE, or - for standard input")
    from marubatsu.pipeline.tables.plain_text import NoTextError, text_of

    if statement is not None and statement != "-":
        return statement
    read = sys.stdin.buffer.read(_MOST_SQL + 1) if file is None else _beginning(file)
    if len(read) > _MOST_SQL:
        where = "standard input" if file is None else quote(str(file))
        raise UsageError(f"{where} holds more than {_MOST_SQL:,} bytes: expected one statement")
    try:
        return text_of(read)
    except NoTextError as error:
        raise UsageError(f"expected SQL in UTF-8: {error}") from None


def _beginning(file: Path) -> bytes:
    """Return a file up to the most SQL and a byte. Raises UsageError when it cannot be read."""
    try:
        with file.open("rb") as opened:
            return opened.read(_MOST_SQL + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"cannot read {quote(str(file))}: {why}") from None


def _values(parameters: list[str]) -> dict[str, object]:
    """Read the values of parameters, each ``NAME=VALUE``. Raises UsageError."""
    values: dict[str, object] = {}
    for text in parameters:
        name, equals, value = text.partition("=")
        if not equals or not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
            raise UsageError(f"--parameter {quote(text)}: expected NAME=VALUE, as in ply=3")
        if name in values:
            raise UsageError(f"--parameter {name} is given twice: expected one value")
        values[name] = _value(value)
    return values


def _value(text: str) -> object:
    """Read a number, true, false or null, as JSON writes it; everything else is text."""
    import json

    try:
        value = json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, str | list | dict) else value


@app.command()
def views(game: GameOption = DEFAULT_GAME, data: DataOption = None) -> None:
    """Print SQL that makes the views of a game in a DuckDB of your own.

    Example: marubatsu views > views.sql; duckdb -init views.sql
    """
    from marubatsu.pipeline.sql.view_script import view_script
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.stages.staleness import require_usable
    from marubatsu.pipeline.store.integrity import file_names, open_parts
    from marubatsu.pipeline.support.progress import say_waiting

    data_set = data_set_of(game, data)
    with data_set.lock(write=False, on_wait=say_waiting):
        opened = open_parts(data_set, require_usable)
        names = file_names(opened, lambda held: str(held.path.resolve()))
        print(view_script(names), end="")
