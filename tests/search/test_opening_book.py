"""The opening books that come with the code: complete, right in SQL, and equal to searches."""

import csv
from collections.abc import Iterator, Mapping
from functools import reduce
from pathlib import Path
from random import Random

import numpy as np
import pytest

import marubatsu as mb
from marubatsu.engine.kernels.exact_search import ExactSearch
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.engine.rules.symmetry import class_members
from marubatsu.judge.oracle.answer import BoundedAnswer
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.judge.oracle.search_oracle import SearchOracle
from marubatsu.pipeline.checking.checks import run_check
from marubatsu.pipeline.laboratory import kept_tables
from marubatsu.pipeline.laboratory.kept_tables import BOOKS, Found, bounds_after_all, positions_of
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import checks
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.web.games import open_game
from tests.helpers.processes.commands import run_here
from tools.generators import opening_book
from tools.generators.opening_book import MOST_BYTES, classes_of, rows_of

CONNECT4 = Game("connect4")
KNOWN = {"a1": -1, "b1": -1, "c1": 0, "d1": 1, "e1": 0, "f1": -1, "g1": -1}
"""Scores of the first moves, as everyone gives them."""


def books() -> list[Game]:
    return [Game(path.stem) for path in sorted(BOOKS.glob("*.csv"))]


def listed(game: Game) -> Iterator[dict[str, str]]:
    text = (BOOKS / f"{game.name}.csv").read_text(encoding="utf-8").splitlines()
    return csv.DictReader(line for line in text if not line.startswith("#"))


@pytest.mark.parametrize("game", books(), ids=lambda game: game.name)
def test_a_book_has_every_class_up_to_a_ply_once(game: Game) -> None:
    """Its rows are those that the generator writes from its own answers."""
    text = (BOOKS / f"{game.name}.csv").read_text(encoding="utf-8")
    assert len(text) <= MOST_BYTES
    found, rows = kept_tables.read_book(game), list(listed(game))
    classes = classes_of(game, found)
    assert list(classes.values()) == [row["line"] for row in rows]
    assert found.keys() == classes.keys()
    for row in rows[::50]:
        columns = [int(column) - 1 for column in row["line"]]
        (position,) = positions_of(game, [row["line"]])
        assert position == reduce(lambda at, x: dropped(game, at, x), columns, EMPTY)
    written = opening_book.render(rows_of(game, classes, found, scores_after(game, found)), game)
    about, _, *lines = written.splitlines()  # The second line names the version.
    assert [about, *lines] == [*text.splitlines()[:1], *text.splitlines()[2:]]


def scores_after(game: Game, found: Mapping[Position, Found]) -> dict[Position, int]:
    """Return the scores after the last ply that follow from it: its moves never contradict."""
    ply = max(position.ply for position in found)
    last = [position for position in found if position.ply == ply]
    bounds = bounds_after_all(game, last, found)
    assert all(low <= high for low, high in bounds.values())
    return {position: (low > 0) - (low < 0) for position, (low, _) in bounds.items()}


def dropped(game: Game, position: Position, column: int) -> Position:
    (move,) = (move for move in game.legal_moves(position) if move % game.columns == column)
    return position.after(move)


@pytest.mark.parametrize("game", books(), ids=lambda game: game.name)
def test_sql_derives_a_book_from_the_answers_after_each_move(game: Game, tmp_path: Path) -> None:
    data_set = DataSet(tmp_path, game)
    kept_tables.add_answers(data_set, kept_tables.read_book(game))
    with open_catalog(data_set) as catalog:
        outcome = run_check(catalog, checks()["answers"])
    assert (outcome.verdict, outcome.examined) == ("pass", len(list(listed(game))))


@pytest.mark.parametrize("game", books(), ids=lambda game: game.name)
def test_the_best_moves_of_a_book_are_those_of_the_oracle(game: Game, tmp_path: Path) -> None:
    oracle = open_oracle(DataSet(tmp_path, game), seconds=0)
    rows = list(listed(game))
    for row in Random(0).sample(rows, min(300, len(rows))):
        (shown,) = positions_of(game, [row["line"]])
        position = max(class_members(game, shown))
        columns = [*range(1, game.columns + 1)]
        if position != shown:
            columns.reverse()
        answer = oracle.within(position)
        score, distance = int(row["score"]), int(row["distance"])
        if isinstance(answer, BoundedAnswer):
            score_sv = game.score_sv(score, position.ply + distance)
            assert answer.at_least == answer.at_most == score_sv
        else:
            assert (answer.score, answer.distance) == (score, distance)
        best = sorted(columns[move % game.columns] for move in answer.best_moves)
        assert "".join(map(str, best)) == row["best"]


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("game", books(), ids=lambda game: game.name)
def test_a_search_without_the_book_has_its_values(game: Game) -> None:
    """Some classes of the last ply and the moves there, with an empty table."""
    found = kept_tables.read_book(game)
    plies = max(position.ply for position in found)
    search = ExactSearch(game, memory=1 << 27)
    for position in Random(3).sample([each for each in found if each.ply == plies], 2):
        value = found[position].value
        assert search.value(position) == value
        for move in game.legal_moves(position):
            narrowed = search.narrow(position.after(move))
            after = next(bounds for bounds in narrowed if bounds.tells_result)
            is_best = str(move % game.columns + 1) in found[position].best
            assert is_best == (np.sign(after.low) == -np.sign(value))


@pytest.mark.parametrize("line", ["115767", "433636"])
def test_best_moves_of_a_book_that_are_drawn_need_no_search(line: str, tmp_path: Path) -> None:
    (position,) = positions_of(CONNECT4, [line])
    answer = open_oracle(DataSet(tmp_path, CONNECT4), seconds=0).answer(position)
    assert (answer.score, {move.score for move in answer.moves}) == (0, {0})


def test_an_unfinished_position_is_not_won_at_once(tmp_path: Path) -> None:
    """Where circle may win at once, the other moves have bounds of what is possible."""
    (position,) = positions_of(CONNECT4, ["121312"])
    found = open_oracle(DataSet(tmp_path, CONNECT4), seconds=0).within(position)
    assert isinstance(found, BoundedAnswer)
    at_once, later = (CONNECT4.score_sv(1, position.ply + plies) for plies in (1, 3))
    assert found.at_least == found.at_most == at_once > later
    most = {move.move: move.at_most for move in found.moves}
    assert most.pop(14) == at_once  # It completes the line.
    assert max(most.values()) == later


def test_connect4_is_answered_at_once(tmp_path: Path) -> None:
    answer = mb.answer("." * 42, "connect4", time=0, data=tmp_path)
    assert (answer.score, answer.distance, answer.best_moves) == (1, 41, (38,))
    scores = {"abcdefg"[move.move % 7] + "1": move.score for move in answer.moves}
    assert scores == KNOWN
    done = run_here("best", "connect4", "--time", "0", data=tmp_path)
    assert done.stdout.startswith("circle to move: circle wins in 41 plies with best play\n")
    assert done.stdout.split()[-5:] == ["d1", "circle", "wins", "40", "yes"]
    with open_game(DataSet(tmp_path, CONNECT4)) as opened:
        assert opened.glance("." * 42) == answer


def test_a_game_without_a_book_has_no_answers() -> None:
    assert kept_tables.read_book(Game("6x6k4-gravity")) == {}


def test_kept_answers_are_added_to_the_book(tmp_path: Path) -> None:
    data_set, deep = DataSet(tmp_path, CONNECT4), positions_of(CONNECT4, ["4444441213"])
    (position,) = deep
    kept = {position: Found(0, 1)}
    kept_tables.add_answers(data_set, kept)
    assert kept_tables.known_answers(data_set) == kept_tables.read_book(CONNECT4) | kept
    oracle = open_oracle(data_set, seconds=0)
    assert isinstance(oracle, SearchOracle)
