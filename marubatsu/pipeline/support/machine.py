"""The cores and memory of this machine, and amounts of memory as people write them."""

import os
import re
from contextlib import suppress

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import UsageError

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
