"""Confine this process for good, before it runs anybody's code."""

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from marubatsu.pipeline.confinement import landlock, system_calls

_PROCESSES = 256  # processes and threads of a user in a box; root has no limit
_DIE_WITH_PARENT = 1  # prctl
_CAPABILITIES_VERSION = 0x20080522
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


@dataclass(frozen=True)
class Confinement:
    """What a foreign process may use."""

    scratch: str  # the folder that it may write to
    scratch_bytes: int  # of each file in it
    memory: int  # bytes of address space
    readable: list[str]  # files and folders; the root where its namespaces hide all others
    network: bool
    is_boxed: bool  # in namespaces of its own


def confine(to: Confinement) -> None:
    """Confine this process and all that it starts, as far as the system can."""
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
    readable = [Path(path) for path in (*to.readable, *_DEVICES, "/proc")]
    landlock.restrict(readable, [Path(to.scratch), Path(os.devnull)], network=to.network)
    # In namespaces files are read-only, and other processes and their memory cannot be seen.
    forbidden = [*system_calls.KERNEL]
    if not to.is_boxed:
        _drop_capabilities()
        forbidden += [*system_calls.SHARED, *system_calls.ATTRIBUTES]
    signals = to.is_boxed or landlock.scopes_signals()
    system_calls.forbid(forbidden, network=to.network, others=to.is_boxed, signals=signals)


def _drop_capabilities() -> None:
    """Give up what root may do more than others."""
    header, none = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0), (ctypes.c_uint32 * 6)()
    ctypes.CDLL(None).capset(header, none)
