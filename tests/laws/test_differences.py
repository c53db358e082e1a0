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
from marubatsu.engine.rules.position import EMPTY, RESULTS, Position, Side, Status
from marubatsu.engine.tree.breadth_first import build_breadth_first
from marubatsu.engine.tree.depth_first import build_depth_first
from marubatsu.engine.tree.differences import tree_difference
from marubatsu.engine.tree.induction import hardness, only_moves, score_positions
from marubatsu.engine.tree.positions import enumerate_positions
from tests.helpers.data.data_sets import TREE_GAMES, build_tree
from tests.helpers.slow.slow_scores import judge_tree
from tests.helpers.slow.slow_solution import values_of

WALKED_GAMES = [n for n in TREE_GAMES if n not in ("tictactoe", "1x9k3", "3x3k3-misere")]
"""Those whose trees Python walks node by node, without large ones that have no new rule."""

SMALL_MISERE = "3x2k2-misere"

GAMES = [*TREE_GAMES, "3x3k3-gravity-misere", "3x2k3", "2x2k1", "1x1", "9x1k2-misere"]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("column", "node", "value", "error"),
    [
        ("line", 2, 19, "only the breadth-first tree has line 12 (board ox..)"),
        ("line", 1, 2, "only the breadth-first tree has line 1 (board o...)"),
        ("ply", 1, 4, "line 1 (board o...) is at another place in the depth-first tree"),
        *(
            (column, 40, 9, "line 432 (board .oxo) is another node in the depth-first tree")
            for column in ("move", "circle", "cross", "subtree", "parent")
        ),
    ],
)
def test_the_first_difference_of_two_trees_is_named(
    column: str, node: int, value: int, error: str
) -> None:
    game = Game("2x2k2")
    one, other = build_breadth_first(game), build_depth_first(game)
    assert tree_difference(game, one, other) is None
    values = getattr(other, column).copy()
    values[node] = value
    assert tree_difference(game, one, replace(other, **{column: values})) == error


@pytest.mark.quick
@pytest.mark.parametrize("name", GAMES)
def test_both_builders_make_the_same_tree(name: str) -> None:
    game = Game(name)
    bfs, dfs = build_breadth_first(game), build_depth_first(game)
    assert len(bfs) == len(dfs)
    of_bfs, of_dfs = np.argsort(bfs.line), np.argsort(dfs.line)
    for column in ("line", "move", "circle", "cross", "ply", "subtree"):
        left, right = getattr(bfs, column)[of_bfs], getattr(dfs, column)[of_dfs]
        assert np.array_equal(left, right), column
    root = of_bfs[0]
    parents = bfs.line[bfs.parent[of_bfs]], dfs.line[dfs.parent[of_dfs]]
    assert np.array_equal(parents[0][1:], parents[1][1:])
    assert bfs.parent[root] == dfs.parent[of_dfs[0]] == -1


@pytest.mark.parametrize("name", [*WALKED_GAMES, SMALL_MISERE, "3x2k3", "9x1k2-misere"])
def test_trees_are_numbered_in_the_order_of_creation(name: str) -> None:
    """The breadth-first queue and the depth-first stack, written out."""
    game = Game(name)

    @cache
    def after(position: Position) -> list[tuple[int, Position]]:
        return [(m, game.play(position, m)) for m in game.legal_moves(position)]

    queue = [(0, EMPTY)]
    for line, position in queue:
        queue += [(line * 10 + m + 1, child) for m, child in after(position)]
    assert [line for line, _ in queue] == build_breadth_first(game).line.tolist()

    stack, lines = [(0, EMPTY)], []
    while stack:
        line, position = stack.pop()
        lines.append(line)
        stack += [(line * 10 + m + 1, child) for m, child in reversed(after(position))]
    assert lines == build_depth_first(game).line.tolist()


@pytest.mark.parametrize("name", [*WALKED_GAMES, SMALL_MISERE])
def test_plain_recursion_agrees_with_the_tables_on_every_node(
    root: Path, tmp_path: Path, name: str
) -> None:
    folder = build_tree(tmp_path, name).folder if name == SMALL_MISERE else root / name
    tree = pq.read_table(folder / "tree_dfs.parquet", columns=["line", "position"])
    position = dict(zip(tree["line"].to_pylist(), tree["position"].to_pylist(), strict=True))
    columns = ("score", "score_sv", "score_svrd", "distance", "best_moves", "best_moves_sv",
               "best_moves_svrd")  # fmt: skip
    stored = pq.read_table(folder / "positions.parquet", columns=list(columns))
    rows = list(zip(*(stored[column].to_pylist() for column in columns), strict=True))
    judged, judged_values = 0, attrgetter(*columns)
    for node in judge_tree(Game(name)):
        assert judged_values(node) == rows[position[node.line]], node.line
        judged += 1
    assert judged == len(position)


@pytest.mark.quick
@pytest.mark.parametrize("name", ["tictactoe", "3x3k3-misere", "3x3k3-gravity", "2x4k2", "1x1"])
def test_random_play_is_exact(name: str) -> None:
    """Fractions, position by position, as forward as the definition reads."""
    game = Game(name)
    positions = enumerate_positions(game)
    chances: dict[Position, list[Fraction]] = {}

    def chance(position: Position) -> list[Fraction]:
        if position not in chances:
            status = game.status(position)
            if status is Status.PLAYING:
                after = [chance(game.play(position, m)) for m in game.legal_moves(position)]
                mean = [
                    sum(column, Fraction(0)) / len(after) for column in zip(*after, strict=True)
                ]
                chances[position] = mean
            else:
                chances[position] = [Fraction(status is result) for result in RESULTS]
        return chances[position]

    stored = score_positions(positions).random
    for i, position in enumerate(positions):
        exact = chance(position)
        assert list(stored[i]) == [float(fraction) for fraction in exact]
    if name == "tictactoe":
        assert chance(EMPTY) == [Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420)]


def test_random_play_of_a_game_with_wide_denominators_is_exact_too() -> None:
    """On 5x3 with gravity the common denominator, 111,974,400,000,000,000, exceeds 53 bits."""
    game = Game("5x3k3-gravity")
    positions = enumerate_positions(game)
    stored = score_positions(positions).random
    assert np.all(np.abs(stored.sum(axis=1) - 1) < 1e-15)
    last = {i: Fraction(0) for i in range(len(positions))}
    for i in reversed(range(len(positions))):
        children = positions.child[positions.first_move[i] : positions.first_move[i + 1]]
        if len(children):
            last[i] = sum((last[int(c)] for c in children), Fraction(0)) / len(children)
        else:
            last[i] = Fraction(game.status(positions[i]) is Status.CIRCLE)
    assert [float(fraction) for fraction in last.values()] == list(stored[:, 0])


@pytest.mark.parametrize("name", ["3x3k3", "3x3k3-misere", "4x3k3-gravity"])
def test_difficulty_is_what_its_definition_says(name: str) -> None:
    game = Game(name)
    values = values_of(game)

    @cache
    def best(position: Position) -> list[Position]:
        children = [position.after(move) for move in game.legal_moves(position)]
        scores = [-values[child][0] for child in children]
        return [
            child for child, score in zip(children, scores, strict=True) if score == max(scores)
        ]

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
    found = zip(
        positions,
        hardness(positions, scores).tolist(),
        only_moves(positions, scores).tolist(),
        strict=True,
    )
    total = 0
    for position, chance, only in found:
        legal = len(game.legal_moves(position)) or 1
        assert chance == (legal - len(best(position) or [1])) / legal
        assert only == to_find(position, position.turn)
        total += only
    assert total > 0
