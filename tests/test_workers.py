"""Processes that share the work of a build: none stays behind, and none is missed quietly."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.processes import Workers
from tests.conftest import running


def workers_of(process: int) -> list[int]:
    """List the workers that a process has started."""
    listed = subprocess.run(
        ["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True, check=True
    ).stdout
    rows = (line.split(None, 2) for line in listed.splitlines()[1:])
    return [int(p) for p, parent, args in rows if int(parent) == process and "worker" in args]


def lives(process: int) -> bool:
    """Tell whether a process is there, zombies apart."""
    state = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return state[:1] not in ("", "Z")


def square(number: int) -> int:
    """Do a piece of work."""
    if number == 13:
        raise ValueError("thirteen")
    if number == 99:
        os._exit(9)
    return number * number


def test_results_come_in_the_order_of_the_tasks() -> None:
    shares: list[float] = []
    with Workers() as workers:
        results = workers.call(square, [(number,) for number in range(12)], shares.append)
        assert results == [number * number for number in range(12)]
        assert shares == [(number + 1) / 12 for number in range(12)]
        with pytest.raises(ValueError, match="thirteen"):
            workers.call(square, [(number,) for number in range(20)], shares.append)
    with Workers() as workers, pytest.raises(DataError, match="run the command again"):
        workers.call(square, [(99,)], shares.append)
    assert workers_of(os.getpid()) == []


@pytest.mark.usefixtures("_heard_sigint")
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)],
)
def test_the_workers_of_a_build_end_with_it(number: int, code: int, tmp_path: Path) -> None:
    with running("build", data=tmp_path) as process:
        started = wait_for_workers(process.pid)
        process.send_signal(number)
        output, said = process.communicate(timeout=30)
        assert (process.returncode, output, said) == (code, "", "")
    for _ in range(200):
        if not any(map(lives, started)):
            break
        time.sleep(0.05)
    assert not any(map(lives, started))
    left = [path.name for path in (tmp_path / "tictactoe").iterdir()]
    assert number == signal.SIGKILL or left == []
    assert all(name.endswith(".partial") for name in left)


def test_a_build_that_loses_a_worker_says_so(tmp_path: Path) -> None:
    with running("build", data=tmp_path) as process:
        os.kill(wait_for_workers(process.pid)[0], signal.SIGKILL)
        output, said = process.communicate(timeout=30)
    assert (process.returncode, output) == (1, "")
    assert "was ended, as too little memory does: nothing is changed" in said
    assert "Traceback" not in said
    assert list((tmp_path / "tictactoe").iterdir()) == []


def wait_for_workers(process: int) -> list[int]:
    """Wait until a build has started its workers."""
    for _ in range(400):
        if started := workers_of(process):
            time.sleep(0.5)
            return started
        time.sleep(0.05)
    pytest.fail("the build starts no workers")
