"""Two builders, two solvers: the same tree, and the same values on every node of it."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from operator import attrgetter
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import RESULTS, Position, Side
from marubatsu.engine.tree.breadth_first import build_breadth_first
from marubatsu.engine.tree.depth_first import build_depth_first
from marubatsu.engine.tree.full_tree import Tree, tree_difference
from marubatsu.engine.tree.induction import hardness, only_moves, score_positions
from marubatsu.engine.tree.positions import enumerate_positions
from tests.helpers.data.data_sets import TREE_GAMES
from tests.helpers.slow.slow_scores import judge
from tests.helpers.slow.slow_solution import values_of

VALUES = (
    "score", "score_sv", "score_svrd", "distance", "best_moves", "best_moves_sv", "best_moves_svrd",
)  # fmt: skip

GAMES = [*TREE_GAMES, "3x3k3-gravity-misere", "3x2k3", "2x2k1", "1x1", "9x1k2-misere"]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("column", "node", "value", "line"),
    [
        ("line", 2, 19, "line 12 (board ox..)"),
        ("line", 1, 2, "line 1 (board o...)"),
        ("ply", 1, 4, "line 1 (board o...)"),
        *(
            (column, 40, 9, "line 432 (board .oxo)")
            for column in ("move", "circle", "cross", "subtree", "parent")
        ),
    ],
)
def test_the_first_difference_of_two_trees_is_named(
    column: str, node: int, value: int, line: str
) -> None:
    game = Game("2x2k2")
    one, other = build_breadth_first(game), build_depth_first(game)
    assert tree_difference(game, one, other) is None
    values = getattr(other, column).copy()
    values[node] = value
    different = tree_difference(game, one, replace(other, **{column: values}))
    assert different == (
        f"the depth-first tree has another node where the breadth-first one has {line}"
    )


def test_a_node_that_is_there_twice_is_a_difference() -> None:
    game = Game("2x2k2")
    one, other = build_breadth_first(game), build_depth_first(game)
    columns = {name: np.append(values, values[-1]) for name, values in vars(other).items()}
    error = tree_difference(game, one, Tree(**columns))
    assert error == "41 nodes breadth first, 42 depth first"


@pytest.mark.quick
@pytest.mark.parametrize("name", GAMES)
def test_both_builders_make_the_same_tree(name: str) -> None:
    game = Game(name)
    assert tree_difference(game, build_breadth_first(game), build_depth_first(game)) is None


@pytest.mark.parametrize("name", TREE_GAMES)
def test_plain_recursion_agrees_with_the_tables_in_every_position(root: Path, name: str) -> None:
    stored = pq.read_table(
        root / name / "positions.parquet", columns=["circles", "crosses", *VALUES]
    )
    judged = judge(Game(name))
    assert len(judged) == stored.num_rows
    for circle, cross, *values in zip(*(column.to_pylist() for column in stored), strict=True):
        position = Position(circle, cross)
        assert list(attrgetter(*VALUES)(judged[position])) == values, position


@pytest.mark.quick
@pytest.mark.parametrize("name", ["tictactoe", "3x3k3-misere", "2x4k2", "1x1", "5x3k3-gravity"])
def test_random_play_is_exact(name: str) -> None:
    """Fractions, position by position; those of the last game have a denominator of 57 bits."""
    positions = enumerate_positions(Game(name))
    chances: dict[int, list[Fraction]] = {}
    for i in reversed(range(len(positions))):
        children = positions.child[positions.first_move[i] : positions.first_move[i + 1]].tolist()
        after = [chances[child] for child in children]
        status = positions.game.status(positions[i])
        chances[i] = [Fraction(status is result) for result in RESULTS]
        if after:
            chances[i] = [sum(each, Fraction(0)) / len(after) for each in zip(*after, strict=True)]
    for i, stored in enumerate(score_positions(positions).random.tolist()):
        assert stored == [float(fraction) for fraction in chances[i]]
    if name == "tictactoe":
        assert chances[0] == [Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420)]


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3-misere", "4x3k3-gravity"])
def test_difficulty_is_what_its_definition_says(name: str) -> None:
    game = Game(name)
    values = values_of(game)

    @cache
    def best(position: Position) -> list[Position]:
        children = [position.after(move) for move in game.legal_moves(position)]
        scores = [-values[child][0] for child in children]
        return [each for each, score in zip(children, scores, strict=True) if score == max(scores)]

    @cache
    def to_find(position: Position, side: Side) -> int:
        below = [to_find(child, side) for child in best(position)]
        if not below:
            return 0
        if position.turn is not side:
            return max(below)
        return min(below) + (len(below) == 1 < len(game.legal_moves(position)))

    positions = enumerate_positions(game)
    scores = score_positions(positions)
    chances, counts = (of(positions, scores).tolist() for of in (hardness, only_moves))
    for position, chance, only in zip(positions, chances, counts, strict=True):
        legal = len(game.legal_moves(position)) or 1
        assert chance == (legal - len(best(position) or [1])) / legal
        assert only == to_find(position, position.turn)
    assert sum(counts) > 0
