"""The memory of an agent: of one process, and of all its processes together."""

import errno
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread

import pytest

from marubatsu.engine.ais.reply import Fault, Reply
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents import confine
from marubatsu.judge.agents.address import parse_command
from marubatsu.judge.agents.agent import Agent
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.judge.agents.confine import children
from marubatsu.judge.agents.players import agent_of

pytestmark = [
    pytest.mark.programs, pytest.mark.usefixtures("box_kind"),
    pytest.mark.skipif(
        not confine.can_be_watched(),
        reason="this system does not list the children of a process",
    ),
]  # fmt: skip

MOST = 600 << 20
TAKER = """
import mmap, os, sys, time
def take(size):
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for place in range(0, size, mmap.PAGESIZE):
        memory[place] = 1
    return memory
for line in sys.stdin:
    BODY
    print(line.split()[0], 0, flush=True)
"""
MANY = """
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
            memory = take(200 << 20)
            time.sleep(1000)
    time.sleep(1000)
"""
SHARED = """
    memory = take(200 << 20)
    ready, done = os.pipe()
    for _ in range(5):
        if os.fork() == 0:
            os.write(done, b"x")
            time.sleep(1000)
    for _ in range(5):
        os.read(ready, 1)
"""


def taker(tmp_path: Path, body: str) -> Agent:
    program = tmp_path / "taker.py"
    program.write_text(TAKER.replace("    BODY", body), encoding="utf-8")
    settings = AgentSettings(seconds=60, memory=MOST)
    return agent_of(parse_command(f"{sys.executable} {program}"), Game("2x2k2"), settings)


def test_the_memory_limit_counts_all_processes(tmp_path: Path) -> None:
    ours = children()
    with taker(tmp_path, MANY) as agent:
        assert agent.ask("....", [0, 1, 2, 3]) == Fault(
            "memory", "its processes use more memory together than it may have",
            "the option agent_memory gives it more",
        )  # fmt: skip
    assert children() <= ours


def test_a_thread_that_ends_hides_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that another thread started are still found."""
    read = Path.read_text

    def read_of_others(path: Path, **options: str) -> str:
        if path.parent.name == str(os.getpid()):  # The first thread.
            raise ProcessLookupError(errno.ESRCH, os.strerror(errno.ESRCH))
        return read(path, **options)

    def start_and_look() -> bool:
        with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
            found = child.pid in confine.descendants(os.getpid())
            child.communicate(b"\n")
        return found

    monkeypatch.setattr(Path, "read_text", read_of_others)
    with ThreadPoolExecutor() as thread:
        assert thread.submit(start_and_look).result()


def test_shared_memory_of_processes_counts_once(tmp_path: Path) -> None:
    ours = {*confine.descendants(os.getpid())}
    with taker(tmp_path, SHARED) as agent:
        assert agent.ask("....", [0, 1, 2, 3]) == Reply((0,))
        family = [each for each in confine.descendants(os.getpid()) if each not in ours]
        assert len(family) >= 6
        assert 200 << 20 < confine.used(family) < MOST
        assert isinstance(agent.ask("....", [0, 1]), Reply)


def test_a_process_that_cannot_be_watched_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    ours = children()
    agent = taker(tmp_path, "")
    monkeypatch.setattr(Thread, "start", refuse)
    with pytest.raises(RuntimeError, match="can't start"):
        agent.__enter__()
    assert children() <= ours
