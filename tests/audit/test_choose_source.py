"""Which oracle judges an audit, and what it asks about: the table of `judge.audit.source`."""

import shutil
from pathlib import Path
from unittest.mock import Mock

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.judge.audit.draw_positions import PositionRequest, plies_of
from marubatsu.judge.audit.source import DEFAULT_SAMPLE, open_source
from marubatsu.judge.oracle.oracle import TableOracle
from marubatsu.judge.oracle.search_oracle import SearchOracle
from marubatsu.judge.oracle.solution_oracle import SolutionOracle
from marubatsu.pipeline.support.errors import OptionError
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.data.data_sets import Solutions

SOLVED = "4x4k4-gravity"
ORACLES = {
    "tables": TableOracle, "a solution": SolutionOracle, "both": TableOracle,
    "nothing": SearchOracle,
}  # fmt: skip


@pytest.fixture(params=ORACLES)
def data(
    request: pytest.FixtureRequest, root: Path, solutions: Solutions, tmp_path: Path
) -> tuple[str, DataSet]:
    """Return what there is of a game, and its data."""
    there: str = request.param
    if there == "both":
        for of in (root, solutions.of("tictactoe")):
            shutil.copytree(of / "tictactoe", tmp_path / "tictactoe", dirs_exist_ok=True)
    places = {
        "tables": (root, "tictactoe"), "a solution": (solutions.of(SOLVED), SOLVED),
        "both": (tmp_path, "tictactoe"), "nothing": (tmp_path, "5x4k4-gravity"),
    }  # fmt: skip
    folder, game = places[there]
    return there, DataSet(folder, Game(game))


@pytest.mark.parametrize(
    ("positions", "expected"),
    [
        (PositionRequest(), {"tables": "all", "both": "all", "a solution": "classes"}),
        (PositionRequest(sample=20), dict.fromkeys(("tables", "both", "a solution"), "classes")),
        (PositionRequest(plies="3-5"), {}),
        (PositionRequest(positions="random"), {}),
    ],
)
def test_options_and_data_decide_the_source_of_positions(
    data: tuple[str, DataSet], positions: PositionRequest, expected: dict[str, str]
) -> None:
    there, data_set = data
    source = open_source(data_set, positions, first="o")
    assert source.scope == expected.get(there, "drawn")
    by_sample = there == "both" and positions.sample
    assert isinstance(source.oracle, SolutionOracle if by_sample else ORACLES[there])
    if there == "a solution" and positions == PositionRequest():
        assert sum(len(batch.truth) for batch in source.batches(Mock())) == DEFAULT_SAMPLE


def test_tables_of_answers_name_the_positions(data: tuple[str, DataSet]) -> None:
    there, data_set = data
    source = open_source(data_set, PositionRequest(), tables="a table", listed=[EMPTY])
    assert isinstance(source.oracle, ORACLES[there])
    assert (source.scope, source.drawn is None) == ("named", there in ("tables", "both"))


def test_a_path_is_understood_as_its_name() -> None:
    for word in (None, "random", Path("random")):
        with pytest.raises(OptionError, match="expected moves that have it"):
            PositionRequest(positions=word, numbering="cells").checked([])
    for word in ("own", Path("own")):
        with pytest.raises(OptionError, match="its own games need an unknown number"):
            PositionRequest(positions=word, most_questions=50).checked([])
    with pytest.raises(OptionError, match="names the positions itself") as refused:
        PositionRequest(positions=Path("file")).checked(["answers.csv"])
    assert refused.value.value == "file"


def test_a_search_begins_where_answers_are_quick() -> None:
    for name, is_searched, plies in (
        ("connect4", True, (12, 41)), ("connect4", False, (0, 41)),
        ("5x5k5", True, (5, 24)), ("4x4k4", True, (0, 15)),
    ):  # fmt: skip
        assert plies_of(Game(name), None, searched=is_searched) == plies
