"""Commands that answer questions about positions and tables, here, on a page or to a model."""

import re
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from marubatsu.cli.commands import app
from marubatsu.cli.options import (
    DEFAULT_GAME,
    DataOption,
    FormatOption,
    GameArgument,
    GameOption,
    OutputOption,
    argument,
    flag,
    option,
)
from marubatsu.cli.output import ENDINGS, print_rows
from marubatsu.cli.search_options import (
    ADDRESS_HELP,
    DEFAULT_FIRST,
    FirstOption,
    InterfaceOption,
    NumberingOption,
    SearchMemoryOption,
    ThreadsOption,
    TimeOption,
    input_text,
    note_first,
    position_of,
    require_between,
    threads_of,
)
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.agents.agent_options import AgentOptions
from marubatsu.pipeline.stages.on_demand import built_if_quick, data_set_of
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.support.events import drop_output
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.pipeline.support.machine import (
    ANSWER_SECONDS,
    LONGEST,
    MEMORY,
    checked_time,
    parse_memory,
)
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.formats import Format

if TYPE_CHECKING:
    from marubatsu.engine.rules.position import Position
    from marubatsu.judge.oracle.answer import Answer, BoundedAnswer
    from marubatsu.judge.oracle.oracle import Oracle
    from marubatsu.pipeline.sql.catalog import Catalog
    from marubatsu.pipeline.sql.query_files import Query

_MOST_POSITIONS = 64_000_000  # bytes

BoardArgument = Annotated[
    str | None,
    argument(
        "[BOARD]",
        "Cells row by row, as in o.x...... or O-X/---/---, or moves, as in 0,2 or 'a3 c3'; "
        "docs/positions.md lists the spellings. Without it, the empty board.",
    ),
]


@app.command()
def show(
    board: BoardArgument = None,
    game: GameOption = DEFAULT_GAME,
    first: FirstOption = DEFAULT_FIRST,
    numbering: NumberingOption = None,
    time: TimeOption = ANSWER_SECONDS,
    memory: SearchMemoryOption = MEMORY,
    threads: ThreadsOption = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Draw a position and show its value, its class and the value of each move.

    A small game must be built first. A larger one without tables and without a solution is
    searched. When the time is up or after Ctrl-C, certain bounds are shown. With - as the board,
    many are read from standard input: one a line, or a row a line with an empty line between two
    boards. Each gets one row.

    Example: marubatsu show o.x......
    Example: marubatsu show "X,O,_,_,X,_,_,_,_" --first x
    Example: marubatsu show - --format csv < boards.txt
    Example: marubatsu show "d1 d2 d3 d4 d5 d6 a1 b1 c1 e1" --game connect4 --time 10
    """
    data_set = data_set_of(game, data)
    if board == "-":
        _show_many(_oracle(data_set, time, memory, threads), format_, first, numbering)
        return
    position = position_of(data_set.game, board, first, numbering)
    answer = _answer(_oracle(data_set, time, memory, threads), position, time)
    if format_ is Format.JSON:
        print(json_text(answer.to_json(), indent=1))
        return
    moves = _named(answer)
    if format_ is Format.TABLE:
        print(f"{answer}\n" if moves else answer)
    if moves:
        print_rows(list(moves[0]), [list(move.values()) for move in moves], format_)


@app.command()
def best(
    board: BoardArgument = None,
    game: GameOption = DEFAULT_GAME,
    first: FirstOption = DEFAULT_FIRST,
    numbering: NumberingOption = None,
    time: TimeOption = ANSWER_SECONDS,
    memory: SearchMemoryOption = MEMORY,
    threads: ThreadsOption = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Print the best moves of a position, and the result that they lead to.

    A small game must be built first. A larger one without tables and without a solution is
    searched. When the time is up or after Ctrl-C, the moves may be those that look best so far, and
    the column is_proved is false.

    Example: marubatsu best o...x...o
    Example: marubatsu best "d1 d2 d3 d4 d5 d6 a1 b1 c1 e1" --game connect4 --time 10
    """
    from marubatsu.judge.oracle.answer import BoundedAnswer

    data_set = data_set_of(game, data)
    position = position_of(data_set.game, board, first, numbering)
    answer = _answer(_oracle(data_set, time, memory, threads), position, time)
    if not answer.moves:
        raise UsageError(f"{quote(answer.board)} is {answer.summary}; expected a board with moves")
    is_proved = bool(answer.best_moves)
    moves = answer.promising if isinstance(answer, BoundedAnswer) else answer.best_moves
    rows = [
        (row["move"], row["name"], row["outcome"], row.get("distance"), is_proved)
        for row in _named(answer)
        if row["move"] in moves
    ]
    if format_ is Format.TABLE:
        unproved = "no best move is proved yet; these look best so far\n" * (not is_proved)
        print(f"{answer.summary}\n{unproved}")
    print_rows(("move", "name", "outcome", "distance", "is_proved"), rows, format_)


def _named(answer: "Answer | BoundedAnswer") -> list[dict[str, Any]]:
    from marubatsu.engine.rules.numbering import cell_name

    return [
        {"move": move.move, "name": cell_name(answer.game, move.move), **move.to_json()}
        for move in answer.moves
    ]


def _oracle(data_set: DataSet, seconds: float, memory: str, threads: int | None) -> "Oracle":
    from marubatsu.judge.oracle.choose_oracle import open_oracle

    return open_oracle(
        data_set,
        seconds=checked_time(seconds),
        memory=parse_memory(memory),
        threads=threads_of(threads),
    )


def _answer(oracle: "Oracle", position: "Position", seconds: float) -> "Answer | BoundedAnswer":
    """Ask an oracle; a search answers with bounds when it has no more time, or after Ctrl-C."""
    limit = f"stops after {seconds:g} s, --time allows more"
    with progress("searching") as advance:
        return oracle.within(
            position,
            lambda share, note="": advance(share, f"{note}; {limit}"),
            until_interrupted=True,
        )


def _show_many(oracle: "Oracle", form: Format, first: str, numbering: str | None) -> None:
    from marubatsu.engine.notations.many_positions import read_many

    text = input_text(None, _MOST_POSITIONS)
    answers = []
    for number, position in read_many(oracle.game, text, first=first, numbering=numbering):
        try:
            answers.append(oracle.answer(position).to_json())
        except UsageError as error:
            raise UsageError(f"line {number}: {error}") from None
    if not answers:
        raise UsageError(
            "standard input holds no position: expected a board or a list of moves on each line"
        )
    if form is Format.JSON:
        print(json_text(answers, indent=1))
        return
    note_first(first)
    columns = ("board", "ply", "turn", "status", "score", "distance", "best_moves")
    print_rows(columns, [[answer[name] for name in columns] for answer in answers], form)


_MOST_SQL = 1_000_000  # bytes


def _complete_report(incomplete: str) -> list[str]:
    from marubatsu.pipeline.sql.query_files import reports

    return [name for name in reports() if name.startswith(incomplete)]


@app.command()
def query(
    *,
    name: Annotated[
        str | None,
        argument("[NAME]", "A report; without it, list them all.", autocompletion=_complete_report),
    ] = None,
    where: Annotated[
        str | None, option("SQL", 'Only rows for which this is true, such as "loss > 1".')
    ] = None,
    all_to: Annotated[
        Path | None,
        option("DIR", "Write the rows of every report, each into a file in this folder.", "--all"),
    ] = None,
    game: GameOption = DEFAULT_GAME,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Run a built-in report over the tables, or list the reports.

    Each answer is also a view of `marubatsu sql`.

    Example: marubatsu query openings --format markdown
    Example: marubatsu query savings --where "ordering = 'ai14s' and use_table"
    Example: marubatsu query --all answers --format csv
    """
    from marubatsu.pipeline.sql import query_files

    if name is not None and all_to is not None:
        raise UsageError("expected either NAME or --all, got both")
    if where is not None and (name is None or not where.strip()):
        raise UsageError("--where chooses rows of one report: expected its NAME and SQL")
    if all_to is not None:
        if output is not None:
            raise UsageError("--all writes a file for each report: leave out --output")
        _answer_all(data_set_of(game, data), all_to, format_)
    elif name is None:
        questions = [(each.name, each.question) for each in query_files.reports().values()]
        print_rows(("report", "question"), questions, format_, output)
    elif where is not None:
        from marubatsu.pipeline.sql.sandbox import QueryLimits, Statement, run_sql

        report = query_files.report(name)
        statement = Statement(f"from {report.name} where {where}")
        with run_sql(data_set_of(game, data), statement, QueryLimits(LONGEST)) as selected:
            print_rows(selected.columns, selected.rows, format_, output)
    else:
        report = query_files.report(name)
        with progress("query"), _open_reports(data_set_of(game, data), [report]) as catalog:
            answer = catalog.ask(report)
        print_rows(answer.columns, answer.rows, format_, output)


def _open_reports(
    data_set: DataSet, reports: "Sequence[Query]"
) -> AbstractContextManager["Catalog"]:
    from marubatsu.pipeline.sql.catalog import open_catalog
    from marubatsu.pipeline.stages.usable import require_usable

    tables = set[str]().union(*(report.files for report in reports))
    return open_catalog(data_set, partial(require_usable, tables=tables))


def _answer_all(data_set: DataSet, folder: Path, form: Format) -> None:
    """Write the answer to each report that a game has tables for into a folder; list the files."""
    from marubatsu.pipeline.sql import query_files

    ending = next(ending for ending, name in ENDINGS.items() if name == form)
    reports = list(query_files.reports().values())
    rows: list[tuple[str, str, int | None, str]] = []
    with progress("query") as advance, _open_reports(data_set, reports) as catalog:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            problem = f"cannot create {near(folder)}: {error.strerror}"
            raise DataError(problem, "name another folder") from error
        for number, report in enumerate(reports):
            advance(number / len(reports))
            if lacks := catalog.lacking(report):
                rows.append((report.name, "", None, lacks))
                continue
            answer = catalog.ask(report)
            path = folder / f"{report.name}{ending}"
            print_rows(answer.columns, answer.rows, form, path)
            rows.append((report.name, str(near(path)), len(answer.rows), ""))
    print_rows(("report", "file", "rows", "needs"), rows, Format.TABLE)


@app.command()
def sql(
    statement: Annotated[
        str | None, argument("[SQL]", "One statement that reads; - takes it from standard input.")
    ] = None,
    file: Annotated[Path | None, option("FILE", "Take the statement from a file.")] = None,
    parameter: Annotated[
        list[str] | None,
        option(
            "NAME=VALUE",
            "A value for $NAME in the SQL: a number, true, false, null, else text.",
            "--parameter",
            "-p",
        ),
    ] = None,
    game: GameOption = DEFAULT_GAME,
    timeout: Annotated[
        float, option("SECONDS", "Stop the query and its answer after this time.")
    ] = 30.0,
    memory: Annotated[str, option("SIZE", "Memory for the query, as in 500MB or 2GB.")] = "1GB",
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Run SQL of your own over the tables, without access to files or network.

    Example: marubatsu sql "select status, count(*) from positions group by status"
    Example: marubatsu sql --file query.sql -p ply=3 --output rows.parquet
    """
    from marubatsu.pipeline.sql.sandbox import QueryLimits, Statement, run_sql, run_sql_to_arrow
    from marubatsu.pipeline.support.background import ended_after
    from marubatsu.pipeline.tables.output import destination

    checked_time(timeout, "timeout", may_be_zero=False)
    limits = QueryLimits(timeout, parse_memory(memory))
    request = Statement(_one_statement(statement, file), _values(parameter or []))
    data_set = data_set_of(game, data)

    def too_late() -> DataError:
        drop_output()  # Writing its rest would wait again.
        return limits.too_late()

    with ended_after(timeout, too_late), ExitStack() as open_until_read:
        opened = open_until_read.enter_context
        if format_.is_binary or (format_ is Format.CSV and output is not None):
            from marubatsu.pipeline.sql.frames import RowForm
            from marubatsu.pipeline.tables.arrow_files import write_batches, write_csv

            form = RowForm.ARROW if format_.is_binary else RowForm.COLUMNS
            with progress("sql"):
                typed = opened(run_sql_to_arrow(data_set, request, limits, form))
            out = opened(destination(output))
            if format_.is_binary:
                write_batches(typed.schema, typed.batches, format_, out)
            else:
                write_csv(typed.schema, typed.batches, out)
        else:
            with progress("sql"):
                plain = opened(run_sql(data_set, request, limits))
            print_rows(plain.columns, plain.rows, format_, output)


def _one_statement(statement: str | None, file: Path | None) -> str:
    if (statement is None) == (file is None):
        raise UsageError("expected one statement: as SQL, as --file FILE, or - for standard input")
    if statement is not None and statement != "-":
        if statement.endswith(".sql") and Path(statement).is_file():
            raise UsageError(f"{quote(statement)} is a file: expected --file {statement}")
        return statement
    return input_text(file, _MOST_SQL)


def _values(parameters: list[str]) -> dict[str, object]:
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
    from marubatsu.pipeline.sql.view_script import file_names, view_script
    from marubatsu.pipeline.stages.usable import open_parts, require_usable

    data_set = data_set_of(game, data)
    with data_set.lock(write=False):
        opened = open_parts(data_set, require_usable)
        names = file_names(opened, lambda file: str(file.path.resolve()))
        print(view_script(names), end="")


_GREATEST_PORT = 65_535


@app.command()
def explore(
    *,
    game: GameOption = DEFAULT_GAME,
    port: Annotated[int, option("PORT", "Port on 127.0.0.1; 0 takes any free port.")] = 8000,
    browser: Annotated[
        bool, flag("--browser/--no-browser", "Open the page in the browser.")
    ] = True,
    ai: Annotated[
        list[str] | None,
        option("AI", f"Another AI to play against and to ask; may be repeated. {ADDRESS_HELP}"),
    ] = None,
    cors: Annotated[
        bool, flag("--cors/--no-cors", "Let pages of other sites read the API.")
    ] = False,
    data: DataOption = None,
    interface: InterfaceOption = None,
    agents: AgentOptions,
) -> None:
    """Show games as a page, from a server on this machine; Ctrl-C ends it.

    It shows the data as it is when the server opens a game, and builds need not wait for it.
    Without data, a small game is built first, and a larger one is searched.

    Example: marubatsu explore --no-browser --port 0
    Example: marubatsu explore --ai examples/corners.py:choose
    Example: marubatsu explore --game connect4
    """
    from marubatsu.judge.agents.address import ais_at
    from marubatsu.judge.agents.agent_settings import settings_for
    from marubatsu.web.app import open_app, serve

    require_between("--port", port, 0, _GREATEST_PORT)
    if interface is not None and not ai:
        raise UsageError("--as is for a foreign AI: name it by --ai")
    data_set = built_if_quick(game, data)
    ais = ais_at(ai or (), data_set, interface)
    with open_app(data_set, ais, settings_for(ais, agents), is_shared=cors) as application:
        serve(application, data_set.game.name, port, opens_browser=browser, out=sys.stdout)


@app.command()
def mcp(game: GameArgument = DEFAULT_GAME, *, data: DataOption = None) -> None:
    """Serve values, reviews and SQL to a language model, as an MCP server.

    Its tools are games, evaluate, best_moves, review and sql, for any game. GAME is opened at once.
    Each request has the same limits as in `marubatsu explore`.

    Example: marubatsu mcp
    Example: marubatsu mcp connect4
    """
    from marubatsu.web.games import OpenGames, open_game
    from marubatsu.web.mcp_tools import add_tools, new_server

    server = new_server()
    data_set = built_if_quick(game, data)
    with open_game(data_set) as first, closing(OpenGames(first, data_set)) as games:
        add_tools(server, games)
        try:
            server.run("stdio")
        except ExceptionGroup as group:  # of its tasks, such as the one that writes
            raise group.exceptions[0] from None
