"""The server: the page, and the API of its games.

Scripts and styles come under their version, so that a browser keeps them. ``index.html`` names them
below a folder that is the hash of all files of the page. Modules import each other by relative
paths, so all come from that folder, and never from two versions. Without the folder the same files
are sent, for a browser that asks each time whether they have changed.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from marubatsu.engine.rules.input_error import InputError
from marubatsu.judge.agents.agent_limits import AgentLimits
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.errors import MarubatsuError, UsageError
from marubatsu.web.api_routes import ApiRoutes
from marubatsu.web.exchange import kept, refusal, version_of
from marubatsu.web.games import OpenGames, open_game
from marubatsu.web.guard import Guard
from marubatsu.web.site import files

_FRONT = "index.html"
_KEPT = (".js", ".css")
_NAMED = re.compile(rb'(?<==")[\w/-]+\.(?:js|css)(?=")')
_FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable"}


async def _answer_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    missing = f"there is no page {request.url.path!r}"
    if error.status_code == 405:
        sentence = f"{request.method} is not possible here: GET /api/v2/openapi.json lists what is"
        return refusal(405, sentence, error.headers)
    is_unknown = error.detail == HTTPStatus.NOT_FOUND.phrase  # No route has said more.
    return refusal(error.status_code, missing if is_unknown else error.detail)


async def _answer_input(request: Request, error: Exception) -> Response:
    return refusal(404, str(error))


async def _answer_failure(request: Request, error: Exception) -> Response:
    return refusal(503, str(error))


async def _answer_defect(request: Request, error: Exception) -> Response:
    return refusal(500, f"internal server error ({type(error).__name__})")


@contextmanager
def open_app(
    data_set: DataSet,
    on_wait: Callable[[], None],
    addresses: Sequence[str] = (),
    limits: AgentLimits | None = None,
    interface: str | None = None,
    *,
    is_shared: bool = False,
) -> Iterator[ASGIApp]:
    """Return the server that starts with one game.

    The game has our AIs and those at some addresses; foreign ones run within limits, and speak an
    interface if one is named.
    ``is_shared``: pages of other sites may read the API. Raises as `open_game` does.
    """
    with open_game(data_set, on_wait, addresses, limits, interface=interface) as first:
        games = OpenGames(first, data_set)
        page = Route("/{name:path}", page_file, methods=["GET"])
        app = Starlette(
            routes=[*ApiRoutes(games).routes(), page],
            middleware=[Middleware(GZipMiddleware, minimum_size=1_000)],
            exception_handlers={
                HTTPException: _answer_http,
                InputError: _answer_input,
                UsageError: _answer_input,
                MarubatsuError: _answer_failure,
                Exception: _answer_defect,
            },
        )
        try:
            # The guard is outside of all else, so that every answer has its headers.
            yield Guard(app, is_shared=is_shared)
        finally:
            games.close()


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
