"""The options, the input and the output that commands share, and how they fail."""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.formats import Format

if TYPE_CHECKING:
    from marubatsu.pipeline.checking.checks import Outcome


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
        from marubatsu.pipeline.tables.data_set import data_around

        if Path(os.path.realpath(path)).is_symlink():
            raise UsageError(f"{quote(str(path))} leads back to itself: expected another place")
        folder = data_around(path)
        if folder is not None:
            raise UsageError(
                f"{quote(str(path))} lies in the data of {near(folder)}: expected a place elsewhere"
            )
    return path


def _path(name: str) -> Path:
    """Return a path. Raises UsageError for no name, as of a variable of a shell without value."""
    if not name:
        raise UsageError("'' is no path: expected the name of a file or a folder")
    return Path(name)


def goal(placeholder: str, meaning: str, *names: str) -> Any:
    """Return an option with a path to write to: see `outside_data`."""
    return option(placeholder, meaning, *names, parser=_path, callback=outside_data)


DEFAULT_GAME = "tictactoe"
GAME_HELP = "COLUMNSxROWSkRUN with rules, such as 3x3k3 or 7x6k4-gravity; or tictactoe, connect4."

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
        "Folder of the data sets (default: MARUBATSU_DATA, else data/ of the checkout, else the "
        "user's data folder).",
        parser=_path,
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", "-f", help="How to write the rows.")]
OutputOption = Annotated[
    Path | None,
    goal(
        "FILE",
        "Write to a file instead; the ending of its name chooses the format, and a further .zst "
        "compresses it.",
        "--output",
        "-o",
    ),
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
    """Return the folder of the data sets. Raises UsageError where it cannot be one."""
    from marubatsu.pipeline.tables.data_set import root_of as checked_root

    return checked_root(data)


def fail(message: str) -> NoReturn:
    """Exit with 1, and say why."""
    print(f"marubatsu: {message}", file=sys.stderr)
    raise typer.Exit(1)


def exit_at_failures(outcomes: "Sequence[Outcome]", *, tells: bool = True) -> None:
    """End with exit code 1 when a check failed; tell its first counterexamples."""
    from marubatsu.pipeline.checking import checks
    from marubatsu.pipeline.tables.output import write

    failed = [outcome for outcome in outcomes if outcome.verdict == "fail"]
    for outcome in failed if tells else []:
        print(f"\n{checks.complaint(outcome)}", file=sys.stderr)
        rows = outcome.counterexamples
        if rows.rows:
            write(rows.columns, rows.rows[: checks.SHOWN], Format.TABLE, sys.stderr)
    if failed:
        raise typer.Exit(1)
