"""Limits of a foreign process: memory, size of files, and no right to write.

On Linux the kernel (Landlock) forbids the process and its descendants, in any language, every kind
of change to files outside one scratch folder. Where the kernel cannot, only
`pipeline.agents.agent_worker` restricts Python code.
"""

import contextlib
import ctypes
import os
import resource
import signal
import sys
from pathlib import Path

_SCRATCH_BYTES = 64 << 20  # largest file in the scratch folder

# linux/landlock.h, the same numbers on every architecture
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ABI_VERSION = 1
_BENEATH = 1
_WRITE_FILE = 1 << 1
_CHANGES = {  # rights to change files, by the interface version that introduced them
    1: _WRITE_FILE | sum(1 << bit for bit in range(4, 13)),  # remove and make entries of all kinds
    2: 1 << 13,  # link or rename across folders
    3: 1 << 14,  # truncate
}
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38  # prctl
_ADOPT_ORPHANS = 36


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("access", ctypes.c_uint64), ("parent", ctypes.c_int32))


def confine(memory: int, scratch: Path) -> bool:
    """Confine this process for good; return whether the kernel forbids it to write.

    ``memory`` is in bytes of address space; ``scratch`` is the folder that it may write to.
    """
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, _SCRATCH_BYTES),
        (resource.RLIMIT_AS, memory),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (value, value))
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    return _forbid_writing(libc, scratch)


def _forbid_writing(libc: ctypes.CDLL, scratch: Path) -> bool:
    version = libc.syscall(_CREATE_RULESET, None, 0, _ABI_VERSION)
    if version < 1:
        return False
    changes = sum(rights for since, rights in _CHANGES.items() if since <= version)
    handled = ctypes.c_uint64(changes)
    rules = libc.syscall(_CREATE_RULESET, ctypes.byref(handled), ctypes.sizeof(handled), 0)
    if rules < 0:
        return False
    for path, rights in ((scratch, changes), (Path(os.devnull), _WRITE_FILE)):
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        rule = _Beneath(rights, handle)
        libc.syscall(_ADD_RULE, rules, _BENEATH, ctypes.byref(rule), 0)
        os.close(handle)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    forbidden = libc.syscall(_RESTRICT_SELF, rules, 0) == 0
    os.close(rules)
    return bool(forbidden)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, so that `end_all` reaches it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)


def children() -> set[int]:
    """Return the ids of our child processes; none on a system without ``/proc``."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name of the program, in brackets, may contain any character.
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                found.add(int(stat.parent.name))
    return found


def end_all(spared: set[int]) -> None:
    """Kill our children except the spared ones, and the orphans we adopt, until none is left."""
    while strays := children() - spared:
        for stray in strays:
            with contextlib.suppress(ProcessLookupError):
                os.kill(stray, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(stray, 0)
