"""The memory of a foreign process and of all that it starts, together.

The kernel limits the address space of each process, not their sum. So the judge adds up what they
use, ten times a second, and ends them when that is too much.
"""

import os
import subprocess
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path

_EVERY = 0.1  # seconds
_KIB = 1 << 10


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
            if self._is_too_much():
                self.is_over = True
                self._process.send_signal(self._signal)
                return

    def _is_too_much(self) -> bool:
        """Return whether they use too much; what they share counts only once."""
        family = descendants(self._process.pid)
        return sum(map(_each_used, family)) > self._most and used(family) > self._most


@cache
def can_be_watched() -> bool:
    """Return whether this system tells which processes a process has started."""
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
    found: list[int] = []
    waiting = [process]
    while waiting:
        with suppress(OSError):  # It has ended.
            for thread in Path(f"/proc/{waiting.pop()}/task").iterdir():
                started = thread.joinpath("children").read_text(encoding="ascii").split()
                waiting += map(int, started)
                found += map(int, started)
    return found


def _used(process: int, file: str, *names: str) -> int:
    """Return the sum of some lines of a file about a process; 0 when it has ended."""
    total = 0
    with suppress(OSError):
        for line in Path(f"/proc/{process}/{file}").read_text(errors="replace").splitlines():
            if line.startswith(names):
                total += int(line.split()[1]) * _KIB
    return total
