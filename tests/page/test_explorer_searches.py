"""The searches of the page, to their last steps: counters, colours, words as in the tables."""

import json
from collections.abc import Iterator, Sequence
from math import ceil, floor
from pathlib import Path
from typing import Any

import pytest

import marubatsu as mb
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.page.browser import Browser, Page, Visit, watched
from tests.helpers.page.pages import drop, go, line_of, until, wait_for_frame
from tests.helpers.page.pictures import Box, boxes_of, pixels

NODES = 549_946


def events_of(catalog: Catalog, *, use_table: bool = False) -> list[Any]:
    """Return number, kind, line and score of each event of alpha-beta without other options."""
    rows = catalog.run(
        "select event, kind, line, score from search_trace join search_options using (search) "
        "where algorithm = 'alphabeta' and ordering is null and use_table = ? and not init_window "
        "and not shortest_victory order by event",
        [use_table],
    ).rows
    return list(rows)


def control(name: str, lane: int = 0) -> str:
    """Return the selector of a control: of both replays, or of one."""
    within = f".lane:nth-child({lane})" if lane else ".search-pane"
    return f'{within} [data-control="{name}"]'


def step_of(page: Page) -> int:
    return int(page.input_value(control("slider")))


def shows(page: Page, address: str) -> None:
    go(page, f"pane=search&{address}")
    page.wait_for_selector(".lane [data-counter][data-value]")
    open_choices(page)
    wait_for_frame(page)


def open_choices(page: Page) -> None:
    """Show what can be chosen for each search."""
    page.evaluate("() => document.querySelectorAll('.choose').forEach((each) => each.open = true)")


@pytest.fixture(scope="module")
def opened(visit: Visit) -> Iterator[Page]:
    """Return a page with a search, which many tests look at."""
    with visit("pane=search") as page:
        page.wait_for_selector(".lane [data-counter][data-value]")
        yield page


def test_every_search_ends_with_the_counts_of_its_table(opened: Page, catalog: Catalog) -> None:
    """The choices lead to each of them, and offer no other."""
    rows = catalog.run(
        "select search, count(*), count(*) filter (kind = 'enter'), "
        "count(*) filter (kind = 'hit'), count(*) filter (kind = 'cut'), sum(skipped) "
        "from search_trace group by search order by search"
    ).rows
    assert {18297, 16811, 1054, 832} <= {row[2] for row in rows}
    found = opened.evaluate(KEYS)
    keys = {search: key for key, search in found if search is not None}
    assert keys.keys() == {row[0] for row in rows}
    assert len({key for key, _ in found}) == len(rows) + 3
    for search, events, *expected in rows:
        go(opened, f"pane=search&show={keys[search]}&step={events - 1}")
        until(opened, lambda last=events - 1: step_of(opened) == last)  # type: ignore[misc]
        until(opened, lambda expected=expected: counts(opened) == list(map(int, expected)))  # type: ignore[misc]
        assert opened.locator(".code [aria-current]").count() == 1


def counts(page: Page, lane: int = 1) -> list[int]:
    found: list[int] = page.locator(f".lane:nth-child({lane}) [data-counter]").evaluate_all(
        "all => all.map((each) => Number(each.dataset.value))"
    )
    return found


KEYS = """async () => {
  const main = document.scripts[0].src;
  const { replaysOf, keyOf } = await import(new URL('search/search-choice.js', main));
  const { openGame } = await import(new URL('answers/api.js', main));
  return replaysOf(await openGame()).map((each) => [keyOf(each), each.search ?? null]);
}"""
"""The replays: the key of each in the address, and the number of its search."""


@pytest.mark.parametrize(
    ("show", "name"),
    [("building-bfs", "created"), ("building-dfs", "created"), ("scoring", "scored")],
)
def test_the_tree_is_built_and_scored_to_its_last_node(opened: Page, show: str, name: str) -> None:
    shows(opened, f"show={show}")
    opened.wait_for_selector(f'[data-counter="{name}"][data-value="{NODES}"]')
    opened.click(control("first"))
    opened.wait_for_selector(f'[data-counter="{name}"][data-value="1"]')
    opened.click(control("next"))
    opened.wait_for_selector(f'[data-counter="{name}"][data-value="2"]')


def test_choices_offer_what_there_is(opened: Page) -> None:
    """Each choice changes one option, as far as there is such a search."""
    shows(opened, "show=alphabeta")
    texts = "all => all.map((each) => each.value)"
    algorithms = opened.locator(f"{control('algorithm', 1)} option").evaluate_all(texts)
    assert algorithms == ["alphabeta", "scout", "mtdf", "nullwindow", "depth_limited",
                          "building-bfs", "building-dfs", "scoring"]  # fmt: skip
    walk = [
        ("use_table", None, "alphabeta.table"),
        ("shortest_victory", None, "alphabeta.table.victory"),
        ("ordering", "ai14s.all", "alphabeta.ai14s.all.table.victory"),
        ("algorithm", "scout", "scout.ai14s.all.table"),
        ("algorithm", "depth_limited", "depth_limited.depth2.ai14s"),
        ("depth", "4", "depth_limited.depth4.ai14s"),
        ("algorithm", "scoring", "scoring"),
        ("algorithm", "nullwindow", "nullwindow"),
    ]
    for name, value, key in walk:
        if value is None:
            opened.click(control(name, 1))
        else:
            opened.select_option(control(name, 1), value)
        until(opened, lambda key=key: f"show={key}" in opened.url.split("&"))  # type: ignore[misc]
    assert opened.locator(control("use_table", 1)).count() == 0
    assert opened.locator(control("depth", 1)).count() == 0


def test_two_searches_are_replayed_in_step(opened: Page, catalog: Catalog) -> None:
    """The address keeps both, with step, speed and zoom; the shorter one waits at its end."""
    shows(opened, "show=alphabeta&step=5000&line=a3")
    opened.click(control("compare"))
    opened.wait_for_selector(".lane:nth-child(2) [data-counter][data-value]")
    opened.select_option(control("ordering", 2), "ai14s.all")
    opened.select_option(control("speed"), "1000")
    opened.click(control("closer", 1))
    until(opened, lambda: "ai14s.all.table" in opened.url and "zoom=" in opened.url)
    address = opened.url
    assert {"step=5000", "rate=1000", "line=a3"} <= set(address.split("#")[1].split("&"))
    entered = sum(kind == "enter" for event, kind, *_ in events_of(catalog) if event <= 5000)
    nodes = 239  # all of alpha-beta ordered by ai14s, with a table

    def seen() -> list[Any]:
        return [step_of(opened), counts(opened)[0], counts(opened, 2)[0]]

    assert seen() == [5000, entered, nodes]
    opened.reload()
    until(opened, lambda: opened.locator(".lane").count() == 2 and step_of(opened) == 5000)
    opened.wait_for_selector(".lane:nth-child(2) [data-counter][data-value]")
    assert seen() == [5000, entered, nodes]
    assert opened.input_value(control("speed")) == "1000"
    opened.click('#panes [data-pane="data"]')
    opened.go_back()
    opened.wait_for_selector(".lane:nth-child(2) [data-counter][data-value]")
    assert opened.url == address
    open_choices(opened)
    opened.click(control("alone"))
    until(opened, lambda: opened.locator(".lane").count() == 1 and "beside" not in opened.url)


def test_the_language_changes_nothing_else(visit: Visit) -> None:
    """The step stays, also one that the address does not say yet; what plays goes on from there."""
    with visit("pane=search&show=alphabeta&step=300&rate=60&line=b2.a3") as page:
        page.wait_for_selector("[data-counter][data-value]")
        page.evaluate(
            "() => { document.querySelector('.search-pane [data-control=next]').click();"
            " document.querySelector('#languages [lang=ja]').click(); }"
        )
        page.wait_for_function(
            "() => document.querySelector('.where')?.textContent.startsWith('ステップ 301')"
        )
        assert "b2 a3" in page.inner_text(".node-of-board")
        page.click(control("play"))
        until(page, lambda: step_of(page) > 400)
        before = step_of(page)
        page.click("#languages [lang=en]")
        page.wait_for_selector("html[lang=en] .lane [data-counter][data-value]")
        assert before <= step_of(page) < 18_000
        until(page, lambda: step_of(page) > before + 3)
        page.click('#panes [data-pane="leaderboard"]')
        page.go_back()
        page.wait_for_selector(control("play"))
        assert page.inner_text(control("play")) == "Start"


def test_the_steps_at_the_node_of_the_board_are_found(opened: Page, catalog: Catalog) -> None:
    """A box of the map leads to its board, and the board to the steps at its node."""
    digits = 15  # a3, then b2
    steps = [event for event, _, line, _ in events_of(catalog) if line == digits]
    shows(opened, "show=alphabeta&step=0")
    until(opened, lambda: "root, 2 steps" in opened.inner_text(".node-of-board"))
    opened.click(".lane .map", position={"x": 30, "y": 30})
    until(opened, lambda: "line=a3" in opened.url)
    shows(opened, f"show=alphabeta&step=0&line={line_of([0, 4])}")
    until(opened, lambda: f"a3 b2, {len(steps)} steps" in opened.inner_text(".node-of-board"))
    assert opened.is_disabled(control("earlier"))
    for step in steps[:2]:
        opened.click(control("later"))
        until(opened, lambda step=step: step_of(opened) == step)  # type: ignore[misc]
    opened.click(control("earlier"))
    until(opened, lambda: step_of(opened) == steps[0])


def test_the_map_has_the_colours_of_what_happened(
    browser: Browser, gravity: str, root: Path
) -> None:
    """Each box with room is compared with the rows of the trace, at the end and in the middle."""
    with open_catalog(DataSet(root, Game("3x3k3-gravity"))) as catalog:
        events = events_of(catalog, use_table=True)
        nodes = catalog.run(
            "select line, parent, node, ply, subtree from tree_bfs order by ply, parent, move"
        ).rows
    lines = {node: line for line, _, node, *_ in nodes}
    above = {line: lines.get(parent) for line, parent, *_ in nodes}
    last = len(events) - 1
    with watched(browser, f"{gravity}#pane=search") as page:
        for step in (last, last // 3):
            shows(page, f"show=alphabeta.table&step={step}")
            until(page, lambda step=step: step_of(page) == step)  # type: ignore[misc]
            wait_for_frame(page)
            expected = states(events[: step + 1], above)
            boxes = boxes_of(nodes, *page.locator(".lane .map").evaluate(SIZE))
            places = {
                line: (ceil(left) + 2, int(upper + 3), floor(right) - 2, int(lower - 3))
                for line, (left, upper, right, lower) in boxes.items()
                if right - left > 14  # There is room for a whole pattern.
            }
            seen = pixels(page, ".lane .map", list(COLOURS), list(places.values()))
            assert len(seen) > 30
            for (line, box), counted in zip(places.items(), seen, strict=True):
                assert state_in(box, counted) == expected.get(line, "nothing"), (step, line)


SIZE = """canvas =>
  [canvas.width, canvas.height / document.querySelectorAll('.windows li').length]"""
"""How wide the map is, and how high each row of it."""

COLOURS = {"mark": "open", "won": "won", "drawn": "drawn", "lost": "lost", "edge": "hatched"}
"""The colours of the map, and the states that they say."""


def states(events: Sequence[Any], above: dict[int, int | None]) -> dict[int, str]:
    """Return what the events do to each line that they reach: the slow way, line by line."""
    found: dict[int, str] = {}
    for _, kind, line, score in events:
        if kind == "enter":
            found[line] = "open"
        elif kind == "leave":
            found[line] = {1: "won", 0: "drawn", -1: "lost"}[(score > 0) - (score < 0)]
        else:
            inherited = {line: "known" if kind == "hit" else "cut"}
            for each, parent in above.items():  # Parents come first.
                if parent in inherited and found.get(each) in (None, "known", "cut"):
                    found.setdefault(each, inherited[parent])
                    inherited[each] = inherited[parent]
    return found


def state_in(box: Box, counted: Sequence[int]) -> str:
    """Return the state that the colours in a box say: hatched is cut, dotted is known."""
    area = (box[2] - box[0]) * (box[3] - box[1])
    shares = {state: count / area for state, count in zip(COLOURS.values(), counted, strict=True)}
    hatched = shares.pop("hatched")
    for state, share in shares.items():
        if share > 0.3:
            return state
    return "cut" if hatched > 0.12 else "known" if hatched > 0.02 else "nothing"


def test_a_trace_from_a_file_is_played_next_to_another(visit: Visit, tmp_path: Path) -> None:
    """Picked or dropped; it survives a change of language, and other files give a message."""
    file = tmp_path / "steps.json"
    found = mb.search(board="o...x...o", ordering=lambda board, legal: legal[-1], trace=file)
    content = json.loads(file.read_text())
    with visit("pane=search&show=alphabeta") as page:
        page.wait_for_selector(".lane [data-counter][data-value]")
        page.set_input_files(control("trace", 1), file)
        until(page, lambda: "show=file" in page.url)
        page.click(control("last"))
        until(page, lambda: counts(page)[0] == found.nodes)
        assert step_of(page) == len(content["codes"]) - 1
        page.click(control("compare"))
        page.wait_for_selector(".lane:nth-child(2) [data-counter][data-value]")
        page.click("#languages [lang=ja]")
        page.wait_for_selector("html[lang=ja] .lane:nth-child(2) [data-counter][data-value]")
        until(page, lambda: counts(page)[0] == found.nodes)
        page.click("#languages [lang=en]")
        page.wait_for_selector("html[lang=en] .lane:nth-child(2) [data-counter][data-value]")
        long = json.dumps({**content, "evaluation": "W" * 1000}, sort_keys=True)
        drop(page, long, ".lane:nth-child(2)")
        until(page, lambda: "beside=file" in page.url)
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert counts(page, 2)[0] == found.nodes
        for wrong, message in WRONG:
            file.write_text(json.dumps({**content, **wrong}) if isinstance(wrong, dict) else wrong)
            page.set_input_files(control("trace", 1), file)
            page.wait_for_function(HAS_ERROR, arg=message)
            page.set_input_files(control("trace", 1), [])
        page.reload()
        page.wait_for_function(HAS_ERROR, arg="The page keeps no files: open the trace again.")


NO_TRACES: list[dict[str, Any] | str] = [
    "no JSON", {"codes": [0, 10**6]}, {"codes": ["length"]}, {"kinds": [{"kind": "<b>"}]},
    {"ordering": {}}, {"algorithm": "<b>"}, {"seed": 1e300},
]  # fmt: skip
WRONG: list[tuple[dict[str, Any] | str, str]] = [
    *((wrong, "holds no trace of a search") for wrong in NO_TRACES),
    ({"game": "3x3k3-misere"}, "is a trace of 3x3k3-misere; this page shows tictactoe"),
    ({"game": "z" * 5000}, f"is a trace of {'z' * 100}; this page"),
    ({"board": "ooo......"}, "starts at ooo......, which play cannot reach"),
    ({"board": "ox......."}, "which is no move of"),
    ({"board": "." * 9, "cells": None}, "holds no trace of a search"),
]
"""Changes of a trace or other contents of a file, each with its message."""

HAS_ERROR = """message => [...document.querySelectorAll('.lane .error')]
  .some((each) => !each.hidden && each.textContent.includes(message))"""
