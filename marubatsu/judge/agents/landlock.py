"""Landlock: the kernel of Linux lets a process use only some folders, and signal only its own."""

import ctypes
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache

# linux/landlock.h, the same numbers on every architecture
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ABI_VERSION = 1
_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE_SINCE, _TRUNCATE = 3, 1 << 14  # from which version on it can forbid to truncate files
_READ = _EXECUTE | _READ_FILE | _READ_FOLDER
_CHANGE = {  # rights to change files, by the interface version that introduced them
    1: _WRITE_FILE | sum(1 << bit for bit in range(4, 13)),  # remove and make entries of all kinds
    2: 1 << 13,  # link or rename across folders
    TRUNCATE_SINCE: _TRUNCATE,
}
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE  # the others are rights on folders
_NETWORK_SINCE, _NETWORK = 4, 0b11  # bind and connect by TCP
_SCOPE_SINCE, _SCOPE = 6, 0b11  # abstract sockets and signals to processes outside
_NO_NEW_PRIVILEGES = 38  # prctl


class _Rules(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64),
                ("scope", ctypes.c_uint64))  # fmt: skip


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("access", ctypes.c_uint64), ("parent", ctypes.c_int32))


@cache
def version() -> int:
    """Return the version of the kernel's interface, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    number = ctypes.CDLL(None).syscall(_CREATE_RULESET, None, 0, _ABI_VERSION)
    return max(0, int(number))


def scopes_signals() -> bool:
    """Return whether the kernel keeps signals inside."""
    return version() >= _SCOPE_SINCE


def restrict(
    readable: Iterable[str], writable: Iterable[str], hidden: Iterable[str], *, network: bool
) -> bool:
    """Restrict this process and its descendants to some paths; return whether that worked.

    A writable path is readable too. Of what is hidden inside of them, real paths, only names can be
    read.
    """
    since = version()
    if since < 1:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    change = sum(rights for first, rights in _CHANGE.items() if first <= since)
    asked = _Rules(
        _READ | change,
        _NETWORK if since >= _NETWORK_SINCE and not network else 0,
        _SCOPE if since >= _SCOPE_SINCE else 0,
    )
    size = 8 if since < _NETWORK_SINCE else 16 if since < _SCOPE_SINCE else 24
    rules = libc.syscall(_CREATE_RULESET, ctypes.byref(asked), size, 0)
    if rules < 0:
        return False
    allowed = [each for path in readable for each in _around(os.path.realpath(path), hidden)]
    for path, rights in (*allowed, *((path, _READ | change) for path in writable)):
        with suppress(OSError):  # A path that is not there needs no right.
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
            is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
            rule = _Beneath(rights if is_folder else rights & _OF_FILES, handle)
            added = libc.syscall(_ADD_RULE, rules, _BENEATH, ctypes.byref(rule), 0)
            os.close(handle)
            if added < 0:
                return False
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    restricted = libc.syscall(_RESTRICT_SELF, rules, 0) == 0
    os.close(rules)
    return bool(restricted)


def _around(path: str, hidden: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield the rights to read a path, all but what is hidden inside of it.

    A right holds for all that is below. So a folder around hidden ones gives no right to read its
    files, but to list them; where its links lead to is no part of it.
    """
    inside = {each[len(path) :] for each in hidden if f"{each}/".startswith(f"{path}/")}
    if not inside:
        yield path, _READ
    elif "" not in inside:
        yield path, _READ_FOLDER
        first = {each.split("/")[1] for each in inside}
        with suppress(OSError):
            for entry in os.scandir(path):
                if entry.name in first:
                    yield from _around(entry.path, hidden)
                elif not entry.is_symlink():
                    yield entry.path, _READ
