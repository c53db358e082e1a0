"""Faults of foreign code: what cannot be asked, and what raises an exception, with their cures.

A service that an AI asks may be overloaded or out of reach. That is no bad play, so these errors
are distinguished by their types and texts, without importing the libraries that define them.
"""

import inspect
import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from traceback import walk_tb
from typing import Any, Final

from marubatsu.engine.ais.reply import Fault, FaultKind
from marubatsu.engine.rules.input_error import one_of
from marubatsu.judge.agents.interfaces import INTERFACES, NoAgentError, accepts, construction
from marubatsu.pipeline.support.resources import PACKAGE

INFRASTRUCTURE: Final = "infrastructure"  # the kind of fault that is none of the AI's play
COSTLY: set[FaultKind] = {"time-out", "crash", "memory", "flood"}  # its process starts again
_CLIENTS = {
    "aiohttp", "anthropic", "boto3", "botocore", "cohere", "google", "groq", "grpc", "httpcore",
    "httpx", "huggingface_hub", "litellm", "mistralai", "ollama", "openai", "replicate", "requests",
    "together", "urllib3", "websockets",
}  # fmt: skip
"""Packages that ask services; their exceptions are about the service."""

_NETWORK = {*_CLIENTS, "http", "socket", "ssl", "urllib"}
"""Packages through which a TimeoutError of a service comes; elsewhere the agent itself gave up."""

_STATUS = re.compile(
    r"too many requests|rate.?limit|service unavailable|bad gateway|gateway time-?out"
    r"|overloaded_error|(?:model|server|service) is (?:currently )?overloaded"
    r"|^timed out|(?:connection|request|operation|read|write|handshake) timed out"
    r"|connection (?:reset|refused|aborted|error)|network is unreachable"
    r"|temporary failure in name resolution|\b(?:HTTP|status)\D{0,12}(?:408|429|5\d\d)\b",
    re.IGNORECASE,
)
_STATUS_NAMES = ("status_code", "http_status", "status")
_OUTAGES = {408, 429, *range(500, 600)}  # codes of HTTP: the service does not answer now
_SHOWN = 200  # characters of a text

CHOICE_ARGUMENTS = ("board", "legal_moves")
VALUE_ARGUMENTS = ("board",)
_OBSERVATION = {"obs", "observation"}
_NO_MOVES = {
    "board", "color", "colour", "computer", "current_player", "current_turn", "debug", "depth",
    "is_max", "is_maximizing", "letter", "mark", "marker", "max_depth", "maximizing",
    "maximizing_player", "me", "my_mark", "piece", "player", "player_id", "player_mark", "rng",
    "role", "seed", "side", "sign", "state", "symbol", "to_move", "token", "turn", "verbose", "who",
}  # fmt: skip
"""Names of a second parameter that is not the legal moves."""


def cut(text: str) -> str:
    """Cut text that is too long to show."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def failure(error: BaseException) -> Fault:
    """Return the fault of a function that raised an exception."""
    if isinstance(error, MemoryError):
        return Fault("memory", "it wants more memory than it may have")
    chain = list(_chain(error))
    has_timed_out = any(isinstance(each, TimeoutError) for each in chain)
    if any(map(_is_outage, chain)) or (has_timed_out and any(map(_is_of_network, chain))):
        return Fault(INFRASTRUCTURE, raised(error), "what it asks did not answer; ask again later")
    return Fault("raises", raised(error), _cure(error))


def raised(error: BaseException) -> str:
    """Describe an exception by type, text and place; a NoAgentError only by its text."""
    if isinstance(error, NoAgentError):
        return str(error)
    text = _text(error)
    message = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return cut(message) + _place(error)


def raised_by_import(error: BaseException) -> str:
    """Describe an exception that a file raised when it was imported, and what to do about it."""
    frames = traceback.extract_tb(error.__traceback__)
    reads = any("argv" in (f.line or "") or Path(f.filename).name == "argparse.py" for f in frames)
    if reads or isinstance(error, SystemExit | EOFError):
        return (
            f"{raised(error)}; it runs as a program when it is imported: put what reads its "
            'arguments under `if __name__ == "__main__":`'
        )
    return raised(error)


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001, even its text may fail
        return ""


def _place(error: BaseException) -> str:
    """Name the last line of code that an exception came through and that is not ours."""
    lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    for file, line in reversed(lines):
        if _is_theirs(file):
            return f" ({Path(file).name}, line {line})"
    return ""


@cache
def _is_theirs(file: str) -> bool:
    return Path(file).is_file() and PACKAGE not in Path(file).resolve().parents


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        following = following.__cause__ or following.__context__


def _is_outage(error: BaseException) -> bool:
    """Return whether a service did not answer, or refused to."""
    kinds = type(error).__mro__
    return (
        isinstance(error, ConnectionError)
        or (isinstance(error, TimeoutError) and error.errno is not None)
        or any(kind.__module__.partition(".")[0] in _CLIENTS for kind in kinds)
        or any(kind.__module__ in ("http.client", "urllib.error", "ssl") for kind in kinds)
        or any((kind.__module__, kind.__name__) == ("socket", "gaierror") for kind in kinds)
        or not _OUTAGES.isdisjoint(_statuses(error))
        or bool(_STATUS.search(_text(error)))
    )


def _statuses(error: BaseException) -> Iterator[int]:
    """Yield the codes of HTTP that an exception keeps under the usual names."""
    for name in _STATUS_NAMES:
        code = None
        with suppress(Exception):  # Its attributes may fail.
            code = getattr(error, name)
        if isinstance(code, int):
            yield int(code)


def _is_of_network(error: BaseException) -> bool:
    """Return whether an exception came through code that asks services."""
    names = (frame.f_globals.get("__name__") for frame, _ in walk_tb(error.__traceback__))
    return any(str(name).partition(".")[0] in _NETWORK for name in names)


def _cure(error: BaseException) -> str:
    """Say what may help against an exception; nothing where only its author knows."""
    if isinstance(error, AttributeError) and isinstance(getattr(error, "obj", None), str | list):
        for name, interface in INTERFACES.items():
            if error.name in interface.attributes:
                return f"agents of this framework are asked by {_option(name)}"
    if isinstance(error, EOFError):
        return "nothing is on standard input: the function gets the board and the legal moves"
    if isinstance(error, TypeError) and "string indices must be" in _text(error):
        options = (_option(name) for name, each in INTERFACES.items() if each.second_parameters)
        return (
            "the board is a text such as o.x......; agents that take an observation are asked by "
            f"{one_of(options)}"
        )
    return ""


def _option(interface: str) -> str:
    return f"the option interface={interface!r}"


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
                f"{_option(asked_as)}, or write {name}({', '.join(takes)})"
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
    ways = one_of(f"{_option(n)} ({i.takes})" for n, i in INTERFACES.items() if i.takes)
    return (
        f"; agents of one argument are asked by {ways}; a function that "
        f"values boards is named evaluation:{address}"
    )


def _require_moves_second(
    function: Callable[..., Any], signature: inspect.Signature, address: str
) -> None:
    """Raise NoAgentError where the second parameter is something else than the legal moves."""
    second = [*signature.parameters.values()][1]
    is_known = second.name.lower().strip("_") in _NO_MOVES
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
