"""The oracle by search: the answers of other oracles, and bounds when it is stopped."""

import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from marubatsu.engine.kernels import exact_search
from marubatsu.engine.kernels.exact_search import ExactSearch
from marubatsu.engine.large.values import Bounds
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.judge.oracle import search_oracle
from marubatsu.judge.oracle.answer import Answer, BoundedAnswer
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.judge.oracle.oracle import Oracle, TableOracle
from marubatsu.judge.oracle.search_oracle import SearchOracle
from marubatsu.pipeline.support.errors import OutOfTimeError
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.data.played import reachable

pytestmark = pytest.mark.usefixtures("kernels")

TABLES = ("3x3k3-misere", "3x3k3-gravity", "2x4k2", "3x2k3-torus")
ARRAYS = ("circle", "cross", "status", "score", "distance", "first_move", "move", "move_score",
          "move_distance", "loss")  # fmt: skip
COMMON = ("game", "board", "ply", "turn", "status", "score", "score_sv", "distance", "moves",
          "orbit")  # fmt: skip
MEMORY = 1 << 24
LATE = "......ox.o...xo.o.x.oxxx.oxoooxxooxoxxoxxo"


def by_search(name: str, **options: Any) -> SearchOracle:
    return SearchOracle(Game(name), memory=MEMORY, **options)


def of_tables(root: Path, name: str) -> Oracle:
    return TableOracle(DataSet(root, Game(name)))


@pytest.mark.parametrize("name", TABLES)
def test_a_search_answers_as_the_tables_do(name: str, root: Path) -> None:
    oracle, tables = by_search(name), of_tables(root, name)
    positions = sorted(reachable(tables.game))
    sample = Random(1).sample(positions, min(len(positions), 150))
    for position in sample:
        answer, expected = oracle.answer(position), tables.answer(to_text(tables.game, position))
        for field in COMMON:
            assert getattr(answer, field) == getattr(expected, field), (position, field)
        assert answer.to_json().keys() == expected.to_json().keys()
        assert oracle.within(position) == answer
    circle, cross = (np.array(masks) for masks in zip(*sample, strict=True))
    ours, theirs = (each.answer_many((circle, cross)) for each in (oracle, tables))
    for name_of_array in ARRAYS:
        left, right = (getattr(answers, name_of_array) for answers in (ours, theirs))
        assert np.array_equal(left, right), name_of_array


def test_a_game_without_data_is_searched_where_it_is_too_large_to_be_built(tmp_path: Path) -> None:
    oracle = open_oracle(DataSet(tmp_path, Game("connect4")), memory=MEMORY)
    assert isinstance(oracle, SearchOracle)
    answer = oracle.answer(
        " ".join(f"{column}{row}" for column in "dceagb" for row in range(1, 7)[:5])
    )
    assert answer.ply == 30


@pytest.fixture
def _slow_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each look at the clock take a second; a search looks at it after every 5 nodes."""
    monkeypatch.setattr(exact_search, "SLICE", 5)
    monkeypatch.setattr(search_oracle, "time", SimpleNamespace(monotonic=count().__next__))


def require_bounds(found: BoundedAnswer, truth: Answer) -> None:
    """Assert that bounds hold the truth, and are about the same position and moves."""
    for field in ("game", "board", "ply", "turn"):
        assert getattr(found, field) == getattr(truth, field)
    assert found.at_least <= truth.score_sv <= found.at_most
    tells_score = found.at_least > 0 or found.at_most < 0 or found.at_least == found.at_most
    assert found.score == (truth.score if tells_score else None)
    moves = {move.move: move for move in truth.moves}
    assert sorted(move.move for move in found.moves) == sorted(moves)
    for move in found.moves:
        assert move.board_after == moves[move.move].board_after
        assert move.at_least <= moves[move.move].score_sv <= move.at_most


@pytest.mark.usefixtures("_slow_clock")
@pytest.mark.parametrize("name", TABLES)
def test_a_stopped_search_gives_bounds_that_hold_the_truth(name: str, root: Path) -> None:
    tables = of_tables(root, name)
    sample = [EMPTY, *Random(2).sample(sorted(reachable(tables.game)), 12)]
    for position in sample:
        truth = tables.answer(position)
        widths = []
        for seconds in (2**n - 1 for n in count()):
            found = by_search(name, seconds=seconds).within(position)
            if isinstance(found, Answer):
                assert (found.score, found.distance) == (truth.score, truth.distance)
                assert found.moves == truth.moves
                break
            require_bounds(found, truth)
            widths.append(found.at_most - found.at_least)
        assert widths == sorted(widths, reverse=True)
        assert len(widths) > 2 or position != EMPTY


@pytest.mark.usefixtures("_slow_clock")
def test_a_search_without_time_gives_bounds() -> None:
    oracle = by_search("7x6k4-gravity", seconds=0)
    found = oracle.within(EMPTY)
    assert isinstance(found, BoundedAnswer)
    assert (found.at_least, found.at_most, found.score, found.nodes) == (-21, 21, None, 0)
    assert str(found).endswith("circle to move: nothing yet; nothing was searched")


def test_a_finished_position_needs_no_search() -> None:
    oracle = by_search("connect4")
    assert oracle.answer("d1 a1 d2 a2 d3 a3 d4").distance == 0
    assert "_search" not in vars(oracle)


def test_the_time_begins_when_the_search_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is compiled once on each machine, which may take longer than the time to search."""
    now, expected = [0.0], by_search("connect4").answer(LATE)
    make_ready = ExactSearch.make_ready

    def slowly(search: ExactSearch) -> None:
        now[0] += 3600
        make_ready(search)

    monkeypatch.setattr(search_oracle, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(ExactSearch, "make_ready", slowly)
    assert by_search("connect4", seconds=1).answer(LATE) == expected
    assert now[0] > 0


@pytest.mark.usefixtures("_slow_clock")
def test_out_of_time_errors_give_the_bounds() -> None:
    """The bounds are of the position of the search: that of the question, or one a move later."""
    with pytest.raises(OutOfTimeError) as caught:
        by_search("connect4", seconds=0).answer(EMPTY)
    assert re.fullmatch(
        r"the search of '[.ox]{42}' was stopped after 0 s, and knows: nothing yet; "
        r"more time would tell more",
        str(caught.value),
    )


@pytest.mark.usefixtures("_slow_clock")
def test_each_answer_counts_its_own_nodes() -> None:
    """In 20 s, the search looks at the clock 18 times."""
    oracle = by_search("connect4", seconds=20)
    for board in (EMPTY, "d1", EMPTY):
        found = oracle.within(board)
        assert isinstance(found, BoundedAnswer)
        assert found.nodes == 18 * 5


@pytest.mark.parametrize("after", [0, 1, 5, 11])
def test_ctrl_c_returns_the_bounds_so_far(
    after: int, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It comes while the search is between two steps; afterwards the oracle goes on answering."""
    name = "tictactoe"
    narrow, steps = ExactSearch.narrow, count()

    def interrupted(*arguments: Any) -> Iterator[Bounds]:
        for bounds in narrow(*arguments):
            if next(steps) == after:
                raise KeyboardInterrupt
            yield bounds

    oracle, truth = by_search(name), of_tables(root, name).answer(EMPTY)
    monkeypatch.setattr(exact_search, "SLICE", 5)
    monkeypatch.setattr(ExactSearch, "narrow", interrupted)
    found = oracle.within(EMPTY, until_interrupted=True)
    assert isinstance(found, BoundedAnswer)
    require_bounds(found, truth)
    again = oracle.within(EMPTY)
    assert isinstance(again, Answer)
    assert again.moves == truth.moves


def test_progress_is_a_share_and_what_is_known_so_far() -> None:
    reports = list[tuple[float | None, str]]()
    by_search("tictactoe").within(EMPTY, lambda share, note="": reports.append((share, note)))
    shares = [share for share, _ in reports if share]
    assert len(shares) == len(reports)
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.1
    assert 0.9 < shares[-1] < 1
    notes = [note for _, note in reports]
    assert notes[0] == "nothing yet"
    assert "circle gets at least a draw, b2 looks best" in notes
    assert notes[-1].startswith("draw, ")
    assert notes[-1].endswith(" is a best move")
