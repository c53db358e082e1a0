"""The game of a command: its first argument, or the option ``--game``, as the user likes.

A command declares one of the two. Before its arguments are parsed, the other form is rewritten.
"""

from pathlib import Path
from typing import Any

from typer.core import TyperArgument, TyperCommand, TyperOption

from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.game_names import ALIASES
from marubatsu.pipeline.support.errors import UsageError

_NAMES = ("game", "games")
_ADDED = "game_option"


def game_option(command: TyperCommand) -> TyperOption | None:
    """Return the option for a command that declares its game as an argument."""
    if _argument(command) is None:
        return None
    return TyperOption(
        param_decls=[_ADDED, "--game", "-g"],
        metavar="GAME",
        expose_value=False,
        help="The same as GAME.",
    )


def with_game_in_its_place(command: TyperCommand, ctx: Any, args: list[str]) -> list[str]:
    """Return the arguments of a command with the game where the command declares it.

    Raises UsageError for two games, and what Typer raises for wrong options.
    """
    if all(param.name not in _NAMES for param in command.params):
        return args
    named, given = _parsed(command, ctx, args)
    if _argument(command) is not None:
        return _as_argument(command, args, named, given)
    return _as_option(command, ctx, args, named, given)


def _argument(command: TyperCommand) -> TyperArgument | None:
    found = [
        param
        for param in command.params
        if isinstance(param, TyperArgument) and param.name in _NAMES
    ]
    return found[0] if found else None


def _parsed(command: TyperCommand, ctx: Any, args: list[str]) -> tuple[str | None, list[str]]:
    """Return the value of ``--game``, and all that is no option."""
    options, rest, _ = command.make_parser(ctx).parse_args(list(args))
    given = []
    for param in command.params:
        if isinstance(param, TyperArgument):
            value = options.get(param.name or "")
            given += [value] if isinstance(value, str) else list(value or ())
    named = options.get("game" if _argument(command) is None else _ADDED)
    return named if isinstance(named, str) else None, [*given, *rest]


def _as_argument(
    command: TyperCommand, args: list[str], named: str | None, given: list[str]
) -> list[str]:
    if named is None or named in given[:1]:
        return args
    places = [param for param in command.params if isinstance(param, TyperArgument)]
    if len(given) == len(places) == 1 and places[0].nargs == 1:
        raise _twice(given[0], named)
    return [named, *args]


def _as_option(
    command: TyperCommand, ctx: Any, args: list[str], named: str | None, given: list[str]
) -> list[str]:
    if not given or not _is_game(command, given):
        return args
    if named is not None:
        raise _twice(given[0], named)
    for at, each in enumerate(args):
        if each == given[0] and not _begins(command, ctx, args[:at]):
            return ["--game", each, *args[:at], *args[at + 1 :]]
    return args


def _begins(command: TyperCommand, ctx: Any, args: list[str]) -> bool:
    """Whether arguments end within an option, or have more than options."""
    try:
        return bool(_parsed(command, ctx, args)[1])
    except Exception as error:  # Typer does not export the base of its errors.
        if not hasattr(error, "format_message"):
            raise
        return True


def _is_game(command: TyperCommand, given: list[str]) -> bool:
    """Whether the first argument names a game: by a run such as k3, or as one more than fits."""
    sizes = [param.nargs for param in command.params if isinstance(param, TyperArgument)]
    first = given[0]
    if first in ALIASES:
        return True
    is_one_more = -1 not in sizes and len(given) > sum(sizes)
    if not (is_one_more or "k" in first) or Path(first).exists():
        return False
    try:
        Game(first)
    except GameError:
        return False
    return True


def _twice(first: str, named: str) -> UsageError:
    return UsageError(f"the game is given twice, as {first} and as --game {named}: leave one out")
