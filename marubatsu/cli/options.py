"""The options that commands share, and how a function becomes a command with options."""

import inspect
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from itertools import starmap
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints, is_typeddict

import typer

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import MarubatsuError, UsageError
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
    names = ["tictactoe", "connect4"]
    with suppress(MarubatsuError, OSError):
        names += sorted({path.name for path in root_in(ctx).iterdir() if path.is_dir()} - {*names})
    return [name for name in names if name.startswith(incomplete)]


def root_in(ctx: typer.Context) -> Path:
    """Return the folder of the data sets, as far as the options are typed already."""
    from marubatsu.pipeline.tables.data_set import checked_root

    return checked_root(Path(ctx.params["data"]) if ctx.params.get("data") else None)


def outside_data(path: Path | None) -> Path | None:
    """Return a path to write to; ``-`` is standard output.

    Raises UsageError when it lies among the files of a game, or is a link back to itself.
    """
    if path is not None and str(path) != "-":
        from marubatsu.pipeline.support.resources import near
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


def new_file(path: Path | None) -> Path | None:
    """Return a file to write, before the work whose result it gets.

    Raises UsageError where no folder is there for it, and as `outside_data` does.
    """
    if outside_data(path) is not None and str(path) != "-":
        from marubatsu.pipeline.support.resources import near

        folder = Path(os.path.realpath(str(path))).parent
        if not folder.is_dir():
            raise UsageError(
                f"{quote(str(path))} cannot be written: {near(folder)} is no folder; make it, or "
                "name another"
            )
    return path


def goal(placeholder: str, meaning: str, *names: str) -> Any:
    """Return an option with a file to write: see `new_file`."""
    return option(placeholder, meaning, *names, parser=_path, callback=new_file)


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
FolderOption = Annotated[
    Path,
    option(
        "DIR",
        "Folder to write; an older one of this kind is replaced.",
        "--out",
        parser=_path,
        callback=outside_data,
    ),
]
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


def report_format(rows: str) -> Any:
    """Return the option ``--format``; ``rows`` says what the main table holds."""
    return typer.Option(
        "--format", "-f", help=f"How to write it: table, json and html show all, the others {rows}."
    )


def option_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with an option for each key of its parameters that are TypedDicts.

    Help, placeholder and type of an option come from the annotation of its key. The command gets
    a dict with the options that the user sets.
    """
    own = inspect.signature(command).parameters
    groups = {
        parameter.name: get_type_hints(parameter.annotation, include_extras=True)
        for parameter in own.values()
        if is_typeddict(parameter.annotation)
    }
    parameters: list[inspect.Parameter] = []
    for name, parameter in own.items():
        parameters += starmap(_option, groups[name].items()) if name in groups else [parameter]

    @wraps(command)
    def run(**values: Any) -> None:
        grouped = {
            group: {name: value for name in keys if _is_set(value := values.pop(name))}
            for group, keys in groups.items()
        }
        command(**values, **grouped)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _is_set(value: object) -> bool:
    return value is not None and value is not False and value != []


def _option(name: str, annotation: Any) -> inspect.Parameter:
    meaning, placeholder = (*annotation.__metadata__, "N")[:2]
    types = {get_origin(each) or each for each in get_args(annotation.__origin__)}
    types |= {annotation.__origin__}
    kind: Any = next((kind for kind in (bool, str, int, float) if kind in types), str)
    option = typer.Option(f"--{name.replace('_', '-')}", help=meaning)
    if kind is not bool:
        option.metavar = placeholder
        kind = (list[kind] if Iterable in types else kind) | None
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=False if kind is bool else None,
        annotation=Annotated[kind, option],
    )
