"""The page and the API of a game that is only solved, and AIs of the user on it."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.large.values import FAR
from marubatsu.engine.notations.reading import read_position
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.judge.agents.address import ai_at
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.laboratory.kept_tables import Found, add_answers
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.web.games import SUGGESTED, opponents_of
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import Solutions
from tests.helpers.page.browser import Browser, failing, serving, watched
from tests.helpers.page.pages import ask, at, board_of, go, is_settled, status_of, until
from tests.helpers.processes.commands import raw_file, run_here

GAME = Game("4x4k4")
START = "." * 16
BOARDS = (START, "o..............x", "oooo.xxx........", "oxo.x.o.........")
CORNERS = f"{CHECKOUT}/examples/corners.py:choose"
BAD = f"{CHECKOUT}/tests/helpers/broken/badly_behaved.py"
FOREIGN = {
    "raises": "raises",
    "ends": "ended with exit code",
    "returns_weights_below_zero": "say how to read it by the option answers",
}
"""Functions that fail, each with its message."""
WEIGHING = """
def weighs(board, moves):
    return [(moves[0], 0.75), (moves[1], 0.25)]
"""


@pytest.fixture(scope="module")
def solved(solutions: Solutions) -> Path:
    return solutions.of(GAME.name)


@pytest.fixture(scope="module")
def oracle(solved: Path) -> Oracle:
    return open_oracle(DataSet(solved, GAME))


@pytest.fixture(scope="module")
def weighing(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("ais") / "weighing.py"
    file.write_text(WEIGHING)
    return f"{file}:weighs"


@pytest.fixture(scope="module")
def port(solved: Path, weighing: str) -> Iterator[int]:
    """Return the port of an explorer of the solved game, with foreign AIs."""
    addresses = [CORNERS, weighing, "ai14s:score_201=3", *(f"{BAD}:{name}" for name in FOREIGN)]
    options = [part for address in addresses for part in ("--ai", address)]
    with serving(solved, GAME.name, *options, "--timeout", "60") as found:
        yield found


def choices(port: int, ai: str, board: str = START) -> tuple[int, Any]:
    return ask(port, f"/api/v2/games/4x4k4/ais/{quote(ai, safe='')}/positions/{board}")


def test_a_browser_proves_every_value(
    browser: Browser, port: int, solved: Path, tmp_path: Path
) -> None:
    """And what is changed in a file of one's own is found and shown."""
    place = f"http://127.0.0.1:{port}/proof/index.html?game=4x4k4&lang="
    with watched(browser, f"{place}en") as page:
        page.click("text=Check all 1,217,977 classes yourself")
        page.wait_for_selector(".verdict.best")
        assert page.inner_text(".verdict") == "All 1,217,977 values follow from the rules."
        raw = bytearray(raw_file(solved, GAME.name))
        raw[-1] ^= 1
        (tmp_path / "changed.raw.gz").write_bytes(gzip.compress(raw, compresslevel=1))
        page.set_input_files("input[type=file]", tmp_path / "changed.raw.gz")
        page.wait_for_selector(".verdict.error")
        assert page.inner_text(".verdict") == "A value does not follow."
        assert "ply 16, row " in page.inner_text("#proof")
        (tmp_path / "no.raw").write_text("no values")
        page.set_input_files("input[type=file]", tmp_path / "no.raw")
        page.wait_for_selector(".verdict:text-is('The file cannot be read.')")
        assert "null" not in page.inner_text("#proof")
    with browser.new_page() as page:  # On one that is watched, no request may fail.
        page.route("**/solution.raw.gz", lambda route: route.abort())
        page.goto(f"{place}en")
        page.click("text=Check all 1,217,977 classes yourself")
        page.wait_for_selector("text=No answer came: the connection may be lost.")
    with watched(browser, f"{place}ja") as page:
        page.get_by_text("1,217,977 個の同値類をすべて確かめる").wait_for()
        page.goto(place.partition("?")[0])  # The check of a file needs no game.
        page.wait_for_selector("#proof input")
        assert "null" not in page.inner_text("#proof")


def test_a_proof_waits_for_a_server_that_is_not_ready(browser: Browser, port: int) -> None:
    with failing(browser, f"http://127.0.0.1:{port}/") as page:
        body = {"error": "4x4k4 is being built"}
        page.route("**/game.json", lambda route: route.fulfill(status=503, json=body))
        page.goto(f"http://127.0.0.1:{port}/proof/index.html?game=4x4k4")
        page.wait_for_selector("#proof .error")
        assert page.inner_text("#proof") == "4x4k4 is being built Try again"
        page.unroute("**/game.json")
        page.click('[data-control="again"]')
        page.get_by_text("Check all 1,217,977 classes yourself").wait_for()
        page.goto(f"http://127.0.0.1:{port}/proof/index.html?game=nothing")
        page.get_by_text("nothing has no solution here").wait_for()


def test_the_list_of_games_names_their_sources(port: int) -> None:
    (game, *others) = ask(port, "/api/v2/games")[1]
    assert (game["name"], game["source"]) == (GAME.name, "solution")
    sources = {other["name"]: other["source"] for other in others}
    assert sources.keys() >= {*SUGGESTED}
    assert (sources["connect4"], sources["5x5k4"]) == ("search", "search")
    game = ask(port, "/api/v2/games/4x4k4/game.json")[1]
    assert (game["panes"], game["tables"]) == (["moves", "map", "data"], ["solution"])
    assert (game["plies"], game["tree"], game["ais"]) == ([], None, [])
    assert CORNERS in game["opponents"]
    assert game["opponents"] == [row["ai"] for row in ask(port, "/api/v2/games/4x4k4/ais")[1]]
    for path, sentence in (
        ("plies/0.json", "there is no 'plies/0.json' of 4x4k4 in the API"),
        (f"ais/os:getcwd/positions/{START}", "there is no AI 'os:getcwd' here"),
    ):
        status, answer = ask(port, f"/api/v2/games/4x4k4/{path}")
        assert (status, sentence in answer["error"]) == (404, True)


def test_ais_choose(port: int, oracle: Oracle, weighing: str) -> None:
    for board in BOARDS[1:]:
        _, found = choices(port, "perfect", board)
        played = tuple(row["move"] for row in found if row["is_candidate"])
        assert played == oracle.answer(board).best_moves
    _, found = choices(port, CORNERS)
    assert [row["move"] for row in found if row["probability"] == 0.25] == [0, 2, 6, 8]
    _, found = choices(port, weighing)
    assert [row["probability"] for row in found] == [0.75, 0.25, *[0.0] * 14]


@pytest.mark.parametrize("name", FOREIGN)
def test_the_error_of_a_foreign_ai_is_in_the_answer(port: int, name: str) -> None:
    for _ in range(2):  # It is asked again, and started again where it has ended.
        status, answer = choices(port, f"{BAD}:{name}")
        assert (status, FOREIGN[name] in answer["error"]) == (502, True)


def test_a_foreign_ai_that_sleeps_is_an_error_at_its_time_limit(solved: Path) -> None:
    ai, data_set = f"{BAD}:sleeps", DataSet(solved, GAME)
    with (
        opponents_of(data_set, [ai_at(ai, data_set)], AgentSettings(0.5)) as opponents,
        pytest.raises(AIError, match=r"no answer within 0\.5 s"),
    ):
        opponents.choices(ai, START, lambda: None)


OUTCOMES = {1: "circle wins", 0: "a draw", -1: "cross wins"}


def test_the_map_grows_where_one_zooms(browser: Browser, port: int, oracle: Oracle) -> None:
    with watched(browser, f"http://127.0.0.1:{port}/#pane=map&hints=on") as page:
        page.wait_for_selector("canvas.map[data-ready]")

        def text_shown(place: float, row: int) -> str:
            """Point at a place of a row; return the words about the box there."""
            page.locator("canvas.map").scroll_into_view_if_needed()
            picture = page.locator("canvas.map").bounding_box()
            assert picture
            page.mouse.move(picture["x"] + place * picture["width"], picture["y"] + 26 * row + 13)
            return page.inner_text(".icicle-caption")

        def is_right(words: str, plies: int) -> bool:
            line, _, outcome = words.rpartition(": ")
            if len(line.split()) != plies:
                return False
            score = oracle.answer(read_position(GAME, line)).score
            assert outcome == OUTCOMES[score]
            return True

        for move in oracle.answer(START).moves:
            assert is_right(text_shown((move.move + 0.5) / 16, 1), 1)
        for row in (2, 3):
            until(page, lambda row=row: is_right(text_shown(0.33, row), row))  # type: ignore[misc]
            for _ in range(6):
                page.keyboard.down("Control")
                page.mouse.wheel(0, -100)
                page.keyboard.up("Control")
        line, _, _ = text_shown(0.33, 3).rpartition(": ")
        page.mouse.down()
        page.mouse.up()
        until(page, lambda: sum(mark != "." for mark in board_of(page)) == 3)
        assert page.inner_text(".moves-so-far").split()[1::2] == line.split()


def test_a_box_without_an_answer_is_requested_again(browser: Browser, port: int) -> None:
    with failing(browser, f"http://127.0.0.1:{port}/#pane=map") as page:
        page.wait_for_selector("canvas.map[data-ready]")
        page.route("**/positions/*", lambda route: route.abort())

        def is_lost() -> bool:
            page.click('[data-control="closer"]')
            page.wait_for_timeout(100)
            return "No answer came" in page.inner_text(".icicle-caption")

        until(page, is_lost)
        page.unroute("**/positions/*")
        page.click('[data-control="closer"]')

        def below() -> str:
            page.hover("canvas.map", position={"x": 300 + len(words), "y": 26 * 2 + 13})
            words.append(page.inner_text(".icicle-caption").rpartition(": ")[0])
            return words[-1]

        words: list[str] = []
        until(page, lambda: len(below().split()) == 2)


def test_a_game_is_played_against_a_foreign_ai(browser: Browser, port: int) -> None:
    place = f"http://127.0.0.1:{port}/#cross={quote(CORNERS, safe='')}"
    with watched(browser, place) as page:
        until(page, lambda: is_settled(page, ""))
        assert page.inner_text(".truth").startswith("Every position is solved.")
        proof = page.get_by_role("link", name="Check 1,217,977 values in your browser")
        assert proof.get_attribute("href") == "proof/index.html?game=4x4k4"
        page.focus(at("a4"))
        for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "7", "Enter"):
            page.keyboard.press(key)
        until(page, lambda: is_settled(page, START))
        assert board_of(page)[13] == "o"
        assert [board_of(page)[cell] for cell in (0, 2, 6, 8)].count("x") == 1
        go(page, "line=d1.b4.c1.c4.b1&hints=on")
        until(page, lambda: board_of(page) == ".xx..........ooo")
        facts = page.locator("[data-fact]").evaluate_all("all => all.map(e => e.dataset.fact)")
        assert facts == ["twoscores", "critical", "orbit"]
        page.goto(f"http://127.0.0.1:{port}/#pane=leaderboard")
        page.wait_for_selector("#pane .notice.error")
        assert page.inner_text("#pane .notice") == (
            "This pane needs tables, which 4x4k4 does not have. It has: Every move; "
            "What AIs play here; The whole tree; Query it."
        )


def test_the_page_shows_the_failure_of_a_foreign_ai(browser: Browser, port: int) -> None:
    bad = quote(f"{BAD}:raises", safe="")
    place = f"http://127.0.0.1:{port}/#line=d1&cross={bad}&hints=on"
    with failing(browser, place) as page:
        until(page, lambda: "to move." in status_of(page))
        page.click('[data-control="go"]')
        page.wait_for_selector("[role=alert]:not([hidden])")
        assert "raises fails on ...............o" in page.inner_text("[role=alert]")
        page.click('#panes [data-pane="ais"]')
        until(page, lambda: "raises fails on" in page.inner_text(f'[data-ai="{BAD}:raises"]'))
        go(page, "line=d1&cross=perfect")
        page.click('[data-control="go"]')
        until(page, lambda: board_of(page).count("x") == 1)


def test_a_site_needs_more_than_answers_of_searches(tmp_path: Path) -> None:
    add_answers(DataSet(tmp_path, Game("connect4")), {EMPTY: Found(FAR - 41, 1)})
    done = run_here("site", "--game", "connect4", "--out", str(tmp_path / "site"), data=tmp_path)
    assert done.returncode == 1
    assert done.stderr == (
        "marubatsu: a static site needs the tables or the solution of connect4, which are not "
        "here: `marubatsu explore --game connect4` shows what a search answers\n"
    )
    assert not (tmp_path / "site").exists()
