"""The look at a position without a search: on whole games, its bounds hold every value."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from marubatsu.engine.kernels.exact_layout import layout_of, masks_of
from marubatsu.engine.kernels.static_bounds import _following
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Status
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import enumerate_positions
from tests.helpers.data.static_bounds import WINDOWS, looked
from tests.helpers.slow import slow_bounds

pytestmark = pytest.mark.usefixtures("kernels")

GAMES = (
    "4x4k4-gravity", "4x4k4-gravity-misere", "4x4k3-gravity", "3x5k3-gravity", "5x3k3-gravity",
    "3x5k4-gravity-misere", "6x2k2-gravity", "6x2k2-gravity-misere", "2x7k4-gravity",
)  # fmt: skip
"""Games of which every position is looked at, of even and odd heights and widths."""

DRAWN = ("7x6k4-gravity", "6x5k4-gravity-misere", "4x4k3-gravity-misere", "5x6k4-gravity")


@pytest.mark.parametrize("name", GAMES)
def test_the_bounds_of_a_look_hold_every_value(name: str) -> None:
    game = Game(name)
    positions = enumerate_positions(game)
    solved = score_positions(positions)
    here = np.flatnonzero(positions.status == Status.PLAYING)
    ply = positions.ply[here].astype(int)
    score = np.where(ply % 2 == 0, 1, -1) * solved.score[here]
    values = score * (game.cells + 1 - ply - solved.distance[here])
    found = looked(game, positions.circle[here], positions.cross[here], values)
    assert found.wrong == -1, positions[int(here[found.wrong])]
    assert found.looks == len(WINDOWS) * len(here)
    if game.run == game.columns == game.rows:
        assert min(found.moved, found.never_wins, found.loses, found.never_loses) > 0


@pytest.mark.parametrize("name", DRAWN)
def test_following_up_gives_what_every_pairing_gives(name: str) -> None:
    game, random = Game(name), Random(5)
    board, found = layout_of(game).board, Counter[int | None]()
    while found.total() < 400:
        position = EMPTY
        for _ in range(game.cells - 2 * random.randrange(1, game.cells // 3)):
            if moves := game.legal_moves(position):
                position = position.after(random.choice(moves))
        if game.status(position) is Status.PLAYING and (game.cells - position.ply) % 2 == 0:
            bound = _following(*masks_of(game, position), 0, board)
            expected = slow_bounds.following(game, position)
            assert bound == (board.cells if expected is None else expected), position
            found[expected] += 1
    assert min(found[None], found[0], found[-1]) > 0
