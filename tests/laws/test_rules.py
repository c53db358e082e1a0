"""The rules: one at a time, on arrays, and the slow independent ones, held against each other."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import children, mask_dtype, status_codes
from marubatsu.engine.rules.position import Position, Status
from tests.helpers.data.played import LARGER_BOARDS, after, played, reachable
from tests.helpers.slow import slow_rules

pytestmark = pytest.mark.quick


SMALL = (
    "tictactoe", "3x3k3-misere", "3x3k3-gravity", "3x3k2", "2x4k2", "4x2k3-gravity-misere",
    "3x2k3-torus", "2x3k4-misere-torus",
)  # fmt: skip


def assert_rules_agree(game: Game, position: Position) -> None:
    moves = slow_rules.legal_moves(game, position)
    assert game.status(position).word == slow_rules.status(game, position)
    assert list(game.legal_moves(position)) == moves
    for move in moves:
        assert game.play(position, move) == after(position, move)


@pytest.mark.parametrize("name", SMALL)
def test_scalar_rules_are_the_slow_rules_on_every_position(name: str) -> None:
    game = Game(name)
    for position in reachable(game):
        assert_rules_agree(game, position)


@given(st.sampled_from(LARGER_BOARDS), st.integers(0, 2**32))
def test_scalar_rules_are_the_slow_rules_on_larger_boards(name: str, seed: int) -> None:
    game = Game(name)
    for position in played(game, Random(seed)):
        assert_rules_agree(game, position)


def assert_arrays_agree(game: Game, positions: list[Position], ply: int) -> None:
    circle = np.array([c for c, _ in positions], dtype=mask_dtype(game))
    cross = np.array([x for _, x in positions], dtype=mask_dtype(game))
    codes = status_codes(game, circle, cross)
    assert [Status(code) for code in codes] == [game.status(p) for p in positions]
    made = children(game, circle, cross, codes == Status.PLAYING, circle_moves=ply % 2 == 0)
    expected = [
        (parent, move, *game.play(position, move))
        for parent, position in enumerate(positions)
        for move in game.legal_moves(position)
    ]
    got = zip(made.parent, made.move, made.circle, made.cross, strict=True)
    assert [tuple(map(int, row)) for row in got] == expected
    assert list(made.counts) == [len(game.legal_moves(position)) for position in positions]


@pytest.mark.parametrize("name", SMALL)
def test_array_rules_are_the_scalar_rules_on_every_position(name: str) -> None:
    game = Game(name)
    by_ply: dict[int, list[Position]] = {}
    for position in sorted(reachable(game)):
        by_ply.setdefault(position.ply, []).append(position)
    for ply, positions in by_ply.items():
        assert_arrays_agree(game, positions, ply)


@given(st.sampled_from(LARGER_BOARDS), st.integers(0, 2**32))
def test_array_rules_are_the_scalar_rules_on_larger_boards(name: str, seed: int) -> None:
    game = Game(name)
    games = [played(game, Random(seed + i)) for i in range(4)]
    for ply in range(max(map(len, games))):
        assert_arrays_agree(game, [g[ply] for g in games if ply < len(g)], ply)
