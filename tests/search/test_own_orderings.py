"""Searches within a time, and over all critical classes: with an ordering of one's own."""

import csv
import os
import signal
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import marubatsu as mb
from marubatsu.engine.ais.by_function import ordering_of
from marubatsu.engine.ais.reply import Reply
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.board_text import from_text, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import Algorithm
from marubatsu.engine.search.roster import find, options_of
from marubatsu.pipeline.laboratory.run_search import time_is_up
from marubatsu.pipeline.laboratory.technique_grid import positions_of
from marubatsu.pipeline.laboratory.technique_runs import count_ordering, curve, least_curve
from marubatsu.pipeline.support.events import Interrupted
from tests.helpers.processes.commands import Marubatsu, run_here, without_box


def ignored(share: float | None, note: str = "") -> None:
    """Show no progress."""


def middle_first(board: str, legal: list[int]) -> dict[int, int]:
    return {move: -abs(move - len(board) // 2) for move in legal}


def more_marks(board: str) -> int:
    return board.count("o") - board.count("x")


def rows_of(done: "CompletedProcess[str]") -> list[dict[str, str]]:
    """Read the CSV that a command prints."""
    return list(csv.DictReader(done.stdout.splitlines()))


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """Return the address of an ordering that keeps the order of the moves."""
    file = tmp_path / "mine.py"
    file.write_text("def order(board, legal):\n    return legal\n", encoding="utf-8")
    return f"{file}:order"


def test_an_own_ordering_works_on_large_games() -> None:
    game, board = "connect4", "..xx..o..oo..o.xxx.ooxooo.xxooxx.xxooxoxxo"
    expected = mb.answer(board, game)
    boards: set[str] = set()

    def order(board: str, legal: list[int]) -> dict[int, int]:
        boards.add(board)
        return middle_first(board, legal)

    found = mb.search(
        "alphabeta", board, game, ordering=order, order_all=True, use_table=True, time=3600
    )
    assert (found.score, found.best_moves) == (expected.score, tuple(expected.best_moves))
    assert 0 < len(boards) <= found.nodes


def test_a_search_whose_time_is_up_says_so() -> None:
    with pytest.raises(mb.DataError, match=r"alphabeta has no result after 0\.05 s: allow more"):
        mb.search("alphabeta", game="connect4", ordering=middle_first, time=0.05)
    with pytest.raises(mb.DataError, match=r"alphabeta has no result after 0\.05 s"):
        mb.search("alphabeta", game="5x5k4", by_lines=True, use_table=True, time=0.05)
    with pytest.raises(mb.DataError, match=r"after 0\.05 s: .* by the option playouts"):
        mb.search("monte_carlo", playouts=1_000_000, time=0.05)
    with pytest.raises(mb.UsageError, match="expected more than 0"):
        mb.search("alphabeta", time=0)


def test_deepening_returns_what_it_has() -> None:
    found = mb.search("pvs", game="connect4", evaluation=more_marks, time=0.2)
    assert found.score in {0, 1}
    assert len(found.best_moves) <= 1
    assert found.best_moves == found.principal_variation[:1]


@pytest.mark.parametrize("algorithm", ["depth_limited", "iterative_deepening", "pvs"])
def test_a_table_does_not_mix_images_of_an_own_evaluation(algorithm: str) -> None:
    def by_number(board: str) -> int:
        own, other = "ox" if board.count("o") > board.count("x") else "xo"
        signs = {own: 1, other: -1, ".": 0}
        return sum(signs[mark] << cell for cell, mark in enumerate(board))

    without, found = (
        mb.search(algorithm, max_depth=4, evaluation=by_number, use_table=use_table)
        for use_table in (False, True)
    )
    assert (found.score, found.best_moves) == (without.score, without.best_moves)
    assert found.nodes < without.nodes
    assert found.table_size > 0


def test_a_search_forgets_the_line_of_a_stopped_one() -> None:
    game = Game("3x3k3")
    options = options_of(Algorithm.PVS, evaluation=find("ai14s"))
    search = Search(options, Graph(new_board(game)))
    calls = iter([*[False] * 30, True])
    assert search.result(EMPTY, stop=lambda: next(calls, True)).best_moves
    finished = from_text(game, "ooo.xx...")
    assert search.result(finished).best_moves == ()


def test_the_sums_over_critical_classes_are_those_of_the_table(
    marubatsu: Marubatsu, mine: str
) -> None:
    """Our orderings have the sums of table `searches`, and one's own that orders alike has them."""
    done = marubatsu("search", "3x2k2", "--critical", "--ordering", mine, "-f", "csv")
    assert (done.returncode, without_box(done.stderr)) == (0, "")
    rows = {row["ordering"]: row for row in rows_of(done)}
    sql = (
        "select coalesce(ordering, 'none') as ordering, nodes from savings where scope = "
        "'critical classes' and ordering is distinct from 'perfect' and not order_all "
        "and not init_window and not use_table"
    )
    done = marubatsu("sql", sql, "--game", "3x2k2", "-f", "csv")
    known = {row["ordering"]: row["nodes"] for row in rows_of(done)}
    assert len(known) > 3
    assert {name: rows[name]["nodes"] for name in known} == known
    assert rows[mine]["nodes"] == known["none"]


def test_each_move_is_searched_by_itself(marubatsu: Marubatsu) -> None:
    done = marubatsu("search", "tictactoe", "o...x...o", "--use-table", "--by-move", "-f", "csv")
    rows = rows_of(done)
    truth = {move.move: move.score for move in mb.answer("o...x...o").moves}
    assert {int(row["move"]): int(row["score"]) for row in rows} == truth
    for row in rows:
        alone = mb.search("alphabeta", f"0,4,8,{row['move']}", use_table=True)
        assert (int(row["nodes"]), int(row["table_size"])) == (alone.nodes, alone.table_size)
    assert (
        "an algorithm, not a game: expected --algorithm scout"
        in marubatsu("search", "scout").stderr
    )


def test_best_moves_of_a_depth_are_those_of_one_search(marubatsu: Marubatsu) -> None:
    """In a limited time, searches with other orderings may end at other depths."""
    words = ("search", "2x2k2", "--algorithm=iterative_deepening", "--evaluation=ai1s", "-f", "csv")
    for time in ((), ("--time", "60")):
        first, *others = csv.DictReader(marubatsu(*words, *time).stdout.splitlines())
        moves = {(row["best_moves"], row["principal_variation"]) for row in others}
        assert moves == {("", "") if time else (first["best_moves"], first["principal_variation"])}
        assert first["best_moves"] == "[2, 3]"


def test_compare_counts_an_own_ordering_and_keeps_it_not(
    marubatsu: Marubatsu, mine: str, tmp_path: Path
) -> None:
    compared = ("compare", "2x2k2", "--data", str(tmp_path / "data"), "-f", "csv")
    ours = rows_of(marubatsu(*compared))
    own = marubatsu(*compared, "--ordering", mine)
    rows = rows_of(own)
    assert rows[: len(ours)] == ours
    nodes = {row["setting"]: row["nodes"] for row in rows}
    assert len(rows) == len(ours) + 4 + 1
    assert nodes[f"alphabeta {mine}"] == nodes["alphabeta"]
    assert nodes[f"alphabeta {mine} table"] == nodes["alphabeta table"]
    assert rows_of(marubatsu(*compared)) == ours


def test_the_curve_of_an_ordering_lies_between_none_and_the_fewest(
    marubatsu: Marubatsu, mine: str, tmp_path: Path, root: Path
) -> None:
    """The fewest are those of the view, which derives them in SQL."""
    game = Game("3x2k2")
    positions = positions_of(game)
    fewest = least_curve(game, positions)
    assert fewest is not None
    sql = "select board, least_nodes.nodes from positions join least_nodes using (position)"
    known = dict(mb.sql(sql, game.name, data=root).fetchall())
    assert fewest == [known[to_text(game, position)] for position in positions]
    own = count_ordering(game, find("ai14s"), limit=10**6, seconds=3600, progress=ignored)
    for setting, counted in own.counted.items():
        if not setting.options.use_table:
            assert all(m >= f for m, f in zip(curve(counted), fewest, strict=True) if m)
    words = ("compare", "3x2k2", "--data", str(tmp_path / "data"))
    for name in ("one.svg", "two.svg"):
        plotted = (*words, "--ordering", mine, "--plot", str(tmp_path / name))
        done = marubatsu(*plotted)
        assert done.returncode == 0, done.stderr
    picture, again = ((tmp_path / name).read_text("utf-8") for name in ("one.svg", "two.svg"))
    assert picture == again
    for said in (
        "Nodes of alpha-beta on 3x2k2; numbers: from the empty board", "nodes",
        "position, from the most nodes of the first curve", f"least possible: {fewest[0]}",
    ):  # fmt: skip
        assert f"<!-- {said} -->" in picture
    alone = marubatsu(*words, "--plot", str(tmp_path / "three.svg"))
    assert alone.returncode == 2
    assert "--plot draws the curve of an ordering: add --ordering AI" in alone.stderr


def test_compare_asks_an_own_ordering_on_large_games(mine: str, tmp_path: Path) -> None:
    compared = (
        "compare", "connect4", "--ordering", mine, "--limit", "20",
        "--plot", str(tmp_path / "nodes.svg"),
    )  # fmt: skip
    done = run_here(*compared, data=tmp_path / "data")
    assert done.returncode == 0, done.stderr
    own = [line for line in done.stdout.splitlines() if line.startswith(f"alphabeta {mine}")]
    assert len(own) == 4
    assert f"\n{mine} was asked about " in done.stdout
    assert "least possible" not in done.stdout
    late = run_here(*compared, "--time", "0", data=tmp_path / "data")
    assert late.returncode == 0, late.stderr
    assert "; no time for 4 of its settings: lower --limit or raise --time" in late.stdout
    assert "nodes.svg is not drawn: no setting was counted" in late.stderr


def test_a_signal_ends_an_own_ordering() -> None:
    """The ordering answers in the background, so the signal comes between its answers."""
    boards = list[str]()

    def order(board: str, legal: list[int]) -> Reply:
        boards.append(board)
        if len(boards) == 50:
            os.kill(os.getpid(), signal.SIGINT)
        return Reply(tuple(legal), tuple(map(float, legal)))

    ai = ordering_of("slow", order)
    # A shell that runs the tests in the background may have it ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(Interrupted):
            count_ordering(Game("4x4k4"), ai, limit=10**9, seconds=3600, progress=ignored)
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(boards) >= 50


@pytest.mark.parametrize(
    ("board", "drawn"), [("o...x...o", ()), ("o........", ("--ordering", "ai14s", "--seed", "3"))]
)
def test_a_shared_table_goes_from_move_to_move(
    marubatsu: Marubatsu, board: str, drawn: tuple[str, ...]
) -> None:
    """It saves nodes, and a search with a time goes on with the table and the draws as well."""
    words = ("search", "tictactoe", board, "--use-table", "--by-move", "-f", "csv", *drawn)
    alone, shared, timed = (
        rows_of(marubatsu(*words, *more))
        for more in ([], ["--share-table"], ["--share-table", "--time", "60"])
    )
    assert [row["score"] for row in alone] == [row["score"] for row in shared]
    nodes = [[int(row["nodes"]) for row in rows] for rows in (alone, shared, timed)]
    assert nodes[1] == nodes[2]
    assert nodes[0][0] == nodes[1][0]
    assert sum(nodes[1]) < sum(nodes[0])
    sizes = [int(row["table_size"]) for row in shared]
    assert sizes == sorted(sizes)
    for wrong in (["--algorithm", "pvs"], ["--techniques", "killers"]):
        assert marubatsu(*words, "--share-table", *wrong).returncode == 2


def test_a_search_with_a_time_says_how_far_it_is() -> None:
    now, notes = [10.0], list[str]()
    stop = time_is_up(30, lambda share, note="": notes.append(note), lambda: now[0])
    assert not stop()
    now[0] = 22.4
    assert not stop()
    now[0] = 40.5
    assert stop()
    assert notes == ["0 of 30 s", "12 of 30 s", "30 of 30 s"]
