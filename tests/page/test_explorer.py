"""The workspace in a real browser: played, replayed, studied, watched, from a server and files."""

import re
from pathlib import Path

import pytest

import marubatsu as mb
from marubatsu.engine.search.roster import all_ais
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.web import games
from tests.helpers.data.data_sets import build_tree
from tests.helpers.page import pages
from tests.helpers.page.browser import Browser, Page, Visit, watched
from tests.helpers.page.pages import PANES, at, board_of, control, go, name_of, status_of, until
from tests.helpers.processes.in_process import served

TABS = [*PANES[:3], "file", *PANES[3:]]


def test_the_first_view_says_what_this_is_and_loads_little(visit: Visit) -> None:
    with visit() as page:
        tools = page.context.new_cdp_session(page)
        tools.send("Network.enable")
        tools.send("Network.setCacheDisabled", {"cacheDisabled": True})
        page.reload()
        page.wait_for_selector(".truth:not(:empty)")
        page.wait_for_selector(".secret")
        sizes = page.evaluate(
            "() => ['resource', 'navigation'].flatMap("
            "kind => performance.getEntriesByType(kind).map(entry => entry.transferSize))"
        )
        tools.detach()
        assert len(sizes) > 10
        assert min(sizes) > 0  # Nothing came from a cache.
        assert sum(sizes) < 300_000
        message = "5,478 positions, all solved. With best play it is a draw. Can you hold it?"
        assert page.inner_text(".truth") == message
        assert page.inner_text(".rules").endswith("3 in a line wins.")
        assert page.locator("#panes a").evaluate_all("all => all.map(a => a.dataset.pane)") == TABS
        assert page.inner_text(".players .who") == "You are 〇 against Perfect"
        assert page.inner_text(".needs") == (
            "Alpha-beta, a search that skips what cannot matter, needs 18,297 of these 549,946 "
            "boxes. Watch it search"
        )
        tabs = page.locator("#panes .full").all_inner_texts()
        assert tabs[2] == f"{len(all_ais())} AIs, judged"
        assert page.locator(".hint:visible").count() == 0


BOARDS = ("o...x...o", ".........", "oxoxo.x..", "ox.......", "ooxxxooxo")
TAGS = {1: "win", 0: "draw", -1: "loss"}


def test_the_page_shows_the_facts_of_a_position_in_the_tables(
    visit: Visit, catalog: Catalog, oracle: Oracle
) -> None:
    with visit("hints=on") as page:
        for board in BOARDS:
            go(page, f"hints=on&start={board}")
            until(page, lambda board=board: board_of(page) == board)  # type: ignore[misc]
            assert_shown(page, catalog, oracle, board)
        go(page, "line=b2&hints=on&cross=person")
        until(page, lambda: board_of(page) == "....o....")
        page.click(at("a2"))
        message = "a2 is a blunder: it turns a draw into a loss. Better: a3, c3, a1, c1."
        until(page, lambda: message in status_of(page))
        assert page.get_attribute(".moves-so-far li:last-child button", "data-class") == "blunder"
    with visit("line=b2.a2.a3.b3.c1") as page:
        until(page, lambda: "You won. a2 gave it away" in status_of(page))
        won = page.locator(".won-cell").evaluate_all("all => all.map(each => each.dataset.cell)")
        assert won == ["a3", "b2", "c1"]
        assert page.get_attribute(".last", "data-cell") == "c1"


def assert_shown(page: Page, catalog: Catalog, oracle: Oracle, board: str) -> None:
    """Assert that cells, moves and facts of a position are its rows."""
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
    (orbit,) = catalog.run("select orbit from classes where class = ?", [row["class"]]).rows[0]
    assert page.locator('[data-fact="orbit"] a').count() == orbit
    shown = page.locator(".moves tbody tr")
    assert shown.count() == len(moves)
    sign = 1 if row["turn"] == "circle" else -1
    for move, score, sv, svrd, distance, loss, is_best in moves:
        row_of_move = page.locator(f'.moves tbody tr[data-move="{name_of(move)}"]')
        cells = row_of_move.locator("td").all_inner_texts()
        tag = TAGS[sign * score]
        worth = {1: "〇 wins", 0: "a draw", -1: "× wins"}[score]
        numbers = [*map(str, (distance + 1, score, sv)), f"{svrd:g}", str(loss or "")]
        assert [*cells[:2], *cells[3:8]] == [name_of(move), worth, *numbers]
        assert ("best" in cells[2] or "only" in cells[2] or "forced" in cells[2]) == is_best
        look = str(page.get_attribute(at(name_of(move)), "class")).split()
        assert tag in look
        assert ("best-cell" in look) == is_best
        assert page.inner_text(f"{at(name_of(move))} .hint") == str(distance + 1)
    assert [each.move for each in oracle.answer(board).moves] == [  # The best first.
        pages.cell_of(text)
        for text in page.locator(".moves tbody td:first-child").all_inner_texts()
    ]


def test_the_page_shows_the_candidates_in_the_tables_of_ais(visit: Visit, catalog: Catalog) -> None:
    rows = catalog.run(
        "select ai, move, is_best from ai_moves join moves using (position, move) "
        "join positions using (position) where board = 'o.x......' and is_candidate order by move"
    ).rows
    wanted: dict[str, list[tuple[str, bool]]] = {}
    for ai, move, is_best in rows:
        wanted.setdefault(ai, []).append((name_of(move), is_best))
    with visit("hints=on&pane=ais&start=o.x......") as page:
        page.wait_for_selector(".choices tbody tr")
        until(page, lambda: "Asking" not in page.inner_text(".choices"))
        read = """rows => rows.map(row => [row.dataset.ai,
            [...row.cells[1].children].map(each => [each.textContent, !each.className])])"""
        shown = dict(page.locator(".choices tbody tr").evaluate_all(read))
    assert {ai: [tuple(each) for each in moves] for ai, moves in shown.items()} == wanted


def test_texts_are_in_both_languages_and_one_is_not_many(visit: Visit) -> None:
    with visit("hints=on", locale="ja-JP") as page:
        until(page, lambda: "あなたの手番" in status_of(page))
        for pane in PANES:
            pages.click_pane(page, pane)
        page.click(control("players"))
        page.keyboard.press("Escape")
        page.evaluate("""async () => {
            const { keys, t } = await import(new URL('words/i18n.js', document.scripts[0].src));
            const valued = (value) => new Proxy({}, { get: () => value });
            window.textsOf = (value) => keys().map((key) => t(key, valued(value)));
        }""")
        assert len(page.evaluate("textsOf('1')")) > 50  # A text that is missing is an error.
        page.click("#languages [lang=en]")
        until(page, lambda: "Your move." in status_of(page))
        message = page.evaluate("['1', 2, '2,000'].map(textsOf)")
        go(page, "start=oxoxo.x..&hints=on")
        until(page, lambda: "in 1 move." in status_of(page))
    one, two, many = ("\n".join(texts) for texts in message)
    words = r"\b{} (move|blunder|row|node|event|run|step|table)(s?)\b(?! at| together)"
    forms = [re.findall(words.format(count), text)
             for count, text in (("1", one), ("2", two), ("2,000", many))]  # fmt: skip
    assert len(forms[0]) > 5
    assert {plural for _, plural in forms[0]} == {""}
    assert forms[1] == forms[2] == [(word, "s") for word, _ in forms[0]]
    assert "|" not in one


MEANINGLESS = (
    ("moves", "at=x"), ("moves", "at=3"), ("moves", "at=-1"),
    ("moves", "seed=1e99, hints=yes, lang=fr"), ("moves", "line=b2, constructor=1"),
    ("data&report=plies", "sort=no, chart=pie, y=no"), ("data&report=plies", "sort=no"),
    ("search", "step=-1, rate=7, zoom=3-1, play=no"), ("search", "step=99999"), ("map", "score=no"),
)  # fmt: skip
"""Panes, and parts of the address that mean nothing there."""


def test_impossible_moves_and_addresses_show_a_message(
    visit: Visit, browser: Browser, gravity: str
) -> None:
    with visit("line=a3.b2") as page:
        until(page, lambda: board_of(page) == "o...x....")
        page.focus(at("a3"))
        page.keyboard.press("5")
        until(page, lambda: "b2: this cell is taken. Your move." in status_of(page))
        page.click(at("a3"), force=True)
        until(page, lambda: "a3: this cell is taken." in status_of(page))
        go(page, "start=ooxxxooxo")
        until(page, lambda: status_of(page).startswith("A draw."))
        page.click(control("share"))  # Nothing was played: it is no one's.
        assert page.get_attribute(".share img", "alt") == "A game of Tic-tac-toe"
        page.keyboard.press("Escape")
        page.focus(at("a3"))
        page.keyboard.press("9")
        until(page, lambda: "the game is over. A draw" in status_of(page))
        for wrong in ("start=zzz", "line=a3.a3", "start=ooo......", "line=d9", "line=%00"):
            go(page, wrong)
            page.wait_for_selector("[role=alert]:not([hidden])")
            assert page.inner_text("[role=alert]").startswith("Play cannot reach"), wrong
            assert board_of(page) == "." * 9
            go(page, "at=&hints=off")
            page.wait_for_selector("[role=alert]", state="hidden")
        for pane, parts in MEANINGLESS:
            go(page, f"line=a3.c1&pane={pane}&{parts.replace(', ', '&')}")
            strange = f"Not used, because it means nothing here: {parts}."
            page.wait_for_selector(f"[role=alert]:text-is('{strange}')")
            assert board_of(page) == "o.......x"
        go(page, "game=&line=a3&cross=nobody")
        absent = "tictactoe has no AI nobody here: you move in its place."
        until(page, lambda: page.inner_text("[role=alert]") == absent)
        go(page, "line=a3.a3&cross=nobody")
        both = f"Play cannot reach a3.a3. {absent}"
        until(page, lambda: page.inner_text("[role=alert]") == both)
        go(page, "line=a3.b2&at=")
        until(page, lambda: board_of(page) == "o...x....")
        nothing = "nothing" * 30
        go(page, f"pane=leaderboard&part={nothing}")
        page.wait_for_selector(f"#pane [role=alert]:has-text('no part “{nothing}”')")
        assert page.get_attribute("[data-part='verdicts']", "aria-current") == "true"
        go(page, f"pane={nothing}")
        absent = page.inner_text("#pane .notice.error")
        assert absent.startswith(f"tictactoe has no pane “{nothing}”.")
        assert absent.endswith("All positions.")
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    with watched(browser, gravity) as page:
        until(page, lambda: "Your move." in status_of(page))
        assert "A mark falls to the lowest empty cell" in page.inner_text(".rules")
        page.focus(at("a3"))
        page.keyboard.press("7")
        until(page, lambda: "this cell cannot be played now." in status_of(page))


def test_other_games_are_chosen_also_those_without_data(visit: Visit, tmp_path: Path) -> None:
    with visit("hints=on") as page:
        page.click('[data-game="3x3k3-gravity"]')
        until(page, lambda: "falls to the lowest" in page.inner_text(".rules"))
        page.click(control("other-game"))
        page.fill(".strip input", "3x2k2-misere")
        page.keyboard.press("Enter")
        until(page, lambda: page.inner_text(".truth").startswith("A search answers"))
        go(page, "game=3x2k2-misere&hints=on&start=oxo...")
        until(page, lambda: board_of(page) == "oxo...")
        until(page, lambda: "Asking" not in status_of(page))
        for move in mb.answer("oxo...", "3x2k2-misere", data=tmp_path).moves:
            cell = at(name_of(move.move, 3, 2))
            assert TAGS[-move.score] in str(page.get_attribute(cell, "class"))  # Cross moves.
            assert page.inner_text(f"{cell} .hint") == str(move.distance + 1)


def test_boards_of_one_cell_and_of_many_columns_are_played(visit: Visit) -> None:
    """Browsers leave . and .. out of paths; column 27 is aa."""
    with visit("game=27x1k3&cross=person&line=b1.aa1") as page:
        until(page, lambda: board_of(page) == ".o" + "." * 24 + "x")
        assert page.inner_text(".letters span:last-child") == "aa"
        for game, board in (("1x1k1", "."), ("2x1k2", "..")):
            go(page, f"game={game}&circle=ai2&cross=person")
            until(page, lambda board=board: board_of(page) == board)  # type: ignore[misc]
            page.click(control("go"))
            until(page, lambda: board_of(page).count("o") == 1)


def test_the_card_of_a_game_with_data_does_not_deny_it(browser: Browser, tmp_path: Path) -> None:
    build_tree(tmp_path, "1x3k2")
    with served(tmp_path, "1x3k2") as address, watched(browser, address) as page:
        shown = page.inner_text(".card[aria-current]")
        assert shown == "1×3, two in a row\nEvery position is solved."


FAILED = {"en-US": "The game “{}” cannot be shown.", "ja-JP": "ゲーム「{}」は表示できません。"}
WRONG_GAMES = [
    ("9x9k5", "address", "ja-JP", "a board of 9x9 has 81 cells"),
    ("nothing", "served_site", "en-US", "tictactoe"),
]
"""Names of games, servers, languages, and the reason why the game cannot be shown."""


@pytest.mark.parametrize(("game", "server", "locale", "why"), WRONG_GAMES)
def test_a_wrong_game_shows_an_error_with_links_to_others(
    browser: Browser, request: pytest.FixtureRequest, game: str, server: str, locale: str, why: str
) -> None:
    place, fragment = request.getfixturevalue(server), f"game={game}&line=a3&pane=map&hints=on"
    with watched(browser, f"{place}#{fragment}", locale=locale) as page:
        page.evaluate("() => { window.isSamePage = true; }")
        page.wait_for_selector("#board [role=alert]")
        text = page.inner_text("[role=alert]")
        assert text.startswith(FAILED[locale].format(game)), text
        assert why in text
        assert page.title() == "marubatsu"
        assert page.locator("#explore:visible, #whole:visible, #version, .board-view").count() == 0
        other = "ja" if locale == "en-US" else "en"
        page.click(f"#languages [lang={other}]")
        page.wait_for_selector(f"html[lang={other}]")
        assert page.evaluate("() => document.activeElement.lang") == other
        assert not page.inner_text("[role=alert]").startswith(FAILED[locale].format(game))
        page.click("#board a")
        page.wait_for_selector(pages.READY["map"])
        assert board_of(page) == "." * 9
        assert page.get_attribute(".card[aria-current]", "data-game") == "tictactoe"
        page.go_back()
        page.wait_for_selector("#board [role=alert]")
        assert page.locator(".card[aria-current]").count() == 0
        page.click("#board a")
        page.wait_for_selector(pages.READY["map"])
        assert pages.hash_of(page) == {"pane": "map", "lang": other, "hints": "on"}
        assert page.evaluate("() => window.isSamePage")


def test_the_error_of_a_wrong_game_ends_with_its_address(visit: Visit) -> None:
    with visit() as page:
        until(page, lambda: pages.is_settled(page, ""))
        page.click(control("hints"))
        pages.click_pane(page, "map")
        for wrong in ("game=nothing", "game=9x9k5&lang=ja"):
            page.evaluate(
                "async (wrong) => { const right = (line) => `lang=en&line=${line}`;"
                " for (const place of [wrong, right('b2'), wrong, right('a3.c3')]) {"
                " location.hash = place; await new Promise((go) => setTimeout(go, 5)); } }",
                wrong,
            )
            until(page, lambda: board_of(page) == "o.x......")
            page.wait_for_timeout(300)
            assert board_of(page) == "o.x......"
            go(page, wrong)
            page.wait_for_selector("#board [role=alert]")
            assert page.locator("#board [data-cell], #explore:visible").count() == 0


def test_the_page_leaves_unknown_values_open(
    browser: Browser, root: Path, kernels: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "SECONDS", 0.0)
    with served(root, "6x5k4-gravity") as address, watched(browser, f"{address}#hints=on") as page:
        until(page, lambda: "The search did not find the value in its time." in status_of(page))
        assert page.locator(".moves tbody tr").count() == 6
        assert page.locator('[data-fact="nodes"]').count() == 0
        assert page.inner_text(f"{at('d1')} .hint") == "?"
        page.click(at("d1"))
        until(
            page, lambda: str(page.get_attribute(at("d1"), "aria-label")).startswith("d1: circle")
        )


def test_a_site_from_a_plain_file_server_shows_the_same(
    browser: Browser, served_site: str, oracle: Oracle
) -> None:
    with watched(browser, served_site) as page:
        until(page, lambda: pages.is_settled(page, ""))
        page.click(at("b2"))
        until(page, lambda: pages.is_settled(page, "." * 9))
        tabs = page.locator("#panes a").evaluate_all("all => all.map(a => a.dataset.pane)")
        assert tabs == TABS
        page.click(control("hints"))
        for pane in ("search", "map", "ais", "leaderboard"):
            pages.click_pane(page, pane)
        for part, ready in (("blunders", ".gallery li"), ("matches", ".matrix tbody td"),
                            ("orderings", "svg.bars"), ("file", ".drop input")):  # fmt: skip
            page.click(f'.audit-parts [data-part="{part}"]')
            page.wait_for_selector(ready)
        answers = page.evaluate(
            "boards => import(new URL('answers/api.js', document.scripts[0].src))"
            ".then(({ openGame }) => openGame())"
            ".then(game => Promise.all(boards.map((board) => game.position(board))))",
            [*BOARDS, "ooo......", "zzz"],
        )
        assert answers == [*(oracle.answer(board).to_json() for board in BOARDS), None, None]
        page.goto(f"{served_site}#pane=data&report=openings")
        page.wait_for_function("() => document.querySelectorAll('.result tbody tr').length === 9")
        assert page.locator("textarea").count() == 0
        assert page.locator("[data-table]").count() == 11
