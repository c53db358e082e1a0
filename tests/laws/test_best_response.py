"""Best responses and expected results, against recursion over all lines of play in fractions."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from marubatsu.engine.ais.best_response import best_response
from marubatsu.engine.ais.matches import between, exact, weighted
from marubatsu.engine.ais.policy import policy_of, probabilities
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Side
from marubatsu.engine.search.roster import find
from marubatsu.engine.tree.induction import solve
from marubatsu.engine.tree.positions import Positions, enumerate_positions
from tests.helpers.slow import slow_rules

GAMES = ["2x2k2", "3x2k2", "3x3k3", "3x2k2-misere", "3x3k3-gravity"]
WEIGHING = "weighing"
CLUMSY = "clumsy"
POLICIES = ["ai1", "ai2", "ai7", "perfect", CLUMSY, WEIGHING]

Results = tuple[Fraction, Fraction, Fraction]
"""The chances that the responder wins, draws and loses."""


@cache
def positions_of(name: str) -> Positions:
    return enumerate_positions(Game(name))


@cache
def policy(name: str, game: str) -> NDArray[np.float64]:
    """Return the chances of all moves: those of an AI of ours, or seeded ones that sum to 1."""
    positions = positions_of(game)
    if name in (CLUMSY, WEIGHING):
        random = Random(game)
        weights = np.array([random.randint(0, 1 if name == CLUMSY else 5) for _ in positions.move])
        starts = positions.first_move[:-1][np.diff(positions.first_move) > 0]
        weights[starts] += weights[starts] == 0
        sums = np.add.reduceat(weights, starts)
        return weights / sums[np.searchsorted(starts, np.arange(len(weights)), side="right") - 1]
    if name == "perfect":
        return probabilities(positions, solve(positions).is_best)
    chosen = policy_of(find(name).on(positions.game), positions).is_candidate
    return probabilities(positions, chosen)


def chances_of(name: str, game: str) -> Callable[[Position], dict[int, Fraction]]:
    """Return a policy as fractions of the chances, by position."""
    positions, chances = positions_of(game), policy(name, game)
    numbers = {position: number for number, position in enumerate(positions)}

    def chances_in(position: Position) -> dict[int, Fraction]:
        number = numbers[position]
        at = range(*positions.first_move[number : number + 2].tolist())
        exactly = [Fraction(float(chances[move])).limit_denominator(100) for move in at]
        return dict(zip(positions.move[at.start : at.stop].tolist(), exactly, strict=True))

    return chances_in


@cache
def rules(game: Game, position: Position) -> tuple[str, tuple[int, ...]]:
    return slow_rules.status(game, position), tuple(slow_rules.legal_moves(game, position))


def slow_response(name: str, game: str, side: Side) -> Results:
    """Return the results of a best response on a side: the best mean, then the most wins."""
    chances_in = chances_of(name, game)

    @cache
    def results(position: Position) -> Results:
        status, legal = rules(Game(game), position)
        if status != "playing":
            order = (side.word, "draw", side.other.word)
            win, draw, lose = (Fraction(status == result) for result in order)
            return win, draw, lose
        after = {move: results(position.after(move)) for move in legal}
        if position.turn is side:
            return max(after.values(), key=lambda each: (each[0] - each[2], each[0]))
        chances = chances_in(position)
        assert sum(chances.values()) == 1
        win, draw, lose = (
            sum((chances[move] * after[move][place] for move in legal), Fraction(0))
            for place in range(3)
        )
        return win, draw, lose

    return results(EMPTY)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", POLICIES)
def test_a_best_response_is_that_of_recursion_in_fractions(name: str, game: str) -> None:
    positions, chances = positions_of(game), policy(name, game)
    response = best_response(positions, chances)
    first = positions.first_move
    unfinished = np.diff(first) > 0
    assert (np.add.reduceat(response, first[:-1][unfinished], dtype=int) == 1).all()
    as_circle = one_pair(positions, response.astype(float), chances)
    as_cross = one_pair(positions, chances, response.astype(float))[::-1]
    for side, found in ((Side.CIRCLE, as_circle), (Side.CROSS, as_cross)):
        expected = slow_response(name, game, side)
        if name == WEIGHING:
            assert found == pytest.approx([float(each) for each in expected], abs=1e-12)
        else:
            assert tuple(found) == expected


def one_pair(
    positions: Positions, circle: NDArray[np.float64], cross: NDArray[np.float64]
) -> list[Fraction | float]:
    """Return the chances of the results between two policies."""
    ((found,),) = between(positions, circle[None], cross[None])
    return list(found.tolist())


@pytest.mark.parametrize("game", ["3x2k2", "4x3k3", "4x4k4-gravity"])
def test_two_random_policies_get_the_chances_of_random_play(game: str) -> None:
    positions = positions_of(game)
    everything = probabilities(positions, np.ones_like(positions.move, np.bool_))
    found = one_pair(positions, everything, everything)
    assert all(isinstance(each, Fraction) for each in found)
    assert [float(each) for each in found] == solve(positions).random[0].tolist()


def test_chances_beyond_the_denominators_are_floats() -> None:
    positions, chances = positions_of("4x3k3"), policy(CLUMSY, "4x3k3")
    with pytest.raises(OverflowError, match="beyond 62 bits"):
        exact(positions, chances[None] > 0, chances[None] > 0)
    found = one_pair(positions, chances, chances)
    assert found == weighted(positions, chances[None], chances[None])[0, 0].tolist()


def test_many_pairs_at_once_are_the_single_pairs() -> None:
    """Fractions and floats side by side: some denominators are too large, one policy weighs."""
    positions = positions_of("4x3k3")
    policies = np.stack([policy(name, "4x3k3") for name in (CLUMSY, "perfect", WEIGHING, "ai1")])
    found = between(positions, policies, policies)
    kinds = set()
    for circle in range(len(policies)):
        for cross in range(len(policies)):
            alone = one_pair(positions, policies[circle], policies[cross])
            assert found[circle, cross].tolist() == alone
            kinds.add(tuple(map(type, alone)))
    assert len(kinds) == 2


def test_the_response_to_perfect_play_gets_what_the_game_is_worth() -> None:
    positions = positions_of("4x3k3")
    perfect = policy("perfect", "4x3k3")
    response = best_response(positions, perfect).astype(float)
    assert one_pair(positions, perfect, response) == [1, 0, 0]
    assert one_pair(positions, response, perfect) == [1, 0, 0]
