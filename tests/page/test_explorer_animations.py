"""The animations of the page, each to its last frame, with counters equal to the tables."""

from typing import TYPE_CHECKING

import pytest

from marubatsu.pipeline.sql.catalog import Catalog
from tests.helpers.browser import watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


NODES = 549_946


def counter(page: "Page", name: str) -> int:
    return int(str(page.get_attribute(f'[data-counter="{name}"]', "data-value")))


def go_to_the_end(page: "Page") -> None:
    page.wait_for_selector("[data-counter][data-value]")
    page.wait_for_function(
        "() => !document.querySelector('.animation-view [data-control=last]').disabled"
    )
    page.click('.animation-view [data-control="last"]')
    page.wait_for_function(
        "() => { const s = document.querySelector('.animation-view [data-control=slider]');"
        " return s.value === s.max; }"
    )
    page.evaluate(
        "() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"
    )


def test_every_search_ends_with_the_counts_of_its_table(
    browser: "Browser", address: str, catalog: Catalog
) -> None:
    rows = catalog.run(
        "select search, count(*), count(*) filter (kind = 'enter'), "
        "count(*) filter (kind = 'hit'), count(*) filter (kind = 'cut'), sum(skipped) "
        "from search_trace group by search order by search"
    ).rows
    assert {18297, 16811, 1054, 832} <= {row[2] for row in rows}
    with watched(browser, address) as page:
        for search, events, *expected in rows:
            page.goto(f"{address}#pane=search&show=search-{search}")
            page.wait_for_function(
                "() => document.querySelector('.animation-view [data-control=slider]')"
                f"?.max === '{events - 1}'"
            )
            page.wait_for_load_state("networkidle")
            go_to_the_end(page)
            found = [counter(page, name) for name in ("visited", "hits", "cuts", "pruned")]
            assert found == [int(number) for number in expected], search


@pytest.mark.parametrize(
    ("show", "name"),
    [("building-bfs", "created"), ("building-dfs", "created"), ("scoring", "scored")],
)
def test_the_tree_is_built_and_scored_to_its_last_node(
    browser: "Browser", address: str, show: str, name: str
) -> None:
    with watched(browser, f"{address}#pane=search&show={show}") as page:
        page.wait_for_selector(f'[data-counter="{name}"][data-value]')
        go_to_the_end(page)
        assert counter(page, name) == NODES
        page.click('.animation-view [data-control="first"]')
        page.wait_for_function(
            f"() => document.querySelector('[data-counter={name}]').dataset.value === '1'"
        )
        page.click('.animation-view [data-control="next"]')
        page.wait_for_function(
            f"() => document.querySelector('[data-counter={name}]').dataset.value === '2'"
        )


def test_playing_draws_frames_and_measures_each(browser: "Browser", address: str) -> None:
    """`make bench` reads what they cost."""
    with watched(browser, f"{address}#pane=search&show=search-4") as page:
        page.wait_for_selector("[data-counter][data-value]")
        page.locator('.animation-view [data-control="speed"]').evaluate(
            "s => { s.selectedIndex = s.options.length - 1; s.dispatchEvent(new Event('change')); }"
        )
        page.click('.animation-view [data-control="play"]')
        page.wait_for_function("() => window.marubatsuFrames.length > 5")
        assert min(page.evaluate("() => window.marubatsuFrames")) > 0


def test_nothing_plays_by_itself_with_reduced_motion(
    browser: "Browser", address: str, catalog: Catalog
) -> None:
    events = "select kind = 'enter' from search_trace where search = 7 order by event limit 2"
    entered = [is_entered for (is_entered,) in catalog.run(events).rows]
    assert len(entered) == 2
    with watched(browser, f"{address}#pane=search&show=search-7", reduced_motion="reduce") as page:
        page.wait_for_selector("[data-counter][data-value]")
        page.wait_for_timeout(700)
        assert page.input_value('.animation-view [data-control="slider"]') == "0"
        assert counter(page, "visited") == entered[0]
        page.click('.animation-view [data-control="next"]')
        page.wait_for_function("() => document.querySelector('.where').innerText.includes(' 1 ')")
        page.wait_for_timeout(700)
        assert page.input_value('.animation-view [data-control="slider"]') == "1"
        assert counter(page, "visited") == sum(entered)


def test_the_language_changes_nothing_else(browser: "Browser", address: str) -> None:
    """The step stays, also one that the address does not say yet; what plays goes on from there."""
    step = "() => Number(document.querySelector('.animation-view [data-control=slider]').value)"
    with watched(browser, f"{address}#pane=search&show=search-4&step=300&node=b2.a3") as page:
        page.wait_for_selector("[data-counter][data-value]")
        page.evaluate(
            "() => { document.querySelector('.animation-view [data-control=next]').click();"
            " document.querySelector('#languages [lang=ja]').click(); }"
        )
        page.wait_for_function(
            "() => document.querySelector('.where')?.textContent.startsWith('ステップ 301')"
        )
        assert page.input_value('.animation-view [data-control="line"]') == "b2 a3"
        page.click('.animation-view [data-control="play"]')
        page.wait_for_function(f"() => ({step})() > 303")
        shown = page.evaluate(SWITCH)
        assert shown == sorted(shown)
        assert shown[-1] - shown[0] > 3
        assert len(set(shown)) > 3  # It jumps nowhere.
        page.click('#panes [data-pane="leaderboard"]')
        page.go_back()
        page.wait_for_selector('.animation-view [data-control="play"]')
        assert page.inner_text('.animation-view [data-control="play"]') == "Play"


SWITCH = r"""() => new Promise(resolve => {
  const shown = [];
  const isEnglish = () => /^Step/.test(document.querySelector('.where')?.textContent);
  const play = () => document.querySelector('.animation-view [data-control=play]');
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


LINES = {"b2 a3 c1": "b2 a3 c1", "b2.a3.c1": "b2 a3 c1", "B2A3": "b2 a3", "ｂ２": "b2", "": ""}  # noqa: RUF001
"""What may be typed to choose a node, and its line."""


def test_a_node_is_chosen_by_its_line(browser: "Browser", address: str) -> None:
    with watched(browser, f"{address}#pane=search&show=search-4&node=a3") as page:
        page.wait_for_selector("[data-counter][data-value]")

        def enter(typed: str) -> None:
            page.fill('.animation-view [data-control="line"]', typed)
            page.press('.animation-view [data-control="line"]', "Tab")

        chosen = "() => new URLSearchParams(location.hash.slice(1)).get('node') ?? ''"
        for typed, line in LINES.items():
            enter(typed)
            page.wait_for_function(f"() => ({chosen})() === '{line.replace(' ', '.')}'")
            assert page.input_value('.animation-view [data-control="line"]') == line
            assert page.locator(".animation-view .error:visible").count() == 0
            enter("a3")
        for wrong in ("a3 a3", "d4", "x", "519"):
            enter(wrong)
            page.wait_for_selector(".animation-view .error:not([hidden])")
            assert wrong in page.inner_text(".animation-view .error")
            enter("a3")
            page.wait_for_selector(".animation-view .error", state="hidden")


def test_only_the_branches_there_are_are_shown(browser: "Browser", gravity: str) -> None:
    """Where marks fall, most positions have fewer moves than the widest one of their ply."""
    with watched(browser, f"{gravity}#pane=search&show=search-4&step=300") as page:
        page.wait_for_selector("[data-counter][data-value]")
        slots = page.locator(".path button.slot")
        hidden = slots.evaluate_all("all => all.filter(each => each.hidden).length")
        assert 0 < hidden < slots.count()
        assert page.locator(".path button.slot:visible").count() == slots.count() - hidden
