"""The race of two searches, and the maps: what one sees first, plays, and zooms."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from marubatsu.pipeline.sql.catalog import Catalog
from tests.helpers.page.browser import Page, Visit, hold
from tests.helpers.page.pages import fingers, go, until, wait_for_frame
from tests.helpers.page.pictures import boxes_of, pixels

ALONE, TABLE = 18297, 1054
"""Nodes of alpha-beta, and of alpha-beta with a table."""

SAVED = "The same score with 17 times fewer nodes: 1,054 instead of 18,297."
SLIDER = '.search-pane [data-control="slider"]'
PLAY = '.search-pane [data-control="play"]'


@contextmanager
def racing(visit: Visit, more: str = "", **options: Any) -> Iterator[Page]:
    with visit(f"pane=search{more}", **options) as page:
        page.wait_for_selector(".lane:nth-child(2) [data-counter][data-value]")
        yield page


def visited(page: Page) -> list[int]:
    found: list[int] = page.evaluate(
        "() => [...document.querySelectorAll('[data-counter=visited]')]"
        ".map((each) => Number(each.dataset.value))"
    )
    return found


def step_of(page: Page) -> int:
    return int(page.input_value(SLIDER))


def test_the_finished_race_is_the_poster(visit: Visit) -> None:
    """The maps fill the pane, next to or below each other, and show all that the searches did.

    Its keys work after a click on the tab.
    """
    with racing(visit) as page:
        assert visited(page) == [ALONE, TABLE]
        assert page.inner_text(".search-pane .result") == SAVED
        assert page.inner_text(PLAY) == "Start"
        assert page.locator(PLAY).count() == 1
        pane, *maps = page.evaluate(
            "() => ['.search-pane', '.lane:first-child .map', '.lane:last-child .map']"
            ".map((each) => document.querySelector(each).clientWidth)"
        )
        assert min(maps) > 0.75 * min(pane / 2, 640)
        page.click('[data-control="first"]')
        until(page, lambda: "step=0" in page.url)
        page.reload()
        page.wait_for_selector(".lane:nth-child(2) [data-counter][data-value]")
        assert visited(page) == [1, 1]
        page.click('[data-control="last"]')
        until(page, lambda: "step=" not in page.url)
        page.click('#panes [data-pane="search"]')
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        until(page, lambda: step_of(page) == 1)
        page.keyboard.press("Space")
        until(page, lambda: page.inner_text(PLAY) == "Pause")
        page.keyboard.press("Space")
        until(page, lambda: page.inner_text(PLAY) == "Start")


def test_an_address_starts_the_race(visit: Visit) -> None:
    with racing(visit, "&play=on&rate=fastest") as page:
        until(page, lambda: page.inner_text(PLAY) == "Start" and "play=" not in page.url)
        assert visited(page) == [ALONE, TABLE]
        costs = page.evaluate("() => window.marubatsuFrames")  # `make bench` reads them.
        assert len(costs) > 5
        assert min(costs) > 0
        go(page, "pane=search&play=on&rate=1")
        until(page, lambda: page.inner_text(PLAY) == "Pause")
        until(page, lambda: step_of(page) in range(1, 100))


CLOCK = """async (count) => {
  const { Clock } = await import(new URL('search/clock.js', document.scripts[0].src));
  await import(new URL('search/search-texts.js', document.scripts[0].src));
  const clock = new Clock(() => {});
  let [step, time] = [0, 0];
  const times = [];
  clock.start(0, count);
  while (step < count - 1) {
    step = Math.min(count - 1, step + clock.due(time, step, count));
    if (!times.length && step >= count / 15) times.push(time);
    time += 16;
  }
  return [...times, time].map((each) => each / 1000);
}"""
"""The seconds until a fifteenth of the steps is shown, and until all are, at 60 frames a second."""


def test_a_replay_takes_18_seconds_of_the_clock(visit: Visit) -> None:
    """It begins slowly: the race with the table is seen before it is won."""
    with visit() as page:
        for count in (200, 549_946):
            part, whole = page.evaluate(CLOCK, count)
            assert part == pytest.approx(18 / 15**0.5, abs=0.7)
            assert whole == pytest.approx(18, abs=0.7)


VIEW = "() => new URLSearchParams(location.hash.slice(1)).get('zoom')"


def test_two_fingers_zoom(visit: Visit) -> None:
    size = {"width": 412, "height": 900}
    with racing(visit, viewport=size, has_touch=True) as page:
        page.locator(".lane .map").first.scroll_into_view_if_needed()
        box = page.locator(".lane .map").first.bounding_box()
        assert box is not None
        left, wide, y = box["x"] + 1, box["width"] - 2, box["y"] + 100
        shares = ((0.4, 0.6), (0.3, 0.7), (0.2, 0.8))
        fingers(page, *([(left + wide * each, y) for each in both] for both in shares))
        wanted = pytest.approx([0.4 - 0.2 / 3, 0.6 + 0.2 / 3], abs=0.02)
        until(page, lambda: [*map(float, (page.evaluate(VIEW) or "0-1").split("-"))] == wanted)
        assert "line=" not in page.url


def test_random_play_distinguishes_draws(visit: Visit, catalog: Catalog) -> None:
    """All first moves draw; a strip at the foot of each box says how random play would end."""
    rows = catalog.run(
        "select line, parent, node, ply, subtree, random_circle, random_draw, random_cross "
        "from nodes where ply <= 1 order by ply, move"
    ).rows
    with visit("pane=map&hints=on") as page:
        page.wait_for_selector(".map[data-ready]")
        page.click('[data-control="whole"]')
        wait_for_frame(page)
        wide = page.locator(".tree-map .map").evaluate("canvas => canvas.width")
        _, *boxes = boxes_of([row[:5] for row in rows], wide, 26).values()
        strips = [(round(left), 49, round(right), 50) for left, _, right, _ in boxes]
        counted = pixels(page, ".tree-map .map", ("won", "drawn", "lost"), strips)
        for (left, _, right, _), counts, row in zip(strips, counted, rows[1:], strict=True):
            shares = [count / (right - left) for count in counts]
            assert shares == pytest.approx(row[5:], abs=0.05)


def test_a_replay_that_was_lost_once_has_its_slider(visit_failing: Visit, address: str) -> None:
    """The address keeps its step, and plays when both replays are there."""
    with visit_failing() as page:
        page.route("**/traces/*.json", lambda route: route.abort())
        go(page, "pane=search&step=30000")
        page.wait_for_selector(".lane:nth-child(2) [role=alert]")
        page.wait_for_timeout(1000)  # The address is written after 400 ms.
        assert "step=30000" in page.url
        page.unroute("**/traces/*.json")
        for lane in (1, 2):
            page.click(f'.lane:nth-child({lane}) [data-control="again"]')
            page.wait_for_selector(f".lane:nth-child({lane}) [data-counter][data-value]")
        until(page, lambda: page.get_attribute(SLIDER, "max") == "40830" and step_of(page) == 30000)
        assert page.inner_text(".search-pane .result") == SAVED
        assert visited(page)[1] == TABLE


def test_a_replay_that_comes_late_replaces_no_other(visit: Visit) -> None:
    with visit("pane=search&show=alphabeta.table") as page:
        page.wait_for_selector(".lane [data-counter][data-value]")
        with hold(page, "**/traces/*.json") as waiting:
            go(page, "pane=search&show=scout")
            until(page, lambda: len(waiting) == 1)
            go(page, "pane=search&show=alphabeta.table")
            page.wait_for_selector(".lane:not([data-answer])")
        page.wait_for_timeout(500)
        assert visited(page) == [TABLE]
        assert "show=alphabeta.table" in page.url
