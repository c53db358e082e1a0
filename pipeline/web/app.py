"""The server: the page, its documents, and answers about positions, by AIs, or by SQL."""

import json
import re
from asyncio import wrap_future
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from threading import Event, Lock
from typing import Any

from anyio import CapacityLimiter, create_task_group, fail_after, sleep, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.rules.input_error import InputError
from marubatsu.pipeline.agents.agent_limits import AgentLimits
from marubatsu.pipeline.oracle.answer import Answer
from marubatsu.pipeline.oracle.opening import open_oracle
from marubatsu.pipeline.oracle.oracle import Oracle
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.sql.sandbox import QueryLimits, Statement, run_sql
from marubatsu.pipeline.stages.staleness import require_current
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.integrity import snapshot
from marubatsu.pipeline.support.errors import DamagedError, MarubatsuError, UsageError
from marubatsu.pipeline.support.machine import amount
from marubatsu.pipeline.web import lookups
from marubatsu.pipeline.web.documents import Documents
from marubatsu.pipeline.web.guard import Guard
from marubatsu.pipeline.web.json_responses import as_json, refusal, to_json
from marubatsu.pipeline.web.opponents import Opponents, opponents_of
from marubatsu.pipeline.web.page_files import files

_MOST_ANSWER = 10_000_000  # bytes
_LIMITS = QueryLimits(seconds=10.0, memory=500_000_000, answer=_MOST_ANSWER)
_MOST_ROWS = 1_000
_MOST_AT_ONCE = 2  # queries
_HINT = re.compile("; (raise|give) --.*")  # about the command line, whose options the page lacks
_REMEMBERED = 10_000  # answers kept of each kind
_MOST_SQL = 100_000  # bytes of a request
_SENDING = 10.0  # seconds for a request to arrive
_WATCHING = 0.1  # seconds between checks whether the client is still connected

API = {
    "GET /api/v1/": "this list, and the paths of all documents",
    "GET /api/v1/{document}.json": "a document: everything the page shows",
    "GET /api/v1/position/{board}": "a position by its board, such as o...x....: its value, "
    "distance, class, and its moves best first, each with what it loses",
    "GET /api/v1/choices/{board}?ai={ai}": "what an AI makes of each legal move of a position",
    "GET /api/v1/ais": "the AIs that can be asked",
    "GET /api/v1/class/{number}": "a class of positions, with the boards of its members",
    "GET /api/v1/node/{line}": "a node of the full tree by its line, the moves from the empty "
    "board as digits cell + 1, such as 519; 0 is the root",
    "GET /api/v1/reports": "the shipped questions; each answer is a document, reports/{name}.json",
    "POST /api/v1/sql": f'{{"sql": "select ..."}}: one statement that reads, for at most '
    f"{_LIMITS.seconds:g} s, {amount(_LIMITS.memory)} of memory, {_MOST_ROWS:,} rows and "
    f"{amount(_MOST_ANSWER)}",
    "errors": '{"error": "a sentence"} with status 400, 403, 404, 405, 408, 413, 500, 502 or 503',
}
_NEEDS = {
    "GET /api/v1/class/{number}": set(lookups.CLASS.needs),
    "GET /api/v1/node/{line}": set(lookups.NODE.needs),
}
"""The tables that a route needs; a game without them has other routes only."""


class Server:
    """The data that the routes share."""

    def __init__(self, catalog: Catalog, oracle: Oracle, opponents: Opponents) -> None:
        """Open the documents."""
        self._catalog, self._data_set, self._oracle = catalog, catalog.data_set, oracle
        self._opponents = opponents
        self._documents = Documents(catalog, oracle, opponents.names)
        self._asking = Lock()  # DuckDB has one connection, which runs one query at a time.
        self._queries = CapacityLimiter(_MOST_AT_ONCE)
        self._page = files()

    def routes(self) -> list[Route]:
        """List the routes."""
        get = partial(Route, methods=["GET"])
        return [
            get("/api/v1/", self._index),
            get("/api/v1/ais", self._ais),
            get("/api/v1/reports", self._reports),
            get("/api/v1/position/{name:path}", self._asked(self._position)),
            get("/api/v1/choices/{name:path}", self._choices),
            get("/api/v1/class/{name:path}", self._asked(partial(lookups.class_, self._catalog))),
            get("/api/v1/node/{name:path}", self._asked(partial(lookups.node, self._catalog))),
            Route("/api/v1/sql", self._sql, methods=["POST"]),
            get("/api/v1/sql", self._sql_by_get),
            get("/api/v1/{name:path}", self._document),
            get("/{name:path}", self._file),
        ]

    async def _index(self, request: Request) -> Response:
        tables = self._catalog.tables
        routes = {path: what for path, what in API.items() if tables >= _NEEDS.get(path, set())}
        game = self._data_set.game.name
        return as_json({"api": 1, "game": game, **routes, "documents": self._documents.paths})

    async def _ais(self, request: Request) -> Response:
        return as_json(self._opponents.rows())

    async def _reports(self, request: Request) -> Response:
        game = json.loads(await to_thread.run_sync(self._made, "game.json"))
        return as_json(game["reports"])

    async def _choices(self, request: Request) -> Response:
        ai = request.query_params.get("ai")
        if ai is None:
            raise HTTPException(400, "expected ?ai= with an AI: GET /api/v1/ais lists them")
        answer = await to_thread.run_sync(self._answer, request.path_params["name"])
        if answer.turn is None:
            return as_json([])
        try:
            found = await wrap_future(self._opponents.choices(ai, answer.board))
            return as_json(found)
        except AIError as error:
            return refusal(502, str(error))

    def _answer(self, board: str) -> Answer:
        with self._asking:
            return self._oracle.answer(board)

    def _position(self, board: str) -> dict[str, Any]:
        return self._oracle.answer(board).to_json()

    def _asked(
        self, ask: Callable[[str], dict[str, Any]]
    ) -> Callable[[Request], Awaitable[Response]]:
        answered: dict[str, bytes] = {}  # The tables do not change while the server runs.

        def answer_alone(name: str) -> bytes:
            with self._asking:
                return to_json(ask(name))

        async def answer(request: Request) -> Response:
            name = request.path_params["name"]
            if name not in answered:
                found = await to_thread.run_sync(answer_alone, name)
                if len(answered) >= _REMEMBERED:
                    answered.clear()
                answered[name] = found
            return Response(answered[name], media_type="application/json")

        return answer

    async def _document(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._documents.paths:
            return refusal(
                404, f"there is no {name!r} in the API: GET /api/v1/ lists what there is"
            )
        return Response(await to_thread.run_sync(self._made, name), media_type="application/json")

    def _made(self, name: str) -> bytes:
        with self._asking:
            return self._documents.get(name)

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"] or "index.html"
        if name not in self._page:
            return refusal(404, f"there is no page {name!r}")
        file = self._page[name]
        return Response(file.path.read_bytes(), media_type=file.media_type)

    async def _sql(self, request: Request) -> Response:
        sql = await _read_sql(request)
        cancelled = Event()
        answered: list[bytes | Exception] = []

        async def run() -> None:
            try:
                work = partial(_run, self._data_set, sql, cancelled)
                answered.append(await to_thread.run_sync(work, limiter=self._queries))
            except (MarubatsuError, InputError) as error:
                answered.append(error)

        async with create_task_group() as group:
            group.start_soon(run)
            while not answered:
                await sleep(_WATCHING / 5)
                if await request.is_disconnected():
                    cancelled.set()
        (answer,) = answered
        if isinstance(answer, DamagedError):
            return refusal(503, str(answer))
        if isinstance(answer, Exception):
            return refusal(400, _HINT.sub("", str(answer)))
        return Response(answer, media_type="application/json")

    async def _sql_by_get(self, request: Request) -> Response:
        """Refuse with 405, not 404: the path exists, but a link must not run SQL."""
        raise HTTPException(405, headers={"Allow": "POST"})


async def _read_sql(request: Request) -> str:
    """Return the statement of a request. Raises HTTPException when there is none."""
    body = b""
    try:
        with fail_after(_SENDING):
            async for part in request.stream():
                body += part
                if len(body) > _MOST_SQL:
                    raise HTTPException(413, f"expected at most {_MOST_SQL:,} bytes of SQL")
    except TimeoutError:
        raise HTTPException(408, f"expected the whole body within {_SENDING:g} s") from None
    except ClientDisconnect:
        raise HTTPException(400, "the body was cut off") from None
    try:
        sql = json.loads(body)["sql"]
    except (ValueError, TypeError, KeyError, RecursionError):
        sql = None
    if not isinstance(sql, str) or not sql.strip():
        raise HTTPException(400, 'expected a body such as {"sql": "select 1"}')
    return sql


def _run(data_set: DataSet, sql: str, cancelled: Event) -> bytes:
    """Run a query in its sandbox; write its answer in this thread, because other requests wait."""
    with run_sql(data_set, Statement(sql), _LIMITS, lambda: None, cancelled.is_set) as answer:
        rows = list(islice(answer.rows, _MOST_ROWS + 1))
        return to_json(
            {
                "columns": list(answer.columns),
                "rows": rows[:_MOST_ROWS],
                "more": len(rows) > _MOST_ROWS,
            }
        )


async def _tell_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    told = {404: f"there is no page {request.url.path!r}"}
    if error.status_code == 405:
        sentence = f"{request.method} is not possible here: GET /api/v1/ lists what is"
        return refusal(405, sentence, error.headers)
    return refusal(error.status_code, told.get(error.status_code, error.detail))


async def _tell_input(request: Request, error: Exception) -> Response:
    return refusal(404, str(error))


async def _tell_failure(request: Request, error: Exception) -> Response:
    return refusal(503, str(error))


async def _tell_defect(request: Request, error: Exception) -> Response:
    return refusal(500, f"this question met a defect of the server ({type(error).__name__})")


@contextmanager
def open_app(
    data_set: DataSet,
    on_wait: Callable[[], None],
    addresses: Iterable[str] = (),
    limits: AgentLimits | None = None,
) -> Iterator[ASGIApp]:
    """Return the server over a snapshot of one data set.

    It has the AIs at some addresses beside ours; strangers run within limits. Raises DataError when
    nothing is built or solved, or something is damaged, and as `opponents_of` for an address.
    """
    shown = snapshot(data_set, on_wait, require_current)
    with (
        open_catalog(shown, on_wait) as catalog,
        opponents_of(shown, addresses, limits or AgentLimits()) as opponents,
    ):
        server = Server(catalog, open_oracle(shown, on_wait), opponents)
        app = Starlette(
            routes=server.routes(),
            middleware=[Middleware(GZipMiddleware, minimum_size=1_000)],
            exception_handlers={
                HTTPException: _tell_http,
                InputError: _tell_input,
                UsageError: _tell_input,
                MarubatsuError: _tell_failure,
                Exception: _tell_defect,
            },
        )
        yield Guard(app)  # outside of all else, so that every answer has its headers
