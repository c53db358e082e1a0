"""The plan for 7x6: the page, the model behind it, and what the plan assumes of the index."""

import re
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from marubatsu.engine.large.index import Index, rows_of_plies
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables import manifest as manifests
from tests.helpers.data.known import known_of
from tools.benchmarks.bench_tasks import Tasks, measure
from tools.generators import plan_page
from tools.generators.cost_page import MEASURED as RUNS
from tools.solved_games import read

pytestmark = pytest.mark.documents

SMALL = "5x4k4-gravity"
FACTORS = 1 / 2, 2
"""Of a prediction to what was measured, at least and at most."""

GRAVITY = [name for name, row in read().items() if Game(name).gravity and row.seconds > 5]


def test_the_page_is_that_of_the_model() -> None:
    page = plan_page.PAGE.read_text(encoding="utf-8")
    assert page == plan_page.render()
    (kept,) = re.findall(r"- (\d+ GB) kept", page)
    notebook = plan_page.PAGE.parent / "notebooks" / "5_large_games.py"
    assert re.findall(r"(?:about|約) (\d+ [GT]B)", notebook.read_text("utf-8")) == [kept] * 2


def test_the_positions_of_each_ply_sum_to_the_known_number() -> None:
    (known,) = (row.count for row in known_of("7x6k4-gravity") if row.quantity == "positions")
    assert sum(plan_page.POSITIONS) == known
    assert len(plan_page.POSITIONS) == plan_page.GAME.cells + 1
    for positions, rows in zip(plan_page.POSITIONS, rows_of_plies(plan_page.GAME), strict=True):
        assert positions <= 2 * rows


@pytest.mark.parametrize("name", GRAVITY)
def test_the_rates_predict_the_solved_games(name: str) -> None:
    least, most = FACTORS
    assert least < plan_page.seconds_of(name) / read()[name].seconds < most
    assert 0.9 < plan_page.costs_of(name, plan_page.LARGE).kept / read()[name].bytes < 1.6


@pytest.mark.parametrize(("name", "rates_of"), plan_page.TESTS)
def test_the_rates_of_a_game_predict_the_other(name: str, rates_of: str) -> None:
    least, most = FACTORS
    expected, measured = plan_page.costs_of(name, rates_of), plan_page.MEASURED[name]
    assert least < expected.tasks * 3600 / measured.seconds < most
    whole = next(run for run in RUNS if (run.engine, run.game) == ("spark", name))
    assert least < plan_page.spark_seconds_of(name, rates_of) / whole.core_seconds < most
    assert least < expected.shuffled / whole.shuffled < most
    assert 0.8 < expected.kept / measured.kept.total < 1.2
    plies = plan_page.plies_of(name)
    assert 0.9 < sum(ply.received for ply in plies) / measured.sent < 1.1
    largest = max(max(ply.forward, ply.backward) / ply.chunks for ply in plies)
    assert 0.6 < largest / measured.most < 1.1


def test_small_parts_send_what_the_model_says(tmp_path: Path) -> None:
    """Parts that are smaller than a block, as on 7x6: the engine's own tasks send the bytes."""
    sent = Tasks()
    with mock.patch.object(manifests, "PART", 1 << 12):
        plan_page.plies_of.cache_clear()
        planned = plan_page.plies_of(SMALL)
        lines = list(measure(tmp_path, SMALL, sent))
    plan_page.plies_of.cache_clear()
    assert planned[-1].chunks == 1  # However small the parts are, the last ply is one block.
    assert max(ply.chunks for ply in planned) > 50
    expected = sum(ply.received for ply in planned)
    assert 0.9 < expected / sum(each.sent for each in sent.spent.values()) < 1.1
    assert lines[0] == f'    "{SMALL}": Measured('


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
