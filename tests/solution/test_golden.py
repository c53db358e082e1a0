"""Solutions against the hashes of what they held when their format was declared."""

import pytest

from marubatsu.engine.rules.game import Game
from tests.helpers.data_sets import Solutions
from tools.generators.golden import GAMES, found, written

pytestmark = pytest.mark.quick


CHANGED = (
    "the bytes of the solution of {} changed: {}; if that is meant, raise FORMAT or RULES in "
    "marubatsu.pipeline.stages.staleness and run `python -m tools.generators.golden`"
)


@pytest.mark.parametrize("name", GAMES)
def test_a_solution_holds_what_it_has_always_held(name: str, solutions: Solutions) -> None:
    notation = Game(name).notation
    golden = {row for row in written() if row.game == notation}
    now = set(found(solutions.of(name), name))
    files = sorted({row.file for row in golden ^ now})
    assert files == [], CHANGED.format(name, ", ".join(files))
    assert golden


def test_golden_hashes_are_those_of_the_games() -> None:
    rows = written()
    assert len({(row.game, row.file) for row in rows}) == len(rows)
    assert {row.game for row in rows} == {Game(name).notation for name in GAMES}
