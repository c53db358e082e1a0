"""Run the server on 127.0.0.1 until a signal ends it."""

import socket
import webbrowser
from contextlib import closing
from typing import TextIO

import uvicorn
from starlette.types import ASGIApp

from marubatsu.pipeline.support.errors import DataError
from marubatsu.web.http_protocol import BACKLOG, Protocol

_HOST = "127.0.0.1"
_SILENCE = 5  # seconds until a connection without a request is closed
_WAITING = 1024  # connections, until the server is ready


def serve(app: ASGIApp, game: str, port: int, *, opens_browser: bool, out: TextIO) -> None:
    """Serve until Ctrl-C or SIGTERM. Raises DataError when the port is taken."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_STREAM)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((_HOST, port))
            listener.listen(_WAITING)
        except OSError as error:
            raise DataError(
                f"cannot listen on {_HOST}:{port}: {error.strerror}; --port 0 takes any free one"
            ) from None
        address = f"http://{_HOST}:{listener.getsockname()[1]}/"
        out.write(f"{game} is shown at {address} (Ctrl-C ends it)\n")
        out.flush()
        config = uvicorn.Config(
            app, http=Protocol, log_level="error", access_log=False, lifespan="off",
            server_header=False, timeout_graceful_shutdown=1, backlog=BACKLOG,
            timeout_keep_alive=_SILENCE,
        )  # fmt: skip
        if opens_browser:
            webbrowser.open(address)
        uvicorn.Server(config).run(sockets=[listener])
