"""Matches: exact results against fractions, games against published counts and exact chances."""

from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from marubatsu.engine.ais.arena import Arena, Match, Tally
from marubatsu.engine.ais.matches import exact, play_fast, weighted
from marubatsu.engine.ais.policy import policy_of
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.roster import all_ais, find
from marubatsu.engine.tree.induction import solve
from marubatsu.engine.tree.positions import enumerate_positions
from tests.helpers.slow import slow_ais

TICTACTOE = Game(3, 3, 3)
POSITIONS = enumerate_positions(TICTACTOE)
NAMES = [ai.name for ai in all_ais() if ai.family in {"rule", "evaluation"}]


@cache
def candidates(name: str) -> NDArray[np.bool_]:
    """Return the candidates of an AI in all positions."""
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


@pytest.mark.parametrize(("circle", "cross"), PAIRS)
def test_exact_results_are_those_of_recursion_in_fractions(circle: str, cross: str) -> None:
    chances, denominator = exact(POSITIONS, candidates(circle)[None], candidates(cross)[None])
    expected = slow_result(circle, cross)
    assert tuple(Fraction(int(n), denominator) for n in chances[0, 0]) == expected


def test_all_pairs_at_once_are_the_single_pairs() -> None:
    stack = np.stack([candidates(name) for name in NAMES])
    chances, denominator = exact(POSITIONS, stack, stack)
    assert (chances.sum(axis=2) == denominator).all()
    for circle, cross in PAIRS:
        here = chances[NAMES.index(circle), NAMES.index(cross)]
        alone, of = exact(POSITIONS, candidates(circle)[None], candidates(cross)[None])
        assert [Fraction(int(n), denominator) for n in here] == [
            Fraction(int(n), of) for n in alone[0, 0]
        ]
    weights = np.stack([uniform(name) for name in NAMES])
    assert np.allclose(weighted(POSITIONS, weights, weights), chances / denominator, atol=1e-12)


def uniform(name: str) -> NDArray[np.float64]:
    """Return an AI's chances to choose each move."""
    chosen = candidates(name).astype(float)
    moves = np.diff(POSITIONS.first_move)
    starts = POSITIONS.first_move[:-1][moves > 0]
    sums = np.repeat(np.add.reduceat(chosen, starts), moves[moves > 0])
    chances: NDArray[np.float64] = chosen / sums
    return chances


def test_random_against_random() -> None:
    chances, denominator = exact(POSITIONS, candidates("ai2")[None], candidates("ai2")[None])
    assert [Fraction(int(n), denominator) for n in chances[0, 0]] == [
        Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420),
    ]  # fmt: skip
    assert np.allclose(chances[0, 0] / denominator, solve(POSITIONS).random[0], atol=1e-15)


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
