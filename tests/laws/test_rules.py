"""The rules: one at a time, on arrays, the slow independent ones, and their symmetries."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import children, images, mask_dtype, status_codes
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.rules.symmetry import class_members, symmetries
from marubatsu.engine.tree.positions import classify, enumerate_positions
from tests.helpers.data.played import LARGER_BOARDS, after, played
from tests.helpers.slow import slow_rules

pytestmark = pytest.mark.quick


def assert_rules_agree(game: Game, position: Position) -> None:
    moves = slow_rules.legal_moves(game, position)
    assert game.status(position).word == slow_rules.status(game, position)
    assert list(game.legal_moves(position)) == moves
    for move in moves:
        assert game.play(position, move) == after(position, move)


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


@settings(max_examples=30)
@given(st.sampled_from(LARGER_BOARDS), st.integers(0, 2**32))
def test_array_rules_are_the_scalar_rules_on_larger_boards(name: str, seed: int) -> None:
    game = Game(name)
    games = [played(game, Random(seed + i)) for i in range(2)]
    for ply in range(max(map(len, games))):
        assert_arrays_agree(game, [g[ply] for g in games if ply < len(g)], ply)


ORDERS = {
    "tictactoe": 8, "4x3k3": 4, "4x4k4": 8, "3x5k3": 4, "3x3k3-gravity": 2, "7x6k4-gravity": 2,
    "1x4k2": 4, "1x1": 8, "3x3k3-torus": 72, "4x4k4-torus": 128, "4x3k4-torus": 48,
    "4x2k2-torus": 32, "1x4k2-torus": 16,
}  # fmt: skip
"""Games, and how many symmetries each has; on narrow boards, some move the cells alike."""


@pytest.mark.parametrize(("name", "order"), ORDERS.items())
def test_symmetries_are_a_group_that_keeps_the_lines(name: str, order: int) -> None:
    game = Game(name)
    group = symmetries(game)
    images_of_cells = {symmetry.image for symmetry in group}
    cells = tuple(range(game.cells))
    assert len(group) == order
    assert len(images_of_cells) == order or min(game.columns, game.rows) < 3
    assert group[0].image == cells
    for first in group:
        assert sorted(first.image) == list(cells)
        assert {first.of_mask(line) for line in game.lines} == set(game.lines)
        for second in group:
            assert tuple(second.image[cell] for cell in first.image) in images_of_cells


def test_a_torus_has_the_symmetries_of_the_board_first_and_then_those_with_a_shift() -> None:
    group = symmetries(Game("4x3k3-torus"))
    assert group[:4] == symmetries(Game("4x3k3"))
    assert group[4].name == "shift 1 right, 0 down"
    assert group[4].image == (1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8)
    number = 1 + 4 * (1 + 4 * 2)
    assert group[number].name == "mirror left-right, then shift 1 right, 2 down"
    assert group[number].image == (8, 11, 10, 9, 0, 3, 2, 1, 4, 7, 6, 5)


@settings(max_examples=30)
@given(st.sampled_from(LARGER_BOARDS), st.integers(0, 2**32))
def test_status_and_moves_commute_with_symmetries(name: str, seed: int) -> None:
    game = Game(name)
    positions = played(game, Random(seed))
    array = np.array([position.circle for position in positions], dtype=mask_dtype(game))
    for symmetry in symmetries(game):
        of_masks = images(symmetry, array).tolist()
        for position, circle in zip(positions, of_masks, strict=True):
            image = symmetry.of_position(position)
            assert game.status(image) == game.status(position)
            moves = [symmetry.image[move] for move in game.legal_moves(position)]
            assert sorted(moves) == list(game.legal_moves(image))
            assert circle == image.circle


@pytest.mark.parametrize(
    "name",
    [
        "3x3k3-misere", "3x3k3-gravity", "2x4k2", "1x4k2", "1x1", "3x2k3-torus", "1x33k1-torus",
    ],
)  # fmt: skip
def test_a_class_is_an_orbit_and_its_representative_the_first_member(name: str) -> None:
    game = Game(name)
    positions = enumerate_positions(game)
    classes = classify(positions)
    number = {position: i for i, position in enumerate(positions)}
    group = symmetries(game)
    for position, i in number.items():
        members = sorted(number[image] for image in class_members(game, position))
        class_ = classes.class_[i]
        assert classes.representative[class_] == members[0]
        assert classes.orbit[class_] == len(members)
        assert {classes.class_[member] for member in members} == {class_}
        maps_there = [
            s
            for s, symmetry in enumerate(group)
            if number[symmetry.of_position(position)] == members[0]
        ]
        assert classes.symmetry[i] == maps_there[0]
    assert list(classes.representative) == sorted(classes.representative)
