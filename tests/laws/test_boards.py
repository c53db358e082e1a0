"""Every board: the laws, faults planted against each law, the same games and the same searches."""

import json
import time
import weakref
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest

from examples.dict_board import DictBoard
from marubatsu.engine.ais.matches import Arena
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.boards.board import Board, MoveError, NewBoard
from marubatsu.engine.boards.laws import LAWS, Case, all_boards, boards_of
from marubatsu.engine.boards.line_counters import CountingBoard
from marubatsu.engine.boards.list_board import ListBoard
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import Options
from marubatsu.engine.search.roster import find
from marubatsu.pipeline.laboratory import board_benchmark, board_conformance
from marubatsu.pipeline.support.background import ended_after
from marubatsu.pipeline.support.resources import reference_rows
from tests.helpers.broken.broken_boards import BROKEN, CannotJudgeThree, EndsTheProcess, NeverEnds
from tests.helpers.processes.commands import PATIENCE, Marubatsu, run_here

TICTACTOE = Game(3, 3, 3)
BOARDS: dict[str, NewBoard] = {**all_boards(), "DictBoard": DictBoard}
SAMPLES = ("3x3k3-misere", "4x3k3", "3x3k3-gravity", "1x3k2")

ANSWERS = ("text", "legal moves", "patterns", "image of a move", "choices of AIs")
"""Laws about one answer of a board, on which no other of the plain laws depends."""
PLAIN = set(list(LAWS)[: list(LAWS).index("illegal moves")])


def broken(found: board_conformance.Conformance) -> set[str]:
    return {verdict.law for verdict in found.verdicts if verdict.broken}


@pytest.mark.parametrize("name", BOARDS)
def test_every_board_keeps_every_law(name: str) -> None:
    """On samples; in all positions of tictactoe, docs/boards.md tests a board."""
    found = board_conformance.conform(BOARDS[name], SAMPLES)
    assert [v for v in found.verdicts if v.broken] == []
    assert found.holds
    assert [v.law for v in found.verdicts] == list(board_conformance.all_laws())
    assert bool(found.refused) == (name == "BitBoard3x3")
    everywhere = sum(found.positions.values())
    assert {v.examined for v in found.verdicts if v.law in LAWS} == {everywhere} != {0}


@pytest.mark.parametrize(
    ("law", "board"),
    [(law, board) for law, boards in BROKEN.items() for board in boards],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_broken_board_is_caught_by_name(law: str, board: type[Board[Any]]) -> None:
    found = board_conformance.conform(board, SAMPLES)
    assert law in broken(found)
    if law in ANSWERS:
        assert broken(found) & PLAIN <= {law}
    assert not found.holds
    verdict = next(v for v in found.verdicts if v.law == law)
    assert verdict.fault
    assert verdict.examined
    assert verdict.board == Case.after(Game(verdict.game), verdict.moves).text


def test_every_law_has_a_board_that_breaks_it() -> None:
    assert set(BROKEN) == set(board_conformance.all_laws())


DROPPED = pytest.mark.filterwarnings(
    "ignore:Exception ignored:pytest.PytestUnraisableExceptionWarning"
)
"""Python warns of errors that it drops, and goes on."""


@DROPPED
def test_a_board_that_raises_or_never_ends_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for board, raised in (
        (CannotJudgeThree, "ZeroDivisionError: three marks are too many"),
        (EndsTheProcess, "ExitError: sys.exit ends the process"),
    ):
        faults = {v.fault for v in board_conformance.conform(board, SAMPLES).verdicts if v.broken}
        assert f"raised {raised}" in faults
    monkeypatch.setattr(board_conformance, "_PATIENCE", 0.05)
    found = board_conformance.conform(NeverEnds, ("1x3k2",))
    assert "raised TimeoutError: no end after 0.05 s" in {v.fault for v in found.verdicts}
    assert board_conformance.find_board("tests.helpers.broken.broken_boards:NeverEnds") is NeverEnds
    assert capsys.readouterr().out == ""


@DROPPED
def test_a_limit_of_time_holds_where_python_drops_what_is_raised() -> None:
    """The first signal comes in a callback, whose errors Python drops; the next one comes later."""

    class Kept:
        pass

    heard, callbacks = [], ["not yet"]

    def late() -> TimeoutError:
        heard.append(callbacks[-1])
        return TimeoutError("too late")

    def wait(dead: object) -> None:
        callbacks.append("in one")
        time.sleep(PATIENCE)

    def work(kept: list[Kept]) -> None:
        kept.clear()
        callbacks.append("after it")
        time.sleep(PATIENCE)

    kept = [Kept()]
    reference = weakref.ref(kept[0], wait)
    with pytest.raises(TimeoutError, match="too late"), ended_after(0.5, late):
        work(kept)
    assert reference() is None
    assert heard == ["in one", "after it"]


def test_a_law_without_samples_does_not_hold() -> None:
    assert not board_conformance.conform(new_board, ()).holds


@pytest.mark.parametrize("pair", [("ai4", "ai2"), ("ai14s", "ai2")], ids="-".join)
def test_one_seed_is_the_same_games_with_and_without_memory(pair: tuple[str, str]) -> None:
    first, second = (find(ai).on(TICTACTOE) for ai in pair)
    expected = Arena(new_board(TICTACTOE), first, second).play(50, Random(1))
    for remember in (True, False):
        arena = Arena(ListBoard(TICTACTOE), first, second, remember=remember)
        assert arena.play(50, Random(1)) == expected


def test_legal_moves_by_column_cost_other_nodes() -> None:
    """18,297 by row and 17,723 by column, as the series' boards that number cells by column."""
    options = Options(ordering=find("ai1s"))
    for name, new in all_boards().items():
        board = new(TICTACTOE)
        assert board.natural_order == ("column" if "List1d" in name else "row")
        if name in ("BitBoard3x3", "List1dBoard"):
            by_row, by_column = (Graph(board, order) for order in ("row", "column"))
            assert Search(options, by_row).count(EMPTY).nodes == 18297
            assert Search(options, by_column).count(EMPTY).nodes == 17723


def test_boards_say_what_they_do_not_play() -> None:
    assert "BitBoard3x3" in boards_of(Game("3x3k3-misere"))
    assert "BitBoard3x3" not in boards_of(Game("3x3k3-gravity"))
    assert new_board(TICTACTOE).name == "BitBoard3x3"
    assert new_board(Game("4x4k4")).name == "BitBoard"
    board = new_board(TICTACTOE)
    board.load("ooo.xx...")
    with pytest.raises(MoveError, match=r"no move can be made on ooo\.xx\.\.\.: the game is over"):
        board.make(8)
    board.load("o........")
    with pytest.raises(MoveError, match=r"1 is no legal move on o\.{8}: expected one of 2, 4, 8"):
        board.make(1)
    with pytest.raises(MoveError, match=r"there is no move to take back on o\.{8}"):
        board.unmake()


def test_counters_are_on_or_off_where_the_name_says_so() -> None:
    for name, new in all_boards().items():
        board = new(TICTACTOE)
        assert board.name == name
        assert board.new().name == name
        if isinstance(board, CountingBoard):
            assert board.count_lines == name.endswith("+counters")


def test_conform_names_the_broken_law(
    marubatsu: Marubatsu, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On all games, docs/boards.md runs the command.
    monkeypatch.setattr(
        board_conformance, "conform", partial(board_conformance.conform, games=SAMPLES)
    )
    done = marubatsu(
        "conform", "tests.helpers.broken.broken_boards:KeysByOccupiedCells", "--format", "json"
    )
    assert done.returncode == 1
    verdicts = {row["law"]: row["holds"] for row in json.loads(done.stdout)}
    assert not verdicts["key"]
    assert verdicts["unmake"]


def test_bench_boards_compares_boards(
    marubatsu: Marubatsu, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_benchmark, "_CALLS", 100)
    monkeypatch.setattr(board_benchmark, "_SEARCHES", 1)
    picture = tmp_path / "boards.svg"
    boards = ("BitBoard3x3", "List1dBoard+counters")
    options = [word for board in boards for word in ("--board", board)]
    done = marubatsu("bench", "boards", "--pairs", "1", "--repeats", "1", *options,
                     "--format", "json", "--plot", str(picture))  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {f["board"] for f in found["figures"]} == set(boards)
    measures = {f["measure"] for f in found["figures"]}
    assert {f"legal_moves_{marks}" for marks in range(9)} < measures
    assert all(0 < f["least"] <= f["median"] <= f["most"] for f in found["figures"])
    published = [row for row in reference_rows("published_boards") if row["board"] in boards]
    assert len(found["published"]) == len(published) > 5
    assert {row["nodes_by_column"] for row in found["nodes"]} == {17723}
    assert picture.read_text(encoding="utf-8").count("BitBoard3x3") >= 1
    assert found["machine"]["python"]


def test_the_figures_of_a_bench_are_one_table(tmp_path: Path) -> None:
    file = tmp_path / "figures.parquet"
    words = ["bench", "boards", "--pairs", "1", "--repeats", "1", "--board", "BitBoard",
             "--game", "2x2k2"]  # fmt: skip
    games = "won/lost/drew 1/0/0 as circle, 0/1/0 as cross"  # Who begins wins by the rules.
    text = run_here(*words, data=tmp_path).stdout
    assert f"same games: ai2 against ai2 {games}; ai14s against ai2 {games}\n" in text
    done = run_here(*words, "--output", str(file), data=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    found = pq.read_table(file)
    assert found.column_names == ["board", "measure", "unit", "least", "median", "most"]
    assert {"ai2_vs_ai2", "depth_limited"} < set(found["measure"].to_pylist())
    assert set(found["board"].to_pylist()) == {"BitBoard"}


def test_bench_boards_refuses_a_board_that_plays_otherwise(marubatsu: Marubatsu) -> None:
    done = marubatsu("bench", "boards", "--pairs", "20", "--repeats", "1", "--board", "BitBoard",
                     "--board", "tests.helpers.broken.broken_boards:DrawsWhenFull")  # fmt: skip
    assert done.returncode == 1
    assert "tests.helpers.broken.broken_boards:DrawsWhenFull and BitBoard differ in" in done.stderr
