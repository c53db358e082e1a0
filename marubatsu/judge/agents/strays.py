"""What foreign processes leave behind: processes without parents, folders of any depth."""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

_TOLD_OF_PARENT, _ADOPT_ORPHANS = 1, 36  # prctl
_ENDING = 5.0  # seconds to end processes that start others meanwhile


def supervise() -> None:
    """Fork, and return in the child.

    The parent adopts what the child leaves behind, ends it when the child ends or when it is
    terminated itself, and ends as the child did. Only Linux has orphans that can be adopted.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    libc.prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
    libc.prctl(_TOLD_OF_PARENT, signal.SIGTERM, 0, 0, 0)
    child = os.fork()
    if child == 0:
        return

    def end(*_: Any) -> None:
        end_all(children())
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    for handle in range(3):
        os.close(handle)  # The judge waits for the ends of the child's pipes.
    _, status = os.waitpid(child, 0)
    end_all(children())
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


def children() -> set[int]:
    """Return the ids of our child processes; none on a system without ``/proc``."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            # The name of the program, in brackets, may contain any character.
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                found.add(int(stat.parent.name))
    return found


def end_all(strays: set[int]) -> None:
    """Kill processes, and the orphans that we adopt from them, for some seconds at most."""
    until = time.monotonic() + _ENDING
    while strays and time.monotonic() < until:
        for number in (signal.SIGSTOP, signal.SIGKILL):  # Who is stopped starts no others.
            for stray in strays:
                with suppress(ProcessLookupError):
                    os.kill(stray, number)
        for stray in strays:
            with suppress(ChildProcessError):
                os.waitpid(stray, 0)
        strays = children()


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder that is removed at the end of the block, whatever was put there."""
    folder = Path(mkdtemp())
    try:
        yield folder
    finally:
        empty(folder)
        folder.rmdir()


def empty(folder: Path) -> None:
    """Remove all that is in a folder, however deep: what its folders hold moves up first."""
    free = (folder / f"{number}" for number in count())
    folder.chmod(0o700)
    while entries := list(os.scandir(folder)):
        for entry in entries:
            if not _is_folder(entry):
                Path(entry).unlink()
                continue
            Path(entry).chmod(0o700)
            for inner in list(os.scandir(entry.path)):
                if _is_folder(inner):
                    Path(inner).chmod(0o700)  # Else it cannot move.
                Path(inner).rename(next(path for path in free if not os.path.lexists(path)))
            Path(entry).rmdir()


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)
