"""Processes that share the work of a build: none stays behind, and none is missed quietly."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.processes import WorkerProcesses
from tests.helpers.processes.commands import PATIENCE, running
from tests.helpers.processes.descendants import children_of, lives, wait_until


def square(number: int) -> int:
    """Do a piece of work."""
    if number == 13:
        raise ValueError("thirteen")
    if number == 99:
        os._exit(9)
    return number * number


def test_results_come_in_the_order_of_the_tasks() -> None:
    shares: list[float] = []
    with WorkerProcesses() as workers:
        results = workers.call(square, [(number,) for number in range(12)], shares.append)
        assert results == [number * number for number in range(12)]
        assert shares == [(number + 1) / 12 for number in range(12)]
        with pytest.raises(ValueError, match="thirteen"):
            workers.call(square, [(number,) for number in range(20)], shares.append)
    with WorkerProcesses() as workers, pytest.raises(DataError, match="run the command again"):
        workers.call(square, [(99,)], shares.append)
    assert children_of(os.getpid(), "worker") == []


@pytest.mark.usefixtures("_heard_sigint")
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)],
)
def test_the_workers_of_a_build_end_with_it(number: int, code: int, tmp_path: Path) -> None:
    with running("build", data=tmp_path) as process:
        started = wait_for_workers(process.pid)
        process.send_signal(number)
        output, said = process.communicate(timeout=PATIENCE)
        assert (process.returncode, output, said) == (code, "", "")
    wait_until(lambda: not any(map(lives, started)))
    left = [path.name for path in (tmp_path / "tictactoe").iterdir()]
    assert number == signal.SIGKILL or left == []
    assert all(name.endswith(".partial") for name in left)


def test_a_build_that_loses_a_worker_says_so(tmp_path: Path) -> None:
    with running("build", data=tmp_path) as process:
        os.kill(wait_for_workers(process.pid)[0], signal.SIGKILL)
        output, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, output) == (1, "")
    assert "was ended, as too little memory does: nothing is changed" in said
    assert "Traceback" not in said
    assert list((tmp_path / "tictactoe").iterdir()) == []


def wait_for_workers(process: int) -> list[int]:
    """Wait until a build has started its workers."""
    wait_until(lambda: children_of(process, "worker"))
    time.sleep(0.5)  # They are at work.
    return children_of(process, "worker")


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not limit address space")
@pytest.mark.parametrize("command", ["solve", "prove", "compare"])
def test_too_little_address_space_is_told(command: str, tmp_path: Path) -> None:
    limited = f"ulimit -v 600000; exec '{sys.executable}' -m marubatsu {command} 2x2k2"
    done = subprocess.run(
        ["sh", "-c", f"{limited} --data '{tmp_path}'"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "the system gives this process too little memory or too few threads" in done.stderr
    assert "Traceback" not in done.stderr
