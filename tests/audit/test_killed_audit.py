"""An audit of a paid agent, killed with SIGKILL and resumed: no question is paid for twice."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
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


class Service:
    """A service on this machine that takes money for each answer, and notes it in a file."""

    def __init__(self, bill: Path) -> None:
        """Start with an empty bill."""
        self.bill, self.address = bill, ""
        self.answers: int | None = None  # after so many it answers no more
        self.waiting = 0  # questions without an answer
        self.lock, self.closed = threading.Lock(), threading.Event()
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


@contextmanager
def served(bill: Path) -> Iterator[Service]:
    """Run a service."""
    service = Service(bill)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            board = self.path.removeprefix("/")
            if not service.is_answered(board):
                service.closed.wait(PATIENCE)
                return
            self.send_response(200)
            self.end_headers()
            self.wfile.write(str(sum(map(ord, board))).encode())

        def log_message(self, *words: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        service.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield service
        finally:
            service.closed.set()
            server.shutdown()
            thread.join(PATIENCE)


@pytest.mark.parametrize(("answers", "jobs"), [(0, 1), (1, 1), (7, 1), (7, 2)])
def test_after_kill_9_no_question_is_asked_twice(
    root: Path, tmp_path: Path, marubatsu: Marubatsu, answers: int, jobs: int
) -> None:
    with served(tmp_path / "bill") as service:
        agent = tmp_path / "agent.py"
        agent.write_text(AGENT.format(address=service.address), encoding="utf-8")
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
