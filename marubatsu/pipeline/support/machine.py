"""The cores and memory of this machine, and the time, memory and threads of searches that answer.

Commands and the public functions have the same defaults.
"""

import os
import re
import resource
from contextlib import suppress

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import NoRoomError, OptionError, UsageError, is_number, whole

_ADDRESS_SPACE = 2 * 10**9  # bytes, as an agent has where no option says more

_UNITS = {"MB": 10**6, "GB": 10**9}


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def half_the_memory() -> int:
    """Return half of this machine's memory, in bytes."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


def give_back_memory() -> None:
    """Return freed memory to the system, where the C library (glibc) would keep it."""
    with suppress(OSError, AttributeError):
        import ctypes  # Many commands import this module, and few need it.

        ctypes.CDLL(None).malloc_trim(0)


def require_address_space() -> None:
    """Raise NoRoomError where the system lets this process map less than libraries may ask for.

    They do not report that well: OpenBLAS may ask for ever, others crash.
    """
    for limit, option in ((resource.RLIMIT_AS, "v"), (resource.RLIMIT_DATA, "d")):
        allowed, _ = resource.getrlimit(limit)
        if allowed != resource.RLIM_INFINITY and allowed < _ADDRESS_SPACE:
            raise NoRoomError(
                f"a process may map {amount(allowed)} of memory here, and marubatsu needs "
                f"{amount(_ADDRESS_SPACE)}",
                f"raise the limit of the system (ulimit -{option})",
            )


def parse_memory(text: str) -> int:
    """Read an amount of memory such as ``500MB`` or ``2GB``, in bytes. Raises UsageError."""
    match = re.fullmatch(r"([0-9]{1,6})\s*(MB|GB)", str(text).strip().upper())
    if match is None or int(match[1]) == 0:
        raise UsageError(f"{quote(text)} is no amount of memory: expected one like 500MB or 2GB")
    return int(match[1]) * _UNITS[match[2]]


def amount(size: float) -> str:
    """Write a number of bytes for people, in decimal units as for disks."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if size < 1000 or unit == "TB":
            return f"{size:,.0f} {unit}" if size >= 10 or unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError


ANSWER_SECONDS = 60.0
"""The default time of a search for one answer."""

MOVE_SECONDS = 5.0
"""The time of a search for a move of an AI, or for one position of a recorded game."""

AUDIT_SECONDS = 10.0
"""The time of a search for one position that an audit draws."""

MEMORY = "135MB"
"""The default table of a search: 2**24 entries of 8 bytes, a power of two."""

LONGEST = 86_400
"""Seconds that a user may give: a day."""

MOST_THREADS = 64
"""The most threads of a search."""


def checked_threads(number: object) -> int:
    """Return the number of threads of a search. Raises OptionError for one that makes no sense.

    >>> checked_threads(2)
    2
    """
    return whole("threads", number, 1, MOST_THREADS)


def checked_time(
    seconds: object, option: str = "time", most: int = LONGEST, *, may_be_zero: bool = True
) -> float:
    """Return the time that an option gives. Raises OptionError for one that makes no sense.

    >>> checked_time(0.5)
    0.5
    """
    if not (is_number(seconds) and 0 <= seconds <= most and (may_be_zero or seconds)):
        expected = "0 to" if may_be_zero else "more than 0, at most"
        raise OptionError(option, seconds, f"expected {expected} {most:,} seconds")
    return seconds if isinstance(seconds, int) else float(seconds)
