"""The files of the page: scripts and styles under their version, so that a browser keeps them.

``index.html`` names them below a folder that is the hash of all files of the page. Modules import
each other by relative paths, so all come from that folder, and never from two versions. Without the
folder the same files are sent, for a browser that asks each time whether they have changed.
"""

import hashlib
import re
from functools import lru_cache

from starlette.requests import Request
from starlette.responses import Response

from marubatsu.web.exchange import kept, refusal, version_of
from marubatsu.web.site import files

_FRONT = "index.html"
_KEPT = (".js", ".css")
_NAMED = re.compile(rb'(?<==")[\w/-]+\.(?:js|css)(?=")')
_FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}


async def page_file(request: Request) -> Response:
    """Answer a request for a file of the page; that of the folder itself is for the front."""
    name, version = request.path_params["name"] or _FRONT, _version()
    below = name.removeprefix(f"{version}/")
    is_kept = below != name and below.endswith(_KEPT)
    file = files().get(below if is_kept else name)
    if file is None:
        return refusal(404, f"there is no page {name!r}")
    content = file.path.read_bytes()
    if is_kept:
        return Response(content, media_type=file.media_type, headers=_FOR_GOOD)
    if name == _FRONT:
        content = _NAMED.sub(version.encode() + rb"/\g<0>", content)
    return kept(request, content, version_of(content), file.media_type)


def _version() -> str:
    """Return the version of the page, also after a file of it was edited."""
    stats = [file.path.stat() for file in files().values()]
    return _hash(tuple((stat.st_mtime_ns, stat.st_size) for stat in stats))


@lru_cache(maxsize=1)
def _hash(stats: tuple[tuple[int, int], ...]) -> str:
    """Hash all files; ``stats`` tell whether one has changed since the last time."""
    digest = hashlib.sha256()
    for name, file in files().items():
        digest.update(f"{name}\n{version_of(file.path.read_bytes())}\n".encode())
    return digest.hexdigest()[:32]
