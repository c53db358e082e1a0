"""`make screenshots`: the pictures of the page for the READMEs, and the card of a site's links.

Each view is in a state worth showing, which the address or a few clicks reach, light and dark.
"""

import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image

from marubatsu.pipeline.support.resources import PAGE
from marubatsu.web.site import CARD, CARD_SIZE
from tests.helpers.page.browser import browsing, serving, watched
from tools.generators.run_pages import CHECKOUT

FOLDER = CHECKOUT / "docs" / "pictures"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTH, HEIGHT, SCALE = 1280, 960, 1.25
DETAILED = {"poster": 2}
"""Views with so many details that their pictures are smaller, by these factors."""

_COLOURS = 128  # The page has few colours; a palette makes the files small.


VIEWS = {
    "board": ("line=a3.b2.b3.c3.a2.a1", ".whole-map[data-fault]"),
    "tree": ("line=a3.b2.c1&pane=map&hints=on", '[role="treeitem"]'),
    "search": (
        "pane=search&show=alphabeta&beside=alphabeta.table&step=20000",
        ".lane:nth-child(2) [data-counter][data-value]",
    ),
    "poster": ("pane=poster", ".poster [data-board]"),
    "leaderboard": ("line=b2.a2&hints=on&pane=leaderboard", "[data-dot]"),
}
"""For each view, its address and what is there when it is ready."""


def shoot(data: Path, folder: Path) -> None:
    """Write a picture of each view in both schemes."""
    folder.mkdir(exist_ok=True)
    with browsing() as browser, serving(data) as port:
        for name, (place, ready) in VIEWS.items():
            for scheme in SCHEMES:
                options = {
                    "color_scheme": scheme,
                    "viewport": {"width": WIDTH, "height": HEIGHT},
                    "device_scale_factor": SCALE,
                }
                with watched(browser, f"http://127.0.0.1:{port}/#{place}", **options) as page:
                    page.wait_for_selector(ready)
                    page.wait_for_load_state("networkidle")
                    picture = Image.open(BytesIO(page.screenshot()))
                smaller = picture.convert("RGB").reduce(DETAILED.get(name, 1))
                smaller.quantize(_COLOURS).save(folder / f"{name}-{scheme}.png", optimize=True)


CARD_PAGE = """() => {
  const poster = document.querySelector('.poster');
  const { width, height } = poster.viewBox.baseVal;
  poster.setAttribute('viewBox', `0 ${height - width} ${width} ${width}`);
  for (const each of [...poster.children]) {
    if (each.matches('text, g:not([data-board])')) each.remove(); // The title and the legend.
  }
  document.body.replaceChildren(poster);
  document.body.insertAdjacentHTML('beforeend', `<div class="said">
    <h1><img src="icon.svg" alt="" width="60" height="60">marubatsu</h1>
    <p>Small games,<br>completely<br>solved</p>
    <small>All 765 positions of tic-tac-toe:<br>play them, query them,<br>
      judge any AI by them.</small>
  </div>`);
  document.head.insertAdjacentHTML('beforeend', `<style>
    html, body { margin: 0; padding: 0; max-width: none; width: 1200px; height: 630px; }
    html, body { overflow: hidden; }
    .poster { position: fixed; left: 500px; top: -135px; width: 900px; height: 900px; }
    .poster { border: 0; }
    .said { position: fixed; left: 64px; top: 72px; }
    .said h1 { font-size: 42px; gap: 18px; }
    .said p { font-size: 56px; font-weight: 700; line-height: 1.12; margin: 52px 0 32px; }
    .said small { font-size: 25px; color: var(--soft); line-height: 1.45; display: block; }
  </style>`);
}"""
"""Make a card of the page with the poster."""


def draw_card(data: Path, file: Path) -> None:
    """Write the picture that social networks show for a link to a site."""
    wide, high = CARD_SIZE
    with browsing() as browser, serving(data) as port:
        options = {"color_scheme": "light", "viewport": {"width": wide, "height": high}}
        place = f"http://127.0.0.1:{port}/#pane=poster"
        with watched(browser, place, **options) as page:
            page.wait_for_selector(".poster [data-board]")
            page.evaluate(CARD_PAGE)
            picture = Image.open(BytesIO(page.screenshot()))
    picture.convert("RGB").quantize(_COLOURS).save(file, optimize=True)


def main() -> None:
    """Build the data, take the pictures, say how large they are."""
    with tempfile.TemporaryDirectory() as data:
        build = [sys.executable, "-m", "marubatsu", "build", "--data", data]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        shoot(Path(data), FOLDER)
        draw_card(Path(data), PAGE / CARD)
    for path in (*sorted(FOLDER.iterdir()), PAGE / CARD):
        print(f"{path.name:<20} {path.stat().st_size:>8,} bytes")


if __name__ == "__main__":
    main()
