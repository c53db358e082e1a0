"""Commands that answer questions about the tables."""

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from marubatsu.pipeline.cli.shared import (
    DEFAULT_GAME,
    LONGEST,
    DataOption,
    FormatOption,
    GameOption,
    OutputOption,
    app,
    data_set_of,
    print_rows,
)
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.formats import Format

if TYPE_CHECKING:
    from marubatsu.pipeline.oracle.oracle import Oracle


@app.command()
def query(
    *,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A report; without it, list them all."),
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
    from marubatsu.pipeline.support.output import destination, write

    if name is not None and every:
        raise UsageError("expected either NAME or --all, got both")
    if name is None and not every:
        listed = [(report.name, report.question) for report in query_files.reports().values()]
        with destination(output) as out:
            write(("report", "question"), listed, format_, out)
        return
    from marubatsu.pipeline.sql.catalog import open_catalog, why_missing
    from marubatsu.pipeline.support.progress import progress, say_waiting

    data_set = data_set_of(game, data)
    reports = (
        [query_files.report(name)] if name is not None else list(query_files.reports().values())
    )
    with (
        progress("query") as advance,
        open_catalog(data_set, say_waiting) as catalog,
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
    statement: Annotated[str, typer.Argument(metavar="SQL", help="One statement that reads.")],
    game: GameOption = DEFAULT_GAME,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="Stop the query after this time.")
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
    """
    from marubatsu.pipeline.sql.sandbox import QueryLimits, run_sql
    from marubatsu.pipeline.support.machine import parse_memory
    from marubatsu.pipeline.support.output import destination, write
    from marubatsu.pipeline.support.progress import progress, say_waiting

    if not 0 < timeout <= LONGEST:
        raise UsageError(f"--timeout {timeout:g}: expected more than 0, at most {LONGEST} seconds")
    limits = QueryLimits(timeout, parse_memory(memory))
    with ExitStack() as open_until_read:
        with progress("sql"):
            worker = run_sql(data_set_of(game, data), statement, limits, say_waiting)
            answer = open_until_read.enter_context(worker)
        out = open_until_read.enter_context(destination(output))
        write(answer.columns, answer.rows, format_, out)


@app.command()
def views(game: GameOption = DEFAULT_GAME, data: DataOption = None) -> None:
    """Print SQL that makes the views of a game in a DuckDB of your own.

    Example: marubatsu views > views.sql; duckdb -init views.sql
    """
    from marubatsu.pipeline.sql.view_script import view_script
    from marubatsu.pipeline.store.integrity import require_intact, tables_of
    from marubatsu.pipeline.support.progress import say_waiting

    data_set = data_set_of(game, data)
    with data_set.lock(write=False, on_wait=say_waiting):
        tables = tables_of(data_set, require_intact)
        print(view_script(data_set.folder, tables), end="")


@app.command()
def show(
    board: Annotated[
        str,
        typer.Argument(
            metavar="BOARD",
            help="Cells row by row, as in o.x...... or O-X/---/---, or moves, as in 0,2 or "
            "'a3 c3'; - reads one a line.",
        ),
    ],
    game: GameOption = DEFAULT_GAME,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Draw a position and show its value, its class and the value of each move.

    Of many positions, one a line of standard input, it shows a row for each.

    Example: marubatsu show o.x......
    Example: marubatsu show - --format csv < boards.txt
    """
    import json

    from marubatsu.engine.rules.reading import read_position
    from marubatsu.pipeline.oracle.opening import open_oracle
    from marubatsu.pipeline.support.progress import say_waiting

    data_set = data_set_of(game, data)
    if board == "-":
        _show_many(open_oracle(data_set, say_waiting), format_)
        return
    position = read_position(data_set.game, board)
    answer = open_oracle(data_set, say_waiting).answer(position)
    if format_ is Format.JSON:
        print(json.dumps(answer.to_json(), indent=1))
        return
    moves = [move.to_json() for move in answer.moves]
    if format_ is Format.TABLE:
        print(f"{answer}\n" if moves else answer)
    if moves:
        print_rows(list(moves[0]), [list(move.values()) for move in moves], format_)


def _show_many(oracle: "Oracle", form: Format) -> None:
    """Answer every line of standard input. Raises BoardError, with the number of a wrong line."""
    import json

    from marubatsu.engine.rules.board_text import BoardError

    answers = []
    for number, line in enumerate(sys.stdin, start=1):
        try:
            answers.append(oracle.answer(line.rstrip("\n")).to_json())
        except (BoardError, UsageError) as error:
            raise BoardError(f"line {number}: {error}") from None
    if form is Format.JSON:
        print(json.dumps(answers, indent=1))
        return
    columns = ("board", "ply", "turn", "status", "score", "distance", "best_moves")
    print_rows(columns, [[answer[name] for name in columns] for answer in answers], form)
