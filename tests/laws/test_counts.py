"""Every known count of a built game, by equality, measured without SQL."""

from collections.abc import Callable
from functools import cache
from math import factorial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.rules.bounds import MAX_POSITIONS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.engine.rules.size import estimate_nodes, estimate_positions
from marubatsu.engine.rules.symmetry import orbit
from marubatsu.engine.tree.breadth_first import build_breadth_first
from marubatsu.engine.tree.positions import enumerate_positions
from tests.helpers.data.data_sets import GAMES, TREE_GAMES
from tests.helpers.data.known import KnownCount, known_counts, known_of
from tests.helpers.data.played import after, reachable
from tests.helpers.data.published import rows
from tests.helpers.slow import slow_rules

COVERED = [known for name in GAMES for known in known_of(name)]


@cache
def read(root: Path, name: str, table: str, *columns: str) -> dict[str, Any]:
    """Read columns of a table as NumPy arrays."""
    path = root / Game(name).name / f"{table}.parquet"
    rows = pq.read_table(path, columns=list(columns))
    return {column: np.array(rows[column].to_pylist()) for column in columns}


def measure(root: Path, known: KnownCount) -> int:
    """Count a quantity in the tables of a game."""
    special = _special(root, known)
    if special is not None:
        return special
    table = "classes" if "classes" in known.quantity else "positions"
    rows = read(root, known.game.name, table, "ply", "nodes", "status", "score", "critical")
    chosen = np.ones(len(rows["ply"]), dtype=bool)
    if known.ply is not None:
        chosen &= rows["ply"] == known.ply
    for word, column, value in (
        ("won by circle", "status", "circle"),
        ("won by cross", "status", "cross"),
        ("drawn", "status", "draw"),
        ("unfinished", "status", "playing"),
        ("critical", "critical", True),
        ("score +1", "score", 1),
        ("score 0", "score", 0),
        ("score -1", "score", -1),
    ):
        if word in known.quantity:
            chosen &= rows[column] == value
    words = known.quantity.split()
    if words[0] in ("games", "finished"):
        chosen &= rows["status"] != "playing"
    if words[0] in ("games", "nodes"):
        by_a_move = "made by a move" in known.quantity
        return int(rows["nodes"][chosen].sum()) - by_a_move
    return int(chosen.sum())


def _special(root: Path, known: KnownCount) -> int | None:
    """Count what is no number of certain positions, classes or nodes."""
    game, quantity = known.game, known.quantity
    if quantity == "value":
        return int(read(root, game.name, "positions", "score")["score"][0])
    if quantity == "moves":
        return len(read(root, game.name, "moves", "move")["move"])
    if quantity == "nodes without stopping at wins":
        return sum(factorial(game.cells) // factorial(left) for left in range(game.cells + 1))
    if quantity.startswith("subtree"):
        opening = {"a corner": 0, "an edge": 1, "the centre": 4}[quantity[11:-8]]
        tree = read(root, game.name, "tree_dfs", "line", "subtree")
        return int(tree["subtree"][tree["line"] == opening + 1][0])
    if quantity.startswith("games up to symmetry"):
        return class_paths(root, game.name)
    return None


def class_paths(root: Path, name: str) -> int:
    """Count the paths of the class graph that end in a finished class."""
    positions = read(root, name, "positions", "class")
    moves = read(root, name, "moves", "position", "child")
    classes = read(root, name, "classes", "class", "status")
    steps = {
        (int(positions["class"][before]), int(positions["class"][after]))
        for before, after in zip(moves["position"], moves["child"], strict=True)
    }
    ways = np.zeros(len(classes["class"]), dtype=np.int64)
    ways[0] = 1
    for before, child in sorted(steps):  # a class's number is smaller than its children's
        ways[child] += ways[before]
    return int(ways[classes["status"] != "playing"].sum())


@pytest.mark.parametrize("known", COVERED, ids=lambda k: f"{k.game.name} {k.quantity} {k.ply}")
def test_known_count(root: Path, known: KnownCount) -> None:
    assert measure(root, known) == known.count, known.source


def test_every_known_count_has_a_source_and_a_game() -> None:
    for row in rows("known_counts"):
        assert row["source"].strip()
        assert int(row["count"]) >= (-1 if row["quantity"] == "value" else 0)
        assert row["game"] in ("tictactoe", Game(row["game"]).notation)  # as SQL compares


def test_no_count_is_known_twice() -> None:
    names = [(known.game, known.quantity, known.ply) for known in known_counts()]
    assert len(set(names)) == len(names)


def test_the_known_counts_of_tictactoe_are_all_there() -> None:
    assert len(known_of("tictactoe")) == 90
    assert {known.game.name for known in COVERED} >= {
        "tictactoe", "2x2k2", "4x3k3", "4x4k4-gravity",
    }  # fmt: skip


def test_known_totals_are_the_sums_of_their_plies() -> None:
    for quantity in ("nodes", "positions", "classes"):
        rows = [known for known in known_of("tictactoe") if known.quantity == quantity]
        total = [known.count for known in rows if known.ply is None]
        assert total == [sum(known.count for known in rows if known.ply is not None)]


@pytest.mark.parametrize("name", sorted({known.game.name for known in COVERED} & set(TREE_GAMES)))
def test_slow_rules_count_the_same(name: str) -> None:
    game = Game(name)
    sizes: dict[Position, int] = {}
    for position in sorted(reachable(game), key=lambda position: -position.ply):
        children = [after(position, move) for move in slow_rules.legal_moves(game, position)]
        sizes[position] = 1 + sum(sizes[child] for child in children)
    counted = {
        "positions": len(sizes),
        "classes": len({min(orbit(game, position)) for position in sizes}),
        "nodes": sizes[EMPTY],
    }
    known = {k.quantity: k.count for k in known_of(name) if k.ply is None}
    assert counted == {quantity: known[quantity] for quantity in counted}


ESTIMATES: dict[str, Callable[[Game], float]] = {
    "positions": estimate_positions,
    "nodes": estimate_nodes,
}


@pytest.mark.parametrize(
    "known",
    [
        known
        for known in known_counts()
        if known.quantity in ESTIMATES and known.ply is None and known.count > 1000
    ],
    ids=lambda known: f"{known.game.name} {known.quantity}",
)
def test_estimates_are_near_the_known_totals(known: KnownCount) -> None:
    estimate = ESTIMATES[known.quantity](known.game)
    is_narrow = known.game.gravity and known.game.columns < 4
    assert 0.9 < estimate / known.count < (1.35 if is_narrow else 1.1)


@pytest.mark.parametrize(
    ("name", "nodes", "positions"), [("1x1k1", 2, 2), ("2x2k2", 41, 29), ("1x9k9-gravity", 10, 10)]
)
def test_an_estimate_is_exact_where_all_samples_are_alike(
    name: str, nodes: int, positions: int
) -> None:
    assert (estimate_nodes(Game(name)), estimate_positions(Game(name))) == (nodes, positions)


def test_the_limit_of_positions_is_one_to_stop_at() -> None:
    game = Game(3, 3, 3)
    assert len(enumerate_positions(game, limit=5478)) == 5478
    with pytest.raises(ValueError, match=r"tictactoe has 5,\d\d\d positions by estimate"):
        enumerate_positions(game, limit=5477)
    assert MAX_POSITIONS == 1_000_000


def test_a_game_far_beyond_the_limit_is_refused_before_anything_is_enumerated() -> None:
    def begun(share: float) -> None:
        pytest.fail("its positions were enumerated")

    for name in ("connect4", "5x5k4-gravity", "4x4k4-torus", "2x31k4"):
        with pytest.raises(ValueError, match="expected at most 1,000,000"):
            enumerate_positions(Game(name), progress=begun)


def test_a_tree_too_large_is_refused_with_an_estimate() -> None:
    with pytest.raises(ValueError, match="4x3k3 has about 297 million nodes by estimate"):
        build_breadth_first(Game(4, 3, 3))
