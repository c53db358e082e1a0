"""The commands. Each is thin: validation, one call, one way to write the answer."""

import os
import signal
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline import STARTED, __version__
from pipeline.errors import DataError, MarubatsuError, UsageError
from pipeline.output import Format

if TYPE_CHECKING:
    from engine.game import Game
    from pipeline.stages import Stage
    from pipeline.store import DataSet

app = typer.Typer(
    name="marubatsu",
    help="Solve a small game completely, publish it as data, judge any AI against it.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # Plain help starts twice as fast.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_GAME_HELP = "COLUMNSxROWSkRUN with optional -gravity and -misere, or tictactoe, connect4."
GameArgument = Annotated[str, typer.Argument(metavar="[GAME]", help=_GAME_HELP)]
GameOption = Annotated[str, typer.Option("--game", "-g", metavar="GAME", help=_GAME_HELP)]
DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Folder of the data sets; else MARUBATSU_DATA, else data/ of the checkout, else "
        "the user's data folder.",
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to write the rows.")]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE",
        help="Write the rows to a file instead; .zst at the end of its name compresses it.",
    ),
]  # fmt: skip

_DEFAULT_GAME = "tictactoe"
_LONGEST = 86_400  # seconds: a query may take a day


@app.callback(invoke_without_command=True)
def marubatsu(
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Solve a small game completely, publish it as data, judge any AI against it."""
    if version:
        print(f"marubatsu {__version__}")
        raise typer.Exit


@app.command()
def tree(
    game: GameArgument = _DEFAULT_GAME,
    order: Annotated[
        str | None,
        typer.Option(metavar="bfs|dfs", help="Build only this tree (default: both)."),
    ] = None,
    data: DataOption = None,
) -> None:
    """Build the full game tree, and the positions, classes and moves it is made of.

    Example: marubatsu tree 3x3k3-misere --order dfs
    """
    from engine.game import Game
    from engine.tree import require_small
    from pipeline.stages import TREE_STAGES

    if order not in (None, "bfs", "dfs"):
        raise UsageError(f"there is no order {order!r}: expected bfs or dfs")
    parsed = Game.parse(game)
    require_small(parsed)
    left_out = {"bfs": "tree_dfs", "dfs": "tree_bfs"}.get(order or "")
    _build(parsed, data, [s for s in TREE_STAGES if s.table.name != left_out])


@app.command()
def build(game: GameArgument = _DEFAULT_GAME, data: DataOption = None) -> None:
    """Build every table of a game; what is up to date stays untouched.

    Example: marubatsu build 4x3k3
    """
    from engine.game import Game
    from pipeline.stages import stages_of

    parsed = Game.parse(game)
    _build(parsed, data, stages_of(parsed))


@app.command()
def verify(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help=_GAME_HELP + " Default: all.")
    ] = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Name every damaged, missing, stale or foreign file; exit 1 when there is one.

    Example: marubatsu verify 3x3k3
    """
    from engine.game import Game
    from pipeline import verify as verification
    from pipeline.progress import say_waiting
    from pipeline.store import DataSet, near

    root = _root(data)
    if game is None:
        data_sets, problems = verification.data_sets(root)
    else:
        data_sets, problems = [DataSet(root, Game.parse(game))], []
    if not data_sets and not problems:
        raise DataError(f"there is no data set in {near(root)}: run `marubatsu tree` first")
    cures = []
    for data_set in data_sets:
        with data_set.lock(write=False, on_wait=say_waiting):
            found = verification.verify(data_set)
        if found:
            cures.append(verification.cure(data_set, found))
        problems += found
    rows = [(p.kind, str(near(p.path)), p.reason) for p in problems]
    if problems or format_ is not Format.TABLE:
        _print(("problem", "file", "reason"), rows, format_)
    if problems:
        print(*cures, sep="\n", end="\n" if cures else "", file=sys.stderr)
        raise typer.Exit(1)
    if format_ is Format.TABLE:
        names = ", ".join(data_set.game.name for data_set in data_sets)
        print(f"every file is as its manifest says: {names}")


@app.command()
def check(
    game: GameArgument = _DEFAULT_GAME,
    only: Annotated[
        str | None, typer.Option("--only", metavar="CHECK", help="Run one check only.")
    ] = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Verify the files, then re-prove the tables in SQL; exit 1 with counterexamples.

    Example: marubatsu check 3x3k3 --only scores
    """
    import json

    from pipeline import checks, sqlfiles
    from pipeline.catalog import open_catalog
    from pipeline.output import write
    from pipeline.progress import progress, say_waiting
    from pipeline.verify import require_sound

    data_set = _data_set(game, data)
    chosen = list(sqlfiles.checks().values()) if only is None else [sqlfiles.check(only)]
    outcomes = []
    with (
        progress("checking") as advance,
        open_catalog(data_set, say_waiting, require_sound) as catalog,
    ):
        for number, one in enumerate(chosen):
            advance(number / len(chosen))
            outcomes.append(checks.run_check(catalog, one))
    if format_ is Format.JSON:
        print(json.dumps([o.to_json() for o in outcomes], indent=1, default=str))
    else:
        _print(checks.COLUMNS, [o.row() for o in outcomes], format_)
    for outcome in outcomes if format_ is Format.TABLE else []:
        if outcome.verdict == "fail":
            print(f"\n{checks.complaint(outcome)}", file=sys.stderr)
            found = outcome.counterexamples
            if found.rows:
                write(found.columns, found.rows[: checks.SHOWN], Format.TABLE, sys.stderr)
    if any(outcome.verdict == "fail" for outcome in outcomes):
        raise typer.Exit(1)
    if all(outcome.verdict == "none" for outcome in outcomes):
        raise DataError("nothing was examined, so nothing is shown to be right")


@app.command()
def query(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A report; without it, list them all."),
    ] = None,
    game: GameOption = _DEFAULT_GAME,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Answer one of the shipped questions, or list them.

    Example: marubatsu query openings --format markdown
    """
    from pipeline import sqlfiles
    from pipeline.output import destination, write

    if name is None:
        listed = [(report.name, report.question) for report in sqlfiles.reports().values()]
        with destination(output) as out:
            write(("report", "question"), listed, format_, out)
        return
    from pipeline.catalog import open_catalog
    from pipeline.progress import progress, say_waiting

    report = sqlfiles.report(name)
    with progress(name), open_catalog(_data_set(game, data), say_waiting) as catalog:
        answer = catalog.ask(report)
    with destination(output) as out:
        write(answer.columns, answer.rows, format_, out)


@app.command()
def sql(
    statement: Annotated[str, typer.Argument(metavar="SQL", help="One statement that reads.")],
    game: GameOption = _DEFAULT_GAME,
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
    from pipeline.output import destination, write
    from pipeline.progress import progress, say_waiting
    from pipeline.sandbox import Limits, parse_memory, run_sql

    if not 0 < timeout <= _LONGEST:
        raise UsageError(f"--timeout {timeout:g}: expected more than 0, at most {_LONGEST} seconds")
    limits = Limits(timeout, parse_memory(memory))
    with ExitStack() as open_until_read:
        with progress("sql"):
            worker = run_sql(_data_set(game, data), statement, limits, say_waiting)
            answer = open_until_read.enter_context(worker)
        out = open_until_read.enter_context(destination(output))
        write(answer.columns, answer.rows, format_, out)


@app.command()
def show(
    board: Annotated[
        str, typer.Argument(metavar="BOARD", help="Cells row by row: . empty, o circle, x cross.")
    ],
    game: GameOption = _DEFAULT_GAME,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Draw a position and tell its value, its class, and what each move is worth.

    Example: marubatsu show o.x......
    """
    import json

    from engine.board import from_text
    from pipeline.catalog import open_catalog
    from pipeline.progress import say_waiting
    from pipeline.show import describe, look_up

    data_set = _data_set(game, data)
    from_text(data_set.game, board)
    with open_catalog(data_set, say_waiting) as catalog:
        shown = look_up(catalog, board)
    if format_ is Format.JSON:
        print(json.dumps(shown.to_json(), indent=1))
        return
    if format_ is Format.TABLE:
        print(describe(shown))
        if not shown.moves.rows:
            return
        print()
    _print(shown.moves.columns, shown.moves.rows, format_)


@app.command()
def games(data: DataOption = None, format_: FormatOption = Format.TABLE) -> None:
    """List known and built games with their sizes, and how many of their tables are built.

    Example: marubatsu games
    """
    from pipeline.games import list_games

    listed = list_games(_root(data))
    _print(listed.columns, listed.rows, format_)


def _print(columns: Sequence[str], rows: Iterable[Sequence[object]], form: Format) -> None:
    """Write rows to standard output."""
    from pipeline.output import destination, write

    with destination(None) as out:
        write(columns, rows, form, out)


def _root(data: Path | None) -> Path:
    from pipeline.store import data_root

    return data_root(data, os.environ)


def _data_set(game: str, data: Path | None) -> "DataSet":
    from engine.game import Game
    from pipeline.store import DataSet

    return DataSet(_root(data), Game.parse(game))


def _build(game: "Game", data: Path | None, stages: "Sequence[Stage]") -> None:
    """Run stages and print what there is now."""
    from pipeline import build as building
    from pipeline.interrupts import Interrupted
    from pipeline.progress import progress, say_waiting
    from pipeline.store import DataSet

    data_set = DataSet(_root(data), game)
    try:
        with progress(f"building {game.name}") as advance:
            built = building.build(data_set, stages, progress=advance, on_wait=say_waiting)
    except Interrupted as interrupted:
        raise typer.Exit(128 + interrupted.number) from None
    print(building.summary(data_set, built))
    print(f"{time.perf_counter() - STARTED:.2f} s")


def main() -> None:
    """Run a command; turn what a user can mend into one sentence and an exit code."""
    from engine.game import InputError

    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # Here, where a full disk or a closed pipe can still be told.
    except InputError as error:
        sys.exit(_complain(str(error), UsageError.exit_code))
    except MarubatsuError as error:
        sys.exit(_complain(str(error), error.exit_code))
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):  # The reader of our output has seen enough.
            sys.exit(128 + signal.SIGPIPE)
        what = f"use {error.filename}" if error.filename else "write the output"
        sys.exit(_complain(f"cannot {what}: {error.strerror}", 1))


def _complain(sentence: str, code: int) -> int:
    print(f"marubatsu: {sentence}", file=sys.stderr)
    return code
