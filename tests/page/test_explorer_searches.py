"""The searches of the page, to their last steps: counters, colours, words as in the tables."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import marubatsu as mb
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.page.browser import watched
from tests.helpers.page.pages import line_of, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


NODES = 549_946


def control(name: str, lane: int = 0) -> str:
    """Return the selector of a control: of both replays, or of one."""
    within = f".lane:nth-child({lane})" if lane else ".search-pane"
    return f'{within} [data-control="{name}"]'


def counter(page: "Page", name: str, lane: int = 1) -> int:
    where = f'.lane:nth-child({lane}) [data-counter="{name}"]'
    return int(str(page.get_attribute(where, "data-value")))


def step_of(page: "Page") -> int:
    return int(page.input_value(control("slider")))


def shows(page: "Page", address: str) -> None:
    """Show what an address says, with all choices, and wait until it is drawn."""
    page.evaluate("address => { location.hash = address; }", f"pane=search&{address}")
    page.wait_for_selector(".lane [data-counter][data-value]")
    open_choices(page)
    page.evaluate(FRAMES)


def open_choices(page: "Page") -> None:
    """Show what can be chosen for each search."""
    page.evaluate("() => document.querySelectorAll('.choose').forEach((each) => each.open = true)")


FRAMES = "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"


@pytest.fixture(scope="module")
def opened(browser: "Browser", address: str) -> "Iterator[Page]":
    """Return a page with a search, which many tests look at."""
    with watched(browser, f"{address}#pane=search") as page:
        page.wait_for_selector(".lane [data-counter][data-value]")
        yield page


def test_every_search_ends_with_the_counts_of_its_table(opened: "Page", catalog: Catalog) -> None:
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
        opened.evaluate(
            "address => { location.hash = address; }",
            f"pane=search&show={keys[search]}&step={events - 1}",
        )
        until(opened, lambda last=events - 1: step_of(opened) == last)  # type: ignore[misc]
        until(opened, lambda expected=expected: counts(opened) == list(map(int, expected)))  # type: ignore[misc]


def counts(page: "Page") -> list[int]:
    found: list[int] = page.evaluate(
        "() => [...document.querySelectorAll('.lane:first-child [data-counter]')]"
        ".map((each) => Number(each.dataset.value))"
    )
    return found


KEYS = """async () => {
  const main = document.scripts[0].src;
  const { replaysOf, keyOf } = await import(new URL('search/search-choice.js', main));
  const { openGame } = await import(new URL('answers/api.js', main));
  return replaysOf(await openGame()).map((each) => [keyOf(each), each.search ?? null]);
}"""
"""What can be replayed: how the address names it, and the number of its search."""


@pytest.mark.parametrize(
    ("show", "name"),
    [("building-bfs", "created"), ("building-dfs", "created"), ("scoring", "scored")],
)
def test_the_tree_is_built_and_scored_to_its_last_node(
    opened: "Page", show: str, name: str
) -> None:
    shows(opened, f"show={show}")
    opened.wait_for_selector(f'[data-counter="{name}"][data-value="{NODES}"]')
    opened.click(control("first"))
    opened.wait_for_selector(f'[data-counter="{name}"][data-value="1"]')
    opened.click(control("next"))
    opened.wait_for_selector(f'[data-counter="{name}"][data-value="2"]')


def test_choices_offer_what_there_is(opened: "Page") -> None:
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


def test_two_searches_are_replayed_in_step(opened: "Page", catalog: Catalog) -> None:
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

    def seen() -> list[Any]:
        return [step_of(opened), counter(opened, "visited"), counter(opened, "visited", 2)]

    (entered,) = catalog.run(
        "select count(*) from search_trace join search_options using (search) "
        "where event <= 5000 and kind = 'enter' and algorithm = 'alphabeta' and ordering is null "
        "and not use_table and not init_window and not shortest_victory"
    ).rows[0]
    nodes = 239  # all of alpha-beta ordered by ai14s, with a table
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


def test_playing_draws_frames_and_measures_each(opened: "Page") -> None:
    """`make bench` reads what they cost."""
    shows(opened, "show=alphabeta.ai14s.all&rate=fastest")
    opened.evaluate("() => { window.marubatsuFrames.length = 0; }")
    opened.click(control("play"))
    opened.wait_for_function("() => window.marubatsuFrames.length > 5")
    assert min(opened.evaluate("() => window.marubatsuFrames")) > 0
    until(opened, lambda: opened.inner_text(control("play")) == "Start")
    assert counter(opened, "visited") == 1496


def test_nothing_plays_by_itself_with_reduced_motion(
    browser: "Browser", address: str, catalog: Catalog
) -> None:
    events = "select kind = 'enter' from search_trace where search = 7 order by event limit 2"
    entered = [is_entered for (is_entered,) in catalog.run(events).rows]
    assert len(entered) == 2
    place = f"{address}#pane=search&show=alphabeta.table.window&rate=300&play=on"
    with watched(browser, place, reduced_motion="reduce") as page:
        page.wait_for_selector("[data-counter][data-value]")
        page.click(control("first"))
        page.wait_for_timeout(700)
        assert step_of(page) == 0
        assert page.input_value(control("speed")) == "3"
        assert "rate=300" in page.url  # Where motion is welcome, the link plays as fast as before.
        assert counter(page, "visited") == entered[0]
        page.click(control("next"))
        page.wait_for_function("() => document.querySelector('.where').innerText.includes(' 1 ')")
        page.wait_for_timeout(700)
        assert step_of(page) == 1
        assert counter(page, "visited") == sum(entered)


def test_the_language_changes_nothing_else(browser: "Browser", address: str) -> None:
    """The step stays, also one that the address does not say yet; what plays goes on from there."""
    place = f"{address}#pane=search&show=alphabeta&step=300&rate=10&line=b2.a3"
    with watched(browser, place) as page:
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
        until(page, lambda: step_of(page) > 303)
        shown = page.evaluate(SWITCH)
        assert shown == sorted(shown)
        assert shown[-1] - shown[0] > 3
        assert len(set(shown)) > 3  # It jumps nowhere.
        page.click('#panes [data-pane="leaderboard"]')
        page.go_back()
        page.wait_for_selector(control("play"))
        assert page.inner_text(control("play")) == "Start"


SWITCH = r"""() => new Promise(resolve => {
  const shown = [];
  const isEnglish = () => /^Step/.test(document.querySelector('.where')?.textContent);
  const play = () => document.querySelector('.search-pane [data-control=play]');
  const isPlaying = () => play()?.textContent === 'Pause';
  const look = () => {
    const told = document.querySelector('.where')?.textContent.match(/\d+/);
    if (told) shown.push(Number(told[0]));
    const moved = shown.at(-1) - shown[0];
    if (moved > 3 && isEnglish() && isPlaying()) resolve(shown);
    else requestAnimationFrame(look);
  };
  document.querySelector('#languages [lang=en]').click();
  look();
})"""
"""Switch to English; return the steps that every frame shows until some more were played."""


def test_the_steps_at_the_node_of_the_board_are_found(opened: "Page", catalog: Catalog) -> None:
    """A box of the map leads to its board, and the board to the steps at its node."""
    digits = 15  # a3, then b2
    steps = [
        event
        for (event,) in catalog.run(
            "select event from search_trace join search_options using (search) "
            "where line = ? and algorithm = 'alphabeta' and ordering is null and not use_table "
            "and not init_window and not shortest_victory order by event",
            [digits],
        ).rows
    ]
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


def test_every_step_lights_a_line_of_its_algorithm(opened: "Page") -> None:
    """Some step lights each line that is not the heading of the recursion."""
    found = opened.evaluate(LIT)
    assert {algorithm for algorithm, *_ in found} > {"alphabeta", "scout", "mtdf"}
    for each, lines, lit in found:
        assert set(lit) <= set(lines), each
        alike = [set(other) for algorithm, _, other in found if algorithm == each]
        assert set(lines) - {"visit"} <= set().union(*alike), each  # A good ordering needs few.


LIT = """async () => {
  const names = ['search/pseudo-code', 'search/search-steps', 'tree/icicle', 'answers/api'];
  const main = document.scripts[0].src;
  const modules = await Promise.all(names.map((each) => import(new URL(`${each}.js`, main))));
  const [{ Code }, { SearchSteps }, { allRecords }, { openGame }] = modules;
  const game = await openGame();
  const records = await allRecords(game);
  const found = [];
  for (const search of game.traces) {
    if (!search.use_table && !search.max_depth) continue;
    const trace = await game.document(`traces/${search.search}.json`);
    const model = new SearchSteps(records, records[0], trace);
    const code = new Code();
    const lit = new Set();
    code.start(model, search);
    for (let step = 0; step < model.count; step += 1) {
      code.update(step);
      lit.add(code.element.querySelector('[aria-current]')?.dataset.line ?? 'none');
    }
    const lines = [...code.element.querySelectorAll('li')].map((each) => each.dataset.line);
    found.push([search.algorithm, lines, [...lit]]);
  }
  return found;
}"""
"""The lines of each small search, and those that its steps light."""


def test_the_map_has_the_colours_of_what_happened(
    browser: "Browser", gravity: str, root: Path
) -> None:
    """Each box with room is compared with the rows of the trace, at the end and in the middle."""
    with open_catalog(DataSet(root, Game("3x3k3-gravity")), lambda: None) as catalog:
        search, last = catalog.run(
            "select search, max(event) from search_trace join search_options using (search) "
            "where algorithm = 'alphabeta' and ordering is null and use_table and not init_window "
            "and not shortest_victory group by search"
        ).rows[0]
        nodes = catalog.run(
            "select line, parent, node, ply, subtree from tree_bfs order by ply, parent, move"
        ).rows
        events = catalog.run(
            "select event, kind, line, score from search_trace where search = ? order by event",
            [search],
        ).rows
    lines = {node: line for line, _, node, *_ in nodes}
    above = {line: lines.get(parent) for line, parent, *_ in nodes}
    with watched(browser, f"{gravity}#pane=search") as page:
        for step in (last, last // 3):
            shows(page, f"show=alphabeta.table&step={step}")
            until(page, lambda step=step: step_of(page) == step)  # type: ignore[misc]
            page.evaluate(FRAMES)
            expected = states(events[: step + 1], above)
            expected = {line: {"open": "mark"}.get(each, each) for line, each in expected.items()}
            wide = page.evaluate("() => document.querySelector('.lane .map').width")
            places = places_of(nodes, wide)
            seen = page.evaluate(SEEN, list(places.values()))
            wanted = [expected.get(line, "nothing") for line in places]
            assert len(wanted) > 30
            assert dict(zip(places, seen, strict=True)) == dict(zip(places, wanted, strict=True))


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


ROOM = 14
"""Pixels of a box whose state is read: its inside holds a whole pattern."""


def places_of(nodes: Sequence[Any], wide: int) -> dict[int, tuple[float, float, int]]:
    """Return where the boxes with room are, by line: the pixels from and to, and the row."""
    sizes = {node: subtree for _, _, node, _, subtree in nodes}
    found: dict[int, tuple[float, float, int]] = {}
    ends: dict[int, float] = {}  # of the children so far, by node
    at: dict[int, tuple[float, float]] = {}
    for line, parent, node, ply, subtree in nodes:
        if parent is None:
            begin, end = 0.0, float(wide)
        else:
            left, right = at[parent]
            begin = ends.get(parent, left)
            end = begin + (right - left) * subtree / (sizes[parent] - 1)
            ends[parent] = end
        at[node] = begin, end
        if end - begin > ROOM:
            found[line] = begin, end, ply
    return found


SEEN = """boxes => {
  const canvas = document.querySelector('.lane .map');
  const { width, height } = canvas;
  const copy = Object.assign(document.createElement('canvas'), { width, height });
  const paper = copy.getContext('2d', { willReadFrequently: true });
  paper.drawImage(canvas, 0, 0);
  const style = getComputedStyle(canvas);
  const names = ['mark', 'won', 'drawn', 'lost', 'edge'];
  const colours = names.map((name) => style.getPropertyValue(`--${name}`).trim());
  const high = height / document.querySelectorAll('.windows li').length;
  return boxes.map(([from, to, row]) => {
    const [left, right] = [Math.ceil(from) + 2, Math.floor(to) - 2];
    const { data } = paper.getImageData(left, row * high + 3, right - left, high - 6);
    const count = Object.fromEntries(names.map((name) => [name, 0]));
    for (let at = 0; at < data.length; at += 4) {
      const hex = [...data.slice(at, at + 3)].map((part) => part.toString(16).padStart(2, '0'));
      const name = names[colours.indexOf(`#${hex.join('')}`)];
      if (name) count[name] += 4 / data.length;
    }
    const filled = names.slice(0, 4).find((name) => count[name] > 0.3);
    return filled ?? (count.edge > 0.12 ? 'cut' : count.edge > 0.02 ? 'known' : 'nothing');
  });
}"""
"""The states that the colours in boxes say: hatched is cut, dotted is known."""


def test_a_trace_of_ones_own_is_played_beside_another(
    browser: "Browser", address: str, tmp_path: Path
) -> None:
    """Chosen or dropped; it survives the language, and what is no trace is told in a sentence."""
    file = tmp_path / "steps.json"
    found = mb.search(board="o...x...o", ordering=lambda board, legal: legal[-1], trace=file)
    content = json.loads(file.read_text())
    with watched(browser, f"{address}#pane=search&show=alphabeta") as page:
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
        page.evaluate(DROP, [file.read_text(), ".lane:nth-child(2)"])
        until(page, lambda: "beside=file" in page.url)
        assert counter(page, "visited", 2) == found.nodes
        for wrong, told in WRONG:
            file.write_text(json.dumps({**content, **wrong}) if isinstance(wrong, dict) else wrong)
            page.set_input_files(control("trace", 1), file)
            page.wait_for_function(TOLD, arg=told)
            page.set_input_files(control("trace", 1), [])
        page.reload()
        page.wait_for_function(TOLD, arg="The page keeps no files: open the trace again.")


WRONG: list[tuple[dict[str, Any] | str, str]] = [
    ("no JSON", "holds no trace of a search"),
    ("{}", "holds no trace of a search"),
    ({"codes": [0, 10**6]}, "holds no trace of a search"),
    ({"codes": ["length"]}, "holds no trace of a search"),
    ({"kinds": [{"kind": "<b>"}]}, "holds no trace of a search"),
    ({"codes": []}, "holds no trace of a search"),
    ({"ordering": {}}, "holds no trace of a search"),
    ({"algorithm": "<b>"}, "holds no trace of a search"),
    ({"seed": 1e300}, "holds no trace of a search"),
    ({"game": "3x3k3-misere"}, "is a trace of 3x3k3-misere; this page shows tictactoe"),
    ({"board": "ooo......"}, "starts at ooo......, which play cannot reach"),
    ({"board": "ox......."}, "which is no move of"),
    ({"board": "." * 9, "cells": None}, "holds no trace of a search"),
]
"""What is wrong in a file, and what is told."""

TOLD = """told => [...document.querySelectorAll('.lane .error')]
  .some((each) => !each.hidden && each.textContent.includes(told))"""

DROP = """([text, place]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], 'steps.json', { type: 'application/json' }));
  const drop = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true });
  document.querySelector(place).dispatchEvent(drop);
}"""
"""Drop a file onto a part of the page."""
