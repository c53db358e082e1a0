"""Processes of this machine: their children, whether they run, their terminals, and waiting."""

import os
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress

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
    """Return whether a process runs; one that has ended and waits for its parent does not."""
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


def shown_on(terminal: int) -> str:
    """Read all that appears on a terminal until its other end is closed, and close this end.

    A terminal may pass on line by line, so one reading is not enough.
    """
    shown = b""
    with suppress(OSError):  # Linux reports a closed other end so.
        while chunk := os.read(terminal, 4096):
            shown += chunk
    os.close(terminal)
    return shown.decode()
