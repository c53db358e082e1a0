"""What keeps a foreign process from harm: limits of memory and files, and no writing.

On Linux the kernel takes the right to write from it (Landlock: every kind of change to any file
but those of one scratch folder), for it and all of its descendants, in whatever language. Where the
kernel cannot, Python code is held by `pipeline.audit.agent_worker` alone.
"""

import contextlib
import ctypes
import os
import resource
import signal
import sys
from pathlib import Path

_SCRATCH_BYTES = 64 << 20  # the greatest file in the scratch folder

# linux/landlock.h, the same numbers on every architecture
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ABI_VERSION = 1
_BENEATH = 1
_WRITE_FILE = 1 << 1
_CHANGES = {  # rights to change, by the version of the interface that knows them
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
    """Confine this process for good; tell whether the kernel forbids it to write.

    ``memory`` in bytes of address space; ``scratch`` is where it may write.
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
    """Become the parent of every descendant whose own parent ends, so that none gets away."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)


def children() -> set[int]:
    """List the processes whose parent we are; none where the system does not tell."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name of the program, in brackets, may hold anything.
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                found.add(int(stat.parent.name))
    return found


def end_all(spared: set[int]) -> None:
    """Kill our children but some, and theirs as they come to us, until there are none."""
    while strays := children() - spared:
        for stray in strays:
            with contextlib.suppress(ProcessLookupError):
                os.kill(stray, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(stray, 0)
