"""The page in a real browser: played, replayed, read, switched, from a server and from files."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.oracle.opening import open_oracle
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.store.data_set import DataSet
from tests.helpers.browser import watched
from tests.helpers.pages import board_of, is_settled, play_out, status_of, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def test_a_game_is_played_by_mouse(browser: "Browser", address: str) -> None:
    with watched(browser, address) as page:
        last = play_out(page, lambda cell: page.click(f'[data-cell="{cell}"]'))
        assert status_of(page).startswith(("Cross has won", "A draw"))
        assert last == board_of(page)
        page.click('[data-control="new"]')
        page.wait_for_function("() => location.hash === '#board'")
        assert board_of(page) == "." * 9


def test_a_game_is_played_by_keyboard(browser: "Browser", address: str) -> None:
    pad = "789456123"
    with watched(browser, address) as page:
        page.focus('[data-cell="0"]')
        play_out(page, lambda cell: page.keyboard.press(pad[cell]))
        assert status_of(page).startswith(("Cross has won", "A draw"))
    with watched(browser, address) as page:
        until(page, lambda: is_settled(page, ""))
        page.focus('[data-cell="0"]')
        for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowLeft", "Enter"):
            page.keyboard.press(key)
        until(page, lambda: board_of(page)[3] == "o")


def test_a_game_is_taken_back_replayed_and_branched(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#board?line=0,4,8,1") as page:
        until(page, lambda: board_of(page) == "ox..x...o")
        page.select_option('[data-side="cross"]', "person")
        page.click('[data-cell="7"]')
        until(page, lambda: board_of(page) == "ox..x..oo")
        for control, board in (("previous", "ox..x...o"), ("first", "........."),
                               ("next", "o........"), ("last", "ox..x..oo"),
                               ("undo", "ox..x...o"), ("undo", "o...x...o"),
                               ("redo", "ox..x...o"), ("redo", "ox..x..oo")):  # fmt: skip
            page.click(f'[data-control="{control}"]')
            until(page, lambda board=board: board_of(page) == board)  # type: ignore[misc]
        page.fill('[data-control="slider"]', "2")
        until(page, lambda: board_of(page) == "o...x....")
        page.click('[data-cell="2"]')
        until(page, lambda: board_of(page) == "o.o.x....")
        assert page.url.endswith("#board?line=0%2C4%2C2")


def test_a_game_is_saved_and_loaded(browser: "Browser", address: str, tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    with watched(browser, f"{address}#board?line=4,0,8&at=2") as page:
        until(page, lambda: board_of(page) == "x...o....")
        page.select_option('[data-side="cross"]', "person")
        with page.expect_download() as download:
            page.click('[data-control="save"]')
        download.value.save_as(saved)
        assert json.loads(saved.read_text())["cells"] == [4, 0, 8]
        page.click('[data-control="new"]')
        until(page, lambda: board_of(page) == "." * 9)
        page.set_input_files('[data-control="file"]', saved)
        until(page, lambda: board_of(page) == "x...o...o")
        for wrong in ("{}", "no JSON", '{"marubatsu": 1, "game": "tictactoe", "cells": [0, 0]}'):
            saved.write_text(wrong)
            page.set_input_files('[data-control="file"]', saved)
            page.wait_for_selector("[role=alert]:not([hidden])")
            assert "holds no saved game of tictactoe" in page.inner_text("[role=alert]")
            page.click('[data-control="previous"]')
            page.click('[data-control="next"]')
            page.wait_for_selector("[role=alert]", state="hidden")


BOARDS = ("o...x...o", ".........", "oxoxo.x..", "ox.......", "ooxxxooxo")


def test_what_is_shown_of_a_position_is_in_the_tables(
    browser: "Browser", address: str, catalog: Catalog
) -> None:
    with watched(browser, f"{address}#board") as page:
        for board in BOARDS:
            page.evaluate("board => { location.hash = `board?board=${board}`; }", board)
            until(page, lambda board=board: board_of(page) == board)  # type: ignore[misc]
            assert_shown(page, catalog, board)


def assert_shown(page: "Page", catalog: Catalog, board: str) -> None:
    """Assert that the facts and moves that the page shows are the rows of a position."""
    answer = catalog.run("select * from positions where board = ?", [board])
    row = dict(zip(answer.columns, answer.rows[0], strict=True))
    moves = catalog.run(
        "select move, moves.score, moves.score_sv, after.score_svrd, after.distance, loss, is_best "
        "from moves join positions as after on child = after.position where moves.position = ? "
        "order by move",
        [row["position"]],
    ).rows

    def fact(name: str) -> str:
        return page.inner_text(f'[data-fact="{name}"]').replace(",", "").strip()

    until(page, lambda: fact("number") == str(row["position"]))
    assert fact("class") == str(row["class"])
    assert fact("nodes") == str(row["nodes"])
    assert page.locator('[data-fact="orbit"] a').count() == orbit(catalog, row["class"])
    shown = page.locator(".moves tbody tr")
    assert shown.count() == len(moves)
    for number, (move, score, sv, svrd, distance, loss, is_best) in enumerate(moves):
        cells = shown.nth(number).locator("td").all_inner_texts()
        outcome = {1: "〇", 0: "△", -1: "×"}[score]
        expected = [str(move), outcome, str(score), str(sv), f"{svrd:g}", str(distance),
                    str(loss or ""), "best" * is_best]  # fmt: skip
        assert cells[:8] == expected


def orbit(catalog: Catalog, number: int) -> int:
    rows = catalog.run("select orbit from classes where class = ?", [number]).rows
    return int(rows[0][0])


def test_an_advisers_values_and_blunders_are_shown(
    browser: "Browser", address: str, catalog: Catalog
) -> None:
    rows = catalog.run(
        "select move, ai_moves.ai_score, is_candidate, is_best from ai_moves join moves "
        "using (position, move) join positions using (position) "
        "where ai = 'ai10s' and board = 'o.x......' order by move",
    ).rows
    with watched(browser, f"{address}#board?board=o.x......") as page:
        page.select_option('[data-control="adviser"]', "ai10s")
        page.wait_for_function("() => document.querySelectorAll('.moves th').length === 11")
        shown = page.locator(".moves tbody tr")
        for number, (move, value, candidate, best) in enumerate(rows):
            cells = shown.nth(number).locator("td").all_inner_texts()
            assert cells[0] == str(move)
            assert float(cells[8]) == value
            assert cells[9] == ("" if not candidate else "yes" if best else "blunder")


def test_the_language_is_chosen_and_switched(browser: "Browser", address: str) -> None:
    with watched(browser, address, locale="ja-JP") as page:
        until(page, lambda: "〇の手番" in status_of(page))
        assert page.get_attribute("html", "lang") == "ja"
        page.click("#languages button[lang=en]")
        page.wait_for_function("() => document.documentElement.lang === 'en'")
        until(page, lambda: "Circle to move" in status_of(page))
        page.reload()
        until(page, lambda: "Circle to move" in status_of(page))


def test_every_text_is_in_both_languages(browser: "Browser", address: str) -> None:
    with watched(browser, address) as page:
        page.wait_for_selector("[data-cell]")
        views = page.locator("#views a").evaluate_all("links => links.map(a => a.dataset.view)")
        assert views == ["board", "tree", "animation", "audit", "sql"]
        for view in views:
            page.click(f'#views a[data-view="{view}"]')
            page.wait_for_selector(f'#views a[data-view="{view}"][aria-current="page"]')
        keys = page.evaluate("import('./i18n.js').then(module => module.keys())")
        assert sorted(keys["en"]) == sorted(keys["ja"])
        assert len(keys["en"]) > 50


def test_one_is_not_many(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#board?board=oxoxo.x..") as page:
        page.wait_for_selector(".moves tbody tr")
        assert "in 1 move." in status_of(page)
        for view in ("tree", "animation", "audit", "sql"):
            page.click(f'#views a[data-view="{view}"]')
            page.wait_for_selector(f'#views a[data-view="{view}"][aria-current="page"]')
        told = page.evaluate(
            "async () => { const { keys, t } = await import('./i18n.js'); const all = (value) =>"
            " keys().en.map((key) => t(key, new Proxy({}, { get: () => value })));"
            " return ['1', 2, '2,000'].map(all); }"
        )
    one, two, many = ("\n".join(texts) for texts in told)
    words = r"\b{} (move|blunder|row|node|event|run|cell|step)(s?)\b(?! at| together)"
    forms = [re.findall(words.format(count), text)
             for count, text in (("1", one), ("2", two), ("2,000", many))]  # fmt: skip
    assert len(forms[0]) > 5
    assert {plural for _, plural in forms[0]} == {""}
    assert forms[1] == forms[2] == [(word, "s") for word, _ in forms[0]]
    assert "|" not in one


def test_a_cell_that_cannot_be_played_is_told(
    browser: "Browser", address: str, gravity: str
) -> None:
    with watched(browser, f"{address}#board?line=0,4") as page:
        until(page, lambda: board_of(page) == "o...x....")
        page.focus('[data-cell="0"]')
        page.keyboard.press("5")
        until(
            page, lambda: "column 2, row 2: this cell is taken. Circle to move" in status_of(page)
        )
        page.click('[data-cell="0"]', force=True)
        until(page, lambda: "column 1, row 1: this cell is taken." in status_of(page))
        assert page.get_attribute(".status", "role") == "status"
    with watched(browser, f"{address}#board?board=ooxxxooxo") as page:
        until(page, lambda: status_of(page) == "A draw.")
        page.focus('[data-cell="0"]')
        page.keyboard.press("9")
        until(page, lambda: "the game is over. A draw." in status_of(page))
    with watched(browser, f"{gravity}#board") as page:
        until(page, lambda: status_of(page).startswith("Circle to move"))
        page.focus('[data-cell="0"]')
        page.keyboard.press("7")
        until(page, lambda: "this cell cannot be played now." in status_of(page))


def test_the_first_view_is_small(browser: "Browser", address: str) -> None:
    with watched(browser, address) as page:
        tools = page.context.new_cdp_session(page)
        tools.send("Network.enable")
        tools.send("Network.setCacheDisabled", {"cacheDisabled": True})
        page.reload()
        page.wait_for_selector(".moves tbody tr")
        sizes = page.evaluate(
            "() => ['resource', 'navigation'].flatMap("
            "kind => performance.getEntriesByType(kind).map(entry => entry.transferSize))"
        )
        tools.detach()
        assert len(sizes) > 10
        assert min(sizes) > 0  # Nothing came from a cache.
        assert sum(sizes) < 300_000


def test_a_site_from_a_plain_file_server_shows_the_same(
    browser: "Browser", served_site: str, root: Path
) -> None:
    with watched(browser, served_site) as page:
        page.wait_for_selector(".moves tbody tr")
        views = page.locator("#views a").evaluate_all("links => links.map(a => a.dataset.view)")
        assert views == ["board", "tree", "animation", "audit"]
        play_out(page, lambda cell: page.click(f'[data-cell="{cell}"]'))
        assert status_of(page).startswith(("Cross has won", "A draw"))
        for view, ready in (("tree", ".tree-view [data-part=continuation] li"),
                            ("animation", "[data-counter][data-value]"),
                            ("audit", ".verdicts tbody tr")):  # fmt: skip
            page.click(f'#views a[data-view="{view}"]')
            page.wait_for_selector(ready)
        for part, ready in (("blunders", ".gallery li"), ("matches", ".matrix tbody td"),
                            ("orderings", "svg.bars"), ("file", ".drop input")):  # fmt: skip
            page.click(f'.audit-parts [data-part="{part}"]')
            page.wait_for_selector(ready)
        told = page.evaluate(
            "boards => import('./api.js').then(api => Promise.all(boards.map(api.position)))",
            [*BOARDS, "ooo......", "zzz"],
        )
        oracle = open_oracle(DataSet(root, Game("tictactoe")), lambda: None)
        assert told == [*(oracle.answer(board).to_json() for board in BOARDS), None, None]
        page.goto(f"{served_site}#sql")
        page.wait_for_function("() => /SQL needs the server/.test(document.body.innerText)")
        assert page.locator("textarea").count() == 0


@pytest.mark.parametrize("wrong", ["board=zzz", "line=0,0", "board=ooo......", "line=99", "at=x"])
def test_a_wrong_address_is_told(browser: "Browser", address: str, wrong: str) -> None:
    with watched(browser, f"{address}#board?{wrong}") as page:
        page.wait_for_selector(".moves tbody tr")
        assert board_of(page) == "." * 9
        if wrong != "at=x":
            assert page.inner_text("[role=alert]").startswith("Play cannot reach")


def test_the_last_of_many_addresses_is_shown(browser: "Browser", address: str) -> None:
    with watched(browser, address) as page:
        page.evaluate(
            "async () => { for (const place of ['tree', 'board?line=4', 'audit', 'board?line=0,2'])"
            " { location.hash = place; await new Promise((go) => setTimeout(go, 5)); } }"
        )
        until(page, lambda: board_of(page) == "o.x......")
        page.wait_for_timeout(300)
        assert board_of(page) == "o.x......"
        assert page.get_attribute("#views [aria-current]", "data-view") == "board"


def test_nothing_is_wider_than_a_phone(browser: "Browser", address: str) -> None:
    with watched(browser, address, viewport={"width": 390, "height": 800}) as page:
        for view in ("board", "tree", "animation", "audit", "sql"):
            page.click(f'#views a[data-view="{view}"]')
            page.wait_for_timeout(400)
            width = page.evaluate("() => document.documentElement.scrollWidth")
            assert width <= 390, view


PERSON_AND_AI = {"players": {"circle": "person", "cross": "ai2s"}, "seed": 7}


def test_a_position_that_is_linked_to_stays_until_somebody_plays(
    browser: "Browser", address: str
) -> None:
    with watched(browser, f"{address}#board?board=o........") as page:
        page.wait_for_selector(".moves tbody tr")
        page.wait_for_timeout(800)  # Twice as long as an AI thinks.
        assert board_of(page) == "o........"
        page.click('[data-cell="4"]')  # It is the AI's turn: it is told to move.
        until(page, lambda: is_settled(page, "o........"))
        assert board_of(page).count("x") == 1


def test_a_view_that_was_left_does_not_come_back(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#animation") as page:
        page.wait_for_selector("[data-control=slider]", state="attached")
        page.click('[data-view="audit"]')
        page.wait_for_timeout(1500)
        assert "#audit" in page.url
    with watched(browser, address) as page:
        page.wait_for_selector(".moves tbody tr")
        page.click('[data-cell="0"]')
        page.click('[data-view="tree"]')
        page.wait_for_timeout(1000)
        assert "#tree" in page.url


def test_a_move_is_redone_where_it_was_undone(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#board?line=0,4,8") as page:
        page.wait_for_selector(".moves tbody tr")
        page.select_option('[data-side="cross"]', "person")
        for control in ("undo", "previous", "redo"):
            page.click(f'[data-control="{control}"]')
            page.wait_for_timeout(100)
        until(page, lambda: board_of(page) == "o...x...o")


def test_a_saved_game_brings_its_players_and_its_seed(
    browser: "Browser", address: str, tmp_path: Path
) -> None:
    saved = tmp_path / "game.json"
    game = {"marubatsu": 1, "game": "tictactoe", "start": ".........", "cells": [0]}
    with watched(browser, address) as page:
        page.wait_for_selector(".moves tbody tr")
        saved.write_text(json.dumps({**game, **PERSON_AND_AI}))
        page.set_input_files('[data-control="file"]', saved)
        until(page, lambda: board_of(page) == "o........")
        assert page.input_value('[data-side="cross"]') == "ai2s"
        assert page.input_value('[data-control="seed"]') == "7"
        odd = {"players": {"circle": "__proto__", "cross": 5}, "seed": "x"}
        saved.write_text(json.dumps({**game, "cells": [0, 1], **odd}))
        page.set_input_files('[data-control="file"]', saved)
        until(page, lambda: board_of(page) == "ox.......")
        assert page.input_value('[data-side="cross"]') == "ai2s"


def test_a_lost_request_is_told(browser: "Browser", address: str) -> None:
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(".moves tbody tr")
    page.route("**/position/*x*", lambda route: route.abort())
    page.route("**/choices/*", lambda route: route.abort())
    page.click('[data-cell="0"]')
    page.wait_for_selector("[role=alert]:not([hidden])")
    assert page.inner_text("[role=alert]:not([hidden])")
    context.close()
