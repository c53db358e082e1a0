"""The poster: every class once, in the colour of its score, joined by all moves; as files, too."""

import re
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from PIL import Image

from marubatsu.pipeline.sql.catalog import Catalog
from tests.helpers.page.browser import watched
from tests.helpers.page.pages import board_of, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SVG = "{http://www.w3.org/2000/svg}"
OUTCOMES = {1: "won", 0: "drawn", -1: "lost"}


def saved(page: "Page", name: str) -> bytes:
    """Click on what saves the poster; return the bytes of the file."""
    with page.expect_download() as download:
        page.click(f'[data-control="poster-{name}"]')
    assert download.value.suggested_filename == f"tictactoe-poster.{name}"
    return Path(download.value.path()).read_bytes()


def test_the_poster_has_every_class_and_every_move(
    browser: "Browser", address: str, catalog: Catalog
) -> None:
    """The files are whole also when the page shows a part; they bring their colours along."""
    rows = catalog.run("select board, score from classes").rows
    boards = {row[0]: row[1] for row in rows}
    moves = catalog.run(
        "select score, count(*) from (select distinct parent.class, child.class as after, "
        "child.score from moves join positions parent using (position) "
        "join positions child on child.position = moves.child) group by score"
    ).rows
    assert (len(boards), sum(count for _, count in moves)) == (765, 2096)
    with watched(browser, f"{address}#pane=poster") as page:
        page.wait_for_selector(".poster [data-board]")
        page.click('[data-control="poster-closer"]')
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


def test_a_board_of_the_poster_is_shown(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#pane=poster") as page:
        page.wait_for_selector(".poster [data-board]")
        poster = page.locator(".poster")
        whole = poster.get_attribute("viewBox")
        page.click('[data-control="poster-closer"]')
        assert poster.get_attribute("viewBox") != whole
        page.click('[data-control="poster-whole"]')
        assert poster.get_attribute("viewBox") == whole
        page.click('.poster [data-board="o........"]')
        until(page, lambda: board_of(page) == "o........")
