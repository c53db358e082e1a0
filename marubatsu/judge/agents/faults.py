"""Faults of foreign code that raises an exception, with their cures.

A service that an AI asks may be overloaded or out of reach. That is no bad play, so these errors
are distinguished by their types and texts, without importing the libraries that define them.
"""

import re
import traceback
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from traceback import walk_tb
from typing import Final

from marubatsu.engine.ais.reply import Fault, FaultKind
from marubatsu.judge.agents.interfaces import (
    INTERFACES,
    NoAgentError,
    of_other_frameworks,
    option_of,
)
from marubatsu.pipeline.support.resources import PACKAGE

INFRASTRUCTURE: Final = "infrastructure"  # the kind of fault that is none of the AI's play
COSTLY: set[FaultKind] = {"time-out", "crash", "memory", "flood"}  # its process starts again
_CLIENTS = {
    "aiohttp", "anthropic", "boto3", "botocore", "cohere", "google", "groq", "grpc", "http",
    "httpcore", "httpx", "huggingface_hub", "litellm", "mistralai", "ollama", "openai", "replicate",
    "requests", "socket", "ssl", "together", "urllib", "urllib3", "websockets",
}  # fmt: skip
"""Packages that ask services; their exceptions are about the service."""

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
_OF_TEXT = re.compile(
    "string ind(?:ices must|ex out of)|'str' object (?:does not support item|has no attribute)"
    "|cannot reshape array of size 1 "
)
"""What Python and NumPy say of a text that is used like a list of cells, or rows of them."""
_SHOWN = 200  # characters of a text


def cut(text: str) -> str:
    """Cut text that is too long to show."""
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def failure(error: BaseException, interface: str | None = None) -> Fault:
    """Return the fault of an agent of an interface that raised an exception."""
    if isinstance(error, MemoryError):
        return Fault("memory", "it wants more memory than it may have")
    chain = list(_chain(error))
    has_timed_out = any(isinstance(each, TimeoutError) for each in chain)
    if any(map(_is_outage, chain)) or (
        has_timed_out and any(_is_of(each, _CLIENTS) for each in chain)
    ):
        return Fault(INFRASTRUCTURE, raised(error), "what it asks did not answer; ask again later")
    cure = _cure(error)
    if interface and interface in INTERFACES:
        cure = f"it is asked by {option_of(interface)}"
    return Fault("raises", raised(error), cure, type(error).__name__ + _place(error))


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
    if isinstance(error, FileNotFoundError | PermissionError):
        return (
            f"{raised(error)}; files outside its folder may be hidden from it: the option "
            "allow_read shows one"
        )
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
    kinds = type(error).__mro__
    return (
        isinstance(error, ConnectionError)
        or (isinstance(error, TimeoutError) and error.errno is not None)
        or any(kind.__module__.partition(".")[0] in _CLIENTS for kind in kinds)
        or not _OUTAGES.isdisjoint(_statuses(error))
        or bool(_STATUS.search(_text(error)))
    )


def _is_of(error: BaseException, packages: Collection[str]) -> bool:
    """Return whether an exception came through code of some packages."""
    names = (frame.f_globals.get("__name__") for frame, _ in walk_tb(error.__traceback__))
    return any(str(name).partition(".")[0] in packages for name in names)


def _statuses(error: BaseException) -> Iterator[int]:
    for name in _STATUS_NAMES:
        code = None
        with suppress(Exception):  # Its attributes may fail.
            code = getattr(error, name)
        if isinstance(code, int):
            yield int(code)


def _cure(error: BaseException) -> str:
    """Say what may help against an exception; nothing where only its author knows."""
    if isinstance(error, EOFError):
        return "nothing is on standard input: the function gets the board and the legal moves"
    if isinstance(error, PermissionError) and _is_of(error, {"multiprocessing"}):
        return "an audited AI may not start processes: leave multiprocessing out"
    if isinstance(error, TypeError) and "unhashable type: 'list'" in _text(error):
        return "no list is hashable, as functools.cache needs it: tuple(legal_moves) is"
    if _OF_TEXT.search(_text(error)):
        return (
            "the board is a text such as o.x......, of which list(board) makes a list; "
            f"{of_other_frameworks()}"
        )
    return ""
