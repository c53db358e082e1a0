"""How hard positions are: by arrays as by plain recursion from the definitions."""

from functools import cache

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Side
from marubatsu.engine.tree.induction import hardness, only_moves, solve
from marubatsu.engine.tree.positions import enumerate_positions
from tests.helpers.slow.slow_solution import values_of


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
    scores = solve(positions)
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
