"""Functions that read the page, and a game played on it against an AI."""

import json
import urllib.request
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import cache
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urljoin

from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.search.roster import find
from tests.helpers.page.browser import Page
from tests.helpers.processes.commands import PATIENCE

GAME = Game("tictactoe")
LABELS = "() => [...document.querySelectorAll('[data-cell]')].map(cell => cell.ariaLabel ?? '')"
PANES = ["moves", "search", "leaderboard", "data", "map", "poster", "ais"]
READY = {
    "moves": ".moves-pane", "ais": ".ais-pane", "map": "[role=group] [role=treeitem]",
    "search": "[data-counter][data-value]", "leaderboard": ".verdicts tbody tr",
    "data": ".sql-view textarea", "poster": ".poster [data-board]",
}  # fmt: skip
"""By pane, what is there when it is shown."""


def go(page: Page, place: str) -> None:
    page.evaluate("place => { location.hash = place; }", place)


def click_pane(page: Page, pane: str) -> None:
    page.click(f'#panes a[data-pane="{pane}"]')
    page.wait_for_selector(READY[pane])


def control(name: str) -> str:
    return f'[data-control="{name}"]'


def hash_of(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.evaluate(
        "() => Object.fromEntries(new URLSearchParams(location.hash.slice(1)))"
    )
    return found


def board_of(page: Page) -> str:
    """Read the board that is shown, from the labels for screen readers."""
    marks = {"circle": "o", "cross": "x"}
    labels = page.evaluate(LABELS)
    message = (label.partition(": ")[2].partition(",")[0] for label in labels)
    return "".join(marks.get(what, ".") for what in message)


def cell_of(name: str, columns: int = 3, rows: int = 3) -> int:
    return "abcdefgh".index(name[0]) + columns * (rows - int(name[1:]))


def name_of(cell: int, columns: int = 3, rows: int = 3) -> str:
    return f"{'abcdefgh'[cell % columns]}{rows - cell // columns}"


def line_of(cells: Iterable[int]) -> str:
    """Write a line of tic-tac-toe as the address does."""
    return ".".join(map(name_of, cells))


def at(name: str) -> str:
    return f'[data-cell="{name}"]'


def status_of(page: Page) -> str:
    return page.inner_text(".status")


def rows_of(page: Page, selector: str) -> list[list[str]]:
    """Read the rows of the tables in a part of the page."""
    rows: list[list[str]] = page.locator(f"{selector} tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
    return rows


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until something holds, however slow the machine; fail when it never does."""
    for _ in range(20 * PATIENCE):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{board_of(page)} {status_of(page)} {page.url}")


def wait_for_frame(page: Page) -> None:
    """Wait until the page has drawn what it knows; a browser that draws no more fails the test."""
    page.evaluate(
        "() => { window.isDrawn = false;"
        " requestAnimationFrame(() => setTimeout(() => { window.isDrawn = true; })); }"
    )
    page.wait_for_function("() => window.isDrawn", polling=20)


def is_settled(page: Page, before: str) -> bool:
    """Return whether the board is another one, and a person to move or the game over."""
    board, status = board_of(page), status_of(page)
    return board != before and (is_over(status) or "Your move." in status)


def is_over(status: str) -> bool:
    return any(message in status for message in ("won.", "lost.", "A draw"))


def play_out(page: Page, play: Callable[[int], None]) -> str:
    """Play a whole game as circle against ai14s, whom the address names; return the last board."""
    until(page, lambda: is_settled(page, ""))
    board = board_of(page)
    answers = 0
    while "Your move." in status_of(page):
        before, cell = board, board.index(".")
        play(cell)
        until(page, lambda before=before: is_settled(page, before))  # type: ignore[misc]
        board = board_of(page)
        board_before = before[:cell] + "o" + before[cell + 1 :]
        if board != board_before:  # Else circle has ended the game.
            (answer,) = (each for each, mark in enumerate(board) if mark != board_before[each])
            assert board[answer] == "x"
            assert answer in candidates_of_ai14s(page.url, board_before), (board_before, board)
            answers += 1
    assert answers == board.count("x") >= 2
    return board


def candidates_of_ai14s(address: str, board: str) -> set[int]:
    """Return the exported candidates of a position, which are also those worked out here."""
    documents = urljoin(address, "api/v2/games/tictactoe/")
    table = exported(f"{documents}plies/{9 - board.count('.')}.json")
    digits = exported(f"{documents}ais/ai14s.json")["candidates"]
    index = table["board"].index(board)
    place = table["first_move"] + sum(map(len, table["moves"][:index]))
    found = {move for at, move in enumerate(table["moves"][index]) if digits[place + at] == "1"}
    shown = new_board(GAME)
    shown.load(board)
    assert found == set(find("ai14s").on(GAME).choice(shown).candidates)
    return found


def ask(
    port: int, path: str, body: object = None, method: str | None = None, **headers: str
) -> tuple[int, Any]:
    """Ask the server; return the status and the JSON that comes back."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        data = None
        if body is not None:
            data = json.dumps(body)
            sent = {"Content-Type": "application/json", **sent}
        connection.request(method or ("GET" if data is None else "POST"), path, data, sent)
        response = connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text else None


def drop(page: Page, text: str, place: str = "body") -> None:
    """Drop a file on the page, or on a part of it, which takes it."""
    script = """(element, text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text], 'audit.json', { type: 'application/json' }));
        return ['dragover', 'drop'].map((kind) => {
            const event = new DragEvent(kind, { dataTransfer, cancelable: true, bubbles: true });
            element.dispatchEvent(event);
            return event.defaultPrevented;
        });
    }"""
    assert page.locator(place).evaluate(script, text) == [True, True]


def fingers(page: Page, *steps: list[tuple[float, float]]) -> None:
    """Touch the page, with one finger after the other, and move them by steps."""
    touch = page.context.new_cdp_session(page)

    def send(kind: str, points: list[tuple[float, float]]) -> None:
        touches = [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    for count in range(1, 1 + len(steps[0])):
        send("touchStart", steps[0][:count])
    for points in steps[1:]:
        send("touchMove", points)
    send("touchEnd", [])


@cache
def exported(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=PATIENCE) as response:  # noqa: S310, our own server
        return json.load(response)
