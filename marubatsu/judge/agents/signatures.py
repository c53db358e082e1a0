"""What can be asked for moves: a function of a board and its legal moves. Refuse others at once."""

import inspect
from collections.abc import Callable
from typing import Any

from marubatsu.judge.bridges.interfaces import NoAgentError, accepts

CHOOSES = ("board", "legal_moves")
VALUES = ("board",)

_OBSERVATION = {"obs", "observation"}
_OF_TWO = {
    "connectx": {"config", "configuration", "conf"},
    "aec": {"action_mask", "mask"},
}
"""The second parameter of agents of other frameworks, after an observation."""


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
    expected = f"expected {name}({', '.join(takes)})"
    if not accepts(function, len(takes)):
        told = f"{name} takes {signature}: {expected}"
        if names[:1] == ["self"] and "." in name:
            kind, _, method = name.rpartition(".")
            raise NoAgentError(
                f"{name} is a method of a class: write `agent = {kind}()` below it, and name "
                f"{address.removesuffix(name)}agent.{method}"
            )
        if takes == CHOOSES and accepts(function, 1):
            told += (
                "; agents of one argument are asked by the option interface='connectx' (an "
                "observation), the option interface='aec' (a dictionary), or the option "
                "interface='textarena' (a text); a function that values boards is named "
                f"evaluation:{address}"
            )
        raise NoAgentError(told)
    for interface, seconds in _OF_TWO.items():
        if (
            takes == CHOOSES
            and {*names[:1]} <= _OBSERVATION
            and {*names[1:2]} <= seconds
            and names[1:]
        ):
            raise NoAgentError(
                f"{name} takes {signature}, as agents of another framework do: ask it by the "
                f"option interface={interface!r}, or write {name}({', '.join(takes)})"
            )


def _of_class(kind: type, address: str, takes: tuple[str, ...]) -> str:
    """Say how to name an object of a class."""
    where, _, name = address.rpartition(":")
    methods = [
        method for method, function in vars(kind).items()
        if not method.startswith("_") and inspect.isfunction(function)
        and accepts(function, len(takes) + 1)
    ]  # fmt: skip
    is_called = "__call__" in vars(kind) or not methods
    named = "agent" if is_called else f"agent.{methods[0]}"
    return (
        f"{name} is a class, no function: write `agent = {kind.__name__}()` below it, and name "
        f"{where + ':' if where else ''}{named}"
    )
