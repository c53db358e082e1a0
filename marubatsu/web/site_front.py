"""The front of a site: the card of its links, and its licences.

Social networks draw the card from the tags in the head of ``index.html``. They want the whole
address of the picture, so only a site that knows its own address has one everywhere.
"""

from collections.abc import Iterator
from html import escape
from importlib import metadata

from marubatsu.pipeline.store.data_package import LICENSE
from marubatsu.pipeline.support.resources import PAGE

CARD = "card.png"
"""The picture of a link to the page; `make screenshots` draws it."""

CARD_SIZE = (1200, 630)

_HEAD = "</head>"


def front_files(url: str | None) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of files, for a site at an address if that is known."""
    page = (PAGE / "index.html").read_text(encoding="utf-8")
    yield "index.html", page.replace(_HEAD, _tags(url) + _HEAD).encode()
    yield "LICENSE", _licences().encode()
    yield ".nojekyll", b""  # GitHub Pages then serves the names of boards, which begin with a dot.


def _tags(url: str | None) -> str:
    wide, high = CARD_SIZE
    picture = escape(CARD if url is None else f"{url}/{CARD}")
    tags = {"image": picture, "image:width": wide, "image:height": high}
    if url is not None:
        tags["url"] = escape(f"{url}/")
    return "".join(f'<meta property="og:{name}" content="{tags[name]}">\n' for name in tags)


def _licences() -> str:
    try:
        ours = metadata.distribution("marubatsu").read_text("licenses/LICENSE")
    except metadata.PackageNotFoundError:  # It runs from its folder, without being installed.
        ours = None
    ours = ours or "Its licence comes with the package.\n"
    return (
        f"The data of this site, which is below api/, is in the public domain:\n"
        f"{LICENSE['title']}, {LICENSE['path']}\n\n"
        f"The page is a part of marubatsu:\n\n{ours}"
    )
