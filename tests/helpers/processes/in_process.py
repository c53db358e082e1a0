"""Requests to the server in this process."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.web.app import Protocol, listening, open_app
from tests.helpers.processes.commands import PATIENCE


class Reply(NamedTuple):
    """A reply of the server."""

    status: int
    headers: dict[str, str]
    body: bytes


def ask_app(
    app: ASGIApp, path: str, body: object = None, method: str | None = None, **headers: str
) -> Reply:
    """Send one request with an optional JSON body; the client then waits for the whole answer."""
    place, _, query = path.partition("?")
    sent: list[Message] = []
    content = body if isinstance(body, bytes) else json.dumps(body).encode() if body else b""
    waiting = [{"type": "http.request", "body": content}]

    async def receive() -> Message:
        if waiting:
            return waiting.pop()
        await anyio.sleep_forever()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    lines = {"host": "127.0.0.1", "content-type": "application/json"} | {
        name.replace("_", "-").lower(): value for name, value in headers.items()
    }
    scope = {
        "type": "http", "method": method or ("POST" if body else "GET"), "path": unquote(place),
        "scheme": "http", "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in lines.items()],
    }  # fmt: skip
    with ThreadPoolExecutor(1) as elsewhere:  # a browser's loop may run in this thread
        elsewhere.submit(anyio.run, app, scope, receive, send).result()
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Reply(sent[0]["status"], found, b"".join(m.get("body", b"") for m in sent[1:]))


@contextmanager
def serving_app(app: ASGIApp) -> Iterator[int]:
    """Serve in a thread, with the parser of the explorer; yield the port."""
    with closing(listening(0)) as listener:
        config = uvicorn.Config(app, http=Protocol, log_level="critical", lifespan="off",
                                server_header=False, date_header=False,
                                timeout_keep_alive=1)  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


@contextmanager
def served(root: Path, name: str) -> Iterator[str]:
    """Serve the page of a game in a thread; yield its address."""
    with open_app(DataSet(root, Game(name))) as app, serving_app(app) as port:
        yield f"http://127.0.0.1:{port}/"


@contextmanager
def by_ranges(folder: Path) -> Iterator[str]:
    """Serve a folder as hosts do that send the parts of a file; yield its address."""
    app = Starlette(routes=[Mount("/", StaticFiles(directory=folder, html=True))])
    with serving_app(app) as port:
        yield f"http://127.0.0.1:{port}/"
