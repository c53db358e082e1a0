"""Matches and best responses: exact results by recursion in fractions, and published counts."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from marubatsu.engine.ais.matches import (
    Arena,
    Match,
    Tally,
    exact,
    on_both_sides,
    play_fast,
    weighted,
)
from marubatsu.engine.ais.policy import best_response, policy_of, probabilities
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Side
from marubatsu.engine.search.roster import find
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import Positions, enumerate_positions
from tests.helpers.slow import slow_ais, slow_rules

TICTACTOE = Game(3, 3, 3)
POSITIONS = enumerate_positions(TICTACTOE)


@cache
def candidates(name: str) -> NDArray[np.bool_]:
    return policy_of(find(name).on(TICTACTOE), POSITIONS).is_candidate


def slow_result(circle: str, cross: str) -> tuple[Fraction, Fraction, Fraction]:
    """Return the chances of AI against AI by recursion over boards, in fractions."""

    def moves(name: str, board: str) -> list[int]:
        if not name.endswith("s"):
            return slow_ais.candidates_by_rule(name, board)
        worth = {move: slow_ais.value(name, board, move) for move in slow_ais.empty(board)}
        return [move for move in worth if worth[move] == max(worth.values())]

    @cache
    def result(board: str) -> tuple[Fraction, Fraction, Fraction]:
        for mark, chances in (("o", (1, 0, 0)), ("x", (0, 0, 1))):
            if slow_ais.has_won(board, mark):
                return (Fraction(chances[0]), Fraction(chances[1]), Fraction(chances[2]))
        if "." not in board:
            return (Fraction(0), Fraction(1), Fraction(0))
        mark = slow_ais.mark_to_move(board)
        after = [
            slow_ais.filled(board, m, mark) for m in moves(circle if mark == "o" else cross, board)
        ]
        parts = [result(child) for child in after]
        win, draw, lose = (sum((p[i] for p in parts), Fraction(0)) / len(parts) for i in range(3))
        return win, draw, lose

    return result(to_text(TICTACTOE, EMPTY))


PAIRS = [("ai2", "ai2"), ("ai14s", "ai2"), ("ai2", "ai14s"), ("ai6", "ai7"), ("ai10s", "ai5"),
         ("ai3s", "ai4"), ("ai8s", "ai13s")]  # fmt: skip
NAMES = sorted({name for pair in PAIRS for name in pair})


def test_exact_results_are_those_of_recursion_in_fractions() -> None:
    stack = np.stack([candidates(name) for name in NAMES])
    chances, denominator = exact(POSITIONS, stack, stack)
    assert (chances.sum(axis=2) == denominator).all()
    for circle, cross in PAIRS:
        found = chances[NAMES.index(circle), NAMES.index(cross)]
        expected = slow_result(circle, cross)
        assert tuple(Fraction(int(n), denominator) for n in found) == expected, (circle, cross)
    weights = np.stack([probabilities(POSITIONS, each) for each in stack])
    assert np.allclose(weighted(POSITIONS, weights, weights), chances / denominator, atol=1e-12)


def test_games_reproduce_the_published_counts() -> None:
    """50,000 pairs with `random.seed(0)`, one match after the other (tutorial series)."""
    random = Random(0)
    ai2, ai14s = find("ai2").on(TICTACTOE), find("ai14s").on(TICTACTOE)
    assert Arena(new_board(TICTACTOE), ai2, ai2).play(50_000, random) == Match(
        Tally(29454, 14352, 6194), Tally(14208, 29592, 6200)
    )
    assert Arena(new_board(TICTACTOE), ai14s, ai2).play(50_000, random) == Match(
        Tally(49446, 0, 554), Tally(44043, 0, 5957)
    )


@pytest.mark.parametrize(("first", "second"), [("ai2", "ai2"), ("ai14s", "ai2"), ("ai6", "ai7")])
def test_fast_games_have_the_exact_chances(first: str, second: str) -> None:
    games = 200_000
    match = play_fast(POSITIONS, candidates(first), candidates(second), games, seed=0)
    assert match == play_fast(POSITIONS, candidates(first), candidates(second), games, seed=0)
    for circle, cross, tally in (
        (first, second, match.as_circle), (second, first, match.as_cross)
    ):  # fmt: skip
        chances, denominator = exact(POSITIONS, candidates(circle)[None], candidates(cross)[None])
        win, draw, lose = (chances[0, 0] / denominator).tolist()
        if tally is match.as_cross:
            win, lose = lose, win
        assert tally.games == games
        for counted, chance in ((tally.win, win), (tally.draw, draw), (tally.lose, lose)):
            assert abs(counted - games * chance) <= 5 * (games * chance * (1 - chance)) ** 0.5


GAMES = ["2x2k2", "3x2k2-misere", "3x3k3-gravity"]
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
        return probabilities(positions, score_positions(positions).is_best)
    candidates = policy_of(find(name).on(positions.game), positions).is_candidate
    return probabilities(positions, candidates)


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
    ((found,),), _ = on_both_sides(positions, circle[None], cross[None])
    return list(found.tolist())


@pytest.mark.parametrize("game", ["3x2k2", "4x3k3", "4x4k4-gravity"])
def test_two_random_policies_get_the_chances_of_random_play(game: str) -> None:
    positions = positions_of(game)
    everything = probabilities(positions, np.ones_like(positions.move, np.bool_))
    found = one_pair(positions, everything, everything)
    assert all(isinstance(each, Fraction) for each in found)
    assert [float(each) for each in found] == score_positions(positions).random[0].tolist()


def test_chances_beyond_the_denominators_are_floats() -> None:
    positions, chances = positions_of("4x3k3"), policy(CLUMSY, "4x3k3")
    with pytest.raises(OverflowError, match="beyond 62 bits"):
        exact(positions, chances[None] > 0, chances[None] > 0)
    found = one_pair(positions, chances, chances)
    assert found == weighted(positions, chances[None], chances[None])[0, 0].tolist()


def test_many_pairs_at_once_are_the_single_pairs() -> None:
    """Fractions and floats side by side: some denominators are too large, one policy weighs."""
    positions = positions_of("4x3k3")
    policies = np.stack([policy(name, "4x3k3") for name in (CLUMSY, "ai1", WEIGHING)])
    found, as_cross = on_both_sides(positions, policies[:2], policies)
    kinds = set()
    for some, others in np.ndindex(2, len(policies)):
        for circle, cross, side in ((some, others, found), (others, some, as_cross)):
            alone = one_pair(positions, policies[circle], policies[cross])
            assert side[circle, cross].tolist() == alone
            kinds.add(tuple(map(type, alone)))
    assert len(kinds) == 2
