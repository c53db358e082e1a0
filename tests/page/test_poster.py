"""The poster: every class once, in the colour of its score, joined by all moves; as files, too."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from marubatsu.pipeline.sql.catalog import Catalog
from tests.helpers.page.browser import Page, Visit
from tests.helpers.page.pages import board_of, fingers, until

SVG = "{http://www.w3.org/2000/svg}"
OUTCOMES = {1: "won", 0: "drawn", -1: "lost"}


def saved(page: Page, name: str) -> bytes:
    """Click on what saves the poster; return the bytes of the file."""
    with page.expect_download() as download:
        page.click(f'[data-control="poster-{name}"]')
    assert download.value.suggested_filename == f"tictactoe-poster.{name}"
    return Path(download.value.path()).read_bytes()


def test_the_poster_has_every_class_and_every_move(visit: Visit, catalog: Catalog) -> None:
    """The files are whole also when the page shows a part; they bring their colours along."""
    rows = catalog.run("select board, score from classes").rows
    boards = {row[0]: row[1] for row in rows}
    moves = catalog.run(
        "select score, count(*) from (select distinct parent.class, child.class as after, "
        "child.score from moves join positions parent using (position) "
        "join positions child on child.position = moves.child) group by score"
    ).rows
    assert (len(boards), sum(count for _, count in moves)) == (765, 2096)
    with visit("pane=poster") as page:
        page.wait_for_selector(".poster [data-board]")
        whole = view_of(page)
        page.click('[data-control="poster-closer"]')
        assert view_of(page) != whole
        poster = ET.fromstring(saved(page, "svg").decode())  # noqa: S314, our own page's
        found = {
            box.get("data-board"): (box.get("class") or "").split()[0]
            for box in poster.iter(f"{SVG}g") if box.get("data-board")
        }  # fmt: skip
        assert found == {board: OUTCOMES[score] for board, score in boards.items()}
        ways: Counter[str] = Counter()
        for way in poster.iter(f"{SVG}path"):
            name, *classes = (way.get("class") or "").split()
            if name == "way":
                ways[classes[0]] += (way.get("d") or "").count("M")
        assert ways == {OUTCOMES[score]: count for score, count in moves}
        style = "".join(each.text or "" for each in poster.iter(f"{SVG}style"))
        assert not re.search(r"var\(--(?!outcome)[\w-]+\)", style)
        picture = Image.open(BytesIO(saved(page, "png")))
        assert picture.width == 3000
        colours = picture.convert("RGB").resize((60, 60)).getcolors(3600)
        assert colours
        assert len(colours) > 50
        page.click('[data-control="poster-whole"]')
        assert view_of(page) == whole
        page.click('.poster [data-board="o........"]')
        until(page, lambda: board_of(page) == "o........")


@contextmanager
def opened(visit: Visit, **options: Any) -> Iterator[Page]:
    with visit("pane=poster&hints=on", **options) as page:
        page.wait_for_selector(".poster [data-board]")
        page.locator(".poster").scroll_into_view_if_needed()
        yield page


def view_of(page: Page) -> list[float]:
    """Return which part of the poster is shown: its corner, and how wide and high it is."""
    return [float(each) for each in str(page.get_attribute(".poster", "viewBox")).split()]


def readout(page: Page) -> str:
    return page.inner_text("#announcement")


def test_the_keys_come_to_every_board(visit: Visit) -> None:
    """One stop of the Tab key; arrows go to the next board, which stays in view."""
    with opened(visit) as page:
        page.focus('[data-control="poster-png"]')
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.className") == "poster-frame"
        page.keyboard.press("ArrowRight")
        assert readout(page) == ".........: draw"
        for key in ("+", "+", "+", "+"):
            page.keyboard.press(key)
        zoomed = view_of(page)
        seen = {readout(page)}
        for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp"):
            page.keyboard.press(key)
            seen.add(readout(page))
        assert len(seen) == 6
        left, top, wide, high = view_of(page)
        assert [wide, high] == zoomed[2:]
        assert (left, top) != tuple(zoomed[:2])
        board, _, outcome = readout(page).partition(": ")
        assert outcome in ("circle wins with best play", "draw", "cross wins")
        page.keyboard.press("-")
        assert view_of(page)[2] > wide
        page.keyboard.press("Enter")
        until(page, lambda: board_of(page) == board)
        page.keyboard.press("Tab")
        assert not page.evaluate("() => document.querySelector('.poster').matches(':focus-within')")


RESTS = """() => {
  window.frames_at_rest = scrollY === window.last_scroll ? (window.frames_at_rest ?? 0) + 1 : 0;
  window.last_scroll = scrollY;
  return window.frames_at_rest > 20;
}"""
"""Asked in each frame, whether the page scrolls no more: a finger's last steps may come late."""


def test_fingers_move_and_zoom_the_poster(visit: Visit) -> None:
    """The page scrolls below one finger when all of the poster is shown."""
    size = {"width": 412, "height": 900}
    with opened(visit, viewport=size, has_touch=True) as page:
        box = page.locator(".poster").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        whole = view_of(page)
        before = page.evaluate("() => scrollY")
        fingers(page, [(x, y)], [(x, y - 30)], [(x, y - 60)], [(x, y - 90)])
        page.wait_for_function("before => scrollY !== before", arg=before)
        page.wait_for_function(RESTS)
        assert view_of(page) == whole
        page.evaluate("before => scrollTo({ top: before, behavior: 'instant' })", before)
        fingers(page, *([(x - far, y - far), (x + far, y + far)] for far in (30, 45, 60)))
        until(page, lambda: view_of(page)[2] == pytest.approx(whole[2] / 2, rel=0.02))
        left, top, *_ = view_of(page)
        assert page.evaluate("() => visualViewport.scale") == 1
        fingers(page, [(x, y)], [(x - 20, y - 20)], [(x - 40, y - 40)])
        dense = whole[2] / box["width"] / 2
        wanted = pytest.approx([left + 40 * dense, top + 40 * dense], rel=0.03)
        until(page, lambda: view_of(page)[:2] == wanted)
        assert page.evaluate("() => scrollY") == before
        assert "start=" not in page.url
