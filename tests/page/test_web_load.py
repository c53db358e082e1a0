"""The server of the explorer under load: endless queries, many requests, many games."""

import json
import os
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import product
from pathlib import Path

import pytest

from marubatsu.engine.rules.game import Game
from tests.helpers.page.browser import serving
from tests.helpers.page.pages import ask
from tests.helpers.processes.commands import PATIENCE
from tests.helpers.processes.watching import children_of, wait_until

ENDLESS = {"sql": "select count(*) from tree_bfs a, tree_bfs b, tree_bfs c"}


def patched(change: str) -> tuple[str, str]:
    """Return how Python starts a marubatsu whose server is changed."""
    lines = ("from dataclasses import replace", "from marubatsu.web import games", change,
             "from marubatsu.__main__ import main", "main()")  # fmt: skip
    return "-c", "\n".join(lines)


LIMITED = "games.LIMITS = replace(games.LIMITS, seconds={})"


def test_a_runaway_query_is_stopped_and_the_server_lives_on(root: Path) -> None:
    with serving(root, start=patched(LIMITED.format(1.0))) as port:
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
