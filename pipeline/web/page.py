"""The files of the page: those of ``explorer/``, and no others."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent.parent.parent / "explorer"
"""Beside this package in a checkout and in an installation alike."""

MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class File(NamedTuple):
    """One file of the page."""

    path: Path
    media_type: str


@cache
def files() -> dict[str, File]:
    """List the files of the page by name; a name that is not listed leads nowhere."""
    return {
        path.name: File(path, MEDIA[path.suffix])
        for path in sorted(FOLDER.iterdir())
        if path.suffix in MEDIA
    }
