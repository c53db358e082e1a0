"""The options and the output that the commands share."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Annotated, Any

import typer

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support import events
from marubatsu.pipeline.support.resources import data_root, near
from marubatsu.pipeline.tables.formats import Format


def option(placeholder: str, meaning: str, *names: str, **settings: Any) -> Any:
    """Return an option with a value; without names it has that of its parameter."""
    return typer.Option(*names, metavar=placeholder, help=meaning, **settings)


def flag(name: str, meaning: str) -> Any:
    """Return an option without a value."""
    return typer.Option(name, help=meaning)


def argument(placeholder: str, meaning: str, **settings: Any) -> Any:
    """Return an argument."""
    return typer.Argument(metavar=placeholder, help=meaning, **settings)


def complete_game(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a game: those with a folder of data, and the aliases."""
    root = root_in(ctx)
    folders = [path.name for path in root.iterdir() if path.is_dir()] if root.exists() else []
    names = dict.fromkeys(["tictactoe", "connect4", *sorted(folders)])
    return [name for name in names if name.startswith(incomplete)]


def root_in(ctx: typer.Context) -> Path:
    """Return the folder of the data sets, as far as the options are typed already."""
    return root_of(Path(ctx.params["data"]) if ctx.params.get("data") else None)


def outside_data(path: Path | None) -> Path | None:
    """Return a path to write to; ``-`` is standard output.

    Raises UsageError when it lies among the files of a game, or is a link back to itself.
    """
    if path is not None and str(path) != "-":
        from marubatsu.pipeline.store.data_folders import data_around
        from marubatsu.pipeline.support.errors import UsageError

        if Path(os.path.realpath(path)).is_symlink():
            raise UsageError(f"{quote(str(path))} leads back to itself: expected another place")
        folder = data_around(path)
        if folder is not None:
            raise UsageError(
                f"{quote(str(path))} lies in the data of {near(folder)}: expected a place elsewhere"
            )
    return path


DEFAULT_GAME = "tictactoe"
GAME_HELP = "As 3x3k3 or 7x6k4-gravity: COLUMNSxROWSkRUN and rules; or tictactoe, connect4."

GameArgument = Annotated[str, argument("[GAME]", GAME_HELP, autocompletion=complete_game)]
RequiredGame = Annotated[str, argument("GAME", GAME_HELP, autocompletion=complete_game)]
GamesArgument = Annotated[
    list[str] | None,
    argument("[GAME]...", f"{GAME_HELP} Default: all.", autocompletion=complete_game),
]
GameOption = Annotated[str, option("GAME", GAME_HELP, "--game", "-g", autocompletion=complete_game)]
DataOption = Annotated[
    Path | None,
    option(
        "DIR",
        "Folder of the data sets; else MARUBATSU_DATA, else data/ of the checkout, else the "
        "user's data folder.",
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to write the rows.")]
OutputOption = Annotated[
    Path | None,
    option(
        "FILE",
        "Write to a file instead; the end of its name chooses the format, and .zst behind that "
        "compresses it.",
        "--output",
        "-o",
        callback=outside_data,
    ),
]
FolderOption = Annotated[
    Path,
    option(
        "DIR",
        "Folder to write; an older one of this kind is replaced.",
        "--out",
        callback=outside_data,
    ),
]
SeedOption = Annotated[int, option("SEED", "Seed of the random choices.")]
MemoryOption = Annotated[
    str | None,
    option("AMOUNT", "Memory for the data, such as 500MB or 2GB (default: half of the machine)."),
]


def print_rows(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    form: Format,
    output: Path | None = None,
    after: str = "",
) -> None:
    """Write rows to standard output or a file, and a text after a table."""
    from marubatsu.pipeline.tables.output import destination, write

    with destination(output) as out:
        write(columns, rows, form, out)
        out.write(after * (form is Format.TABLE))


def root_of(data: Path | None) -> Path:
    """Return the folder of the data sets."""
    return data_root(data, os.environ)


def memory_of(amount: str | None) -> int:
    """Return an amount of memory in bytes. Raises UsageError."""
    from marubatsu.pipeline.support.machine import half_the_memory, parse_memory

    return half_the_memory() if amount is None else parse_memory(amount)


def require_between(
    option: str, value: float | None, least: int, most: float = inf, what: str = ""
) -> None:
    """Raise UsageError for a value of an option outside of its range."""
    from marubatsu.pipeline.support.errors import UsageError

    if value is not None and not least <= value <= most:
        expected = f"{least} or more" if most == inf else f"{least} to {most:,}"
        raise UsageError(f"{option} {value:.15g}: expected {expected}{what}")


@contextmanager
def noting_a_stop(message: str) -> Iterator[None]:
    """Tell what a stopped run keeps, when a signal ends the block."""
    try:
        yield
    except KeyboardInterrupt:  # also Interrupted
        events.note("stopped", message)
        raise
