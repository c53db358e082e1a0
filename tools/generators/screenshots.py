"""`make screenshots`: the pictures of the page that the READMEs show, light and dark.

Each view is in a state worth showing, which the address or a few clicks reach.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PIL import Image

from tests.helpers.page.browser import browsing, serving, watched
from tools.generators.run_pages import CHECKOUT

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = CHECKOUT / "docs" / "pictures"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTH, HEIGHT, SCALE = 1280, 960, 1.25
_COLOURS = 128  # The page has few colours; a palette makes the files small.


def _board(page: "Page") -> None:
    page.wait_for_selector(".moves .blunder")


def _tree(page: "Page") -> None:
    page.wait_for_selector('[role="treeitem"]')


def _search(page: "Page") -> None:
    page.wait_for_selector("[data-counter][data-value]")


def _leaderboard(page: "Page") -> None:
    page.wait_for_selector("[data-dot]")


def _data(page: "Page") -> None:
    page.wait_for_selector(".line-chart polyline")


VIEWS: dict[str, tuple[str, Callable[["Page"], None]]] = {
    "board": ("line=b2.a2.a3.b3&hints=on", _board),
    "tree": ("line=a3.b2.c1&pane=map", _tree),
    "search": (
        "line=a3.b2&pane=search&show=alphabeta&beside=alphabeta.ai14s.all.table&step=20000",
        _search,
    ),
    "leaderboard": ("line=b2.a2&hints=on&pane=leaderboard", _leaderboard),
    "data": ("line=b2.a2&pane=data&report=plies&chart=line&y=nodes", _data),
}
"""For each view, its address and the function that prepares it."""


def shoot(data: Path, folder: Path) -> None:
    """Write a picture of each view in both schemes."""
    folder.mkdir(exist_ok=True)
    with browsing() as browser, serving(data) as port:
        for name, (place, prepare) in VIEWS.items():
            for scheme in SCHEMES:
                options = {
                    "color_scheme": scheme,
                    "viewport": {"width": WIDTH, "height": HEIGHT},
                    "device_scale_factor": SCALE,
                }
                with watched(browser, f"http://127.0.0.1:{port}/#{place}", **options) as page:
                    prepare(page)
                    page.wait_for_load_state("networkidle")
                    picture = Image.open(BytesIO(page.screenshot()))
                picture.convert("RGB").quantize(_COLOURS).save(
                    folder / f"{name}-{scheme}.png", optimize=True
                )


def main() -> None:
    """Build the data, take the pictures, say how large they are."""
    with tempfile.TemporaryDirectory() as data:
        build = [sys.executable, "-m", "marubatsu", "build", "--data", data]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        shoot(Path(data), FOLDER)
    for path in sorted(FOLDER.iterdir()):
        print(f"{path.name:<20} {path.stat().st_size:>8,} bytes")


if __name__ == "__main__":
    main()
