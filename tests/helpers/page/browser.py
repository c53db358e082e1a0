"""A server and a headless browser for the tests of the page: chromium through Playwright."""

import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from tests.helpers.processes.commands import PATIENCE
from tests.helpers.processes.watching import wait_until

if TYPE_CHECKING:
    from playwright import sync_api

Browser: TypeAlias = "sync_api.Browser"
Page: TypeAlias = "sync_api.Page"
Response: TypeAlias = "sync_api.Response"
Route: TypeAlias = "sync_api.Route"

FLAGS = (
    "--no-sandbox", "--disable-dev-shm-usage",
    "--disable-gpu", "--disable-gpu-rasterization", "--in-process-gpu",  # There is none to imitate.
)  # fmt: skip

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first has no windows, and takes half the processor time."""


Visit = Callable[..., AbstractContextManager[Page]]
"""Opens the page of tic-tac-toe at a place that its address says behind the #, with options."""


def executable() -> str | None:
    """Return the browser of this machine, or None when there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def browsing() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def watched(browser: Browser, address: str, **options: Any) -> Iterator[Page]:
    """Open a page on which nothing may go wrong: no error in the console, no foreign host.

    A wrong board or game in the address is no error of the page, which shows a message.
    """
    wrong: list[str] = []
    host = urlsplit(address).netloc

    def hear(message: "sync_api.ConsoleMessage") -> None:
        if is_wrong(message):
            wrong.append(message.text)

    def fail(error: "sync_api.Error") -> None:
        wrong.append(str(error))

    def ask(request: "sync_api.Request") -> None:
        if urlsplit(request.url).netloc != host and not request.url.startswith(("blob:", "data:")):
            wrong.append(request.url)

    with kept_page(browser, **options) as page:
        page.on("console", hear)
        page.on("pageerror", fail)
        page.on("request", ask)
        page.goto(address)
        yield page
        page.remove_listener("console", hear)
        page.remove_listener("pageerror", fail)
        page.remove_listener("request", ask)
    assert wrong == [], wrong


@contextmanager
def failing(browser: Browser, address: str, **options: Any) -> Iterator[Page]:
    """Open a page on which requests may fail: to a browser that is an error."""
    with kept_page(browser, **options) as page:
        page.goto(address)
        page.wait_for_selector("[data-cell]")
        yield page


@contextmanager
def hold(page: Page, pattern: str, times: int | None = None) -> Iterator[list[Route]]:
    """Hold the requests of a pattern, at most so many, until the block ends; yield them."""
    waiting: list[Route] = []
    page.route(pattern, lambda route: waiting.append(route), times=times)  # noqa: PLW0108
    yield waiting
    while waiting:
        waiting.pop().continue_()
    page.unroute(pattern)


@contextmanager
def kept_page(browser: Browser, **options: Any) -> Iterator[Page]:
    """Yield an empty page with nothing in its storage: a new one costs three times as much.

    Tests that change the size or the media of the page need options of their own. A page
    on which a test fails is not given back.
    """
    options = {"locale": "en-US", **options}
    idle = _IDLE.setdefault(browser, {}).setdefault(repr(sorted(options.items())), [])
    if idle:
        page = idle.pop()
    else:
        context = browser.new_context(**options)
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
    yield page
    page.unroute_all()
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.goto("about:blank")
    idle.append(page)


_IDLE: "WeakKeyDictionary[Browser, dict[str, list[Page]]]" = WeakKeyDictionary()
"""The unused pages of each browser, by their options."""


def is_wrong(message: "sync_api.ConsoleMessage") -> bool:
    """Return whether a message in the console says that something went wrong."""
    refused = ("/positions/", "/games/nothing/", "/games/9x9k5/")
    is_refused = any(each in message.location["url"] for each in refused) and "404" in message.text
    return message.type in ("error", "warning") and not is_refused


@contextmanager
def file_server(folder: Path) -> Iterator[str]:
    """Serve a folder as any file host does; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1",
               "--directory", str(folder)]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: answers(port))
            yield f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.wait()


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


@contextmanager
def serving(
    data: Path, game: str = "tictactoe", *options: str, start: Sequence[str] = ("-m", "marubatsu")
) -> Iterator[int]:
    """Start a server of its own; yield its port."""
    command = [sys.executable, *start, "explore", "--no-browser", "--port", "0",
               "--data", str(data), "--game", game, *options]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield int(process.stdout.readline().split("127.0.0.1:")[1].split("/")[0])
        finally:
            process.terminate()
            assert process.wait(PATIENCE) in (0, -15, 143)
