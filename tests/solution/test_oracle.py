"""One oracle: tables and solutions give the same answers, to one question as to many."""

import copy
import json
import pickle
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.large.index import Index
from marubatsu.engine.large.values import Values
from marubatsu.engine.rules.board_text import BoardError, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError
from marubatsu.engine.rules.masks import Masks
from marubatsu.engine.rules.position import EMPTY, Position, Status
from marubatsu.judge.oracle.answer import Answers
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.judge.oracle.oracle import Oracle, TableOracle
from marubatsu.judge.oracle.search_oracle import SearchOracle
from marubatsu.judge.oracle.solution_oracle import SolutionClasses, SolutionOracle
from marubatsu.pipeline.solving import solution_files
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.solving.solution_files import values_of
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.tables import solution_parts
from marubatsu.pipeline.tables.data_set import DataSet, Solution
from marubatsu.pipeline.tables.solved_schemas import SOLUTION
from tests.helpers.data.data_sets import MEMORY, Solutions
from tests.helpers.data.played import played
from tests.helpers.processes.commands import run_here

ARRAYS = ("circle", "cross", "status", "score", "distance", "first_move", "move", "move_score",
          "move_distance", "loss")  # fmt: skip
ONLY_TABLES = ("class_", "representative", "symmetry", "position", "nodes", "score_svrd",
               "best_moves_svrd", "random_circle", "random_draw", "random_cross")  # fmt: skip


def of_tables(root: Path, name: str) -> Oracle:
    return TableOracle(DataSet(root, Game(name)))


def of_solution(root: Path, name: str) -> Oracle:
    return SolutionOracle(Solution(root, Game(name)))


def everything(root: Path, name: str) -> tuple[Masks, Masks]:
    rows = pq.read_table(root / name / "positions.parquet", columns=["circles", "crosses"])
    return rows["circles"].to_numpy(), rows["crosses"].to_numpy()


def assert_same(left: Answers, right: Answers) -> None:
    for name in ARRAYS:
        assert np.array_equal(getattr(left, name), getattr(right, name)), name


@pytest.mark.parametrize("name", ["tictactoe", "3x3k3-gravity", "3x2k3-torus", "4x3k3"])
def test_a_solution_answers_as_the_tables_do(name: str, root: Path, solutions: Solutions) -> None:
    tables, solution = of_tables(root, name), of_solution(solutions.of(name), name)
    masks = everything(root, name)
    found = tables.answer_many(masks)
    assert_same(found, solution.answer_many(masks))
    for number in range(0, len(found), 1 + len(found) // 100):
        expected = tables.answer(found[number])
        answer = solution.answer(expected.board)
        unknown: Any = dict.fromkeys(ONLY_TABLES)
        assert answer == replace(expected, **unknown, key=answer.key)
        assert expected.to_json().keys() == answer.to_json().keys()


@pytest.mark.parametrize("name", ["3x3k3-misere", "3x3k3-gravity", "3x2k3-torus", "8x4k2-gravity"])
def test_the_tables_say_the_same_of_every_move(name: str, root: Path) -> None:
    """The oracle works out moves from the children; the table of moves was built otherwise."""
    found = of_tables(root, name).answer_many(everything(root, name))
    moves = pq.read_table(root / name / "moves.parquet")
    for column in ("move", "loss", "is_best", "is_best_sv"):
        assert np.array_equal(getattr(found, column), moves[column].to_numpy()), column
    assert np.array_equal(found.move_score, moves["score"].to_numpy())
    assert np.array_equal(found.parent, moves["position"].to_numpy())
    rows = pq.read_table(root / name / "positions.parquet")
    for column in ("ply", "score", "score_sv", "distance", "critical"):
        assert np.array_equal(getattr(found, column), rows[column].to_numpy()), column
    for masks, column in zip(found.children, ("circles", "crosses"), strict=True):
        assert masks.dtype == found.circle.dtype
        assert np.array_equal(masks, rows[column].to_numpy()[moves["child"].to_numpy()])


def test_an_answer_is_the_row_of_the_tables(root: Path) -> None:
    oracle = of_tables(root, "tictactoe")
    folder = root / "tictactoe"
    rows = pq.read_table(folder / "positions.parquet").to_pylist()
    classes = {row["class"]: row for row in pq.read_table(folder / "classes.parquet").to_pylist()}
    moves = pq.read_table(folder / "moves.parquet").to_pylist()
    for row in rows[::17]:
        answer = oracle.answer(row["board"]).to_json()
        for name in row.keys() - {"circles", "crosses"}:
            found = answer[name]
            assert (list(found) if isinstance(found, tuple) else found) == row[name], name
        class_ = classes[row["class"]]
        assert answer["orbit"] == class_["orbit"]
        assert answer["representative"] == class_["board"]
        of_moves = {m["move"]: m for m in moves if m["position"] == row["position"]}
        assert len(answer["moves"]) == len(of_moves)
        for move in answer["moves"]:
            expected = of_moves[move["move"]]
            for name in ("score", "score_sv", "loss", "is_best", "is_best_sv"):
                assert move[name] == expected[name], name


def test_many_answers_are_the_single_ones(root: Path, solutions: Solutions) -> None:
    rng = random.Random(0)
    for oracle in (of_tables(root, "tictactoe"), of_solution(solutions.of("4x4k4"), "4x4k4")):
        game = oracle.game
        boards = [to_text(game, each) for _ in range(40) for each in played(game, rng)]
        found = oracle.answer_many(boards)
        assert len(boards) > len(set(boards))
        for number, board in enumerate(boards):
            answer, moves = oracle.answer(board), found.moves_of(number - len(boards))
            assert (answer.score, answer.distance) == (found.score[number], found.distance[number])
            assert answer.critical == found.critical[number]
            columns = (found.move, found.move_score, found.move_distance, found.loss)
            rows = zip(*(column[moves].tolist() for column in columns), strict=True)
            of_moves = sorted((m.move, m.score, m.distance, m.loss) for m in answer.moves)
            assert of_moves == list(rows)
    assert len(oracle.answer_many([])) == 0
    assert_same(oracle.answer_many(tuple(boards)), found)


def test_an_oracle_takes_lists_arrays_and_boards_on_which_x_begins(root: Path) -> None:
    oracle = of_tables(root, "tictactoe")
    boards = ["ox.......", "oxo.x.o..", "........."]
    expected = oracle.answer_many(boards)
    nested = [[list(board[at : at + 3]) for at in (0, 3, 6)] for board in boards]
    by_row, by_column = np.array(nested), np.array(nested).transpose(0, 2, 1)
    exchanged = [board.translate(str.maketrans("ox", "xo")) for board in boards]
    masks = expected.circle, expected.cross
    for found in (
        oracle.answer_many(nested),
        oracle.answer_many(by_row),
        oracle.answer_many(pa.chunked_array([boards])),
        oracle.answer_many(by_row.reshape(3, 9)),
        oracle.answer_many([",".join(board) for board in boards]),
        oracle.answer_many(pa.array(boards)),
        oracle.answer_many(pa.chunked_array([by_row.reshape(3, 9).tolist()])),
        oracle.answer_many(by_column, numbering="cells-by-column"),
        oracle.answer_many(exchanged, first="x"),
        oracle.answer_many([each.upper() for each in exchanged], first="X"),
        oracle.answer_many(masks[::-1], first="x"),
        oracle.answer_many(["0 1", "a3,b3,c3,b2,a1", "." * 9]),
    ):
        assert_same(found, expected)
    two = oracle.answer_many(([0, 1], [0] * 9))
    assert_same(two, oracle.answer_many(boards[::2]))
    assert_same(two, expected.at(np.array([0, -1])))
    assert_same(two, expected.at(np.array([True, False, True])))
    assert oracle.answer(nested[1], first="o") == oracle.answer(boards[1])
    assert oracle.answer(exchanged[1], first="x") == oracle.answer(boards[1])
    assert oracle.within("1 2", numbering="cells-from-1") == oracle.answer(boards[0])


def masks(*sides: list[int]) -> tuple[np.ndarray, ...]:
    return tuple(map(np.array, sides))


@pytest.mark.parametrize(
    ("boards", "options", "message"),
    [
        (["." * 9, "xox.o.x.."], {}, "2 o and 3 x.*; a game reaches it with the option first='x'"),
        (["." * 9, "XOX.O.X.."], {}, "^board 2 of 2: .*with the option first='x'"),
        (["ooo......"], {"first": "X"}, "it has 0 o and 3 x"),
        ([np.zeros((3, 3, 2))], {}, "^board 1 of 1: .*expected a list of 9 cells"),
        (["o"] * 9, {}, "^board 1 of 9: expected 9 cells .* got 1"),
        ([None], {}, "^board 1 of 1: None is no position"),
        (["." * 9], {"first": "z"}, "expected o or x, the mark of the side that begins"),
        (["." * 9], {"numbering": "z"}, "'z' is no numbering"),
        ((np.zeros((1, 1), int), np.zeros((1, 1), int)), {}, r"a tuple of the shapes \(1, 1\)"),
        (masks([1], [1 << 20]), {}, "position 1 of 1 has the masks 1 and 1048576: expected differ"),
        (masks([0, 3], [0, 2]), {}, "position 2 of 2 has the masks 3 and 2: expected different"),
        (masks([-1], [0]), {}, "position 1 of 1 has the masks -1 and 0"),
        (masks([1, 2], [4]), {}, "expected a tuple of as many masks of circle as of cross"),
        (
            (np.ma.array([1, 1], mask=[False, True]), np.zeros(2, int)),
            {},
            "expected masks as whole numb",
        ),
        (masks([1, 2, *[0] * 7], [0] * 9), {}, "numbers from 0 to 2 may be two boards, or the mas"),
    ],
)
def test_shapes_and_options_are_checked_where_boards_enter(
    boards: Any, options: dict[str, str], message: str, root: Path
) -> None:
    with pytest.raises((InputError, UsageError), match=message):
        of_tables(root, "tictactoe").answer_many(boards, **options)


def test_a_status_has_a_name(root: Path) -> None:
    found = of_tables(root, "tictactoe").answer_many(
        ["." * 9, "ooo.xx...", "oo.xxx.o.", "oxooxxxoo"]
    )
    assert found.status_names.tolist() == ["playing", "circle", "cross", "draw"]
    assert [Status(code) for code in found.status] == [
        Status.PLAYING, Status.CIRCLE, Status.CROSS, Status.DRAW,
    ]  # fmt: skip


@pytest.mark.usefixtures("kernels")
def test_a_position_that_no_game_reaches_is_refused(root: Path, solutions: Solutions) -> None:
    name = "3x3k3-gravity"
    search: Oracle = SearchOracle(Game(name), memory=1 << 24)
    for oracle in (of_tables(root, name), of_solution(solutions.of(name), name), search):
        for ask in (oracle.answer, oracle.within):
            with pytest.raises(BoardError, match=r"no game of 3x3k3-gravity reaches '...oo.xx.'"):
                ask("...oo.xx.")  # The first player has no mark below.
            with pytest.raises(BoardError, match="nothing supports the mark on cell 4"):
                ask(Position(0b000_010_000, 0))
        with pytest.raises(BoardError, match="nothing supports the mark on cell 4"):
            oracle.answer_many(masks([0b000_010_000], [0]))
        with pytest.raises(BoardError, match="expected 9 cells"):
            oracle.answer_many(["." * 9, "x"])


@pytest.mark.parametrize("name", ["3x3k3-misere", "3x3k3-gravity"])
def test_exactly_the_positions_that_play_reaches_are_known(
    name: str, root: Path, solutions: Solutions
) -> None:
    """Of all 3 ** 9 boards: also those with wrong counts, marks that float, marks after the end."""
    contents = np.indices((3,) * 9).reshape(9, -1)
    circle, cross = ((contents == mark).T @ (1 << np.arange(9)) for mark in (1, 2))
    reached = {*zip(*(masks.tolist() for masks in everything(root, name)), strict=True)}
    found = of_solution(solutions.of(name), name).values(circle, cross)
    pairs = zip(circle.tolist(), cross.tolist(), strict=True)
    assert found.is_known.tolist() == [pair in reached for pair in pairs]


@pytest.mark.parametrize("batch", [1000, 10**9])
def test_every_unfinished_class_is_yielded_once(
    batch: int, root: Path, solutions: Solutions
) -> None:
    name = "4x3k3"
    oracle = SolutionOracle(Solution(solutions.of(name), Game(name)))
    batches = list(oracle.unfinished(batch))
    assert all(len(classes.row) >= batch for classes in batches[:-1])
    plies, rows = (np.concatenate(column).tolist() for column in zip(*batches, strict=True))
    truth = of_tables(root, name).answer_many(everything(root, name))
    here = truth.unfinished
    keys = Index(truth.game).of(truth.circle[here], truth.cross[here]).tolist()
    expected = sorted({*zip(truth.ply[here].tolist(), keys, strict=True)})
    assert list(zip(plies, rows, strict=True)) == expected
    for classes in batches:
        found = oracle.facts(*oracle.masks(classes))
        assert found["key"] == classes.row.tolist()


@pytest.mark.parametrize("name", ["4x3k3", "4x4k4-gravity"])
def test_a_sample_is_drawn_from_the_unfinished_classes(name: str, solutions: Solutions) -> None:
    oracle = SolutionOracle(Solution(solutions.of(name), Game(name)))

    def pairs(classes: SolutionClasses) -> list[tuple[int, int]]:
        return list(zip(classes.ply.tolist(), classes.row.tolist(), strict=True))

    [every] = oracle.unfinished(10**9)
    known = pairs(every)
    small, large = (pairs(oracle.drawn(size, 1)) for size in (50, 5000))
    for sample, size in ((small, 50), (large, 5000)):
        assert sample == sorted(set(sample))
        assert len(sample) == size
    assert set(small) < set(large) < set(known)
    shares: list[float] = []
    assert small == pairs(oracle.drawn(50, 1)) != pairs(oracle.drawn(50, 2))
    assert large == pairs(oracle.drawn(5000, 1, shares.append))
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] < 1
    assert pairs(oracle.drawn(len(known) + 1, 1)) == known


def test_a_row_group_is_read_once(
    solutions: Solutions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A solution in parts of one row group each, compared with one whose plies are one part."""
    game, decoded = Game("4x4k4"), list[int]()

    def counting(column: Any) -> Values:
        decoded.append(len(column))
        return values_of(column)

    usual = SolutionOracle(Solution(solutions.of(game.name), game))
    [classes] = usual.unfinished(10**9)
    circle, cross = usual.masks(classes)
    masks = circle[::8], cross[::8]  # Some of every row group.
    expected = usual.answer_many(masks)
    monkeypatch.setattr(solution_parts, "PART", SOLUTION.row_group)
    monkeypatch.setattr(solution_files, "values_of", counting)
    files = solve(tmp_path, game, MEMORY).manifest.files
    oracle = of_solution(tmp_path, game.name)
    for _ in range(2):
        assert_same(oracle.answer_many(masks), expected)
    rows = [entry.rows for file, entry in files.items() if "/" in file]
    assert len(rows) > game.cells + 1
    assert sorted(decoded) == sorted(rows)


def test_two_planes_are_no_two_boards(root: Path) -> None:
    oracle, planes = of_tables(root, "3x3k3-gravity"), np.zeros((2, 3, 3), np.int8)
    planes[0, 2, 1] = 1
    assert oracle.answer_many(list(planes)).circle.tolist() == [128, 0]
    with pytest.raises(UsageError, match=r"shape \(2, 3, 3\) with 0 and 1 may be two boards, or t"):
        oracle.answer_many(planes)
    planes[1] = [[0, 0, 0], [0, 2, 0], [1, 1, 0]]
    assert oracle.answer_many(planes).circle.tolist() == [128, 192]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64])
def test_masks_of_every_type_are_read(root: Path, dtype: Any) -> None:
    oracle = of_tables(root, "3x3k3-gravity")
    masks = np.array([1, 1 << 6]), np.array([1 << 6, 0])
    circle, cross = (each[1:].astype(dtype) for each in masks)
    assert oracle.answer_many((circle, cross)).circle.tolist() == [64]
    with pytest.raises(UsageError, match="position 1 of 1 has the masks 3 and 1"):
        oracle.answer_many((np.array([3], dtype), np.array([1], dtype)))


def test_a_damaged_file_is_never_believed(solutions: Solutions, tmp_path: Path) -> None:
    game = solutions.copy("4x4k4", tmp_path).game
    boards = ["o...............", "oxox............", "oxoxoxox........", "oo..xx..oo..xx.."]

    def answers() -> list[object]:
        oracle = of_solution(tmp_path, game.name)
        return [oracle.answer(board) for board in boards]

    right, refused = answers(), 0
    for path in sorted(Solution(tmp_path, game).folder.rglob("*.parquet")):
        data = path.read_bytes()
        for at in range(4, len(data), max(1, len(data) // 3)):
            path.write_bytes(data[:at] + bytes([data[at] ^ 8]) + data[at + 1 :])
            try:
                assert answers() == right
            except DataError:
                refused += 1
        path.write_bytes(data)
    assert refused > 10
    assert answers() == right


def test_answers_do_not_mix_a_replaced_file_with_the_earlier_one(
    root: Path, solutions: Solutions, tmp_path: Path
) -> None:
    """A file that takes the place of another one between two answers changes neither."""
    game = solutions.copy("3x3k3", tmp_path).game
    solution = Solution(tmp_path, game)
    oracle = SolutionOracle(solution)
    right = oracle.answer("........o")
    for path in solution.folder.rglob("*.parquet"):
        other = path.with_name("other")
        other.write_bytes(path.read_bytes()[::-1])
        other.replace(path)
    assert oracle.answer("........o") == right  # These two plies are open already.
    with pytest.raises(DataError, match="is damaged"):
        oracle.answer("oxo......")
    assert open_oracle(DataSet(root, game)).answer("........o").score == right.score


def test_show_answers_from_a_solution(solutions: Solutions) -> None:
    solved = solutions.of("4x4k4")
    done = run_here("show", "o...............", "--game", "4x4k4", data=solved)
    assert done.returncode == 0, done.stderr
    assert "class with key 2 in its ply, orbit of 4" in done.stdout
    assert "cross to move: draw in 15 plies with best play" in done.stdout
    result = run_here("show", "a4", "--game", "4x4k4", "-f", "json", data=solved)
    assert json.loads(result.stdout)["board"] == "o..............."
    missing = run_here("show", "." * 56, "--game", "8x7k4-gravity", data=solved)
    assert missing.returncode == 1
    assert "8x7k4-gravity is not solved" in missing.stderr


def test_another_process_gets_the_same_oracle(
    root: Path, solutions: Solutions, tmp_path: Path
) -> None:
    for data, name in (
        (root, "tictactoe"),
        (solutions.of("4x4k4"), "4x4k4"),
        (tmp_path, "connect4"),
    ):
        oracle = open_oracle(DataSet(data, Game(name)), threads=2)
        answer = oracle.answer(EMPTY)
        assert pickle.loads(pickle.dumps(oracle)).answer(EMPTY) == answer  # noqa: S301, our own
        assert copy.deepcopy(oracle) is oracle


def test_masks_and_moves_of_answers_make_positions(root: Path) -> None:
    oracle, boards = open_oracle(DataSet(root, Game("tictactoe"))), ["o...x...o", "ox......."]
    many = oracle.answer_many(boards)
    for place, board in enumerate(boards):
        masks: Any = many.circle[place], many.cross[place]
        moves: Any = many.move[many.moves_of(place)]
        position, same = many[place], Position(*masks)
        assert oracle.answer(same).board == board
        assert oracle.game.legal_moves(same) == tuple(moves)
        for move in moves:
            assert oracle.game.play(same, move) == oracle.game.play(position, int(move))
