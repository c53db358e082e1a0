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
    if not any(argument.name in _NAMES for argument in _arguments(command)):
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
    option, positional = _parsed(command, ctx, args)
    if any(param.name == _ADDED for param in command.params):
        return _as_argument(command, args, option, positional)
    if not positional or not _is_game(command, positional):
        return args
    if option is not None:
        raise _twice(positional[0], option)
    for at, word in enumerate(args):
        rewritten = ["--game", word, *args[:at], *args[at + 1 :]]
        if word == positional[0] and _parsed(command, ctx, rewritten) == (word, positional[1:]):
            return rewritten
    return args


def _as_argument(
    command: TyperCommand, args: list[str], option: str | None, positional: list[str]
) -> list[str]:
    if option is None or option in positional[:1]:
        return args
    arguments = _arguments(command)
    if len(positional) == len(arguments) == 1 and arguments[0].nargs == 1:
        raise _twice(positional[0], option)
    return [option, *args]


def _arguments(command: TyperCommand) -> list[TyperArgument]:
    return [param for param in command.params if isinstance(param, TyperArgument)]


def _parsed(command: TyperCommand, ctx: Any, args: list[str]) -> tuple[str | None, list[str]]:
    """Return the value of ``--game``, and the words that belong to no option."""
    options, rest, _ = command.make_parser(ctx).parse_args(list(args))
    positional: list[str] = []
    for argument in _arguments(command):
        value = options.get(argument.name or "")
        positional += [value] if isinstance(value, str) else list(value or ())
    added = any(param.name == _ADDED for param in command.params)
    option = options.get(_ADDED if added else "game")
    return option if isinstance(option, str) else None, [*positional, *rest]


def _is_game(command: TyperCommand, positional: list[str]) -> bool:
    """Whether the first argument names a game: by a run such as k3, or as one more than fits."""
    sizes = [argument.nargs for argument in _arguments(command)]
    first = positional[0]
    if first in ALIASES:
        return True
    is_one_more = -1 not in sizes and len(positional) > sum(sizes)
    if not (is_one_more or "k" in first) or Path(first).exists():
        return False
    return is_name_of_game(first)


def is_name_of_game(word: str) -> bool:
    """Return whether a word names a game."""
    try:
        Game(word)
    except GameError:
        return False
    return True


def _twice(first: str, option: str) -> UsageError:
    return UsageError(f"the game is given twice, as {first} and as --game {option}: leave one out")
