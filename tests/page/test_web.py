"""The server of the explorer: documents equal the tables, questions, refusals, load, fuzzing."""

import json
import shutil
import socket
import time
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import anyio
import pytest
from starlette.types import Message

from marubatsu.engine.players.roster import all_ais
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.oracle.answer import Answer
from marubatsu.pipeline.oracle.oracle import Oracle
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.resources import PAGE
from marubatsu.pipeline.web.app import open_app
from marubatsu.pipeline.web.documents import Documents
from marubatsu.pipeline.web.guard import HEADERS, is_local
from marubatsu.pipeline.web.page_files import files
from tests.helpers.browser import serving
from tests.helpers.commands import PATIENCE, run_here, run_marubatsu
from tests.helpers.data_sets import GAMES, Solutions, contents, copied
from tests.helpers.pages import ask

pytestmark = pytest.mark.xdist_group("page")  # One worker starts servers and a browser.


ALPHABET = "/.%ox0159abc?&=#\\\x00\r\n \"'<>{}[]é〇"
TREES = {
    "bfs": "select move from tree_bfs where node > 0 order by node",
    "dfs": "select move from tree_dfs where node > 0 order by node",
}


@pytest.fixture(scope="module")
def documents(catalog: Catalog) -> Documents:
    return Documents(catalog)


def read(documents: Documents, path: str) -> Any:
    return json.loads(documents.get(path))


def test_the_documents_of_positions_are_the_tables(catalog: Catalog, documents: Documents) -> None:
    wanted = catalog.run(
        "select positions.*, nodes_below from positions join subtree_sizes using (position) "
        "order by position"
    )
    rows = [dict(zip(wanted.columns, row, strict=True)) for row in wanted.rows]
    moves = catalog.run(
        "select position, move, child, loss from moves order by position, move"
    ).rows
    shown = 0
    for ply in read(documents, "game.json")["plies"]:
        table = read(documents, f"positions/{ply['ply']}.json")
        assert table["first"] == ply["first"]
        assert len(table["board"]) == ply["positions"]
        place = table["first_move"]
        for index in range(ply["positions"]):
            row = rows[table["first"] + index]
            for column in ("board", "status", "turn", "class", "symmetry", "nodes", "score",
                           "score_sv", "score_svrd", "distance", "critical", "random_circle",
                           "random_draw", "random_cross", "best_moves", "best_moves_sv",
                           "best_moves_svrd"):  # fmt: skip
                assert table[column][index] == row[column], (column, row)
            assert table["subtree"][index] == row["nodes_below"]
            here = moves[place : place + len(table["moves"][index])]
            place += len(here)
            assert all(each[0] == row["position"] for each in here)
            assert table["moves"][index] == [each[1] for each in here]
            assert table["children"][index] == [each[2] for each in here]
            assert table["loss"][index] == [each[3] for each in here]
            shown += 1
    assert shown == len(rows) == 5478
    assert place == len(moves) == 16167


@pytest.mark.parametrize("ai", [ai.name for ai in all_ais()])
def test_the_document_of_an_ai_is_its_table(
    catalog: Catalog, documents: Documents, ai: str
) -> None:
    rows = catalog.run(
        "select is_candidate, ai_score from ai_moves where ai = ? order by position, move", [ai]
    ).rows
    document = read(documents, f"ais/{ai}.json")
    assert [each == "1" for each in document["candidates"]] == [row[0] for row in rows]
    if document["ai_scores"] is None:
        assert {row[1] for row in rows} == {None}
    else:
        assert [document["ai_scores"][code] for code in document["codes"]] == [
            row[1] for row in rows
        ]


def test_a_trace_replays_to_its_table(catalog: Catalog, documents: Documents) -> None:
    for about in read(documents, "game.json")["traces"]:
        trace = read(documents, f"traces/{about['search']}.json")
        rows = catalog.run(
            "select kind, alpha, beta, score, skipped, line from search_trace where search = ? "
            "order by event",
            [about["search"]],
        ).rows
        assert len(rows) == len(trace["codes"]) == about["events"]
        line: list[int] = []
        for code, cell, row in zip(trace["codes"], trace["cells"], rows, strict=True):
            kind = trace["kinds"][code]
            if cell != ".":
                assert kind["kind"] == "enter"
                line.append(int(cell))
            digits = int("".join(str(each + 1) for each in line) or 0)
            assert (*kind.values(), digits) == row
            if kind["kind"] == "leave" and line:
                line.pop()
        assert line == []
        entered = sum(trace["kinds"][code]["kind"] == "enter" for code in trace["codes"])
        assert entered == about["entered"]


def test_the_documents_of_the_trees_are_the_tables(catalog: Catalog, documents: Documents) -> None:
    for order, sql in TREES.items():
        rows = catalog.run(sql).rows
        moves = read(documents, f"trees/{order}.json")["moves"]
        assert moves == "".join(str(move) for (move,) in rows)
        assert len(moves) == 549_945


def test_every_document_is_listed_and_deterministic(catalog: Catalog, documents: Documents) -> None:
    again = Documents(catalog)
    assert len(documents.paths) == len(set(documents.paths)) > 80
    for path in documents.paths:
        assert documents.get(path) == again.get(path)


def test_a_position_class_and_node_are_told(port: int) -> None:
    status, found = ask(port, "/api/v1/position/o...x...o")
    assert status == 200
    assert (found["score"], found["distance"], found["class"]) == (0, 6, 33)
    assert [move["loss"] for move in found["moves"]] == [0, 0, 0, 0, 1, 1]
    status, found = ask(port, "/api/v1/class/33")
    assert (found["orbit"], found["boards"]) == (2, ["o...x...o", "..o.x.o.."])
    status, found = ask(port, "/api/v1/node/519")
    assert (found["board"], found["subtree"], found["parent_line"]) == ("x...o...o", 1173, 51)
    assert len(found["children"]) == 6
    assert ask(port, "/api/v1/node/0")[1]["subtree"] == 549_946
    listed = ask(port, "/api/v1/ais")[1]
    table = [{**row, "parameters": json.loads(row["parameters"])}
             for row in ask(port, "/api/v1/game.json")[1]["ais"]]  # fmt: skip
    asked = [{**row, "parameters": json.loads(row["parameters"])} for row in listed]
    assert sorted(asked, key=lambda row: str(row["ai"])) == table
    status, found = ask(port, "/api/v1/")
    assert status == 200
    assert "positions/0.json" in found["documents"]
    for name in ("strong", "openings"):
        assert ask(port, f"/api/v1/reports/{name}.json")[1]["rows"]


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("/api/v1/position/zzz", 404, "expected 9 cells"),
        ("/api/v1/position/ooo......", 404, "no game of tictactoe reaches"),
        ("/api/v1/position/", 404, "expected 9 cells"),
        ("/api/v1/class/765", 404, "there is no class '765': expected 0 to 764"),
        ("/api/v1/class/-1", 404, "there is no class"),
        ("/api/v1/node/1111", 404, "there is no node with the line '1111'"),
        ("/api/v1/node/" + "9" * 400, 404, "there is no node"),
        ("/api/v1/reports/nothing.json", 404, "there is no 'reports/nothing.json' in the API"),
        ("/api/v2/", 404, "there is no page 'api/v2/'"),
        ("/../pyproject.toml", 404, "there is no page"),
        ("/..%2fpyproject.toml", 404, "there is no page"),
        ("/%2e%2e/%2e%2e/etc/passwd", 404, "there is no page"),
        ("/static/..%5c..%5cx", 404, "there is no page"),
    ],
)
def test_errors_are_sentences(port: int, path: str, status: int, told: str) -> None:
    assert ask(port, path) == (status, {"error": ask(port, path)[1]["error"]})
    assert told in ask(port, path)[1]["error"]


def test_only_the_files_of_the_page_are_served(port: int) -> None:
    served = {path.name for path in PAGE.iterdir() if path.is_file()}
    assert set(files()) == served
    for name in files():
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/{name}") as response:
            assert response.read() == (PAGE / name).read_bytes()
            assert "default-src 'self'" in response.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[", "10.0.0.1"]
)
def test_foreign_hosts_are_refused(port: int, host: str) -> None:
    status, told = ask(port, "/", Host=host)
    assert (status, list(told)) == (403, ["error"])


def test_who_is_local() -> None:
    assert all(map(is_local, ("127.0.0.1:8000", "localhost", "localhost:1", "[::1]:8000")))
    assert not any(map(is_local, ("0.0.0.0", "localhost.evil", "127.0.0.1@evil", "::", "a:b:c")))  # noqa: S104


def test_sql_answers_and_is_kept_to_this_page(port: int) -> None:
    select = {"sql": "select status, count(*) as n from positions group by status order by n"}
    status, found = ask(port, "/api/v1/sql", select)
    assert status == 200
    assert found["columns"] == ["status", "n"]
    assert sum(row[1] for row in found["rows"]) == 5478
    own = f"http://127.0.0.1:{port}"
    assert ask(port, "/api/v1/sql", select, Origin=own, Sec_Fetch_Site="same-origin")[0] == 200
    for headers in ({"Origin": "http://evil.example"}, {"Sec_Fetch_Site": "cross-site"},
                    {"Content_Type": "text/plain"}, {"Origin": "null"},
                    {"Origin": "http://["}):  # fmt: skip
        status, told = ask(port, "/api/v1/sql", select, **headers)
        assert status == 403, headers
        assert "error" in told
    for method in ("GET", "HEAD", "OPTIONS"):
        with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
            kind = {"Content-Type": "application/json"}
            connection.request(method, "/api/v1/sql", headers=kind)
            response = connection.getresponse()
            assert (response.status, response.headers["Allow"]) == (405, "POST")
            told = response.read().decode()
            assert method == "HEAD" or f"{method} is not possible" in json.loads(told)["error"]
    odd = {
        "sql": "select 'nan'::double, [1, '-inf'::double], {'a': 'inf'::float}, date '2026-01-01'"
    }
    assert ask(port, "/api/v1/sql", odd)[1]["rows"][0][:2] == [None, [1.0, None]]
    status, found = ask(port, "/api/v1/sql", {"sql": "select range from range(5000)"})
    assert (len(found["rows"]), found["more"]) == (1000, True)
    for sql, told in (("drop table positions", "read"), ("select", "Parser Error"),
                      ("select * from read_csv('/etc/passwd')", "")):  # fmt: skip
        status, found = ask(port, "/api/v1/sql", {"sql": sql})
        assert status == 400
        assert told in found["error"]
    long = {"sql": "select repeat('x', 11000000)"}
    told = "the answer has more than 10 MB: select fewer or shorter values"
    assert ask(port, "/api/v1/sql", long) == (400, {"error": told})
    bodies: tuple[object, ...] = ({}, {"sql": 1}, [], "x", {"sql": " "})
    for body in bodies:
        assert ask(port, "/api/v1/sql", body)[0] == 400
    assert ask(port, "/api/v1/sql", {"sql": "x" * 200_000})[0] == 413


ENDLESS = {"sql": "select count(*) from tree_bfs a, tree_bfs b, tree_bfs c"}


def test_a_runaway_query_is_stopped_and_the_server_lives_on(port: int) -> None:
    """A position is told while the query runs; on a loaded machine at least once in some tries."""
    for _ in range(5):
        with ThreadPoolExecutor() as pool:
            runaway = pool.submit(ask, port, "/api/v1/sql", ENDLESS)
            time.sleep(0.5)  # It is at work.
            assert ask(port, "/api/v1/position/.........")[0] == 200
            is_told_meanwhile = not runaway.done()
            status, told = runaway.result()
        assert status == 400
        assert "stopped after 10 s" in told["error"]
        if is_told_meanwhile:
            break
    assert is_told_meanwhile
    assert ask(port, "/api/v1/sql", {"sql": "select 1"})[0] == 200


PATIENT = """
import sys
from dataclasses import replace
from marubatsu.pipeline.web import app
app._LIMITS = replace(app._LIMITS, seconds=86_400.0)
from marubatsu.__main__ import main
main()
"""
"""A program that is marubatsu, whose server gives a query a day."""


def test_a_query_that_nobody_waits_for_is_cancelled(root: Path) -> None:
    """Two may run at once: when both are abandoned, the next one need not wait for their time."""
    with serving(root, start=("-c", PATIENT)) as port:
        for _ in range(2):
            connection = HTTPConnection("127.0.0.1", port)
            connection.request("POST", "/api/v1/sql", json.dumps(ENDLESS),
                               {"Content-Type": "application/json"})  # fmt: skip
            time.sleep(0.3)
            connection.close()
        assert ask(port, "/api/v1/sql", {"sql": "select 1"})[0] == 200


def test_the_server_asks_an_ai_as_its_table_was_made(port: int, catalog: Catalog) -> None:
    board = "o...x...."
    for ai in all_ais():
        rows = catalog.run(
            "select move, ai_score, is_candidate, probability from ai_moves "
            "join positions using (position) where ai = ? and board = ? order by move",
            [ai.name, board],
        )
        status, found = ask(port, f"/api/v1/choices/{board}?ai={ai.name}")
        assert (status, found) == (200, rows.records())


def test_an_answer_stays_the_same(port: int) -> None:
    def headers() -> list[tuple[str, str]]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/v1/position/o........",
            headers={"Accept-Encoding": "gzip"},
        )
        with urllib.request.urlopen(request) as response:  # noqa: S310, our own server
            return [pair for pair in response.headers.items() if pair[0].lower() != "date"]

    first = headers()
    assert ("content-encoding", "gzip") in [(key.lower(), value) for key, value in first]
    assert all(headers() == first for _ in range(5))


def test_many_requests_at_a_time_lose_none(port: int) -> None:
    """200 at a time; `make bench` goes on for 30 seconds."""
    boards = [".........", "o........", "....o....", "o...x....", "zzz"]

    def one(number: int) -> int:
        return ask(port, f"/api/v1/position/{boards[number % len(boards)]}")[0]

    with ThreadPoolExecutor(200) as pool:
        found = list(pool.map(one, range(1000)))
    assert [found.count(status) for status in (200, 404)] == [800, 200]


def test_requests_of_any_kind_are_answered(port: int) -> None:
    """Each in time, whole, and never with a 500: documents and errors alike are JSON or a file."""
    random = Random(0)
    statuses = Counter(status_of(port, malformed(random)) for _ in range(300))
    assert set(statuses) == {200, 400, 403, 404, 405}
    assert ask(port, "/api/v1/")[0] == 200


def test_sql_of_any_kind_is_answered(port: int) -> None:
    random = Random(0)
    statements = [statement(random) for _ in range(8)]
    assert {status_of(port, sql_request(json.dumps({"sql": sql}))) for sql in statements} == {200}
    nearly = Counter(status_of(port, sql_request(json.dumps({"sql": spoiled(sql, random)})))
                     for sql in statements)  # fmt: skip
    assert set(nearly) == {200, 400}
    assert nearly[400] > 5
    bodies = [spoiled(json.dumps({"sql": sql}), random) for sql in statements]
    assert 400 in {status_of(port, sql_request(body)) for body in bodies} <= {200, 400}


def status_of(port: int, request: bytes) -> int:
    """Send a request as it is; return the status of the answer, after a look at all of it."""
    with closing(socket.create_connection(("127.0.0.1", port), PATIENCE)) as connection:
        connection.sendall(request)
        response = HTTPResponse(connection, method=request.partition(b" ")[0].decode("latin-1"))
        response.begin()
        body = response.read()
    assert response.status < 500, request
    for name, value in HEADERS:
        assert response.headers[name.decode()] == value.decode(), request
    if response.status >= 400 and not request.startswith(b"HEAD "):
        assert response.headers["Content-Type"] == "application/json", request
        assert list(json.loads(body)) == ["error"], request
    return response.status


def malformed(random: Random) -> bytes:
    """Return a request with something odd in its method, path, a header or body."""
    odd = "".join(random.choice(ALPHABET) for _ in range(random.randrange(1, 60)))
    method = random.choice(["GET", "POST", "HEAD", "OPTIONS", "PUT", "G\x00T", ""])
    path = random.choice(["/", "/api/v1/", "/api/v1/position/", "/api/v1/sql"])
    path += random.choice([odd, quote(odd), ""])
    length = random.choice(["0", str(len(odd.encode())), "-1", "x"])
    header = random.choice(["Origin: http://", "Sec-Fetch-Site: ", "Accept-Encoding: ", "X-Odd: "])
    head = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {length}",
            "Content-Type: application/json", header + odd.replace("\r", "").replace("\n", ""),
            "Connection: close"]  # fmt: skip
    return "\r\n".join([*head, "", odd]).encode()


def statement(random: Random) -> str:
    """Return a statement that reads, over tables that there are."""
    columns = ["count(*)", "max(position)", "sum(position) / 0", "list(distinct position)[1:3]",
               "'é〇' || min(position)", "avg(position)::varchar", "null"]  # fmt: skip
    table = random.choice(["positions", "moves", "ai_moves", "tree_bfs", "tree_dfs"])
    condition = random.choice(["true", "position % 7 = 1", "position in (1, 2)", "not false"])
    end = random.choice(["", ";", " limit 3", " -- end", "\n"])
    return f"select {', '.join(random.sample(columns, 2))} from {table} where {condition}{end}"  # noqa: S608


def spoiled(text: str, random: Random) -> str:
    """Return a text with one of its characters left out, doubled or replaced."""
    at = random.randrange(len(text))
    return text[:at] + random.choice(["", 2 * text[at], random.choice(ALPHABET)]) + text[at + 1 :]


def sql_request(body: str) -> bytes:
    """Return a request to run SQL, with this body."""
    data = body.encode()
    head = ["POST /api/v1/sql HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
            f"Content-Length: {len(data)}", "Connection: close", "", ""]  # fmt: skip
    return "\r\n".join(head).encode() + data


def test_a_defect_is_told_in_a_sentence(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(oracle: Oracle, board: str) -> Answer:
        raise ZeroDivisionError(board)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    monkeypatch.setattr(Oracle, "answer", fail)
    sent: list[Message] = []
    scope = {
        "type": "http", "method": "GET", "path": "/api/v1/position/.........",
        "query_string": b"", "headers": [(b"host", b"127.0.0.1")],
    }  # fmt: skip
    with (
        open_app(DataSet(root, Game(3, 3, 3)), lambda: None) as app,
        ThreadPoolExecutor(1) as elsewhere,  # a browser's loop may run in this thread
        pytest.raises(ZeroDivisionError),  # passed on to the log
    ):
        elsewhere.submit(anyio.run, app, scope, receive, send).result()
    assert sent[0]["status"] == 500
    assert set(HEADERS) <= set(sent[0]["headers"])
    assert "defect of the server" in json.loads(sent[1]["body"])["error"]


def test_connections_without_requests_stop_nobody(root: Path, tmp_path: Path) -> None:
    """More of them than the server has file descriptors, which are few."""
    log = tmp_path / "log"
    start = ("-c", FEW_FILES.format(log=str(log)))
    with serving(root, start=start) as port, ExitStack() as held:
        for _ in range(200):
            held.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
        assert ask(port, "/api/v1/position/.........")[0] == 200
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as slow:
            slow.sendall(b"GET / HTTP/1.1\r\n")
            assert slow.recv(1) == b""  # It is closed: the request does not arrive.
    assert log.read_text() == ""


FEW_FILES = """
import os, resource
resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
os.dup2(os.open({log!r}, os.O_CREAT | os.O_WRONLY), 2)
from marubatsu.pipeline.web import serving
serving._SILENCE = 1
from marubatsu.__main__ import main
main()
"""
"""A program that is marubatsu, with 128 file descriptors."""


@pytest.mark.parametrize("game", ["2x2k2", "4x4k4-gravity"])
def test_the_server_shows_what_there_was_when_it_started(
    root: Path, solutions: Solutions, tmp_path: Path, game: str
) -> None:
    data_set = DataSet(tmp_path, Game(game))
    copied((root if game in GAMES else solutions.of(game)) / game, data_set.folder)
    cells = data_set.game.cells
    boards = [f"{marks:.>{cells}}" for marks in ("", "o", "xo")]
    with serving(tmp_path, game) as port:
        paths = ["/api/v1/game.json", *(f"/api/v1/position/{board}" for board in boards)]
        first = ask(port, paths[0])
        with data_set.lock(write=True, on_wait=lambda: pytest.fail("the server holds the lock")):
            for file in sorted(data_set.folder.rglob("*.parquet")):
                content = file.read_bytes()
                file.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
        oracle = {path: ask(port, path) for path in paths}
        shutil.rmtree(data_set.folder)
        assert {path: ask(port, path) for path in paths} == oracle
        assert oracle[paths[0]] == first
        assert {status for status, _ in oracle.values()} == {200}
        (table,) = {"positions", "solution"} & set(first[1]["tables"])
        _, counted = ask(port, "/api/v1/sql", {"sql": f"select count(*) from {table}"})  # noqa: S608
        assert counted["rows"][0][0] > 28


def test_a_port_that_is_taken_is_told(port: int, root: Path) -> None:
    command = ("explore", "--no-browser")
    done = run_marubatsu(*command, "--port", str(port), data=root)
    assert done.returncode == 1
    assert f"cannot listen on 127.0.0.1:{port}" in done.stderr
    done = run_here(*command, "--port", "99999", data=root)
    assert done.returncode == 2
    done = run_here(*command, "--game", "3x3k2", data=root)
    assert done.returncode == 1
    assert "3x3k2 is not built in" in done.stderr


def test_a_site_holds_the_same_documents(site: Path, documents: Documents) -> None:
    written = contents(site)
    pages = {name: (PAGE / name).read_bytes() for name in files()}
    assert written == {**pages, **{f"api/v1/{p}": documents.get(p) for p in documents.paths}}
    assert sum(map(len, written.values())) < 6_000_000
    assert [path.name for path in site.parent.iterdir()] == ["site"]


def test_a_site_replaces_a_site_and_nothing_else(root: Path, site: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "letter.txt").write_text("dear")
    done = run_here("site", "--out", str(other), data=root)
    assert done.returncode == 2
    assert "holds something that is no site" in done.stderr
    assert [p.name for p in other.iterdir()] == ["letter.txt"]
    ours = copied(site, tmp_path / "deep" / "site")
    (ours / "index.html").write_text("an older one")
    for place in (ours, tmp_path / "deeper" / "site"):
        assert run_here("site", "--out", str(place), data=root).returncode == 0
        assert contents(place) == contents(site)
        assert [path.name for path in place.parent.iterdir()] == ["site"]
    (ours / "CNAME").write_text("example.org")
    done = run_here("site", "--out", str(ours), data=root)
    assert done.returncode == 2
    assert "'CNAME', which is no part of a site" in done.stderr
    assert (ours / "CNAME").read_text() == "example.org"
    (tmp_path / "file").write_text("")
    done = run_here("site", "--out", str(tmp_path / "file" / "x"), data=root)
    assert done.returncode == 1
    assert done.stderr.startswith("marubatsu: cannot write")
