"""The routes of the API, version 2."""

from collections.abc import Awaitable, Callable
from functools import partial
from threading import Event
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.notations.reading import BoardLike
from marubatsu.engine.notations.signs import first_mark
from marubatsu.engine.rules.input_error import InputError, expectation, quote
from marubatsu.engine.rules.numbering import numbering_of
from marubatsu.judge.agents.agent import RefusedError
from marubatsu.judge.oracle.answer import Answer, BoundedAnswer
from marubatsu.pipeline.support.errors import DamagedError, DataError, MarubatsuError, UsageError
from marubatsu.pipeline.support.json_text import DECODER, RepeatedKeyError, text_of, to_json
from marubatsu.web.documents import RAW
from marubatsu.web.exchange import (
    answer_with,
    body_of,
    fresh,
    is_there,
    kept,
    refusal,
    version_of,
    while_connected,
)
from marubatsu.web.games import (
    MOST_BOARDS,
    MOST_BODY,
    PLAIN,
    OpenGame,
    OpenGames,
    ReadAs,
    sentence_for_clients,
    start_of,
)
from marubatsu.web.openapi import description

_AT_ONCE = 4  # requests that wait for an oracle; the others wait for these
_QUERIES_AT_ONCE = 2
_REMEMBERED = 10_000  # answers
_Answer = Callable[[Request, OpenGame], Awaitable[Response]]


class _Lines(PathConvertor):
    """What is in a path, of any number of lines."""

    regex = "(?s:.*)"


register_url_convertor("lines", _Lines())


class ApiRoutes:
    """The routes, and what they share."""

    def __init__(self, games: OpenGames) -> None:
        self._games, self._querying = games, CapacityLimiter(_QUERIES_AT_ONCE)
        self._packing = CapacityLimiter(1)  # A raw file is large.
        self._asking, self._searching, self._choosing = (
            CapacityLimiter(_AT_ONCE) for _ in range(3)
        )
        self._answered: dict[tuple[str, str, ReadAs], bytes] = {}  # by version of a game, and board

    def routes(self) -> list[Route]:
        """List the routes; the first one that fits a path and a method answers.

        Every path of a game fits the one of documents. So it is the last, and before it a path for
        POST alone has a second route, which refuses GET: else it would be a missing document.
        """
        of_game: list[tuple[str, str, _Answer]] = [
            ("POST", "/positions", self._positions),
            ("POST", "/sql", self._query),
            ("GET", "/positions", _only_post),
            ("GET", "/sql", _only_post),
            ("GET", "/positions/{board:lines}", self._position),
            ("GET", "/ais", self._ais),
            ("GET", "/ais/{ai:path}/positions/{board:lines}", self._choices),
            ("GET", "/tables/{table:path}.parquet", self._table),
            ("GET", f"/{RAW}", self._raw),
            ("GET", "/{document:path}", self._document),
        ]
        return [
            Route("/api/v2/openapi.json", self._openapi, methods=["GET"]),
            Route("/api/v2/start.json", self._start, methods=["GET"]),
            Route("/api/v2/games", self._list, methods=["GET"]),
            *(
                Route(f"/api/v2/games/{{game}}{path}", self._in_game(answer), methods=[method])
                for method, path, answer in of_game
            ),
        ]

    def _in_game(self, answer: _Answer) -> Callable[[Request], Awaitable[Response]]:
        """Open the game that a path names, for one answer."""

        async def answered(request: Request) -> Response:
            holder = self._games.game(request.path_params["game"])
            opened = await to_thread.run_sync(holder.__enter__)
            try:
                return await answer(request, opened)
            finally:
                await to_thread.run_sync(partial(holder.__exit__, None, None, None))

        return answered

    async def _openapi(self, request: Request) -> Response:
        return _as_it_is(request, to_json(description()))

    async def _start(self, request: Request) -> Response:
        rows = await to_thread.run_sync(self._games.rows)
        return _as_it_is(request, to_json(start_of(self._games.first.game, rows, server=True)))

    async def _list(self, request: Request) -> Response:
        return _as_it_is(request, to_json(await to_thread.run_sync(self._games.rows)))

    async def _ais(self, request: Request, opened: OpenGame) -> Response:
        return _as_it_is(request, to_json(opened.opponents.rows()))

    async def _position(self, request: Request, opened: OpenGame) -> Response:
        board = request.path_params["board"]
        how = _read_as(request, "search")
        place = opened.version, board, how
        may_search = _may_search(request)
        if place not in self._answered:
            if may_search:
                (answer,) = await self._answers(request, opened, [board], how)
            else:
                answer = await self._glance(opened, board, how)
            body = to_json(answer.to_json())
            if not isinstance(answer, Answer):
                return fresh(body)  # With more time, there is more to tell.
            if len(self._answered) >= _REMEMBERED:
                self._answered.clear()
            self._answered[place] = body
        return kept(request, self._answered[place], opened.version)

    async def _positions(self, request: Request, opened: OpenGame) -> Response:
        boards = _boards_in(await body_of(request, MOST_BODY))
        try:
            answers = await self._answers(request, opened, boards, _read_as(request))
        except (InputError, UsageError) as error:
            return refusal(400, str(error))
        return fresh(to_json({"answers": [answer.to_json() for answer in answers]}))

    async def _answers(
        self, request: Request, opened: OpenGame, boards: list[BoardLike], how: ReadAs
    ) -> list[Answer | BoundedAnswer]:
        """Ask the oracle of a game; a search ends when its client has gone."""
        if not opened.is_searched:
            return await to_thread.run_sync(opened.answer_all, boards, how, limiter=self._asking)

        def search(gone: Event) -> list[Answer | BoundedAnswer]:
            def look(share: float | None, note: str = "") -> None:
                if gone.is_set():
                    raise DataError("client disconnected; search cancelled")

            return opened.answer_all(boards, how, look)

        return await while_connected(request, search, self._searching)

    async def _glance(self, opened: OpenGame, board: str, how: ReadAs) -> Answer | BoundedAnswer:
        return await to_thread.run_sync(opened.glance, board, how, limiter=self._asking)

    async def _choices(self, request: Request, opened: OpenGame) -> Response:
        answer = await self._glance(opened, request.path_params["board"], _read_as(request))
        if answer.turn is None:
            return fresh(to_json([]))
        ai = request.path_params["ai"]
        try:
            choices = await while_connected(
                request,
                lambda gone: opened.opponents.choices(ai, answer.board, gone),
                self._choosing,
            )
            return fresh(to_json(choices))
        except (AIError, RefusedError) as error:
            return refusal(502, str(error))

    async def _table(self, request: Request, opened: OpenGame) -> Response:
        _require_options(request)
        name = f"{request.path_params['table']}.parquet"
        if name not in opened.files:
            return _nothing(opened, f"tables/{name}")
        return answer_with(request, opened.files[name])

    async def _raw(self, request: Request, opened: OpenGame) -> Response:
        _require_options(request)
        if not opened.is_checkable:
            return _nothing(opened, RAW)
        body = b""
        if not is_there(request, opened.version):
            body = await to_thread.run_sync(opened.raw_solution, limiter=self._packing)
        return kept(request, body, opened.version, "application/gzip")

    async def _document(self, request: Request, opened: OpenGame) -> Response:
        _require_options(request)
        name = request.path_params["document"]
        if name not in opened.paths:
            return _nothing(opened, name)
        body = await to_thread.run_sync(opened.document, name, limiter=self._asking)
        return kept(request, body, opened.version)

    async def _query(self, request: Request, opened: OpenGame) -> Response:
        if request.query_params:
            raise HTTPException(400, "a query takes no options behind the path: write limit in SQL")
        sql = _value_in(await body_of(request, MOST_BODY), "sql")
        if not isinstance(sql, str) or not sql.strip():
            raise HTTPException(400, 'expected a body such as {"sql": "select 1"}')
        if opened.data is None:
            raise HTTPException(404, opened.why_no_tables)

        def run(gone: Event) -> bytes:  # It writes the answer too, because other requests wait.
            return to_json(opened.query(sql, gone.is_set))

        try:
            rows = await while_connected(request, run, self._querying)
        except DamagedError as error:
            return refusal(503, str(error))
        except (MarubatsuError, InputError) as error:
            return refusal(400, sentence_for_clients(error))
        return fresh(rows)


def _value_in(body: bytes, name: str) -> Any:
    """Return a value of the object in a body; None where it has none. Raises HTTPException."""
    try:
        content = DECODER.decode(text_of(body))
    except RepeatedKeyError as error:
        raise HTTPException(400, f"in the body, {error}") from None
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, dict) or name not in content:
        return None
    if others := ", ".join(quote(other) for other in content if other != name):
        options = "; options go behind the path, as in ?first=x" * (name == "boards")
        raise HTTPException(400, f"the body holds {others}: expected only {name}{options}")
    return content[name]


def _boards_in(body: bytes) -> list[BoardLike]:
    """Return the boards in a body. Raises HTTPException."""
    boards = _value_in(body, "boards")
    if not isinstance(boards, list) or not all(isinstance(board, str | list) for board in boards):
        raise HTTPException(400, 'expected a body such as {"boards": ["o...x...."]}')
    if len(boards) > MOST_BOARDS:
        raise HTTPException(413, f"expected at most {MOST_BOARDS:,} boards, got {len(boards):,}")
    return boards


def _read_as(request: Request, *others: str) -> ReadAs:
    """Return how a request's positions are read. Raises HTTPException for no mark or numbering.

    It refuses options that are neither for that nor among the ``others`` of the request.
    """
    _require_options(request, *ReadAs._fields, *others)
    query = request.query_params
    how = ReadAs(query.get("first", PLAIN.first), query.get("numbering"))
    try:
        first_mark(how.first)
        if how.numbering is not None:
            numbering_of(how.numbering)
    except InputError as error:
        raise HTTPException(400, str(error)) from None
    return how


def _require_options(request: Request, *options: str) -> None:
    """Raise HTTPException for an option behind a path that it does not have, or has twice."""
    for name in request.query_params:
        if name not in options:
            expected = expectation(name, options) if options else "expected none"
            raise HTTPException(400, f"no option {quote(name)}: {expected}")
        if len(request.query_params.getlist(name)) > 1:
            raise HTTPException(400, f"expected the option {name} once")


def _may_search(request: Request) -> bool:
    """Whether a request has time for a search. Raises HTTPException when it says neither."""
    said = request.query_params.get("search", "yes")
    if said not in ("yes", "no"):
        raise HTTPException(400, f"expected search=yes or search=no, got {quote(said)}")
    return said == "yes"


def _nothing(opened: OpenGame, name: str) -> Response:
    return refusal(
        404,
        f"there is no {quote(name)} of {opened.game.name} in the API: GET /api/v2/openapi.json "
        "lists what there is",
    )


def _as_it_is(request: Request, body: bytes) -> Response:
    _require_options(request)
    return kept(request, body, version_of(body))


async def _only_post(request: Request, opened: OpenGame) -> Response:
    raise HTTPException(405, headers={"Allow": "POST"})
