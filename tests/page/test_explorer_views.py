"""The map and the SQL of the page, and all that its code reads, in a real browser."""

import csv
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import report
from marubatsu.pipeline.tables.schemas import TABLES
from tests.helpers.page.browser import watched
from tests.helpers.page.pages import board_of, line_of, rows_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route


def test_the_page_reads_every_row_as_the_tables_have_it(
    browser: "Browser", served_site: str, catalog: Catalog
) -> None:
    """Every position with its moves, and what every AI makes of them, through the page's code."""
    columns = ("board", "ply", "score", "score_sv", "distance", "class", "best_moves")
    positions = catalog.run(f"select {', '.join(columns)} from positions order by position").rows  # noqa: S608
    moves = catalog.run("select move, child, loss from moves order by position, move").rows
    ais = catalog.run(
        "select ai, string_agg(is_candidate::int::text, '' order by position, move), "
        "round(sum(coalesce(ai_score, 0)), 3) from ai_moves group by ai order by ai"
    ).rows
    read = """async () => {
        const { openGame } = await import(new URL('answers/api.js', document.scripts[0].src));
        const game = await openGame();
        const [positions, moves, places] = [[], [], []];
        for (const { ply } of game.plies) {
            for (const here of await game.ofPly(ply)) {
                positions.push([here.board, here.ply, here.score, here.score_sv, here.distance,
                    here.class, here.best_moves]);
                const after = await game.children(here);
                for (const [index, child] of after.entries()) {
                    moves.push([here.moves[index], child.position, here.loss[index]]);
                }
                if (after.length) places.push(here);
            }
        }
        const ais = [];
        for (const { ai } of game.ais) {
            const chosen = [];
            let sum = 0;
            for (const here of places) {
                for (const { is_candidate, ai_score } of await game.choices(ai, here)) {
                    chosen.push(is_candidate ? '1' : '0');
                    sum += ai_score ?? 0;
                }
            }
            ais.push([ai, chosen.join(''), Math.round(sum * 1000) / 1000]);
        }
        return [positions, moves, ais];
    }"""
    with watched(browser, served_site) as page:
        page.wait_for_selector("[data-cell]")
        found = page.evaluate(read)
    assert found[0] == [list(row) for row in positions]
    assert found[1] == [list(row) for row in moves]
    assert [row[:2] for row in found[2]] == [list(row[:2]) for row in ais]
    assert [row[2] for row in found[2]] == pytest.approx([row[2] for row in ais], abs=0.002)


def test_a_report_puts_its_sql_into_the_box(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#pane=data&report=plies") as page:
        page.wait_for_selector(".result tbody tr")
        shown = rows_of(page, ".result")
        assert page.input_value("textarea") == report("plies").statement
        page.get_by_role("button", name="Run").click()
        page.wait_for_function("() => document.querySelector('caption').innerText.includes('s')")
        page.wait_for_function("() => !location.hash.includes('report')")
        page.wait_for_selector(".result tbody tr")
        assert rows_of(page, ".result") == shown


def test_sql_is_asked_answered_and_downloaded(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#pane=data") as page:
        page.fill(
            "textarea", "select status, count(*) as n, 'a,\"b\"' as odd from positions group by 1"
        )
        page.press("textarea", "Control+Enter")
        page.wait_for_selector(".result tbody tr")
        shown = rows_of(page, ".result")
        assert {row[0]: row[1] for row in shown}["playing"] == "4,520"
        with page.expect_download() as download:
            page.click("text=Download as CSV")
        text = Path(str(download.value.path())).read_text(encoding="utf-8")
        plain = [[row[0], row[1].replace(",", "")] for row in shown]
        assert [row[:2] for row in csv.reader(io.StringIO(text))][1:] == plain
        for order in (1, -1):  # A click on a heading sorts, another one the other way round.
            page.click(".result thead button >> nth=1")
            numbers = [int(row[1].replace(",", "")) * order for row in rows_of(page, ".result")]
            assert numbers == sorted(numbers)
        page.click('[data-table="positions"] summary')
        with page.expect_download() as download:
            page.click("text=positions.parquet")
        assert pq.read_table(download.value.path()).num_rows == 5_478
        page.select_option(".sql-view select >> nth=0", "openings")
        page.wait_for_function("() => document.querySelectorAll('.result tbody tr').length === 9")


def test_a_chart_shows_two_columns_and_the_address_keeps_it(
    browser: "Browser", address: str, catalog: Catalog
) -> None:
    counted = catalog.run("select ply, sum(nodes) from positions group by ply").rows
    plies: dict[int, int] = {ply: int(nodes) for ply, nodes in counted}
    bars = "all => all.map(each => each.textContent)"
    with watched(browser, f"{address}#pane=data&report=plies") as page:
        page.wait_for_selector(".result tbody tr")
        page.select_option('[data-control="chart"]', "bar")
        page.select_option('[data-control="y"]', "nodes")
        told = page.locator(".chart title").evaluate_all(bars)
        assert told == [f"{ply}: {nodes:,}" for ply, nodes in sorted(plies.items())]
        page.click(".result thead button >> nth=1")
        page.click(".result thead button >> nth=1")  # The most nodes first.
        most = sorted(plies, key=lambda ply: -plies[ply])
        told = page.locator(".chart title").evaluate_all(bars)
        assert [int(each.partition(":")[0]) for each in told] == most
        assert "sort=-nodes" in page.url
        page.select_option('[data-control="chart"]', "line")
        page.reload()
        page.wait_for_selector(".line-chart polyline")
        points = str(page.get_attribute(".line-chart polyline", "points")).split()
        heights = [float(point.partition(",")[2]) for point in points]
        assert len(points) == len(plies)  # in the order of the plies, although the table is not
        assert heights.index(min(heights)) == most[0]
        ticks = page.locator(".line-chart .across span").all_inner_texts()
        assert ticks == ["0", "2", "4", "6", "8", "10"]
        scale = page.locator(".line-chart .up span").all_inner_texts()
        assert scale == ["250,000", "200,000", "150,000", "100,000", "50,000", "0"]
        assert [row[1] for row in rows_of(page, ".result")][1] == f"{plies[most[0]]:,}"


def test_the_tables_are_told_as_they_are_declared(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#pane=data") as page:
        page.wait_for_selector("[data-table]")
        names = page.locator("[data-table]").evaluate_all("all => all.map(e => e.dataset.table)")
        assert names == [name for name in TABLES if name in names]
        assert len(names) == 11
        for name in names:
            page.click(f'[data-table="{name}"] summary')
            told = [row[0].split()[0] for row in rows_of(page, f'[data-table="{name}"]')]
            assert told == [column.name for column in TABLES[name].columns]
        page.click('[data-table="splits"] button')
        assert page.input_value("textarea") == "from splits\nlimit 20"
        page.press("textarea", "Control+Enter")
        page.wait_for_function("() => document.querySelectorAll('.result tbody tr').length === 20")


def test_a_wrong_query_is_told_and_a_long_one_cancelled(browser: "Browser", address: str) -> None:
    with browser.new_context(locale="en-US") as context:  # A refused request is an error there.
        page = context.new_page()
        page.goto(f"{address}#pane=data&hints=on")
        page.fill("textarea", "drop table positions")
        page.get_by_role("button", name="Run", exact=True).click()
        page.wait_for_selector("[role=alert]:not([hidden])")
        assert "expected a statement that reads" in page.inner_text("[role=alert]:not([hidden])")
        page.fill("textarea", "select count(*) from tree_bfs a, tree_bfs b, tree_bfs c")
        page.get_by_role("button", name="Run", exact=True).click()
        page.wait_for_function("() => /Running/.test(document.body.innerText)")
        page.click('#panes a[data-pane="ais"]')  # The page lives on meanwhile.
        page.wait_for_selector(".choices tbody tr")
        page.click('#panes a[data-pane="data"]')
        page.get_by_role("button", name="Cancel").click()
        page.wait_for_function("() => /Cancelled after/.test(document.body.innerText)")


def selected(page: "Page") -> str | None:
    return page.get_attribute('[role="treeitem"][aria-selected="true"]', "data-line")


def test_the_tree_is_walked_by_keys(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#pane=map&hints=on") as page:
        page.wait_for_selector('[role="group"] [role="treeitem"]')
        page.focus('[role="treeitem"]')
        line: list[str] = []
        for key, cell in (("5", "4"), ("7", "0"), ("3", "8")):
            line.append(cell)
            page.keyboard.press(key)
            page.wait_for_selector(f'[data-line="{",".join(line)}"][aria-selected="true"]')
        assert "line=b2.a3.c1" in page.url
        assert board_of(page) == "x...o...o"
        page.keyboard.press("ArrowLeft")  # Close, then to the parent.
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        page.wait_for_selector('[data-line="4,0"][aria-selected="true"]')
        page.keyboard.press("Home")
        page.keyboard.press("Enter")
        page.wait_for_function(
            "() => document.querySelector('[role=treeitem]').ariaSelected === 'true'"
        )
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        page.wait_for_selector('[data-line="0"][aria-expanded="true"]')
        assert (
            page.locator('[data-line="0"] + [role="group"] > li > [role="treeitem"]').count() == 8
        )


FOUND = {"b2a3c1": "4,0,8", "b2 a3, c1": "4,0,8", "o........": "0", "x...o...o": None}
"""What may be typed to find a node, and its line; any one where several lines lead to a board."""


def test_a_node_is_found_by_line_or_board(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#pane=map&hints=on") as page:
        page.wait_for_selector('[role="group"] [role="treeitem"]')
        for typed, line in FOUND.items():
            page.evaluate("() => { location.hash = 'pane=map&hints=on'; }")
            page.wait_for_selector('[role="treeitem"][aria-selected="true"][data-line=""]')
            page.fill(".tree-view input", typed)
            page.press(".tree-view input", "Enter")
            page.wait_for_function("() => location.hash.includes('line=')")
            page.wait_for_selector('[role="treeitem"][aria-selected="true"]:not([data-line=""])')
            shown = str(selected(page))
            assert shown == line if line else set(shown.split(",")) == {"0", "4", "8"}


def test_what_can_be_typed_is_told_by_an_example_that_can_be_typed(
    browser: "Browser", address: str, gravity: str
) -> None:
    for place in (address, gravity):
        with watched(browser, f"{place}#pane=map&hints=on") as page:
            page.wait_for_function(
                "() => /such as/.test(document.querySelector('#tree-hint')?.innerText)"
            )
            hint = page.inner_text("#tree-hint")
            told = re.search(r"such as ([ox.]+), or a line of cells such as (.+) or (.+)\.", hint)
            assert told
            examples = told.groups()
            lines = set()
            for example in examples:
                page.fill(".tree-view input", example)
                page.press(".tree-view input", "Enter")
                page.wait_for_selector('[role="treeitem"][aria-selected="true"][data-line*=","]')
                assert page.locator(".tree-view .error:visible").count() == 0, example
                lines.add(page.inner_text('[data-fact="board"]'))
            assert lines == {examples[0]}


def test_a_box_of_the_map_is_as_wide_as_its_subtree(
    browser: "Browser", address: str, catalog: Catalog
) -> None:
    below: dict[int, list[tuple[int, int, int]]] = {}
    for position, *move in catalog.run(
        "select moves.position, move, child, nodes_below from moves "
        "join subtree_sizes on subtree_sizes.position = child order by all"
    ).rows:
        below.setdefault(position, []).append(tuple(move))

    def line_at(place: float, plies: int) -> list[int]:
        """Return the line of the box at a place of the whole tree, from 0 to 1."""
        position, cells = 0, []
        for _ in range(plies):
            scaled = place * sum(size for *_, size in below[position])
            moves = iter(below[position])
            cell, position, size = next(moves)
            while scaled >= size:
                scaled -= size
                cell, position, size = next(moves)
            cells.append(cell)
            place = scaled / size
        return cells

    with watched(browser, f"{address}#pane=map&hints=on") as page:
        page.wait_for_selector('[role="group"] [role="treeitem"]')
        page.wait_for_selector(".map[data-ready]")
        box = page.locator(".map").bounding_box()
        assert box is not None
        for place, plies in ((0.025, 2), (0.5, 1), (0.93, 2)):
            page.click('[data-control="whole"]')
            point = {"x": place * (box["width"] - 2) + 1, "y": 26 * plies + 14}
            page.locator(".map").click(position=point)  # type: ignore[arg-type]
            cells = line_at(place, plies)
            chosen = (
                f'[role="treeitem"][aria-selected="true"][data-line="{",".join(map(str, cells))}"]'
            )
            page.wait_for_selector(chosen)  # Till then the map may yet turn to the line.
            assert f"line={line_of(cells)}" in page.evaluate("location.hash")
        page.hover(".map", position={"x": 5, "y": 14})
        page.click('[data-control="whole"]')
        page.hover(".map", position={"x": 9, "y": 14})
        assert page.inner_text(".map-told") == "root: a draw, 549,946 nodes"


def test_a_node_that_is_not_there_is_told(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#pane=map&hints=on") as page:
        page.wait_for_selector('[role="group"] [role="treeitem"]')
        told = ".tree-view [role=alert]"
        for typed in ("zzz", "ooo......", "a3a3", "d9", "o.o.o...."):
            page.fill(".tree-view input", typed)
            page.press(".tree-view input", "Enter")
            page.wait_for_selector(f"{told}:not([hidden])")
            assert page.inner_text(told)
            page.fill(".tree-view input", "b2")
            page.press(".tree-view input", "Enter")
            page.wait_for_selector(told, state="hidden")


def test_what_is_wrong_stays_when_the_node_before_comes_late(
    browser: "Browser", address: str
) -> None:
    with watched(browser, f"{address}#pane=map&hints=on") as page:
        page.wait_for_selector('[role="group"] [role="treeitem"]')
        late: list[Route] = []
        page.route("**/positions/*", lambda route: late.append(route), times=1)  # noqa: PLW0108
        with page.expect_request("**/positions/*"):
            page.fill(".tree-view input", "b2")
            page.press(".tree-view input", "Enter")
        page.fill(".tree-view input", "zzz")
        page.press(".tree-view input", "Enter")
        told = page.wait_for_selector(".tree-view [role=alert]:not([hidden])")
        late[0].continue_()
        page.wait_for_selector('[role="treeitem"][aria-selected="true"]:has-text("b2")')
        assert told
        assert "zzz" in told.inner_text()


def test_the_whole_tree_is_told_by_ply(browser: "Browser", address: str, catalog: Catalog) -> None:
    expected = catalog.run(
        "select ply, sum(nodes), sum(nodes) filter (score > 0), sum(nodes) filter (score = 0), "
        "sum(nodes) filter (score < 0) from positions group by ply order by ply"
    ).rows
    with watched(browser, f"{address}#pane=map&hints=on") as page:
        page.focus(".tree-view summary")  # The mouse may miss it while the view above it grows.
        page.keyboard.press("Enter")
        page.wait_for_selector(".tree-view details tbody tr")
        shown = rows_of(page, ".tree-view details")
        assert len(expected) == 10
        for row in expected:
            numbers = {cell.replace(",", "") for cell in shown[row[0]]}
            assert {str(int(value)) for value in row[1:] if value} <= numbers, row


def test_a_report_is_told_in_the_language(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#pane=data&report=strong", locale="ja-JP") as page:
        page.wait_for_selector(".result tbody tr")
        heading = page.locator(".result h2")
        assert heading.get_attribute("lang") is None
        assert not heading.inner_text().isascii()


def test_the_tree_leads_to_the_search_of_its_node(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#pane=map&line=b2.a3&hints=on") as page:
        page.locator('[data-part="facts"] a').last.click()
        page.wait_for_selector("[data-counter][data-value]")
        assert "b2 a3" in page.inner_text(".node-of-board")
