"""The arguments of functions that are asked: what takes others is refused, with what to write."""

import inspect
import re
from collections.abc import Callable
from typing import Any

from marubatsu.engine.rules.input_error import one_of
from marubatsu.judge.agents.interfaces import (
    INTERFACES,
    NoAgentError,
    accepts,
    construction,
    option_of,
)

CHOICE_ARGUMENTS = ("board", "legal_moves")
VALUE_ARGUMENTS = ("board",)
_OBSERVATION = {"obs", "observation"}
_NO_MOVES = {
    "board", "color", "colour", "computer", "debug", "depth", "human", "id", "letter", "mark",
    "marker", "max", "maximizing", "me", "opponent", "piece", "player", "rng", "role", "seed",
    "side", "sign", "state", "symbol", "to_move", "token", "turn", "verbose", "who",
}  # fmt: skip
"""Names of a second parameter that is not the legal moves, or their last words."""


def require_signature(function: Callable[..., Any], address: str, takes: tuple[str, ...]) -> None:
    """Raise NoAgentError for what cannot be called with a board, and its legal moves.

    ``address`` is where the function is found, for the sentence that says what to write.
    """
    name = address.rpartition(":")[2]
    if isinstance(function, type):
        raise NoAgentError(_of_class(function, address, takes))
    called = function if inspect.isroutine(function) else type(function).__call__
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called):
        raise NoAgentError(f"{name} is an async function: write def, not async def")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # Some functions of C have none.
    names = [*signature.parameters]
    if not accepts(function, len(takes)):
        raise _of_other_arguments(function, signature, address, takes)
    if takes != CHOICE_ARGUMENTS or len(names) < 2:
        return
    _require_moves_second(function, signature, address)
    if names[0] not in _OBSERVATION:
        return
    for asked_as, interface in INTERFACES.items():
        if names[1] in interface.second_parameters:
            raise NoAgentError(
                f"{name} takes {signature}, as agents of another framework do: ask it by "
                f"{option_of(asked_as)}, or write {name}({', '.join(takes)})"
            )


def _of_other_arguments(
    function: Callable[..., Any], signature: inspect.Signature, address: str, takes: tuple[str, ...]
) -> NoAgentError:
    """Return the error for a function that cannot be called, and say what it may be instead."""
    name = address.rpartition(":")[2]
    if [*signature.parameters][:1] == ["self"] and "." in name:
        kind, _, method = name.rpartition(".")
        return NoAgentError(
            f"{name} is a method of a class: write `agent = {kind}()` below it, and name "
            f"{address.removesuffix(name)}agent.{method}"
        )
    message = f"{name} takes {signature}: expected {name}({', '.join(takes)})"
    if accepts(function, 0):
        named = f"{address.removesuffix(name)}agent"
        message += f"; if it makes one, write `agent = {name}()` below it, and name {named}"
    if takes == CHOICE_ARGUMENTS:
        message += _cure_of_one_argument(function, address)
    return NoAgentError(message)


def _cure_of_one_argument(function: Callable[..., Any], address: str) -> str:
    """Say how a function of one argument may be asked; "" for others."""
    if not accepts(function, 1):
        return ""
    ways = one_of(f"{option_of(n)} ({i.takes})" for n, i in INTERFACES.items() if i.takes)
    return (
        f"; agents of one argument are asked by {ways}; a function that "
        f"values boards is named evaluation:{address}"
    )


def _require_moves_second(
    function: Callable[..., Any], signature: inspect.Signature, address: str
) -> None:
    """Raise NoAgentError where the second parameter is something else than the legal moves."""
    second = [*signature.parameters.values()][1]
    words = re.findall("[A-Z]?[a-z]+|[A-Z]+", second.name) or [""]
    is_known = words[0] == "is" or not _NO_MOVES.isdisjoint([second.name, words[-1].lower()])
    is_switch = isinstance(second.default, int | float | str) and second.default != ""
    if second.kind is second.POSITIONAL_OR_KEYWORD and (is_known or is_switch):
        name = address.rpartition(":")[2]
        expected = f"{name}({', '.join(CHOICE_ARGUMENTS)})"
        raise NoAgentError(
            f"{name} takes {signature}, and {second.name} would be the list of legal moves: "
            f"expected {expected}{_cure_of_one_argument(function, address)}"
        )


def _of_class(kind: type, address: str, takes: tuple[str, ...]) -> str:
    where, _, name = address.rpartition(":")
    methods = [
        method for method, function in vars(kind).items()
        if not method.startswith("_") and inspect.isfunction(function)
        and accepts(function, len(takes) + 1)
    ]  # fmt: skip
    is_called = "__call__" in vars(kind) or not methods
    named = "agent" if is_called else f"agent.{methods[0]}"
    return (
        f"{name} is a class, no function: write `agent = {construction(kind)}` below it, and name "
        f"{where + ':' if where else ''}{named}"
    )
