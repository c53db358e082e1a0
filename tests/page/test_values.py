"""Values on the page are those of the oracle, wherever they come from.

Positions of random play, 40 of each game; `make outside` sets MARUBATSU_OUTSIDE, and takes so many.
"""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pyarrow.parquet as pq
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.web import games
from marubatsu.web.documents import BY_VALUES
from marubatsu.web.games import OpenGame
from tests.helpers.data.data_sets import Solutions
from tests.helpers.data.played import boards_of_play
from tests.helpers.page.browser import Browser, Response, file_server, kept_page, watched
from tests.helpers.page.pages import at, board_of, go, name_of, status_of, until
from tests.helpers.processes.commands import PATIENCE, run_here
from tests.helpers.processes.in_process import by_ranges, served

COUNT = int(os.environ.get("MARUBATSU_OUTSIDE", "40"))
GRAVITY = "5x5k4-gravity" if COUNT > 1000 else "4x3k3-gravity"
READ = """async ([ais, boards]) => {
    const { openGame } = await import(new URL('answers/api.js', document.scripts[0].src));
    const game = await openGame();
    const ask = (ai, board) => (ai ? game.choices(ai, { board }) : game.position(board));
    const pairs = ais.flatMap((ai) => boards.map((board) => [ai, board]));
    const found = [];
    while (pairs.length) {
        const some = pairs.splice(0, 50).map(([ai, board]) => ask(ai, board));
        for (const answer of await Promise.all(some)) found.push(answer ?? null);
    }
    return found;
}"""
"""The answer that the page's own code reads for each AI and board; without an AI, the position."""

OPPONENTS = """async () => {
    const { openGame } = await import(new URL('answers/api.js', document.scripts[0].src));
    return (await openGame()).opponents;
}"""

LINE = "a1.a2.a3.c1.c2.f1.e1.e2.e3.b1.e4.f2.e5.b2.d1.a4.c3.d2.b3.f3.f4.f5.c4.c5.b4.f6.c6.e6.b5.a5"
"""A game of connect4 in which twelve cells are left."""


def written(root: Path, name: str, folder: Path) -> Path:
    done = run_here("site", "--game", name, "--out", str(folder / "site"), data=root)
    assert done.returncode == 0, done.stderr
    return folder / "site"


def compare(browser: Browser, address: str, root: Path, name: str, plies: range) -> set[int]:
    """Compare what the page reads with the oracle; return the statuses of the Parquet files."""
    game, random, statuses = Game(name), Random(COUNT), set()
    oracle = open_oracle(DataSet(root, game))

    def hear(response: Response) -> None:
        if response.url.endswith(".parquet"):
            statuses.add(response.status)

    boards = boards_of_play(game, COUNT, plies, random)
    wrong = ("zz", "o" * game.cells, "x" + "." * (game.cells - 1))
    with watched(browser, address) as page:
        page.on("response", hear)
        page.wait_for_selector("[data-cell]")
        values = page.evaluate(READ, [[None], [*boards, *wrong]])
        page.remove_listener("response", hear)
    assert values[COUNT:] == [None] * 3
    for board, found in zip(boards, values, strict=False):
        assert found == oracle.answer(board).to_json()
    return statuses


def test_values_of_a_solution_from_the_server(browser: Browser, solutions: Solutions) -> None:
    root = solutions.of(GRAVITY)
    with served(root, GRAVITY) as address:
        assert compare(browser, address, root, GRAVITY, range(Game(GRAVITY).cells + 1)) == set()


def test_values_of_a_search(
    browser: Browser, kernels: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Late in the game, where a search takes milliseconds; that of the empty board is cut short."""
    monkeypatch.setattr(games, "SECONDS", 0.5)
    with served(tmp_path, "connect4") as address:
        assert compare(browser, address, tmp_path, "connect4", range(33, 43)) == set()


def test_a_line_is_shown_before_its_values_are_searched(
    browser: Browser, kernels: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search of an earlier position is not waited for; while one runs, moves can be made."""
    may_search, search = Event(), OpenGame.answer_all

    def later(self: OpenGame, *arguments: Any) -> Any:
        assert may_search.wait(PATIENCE)
        return search(self, *arguments)

    monkeypatch.setattr(OpenGame, "answer_all", later)
    with (
        served(tmp_path, "connect4") as address,
        watched(browser, f"{address}#line={LINE}&hints=on&cross=person") as page,
    ):
        try:
            until(page, lambda: board_of(page).count(".") == 12)
            assert "Asking for the value" in status_of(page)
            page.click(at("a6"))
            until(page, lambda: board_of(page).count(".") == 11)
            assert "Asking for the value" in status_of(page)
        finally:  # The server ends when its searches have.
            may_search.set()
        until(page, lambda: "With best play" in status_of(page))
        until(page, lambda: page.locator(".moves-so-far [data-class=unknown]").count() < 25)


Host = Callable[[Path], AbstractContextManager[str]]


@pytest.mark.parametrize(
    ("name", "host", "status"), [("4x4k4", by_ranges, 206), (GRAVITY, file_server, 200)]
)
def test_values_of_a_site_of_a_solution(
    browser: Browser, solutions: Solutions, tmp_path: Path, name: str, host: Host, status: int
) -> None:
    """4x4k4 has plies of several row groups; a host without ranges sends whole files."""
    root = solutions.of(name)
    game = Game(name)
    with host(written(root, name, tmp_path)) as address:
        assert compare(browser, address, root, name, range(game.cells + 1)) == {status}


def test_a_site_of_a_solution_has_its_rows_and_shows_them(
    browser: Browser, solutions: Solutions, tmp_path: Path
) -> None:
    root = solutions.of("4x3k3")
    site = written(root, "4x3k3", tmp_path)
    folder, data = site / "api/v2/games/4x3k3/tables", root / "4x3k3"
    there = {str(path.relative_to(data)) for path in data.rglob("*.parquet")}
    assert {str(path.relative_to(folder)) for path in folder.rglob("*.parquet")} == there
    for file in there:
        assert pq.read_table(folder / file).equals(pq.read_table(data / file)), file
    oracle = open_oracle(DataSet(root, Game("4x3k3")))
    with file_server(site) as address, watched(browser, f"{address}#line=b2&hints=on") as page:
        until(page, lambda: board_of(page) == ".....o......")
        for move in oracle.answer(".....o......").moves:
            shown = page.inner_text(f"{at(name_of(move.move, 4, 3))} .hint")
            assert shown == str(move.distance + 1)
        names = page.locator("#panes a").evaluate_all("all => all.map(a => a.dataset.pane)")
        assert names == ["moves", "data", "map", "ais"]
        page.click('#panes [data-pane="data"]')
        page.wait_for_selector('[data-table="value_counts"]')
        assert page.locator("textarea").count() == 0
        page.click('[data-table="blocks"] summary')
        title = page.get_attribute("text=solution/blocks.parquet", "title")
        assert title == f"{(folder / 'solution/blocks.parquet').stat().st_size:,} bytes"


def test_a_file_of_a_site_with_other_bytes_is_named(
    browser: Browser, solutions: Solutions, tmp_path: Path
) -> None:
    """Nulls, bytes at random, and bytes whose numbers and lists have no end."""
    site = written(solutions.of("3x2k2"), "3x2k2", tmp_path)
    (file,) = (site / "api/v2/games/3x2k2/tables/solution/ply=01").glob("*.parquet")
    size = file.stat().st_size
    with file_server(site) as address:
        for content in (b"\0", Random(1).randbytes(size), b"\xff", b"\x19\xfc\xff"):
            file.write_bytes(
                (content * size)[: size - 8] + (size - 8).to_bytes(4, "little") + b"PAR1"
            )
            with kept_page(browser) as page:
                page.goto(address)
                text = page.locator("#board .notice.error").inner_text()
            assert (
                f"The file api/v2/games/3x2k2/tables/{file.relative_to(file.parents[2])} is" in text
            )


def test_opponents_on_a_site_of_a_solution_play_as_those_of_the_server(
    browser: Browser, solutions: Solutions, tmp_path: Path
) -> None:
    """The values of the moves say what they may play; one of them answers on the board."""
    root, game = solutions.of("4x3k3"), Game("4x3k3")
    boards = boards_of_play(game, COUNT, range(game.cells), Random(COUNT))
    oracle = open_oracle(DataSet(root, game))
    boards = [board for board in boards if oracle.answer(board).turn]
    assert len(boards) > COUNT / 4
    with served(root, "4x3k3") as address, watched(browser, address) as page:
        page.wait_for_selector("[data-cell]")
        expected = page.evaluate(READ, [BY_VALUES, boards])
    with (
        file_server(written(root, "4x3k3", tmp_path)) as address,
        watched(browser, address) as page,
    ):
        page.wait_for_selector("[data-cell]")
        assert tuple(page.evaluate(OPPONENTS)) == BY_VALUES
        assert page.evaluate(READ, [BY_VALUES, boards]) == expected
        go(page, "cross=perfect")
        page.click(at("b2"))
        until(page, lambda: board_of(page).count("x") == 1)


def test_a_page_opened_as_a_file_says_what_to_do(
    browser: Browser, solutions: Solutions, tmp_path: Path
) -> None:
    site = written(solutions.of("3x2k2"), "3x2k2", tmp_path)
    with browser.new_context(locale="en-US") as context:  # The browser refuses all modules there.
        page = context.new_page()
        for name in ("index.html", "proof/index.html"):
            page.goto((site / name).as_uri())
            text = page.inner_text("#board [role=alert]")
            assert "python3 -m http.server" in text
            assert "marubatsu explore" in text
