"""Every known count of a built game, and estimates where there is no count."""

import re
from collections.abc import Callable

import pytest

from marubatsu.engine.rules.bounds import MAX_POSITIONS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size import estimate_nodes, estimate_positions
from marubatsu.engine.tree.breadth_first import build_breadth_first
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.support.resources import reference_rows
from tests.helpers import CHECKOUT
from tests.helpers.data.known import KnownCount, known_counts, known_of


def test_every_known_count_has_a_source_and_a_game_and_is_there_once() -> None:
    for row in reference_rows("known_counts"):
        assert row["source"].strip()
        ours = re.findall(r"tests/\S+", row["source"])
        assert all((CHECKOUT / path).is_file() for path in ours), ours
        assert int(row["count"]) >= (-1 if row["quantity"] == "value" else 0)
        assert row["game"] in ("tictactoe", Game(row["game"]).notation)  # as SQL compares
    names = [(known.game, known.quantity, known.ply) for known in known_counts()]
    assert len(set(names)) == len(names)
    assert len(known_of("tictactoe")) == 90


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
    ][::3],
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

    for name in ("connect4", "4x4k4-torus"):
        with pytest.raises(ValueError, match="expected at most 1,000,000"):
            enumerate_positions(Game(name), progress=begun)


def test_a_tree_too_large_is_refused_with_an_estimate() -> None:
    with pytest.raises(ValueError, match="4x3k3 has about 297 million nodes by estimate"):
        build_breadth_first(Game(4, 3, 3))
