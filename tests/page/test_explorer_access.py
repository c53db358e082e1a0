"""Accessibility of the page: contrast, names, keys, fingers, little motion, large letters."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import combinations
from typing import Any, Literal

import pytest

from tests.helpers import CHECKOUT
from tests.helpers.page.browser import Page, Visit
from tests.helpers.page.pages import (
    at,
    board_of,
    go,
    hash_of,
    is_over,
    name_of,
    play_out,
    status_of,
    until,
)

MEASURES = (CHECKOUT / "tests" / "helpers" / "page" / "access.js").read_text(encoding="utf-8")

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

PLACES = {
    "": ".secret",
    "line=a3.c3&hints=on": "[data-cell='c3'] svg",
    "line=a3.b2.b3.c3.a2.a1": "body:has(.status.ended) .graph .fault",
    "line=zzz": ".board-view .error:not([hidden])",
    "game=nothing": "#board > .error",
    "pane=ais&line=a3.c3&hints=on": ".choices .blunder",
    "pane=map&line=a3.b2.c1&hints=on": ".tree-view [data-part=continuation] li",
    "pane=poster&hints=on": ".poster [data-board]",
    "pane=search": ".lane:nth-child(2) [data-counter=visited][data-value]",
    "pane=search&show=alphabeta&step=300": ".lane:only-child [data-counter=visited][data-value]",
    "pane=search&show=mtdf.table&beside=scoring&line=a3": ".lane [data-counter=scored][data-value]",
    "pane=leaderboard": ".verdicts tbody tr",
    "pane=leaderboard&part=plies": ".matrix tbody td",
    "pane=leaderboard&part=blunders&ai=ai2s": ".gallery li",
    "pane=leaderboard&part=puzzles&ai=ai12s": ".puzzles li",
    "pane=leaderboard&part=matches": ".matrix tbody td",
    "pane=leaderboard&part=orderings": "svg.bars",
    "pane=leaderboard&part=file": ".drop input",
    "pane=data&report=openings&chart=bar": ".result svg.bars",
    "pane=data&report=plies&chart=line&y=nodes&sort=-ply": ".line-chart polyline",
}
"""Every view, with a selector that matches when it is ready, and not in the view before."""

OPEN = """() => {
  for (const details of document.querySelectorAll('#pane details')) details.open = true;
}"""
"""Show what only readers who ask for it see."""

OPENED = {
    "line=a3.c3&hints=on": ".moves .blunder",
    "pane=map&line=a3.b2.c1&hints=on": ".plies tbody tr",
}
"""A selector of an element in the details, by address."""

NAMED = {
    "button", "checkbox", "combobox", "DisclosureTriangle", "grid", "image", "img",
    "link", "listbox", "navigation", "radio", "region", "searchbox", "slider", "spinbutton",
    "table", "textbox", "tree", "treeitem",
}  # fmt: skip
"""Roles that mean nothing without a name."""

LOOK = """element => {
  const { borderStyle, borderWidth, borderColor, backgroundColor } = getComputedStyle(element);
  const below = getComputedStyle(document.body).backgroundColor;
  const ground = backgroundColor.endsWith(', 0)') ? below : backgroundColor;
  return [borderStyle, borderWidth, borderColor, ground].join();
}"""

WATCH = r"""() => {
  const where = document.querySelector('.where');
  const step = () => Number(where.textContent.match(/\d+/)[0]);
  const note = () => seen.push([step(), document.timeline.currentTime]);
  globalThis.seen = [];
  new MutationObserver(note).observe(where, { childList: true, subtree: true });
}"""


@contextmanager
def measured(visit: Visit, place: str = "", **options: Any) -> Iterator[Page]:
    calm = {"reduced_motion": "reduce", **options}
    with visit(place, **calm) as page:
        page.evaluate(MEASURES)
        yield page


def tour(page: Page, places: Iterable[str] = PLACES) -> Iterator[str]:
    for place in places:
        go(page, place)
        page.wait_for_selector(PLACES[place], state="attached")
        page.wait_for_selector("[aria-busy]", state="detached")
        page.evaluate(OPEN)
        if place in OPENED:
            page.wait_for_selector(OPENED[place])
        yield place


def tab(page: Page) -> list[str]:
    """Press Tab from the start of the page to its end; return what was wrong on the way."""
    page.evaluate("() => access.start()")
    wrong: list[str] = []
    for _ in range(400):
        step = page.evaluate("() => access.step()")
        wrong += step["wrong"]
        if step["ended"]:
            return wrong
        page.keyboard.press("Tab")
    raise AssertionError("there is no end of it")


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_texts_controls_and_landmarks_are_accessible(visit: Visit, locale: str) -> None:
    """On a phone and with large letters; the page says its language."""
    roles, targets = set(), 0
    with measured(visit, locale=locale, color_scheme="light") as page:
        tools = page.context.new_cdp_session(page)
        for place in tour(page):
            assert page.evaluate("() => access.disorder()") == [], place
            for node in tools.send("Accessibility.getFullAXTree")["nodes"]:
                role = node.get("role", {}).get("value")
                if not node["ignored"] and role in NAMED:
                    roles.add(role)
                    assert node["name"]["value"].strip(), (place, node)
            for width, size, letters in SIZES[: 2 if locale == "en-US" else 1]:
                page.set_viewport_size({"width": width, "height": 800})
                page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
                assert page.evaluate("() => getComputedStyle(document.body).fontSize") == letters
                assert page.evaluate("() => access.crowded()") == [], (place, width)
                found = page.evaluate("() => access.smallTargets()")
                assert found["small"] == [], (place, width)
                targets += found["measured"]
            page.set_viewport_size({"width": 1280, "height": 720})
            page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
        language = page.get_attribute("html", "lang")
        assert language == page.evaluate("() => navigator.language.slice(0, 2)")
        assert str(page.get_attribute("#panes", "aria-label")).isascii() == (language == "en")
        codes = page.locator("#languages button").evaluate_all("all => all.map(each => each.lang)")
        assert codes == ["en", "ja"]
    assert targets > 400
    assert {"button", "link", "image", "grid", "tree", "table", "textbox", "region"} <= roles


def test_everything_can_be_read_and_nothing_moves(visit: Visit) -> None:
    """Colours and movements are those of every language."""
    texts = shapes = 0
    with measured(visit, color_scheme="dark") as page:
        for place in tour(page):
            assert page.evaluate("() => access.moving()") == [], place
            assert page.evaluate("() => document.getAnimations().length") == 0
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                # Colours may change slowly until the browser has heard of reduced motion.
                page.wait_for_function("() => document.getAnimations().length === 0")
                found = page.evaluate("() => access.faintTexts()")
                assert found["faint"] == [], (place, scheme)
                texts += found["measured"]
                found = page.evaluate("() => access.faintShapes()")
                assert found["faint"] == [], (place, scheme)
                shapes += found["measured"]
        page.emulate_media(color_scheme="dark", reduced_motion="no-preference")
        assert page.evaluate("() => access.moving()") != []
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert texts > 4000
    assert shapes > 1000


SIZES = ((360, "100%", "16px"), (640, "200%", "32px"))
"""A phone, and large letters, which English words have the least room for."""


BY_KEYBOARD = (
    "", "game=nothing", "line=zzz", "pane=ais&line=a3.c3&hints=on",
    "pane=map&line=a3.b2.c1&hints=on", "pane=poster&hints=on",
    "pane=search&show=mtdf.table&beside=scoring&line=a3", "pane=leaderboard&part=plies",
    "pane=leaderboard&part=file", "pane=data&report=openings&chart=bar",
)  # fmt: skip
"""Places whose controls differ."""


def test_the_keyboard_comes_everywhere(visit: Visit) -> None:
    with measured(visit) as page:
        for place in tour(page, BY_KEYBOARD):
            assert tab(page) == [], place
            assert page.evaluate("() => access.unreached()") == [], place
            least = 5 if place == "game=nothing" else 13  # Without a game: menu, languages, links.
            assert page.evaluate("() => access.visited.size") >= least


def test_moves_are_announced(visit: Visit) -> None:
    with measured(visit) as page:
        until(page, lambda: status_of(page).startswith("Your move."))
        heard = "() => [...document.querySelectorAll('[role=status]')].map(e => e.textContent)"
        before = page.evaluate(heard)
        page.click(at("a3"))
        until(page, lambda: "a3: circle" in page.evaluate(heard))
        until(page, lambda: board_of(page)[4] == "x")
        until(page, lambda: "b2: cross" in page.evaluate(heard))
        assert page.evaluate(heard) != before
        go(page, "pane=map&hints=on")
        page.click('[data-part="children"] a >> nth=4')
        until(page, lambda: any("b2, circle" in text for text in page.evaluate(heard)))
        page.click("#languages [lang=ja]")
        page.wait_for_selector('.node:has(.move:text("b2")):has(.outcome:text("引き分け"))')


def test_links_are_skipped_and_the_language_keeps_the_focus(visit: Visit) -> None:
    with measured(visit, "line=a3&hints=on") as page:  # A pane in the address would be scrolled to.
        until(page, lambda: "o" in board_of(page))
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.className") == "skip"
        assert page.evaluate("() => access.faintTexts().faint") == []
        page.keyboard.press("Enter")
        assert page.evaluate("() => document.activeElement.id") == "workspace"
        assert "#line=a3&hints=on" in page.url
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.dataset.control") == "players"
        page.focus("#languages [lang=ja]")
        page.keyboard.press("Enter")
        page.wait_for_selector("html[lang=ja]")
        until(page, lambda: "手番" in status_of(page))
        assert page.evaluate("() => document.activeElement.lang") == "ja"


def test_what_one_presses_keeps_the_focus(visit: Visit) -> None:
    """Each of these is made again, or is off or hidden after it was pressed."""
    focused = "selector => document.activeElement.matches(selector)"
    undo, previous = '[data-control="undo"]', '[data-control="previous"]'
    first, second = '.moves-so-far [data-at="1"]', ".moves-pane tr:nth-child(2) a"
    misere = '[data-game="3x3k3-misere"]'
    with visit("line=a3&hints=on&cross=person") as page:
        for pressed, kept, line in (
            (undo, undo, ""), ('[data-control="redo"]', undo, "a3"), (second, second, "a3.b3"),
            (first, first, "a3.b3"), (previous, previous, "a3.b3"), (misere, misere, ""),
        ):  # fmt: skip
            page.wait_for_selector("#workspace:not([aria-busy]) #pane:not([aria-busy]) tr")
            page.press(pressed, "Enter")
            until(page, lambda line=line: hash_of(page).get("line", "") == line)  # type: ignore[misc]
            page.wait_for_function(focused, arg=kept)


def test_a_game_is_played_by_touch(visit: Visit) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True,
             "device_scale_factor": 2}  # fmt: skip
    with measured(visit, "cross=ai14s", **phone) as page:
        play_out(page, lambda cell: page.tap(at(name_of(cell))))
        assert is_over(status_of(page))
        assert page.evaluate("() => access.disorder()") == []
        page.tap('[data-control="undo"]')
        until(page, lambda: "Your move." in status_of(page))
        page.wait_for_selector('[data-control="redo"]')
        assert page.evaluate("() => access.disorder()") == []
        go(page, "pane=map&hints=on")
        page.tap('[data-part="children"] a >> nth=4')
        page.wait_for_selector('[data-line="4"][aria-expanded="true"]')
        page.tap('[data-line="4"] > .twisty')
        page.wait_for_selector('[data-line="4"][aria-expanded="false"]')
        go(page, "pane=search&rate=3")
        page.wait_for_selector(".lane [data-counter][data-value]")
        page.tap(".lane .map", position={"x": 10, "y": 30})
        until(page, lambda: "line=a3" in page.url)
        page.tap('.search-pane [data-control="play"]')
        until(page, lambda: page.input_value('.search-pane [data-control="slider"]') != "0")
        page.tap('.search-pane [data-control="play"]')


def test_a_search_is_played_in_steps_with_reduced_motion(visit: Visit) -> None:
    """It does not start by itself, though the address has play=on."""
    place = "pane=search&show=alphabeta.table.window&rate=300&play=on"
    with measured(visit, place) as page:
        page.wait_for_selector("[data-counter][data-value]")
        page.wait_for_timeout(700)
        assert page.inner_text('.search-pane [data-control="play"]') == "Start"
        assert page.input_value('.search-pane [data-control="speed"]') == "3"
        assert "rate=300" in page.url  # Where motion is welcome, the link plays as fast as before.
        page.evaluate(WATCH)
        page.click('.search-pane [data-control="play"]')
        page.wait_for_function("() => seen.length >= 5")
        live = page.locator(".search-pane :is(.words, output):visible")
        spoken = live.evaluate_all("all => all.map(each => each.ariaLive)")
        assert set(spoken) == {"off"}
        page.click('.search-pane [data-control="play"]')
        assert page.get_attribute(".detail .words", "aria-live") == "polite"
        steps, times = zip(*page.evaluate("() => seen"), strict=True)
        assert steps == tuple(range(1, len(steps) + 1))
        for number, time in enumerate(times):  # of the frames, in milliseconds: three a second
            assert time - times[0] > 1000 * number / 3 - 1


def test_forced_colours_hide_no_state(visit: Visit) -> None:
    """Where backgrounds and shadows are removed, borders replace them."""
    states = {
        "line=a3.c3&hints=on": [
            ("#panes a[aria-current]", "#panes a:not([aria-current])"),
            ("#languages [aria-pressed=true]", "#languages [aria-pressed=false]"),
            (".cell.best-cell", ".cell:not(.best-cell)"),
            (".cell.draw", ".cell.win"),
        ],
        "pane=map&line=a3.b2.c1&hints=on": [
            (".node[aria-selected=true]", ".node[aria-selected=false]"),
            (".nodes [aria-current]", ".nodes a:not([aria-current])"),
        ],
        "pane=search&show=alphabeta&step=300": [
            (".code [aria-current]", ".code li:not([aria-current])"),
            *combinations([f".swatch[data-state={each}]" for each in ("open", "won", "lost")], 2),
        ],
        "pane=leaderboard&part=matches": [
            (".audit-parts [aria-current]", ".audit-parts a:not([aria-current])")
        ],
    }
    with measured(visit, forced_colors="active") as page:
        for place in tour(page, states):
            for pair in states[place]:
                one, other = (page.locator(each).first.evaluate(LOOK) for each in pair)
                assert one != other, (place, pair)
