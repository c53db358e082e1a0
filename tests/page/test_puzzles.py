"""The mistakes of an AI as puzzles: those of the report, and one is solved on the board."""

from typing import TYPE_CHECKING

import marubatsu as mb
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import report
from tests.helpers.page.browser import watched
from tests.helpers.page.pages import at, board_of, is_over, name_of, status_of, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CARDS = ".puzzles li a"


def test_each_class_in_which_an_ai_errs_is_a_puzzle(
    browser: "Browser", address: str, catalog: Catalog
) -> None:
    """The board is that after its mistake; the goal is what the mistake allows."""
    answer = catalog.ask(report("blunders_by_class"))
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    rows = [row for row in rows if row["ai"] == "ai12s"]
    assert len({row["class"] for row in rows}) == len(rows) == 7
    sides = {"circle": "×", "cross": "〇"}
    expected = [
        f"You are {sides[row['turn']]}: {'win' if row['score_after'] else 'hold the draw'}"
        for row in rows
    ]
    with watched(browser, f"{address}#pane=leaderboard&part=puzzles&ai=ai12s") as page:
        page.wait_for_selector(CARDS)
        goals = page.locator(f"{CARDS} > span:not(.best)").all_inner_texts()
        assert goals == expected
        for card, row in zip(page.locator(CARDS).all(), rows, strict=True):
            card.click()
            until(page, lambda row=row: board_of(page) == row["board_after"])  # type: ignore[misc]
            assert card.get_attribute("aria-current") == "true"


def test_a_puzzle_is_solved_against_the_ai(browser: "Browser", address: str) -> None:
    """The blunders of an AI lead to its puzzles; who plays best solves each."""
    with watched(browser, f"{address}#pane=leaderboard&part=blunders&ai=ai12s") as page:
        page.click('a:has-text("Beat ai12s")')
        page.wait_for_selector(CARDS)
        assert page.inner_text(".audit-view [role=status]") == "0 of 7 solved"
        for number in (0, 6):
            card = page.locator(CARDS).nth(number)
            card.click()
            until(page, lambda card=card: card.get_attribute("aria-current") == "true")  # type: ignore[misc]
            play_best(page)
            card.locator(".best").wait_for(state="visible")
        assert page.inner_text(".audit-view [role=status]") == "2 of 7 solved"


def play_best(page: "Page") -> None:
    """Play the best moves of a person against the AI until the game is over."""
    while True:
        until(page, lambda: is_over(status_of(page)) or "Your move" in status_of(page))
        if is_over(status_of(page)):
            return
        board = board_of(page)
        page.click(at(name_of(mb.answer(board).best_moves[0])))
        until(page, lambda board=board: board_of(page) != board)  # type: ignore[misc]
