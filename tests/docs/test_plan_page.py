"""The plan for 7x6: the page, its model, and its assumptions about the index."""

import re

import numpy as np
import pytest

from marubatsu.engine.large.index import Index, rows_of_plies
from marubatsu.engine.rules.game import Game
from tests.helpers.data.known import known_of
from tools.generators import plan_page

pytestmark = pytest.mark.documents


def test_the_page_is_that_of_the_model() -> None:
    page = plan_page.PAGE.read_text(encoding="utf-8")
    assert page == plan_page.render(page)
    (kept,) = re.findall(r"- (\d+ GB) kept", page)
    notebook = plan_page.PAGE.parent / "notebooks" / "5_large_games.py"
    assert re.findall(r"(?:about|約) (\d+ [GT]B)", notebook.read_text("utf-8")) == [kept] * 2


def test_the_positions_of_each_ply_sum_to_the_known_number() -> None:
    (known,) = (row.count for row in known_of("7x6k4-gravity") if row.quantity == "positions")
    assert sum(plan_page.POSITIONS) == known
    assert len(plan_page.POSITIONS) == plan_page.GAME.cells + 1
    for positions, rows in zip(plan_page.POSITIONS, rows_of_plies(plan_page.GAME), strict=True):
        assert positions <= 2 * rows


@pytest.mark.parametrize("name", ["3x3k3-gravity", "4x3k3-gravity"])
def test_each_move_leads_a_range_of_a_block_to_one_range(name: str) -> None:
    """Rows with the same marks in the highest places, which the mirror keeps together."""
    game = Game(name)
    index, centre = Index(game), 3 if game.columns % 2 else 2
    highest = (1 << game.cells) - (1 << game.cells - centre * game.rows)
    for ply in range(game.cells):
        shape = index.shape(ply)
        for number in range(len(shape.blocks)):
            circle, cross = index.masks(ply, number * shape.offsets + np.arange(shape.offsets))
            marks = _marks(index, circle, highest)
            starts = np.flatnonzero(np.diff(marks, prepend=-1))
            assert len(np.unique(marks)) == len(starts)  # Each is a range.
            for column in range(game.columns):
                cells = [column + game.columns * y for y in reversed(range(game.rows))]
                free = [cell for cell in cells if not int(circle[0] | cross[0]) >> cell & 1]
                if not free:
                    continue
                sides = [circle, cross]
                sides[ply % 2] = sides[ply % 2] | (1 << free[0])
                there = index.masks(ply + 1, index.of(*sides))[0]
                goals = _marks(index, there, highest)
                for part in np.split(goals, starts[1:]):
                    assert len(np.unique(part)) == 1


def _marks(index: Index, circle: np.ndarray, highest: int) -> np.ndarray:
    return np.array([index.place(int(mask)) & highest for mask in circle], np.int64)
