"""Positions looked up in a solution: as the tables say, and never from a damaged file."""

from pathlib import Path

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.oracle.show import look_up as look_up_table
from marubatsu.pipeline.solution.lookup import look_up, open_lookup
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.store.data_set import DataSet, Solution
from marubatsu.pipeline.support.errors import DataError, UsageError
from tests.helpers.commands import run_here
from tests.helpers.data_sets import Solutions

SHARED = ("move", "board_after", "score", "distance", "loss", "best", "best_sv", "outcome")


def never() -> None:
    pytest.fail("somebody holds the lock")


@pytest.fixture(scope="module")
def solved(solutions: Solutions) -> Path:
    return solutions.of("4x4k4", "tictactoe", "3x3k3-misere", "3x3k3-gravity")


@pytest.mark.parametrize("name", ["tictactoe", "3x3k3-misere", "3x3k3-gravity"])
def test_every_position_is_told_as_in_the_tables(name: str, root: Path, solved: Path) -> None:
    game = Game.parse(name)
    with (
        open_catalog(DataSet(root, game), never) as catalog,
        open_lookup(Solution(solved, game), never) as lookup,
    ):
        boards = [board for (board,) in catalog.run("select board from positions").rows]
        sizes = "select positions.board, orbit from positions join classes using (class)"
        orbit = {row[0]: row[1] for row in catalog.run(sizes).rows}
        for board in boards[:: 1 if name == "3x3k3-gravity" else 11]:
            table, solution = look_up_table(catalog, board), look_up(lookup, board)
            for field in ("board", "ply", "turn", "score", "distance"):
                assert solution.position[field] == table.position[field]
            assert solution.position["orbit"] == orbit[board]
            at = [table.moves.columns.index(column) for column in SHARED]
            rows = [[row[column] for column in at] for row in table.moves.rows]
            assert sorted(map(list, solution.moves.rows)) == sorted(rows)
            assert [row[4] for row in solution.moves.rows] == [row[4] for row in rows]


def test_a_position_that_no_game_reaches_is_refused(solved: Path) -> None:
    game = Game.parse("3x3k3-gravity")
    with (
        open_lookup(Solution(solved, game), never) as lookup,
        pytest.raises(UsageError, match="no game"),
    ):
        look_up(lookup, "...oo.xx.")  # Who begins has no mark below.


def test_a_damaged_file_is_never_believed(solutions: Solutions, tmp_path: Path) -> None:
    game = solutions.copy("4x4k4", tmp_path).game
    boards = ["o...............", "oxox............", "oxoxoxox........", "oo..xx..oo..xx.."]

    def answers() -> list[object]:
        with open_lookup(Solution(tmp_path, game), never) as lookup:
            return [look_up(lookup, board).to_json() for board in boards]

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
