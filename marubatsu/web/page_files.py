"""The files of the page: those of ``explorer/``, and no others."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from marubatsu.pipeline.support.resources import PAGE

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
    """List the files of the page by their paths below its folder; the server has no others."""
    return {
        path.relative_to(PAGE).as_posix(): File(path, MEDIA[path.suffix])
        for path in sorted(PAGE.rglob("*"))
        if path.suffix in MEDIA
    }
