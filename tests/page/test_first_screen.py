"""The first screen: the board, the whole game as a picture, the end of a game, other games."""

import io
from typing import Literal

import pytest
from PIL import Image

from tests.helpers.page.browser import Browser, Page, Route, Visit
from tests.helpers.page.pages import at, board_of, control, go, is_settled, status_of, until
from tests.helpers.page.pictures import pixels

LOST = "line=a3.b2.b3.c3.a2.a1"
"""A game that circle loses to Perfect by a2, the fifth move."""

SHIFTS = """() => {
  globalThis.shifts = 0;
  const add = ({ value, hadRecentInput }) => { if (!hadRecentInput) globalThis.shifts += value; };
  new PerformanceObserver((list) => list.getEntries().forEach(add))
    .observe({ type: 'layout-shift', buffered: true });
}"""


def picture_of(page: Page) -> dict[str, str]:
    """Return what the picture of the whole game shows, nothing before it is there."""
    data = "all => ({ ...all[0]?.dataset })"
    shown: dict[str, str] = page.locator(".whole-map").evaluate_all(data)
    return shown


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_whole_game_is_plain_while_one_plays_and_lit_at_its_end(
    visit: Visit, width: int, scheme: Literal["light", "dark"]
) -> None:
    """The moves played have an edge, the mistake has a ring; the colours are those of the page."""
    options = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
    with visit("line=a3.b2", **options) as page:
        until(page, lambda: picture_of(page).get("line") == "a3.b2")
        assert picture_of(page) == {"lit": "false", "line": "a3.b2", "fault": ""}
        until(page, lambda: pixels(page, ".whole-map", ["ink"])[0][0] > 100)
        ((tree, ring),) = pixels(page, ".whole-map", ["tree", "bad"])
        assert tree > 1000 > ring == 0
        go(page, LOST)
        until(page, lambda: picture_of(page)["lit"] == "true")
        assert picture_of(page) == {"lit": "true", "line": LOST.partition("=")[2], "fault": "5"}
        until(page, lambda: min(pixels(page, ".whole-map", ["won", "drawn"])[0]) > 1000)
        ((ink, ring),) = pixels(page, ".whole-map", ["ink", "bad"])
        assert ink > 100
        assert ring >= 200
        assert page.locator(".fault-cell").get_attribute("data-cell") == "a2"
        go(page, "line=a3.b2&hints=on")
        until(page, lambda: picture_of(page)["lit"] == "true")
        page.emulate_media(color_scheme="dark" if scheme == "light" else "light")
        until(page, lambda: min(pixels(page, ".whole-map", ["won", "drawn"])[0]) > 1000)
        page.emulate_media(color_scheme=scheme)


def test_the_end_says_who_won_why_and_what_now(visit: Visit) -> None:
    with visit(LOST) as page:
        until(page, lambda: status_of(page).startswith("You lost."))
        assert status_of(page) == "You lost. a2 gave it away: a1 would have kept the draw."
        assert page.inner_text(".controls .primary") == "Play again"
        page.get_by_role("button", name="Take it back").click()
        until(page, lambda: board_of(page) == "oox.x....")
        assert "Your move." in status_of(page)
        assert page.locator(".controls .primary, [data-control=share]:visible").count() == 0
        for line, message in {
            "line=b2.a2.a3.c1.a1.b3.c3": "You won.",
            "line=b2.a3.c1.a1.a2.c2.b1.b3.c3": "A draw: you held it against Perfect. No one",
            "cross=person&line=b2.a2.a3.c1.a1.b3.c3": "Circle won.",
            "circle=perfect&cross=person&line=a3.b2.b3.c3.a2.a1": "You won. a2 gave it away",
        }.items():
            go(page, line)
            until(page, lambda message=message: status_of(page).startswith(message))  # type: ignore[misc]
        page.get_by_role("button", name="Play again").click()
        until(page, lambda: "Play again" not in page.inner_text(".controls"))


def test_a_finished_game_is_shared_as_a_link_and_a_picture(visit: Visit) -> None:
    with visit(LOST, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.click(control("share"))
        picture = page.locator(".share img")
        assert picture.get_attribute("alt") == "Perfect beat me in Tic-tac-toe"
        assert picture.evaluate(
            "async each => { await each.decode(); return [each.naturalWidth, each.naturalHeight]; }"
        ) == [1200, 630]
        with page.expect_download() as download:
            page.click(control("picture"))
        with download.value.path().open("rb") as file:
            drawn = Image.open(io.BytesIO(file.read())).convert("RGB")
        assert drawn.size == (1200, 630)
        assert len(drawn.getcolors(1 << 20) or []) > 100
        page.click(control("copy"))
        until(page, lambda: "copied" in page.inner_text(".share [role=status]"))
        assert page.evaluate("() => navigator.clipboard.readText()") == page.url
        assert page.url.endswith(f"#{LOST}")
        page.keyboard.press("Escape")
        go(page, "line=b1.a3.c3.a1.a2.c2.b2.b3.c1")
        until(page, lambda: status_of(page).startswith("A draw. c3 gave the win away: "))
        page.click(control("share"))
        assert picture.get_attribute("alt") == "A game of Tic-tac-toe"


def test_games_are_cards_with_names_and_results(visit: Visit) -> None:
    with visit() as page:
        page.wait_for_selector(".card[aria-current]")
        assert page.title() == "Tic-tac-toe | marubatsu"
        assert page.inner_text(".card[aria-current]") == "Tic-tac-toe\nBest play: a draw"
        assert page.inner_text('[data-game="connect4"]') == "Connect Four\nBest play: 〇 wins"
        assert "3×3, three in a row, misère" in page.inner_text('[data-game="3x3k3-misere"]')
        page.click('[data-game="3x3k3-misere"]')
        until(page, lambda: "loses" in page.inner_text(".rules"))
        assert page.inner_text(".players .who") == "You are 〇 against Perfect"
        page.click("#languages [lang=ja]")
        until(page, lambda: page.inner_text(".game-name") == "3×3 の三目並べ、並べたら負け")


def test_a_large_game_shows_the_moves_that_there_were(visit: Visit) -> None:
    """With gravity in the order of columns; those played have a frame."""
    played = """rows => [...new Set(rows.map((each) => each.getAttribute('y')))].map((y) => {
        const row = rows.filter((each) => each.getAttribute('y') === y);
        return row.findIndex((each) => each.matches('.played'));
    })"""
    with visit("game=connect4&line=d1.d2.a1") as page:
        until(page, lambda: page.locator(".line-map .played").count() == 3)
        assert page.locator(".line-map .box").evaluate_all(played) == [3, 3, 0, -1]
        assert page.locator(".line-map").get_attribute("data-lit") == "false"


def test_nothing_shows_values_during_a_game(visit: Visit) -> None:
    panes = (("ais", ".choices"), ("map", ".tree-view"), ("moves", ".moves"))
    with visit("pane=map&line=a3.c3") as page:
        page.wait_for_selector(".tree-view")  # Play has not begun.
        page.click(at("b2"))
        until(page, lambda: is_settled(page, "o.x......"))
        for pane, there in panes:
            page.click(f'#panes [data-pane="{pane}"]')
            page.wait_for_selector(".secret")
            assert page.locator(f"#pane {there}").count() == 0
        page.click(".secret a")
        page.wait_for_selector(".moves .blunder, .moves .best")


def test_a_row_of_the_moves_points_at_its_cell_and_plays_it(visit: Visit) -> None:
    with visit("line=a3.b2&hints=on") as page:
        page.hover('.moves tr[data-move="c1"]')
        until(page, lambda: "pointed" in str(page.get_attribute(at("c1"), "class")))
        page.click('.moves tr[data-move="c1"] a')
        until(page, lambda: board_of(page) == "o...x...o")


GRAPHS: list[tuple[list[int | None], list[str]]] = [
    (
        [0, None, 1],
        ["M0 0h.01M40 -24h.01", "M0 0L0 0L0 0zM40 0L40 -24L40 0z", "M0 0L0 0L0 0zM40 0L40 0L40 0z"],
    ),
    ([1, -1], ["M0 -24L20 24", "M0 0L0 -24L10 0L20 0L20 0z", "M0 0L0 0L10 0L20 24L20 0z"]),
]
"""Scores of positions; the line of the graph, and its areas for circle and for cross."""


def test_the_graph_leaves_unknown_values_out_and_ends_areas_at_a_draw(visit: Visit) -> None:
    read = """async (scores) => {
        const { History } = await import(new URL('board/history.js', document.scripts[0].src));
        const { openGame } = await import(new URL('answers/api.js', document.scripts[0].src));
        const history = new History(await openGame(), () => {});
        const move = { move: 0, loss: null, score: null };
        const path = scores.map((score) => ({ score, turn: 'circle', moves: [move, { move: 1 }] }));
        const cells = scores.slice(1).map(() => 0);
        history.update({ path, cells, at: 0, moveAt: () => move }, { isLit: false });
        const drawn = (name) => history.graph.querySelector(name).getAttribute('d');
        return ['.values', '.for-o', '.for-x'].map(drawn);
    }"""
    with visit() as page:
        for scores, drawn in GRAPHS:
            assert page.evaluate(read, scores) == [each.replace("-0", "0") for each in drawn]


@pytest.mark.parametrize(("pane", "width", "height", "ready", "most"), [
    ("moves", 1280, 800, ".whole-map[data-lit=false]", 0.01),
    ("moves", 360, 1600, ".whole-map[data-lit=false]", 0.01),
    ("map", 1280, 1400, ".tree-view [data-part=continuation] li", 0.05),
    ("poster", 1280, 1400, ".poster [data-board]", 0.05),
    ("leaderboard", 1280, 1400, ".verdicts tbody tr", 0.05),
    ("search", 1280, 1400, "[data-counter=visited][data-value]", 0.05),
])  # fmt: skip
def test_late_answers_shift_little(
    browser: Browser, address: str, pane: str, width: int, height: int, ready: str, most: float
) -> None:
    """Each answer comes after all that was there before it is painted.

    Opened again, everything is in the browser's cache, so answers come while the page is built.
    """
    with browser.new_context(viewport={"width": width, "height": height}) as context:
        context.add_init_script(f"({SHIFTS})()")
        page = context.new_page()
        waiting: list[Route] = []
        page.route("**/api/**", lambda route: waiting.append(route))  # noqa: PLW0108
        page.goto(f"{address}#pane={pane}", wait_until="commit")
        while not page.query_selector(ready) or not is_settled(page, "") or waiting:
            page.wait_for_timeout(100)
            while waiting:
                waiting.pop().continue_()
            page.wait_for_timeout(100)
        assert page.evaluate("() => globalThis.shifts") < most
        again = context.new_page()
        again.goto(f"{address}#pane={pane}")
        again.wait_for_selector(ready)
        again.wait_for_timeout(500)  # More may come; no event says that none does.
        assert again.evaluate("() => globalThis.shifts") < 0.05


CUT = """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
  const { left, right } = each.getBoundingClientRect();
  return left < 0 || right > document.documentElement.clientWidth;
}).map((each) => each.innerText)"""
"""Elements that begin or end outside the window."""


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_tabs_cards_and_a_wide_board_are_whole(visit: Visit, locale: str) -> None:
    """Screen readers take a link out of sight for one that skips. On phones the cards scroll."""
    narrowest = {"viewport": {"width": 320, "height": 800}}
    with visit(locale=locale, **narrowest) as page:
        for place, ready in (("", "#panes a"), ("game=connect4", at("g6"))):
            go(page, place)
            page.wait_for_selector(ready)
            for width in (320, 360, 768, 1280):
                page.set_viewport_size({"width": width, "height": 800})
                assert page.evaluate(CUT, "#panes a, .cell") == []
                if width > 640:
                    assert page.evaluate(CUT, ".strip .card") == []
                page.locator(".strip .card").first.focus()  # The last may have the focus.
                page.locator(".strip .card").last.focus()
                assert page.evaluate(CUT, ".strip li:last-child .card") == []
        page.set_viewport_size({"width": 320, "height": 800})
        go(page, "pane=search")
        assert (
            page.locator(".player .field span").evaluate("each => each.clientHeight") < 25
        )  # pixels
        assert page.evaluate(CUT, ".player .field") == []
        page.emulate_media(media="print", color_scheme="dark")
        assert page.locator("#panes").is_hidden()  # It would cover each sheet.
        colour = page.evaluate("() => getComputedStyle(document.body).color")
        assert colour == "rgb(27, 31, 39)"  # Paper is white.
        page.emulate_media(media="null", color_scheme="null")


def test_the_wheel_zooms_the_map_with_control_and_nothing_else(visit: Visit) -> None:
    """Without it the page scrolls; with it the browser zooms over the first picture."""
    turn = """(picture, ctrlKey) => picture.dispatchEvent(
        new WheelEvent('wheel', { deltaY: -100, ctrlKey, bubbles: true, cancelable: true }))"""
    with visit("pane=map&hints=on") as page:
        page.wait_for_selector(".map[data-ready]")
        for picture, is_for_the_browser in ((".whole-map", True), (".tree-map .map", False)):
            assert page.locator(picture).evaluate(turn, False)
            assert page.locator(picture).evaluate(turn, True) == is_for_the_browser
