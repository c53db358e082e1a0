"""Confine this process for good, before it runs anybody's code."""

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from marubatsu.judge.agents import landlock, system_calls

_PROCESSES = 256  # processes and threads of a user in a box; root has no limit
_TRUNCATE = ["truncate", "truncate64"]
_DIE_WITH_PARENT = 1  # prctl
_CAPABILITIES_VERSION = 0x20080522
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_ABOUT = ("/proc", "/sys/fs/cgroup")  # DuckDB aborts where it sees limits that it may not read.


@dataclass(frozen=True)
class Confinement:
    """What a foreign process may use."""

    scratch: str  # the folder that it may write to
    scratch_bytes: int  # of each file in it
    memory: int  # bytes of address space
    readable: list[str]  # files and folders; the root where its namespaces hide all others
    hidden: list[str]  # files and folders inside of those, as real paths
    network: bool
    is_boxed: bool  # in namespaces of its own


class WeakerError(OSError):
    """A layer of the confinement is there, and could not be used."""


def confine(to: Confinement) -> None:
    """Confine this process and all that it starts, as far as the system can.

    Raises WeakerError when that is less than `box` says.
    """
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, to.scratch_bytes),
        (resource.RLIMIT_AS, to.memory),
        *([(resource.RLIMIT_NPROC, _PROCESSES)] if to.is_boxed else ()),  # Else it counts others.
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (value, value))
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    with suppress(OSError):  # Where memory ends, it ends first.
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    readable = (*to.readable, *_DEVICES, *_ABOUT)
    writable = (to.scratch, os.devnull)
    is_confined = landlock.restrict(readable, writable, to.hidden, network=to.network)
    if not is_confined and landlock.version():
        raise WeakerError("Landlock is there, and cannot be used")
    # In namespaces files are read-only, and other processes cannot be seen.
    forbidden = [*system_calls.KERNEL, *system_calls.SHARED]
    if not to.is_boxed:
        _drop_capabilities()
        holds_truncate = landlock.version() >= landlock.TRUNCATE_SINCE
        forbidden += [*system_calls.ATTRIBUTES, *([] if holds_truncate else _TRUNCATE)]
    signals = to.is_boxed or landlock.scopes_signals()
    is_confined = system_calls.forbid(
        forbidden, network=to.network, others=to.is_boxed, signals=signals
    )
    if not is_confined and system_calls.library():
        raise WeakerError("libseccomp is there, and cannot be used")


def _drop_capabilities() -> None:
    """Give up what root may do more than others."""
    header, none = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0), (ctypes.c_uint32 * 6)()
    ctypes.CDLL(None).capset(header, none)
