"""Rewards of moves: equal to the tables, the solution and the search, one at a time and many."""

from array import array
from collections import defaultdict
from itertools import groupby, product
from operator import itemgetter
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import marubatsu as mb
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.numbering import Numbering, move_text
from marubatsu.engine.rules.position import Position
from tests.helpers.data.data_sets import Solutions
from tests.helpers.data.played import played

NAN = float("nan")
MOVES = """
    select
        positions.position, positions.circles, positions.crosses,
        moves.child, moves.move, moves.loss, moves.is_best,
        case positions.turn when 'circle' then 1 else -1 end as sign,
        sign * positions.score as score_before, positions.distance as distance_before,
        sign * after.score as score_after, after.distance as distance_after,
    from '{0}/moves.parquet' as moves
    join '{0}/positions.parquet' as positions using (position)
    join '{0}/positions.parquet' as after on moves.child = after.position
"""


@pytest.mark.parametrize("name", ["tictactoe", "3x2k2", "3x3k3-misere", "3x3k3-gravity"])
def test_the_rewards_of_all_moves_are_those_of_the_tables(root: Path, name: str) -> None:
    rows = duckdb.execute(MOVES.format(root / name)).fetchnumpy()
    masks = np.array(rows["circles"]), np.array(rows["crosses"])
    for potential in ("score", "speed"):
        for discount in (1.0, 0.9, 0.0):
            found = mb.rewards(
                name, masks, rows["move"], potential=potential, discount=discount, data=root
            )
            assert found.is_legal.all()
            assert np.array_equal(found.loss, rows["loss"])
            assert np.array_equal(found.is_best, rows["is_best"])
            cells = Game(name).cells
            quick = [1 - rows[f"distance_{when}"] / (2 * cells) for when in ("before", "after")]
            before, after = quick if potential == "speed" else (1, 1)
            ends = rows["distance_after"] == 0
            goal = np.where(ends, rows["score_after"], discount * rows["score_after"] * after)
            expected = goal - rows["score_before"] * before
            assert np.allclose(found.dense, expected, rtol=0, atol=1e-12)
            assert not np.signbit(found.dense[found.dense == 0]).any()
    assert name != "tictactoe" or len(rows["move"]) == 16_167


@pytest.mark.parametrize("name", ["tictactoe", "3x3k3-misere"])
@pytest.mark.parametrize("potential", ["score", "speed"])
@pytest.mark.parametrize("discount", [1.0, 0.9])
def test_the_move_with_the_greatest_return_is_a_best_move(
    root: Path, name: str, potential: str, discount: float
) -> None:
    """Some best moves earn less, unless rewards are the plain losses."""
    by_ply = MOVES + "order by positions.ply desc, positions.position"
    rows = duckdb.execute(by_ply.format(root / name)).fetchnumpy()
    masks = np.array(rows["circles"]), np.array(rows["crosses"])
    dense = mb.rewards(name, masks, rows["move"], potential=potential, discount=discount, data=root)
    moves = zip(rows["position"], rows["child"], rows["is_best"], dense.dense, strict=True)
    mover, other, fewer = defaultdict[int, float](float), defaultdict[int, float](float), 0
    for position, options in groupby(moves, itemgetter(0)):
        of = [(best, reward + discount * other[to], mover[to]) for _, to, best, reward in options]
        most = max(earned for _, earned, _ in of)
        earns_most = [earned > most - 1e-9 for _, earned, _ in of]
        assert all(best for (best, *_), earns in zip(of, earns_most, strict=True) if earns)
        fewer += sum(best for best, *_ in of) - sum(earns_most)
        mover[position] = most
        other[position] = fmean(later for best, _, later in of if best)
    assert (fewer == 0) == ((potential, discount) == ("score", 1))


def reward_of_many(game: str, board: str, move: Any, **options: Any) -> mb.Rewards:
    return mb.rewards(game, [board], [move], **options)


@pytest.mark.parametrize(
    ("option", "values", "refused"),
    [
        ("move", ["2", "c3", 2.0, True, None, (0, 2), [2], NAN, "2 "], "as (a whole|whole) number"),
        ("discount", [-1, 1.5, NAN, "1", None, True], "discount=.*: expected a number from 0 to 1"),
        ("illegal", [NAN, float("inf"), 10**400, "1", None, True],
         "illegal=.*: expected a finite number$"),
    ],
)  # fmt: skip
def test_odd_moves_discounts_and_rewards_are_refused(
    root: Path, option: str, values: list[Any], refused: str
) -> None:
    for ask, value in product((mb.reward, reward_of_many), values):
        options: dict[str, Any] = {"move": 2, option: value}
        with pytest.raises(mb.UsageError, match=refused):
            ask("tictactoe", "o...x...o", **options, data=root)


def random_moves(game: Game, count: int, first_ply: int) -> list[tuple[Position, int]]:
    """Return positions from a ply on, in random games, each with a random cell."""
    chance = Random(7)
    found: list[tuple[Position, int]] = []
    while len(found) < count:
        positions = played(game, chance)[first_ply:-1]
        found += [(position, chance.randrange(game.cells)) for position in positions]
    return found[:count]


@pytest.mark.parametrize(
    ("name", "first_ply", "count"), [("3x3k3-gravity-misere", 0, 120), ("connect4", 34, 20)]
)
def test_many_and_one_agree_with_answers(
    solutions: Solutions, name: str, first_ply: int, count: int
) -> None:
    """By a solution, and by a search; illegal moves are among them."""
    game = Game(name)
    data = None if name == "connect4" else solutions.of(name)
    drawn = random_moves(game, count, first_ply)
    boards = [to_text(game, position) for position, _ in drawn]
    many = mb.rewards(name, boards, [move for _, move in drawn], illegal=-5, data=data)
    assert 0 < many.is_legal.sum() < count
    opened = mb.oracle(name, data=data)
    for number, (board, (_, move)) in enumerate(zip(boards, drawn, strict=True)):
        losses = {each.move: each.loss for each in opened.answer(board).moves}
        one = mb.reward(name, board, move, illegal=-5, data=data)
        assert one.is_legal == bool(many.is_legal[number]) == (move in losses)
        assert one.loss == losses.get(move)
        assert one.dense == many.dense[number] == (-losses[move] if move in losses else -5)
        assert (one.plies_lost or 0) == many.plies_lost[number]


def test_a_reward_that_a_search_does_not_decide_is_none() -> None:
    found = mb.reward("6x6k4-gravity", "." * 36, 33, time=0.01)
    assert (found.is_legal, found.loss, found.dense) == (True, None, None)
    assert mb.reward("6x6k4-gravity", "." * 36, 0, time=0.01) == mb.Reward(
        is_legal=False, dense=-2.0
    )
    board = "." * 18 + "o.....o.....o.x.xx"
    for discount, dense in ((1, "0.0"), (0.9, "None")):
        wins = mb.reward("6x6k4-gravity", board, 12, time=0.01, discount=discount)
        assert (wins.is_best, wins.loss, str(wins.dense)) == (True, 0, dense)


def test_wrong_arguments_of_rewards_are_refused(root: Path) -> None:
    with pytest.raises(mb.UsageError, match="no potential 'sped': did you mean speed"):
        mb.reward("tictactoe", "o........", 1, potential="sped", data=root)
    with pytest.raises(mb.UsageError, match="is finished: it has no moves"):
        mb.reward("tictactoe", "ooo.xx...", 3, data=root)
    with pytest.raises(mb.UsageError, match="position 2 of 2 is finished"):
        mb.rewards("tictactoe", ["." * 9, "ooo.xx..."], [0, 3], data=root)
    for moves in ([1, 2], 1, b"1", bytearray(b"1"), [[1], [1, 2]], [None],
                  np.ma.array([1], mask=[True])):  # fmt: skip
        with pytest.raises(mb.UsageError, match=r"each of 1 board, .*, got .+; the option number"):
            mb.rewards("tictactoe", ["o........"], moves, data=root)  # type: ignore[arg-type]
    with pytest.raises(mb.UsageError, match=r"cell, as a whole number; the option numbering reads"):
        mb.reward("tictactoe", "o........", "b2", data=root)
    assert len(mb.rewards("tictactoe", [], [], data=root).loss) == 0


@pytest.mark.parametrize("numbering", ["columns", "columns-from-1", "names", "row-column", "cells"])
def test_moves_are_read_in_a_numbering(root: Path, numbering: str) -> None:
    """Each move that the rules allow, as each numbering writes it, has the reward of its cell."""
    game = Game("3x3k3-gravity")
    by = Numbering(numbering)
    positions = [position for position, _ in random_moves(game, 60, 0)]
    cells = [game.legal_moves(position)[-1] for position in positions]
    boards = [to_text(game, position) for position in positions]
    texts = [move_text(game, cell, by) for cell in cells]
    moves = [int(text) if text.isdecimal() else text for text in texts]
    expected = mb.rewards(game, boards, cells, data=root)
    assert expected.is_legal.all()
    for given in (moves, texts, np.array(moves)):
        found = mb.rewards(game, boards, given, numbering=numbering, data=root)
        assert np.array_equal(found.dense, expected.dense)
        assert found.is_legal.all()
    for board, cell, move in [*zip(boards, cells, moves, strict=True)][::20]:
        for each in (move, str(move), np.array([move])[0]):
            one = mb.reward(game, board, each, numbering=numbering, data=root)
            assert one == mb.reward(game, board, cell, data=root)


def test_a_column_for_a_cell_is_noted_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options: dict[str, Any] = {"data": root}
    for ask in (mb.reward, reward_of_many):
        ask("3x3k3-gravity", "." * 9, 2, numbering="cells", **options)
    assert not capsys.readouterr().err
    for ask in (mb.reward, reward_of_many):
        ask("3x3k3-gravity", "." * 9, 2, **options)
    assert capsys.readouterr().err.count("if moves are columns, add the option numbering=") == 1


class Series:
    """A move as Polars has it."""

    def to_list(self) -> list[int]:
        return [0, 2]


def test_moves_as_pairs_are_read(root: Path) -> None:
    options: dict[str, Any] = {"numbering": "row-column", "data": root}
    arrays = [np.array([0, 2]), array("b", [0, 2]), pa.chunked_array([[0, 2]]), Series()]
    pairs: list[Any] = [[0, 2], (0, 2), "0,2", *arrays]
    for pair in pairs:
        found = mb.reward("tictactoe", "o...x...o", pair, **options)
        assert found == mb.reward("tictactoe", "o...x...o", 2, data=root)
    many = mb.rewards("tictactoe", ["o...x...o"] * 2, np.array([[0, 2], [0, 1]]), **options)
    assert many.loss.tolist() == [1, 0]
    assert mb.answer(pairs[-1], **options).board == "..o......"


def test_a_move_of_a_numbering_that_is_not_legal_stays_illegal(root: Path) -> None:
    """A full column is a move of the game; a fourth column is none."""
    game = "3x3k3-gravity"
    options: dict[str, Any] = {"numbering": "columns", "data": root}
    moves = "0 0 0"
    assert mb.reward(game, moves, 0, **options) == mb.Reward(is_legal=False, dense=-2.0)
    many = mb.rewards(game, [moves, moves], range(2), illegal=-7, **options)
    assert many.is_legal.tolist() == [False, True]
    assert many.dense[0] == -7
    refused = "is no move of 3x3k3-gravity in the numbering columns: expected 0 to 2"
    for move in (3, -1, "d", 1.0, True, None, [1]):
        with pytest.raises(mb.InputError, match=refused):
            mb.reward(game, moves, move, **options)  # type: ignore[arg-type]
        with pytest.raises(mb.InputError, match=refused):
            mb.rewards(game, [moves, moves], [1, move], **options)  # type: ignore[list-item]
    for given in ([1], "11", 1, np.array(1), bytearray(b"11")):
        with pytest.raises(mb.UsageError, match="expected 2 moves, one for each board"):
            mb.rewards(game, [moves, moves], given, **options)  # type: ignore[arg-type]
    with pytest.raises(mb.InputError, match="for games with gravity"):
        mb.reward("tictactoe", "o........", 1, **options)
    with pytest.raises(mb.InputError, match="'colums' is no numbering: did you mean columns"):
        mb.rewards(game, [moves], [1], numbering="colums", data=root)
    assert len(mb.rewards(game, [], [], **options).loss) == 0
