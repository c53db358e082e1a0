"""An audit of a paid agent, killed with SIGKILL and resumed: no question is paid for twice."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.helpers.processes.commands import PATIENCE, Marubatsu, json_of, running
from tests.helpers.processes.watching import wait_until

SMALL = "3x2k2"
AGENT = """
from urllib.request import urlopen

def choose(board, moves):
    with urlopen("{address}/" + board.replace(".", "_")) as reply:
        return moves[int(reply.read()) % len(moves)]
"""


class _Service(ThreadingHTTPServer):
    """A service on this machine that takes money for each answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.lock, self.closed = threading.Lock(), threading.Event()
        self.answers = 1000  # after so many it answers no more
        self.paid: list[str] = []
        self.waiting: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    """Answers with a number for a board, or waits for the end."""

    server: _Service

    def do_GET(self) -> None:
        board, server = self.path.removeprefix("/"), self.server
        with server.lock:
            is_answered = len(server.paid) < server.answers
            (server.paid if is_answered else server.waiting).append(board)
        if not is_answered:
            server.closed.wait(PATIENCE)
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(str(sum(map(ord, board))).encode())

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[_Service]:
    with _Service() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.closed.set()
        server.shutdown()
        thread.join(PATIENCE)


@pytest.mark.parametrize(("answers", "jobs"), [(0, 1), (7, 2)])
def test_after_kill_9_no_question_is_asked_twice(
    root: Path, tmp_path: Path, marubatsu: Marubatsu, service: _Service, answers: int, jobs: int
) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(
        AGENT.format(address=f"http://127.0.0.1:{service.server_port}"), encoding="utf-8"
    )
    words = (
        "audit", f"{agent}:choose", "--game", SMALL, "--allow-network", "--no-matches",
        "--jobs", str(jobs), "--format", "json",
    )  # fmt: skip
    whole = json_of(marubatsu(*words))
    questions, service.paid, service.answers = service.paid, [], answers
    kept = tmp_path / "answers.jsonl"
    with running(*words, "--resume", str(kept), data=root) as process:
        wait_until(lambda: len(service.waiting) == jobs)
        wait_until(lambda: kept.read_bytes().count(b"\n") == 1 + answers)
        process.kill()
        process.wait(PATIENCE)
    assert len(service.paid) == answers
    service.answers = 1000
    assert json_of(marubatsu(*words, "--resume", str(kept))) == whole
    assert sorted(service.paid) == sorted(questions)
