"""Hostile links and files on the page: they stay text, and the page goes on."""

import json
from collections.abc import Iterator
from functools import partial, reduce
from operator import getitem
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from tests.attacks.tally import Refused, Tally, some
from tests.attacks.texts import TEXTS
from tests.helpers.data.data_sets import build_one
from tests.helpers.data.shared import Shared
from tests.helpers.page.pages import drop, go, status_of, until
from tests.helpers.processes.commands import run_here
from tests.helpers.processes.in_process import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Error, Page, Request

GAME = "3x2k2"
PARAMETERS = (
    "game", "start", "line", "at", "circle", "cross", "seed", "hints", "lang", "pane", "part", "ai",
    "report", "sql", "sort", "chart", "x", "y", "show", "step", "node",
)  # fmt: skip
LINKS = [(name, text) for text in TEXTS for name in PARAMETERS]
"""Each parameter of an address, each time with another text."""

FIELDS: tuple[tuple[str | int, ...], ...] = (
    ("ai",), ("family",), ("findings", 0, "kind"), ("findings", 0, "detail"),
    ("findings", 0, "board"), ("matches", 0, "opponent"), ("matches", 0, "win"), ("verdicts",),
    ("blunders", 0), ("blunders", 0, "move"), ("blunders", 0, "board_after"),
    ("refutations", 0, "moves", 0),
)  # fmt: skip
"""Where a file may hold a text that is not ours."""

PARTS = {
    "file": ".drop ~ div .badge", "verdicts": ".verdicts .badge", "plies": ".plain .badge",
    "matches": ".matrix:not(.plain) .badge",
}  # fmt: skip
"""Parts of the leaderboard, each with a selector that matches when it shows a foreign audit."""


@pytest.fixture(scope="module")
def audit(shared: Shared) -> dict[str, Any]:
    """Return an audit in which every list has something."""
    done = run_here(
        "audit", "ai2", "--format", "json", "--game", GAME, data=build_one(shared, GAME)
    )
    found: dict[str, Any] = json.loads(done.stdout)
    found["findings"] = [{"kind": "x", "count": 1, "board": "", "detail": "x"}]
    assert found["blunders"]
    assert found["matches"]
    assert found["refutations"]
    return found


@pytest.fixture(scope="module")
def page(browser: "Browser", shared: Shared) -> "Iterator[Page]":
    """Return the page of a small game, on which nothing may run that is not ours."""
    wrong: list[str] = []

    def hear(dialog: "Dialog") -> None:
        wrong.append(dialog.message)
        dialog.dismiss()

    def fail(error: "Error") -> None:
        if "Failed to fetch" not in str(error):  # A page that is reloaded asks for no more.
            wrong.append(str(error))

    def ask(sent: "Request") -> None:
        if not sent.url.startswith((place, "data:", "blob:", "about:")):
            wrong.append(sent.url)

    with (
        served(build_one(shared, GAME), GAME) as place,
        browser.new_context(locale="en-US") as context,
    ):
        opened = context.new_page()
        opened.on("pageerror", fail)
        opened.on("dialog", hear)
        opened.on("request", ask)
        opened.goto(place)
        opened.wait_for_selector("[data-cell]")
        yield opened
        opened.wait_for_timeout(300)
    assert wrong == []


def test_a_hostile_link_shows_the_page_or_a_sentence(page: "Page") -> None:
    follow = """async place => {
        location.hash = place;
        await new Promise((go) => setTimeout(go, 30));
        const faults = [...document.querySelectorAll('[role=alert]:not([hidden])')];
        const messages = faults.map((each) => each.textContent.trim());
        const board = document.querySelectorAll('[data-cell]').length;
        return [messages.join('; '), board || messages.length, document.scripts.length];
    }"""
    scripts = page.evaluate("() => document.scripts.length")

    def answer(name: str, text: str) -> str:
        harmless = text.encode("utf-8", "replace").decode()  # A URL holds no lone surrogate.
        query = page.evaluate(
            "pairs => new URLSearchParams(pairs).toString()",
            [["pane", "data" if name in ("sql", "sort", "x", "y") else "leaderboard"]],
        )
        place = query + page.evaluate("pair => '&' + new URLSearchParams([pair])", [name, harmless])
        message, shown, now = page.evaluate(follow, place)
        if not shown or now != scripts:
            return f"{shown} {now}"
        if message:
            raise Refused(message)
        return ""

    tally = Tally("page, one odd parameter of a link")
    for name, text in some(Random("links").sample(LINKS, len(LINKS)), cost=1):
        tally.add(f"{name}={text[:60]!a}", partial(answer, name, text), "")
    tally.report()


def elements_of(page: "Page", part: str, ready: str) -> list[str]:
    """Return the elements of a part of the leaderboard, with the names of their attributes.

    A name decides between AIs that are right equally often, so their order may be another.
    """
    go(page, f"pane=leaderboard&part={part}")
    page.wait_for_selector(f'[data-part="{part}"][aria-current]')
    page.wait_for_selector(ready)
    names = "all => all.map((each) => [each.tagName, ...each.getAttributeNames()].join(' '))"
    found: list[str] = page.locator("#pane *").evaluate_all(names)
    return sorted(found)


def test_a_hostile_text_in_an_audit_stays_a_text(page: "Page", audit: dict[str, Any]) -> None:
    def elements(field: tuple[str | int, ...], text: str) -> list[list[str]]:
        changed = json.loads(json.dumps(audit))
        reduce(getitem, field[:-1], changed)[field[-1]] = text
        page.evaluate("() => { location.hash = ''; }")
        page.reload()  # Audits of other names would stay.
        until(page, lambda: "Your move" in status_of(page))
        page.evaluate("() => { document.getElementById('announcement').textContent = ''; }")
        drop(page, json.dumps(changed))
        fault = page.locator(".audit-view [role=alert]:not([hidden])")
        until(page, lambda: bool(fault.count() or page.inner_text("#announcement")))
        if fault.count():
            raise Refused(fault.inner_text())
        return [elements_of(page, part, ready) for part, ready in PARTS.items()]

    harmless = elements(("findings", 0, "detail"), "x")

    def answer(field: tuple[str | int, ...], text: str) -> str:
        found = elements(field, text)
        return "" if found == harmless else f"other elements: {found[0]}"

    tally = Tally("page, a hostile text in a dropped audit")
    every = [(field, text) for text in TEXTS for field in FIELDS]
    for field, text in some(Random("audits").sample(every, len(every)), cost=4):
        tally.add(f"{field}: {text[:60]!a}", partial(answer, field, text), "")
    tally.report()
