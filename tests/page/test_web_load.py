"""The server of the explorer under load: endless queries, many requests, silent clients."""

import asyncio
import json
import os
import socket
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPConnection
from itertools import product
from pathlib import Path

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from marubatsu.engine.rules.game import Game
from marubatsu.web import app as web_server
from tests.helpers.page.browser import serving
from tests.helpers.page.pages import ask
from tests.helpers.processes.commands import PATIENCE
from tests.helpers.processes.watching import children_of, wait_until

ENDLESS = {"sql": "select count(*) from tree_bfs a, tree_bfs b, tree_bfs c"}


def patched(change: str, before: str = "") -> tuple[str, str]:
    """Return how Python starts a marubatsu whose server is changed, perhaps before it is loaded."""
    lines = ("import os, resource", before, "from dataclasses import replace",
             "from marubatsu.web import app, games", change,
             "from marubatsu.__main__ import main", "main()")  # fmt: skip
    return "-c", "\n".join(lines)


LIMITED = "games.LIMITS = replace(games.LIMITS, seconds={})"


def test_a_runaway_query_is_stopped_and_the_server_lives_on(root: Path) -> None:
    """No connection is closed while it waits for an answer, for longer than it may be silent."""
    with serving(root, start=patched(LIMITED.format(1.0) + "; app._SILENCE = 0.9")) as port:
        status, answer = ask(port, "/api/v2/games/tictactoe/sql", ENDLESS)
        assert status == 400
        assert answer == {"error": "the query was stopped after 1 s"}  # Clients set no limit.
        select = {"sql": "select 1"}
        wait_until(lambda: ask(port, "/api/v2/games/tictactoe/sql", select)[0] == 200)


def test_a_query_is_cancelled_when_its_client_disconnects(root: Path) -> None:
    """Two may run at once: when both are abandoned, the next one need not wait for their time."""
    with serving(root, start=patched(LIMITED.format(86_400.0))) as port:
        for _ in range(2):
            connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            connection.request("POST", "/api/v2/games/tictactoe/sql", json.dumps(ENDLESS),
                               {"Content-Type": "application/json"})  # fmt: skip
            time.sleep(0.3)
            assert (
                ask(port, "/api/v2/games/tictactoe/positions/.........")[0] == 200
            )  # The server sees it meanwhile.
            connection.close()
        assert ask(port, "/api/v2/games/tictactoe/sql", {"sql": "select 1"})[0] == 200


@pytest.mark.parametrize("connection", ["close", "keep-alive"])
def test_a_client_that_reads_nothing_is_cut_off(
    connection: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_server, "_READING", 0.05)
    state = ServerState()

    async def large(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": bytes(10**7)})

    async def serve_one() -> None:
        config = uvicorn.Config(large)
        config.load()
        server = await asyncio.get_running_loop().create_server(
            lambda: web_server.Protocol(config, state, {}), "127.0.0.1", 0
        )
        async with server:
            with socket.socket() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                client.connect(server.sockets[0].getsockname())
                client.sendall(f"GET / HTTP/1.1\r\nConnection: {connection}\r\n"
                               "Host: 127.0.0.1\r\n\r\n".encode())  # fmt: skip
                while state.total_requests == 0 or state.connections:  # noqa: ASYNC110, it has no event
                    await asyncio.sleep(0.01)

    with ThreadPoolExecutor(1) as elsewhere:  # A browser's loop may run in this thread.
        elsewhere.submit(lambda: asyncio.run(asyncio.wait_for(serve_one(), PATIENCE))).result()


def test_many_requests_at_a_time_lose_none(port: int) -> None:
    """200 at a time; `make bench` goes on for 30 seconds."""
    boards = [".........", "o........", "....o....", "o...x....", "zzz"]

    def one(number: int) -> int:
        return ask(port, f"/api/v2/games/tictactoe/positions/{boards[number % len(boards)]}")[0]

    with ThreadPoolExecutor(200) as pool:
        found = list(pool.map(one, range(400)))
    assert [found.count(status) for status in (200, 404)] == [320, 80]


PROC = "only Linux says in /proc how much memory a process has"


@pytest.mark.skipif(sys.platform != "linux", reason=PROC)
def test_games_that_many_clients_open_take_little_memory(root: Path) -> None:
    """20 clients open 16 games by search, each twice; 4 at a time stay open."""
    sizes = product((4, 7), (4, 6), (3, 4), ("", "-misere"))
    games = [Game(f"{columns}x{rows}k{run}-gravity{rule}") for columns, rows, run, rule in sizes]
    with serving(root, start=patched("games.SECONDS = 0.5")) as port:
        (server,) = children_of(os.getpid(), "games.SECONDS")

        def one(number: int) -> int:
            game = games[number % len(games)]
            search = "yes" if number % 8 < 2 else "no"
            path = f"/api/v2/games/{game.notation}/positions/{'.' * game.cells}?search={search}"
            return ask(port, path)[0]

        assert [one(0), one(1)] == [200, 200]  # Both kinds of searches are loaded.
        with ThreadPoolExecutor(20) as pool:
            statuses = Counter(pool.map(one, range(2 * len(games))))
        assert set(statuses) <= {200, 503}
        assert most_memory_of(server) < MOST_MEMORY


MOST_MEMORY = 600_000_000  # Four open games take some 140 MB.


def most_memory_of(process: int) -> int:
    """Return the most bytes of memory that a process has used."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    (line,) = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) * 1024


def test_connections_without_requests_do_not_block_others(root: Path, tmp_path: Path) -> None:
    """More of them than the server has file descriptors, which are few."""
    log = tmp_path / "log"
    few_files = (
        "resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))\n"
        f"os.dup2(os.open({str(log)!r}, os.O_CREAT | os.O_WRONLY), 2)"
    )
    start = patched("app._SILENCE = 1", before=few_files)
    with serving(root, start=start) as port, ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
        assert ask(port, "/api/v2/games/tictactoe/positions/.........")[0] == 200
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as slow:
            slow.sendall(b"GET / HTTP/1.1\r\n")
            assert slow.recv(1) == b""  # It is closed: the request does not arrive.
    assert log.read_text() == ""
