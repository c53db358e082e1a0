"""Processes of this machine: who started whom, who still runs, waiting for what will happen."""

import subprocess
import time
from collections.abc import Callable

import pytest

from tests.helpers.processes.commands import PATIENCE


def children_of(parent: int, word: str = "") -> list[int]:
    """List the processes that a process has started, with a word in their command lines."""
    listed = subprocess.run(
        ["ps", "-ww", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    )
    rows = (line.split(None, 2) for line in listed.stdout.splitlines())
    return [int(pid) for pid, by, *args in rows if int(by) == parent and word in "".join(args)]


def lives(process: int) -> bool:
    """Tell whether a process is there, and not one that has ended and waits for its parent."""
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False
    )
    return state.stdout.strip()[:1] not in ("", "Z")


def wait_until(happens: Callable[[], object], pause: float = 0.05) -> None:
    """Wait for what must happen, however slow the machine; fail when it never does."""
    until = time.monotonic() + PATIENCE
    while not happens():
        if time.monotonic() > until:
            pytest.fail("it did not happen")
        time.sleep(pause)
