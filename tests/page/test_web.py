"""The server of the explorer: questions, refusals, defects, the data that it shows."""

import asyncio
import json
import re
import shutil
import signal
import socket
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from marubatsu.engine.rules.game import Game
from marubatsu.engine.search.roster import all_ais
from marubatsu.judge.oracle.answer import Answer
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.support.resources import PAGE
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.web.app import HEADERS, is_local, listening, open_app
from marubatsu.web.site import files
from tests.helpers.data.data_sets import GAMES, Solutions, copied
from tests.helpers.page.browser import serving
from tests.helpers.page.pages import ask
from tests.helpers.processes.commands import PATIENCE, require_refused, run_here, watched
from tests.helpers.processes.in_process import ask_app


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/api/v2/games/tictactoe/positions/", "expected 9 cells"),
        ("/api/v2/games/99x99k9/game.json", "99x99k9"),
        ("/api/v2/game.json", "'api/v2/game.json': / is the page"),
        *((f"/{path}", "there is no page") for path in (
            "api/v2/../../pyproject.toml", "api/v2/..%2f..%2fpyproject.toml",
            "api/v2/../%2e%2e/%2e%2e/etc/passwd", "api/v2/../../static/..%5c..%5cx",
            "tree/", "tree/../main.js", "tree/./icicle.js", "tree//icicle.js",
            "tree/%2e%2e/main.js", "tree%5cicicle.js", "icicle.js", "pictures/board-light.png",
        )),
    ],
)  # fmt: skip
def test_a_missing_path_is_answered_with_a_sentence(port: int, path: str, message: str) -> None:
    """A file of the page has one path."""
    found, answer = ask(port, path)
    assert (found, list(answer)) == (404, ["error"])
    assert message in answer["error"]


def test_an_error_quotes_the_start_of_what_is_long(port: int) -> None:
    for path, headers in ((f"/{'a' * 9_000}", {}), ("/", {"Origin": "a" * 9_000})):
        assert len(ask(port, path, **headers)[1]["error"]) < 200


def test_only_the_files_of_the_page_are_served(port: int) -> None:
    assert set(files()) == {
        path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*") if path.is_file()
    }
    assert not any(name.startswith("api/") for name in files())  # The API has these addresses.
    for name in files():
        with urllib.request.urlopen(
            f"http://127.0.0.1:{port}/{name}", timeout=PATIENCE
        ) as response:
            sent = re.sub(rb'="[0-9a-f]{32}/', b'="', response.read())  # The version in the front.
            assert sent == (PAGE / name).read_bytes()
            assert "default-src 'self'" in response.headers["Content-Security-Policy"]


CROSS = {"Sec_Fetch_Site": "cross-site"}
LINK = {**CROSS, "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}


@pytest.mark.parametrize(
    ("headers", "statuses"),
    [  # of the page, of a file of it, of the API
        ({}, (200, 200, 200)),
        ({"Sec_Fetch_Site": "none"}, (200, 200, 200)),
        ({"Sec_Fetch_Site": "same-origin"}, (200, 200, 200)),
        (LINK, (200, 200, 403)),
        *((headers, (403, 403, 403)) for headers in (
            CROSS, {**CROSS, "Sec_Fetch_Mode": "no-cors", "Sec_Fetch_Dest": "image"},
            {**LINK, "Sec_Fetch_Dest": "iframe"}, {**LINK, "Origin": "http://evil.example"},
            {"Sec_Fetch_Site": "same-site"}, {"Origin": "http://evil.example"}, {"Origin": "null"},
            {"Origin": "http://127.0.0.1:1"},
        )),
    ],
)  # fmt: skip
def test_pages_of_other_sites_get_nothing(
    port: int, headers: dict[str, str], statuses: tuple[int, ...]
) -> None:
    """No memory and no time either: a game that is refused is not opened."""
    paths = ("/", "/main.js", "/api/v2/games")
    assert tuple(status_of(port, path, **headers) for path in paths) == statuses


def test_with_cors_other_sites_read_the_api_and_nothing_else(root: Path) -> None:
    with serving(root, "2x2k2", "--cors") as port:
        for headers in (CROSS, {"Origin": "http://other.example"}):
            assert status_of(port, "/api/v2/games/2x2k2/positions/....", **headers) == 200
            assert status_of(port, "/", **headers) == 403


def status_of(port: int, path: str, **headers: str) -> int:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        connection.request("GET", path, headers=sent)
        return connection.getresponse().status


def test_only_loopback_hosts_are_local() -> None:
    assert all(map(is_local, ("127.0.0.1:8000", "localhost", "localhost:1", "[::1]:8000")))
    for host in ("0.0.0.0", "10.0.0.1", "evil.example:80", "127.0.0.1.evil.example",  # noqa: S104
                 "localhost.evil", "127.0.0.1@evil", "::", "a:b:c", "[", ""):  # fmt: skip
        assert not is_local(host), host


def test_sql_answers(port: int) -> None:
    place, own = "/api/v2/games/tictactoe/sql", f"http://127.0.0.1:{port}"
    select = {"sql": "select status, count(*) as n from positions group by status order by n"}
    status, found = ask(port, place, select, Origin=own, Sec_Fetch_Site="same-origin")
    assert status == 200
    assert found["columns"] == ["status", "n"]
    assert sum(row[1] for row in found["rows"]) == 5478
    assert ask(port, place, select, Origin="http://[")[0] == 403
    odd = "select 'nan'::double, [1, '-inf'::double], {'a': 'inf'::float}, date '2026-01-01'"
    assert ask(port, place, {"sql": odd})[1]["rows"][0][:2] == [None, [1.0, None]]
    _, found = ask(port, place, {"sql": "select range from range(5000)"})
    assert (len(found["rows"]), found["more"]) == (1000, True)
    message = "the answer has more than 10 MB: select fewer or shorter values"
    long = {"sql": "select repeat('x', 11000000)"}
    assert ask(port, place, long) == (400, {"error": message})


def test_the_server_asks_an_ai_as_its_table_was_made(port: int, catalog: Catalog) -> None:
    board = "o...x...."
    for ai in all_ais():
        rows = catalog.run(
            "select move, ai_score, is_candidate, probability from ai_moves "
            "join positions using (position) where ai = ? and board = ? order by move",
            [ai.name, board],
        )
        status, found = ask(port, f"/api/v2/games/tictactoe/ais/{ai.name}/positions/{board}")
        assert (status, found) == (200, rows.records())


def test_an_answer_stays_the_same(port: int) -> None:
    def headers() -> list[tuple[str, str]]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/v2/games/tictactoe/positions/o........",
            headers={"Accept-Encoding": "gzip"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:  # noqa: S310, our own server
            return [pair for pair in response.headers.items() if pair[0].lower() != "date"]

    first = headers()
    assert ("content-encoding", "gzip") in [(key.lower(), value) for key, value in first]
    assert all(headers() == first for _ in range(5))


def test_an_internal_error_is_answered_with_a_sentence(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(oracle: Oracle, board: str, **how: str | None) -> Answer:
        raise ZeroDivisionError(board)

    monkeypatch.setattr(Oracle, "answer", fail)
    messages: list[Message] = []
    with open_app(DataSet(root, Game(3, 3, 3))) as app:

        async def heard(scope: Scope, receive: Receive, send: Send) -> None:
            async def note(message: Message) -> None:
                messages.append(message)
                await send(message)

            with suppress(ZeroDivisionError):  # passed on to the log
                await app(scope, receive, note)

        reply = ask_app(heard, "/api/v2/games/tictactoe/positions/.........")
    assert reply.status == 500
    assert set(HEADERS) <= set(messages[0]["headers"])
    assert "internal server error" in json.loads(reply.body)["error"]


@pytest.mark.parametrize("game", ["2x2k2", "3x2k2-misere"])
def test_the_server_shows_what_there_was_when_it_started(
    root: Path, solutions: Solutions, tmp_path: Path, game: str
) -> None:
    data_set = DataSet(tmp_path, Game(game))
    copied((root if game in GAMES else solutions.of(game)) / game, data_set.folder)
    cells = data_set.game.cells
    boards = [f"{marks:.>{cells}}" for marks in ("", "o", "xo")]
    with serving(tmp_path, game) as port:
        place = f"/api/v2/games/{game}"
        paths = [f"{place}/game.json", *(f"{place}/positions/{board}" for board in boards)]
        first = ask(port, paths[0])
        with data_set.lock(write=True, on_wait=pytest.fail):
            for file in sorted(data_set.folder.rglob("*.parquet")):
                content = file.read_bytes()
                file.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
        oracle = {path: ask(port, path) for path in paths}
        shutil.rmtree(data_set.folder)
        assert {path: ask(port, path) for path in paths} == oracle
        assert oracle[paths[0]] == first
        assert {status for status, _ in oracle.values()} == {200}
        (table,) = {"positions", "solution"} & set(first[1]["tables"])
        _, counted = ask(port, f"{place}/sql", {"sql": f"select count(*) from {table}"})  # noqa: S608
        assert counted["rows"][0][0] > 28


def test_a_port_in_use_is_refused(port: int, root: Path) -> None:
    done = run_here("explore", "--no-browser", "--port", str(port), data=root)
    require_refused(done, f"cannot listen on 127.0.0.1:{port}", code=1)


def test_answers_are_sent_without_delay() -> None:
    """Else the second part of each answer waits until the client has acknowledged the first."""

    async def delays() -> bool:
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def meet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            done.set_result(not accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = listening(0)
        async with await asyncio.start_server(meet, sock=listener):
            with closing(socket.create_connection(listener.getsockname())):
                return await done

    with ThreadPoolExecutor(1) as elsewhere:  # A browser's events may run in this thread.
        assert not elsewhere.submit(asyncio.run, delays()).result()


ENDLESS = """
import sys
from time import sleep
from anyio import CapacityLimiter
from starlette.applications import Starlette
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from marubatsu.web.api_routes import while_connected
from marubatsu.web.app import Guard
from marubatsu.web.app import serve

def parts():
    while True:
        yield bytes(1 << 16)

async def send(request):
    return StreamingResponse(parts())

async def wait(request):
    sys.stdout.write("asked\\n")
    sys.stdout.flush()
    await while_connected(request, work, CapacityLimiter(1))

def work(require_client):
    while True:
        require_client()
        sleep(0.01)

routes = [Route("/", wait), Route("/long", send)]
serve(Guard(Starlette(routes=routes)), "a game", 0, opens_browser=False, out=sys.stdout)
"""


def test_an_open_request_is_answered_when_the_server_ends() -> None:
    """Its work ends, too, or the process would wait for it; and nothing is printed.

    A client that does not read its answer is cut off.
    """
    with watched(sys.executable, "-c", ENDLESS) as process:
        assert process.stdout
        address = re.search(r"127.0.0.1:(\d+)", process.stdout.readline())
        assert address
        place = f"127.0.0.1:{int(address[1])}"
        with closing(HTTPConnection(place)) as connection, closing(HTTPConnection(place)) as unread:
            connection.request("GET", "/")
            unread.request("GET", "/long")
            assert unread.getresponse().read(1)
            assert process.stdout.readline() == "asked\n"
            process.terminate()
            answer = connection.getresponse()
            document = json.loads(answer.read())
        _, complaint = process.communicate(timeout=PATIENCE)
    assert (answer.status, document) == (503, {"error": "the server was ended"})
    assert (process.returncode, complaint) == (-signal.SIGTERM, "")
