"""An audit of a paid agent, killed with SIGKILL and resumed: no question is paid for twice."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.helpers.processes.commands import PATIENCE, Marubatsu, running
from tests.helpers.processes.watching import wait_until

SMALL = "3x2k2"
AGENT = """
from urllib.request import urlopen

def choose(board, moves):
    with urlopen("{address}/" + board.replace(".", "_")) as reply:
        return moves[int(reply.read()) % len(moves)]
"""


class Service(ThreadingHTTPServer):
    """A service on this machine that takes money for each answer, and notes it in a file."""

    daemon_threads = True

    def __init__(self, bill: Path) -> None:
        """Start with an empty bill."""
        super().__init__(("127.0.0.1", 0), Handler)
        self.bill, self.lock, self.closed = bill, threading.Lock(), threading.Event()
        self.answers: int | None = None  # after so many it answers no more
        self.waiting = 0  # questions without an answer
        bill.write_text("", encoding="utf-8")

    @property
    def paid(self) -> list[str]:
        """The boards that were paid for, in their order."""
        return self.bill.read_text(encoding="utf-8").split()

    def is_answered(self, board: str) -> bool:
        """Write a question on the bill; False for one that gets no answer."""
        with self.lock:
            if self.answers is not None and len(self.paid) >= self.answers:
                self.waiting += 1
                return False
            with self.bill.open("a", encoding="utf-8") as bill:
                bill.write(f"{board}\n")
            return True


class Handler(BaseHTTPRequestHandler):
    """Answers with a number for a board."""

    server: Service

    def do_GET(self) -> None:
        """Answer, or wait for the end."""
        board = self.path.removeprefix("/")
        if not self.server.is_answered(board):
            self.server.closed.wait(PATIENCE)
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(sum(map(ord, board))).encode())

    def log_message(self, *words: object) -> None:
        """Say nothing."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """Run a service."""
    with Service(tmp_path / "bill") as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.closed.set()
        server.shutdown()
        thread.join(PATIENCE)


@pytest.mark.parametrize(("answers", "jobs"), [(0, 1), (7, 2)])
def test_after_kill_9_no_question_is_asked_twice(
    root: Path, tmp_path: Path, marubatsu: Marubatsu, service: Service, answers: int, jobs: int
) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(
        AGENT.format(address=f"http://127.0.0.1:{service.server_port}"), encoding="utf-8"
    )
    words = (
        "audit", f"{agent}:choose", "--game", SMALL, "--allow-network", "--no-matches",
        "--jobs", str(jobs), "--format", "json",
    )  # fmt: skip
    whole = marubatsu(*words)
    assert whole.returncode == 0, whole.stderr
    questions = service.paid
    service.bill.write_text("", encoding="utf-8")
    service.answers = answers
    kept = tmp_path / "answers.jsonl"
    with running(*words, "--resume", str(kept), data=root) as process:
        wait_until(lambda: service.waiting == jobs)
        wait_until(lambda: kept.read_bytes().count(b"\n") == 1 + answers)
        process.kill()
        process.wait(PATIENCE)
    assert len(service.paid) == answers
    service.answers = None
    resumed = marubatsu(*words, "--resume", str(kept))
    assert resumed.returncode == 0, resumed.stderr
    assert sorted(service.paid) == sorted(questions)
    assert json.loads(resumed.stdout) == json.loads(whole.stdout)
