"""The first screen: the board, the whole game as a picture, the end of a game, other games."""

import io
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from tests.helpers.page.browser import watched
from tests.helpers.page.pages import at, board_of, control, is_settled, status_of, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route


LOST = "line=a3.b2.b3.c3.a2.a1"
"""A game that circle loses to Perfect by a2, the fifth move."""

SHIFTS = """() => {
  globalThis.shifts = 0;
  const add = ({ value, hadRecentInput }) => { if (!hadRecentInput) globalThis.shifts += value; };
  new PerformanceObserver((list) => list.getEntries().forEach(add))
    .observe({ type: 'layout-shift', buffered: true });
}"""

COLOURS = """(canvas) => {
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""

UNNAMED = """() => {
  const words = (text) => text.toLowerCase().replace(/[^\\p{L}\\p{N}]+/gu, ' ').trim();
  return [...document.querySelectorAll(':is(button, a, summary)[aria-label]')]
    .filter((each) => each.checkVisibility())
    .map((each) => [words(each.innerText), words(each.ariaLabel)])
    .filter(([shown, name]) => !name.includes(shown));
}"""
"""Controls whose name does not hold the words on them: who speaks to the page cannot use them."""


def picture_of(page: "Page") -> dict[str, str]:
    """Return what the picture of the whole game shows, nothing before it is there."""
    data = "all => ({ ...all[0]?.dataset })"
    shown: dict[str, str] = page.locator(".whole-map").evaluate_all(data)
    return shown


def test_the_whole_game_is_plain_while_one_plays_and_lit_at_its_end(
    browser: "Browser", address: str
) -> None:
    with watched(browser, f"{address}#line=a3.b2") as page:
        until(page, lambda: picture_of(page).get("line") == "a3.b2")
        assert picture_of(page) == {"lit": "false", "line": "a3.b2", "fault": ""}
        plain = page.locator(".whole-map").evaluate(COLOURS)
        page.evaluate("line => { location.hash = line; }", LOST)
        until(page, lambda: picture_of(page)["lit"] == "true")
        assert picture_of(page) == {"lit": "true", "line": LOST.partition("=")[2], "fault": "5"}
        until(page, lambda: page.locator(".whole-map").evaluate(COLOURS) > plain)
        assert page.locator(".fault-cell").get_attribute("data-cell") == "a2"
        page.evaluate("() => { location.hash = 'line=a3.b2&hints=on'; }")
        until(page, lambda: picture_of(page)["lit"] == "true")


def test_the_end_says_who_won_why_and_what_now(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#{LOST}") as page:
        until(page, lambda: status_of(page).startswith("You lost."))
        assert status_of(page) == "You lost. a2 gave it away: a1 would have kept the draw."
        assert page.inner_text(".controls .primary") == "Play again"
        page.get_by_role("button", name="Take it back").click()
        until(page, lambda: board_of(page) == "oox.x....")
        assert "Your move." in status_of(page)
        assert page.locator(".controls .primary, [data-control=share]:visible").count() == 0
        for line, told in {
            "line=b2.a2.a3.c1.a1.b3.c3": "You won.",
            "line=b2.a3.c1.a1.a2.c2.b1.b3.c3": "A draw: you held it against Perfect. Nobody",
            "cross=person&line=b2.a2.a3.c1.a1.b3.c3": "Circle won.",
            "circle=perfect&cross=person&line=a3.b2.b3.c3.a2.a1": "You won. a2 gave it away",
        }.items():
            page.evaluate("line => { location.hash = line; }", line)
            until(page, lambda told=told: status_of(page).startswith(told))  # type: ignore[misc]
        page.get_by_role("button", name="Play again").click()
        until(page, lambda: "Play again" not in page.inner_text(".controls"))


def test_a_finished_game_is_shared_as_a_link_and_a_picture(
    browser: "Browser", address: str
) -> None:
    with watched(
        browser, f"{address}#{LOST}", permissions=["clipboard-read", "clipboard-write"]
    ) as page:
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


def test_the_page_tells_other_sites_what_it_is(browser: "Browser", address: str) -> None:
    with watched(browser, address) as page:
        for name in ('name="description"', 'property="og:title"', 'property="og:description"'):
            assert len(page.get_attribute(f"meta[{name}]", "content") or "") > 40
        until(page, lambda: page.title() == "Tic-tac-toe | marubatsu")


def test_games_are_cards_with_names_and_results(browser: "Browser", address: str) -> None:
    with watched(browser, address) as page:
        page.wait_for_selector(".card[aria-current]")
        assert page.inner_text(".card[aria-current]").split("\n") == [
            "Tic-tac-toe",
            "Best play: a draw",
        ]
        assert page.inner_text('[data-game="connect4"]').split("\n") == [
            "Connect Four",
            "Best play: 〇 wins",
        ]
        assert "3×3, three in a row, misère" in page.inner_text('[data-game="3x3k3-misere"]')
        page.click('[data-game="3x3k3-misere"]')
        until(page, lambda: "loses" in page.inner_text(".rules"))
        assert page.inner_text(".players .who") == "You are 〇 against Perfect"
        page.click("#languages [lang=ja]")
        until(page, lambda: page.inner_text(".game-name") == "3×3 の三目並べ、並べたら負け")


def test_a_large_game_shows_the_moves_that_there_were(browser: "Browser", address: str) -> None:
    """With gravity in the order of columns; those played have a frame."""
    played = """rows => [...new Set(rows.map((each) => each.getAttribute('y')))].map((y) => {
        const row = rows.filter((each) => each.getAttribute('y') === y);
        return row.findIndex((each) => each.matches('.played'));
    })"""
    with watched(browser, f"{address}#game=connect4&line=d1.d2.a1") as page:
        until(page, lambda: page.locator(".line-map .played").count() == 3)
        assert page.locator(".line-map .box").evaluate_all(played) == [3, 3, 0, -1]
        assert page.locator(".line-map").get_attribute("data-lit") == "false"


def test_nothing_tells_values_while_one_plays(browser: "Browser", address: str) -> None:
    panes = (("ais", ".choices"), ("map", ".tree-view"), ("moves", ".moves"))
    with watched(browser, f"{address}#pane=map&line=a3.c3") as page:
        page.wait_for_selector(".tree-view")  # Nobody plays yet.
        page.click(at("b2"))
        until(page, lambda: is_settled(page, "o.x......"))
        for pane, there in panes:
            page.click(f'#panes [data-pane="{pane}"]')
            page.wait_for_selector(".secret")
            assert page.locator(f"#pane {there}").count() == 0
        page.click(".secret a")
        page.wait_for_selector(".moves .blunder, .moves .best")


def test_a_row_of_the_moves_points_at_its_cell_and_plays_it(
    browser: "Browser", address: str
) -> None:
    with watched(browser, f"{address}#line=a3.b2&hints=on") as page:
        page.hover('.moves tr[data-move="c1"]')
        until(page, lambda: "pointed" in str(page.get_attribute(at("c1"), "class")))
        page.click('.moves tr[data-move="c1"] a')
        until(page, lambda: board_of(page) == "o...x...o")


def test_sides_are_swapped(browser: "Browser", address: str) -> None:
    with watched(browser, address) as page:
        until(page, lambda: is_settled(page, ""))
        page.click(control("players"))
        page.click(control("swap"))
        until(page, lambda: page.inner_text(".players .who") == "You are × against Perfect")
        until(page, lambda: board_of(page).count("o") == 1)
        assert "Your move." in status_of(page)


GRAPHS: list[tuple[list[int | None], list[str]]] = [
    (
        [0, None, 1],
        ["M0 0h.01M40 -24h.01", "M0 0L0 0L0 0zM40 0L40 -24L40 0z", "M0 0L0 0L0 0zM40 0L40 0L40 0z"],
    ),
    ([1, -1], ["M0 -24L20 24", "M0 0L0 -24L10 0L20 0L20 0z", "M0 0L0 0L10 0L20 24L20 0z"]),
]
"""Scores of positions; the line of the graph, and its areas for circle and for cross."""


@pytest.mark.parametrize(("scores", "drawn"), GRAPHS)
def test_the_graph_leaves_unknown_values_out_and_ends_areas_at_a_draw(
    browser: "Browser", address: str, scores: list[Any], drawn: list[str]
) -> None:
    read = """async (scores) => {
        const { History } = await import(new URL('board/history.js', document.scripts[0].src));
        const { openGame } = await import(new URL('answers/api.js', document.scripts[0].src));
        const game = await openGame();
        const history = new History(game, () => {});
        const move = { move: 0, loss: null, score: null };
        const path = scores.map((score) => ({ score, turn: 'circle', moves: [move, { move: 1 }] }));
        const cells = scores.slice(1).map(() => 0);
        history.update({ path, cells, at: 0, moveAt: () => move }, { tells: false });
        const drawn = (name) => history.graph.querySelector(name).getAttribute('d');
        return ['.values', '.for-o', '.for-x'].map(drawn);
    }"""
    with watched(browser, address) as page:
        assert page.evaluate(read, scores) == [each.replace("-0", "0") for each in drawn]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1280, 1400), (360, 800), (360, 1600)])
def test_nothing_moves_when_answers_come(
    browser: "Browser", address: str, width: int, height: int
) -> None:
    assert moved(browser, address, width, height, ".whole-map[data-lit=false]") < 0.01


@pytest.mark.parametrize(("pane", "ready"), [
    ("map", ".tree-view [data-part=continuation] li"), ("poster", ".poster [data-board]"),
    ("leaderboard", ".verdicts tbody tr"), ("search", "[data-counter=visited][data-value]"),
])  # fmt: skip
def test_little_moves_when_a_pane_opens(
    browser: "Browser", address: str, pane: str, ready: str
) -> None:
    assert moved(browser, f"{address}#pane={pane}", 1280, 1400, ready) < 0.05


def moved(browser: "Browser", address: str, width: int, height: int, ready: str) -> float:
    """Return the layout shift until a selector is there, and nothing more comes.

    Each answer comes after all that was there before it is painted.
    """
    context = browser.new_context(locale="en-US", viewport={"width": width, "height": height})
    context.add_init_script(f"({SHIFTS})()")
    page = context.new_page()
    waiting: list[Route] = []
    page.route("**/api/**", lambda route: waiting.append(route))  # noqa: PLW0108
    page.goto(address, wait_until="commit")
    while not page.query_selector(ready) or not is_settled(page, "") or waiting:
        page.wait_for_timeout(100)
        while waiting:
            waiting.pop().continue_()
        page.wait_for_timeout(100)
    shifts: float = page.evaluate("() => globalThis.shifts")
    context.close()
    return shifts


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize(("pane", "ready"), [
    ("map", ".tree-view details"), ("search", "[data-counter=visited][data-value]"),
    ("moves", "#foot"),
])  # fmt: skip
def test_little_moves_when_a_pane_is_opened_again(
    browser: "Browser", address: str, pane: str, ready: str, width: int
) -> None:
    """Everything is in the browser's cache, so the answers come while the page is built."""
    context = browser.new_context(locale="en-US", viewport={"width": width, "height": 1400})
    context.add_init_script(f"({SHIFTS})()")
    for _ in range(2):
        page = context.new_page()
        page.goto(f"{address}#pane={pane}")
        page.wait_for_selector(ready)
        page.wait_for_timeout(500)  # More may come, and nothing tells that nothing does.
        assert page.evaluate("() => globalThis.shifts") < 0.05
        page.close()
    context.close()


CUT = """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
  const { left, right } = each.getBoundingClientRect();
  return left < 0 || right > document.documentElement.clientWidth;
}).map((each) => each.innerText)"""
"""What begins or ends beside the window."""


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_tabs_and_cards_are_whole(
    browser: "Browser", address: str, width: int, locale: str
) -> None:
    """Screen readers take a link out of sight for one that skips. On phones the cards scroll."""
    window = {"viewport": {"width": width, "height": 800}}
    with watched(browser, address, locale=locale, **window) as page:
        page.wait_for_selector("#panes a")
        assert page.evaluate(CUT, "#panes a") == []
        if width > 640:
            assert page.evaluate(CUT, ".strip .card") == []
        page.locator(".strip .card").last.focus()
        assert page.evaluate(CUT, ".strip li:last-child .card") == []


@pytest.mark.parametrize("width", [320, 768])
def test_a_wide_board_is_whole(browser: "Browser", address: str, width: int) -> None:
    window = {"viewport": {"width": width, "height": 800}}
    with watched(browser, f"{address}#game=connect4", **window) as page:
        page.wait_for_selector(at("g6"))
        assert page.evaluate(CUT, ".cell") == []


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_controls_say_in_words_what_they_do(browser: "Browser", address: str, locale: str) -> None:
    with watched(browser, f"{address}#{LOST}&hints=on", locale=locale) as page:
        until(page, lambda: picture_of(page).get("lit") == "true")
        page.click(control("undo"))
        page.wait_for_selector(control("redo"))
        assert page.evaluate(UNNAMED) == []
        words = page.locator("button[data-control]:visible").all_inner_texts()
        assert [each for each in words if not any(map(str.isalpha, each))] == []


def test_words_of_the_moves_stay_whole_on_a_phone(browser: "Browser", address: str) -> None:
    phone = {"viewport": {"width": 360, "height": 740}}
    with watched(browser, f"{address}#hints=on&line=a3", locale="ja-JP", **phone) as page:
        page.wait_for_selector(".moves .tag")
        lines = """all => all.map((each) => {
            const words = document.createRange();
            words.selectNodeContents(each);
            return new Set([...words.getClientRects()].map(({ top }) => top)).size;
        })"""
        assert set(page.locator(".moves .tag").evaluate_all(lines)) == {1}


DRAWN = """(canvas, names) => {
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, width, height);
  const colourAt = (_, at) => data.slice(4 * at, 4 * at + 3).join();
  const pixels = Array.from({ length: data.length / 4 }, colourAt);
  return names.map((name) => {
    copy.fillStyle = getComputedStyle(canvas).getPropertyValue(`--${name}`).trim();
    const wanted = copy.fillStyle.match(/\\w\\w/g).map((part) => parseInt(part, 16)).join();
    return pixels.filter((each) => each === wanted).length / devicePixelRatio ** 2;
  });
}"""
"""How many pixels have a colour of the page."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_moves_played_have_an_edge_and_the_mistake_a_ring(
    browser: "Browser", address: str, width: int, scheme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    for line, ring in (("line=a3.b2", 0), (LOST, 200)):
        page.goto(f"{address}#{line}")
        until(page, lambda line=line: f"line={picture_of(page).get('line')}" == line)  # type: ignore[misc]
        until(page, lambda: page.locator(".whole-map").evaluate(DRAWN, ["ink"])[0] > 100)
        (drawn,) = page.locator(".whole-map").evaluate(DRAWN, ["bad"])
        assert drawn >= ring
        assert bool(drawn) == bool(ring)
    context.close()


CTRL_WHEEL = """(picture) => {
  const wheel = { deltaY: -100, ctrlKey: true, bubbles: true, cancelable: true };
  return picture.dispatchEvent(new WheelEvent('wheel', wheel));
}"""


def test_the_browser_zooms_over_the_first_picture(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#pane=map&hints=on") as page:
        page.wait_for_selector(".map[data-ready]")
        assert page.locator(".whole-map").evaluate(CTRL_WHEEL)
        assert not page.locator(".tree-map .map").evaluate(CTRL_WHEEL)


LISTENERS = """() => {
  globalThis.listeners = 0;
  const { addEventListener } = MediaQueryList.prototype;
  MediaQueryList.prototype.addEventListener = function (...all) {
    globalThis.listeners += 1;
    addEventListener.apply(this, all);
  };
}"""

CORNER = """(canvas) => {
  const copy = new OffscreenCanvas(1, 1).getContext('2d');
  copy.drawImage(canvas, 0, 0);
  return [...copy.getImageData(0, 0, 1, 1).data];
}"""


def test_the_picture_follows_the_colours_of_the_page(browser: "Browser", address: str) -> None:
    """Pictures that are gone leave no listener behind."""
    context = browser.new_context(locale="en-US", color_scheme="light")
    context.add_init_script(f"({LISTENERS})()")
    page = context.new_page()
    page.goto(address)
    until(page, lambda: picture_of(page).get("lit") == "false")
    before = page.evaluate("() => globalThis.listeners")
    for language in ("ja", "en", "ja", "en"):
        page.click(f"#languages [lang={language}]")
        page.wait_for_selector(f"html[lang={language}]")
    until(page, lambda: picture_of(page).get("lit") == "false")
    light = page.locator(".whole-map").evaluate(CORNER)
    page.emulate_media(color_scheme="dark")
    until(page, lambda: page.locator(".whole-map").evaluate(CORNER) != light)
    assert page.evaluate("() => globalThis.listeners") == before
    context.close()
