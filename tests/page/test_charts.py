"""Numbers, tables and charts: digits in groups, few decimals, headings above their cells."""

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.helpers.page.browser import watched
from tests.helpers.page.pages import rows_of, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NUMBERS = "select 1260 as n, 2.0 / 3 as share, 1e5 / 7 as large, 1e-5 / 3 as small, 'x' as name"


def test_a_shared_statement_shows_its_answer(browser: "Browser", address: str) -> None:
    """Numbers are short; the whole number is in the title, and in the CSV. Typed text stays."""
    with watched(browser, f"{address}#pane=data&sql={quote(NUMBERS)}") as page:
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


ALIGNED = """() => [...document.querySelectorAll('table')].flatMap(table => {
  const heads = [...table.tHead.rows[0].cells];
  const cells = [...table.tBodies[0].rows[0].cells];
  return heads.filter((head, at) => cells[at].textContent).map((head) => {
    const cell = cells[heads.indexOf(head)];
    const side = (each) => getComputedStyle(each).textAlign.replace('start', 'left');
    return [head.textContent, side(head.querySelector('button') ?? head), side(cell)];
  });
}).filter(([, head, cell]) => head !== cell)"""
"""The headings that are elsewhere than the cells below them."""


@pytest.mark.parametrize(
    "place",
    [
        "leaderboard", "leaderboard&part=blunders", "leaderboard&part=orderings",
        "data&report=plies", "data&report=strong",
    ],
)  # fmt: skip
def test_headings_are_above_their_cells(browser: "Browser", address: str, place: str) -> None:
    with watched(browser, f"{address}#pane={place}") as page:
        page.wait_for_selector("#pane table tbody tr")
        assert page.evaluate(ALIGNED) == []


def test_a_little_is_told_from_nothing_by_colour(browser: "Browser", address: str) -> None:
    """An AI that is right in 99 % of the positions of a ply looks unlike one that always is."""
    with watched(browser, f"{address}#pane=leaderboard&part=plies", color_scheme="dark") as page:
        page.wait_for_selector(".matrix .heat")
        found = page.locator(".matrix .heat").evaluate_all(
            "all => all.map(each => [each.textContent, getComputedStyle(each).backgroundColor])"
        )
        perfect = {colour for text, colour in found if text == "100"}
        assert len(perfect) == 1
        nearly = {colour for text, colour in found if text in {"<100", "99", "98", "97", "96"}}
        assert nearly
        assert not nearly & perfect
