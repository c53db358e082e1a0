"""The map and the SQL of the page, numbers, tables and charts, and all that its code reads."""

import csv
import io
import re
from pathlib import Path
from urllib.parse import quote

import pyarrow.parquet as pq

from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import report
from marubatsu.pipeline.tables.schemas import TABLES
from tests.helpers.page.browser import Browser, Visit, hold, watched
from tests.helpers.page.pages import board_of, go, line_of, rows_of, until
from tests.helpers.page.pictures import boxes_of


def test_the_page_reads_every_row_as_the_tables_have_it(
    browser: Browser, served_site: str, catalog: Catalog
) -> None:
    """Every position with its moves, and what every fourth AI makes of them, by the page's code."""
    answer = catalog.run(
        "select positions.* exclude (circles, crosses), orbit, representative, "
        "nodes_below as subtree from positions "
        "join (select class, orbit, board as representative from classes) using (class) "
        "join subtree_sizes using (position) order by position"
    )
    positions, columns = answer.rows, answer.columns
    moves = catalog.run("select move, child, loss from moves order by position, move").rows
    ais = catalog.run(
        "select ai, list(is_candidate order by position, move), "
        "list(ai_score order by position, move) from ai_moves group by ai order by ai"
    ).rows
    read = """async (columns) => {
        const { openGame } = await import(new URL('answers/api.js', document.scripts[0].src));
        const game = await openGame();
        const [positions, moves, places, ais] = [[], [], [], []];
        for (const { ply } of game.plies) {
            for (const here of await game.ofPly(ply)) {
                positions.push(columns.map((name) => here[name]));
                const after = await game.children(here);
                for (const [index, child] of after.entries()) {
                    moves.push([here.moves[index], child.position, here.loss[index]]);
                }
                if (after.length) places.push(here);
            }
        }
        for (const { ai } of game.ais.filter((each, at) => at % 4 === 0)) {
            const choices = [];
            for (const here of places) choices.push(...await game.choices(ai, here));
            const of = (name) => choices.map((each) => each[name]);
            ais.push([ai, of('is_candidate'), of('ai_score')]);
        }
        return [positions, moves, ais];
    }"""
    with watched(browser, served_site) as page:
        page.wait_for_selector("[data-cell]")
        found = page.evaluate(read, columns)
    for expected, message in zip((positions, moves, ais[::4]), found, strict=True):
        assert len(expected) == len(message)
        for row, shown in zip(expected, message, strict=True):
            assert shown == list(row)


def test_reports_and_sql_are_asked_answered_and_downloaded(visit: Visit) -> None:
    """A report puts its SQL into the box."""
    with visit("pane=data&report=plies") as page:
        page.wait_for_selector(".result tbody tr")
        shown = rows_of(page, ".result")
        assert page.input_value("textarea") == report("plies").statement
        page.get_by_role("button", name="Run").click()
        page.wait_for_function("() => !location.hash.includes('report')")
        until(page, lambda: rows_of(page, ".result") == shown)
        page.fill(
            "textarea", "select status, count(*) as n, 'a,\"b\"' as odd from positions group by 1"
        )
        page.press("textarea", "Control+Enter")
        until(page, lambda: ["playing", "4,520", 'a,"b"'] in rows_of(page, ".result"))
        shown = rows_of(page, ".result")
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


def test_a_chart_shows_two_columns_and_the_address_keeps_it(visit: Visit, catalog: Catalog) -> None:
    counted = catalog.run("select ply, sum(nodes) from positions group by ply").rows
    plies: dict[int, int] = {ply: int(nodes) for ply, nodes in counted}
    bars = "all => all.map(each => each.textContent)"
    with visit("pane=data&report=plies") as page:
        page.wait_for_selector(".result tbody tr")
        page.select_option('[data-control="chart"]', "bar")
        page.select_option('[data-control="y"]', "nodes")
        titles = page.locator(".chart title").evaluate_all(bars)
        assert titles == [f"{ply}: {nodes:,}" for ply, nodes in sorted(plies.items())]
        page.click(".result thead button >> nth=1")
        page.click(".result thead button >> nth=1")  # The most nodes first.
        most = sorted(plies, key=lambda ply: -plies[ply])
        titles = page.locator(".chart title").evaluate_all(bars)
        assert [int(each.partition(":")[0]) for each in titles] == most
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


def test_the_page_lists_the_tables_as_they_are_declared(visit: Visit) -> None:
    with visit("pane=data") as page:
        page.wait_for_selector("[data-table]")
        names = page.locator("[data-table]").evaluate_all("all => all.map(e => e.dataset.table)")
        assert names == [name for name in TABLES if name in names]
        assert len(names) == 11
        for name in names:
            page.click(f'[data-table="{name}"] summary')
            columns = [row[0].split()[0] for row in rows_of(page, f'[data-table="{name}"]')]
            assert columns == [column.name for column in TABLES[name].columns]
        page.click('[data-table="splits"] button')
        assert page.input_value("textarea") == "from splits\nlimit 20"
        page.press("textarea", "Control+Enter")
        page.wait_for_function("() => document.querySelectorAll('.result tbody tr').length === 20")


def test_a_wrong_query_shows_an_error_and_a_long_one_is_cancelled(visit_failing: Visit) -> None:
    with visit_failing("pane=data&hints=on") as page:
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


def test_the_tree_is_summed_by_ply_and_walked_by_keys(visit: Visit, catalog: Catalog) -> None:
    expected = catalog.run(
        "select ply, sum(nodes), sum(nodes) filter (score > 0), sum(nodes) filter (score = 0), "
        "sum(nodes) filter (score < 0) from positions group by ply order by ply"
    ).rows
    with visit("pane=map&hints=on") as page:
        page.wait_for_selector('[role="group"] [role="treeitem"]')
        page.focus(".tree-view summary")  # The mouse may miss it while the view above it grows.
        page.keyboard.press("Enter")
        page.wait_for_selector(".tree-view details tbody tr")
        shown = rows_of(page, ".tree-view details")
        assert len(expected) == 10
        for row in expected:
            numbers = {cell.replace(",", "") for cell in shown[row[0]]}
            assert {str(int(value)) for value in row[1:] if value} <= numbers, row
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
        go(page, "pane=map&line=b2.a3&hints=on")
        page.wait_for_selector('[data-line="4,0"][aria-selected="true"]')
        page.locator('[data-part="facts"] a').last.click()
        page.wait_for_selector("[data-counter][data-value]")
        assert "b2 a3" in page.inner_text(".node-of-board")


def test_the_hint_shows_examples_that_can_be_typed(
    browser: Browser, address: str, gravity: str
) -> None:
    ours = ((address, "b2a3 c1", "x...o...o"), (gravity, "b1a1 c1", "......xoo"))
    for place, line, board in ours:
        with watched(browser, f"{place}#pane=map&hints=on") as page:
            page.wait_for_function(
                "() => /such as/.test(document.querySelector('#tree-hint')?.innerText)"
            )
            hint = page.inner_text("#tree-hint")
            example = re.search(
                r"such as ([ox.]+), or a line of cells such as (.+) or (.+)\.", hint
            )
            assert example
            for typed, shown in ((line, board), *((each, example[1]) for each in example.groups())):
                page.fill(".tree-view input", typed)
                page.press(".tree-view input", "Enter")
                page.wait_for_selector(f'[data-fact="board"]:has-text("{shown}")')
                assert page.locator(".tree-view .error:visible").count() == 0, typed


def test_a_box_of_the_map_is_as_wide_as_its_subtree(visit: Visit, catalog: Catalog) -> None:
    nodes = catalog.run(
        "select line, parent, node, ply, subtree from tree_bfs where ply <= 2 "
        "order by ply, parent, move"
    ).rows
    with visit("pane=map&hints=on") as page:
        page.wait_for_selector('[role="group"] [role="treeitem"]')
        page.wait_for_selector(".map[data-ready]")
        box = page.locator(".map").bounding_box()
        assert box is not None
        boxes = boxes_of(nodes, box["width"] - 2, 26)
        assert len(boxes) == 1 + 9 + 72
        for line, (left, upper, _, lower) in list(boxes.items())[6::15]:
            page.click('[data-control="whole"]')
            inside = {"x": left + 3, "y": 1 + (upper + lower) / 2}
            page.locator(".map").click(position=inside)  # type: ignore[arg-type]
            cells = [int(digit) - 1 for digit in str(line)]
            selected = (
                f'[role="treeitem"][aria-selected="true"][data-line="{",".join(map(str, cells))}"]'
            )
            page.wait_for_selector(selected)  # Till then the map may yet turn to the line.
            assert f"line={line_of(cells)}" in page.evaluate("location.hash")
        page.hover(".map", position={"x": 5, "y": 14})
        page.click('[data-control="whole"]')
        page.hover(".map", position={"x": 9, "y": 14})
        assert page.inner_text(".icicle-caption") == "root: a draw, 549,946 nodes"


def test_a_wrong_node_shows_an_error(visit: Visit) -> None:
    with visit("pane=map&hints=on") as page:
        page.wait_for_selector('[role="group"] [role="treeitem"]')
        message = ".tree-view [role=alert]"
        for typed in ("zzz", "ooo......", "a3a3", "d9", "o.o.o...."):
            page.fill(".tree-view input", typed)
            page.press(".tree-view input", "Enter")
            page.wait_for_selector(f"{message}:not([hidden])")
            assert page.inner_text(message)
            page.fill(".tree-view input", "b2")
            page.press(".tree-view input", "Enter")
            page.wait_for_selector(message, state="hidden")
        with hold(page, "**/positions/*", times=1):  # The error stays when an answer is late.
            with page.expect_request("**/positions/*"):
                page.fill(".tree-view input", "c3")
                page.press(".tree-view input", "Enter")
            page.fill(".tree-view input", "zzz")
            page.press(".tree-view input", "Enter")
            alert = page.wait_for_selector(".tree-view [role=alert]:not([hidden])")
        page.wait_for_selector('[role="treeitem"][aria-selected="true"]:has-text("c3")')
        assert alert
        assert "zzz" in alert.inner_text()


NUMBERS = "select 1260 as n, 2.0 / 3 as share, 1e5 / 7 as large, 1e-5 / 3 as small, 'x' as name"


def test_a_shared_statement_shows_its_answer(visit: Visit) -> None:
    """Numbers are short; the whole number is in the title, and in the CSV. Typed text stays."""
    with visit(f"pane=data&sql={quote(NUMBERS)}") as page:
        page.wait_for_selector(".result tbody tr")
        assert rows_of(page, ".result") == [["1,260", "0.6667", "14,285.7143", "0.000003333", "x"]]
        titles = page.locator(".result td").evaluate_all("all => all.map(each => each.title)")
        assert [title[:7] for title in titles] == ["", "0.66666", "14285.7", "0.00000", ""]
        page.fill("textarea", "select 2")
        page.click('[data-cell="b2"]')
        until(page, lambda: "line=b2" in page.url)
        assert page.input_value("textarea") == "select 2"
        page.press("textarea", "Control+Enter")
        until(page, lambda: rows_of(page, ".result") == [["2"]])
        page.evaluate("sql => { location.hash = `pane=data&sql=${sql}`; }", quote(NUMBERS))
        until(page, lambda: rows_of(page, ".result")[0][0] == "1,260")


def test_colours_distinguish_almost_perfect_from_perfect(visit: Visit) -> None:
    """An AI that is right in 99 % of the positions of a ply looks unlike one that always is."""
    with visit("pane=leaderboard&part=plies", color_scheme="dark") as page:
        page.wait_for_selector(".matrix .heat")
        found = page.locator(".matrix .heat").evaluate_all(
            "all => all.map(each => [each.textContent, getComputedStyle(each).backgroundColor])"
        )
        perfect = {colour for text, colour in found if text == "100"}
        assert len(perfect) == 1
        nearly = {colour for text, colour in found if text in {"<100", "99", "98", "97", "96"}}
        assert nearly
        assert not nearly & perfect
