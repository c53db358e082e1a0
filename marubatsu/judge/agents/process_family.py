"""Foreign processes and all that they start: their memory together, what they leave behind.

The kernel limits the address space of each process, not their sum. So the judge adds up what they
use, ten times a second, and ends them when that is too much.
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

_EVERY = 0.1  # seconds
_KIB = 1 << 10

_ENDING = 5.0  # seconds to end processes that start others meanwhile


class MemoryWatch:
    """Ends a process when all that it has started use more memory than they may."""

    def __init__(self, process: "subprocess.Popen[bytes]", most: int, end: int) -> None:
        """Name the process, the bytes, and the signal that ends it with all that it started."""
        self._process, self._most, self._signal = process, most, end
        self.is_over = False
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Watch no more."""
        self._stopped.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stopped.wait(_EVERY):
            family = descendants(self._process.pid)
            # What they share counts only once; that sum takes longer.
            if sum(map(_each_used, family)) > self._most and used(family) > self._most:
                self.is_over = True
                self._process.send_signal(self._signal)
                return


@cache
def can_be_watched() -> bool:
    """Return whether this system lists the processes that a process has started."""
    return Path(f"/proc/self/task/{os.getpid()}/children").exists()


def used(processes: list[int]) -> int:
    """Return the bytes that processes use together, in memory and swapped out."""
    return sum(
        _used(process, "smaps_rollup", "Pss:", "SwapPss:") or _each_used(process)
        for process in processes
    )


def _each_used(process: int) -> int:
    """Return the bytes that a process uses, with those that it shares."""
    return _used(process, "status", "VmRSS:", "VmSwap:")


def descendants(process: int) -> list[int]:
    """Return the processes that one has started, and those that they have started."""
    started_ids: list[int] = []
    waiting = [process]
    while waiting:
        threads: list[Path] = []
        with suppress(OSError):  # The process has ended.
            threads = [*Path(f"/proc/{waiting.pop()}/task").iterdir()]
        for thread in threads:
            with suppress(OSError):  # The thread has ended; the others are still read.
                started = thread.joinpath("children").read_text(encoding="ascii").split()
                waiting += map(int, started)
                started_ids += map(int, started)
    return started_ids


def _used(process: int, file: str, *names: str) -> int:
    """Return the sum of some lines of a file about a process; 0 when it has ended."""
    total = 0
    with suppress(OSError):
        for line in Path(f"/proc/{process}/{file}").read_text(errors="replace").splitlines():
            if line.startswith(names):
                total += int(line.split()[1]) * _KIB
    return total


_TOLD_OF_PARENT, _ADOPT_ORPHANS = 1, 36  # prctl


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
    ids = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            # The name of the program, in brackets, may contain any character.
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                ids.add(int(stat.parent.name))
    return ids


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
