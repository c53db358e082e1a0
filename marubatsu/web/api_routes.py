"""The routes of the API, version 2, and one request: its body, its answer, a client that leaves."""

import hashlib
import os
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from threading import Event
from typing import Any, TypeVar

from anyio import CapacityLimiter, create_task_group, fail_after, sleep, to_thread
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.notations.reading import BoardLike
from marubatsu.engine.notations.signs import first_mark
from marubatsu.engine.rules.input_error import InputError, expectation, quote
from marubatsu.engine.rules.numbering import numbering_of
from marubatsu.judge.agents.agent import RefusedError
from marubatsu.judge.oracle.answer import Answer, BoundedAnswer
from marubatsu.pipeline.support.errors import (
    DamagedError,
    DataError,
    MarubatsuError,
    UsageError,
    harmless,
)
from marubatsu.pipeline.support.json_text import DECODER, RepeatedKeyError, text_of, to_json
from marubatsu.pipeline.tables.manifest import MEDIA_TYPE as PARQUET
from marubatsu.pipeline.tables.open_file import OpenFile
from marubatsu.web.documents import RAW
from marubatsu.web.games import (
    MOST_BOARDS,
    MOST_BODY,
    PLAIN,
    OpenGame,
    OpenGames,
    ReadAs,
    RequireClient,
    sentence_for_clients,
    start_of,
)
from marubatsu.web.openapi import description

JSON = "application/json"


def refusal(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error, with optional headers."""
    return Response(to_json({"error": harmless(sentence)}), status, headers, JSON)


def kept(request: Request, body: bytes, version: str, media_type: str = JSON) -> Response:
    """Return the answer for one version of the data, or 304 for a client that has it.

    The tag is weak, because the same answer is sent compressed and not.
    """
    tag = f'W/"{version}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if is_there(request, version):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def fresh(body: bytes) -> Response:
    """Return an answer that clients must not keep, because the next one may differ."""
    return Response(body, headers={"Cache-Control": "no-store"}, media_type=JSON)


def version_of(content: bytes) -> str:
    """Return the version of something that has no other than its bytes."""
    return hashlib.sha256(content).hexdigest()[:32]


def is_there(request: Request, version: str) -> bool:
    """Whether the client says that it has this version."""
    tags = request.headers.get("if-none-match", "").split(",")
    return any(tag.strip().removeprefix("W/") in (f'"{version}"', "*") for tag in tags)


_CHUNK = 1 << 18
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def answer_with(request: Request, file: OpenFile) -> Response:
    """Return a file, or the one part of it that the header Range asks for.

    A list of parts is answered with the whole file, as HTTP allows. Raises DamagedError when the
    file was changed since it was opened.
    """
    file.require_unchanged()
    headers = {
        "ETag": f'"{file.sha256[:32]}"',
        "Cache-Control": "no-cache",
        "Accept-Ranges": "bytes",
        "Content-Encoding": "identity",  # Parquet is compressed, and a part must stay as it is.
    }
    if is_there(request, file.sha256[:32]):
        return Response(status_code=304, headers=headers)
    wanted = request.headers.get("range", "")
    if request.headers.get("if-range", headers["ETag"]) != headers["ETag"]:
        wanted = ""
    match = _RANGE.fullmatch(wanted.strip())
    if match is None or match.groups() == ("", ""):
        return _sent(request, file, range(file.size), 200, headers)
    first, last = match.groups()
    if first:
        part = range(int(first), min(file.size, int(last) + 1) if last else file.size)
    else:
        part = range(max(0, file.size - int(last)), file.size)
    if not part:
        text = f"the file has {file.size:,} bytes: expected a range of bytes inside it"
        return refusal(416, text, {"Content-Range": f"bytes */{file.size}"})
    headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{file.size}"
    return _sent(request, file, part, 206, headers)


def _sent(
    request: Request, file: OpenFile, part: range, status: int, headers: dict[str, str]
) -> Response:
    headers = {**headers, "Content-Length": str(len(part))}
    if request.method == "HEAD":
        return Response(None, status, headers, PARQUET)
    return StreamingResponse(_bytes(file, part), status, headers, PARQUET)


def _bytes(file: OpenFile, part: range) -> Iterator[bytes]:
    """Read a part; one that changes meanwhile ends the connection before its end."""
    for start in part[::_CHUNK]:
        chunk = os.pread(file.handle, min(_CHUNK, part.stop - start), start)
        file.require_unchanged()
        yield chunk


_SENDING = 10.0  # seconds for a request to arrive
_WATCHING = 0.1  # seconds between checks whether the client is still connected
_Found = TypeVar("_Found")


async def body_of(request: Request, most: int) -> bytes:
    """Read a body of the type JSON, which no page of another site can send without asking.

    Raises HTTPException for another type, and when the body is too long, too slow or cut off.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "expected a body of the type application/json")
    body = b""
    try:
        with fail_after(_SENDING):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise HTTPException(413, f"expected a body of at most {most:,} bytes")
    except TimeoutError:
        raise HTTPException(408, f"expected the whole body within {_SENDING:g} s") from None
    except ClientDisconnect:
        raise HTTPException(400, "the body was cut off") from None
    return body


async def while_connected(
    request: Request, work: Callable[[RequireClient], _Found], limiter: CapacityLimiter
) -> _Found:
    """Work in a thread; what the work gets raises DataError once the client has gone.

    It does so when the server ends, too. Raises what the work raises.
    """
    gone = Event()
    failed: Exception | None = None

    def require_client() -> None:
        if gone.is_set():
            raise DataError("client disconnected; its request was cancelled")

    async def watch() -> None:
        while not await request.is_disconnected():  # noqa: ASYNC110, there is no event
            await sleep(_WATCHING)
        gone.set()

    async with create_task_group() as group:
        group.start_soon(watch)
        try:
            return await to_thread.run_sync(partial(work, require_client), limiter=limiter)
        except Exception as error:  # noqa: BLE001, it is raised again outside of the task group
            failed = error
        finally:
            gone.set()
            group.cancel_scope.cancel()
    assert failed
    raise failed


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
                return fresh(body)  # With more time, there is more to answer.
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

        search = partial(opened.answer_all, boards, how)
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
                request, partial(opened.opponents.choices, ai, answer.board), self._choosing
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

        def run(require_client: RequireClient) -> bytes:
            # It writes the answer too, because other requests wait.
            return to_json(opened.query(sql, require_client))

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
    boards = _value_in(body, "boards")
    if not isinstance(boards, list) or not all(isinstance(board, str | list) for board in boards):
        raise HTTPException(400, 'expected a body such as {"boards": ["o...x...."]}')
    if len(boards) > MOST_BOARDS:
        raise HTTPException(413, f"expected at most {MOST_BOARDS:,} boards, got {len(boards):,}")
    return boards


def _read_as(request: Request, *others: str) -> ReadAs:
    """Return how positions are read; all options but these and the ``others`` are refused."""
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
