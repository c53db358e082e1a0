"""The compiled kernels: their values of a ply follow from the rules, position by position."""

import numpy as np
import pytest

from marubatsu.engine.large import arrays
from marubatsu.engine.large.gravity_passes import evaluate_reached
from marubatsu.engine.large.index import Index
from marubatsu.engine.large.passes import evaluate
from marubatsu.engine.large.rows import count_lines
from marubatsu.engine.large.values import FAR, NULL
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from tests.helpers.data.played import after
from tests.helpers.slow.slow_rules import legal_moves, status

LARGE = (("4x5k4", 6), ("5x5k4", 5), ("5x5k4-gravity", 11), ("7x6k4-gravity", 9))
BLOCKS = 4  # of a large game


def neighbours(index: Index, ply: int, values: np.ndarray) -> arrays.Neighbours:
    """Hold the values of a ply, one for all rows that show the same class."""
    shape = index.shape(ply)
    rows = index.of(*index.masks(ply, np.arange(shape.rows)))
    return arrays.Neighbours(values[rows], arrays.first_rows_of(arrays.ply_of(index, ply)))


def values_of(
    rules: arrays.Rules, of: arrays.Ply, first: int, last: int, behind: arrays.Neighbours
) -> list[int]:
    """Return the values of rows, from those of the next ply: play reaches all of both."""
    values = np.full(last - first, NULL)
    if rules.gravity:
        words = arrays.packed(np.ones(behind.values.size, np.bool_))
        ranks = np.empty_like(words)
        assert arrays.ranks_of(words, ranks) == behind.values.size
        after = arrays.Reached(words, ranks, *behind)
        evaluate_reached(
            of, first, last, rules, after, arrays.packed(np.ones_like(values, bool)), values
        )
    else:
        evaluate(of, first, last, rules, behind, values)
    return [int(value) for value in values]


def positions(index: Index, ply: int, first: int, last: int) -> list[Position]:
    sides = (side.tolist() for side in index.masks(ply, np.arange(first, last)))
    return [Position(*pair) for pair in zip(*sides, strict=True)]


def rows_of(index: Index, shown: list[Position]) -> list[int]:
    """Return the row of the class of each position, in its ply."""
    circle, cross = np.array(shown, np.int64).reshape(-1, 2).T
    rows: list[int] = index.of(circle, cross).tolist()
    return rows


def expected(index: Index, shown: list[Position], behind: np.ndarray) -> list[int]:
    """Return the values of positions, from those of the rows of the next ply."""
    game = index.game
    end = FAR if game.misere else -FAR
    moves = [legal_moves(game, position) for position in shown]
    children = [
        after(position, move) for position, of in zip(shown, moves, strict=True) for move in of
    ]
    rows = iter(rows_of(index, children))
    values = []
    for of in moves:
        least = min((int(behind[next(rows)]) for _ in of), default=None)
        values.append(end if least is None else -least + (least > 0) - (least < 0))
    return values


@pytest.mark.parametrize(("name", "ply"), LARGE)
def test_neighbours_in_large_games_are_those_of_the_rules(name: str, ply: int) -> None:
    game, random = Game(name), np.random.default_rng(2)
    index = Index(game)
    of, rules = arrays.ply_of(index, ply), arrays.rules_of(index)
    before = np.ones(index.shape(ply - 1).rows, np.uint32)
    known = arrays.Neighbours(before, arrays.first_rows_of(arrays.ply_of(index, ply - 1)))
    behind = random.integers(-60, 60, index.shape(ply + 1).rows).astype(np.int8)
    next_ply = neighbours(index, ply + 1, behind)
    compared = 0
    for block in random.choice(len(of.blocks), BLOCKS, replace=False).tolist():
        first, last = block * of.size, (block + 1) * of.size
        shown = positions(index, ply, first, last)
        lines = np.zeros(of.size, np.uint32)
        count_lines(of, first, last, rules, known, lines)
        for position, count in zip(shown, lines.tolist(), strict=True):
            marks = position.circle if ply % 2 else position.cross
            covered = position.occupied << game.columns if game.gravity else 0
            assert count == (marks & ~covered).bit_count()
        out = values_of(rules, of, first, last, next_ply)
        right = expected(index, shown, behind)
        playing = [row for row in range(of.size) if status(game, shown[row]) == "playing"]
        assert [out[row] for row in playing] == [right[row] for row in playing]
        compared += len(playing)
    assert compared > 100 * BLOCKS
