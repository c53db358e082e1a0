"""The API: every answer as its description says, kept by clients, in parts, for every game."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from io import BytesIO
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import quote

import pyarrow.parquet as pq
import pytest
from starlette.types import ASGIApp

from marubatsu.engine.rules.game import Game, GameError
from marubatsu.judge.agents.address import ais_at
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.judge.oracle.oracle import TableOracle
from marubatsu.pipeline.sql.sandbox import QueryLimits, Spare, Statement, run_sql
from marubatsu.pipeline.stages.usable import require_usable, snapshot
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.support.resources import PAGE
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.web import app as server
from marubatsu.web import games, site
from marubatsu.web.app import HEADERS, SHARED, open_app
from marubatsu.web.openapi import PATHS
from tests.helpers.data.audit_schema import validator_of
from tests.helpers.data.data_sets import SMALLEST, Solutions, build_tree
from tests.helpers.processes.commands import PATIENCE
from tests.helpers.processes.in_process import ask_app

OURS = f"/api/v2/games/{SMALLEST}"
SOLVED = "/api/v2/games/3x3k3-gravity"
ASKED: dict[str, list[tuple[str, object]]] = {
    "/api/v2/openapi.json": [("/api/v2/openapi.json", None)],
    "/api/v2/start.json": [("/api/v2/start.json", None)],
    "/api/v2/games": [("/api/v2/games", None)],
    "/api/v2/games/{game}/positions/{board}": [
        (f"{OURS}/positions/o...", None), (f"{OURS}/positions/oox.", None),
        ("/api/v2/games/3x2k2/positions/......", None),
    ],
    "/api/v2/games/{game}/positions": [(f"{OURS}/positions", {"boards": ["....", "o...", "...."]})],
    "/api/v2/games/{game}/ais": [(f"{OURS}/ais", None), ("/api/v2/games/3x2k2/ais", None)],
    "/api/v2/games/{game}/ais/{ai}/positions/{board}": [
        (f"{OURS}/ais/ai14s:score_201%3D3/positions/ox..", None),
        ("/api/v2/games/3x2k2/ais/ai2/positions/......", None),
    ],
    "/api/v2/games/{game}/tables/{table}.parquet": [(f"{OURS}/tables/positions.parquet", None)],
    "/api/v2/games/{game}/solution.raw.gz": [(f"{SOLVED}/solution.raw.gz", None)],
    "/api/v2/games/{game}/sql": [(f"{OURS}/sql", {"sql": "select 1 as one, null, [1]"})],
    "/api/v2/games/{game}/{document}": [
        (f"{OURS}/game.json", None), (f"{OURS}/tables.json", None),
    ],
}  # fmt: skip
"""For each path of the description, requests to it; 3x2k2 has no data here."""

TEXT, OTHER_SITE = {"content_type": "text/plain"}, {"sec_fetch_site": "cross-site"}
WRONG: dict[str, list[tuple[int, str, object, dict[str, str]]]] = {
    "/api/v2/openapi.json": [(403, "/api/v2/openapi.json", None, {"host": "evil.example"})],
    "/api/v2/start.json": [(403, "/api/v2/start.json", None, {"host": "evil.example"})],
    "/api/v2/games": [(403, "/api/v2/games", None, {"host": "evil.example"})],
    "/api/v2/games/{game}/positions/{board}": [
        (404, f"{OURS}/positions/zz", None, {}), (404, f"{OURS}/positions/oooo", None, {}),
        (404, "/api/v2/games/9x9k5/positions/zz", None, {}),
        (400, f"{OURS}/positions/....?search=perhaps", None, {}),
        (400, f"{OURS}/positions/....?first=z", None, {}),
        (400, f"{OURS}/positions/....?numbering=z", None, {}),
        (400, f"{OURS}/positions/....?firts=x", None, {}),
        (400, f"{OURS}/positions/....?first=x&first=o", None, {}),
    ],
    "/api/v2/games/{game}/positions": [
        (400, f"{OURS}/positions", {"boards": ["zz"]}, {}),
        (400, f"{OURS}/positions", {"boards": ["oooo"]}, {}),
        (400, f"{OURS}/positions", {"boards": [1]}, {}),
        (400, f"{OURS}/positions", {"boards": [json.loads("[" * 600 + "]" * 600)]}, {}),
        (400, f"{OURS}/positions", {"boards": ["xo.."], "first": "x"}, {}),
        (400, f"{OURS}/positions?search=no", {"boards": ["xo.."]}, {}),
        (404, "/api/v2/games/nothing/positions", {"boards": ["zz"]}, {}),
        (413, f"{OURS}/positions", {"boards": ["...."] * 1_001}, {}),
        (415, f"{OURS}/positions", {"boards": ["...."]}, TEXT),
        (403, f"{OURS}/positions", {"boards": ["...."]}, OTHER_SITE),
    ],
    "/api/v2/games/{game}/ais": [(404, "/api/v2/games/nothing/ais", None, {})],
    "/api/v2/games/{game}/ais/{ai}/positions/{board}": [
        (404, f"{OURS}/ais/ai2/positions/zz", None, {}),
        (400, f"{OURS}/ais/ai2/positions/....?first=z", None, {}),
        (400, f"{OURS}/ais/ai2/positions/....?search=no", None, {}),
        (404, f"{OURS}/ais/ai2/positions/oooo", None, {}),
        (404, f"{OURS}/ais/nobody/positions/....", None, {}),
    ],
    "/api/v2/games/{game}/tables/{table}.parquet": [
        (404, f"{OURS}/tables/nothing.parquet", None, {}),
        (416, f"{OURS}/tables/positions.parquet", None, {"range": "bytes=999999999-"}),
    ],
    "/api/v2/games/{game}/solution.raw.gz": [(404, f"{OURS}/solution.raw.gz", None, {})],
    "/api/v2/games/{game}/sql": [
        (400, f"{OURS}/sql", {"sql": "select"}, {}), (400, f"{OURS}/sql", {"sql": 1}, {}),
        (404, "/api/v2/games/3x2k2/sql", {"sql": "select 1"}, {}),
        (400, f"{OURS}/sql?limit=5", {"sql": "select 1"}, {}),
        (413, f"{OURS}/sql", {"sql": "x" * 100_000}, {}),
        (415, f"{OURS}/sql", {"sql": "select 1"}, TEXT),
        (403, f"{OURS}/sql", {"sql": "select 1"}, OTHER_SITE),
    ],
    "/api/v2/games/{game}/{document}": [(404, f"{OURS}/nothing.json", None, {})],
}  # fmt: skip
"""For each path, requests that are refused, with their status."""

UNCAUSED = {408, 500, 502, 503}
"""Statuses that no single request causes; other tests do."""


@pytest.fixture(scope="module")
def app(
    root: Path, solutions: Solutions, kernels: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ASGIApp]:
    """Return a server of one small game, whose folder has another that is solved."""
    data = tmp_path_factory.mktemp("data")
    (data / SMALLEST).symlink_to(root / SMALLEST)
    solutions.copy("3x3k3-gravity", data)
    data_set = DataSet(data, Game(SMALLEST))
    with open_app(data_set, ais_at(["ai14s:score_201=3"], data_set)) as opened:
        yield opened


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_is_as_the_description_says(app: ASGIApp, path: str) -> None:
    answer = json.loads(ask_app(app, "/api/v2/openapi.json").body)
    assert set(answer["paths"]) == set(ASKED)
    for method, operation in answer["paths"][path].items():
        ((kind, content),) = operation["responses"]["200"]["content"].items()
        schema = {**content["schema"], "components": answer["components"]}
        validator = validator_of(schema)
        for place, body in ASKED[path]:
            reply = ask_app(app, place, body)
            assert (reply.status, method) == (200, "post" if body else "get"), reply.body
            assert reply.headers["content-type"] == kind
            if kind == "application/json":
                assert [e.message for e in validator.iter_errors(json.loads(reply.body))] == []


@pytest.mark.parametrize("path", PATHS)
def test_every_refusal_is_as_the_description_says(app: ASGIApp, path: str) -> None:
    """A path that names nothing has status 404, a wrong body 400, another method 405."""
    answer = json.loads(ask_app(app, "/api/v2/openapi.json").body)
    error = validator_of(answer["components"]["schemas"]["Error"])
    ((method, operation),) = answer["paths"][path].items()
    promised = {int(each) for each in operation["responses"] if each.isdigit()}
    first, sent_first = ASKED[path][0]
    option = f"{'&' if '?' in first else '?'}frist=x"
    refused = [*WRONG[path], (400, first + option, sent_first, {})]
    for status, place, body, headers in refused:
        wrong = ask_app(app, place, body, method.upper(), **headers)
        assert wrong.status == status, (place, wrong.body)
        error.validate(json.loads(wrong.body))
    caused = {status for status, *_ in refused}
    assert promised - caused - UNCAUSED <= {200, 403} <= promised
    assert caused <= promised
    for other in {"GET", "POST", "PUT", "DELETE", "PATCH"} - {method.upper()}:
        for sent in (None, {"a": 1}):
            wrong = ask_app(app, first, sent, other)
            assert wrong.status == 405, (other, first, wrong.body)
            assert method.upper() in wrong.headers["allow"]
            error.validate(json.loads(wrong.body))


def test_a_position_is_read_in_other_spellings(app: ASGIApp) -> None:
    expected = ask_app(app, f"{OURS}/positions/ox..").body
    for query in ("O,X,b,b", "OX%0A__", "0 1", "xo..?first=x", "1,2?numbering=cells-from-1"):
        assert ask_app(app, f"{OURS}/positions/{query.replace(' ', '%20')}").body == expected
    body = {"boards": [["x", "o", "", ""], [["x", "o"], [None, None]], "XO/__"]}
    json_type = {"content_type": "Application/JSON"}
    found = ask_app(app, f"{OURS}/positions?first=x", body=body, **json_type)
    assert [each["board"] for each in json.loads(found.body)["answers"]] == ["ox.."] * 3
    answers = [
        ask_app(app, f"{OURS}/ais/ai2/positions/{query}").body
        for query in ("ox..", "xo..?first=x", "12?numbering=cells-from-1")
    ]
    assert answers == [answers[0]] * 3


def test_the_page_asks_an_ai_of_the_series(root: Path) -> None:
    address = "tests/helpers/frameworks/series_ais.py:ai4"
    data_set = DataSet(root, Game("tictactoe"))
    with open_app(data_set, ais_at([address], data_set, "series")) as opened:
        path = "/api/v2/games/tictactoe/ais/{}/positions/o........"
        theirs, ours = (
            json.loads(ask_app(opened, path.format(ai)).body)
            for ai in (quote(address, safe=":"), "ai4")
        )
    assert [each["probability"] for each in theirs] == [each["probability"] for each in ours]


def test_the_api_names_unknown_options_and_keys(app: ASGIApp) -> None:
    def error(place: str, body: object = None) -> str:
        return str(json.loads(ask_app(app, f"{OURS}/{place}", body).body)["error"])

    assert error("positions/....?firts=x") == "no option 'firts': did you mean first?"
    assert error("ais?family=rule") == "no option 'family': expected none"
    assert error("positions", {"boards": ["xo.."], "first": "x"}) == (
        "the body holds 'first': expected only boards; options go behind the path, as in ?first=x"
    )
    assert error("sql", {"sql": "select 1", "game": "connect4", "limit": 3}) == (
        "the body holds 'game', 'limit': expected only sql"
    )
    assert error("positions", b'{"boards": ["...."], "boards": ["o..."]}') == (
        "in the body, the key 'boards' is there twice: expected it once"
    )
    assert error("positions", {"boards": ["o...", "x..."]}).startswith(
        "board 2 of 2: no game of 2x2k2 reaches 'x...': "
    )


def test_a_search_answers_about_a_game_without_data(app: ASGIApp, solutions: Solutions) -> None:
    """The solution, made another way, says the same of many positions in their order."""
    solved = open_oracle(DataSet(solutions.of("3x2k2"), Game("3x2k2")))
    boards = ["......", "o.....", ".o....", "ox....", "o...x.", ".o..x."]
    reply = ask_app(app, "/api/v2/games/3x2k2/positions", {"boards": boards})
    for board, found in zip(boards, json.loads(reply.body)["answers"], strict=True):
        wanted = solved.answer(board).to_json()
        assert found == {**wanted, "key": None}


def test_without_a_search_the_answer_has_bounds(app: ASGIApp) -> None:
    answer = json.loads(ask_app(app, "/api/v2/openapi.json").body)
    schema = {"$ref": "#/components/schemas/BoundedAnswer", "components": answer["components"]}
    place = "/api/v2/games/6x6k4-gravity/positions/" + "." * 36
    reply = ask_app(app, place + "?search=no")
    found = json.loads(reply.body)
    validator_of(schema).validate(found)
    assert (found["at_least"], found["at_most"], found["score"]) == (-18, 18, None)
    assert len(found["moves"]) == 6
    assert reply.headers["cache-control"] == "no-store"
    known = (SMALLEST, "...."), ("3x2k2", "oox..."), ("connect4", "." * 42)
    for game, board in known:  # Positions that need no search.
        reply = ask_app(app, f"/api/v2/games/{game}/positions/{board}?search=no")
        assert "score_sv" in json.loads(reply.body), board


def test_other_games_are_closed_when_there_are_many(
    app: ASGIApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "MOST_OPEN", 1)
    for name in ("3x2k2", "2x2k2-misere", "3x2k2", "2x3k2"):
        reply = ask_app(app, f"/api/v2/games/{name}/game.json")
        found = json.loads(reply.body)
        assert (reply.status, found["name"], found["tables"]) == (200, name, [])
        assert (found["panes"], "ai2" in found["opponents"]) == (["moves", "map"], True)


def test_a_game_that_does_not_open_closes_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "MOST_OPEN", 1)
    ours = build_tree(tmp_path, SMALLEST)
    with games.open_game(ours) as first, closing(games.OpenGames(first, ours)) as opened:
        with opened.game("2x3k2") as before:
            pass
        with pytest.raises(GameError), opened.game("9x9k5"):
            pass
        with opened.game("2x3k2") as after:
            assert after is before


def test_a_game_that_is_opened_keeps_no_other_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, open_game, seen = build_tree(tmp_path, SMALLEST), games.open_game, Event()

    def slow(data_set: DataSet, **how: Any) -> Any:
        assert data_set.game.name != "2x3k2" or seen.wait(PATIENCE)
        return open_game(data_set, **how)

    def use(name: str) -> None:
        with opened.game(name):
            pass

    with games.open_game(ours) as first, closing(games.OpenGames(first, ours)) as opened:
        use("3x2k2")
        monkeypatch.setattr(games, "open_game", slow)
        with ThreadPoolExecutor() as pool:
            opening = pool.submit(use, "2x3k2")
            pool.submit(use, "3x2k2").result(PATIENCE)
            assert not opening.done()
            seen.set()
            opening.result(PATIENCE)


def test_documents_of_other_ais_are_other_versions(tmp_path: Path) -> None:
    ours = build_tree(tmp_path, SMALLEST)
    ais = ais_at([lambda board, legal: legal], ours)
    with games.open_game(ours) as first, games.open_game(ours, ais) as second:
        assert first.version != second.version


def test_a_document_waits_for_no_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with games.open_game(build_tree(tmp_path, SMALLEST)) as opened:
        search = TableOracle.within
        reader = Thread(target=opened.document, args=["game.json"], daemon=True)

        def within(*arguments: Any, **how: Any) -> Any:
            reader.start()
            reader.join(PATIENCE)
            return search(*arguments, **how)

        monkeypatch.setattr(TableOracle, "within", within)
        opened.answer_all(["...."])
        assert not reader.is_alive()


def test_a_game_that_is_being_built_is_refused_and_opened_later(tmp_path: Path) -> None:
    ours, other = build_tree(tmp_path, SMALLEST), build_tree(tmp_path, "1x3k2")
    with games.open_game(ours) as first, closing(games.OpenGames(first, ours)) as opened:
        refused = pytest.raises(DataError, match="ask again when that has ended")
        with other.lock(write=True, on_wait=pytest.fail), refused, opened.game("1x3k2"):
            pass
        with opened.game("1x3k2") as game:
            assert game.data


def test_a_browser_keeps_scripts_and_styles_of_one_version(
    app: ASGIApp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    named = re.findall(r'"([0-9a-f]{32})/([\w/-]+\.(?:js|css))"', ask_app(app, "/").body.decode())
    (version,) = {version for version, _ in named}
    there = re.findall(r'"([\w/-]+\.(?:js|css))"', (PAGE / "index.html").read_text("utf-8"))
    assert [name for _, name in named] == there
    for name in there:
        reply = ask_app(app, f"/{version}/{name}")
        assert (reply.status, reply.body) == (200, (PAGE / name).read_bytes())
        assert "immutable" in reply.headers["cache-control"]
    places = ("0" * 32 + "/main.js", *(f"{version}/{each}" for each in ("", "index.html", "x.js")))
    for place in (version, *places):
        assert ask_app(app, f"/{place}").status == 404, place
    edited = tmp_path / "main.js"
    edited.write_text("// Edited.")
    changed = {**site.files(), "main.js": edited}
    monkeypatch.setattr(server, "files", lambda: changed)
    assert version not in ask_app(app, "/").body.decode()
    assert ask_app(app, f"/{version}/main.js").status == 404


def test_a_client_downloads_again_only_changed_files(app: ASGIApp) -> None:
    for path in ("/", "/api/v2/games", f"{OURS}/game.json", f"{OURS}/positions/o...",
                 f"{OURS}/tables/moves.parquet"):  # fmt: skip
        first = ask_app(app, path)
        assert (first.status, first.headers["cache-control"]) == (200, "no-cache")
        tag = first.headers["etag"]
        for known in (tag, f'"another", {tag}', f"W/{tag.removeprefix('W/')}", "*"):
            again = ask_app(app, path, if_none_match=known)
            assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
        assert ask_app(app, path, if_none_match='"another"').body == first.body


def test_a_worker_waits_for_the_next_statement_and_knows_nothing_of_the_last(root: Path) -> None:
    shown = snapshot(DataSet(root, Game(SMALLEST)), require_usable)
    spare = Spare()
    used = []
    for sql, message in (("select 1", [[1]]), ("select nothing", None), ("select 2", [[2]])):
        waiting = spare.take()
        used.append(waiting.process.pid)
        spare._ready.append(waiting)  # noqa: SLF001, who waits is to be known
        try:
            with run_sql(shown, Statement(sql), QueryLimits(), spare=spare) as answer:
                assert list(answer.rows) == message
        except UsageError:
            assert message is None
        assert waiting.process.poll() is not None  # It has ended, and another process waits.
    last = spare.take()
    spare._ready.append(last)  # noqa: SLF001
    spare.close()
    assert len({*used, last.process.pid}) == 4
    assert last.process.poll() is not None
    spare.renew()
    assert spare._ready == []  # noqa: SLF001, nothing starts after the end


RANGES: dict[str, Any] = {
    "bytes=0-3": slice(0, 4), "bytes=4-": slice(4, None), "bytes=-8": slice(-8, None),
    "bytes=2-999999999": slice(2, None), "bytes=-999999999": slice(None),
}  # fmt: skip
NO_RANGES = ("bytes=0-1,3-4", "bytes=", "lines=1-2", "bytes=-", "bytes=a-b", "")


def test_a_table_is_read_in_parts(app: ASGIApp, root: Path) -> None:
    path = f"{OURS}/tables/positions.parquet"
    whole = ask_app(app, path)
    assert whole.body == (root / SMALLEST / "positions.parquet").read_bytes()
    assert pq.read_table(BytesIO(whole.body)).num_rows == 29
    for wanted, part in RANGES.items():
        reply = ask_app(app, path, range=wanted)
        assert (reply.status, reply.body) == (206, whole.body[part])
        assert reply.headers["content-length"] == str(len(reply.body))
        start = len(whole.body) - len(whole.body[part]) if part.stop is None else 0
        last = start + len(reply.body) - 1
        assert reply.headers["content-range"] == f"bytes {start}-{last}/{len(whole.body)}"
    for wanted in NO_RANGES:
        assert ask_app(app, path, range=wanted)[::2] == (200, whole.body)
    for wanted in ("bytes=999999999-", "bytes=5-4", "bytes=-0"):
        reply = ask_app(app, path, range=wanted)
        assert (reply.status, reply.headers["content-range"]) == (416, f"bytes */{len(whole.body)}")
    tag = whole.headers["etag"]
    assert ask_app(app, path, range="bytes=0-3", if_range=tag).status == 206
    assert ask_app(app, path, range="bytes=0-3", if_range='"old"').body == whole.body


def test_pages_of_other_sites_read_when_they_may(app: ASGIApp, root: Path) -> None:
    other = "https://example.org"
    shared = {name.decode(): value.decode() for name, value in SHARED}
    with open_app(DataSet(root, Game(SMALLEST)), is_shared=True) as open_to_all:
        for path, is_api in ((f"{OURS}/positions/....", True), ("/index.html", False)):
            closed = ask_app(app, path, origin=other)
            reply = ask_app(open_to_all, path, origin=other)
            assert (closed.status, reply.status) == (403, 200 if is_api else 403)
            assert not shared.items() & closed.headers.items()
            assert (shared.items() <= reply.headers.items()) == is_api
        asks = {"origin": other, "access_control_request_method": "GET"}
        assert ask_app(open_to_all, OURS, method="OPTIONS", **asks).status == 204
        assert ask_app(app, OURS, method="OPTIONS", **asks).status == 403
        reply = ask_app(open_to_all, f"{OURS}/sql", {"sql": "select 1"}, origin=other)
        assert reply.status == 403
        assert not shared.items() & reply.headers.items()
        assert dict(HEADERS).keys() <= {name.encode() for name in reply.headers}
        evil = ask_app(open_to_all, f"{OURS}/positions/....", host="evil.example")
        assert evil.status == 403
