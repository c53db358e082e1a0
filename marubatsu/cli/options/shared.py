"""The application, the options and the output that the commands share."""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from marubatsu.cli.commands import LOG_JSON_HELP, VERBOSE_HELP, CommandGroup
from marubatsu.pipeline.support import events
from marubatsu.pipeline.tables.formats import Format
from marubatsu.version import __version__

app = typer.Typer(
    name="marubatsu",
    cls=CommandGroup,
    help="Solve a small game completely, publish it as data, judge any AI against it.",
    no_args_is_help=True,
    rich_markup_mode=None,  # Plain help starts twice as fast.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def games_here(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a game: those with a folder of data, and the aliases."""
    root = _root_named(ctx)
    folders = [path.name for path in root.iterdir() if path.is_dir()] if root.exists() else []
    names = dict.fromkeys(["tictactoe", "connect4", *sorted(folders)])
    return [name for name in names if name.startswith(incomplete)]


def ais_here(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of an AI: ours, and those that audits have saved."""
    from marubatsu.engine.rules.game import Game
    from marubatsu.engine.rules.input_error import InputError
    from marubatsu.engine.search.roster import all_ais
    from marubatsu.judge.agents.saved_ais import saved_choices
    from marubatsu.pipeline.store.data_set import DataSet
    from marubatsu.pipeline.support.errors import MarubatsuError

    names = [ai.name for ai in all_ais()]
    with suppress(InputError, MarubatsuError):
        game = Game(ctx.params.get("game") or DEFAULT_GAME)
        names += saved_choices(DataSet(_root_named(ctx), game))
    return [name for name in names if name.startswith(incomplete)]


def _root_named(ctx: typer.Context) -> Path:
    """Return the folder of the data sets, as far as the options are typed already."""
    return root_of(Path(ctx.params["data"]) if ctx.params.get("data") else None)


GAME_HELP = "As 3x3k3 or 7x6k4-gravity: COLUMNSxROWSkRUN and rules; or tictactoe, connect4."
GameArgument = Annotated[
    str, typer.Argument(metavar="[GAME]", help=GAME_HELP, autocompletion=games_here)
]
GameOption = Annotated[
    str,
    typer.Option("--game", "-g", metavar="GAME", help=GAME_HELP, autocompletion=games_here),
]
DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Folder of the data sets; else MARUBATSU_DATA, else data/ of the checkout, else "
        "the user's data folder.",
    ),
]
FirstOption = Annotated[
    str,
    typer.Option(
        "--first",
        metavar="o|x",
        help="The mark of the side that begins, on your boards and for your AIs: o, or x as in "
        "CS50, UCI and OpenSpiel.",
    ),
]
NumberingOption = Annotated[
    str | None,
    typer.Option(
        "--numbering",
        metavar="NAME",
        help="Which numbering moves have: cells, cells-from-1, cells-by-column, columns, "
        "row-column and others; docs/numberings.md draws them.",
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to write the rows.")]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="AMOUNT",
        help="Memory for the data, such as 500MB or 2GB (default: half of the machine).",
    ),
]
ADDRESS_HELP = (
    "An AI is a name as in `marubatsu ais`, with parameters as in ai14s:score_201=3; "
    "file.py:function; package.module:object.attribute; evaluation:file.py:function, which values "
    "boards; or 'command:PROGRAM ARGUMENTS'."
)


def outside_data(path: Path | None) -> Path | None:
    """Return a path to write to; ``-`` is standard output.

    Raises UsageError when it lies among the files of a game, or is a link back to itself.
    """
    if path is not None and str(path) != "-":
        from marubatsu.engine.rules.input_error import quote
        from marubatsu.pipeline.store.data_folders import data_around
        from marubatsu.pipeline.support.errors import UsageError
        from marubatsu.pipeline.support.resources import near

        if Path(os.path.realpath(path)).is_symlink():
            raise UsageError(f"{quote(str(path))} leads back to itself: expected another place")
        folder = data_around(path)
        if folder is not None:
            raise UsageError(
                f"{quote(str(path))} lies in the data of {near(folder)}: expected a place elsewhere"
            )
    return path


OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", callback=outside_data,
        help="Write to a file instead; the end of its name chooses the format, and .zst behind "
        "that compresses it.",
    ),
]  # fmt: skip

DEFAULT_FIRST = "o"
DEFAULT_GAME = "tictactoe"
DEFAULT_FIRST = "o"
TimeOption = Annotated[
    float,
    typer.Option("--time", metavar="SECONDS", help="Most time of the search for one answer."),
]
SearchMemoryOption = Annotated[
    str, typer.Option("--memory", metavar="SIZE", help="Table of the search, as in 500MB or 2GB.")
]


@app.callback(invoke_without_command=True)
def marubatsu(
    ctx: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    verbose: Annotated[
        bool,
        typer.Option("--verbose", "-v", help=VERBOSE_HELP),
    ] = False,
    log_json: Annotated[bool, typer.Option("--log-json", help=LOG_JSON_HELP)] = False,
) -> None:
    """Solve a small game completely, publish it as data, judge any AI against it."""
    events.choose_by(verbose=verbose, log_json=log_json)
    if version:
        print(f"marubatsu {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        from marubatsu.pipeline.support.errors import UsageError

        raise UsageError("expected a command after the options: `marubatsu --help` lists them")


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[object]], form: Format) -> None:
    """Write rows to standard output."""
    from marubatsu.pipeline.tables.output import destination, write

    with destination(None) as out:
        write(columns, rows, form, out)


def root_of(data: Path | None) -> Path:
    """Return the folder of the data sets."""
    from marubatsu.pipeline.support.resources import data_root

    return data_root(data, os.environ)


def memory_of(amount: str | None) -> int:
    """Return an amount of memory in bytes. Raises UsageError."""
    from marubatsu.pipeline.support.machine import half_the_memory, parse_memory

    return half_the_memory() if amount is None else parse_memory(amount)
