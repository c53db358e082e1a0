"""The page about solved games, and the rows that it comes from."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from marubatsu.engine.large.index import rows_of_plies
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.support.resources import reference_rows
from marubatsu.pipeline.tables.data_set import Solution
from tests.helpers.data.data_sets import Solutions
from tests.helpers.data.known import known_of
from tools import solved_games
from tools.generators.plan_page import PAGE as PLAN
from tools.generators.run_pages import JAPANESE, README
from tools.generators.solved_page import PAGE, render

pytestmark = pytest.mark.documents

ROWS = solved_games.read()
KEPT = {
    path.stem: [
        {name: int(text) for name, text in row.items()}
        for row in reference_rows(f"{solved_games.VALUES.name}/{path.stem}")
    ]
    for path in sorted(solved_games.VALUES.glob("*.csv"))
}
SOLVED_IN_TESTS = ("4x4k4", "4x4k4-gravity")
"""The games of the file that other tests solve too."""


def solution_of(name: str, solutions: Solutions) -> Solution:
    return Solution(solutions.of(name), Game(name))


def counts_in(row: solved_games.SolvedGame) -> dict[str, int]:
    return {
        "value": row.score,
        "classes": row.classes,
        "positions": row.positions,
        "positions with score +1": row.won_by_circle,
        "positions with score 0": row.drawn,
        "positions with score -1": row.won_by_cross,
    }


def test_the_page_is_that_of_the_rows() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == render(page)
    assert {row.machine.removesuffix(", busy") for row in ROWS.values()} == {"2 cores, 25 GB"}


def test_both_pages_about_connect4_name_the_rows_of_its_index() -> None:
    rows = f"{sum(rows_of_plies(Game('connect4'))):,} rows of the index"
    assert [page.name for page in (PAGE, PLAN) if rows not in page.read_text("utf-8")] == []


@pytest.mark.parametrize("readme", [README, JAPANESE])
def test_a_readme_names_the_largest_game_with_five_in_a_row(readme: Path) -> None:
    row, text = ROWS["5x5k5"], readme.read_text(encoding="utf-8")
    assert row.score == 0
    for number in (f"`{row.game}`", f"{row.positions:,}", f"{row.seconds:.0f}"):
        assert number in text


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.game)
def test_a_row_agrees_with_what_is_known(row: solved_games.SolvedGame) -> None:
    ours = counts_in(row)
    if not Game(row.game).gravity:
        ours["games"] = int(row.games or 0)
    known = [each for each in known_of(row.game) if each.quantity in ours]
    totals = {each.quantity: each.count for each in known if each.ply is None}
    assert totals == {name: ours[name] for name in totals}
    plies = Counter(each.quantity for each in known if each.ply is not None)
    for quantity in (name for name, count in plies.items() if count == Game(row.game).cells + 1):
        by_ply = (each.count for each in known if each.quantity == quantity)
        assert sum(by_ply) - totals.get(quantity, 0) == ours[quantity]
    assert row.positions == row.won_by_circle + row.drawn + row.won_by_cross
    assert row.classes <= row.rows


@pytest.mark.parametrize("name", SOLVED_IN_TESTS)
def test_a_row_is_that_of_the_solution(name: str, solutions: Solutions) -> None:
    row = ROWS[name]
    found = solved_games.row_of(
        solution_of(name, solutions), seconds=row.seconds, megabytes=row.megabytes,
        machine=row.machine, checked=row.checked,
    )  # fmt: skip
    assert replace(found, bytes=row.bytes) == row  # Another version of Parquet's writer.


@pytest.mark.parametrize("name", KEPT)
def test_value_counts_in_the_checkout_give_the_row(name: str) -> None:
    row, value_counts = ROWS[name], KEPT[name]
    counts = solved_games.counts_of(value_counts)
    solved_games.require_agreement(Game(name), counts)
    expected = counts_in(row)
    assert {name: counts[name, None] for name in expected} == expected
    (root, *_), last = value_counts, value_counts[-1]
    assert (root["ply"], root["distance"], root["classes"]) == (0, row.distance, 1)
    assert (last["ply"], last["distance"]) == (Game(name).cells, 0)
    for each in value_counts:
        ends = each["ply"] + each["distance"]
        assert ends <= Game(name).cells
        assert each["score_mover"] or ends == Game(name).cells
        symmetric = len(symmetries(Game(name)))
        assert each["classes"] <= each["positions"] <= symmetric * each["classes"]
