"""`make screenshots`: the pictures of the page that the READMEs show, light and dark.

Each view is in a state worth showing, which the address or a few clicks reach.
"""

import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Literal

from PIL import Image

from tests.helpers.page.browser import browsing, serving, watched
from tools.generators.run_pages import CHECKOUT

FOLDER = CHECKOUT / "docs" / "pictures"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTH, HEIGHT, SCALE = 1280, 960, 1.25
_COLOURS = 128  # The page has few colours; a palette makes the files small.


VIEWS = {
    "board": ("line=a3.b2.b3.c3.a2.a1", ".whole-map[data-fault]"),
    "tree": ("line=a3.b2.c1&pane=map&hints=on", '[role="treeitem"]'),
    "search": (
        "line=a3.b2&pane=search&show=alphabeta&beside=alphabeta.ai14s.all.table&step=20000",
        "[data-counter][data-value]",
    ),
    "leaderboard": ("line=b2.a2&hints=on&pane=leaderboard", "[data-dot]"),
    "data": ("line=b2.a2&pane=data&report=plies&chart=line&y=nodes", ".line-chart polyline"),
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
