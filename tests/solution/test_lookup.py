"""Positions looked up in a solution: as the tables say, and never from a damaged file."""

from dataclasses import replace
from pathlib import Path

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.oracle.solution_oracle import SolutionOracle
from marubatsu.pipeline.oracle.table_oracle import TableOracle
from marubatsu.pipeline.solution.lookup import open_lookup
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.store.data_set import DataSet, Solution
from marubatsu.pipeline.support.errors import DataError, UsageError
from tests.helpers.commands import run_here
from tests.helpers.data_sets import Solutions


def never() -> None:
    pytest.fail("somebody holds the lock")


@pytest.fixture(scope="module")
def solved(solutions: Solutions) -> Path:
    return solutions.of("4x4k4", "tictactoe", "3x3k3-misere", "3x3k3-gravity")


@pytest.mark.parametrize("name", ["tictactoe", "3x3k3-misere", "3x3k3-gravity"])
def test_a_solution_answers_as_the_tables_do(name: str, root: Path, solved: Path) -> None:
    game = Game(name)
    with (
        open_catalog(DataSet(root, game), never) as catalog,
        open_lookup(Solution(solved, game), never) as lookup,
    ):
        tables, solution = TableOracle(catalog), SolutionOracle(lookup)
        boards = [board for (board,) in catalog.run("select board from positions").rows]
        for board in boards[:: 1 if name == "3x3k3-gravity" else 11]:
            expected, found = tables.answer(board), solution.answer(board)
            assert found == replace(
                expected,
                class_=None,
                facts=found.facts,
                moves=tuple(replace(move, score_sv=None) for move in expected.moves),
            )


def test_a_position_that_no_game_reaches_is_refused(solved: Path) -> None:
    game = Game("3x3k3-gravity")
    with (
        open_lookup(Solution(solved, game), never) as lookup,
        pytest.raises(UsageError, match="no game"),
    ):
        SolutionOracle(lookup).answer("...oo.xx.")  # Who begins has no mark below.


def test_a_damaged_file_is_never_believed(solutions: Solutions, tmp_path: Path) -> None:
    game = solutions.copy("4x4k4", tmp_path).game
    boards = ["o...............", "oxox............", "oxoxoxox........", "oo..xx..oo..xx.."]

    def answers() -> list[object]:
        with open_lookup(Solution(tmp_path, game), never) as lookup:
            oracle = SolutionOracle(lookup)
            return [oracle.answer(board) for board in boards]

    right, refused = answers(), 0
    for path in sorted(Solution(tmp_path, game).folder.rglob("*.parquet")):
        data = path.read_bytes()
        for at in range(4, len(data), max(1, len(data) // 12)):
            path.write_bytes(data[:at] + bytes([data[at] ^ 8]) + data[at + 1 :])
            try:
                assert answers() == right
            except DataError:
                refused += 1
        path.write_bytes(data)
    assert refused > 20
    assert answers() == right


def test_show_answers_from_a_solution(solved: Path) -> None:
    done = run_here("show", "o...............", "--game", "4x4k4", data=solved)
    assert done.returncode == 0, done.stderr
    assert "circle" not in done.stdout.splitlines()[-1]
    assert "class with key 1, orbit of 4" in done.stdout
    assert "cross to move: draw in 15 plies with best play" in done.stdout
    missing = run_here("show", "." * 20, "--game", "4x5k4", data=solved)
    assert missing.returncode == 1
    assert "4x5k4 is not solved" in missing.stderr
