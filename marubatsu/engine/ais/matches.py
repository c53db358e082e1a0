"""AI against AI: game by game on a board; on arrays exactly, or millions of games.

Shapes: A policies for circle, B policies for cross, M moves, N positions. Results are in the
order of `RESULTS`: circle wins, draw, cross wins.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.ai import Cached, Chooser, FailedError, Rule, Weighted
from marubatsu.engine.ais.policy import probabilities
from marubatsu.engine.boards.board import PLAYING, Board
from marubatsu.engine.rules.masks import Bools
from marubatsu.engine.rules.position import EMPTY, RESULTS, Status
from marubatsu.engine.tree.induction import Step, steps_backward
from marubatsu.engine.tree.positions import Positions

_LANES = 1 << 16  # games that the fast mode plays side by side


@dataclass(frozen=True)
class Tally:
    """How many games one side of a match won, lost and drew."""

    win: int = 0
    lose: int = 0
    draw: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.win + other.win, self.lose + other.lose, self.draw + other.draw)

    @property
    def games(self) -> int:
        """Number of games."""
        return self.win + self.lose + self.draw


@dataclass(frozen=True)
class Match:
    """The games of the first of two AIs, as circle and as cross."""

    as_circle: Tally
    as_cross: Tally

    @property
    def total(self) -> Tally:
        """The sum of both tallies."""
        return self.as_circle + self.as_cross


class Arena:
    """Two AIs that play pairs of games on a board: the first is circle, then cross."""

    def __init__(
        self,
        board: Board[Any],
        first: Chooser,
        second: Chooser,
        *,
        remember: bool = True,
        forfeit: Callable[[FailedError], None] | None = None,
    ) -> None:
        """Start on a board that no other code uses.

        With ``remember``, the arena computes the candidates in a position once for all games,
        unless an AI may answer otherwise the next time. With ``forfeit``, an AI that fails loses
        the game: this is called, and ends the match with what it raises.
        """
        self._forfeit = forfeit
        self._board = board
        board.set_up(EMPTY)
        self._start = board.save()
        self._first, self._second = (
            self._remembering(ai.candidates) if remember and ai.is_fixed else ai.candidates
            for ai in (first, second)
        )

    def _remembering(self, candidates: Rule) -> Rule:
        """Keep what an AI chooses in a position, by the key of the board."""
        board, key_of = self._board, self._board.key
        by_key: Cached[Hashable, Sequence[Any]] = Cached(lambda key: tuple(candidates(board)))
        return lambda board: by_key[key_of()]

    def play(
        self, pairs: int, random: Random, progress: Callable[[float], None] = lambda share: None
    ) -> Match:
        """Play pairs of games: one ``random.choice`` among the candidates for every move."""
        as_circle, as_cross = Counter[Status](), Counter[Status]()
        for pair in range(pairs):
            if pair % 1024 == 0:
                progress(pair / pairs)
            as_circle[self._result(self._first, self._second, random)] += 1
            as_cross[self._result(self._second, self._first, random)] += 1
        return Match(
            Tally(as_circle[Status.CIRCLE], as_circle[Status.CROSS], as_circle[Status.DRAW]),
            Tally(as_cross[Status.CROSS], as_cross[Status.CIRCLE], as_cross[Status.DRAW]),
        )

    def play_one(self, random: Random, *, first_is_circle: bool) -> list[int]:
        """Play one game, as `play` does; return its moves as cells."""
        seats = (self._first, self._second) if first_is_circle else (self._second, self._first)
        self._game(*seats, random)
        return [self._board.cell_of(move) for move in self._board.moves]

    def _result(self, circle: Rule, cross: Rule, random: Random) -> Status:
        try:
            return self._game(circle, cross, random)
        except FailedError as error:
            if self._forfeit is None:
                raise
            self._forfeit(error)
        return Status.CIRCLE if len(self._board.moves) % 2 else Status.CROSS

    def _game(self, circle: Rule, cross: Rule, random: Random) -> Status:
        board, bits = self._board, random.getrandbits
        board.restore(self._start)
        mover, waiting = circle, cross
        while board.status is PLAYING:
            candidates = mover(board)
            if candidates.__class__ is Weighted:
                board.make(candidates.draw(random))
                mover, waiting = waiting, mover
                continue
            count = len(candidates)
            width = count.bit_length()  # The draw of random.choice, without its calls.
            drawn = bits(width)
            while drawn >= count:
                drawn = bits(width)
            board.make(candidates[drawn])
            mover, waiting = waiting, mover
        return board.status


def exact(
    positions: Positions, circle: NDArray[np.bool_], cross: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], int]:
    """Return the chances of the results for all pairs of policies, as [A, B, 3] numerators.

    ``circle`` [A, M] and ``cross`` [B, M] mark each policy's candidates; it plays one of them with
    equal chance. The second value is the denominator of all chances, a product of one factor per
    ply. Raises OverflowError when it has more than 62 bits.
    """
    weights = []
    denominator = 1
    for step in steps_backward(positions):
        is_candidate = (circle if step.ply % 2 == 0 else cross)[:, step.moves]
        count = np.add.reduceat(is_candidate, step.start, axis=1, dtype=np.int64)
        common = lcm(*map(int, np.unique(count)))
        share = np.repeat(common // np.maximum(count, 1), step.count, axis=1)
        weights.append((step, np.where(is_candidate, share, 0)))
        denominator *= common
    if denominator >= 1 << 62:
        raise OverflowError(f"the chances have the denominator {denominator}, beyond 62 bits")
    chances = _backward(positions, weights, (len(circle), len(cross)), np.int64)
    return chances, denominator


def weighted(
    positions: Positions, circle: NDArray[np.float64], cross: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the chances [A, B, 3] for policies with any probabilities, [A, M] and [B, M]."""
    weights = [
        (step, (circle if step.ply % 2 == 0 else cross)[:, step.moves])
        for step in steps_backward(positions)
    ]
    return _backward(positions, weights, (len(circle), len(cross)), np.float64)


def on_both_sides(
    positions: Positions, some: NDArray[np.float64], others: NDArray[np.float64]
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the chances of policies with any probabilities, as Python's numbers.

    The first array, [A, B, 3], has ``some`` [A, M] as circle against ``others`` [B, M]; the second,
    [B, A, 3], has them as cross. They are fractions where both policies play one of their
    candidates with equal chance, and the denominators are not beyond `exact`; else floats.
    """
    fair = _are_fair(positions, some), _are_fair(positions, others)
    return (
        _between(positions, (some, others), fair),
        _between(positions, (others, some), fair[::-1]),
    )


def _are_fair(positions: Positions, policies: NDArray[np.float64]) -> Bools:
    return np.array(
        [
            np.allclose(policy, probabilities(positions, policy > 0), rtol=0, atol=1e-12)
            for policy in policies
        ]
    )


def _between(
    positions: Positions,
    policies: tuple[NDArray[np.float64], NDArray[np.float64]],
    fair: tuple[Bools, Bools],
) -> NDArray[Any]:
    """Return the chances [A, B, 3]: at once, or half by half where pairs are of different kinds."""
    longer = int(len(policies[0]) < len(policies[1]))
    is_one = len(policies[longer]) == 1
    if fair[0].all() and fair[1].all():
        try:
            numerators, denominator = exact(positions, policies[0] > 0, policies[1] > 0)
        except OverflowError:
            if is_one:
                return weighted(positions, *policies).astype(object)
        else:
            fractions: NDArray[Any] = np.vectorize(Fraction, [object])(numerators, denominator)
            return fractions
    elif is_one or not (fair[0].any() and fair[1].any()):
        return weighted(positions, *policies).astype(object)
    halves = []
    for half in np.array_split(np.arange(len(policies[longer])), 2):
        some, are_fair = list(policies), list(fair)
        some[longer], are_fair[longer] = some[longer][half], are_fair[longer][half]
        halves.append(_between(positions, (some[0], some[1]), (are_fair[0], are_fair[1])))
    return np.concatenate(halves, axis=longer)


def _backward(
    positions: Positions,
    weights: list[tuple[Step, NDArray[Any]]],
    pairs: tuple[int, int],
    kind: type[np.int64 | np.float64],
) -> NDArray[Any]:
    """Carry the results from the last ply to the first.

    A finished position counts as the product of the denominators from its ply on.
    """
    by_ply = {step.ply: (step, of) for step, of in weights}
    below = np.zeros((*pairs, 0, len(RESULTS)), dtype=kind)
    scale = 1  # the product of the denominators of all plies from here on
    for ply in reversed(range(positions.plies)):
        here = positions.of_ply(ply)
        status = positions.status[here]
        has_moves = ply in by_ply  # else all positions of the ply are finished
        if has_moves:
            step, of_step = by_ply[ply]
            scale *= int(of_step[0][: step.count[0]].sum()) if kind is np.int64 else 1
        now = np.zeros((*pairs, len(status), len(RESULTS)), dtype=kind)
        for result, code in enumerate(RESULTS):
            now[:, :, status == code, result] = scale
        if has_moves:
            child, playing = step.child - here.stop, step.at - here.start
            for number, weight in enumerate(of_step):
                # One policy of the mover; the opponent's policies are the first axis.
                pair = number if ply % 2 == 0 else (slice(None), number)
                after = below[pair][:, child] * weight[:, None]
                now[pair][:, playing] = np.add.reduceat(after, step.start, axis=1)
        below = now
    at_root: NDArray[Any] = below[:, :, 0]
    return at_root


def play_fast(positions: Positions, first: Bools, second: Bools, pairs: int, seed: int) -> Match:
    """Play millions of pairs of games side by side, with NumPy's generator, not Python's.

    ``first`` and ``second`` [M] are the candidates of the two AIs. One seed always gives the same
    games, but not those of `Arena`.
    """
    random = np.random.Generator(np.random.PCG64(seed))
    one, two = _Dealt(positions, first), _Dealt(positions, second)
    sides = []
    for circle, cross in ((one, two), (two, one)):
        counts = np.zeros(len(RESULTS), dtype=np.int64)
        for start in range(0, pairs, _LANES):
            counts += _play_lanes(positions, circle, cross, min(_LANES, pairs - start), random)
        sides.append(counts.tolist())
    (win, draw, lose), (lost, drawn, won) = sides
    return Match(Tally(win, lose, draw), Tally(won, lost, drawn))


class _Dealt:
    """The children to which an AI may move, position by position."""

    def __init__(self, positions: Positions, is_candidate: Bools) -> None:
        before = np.concatenate([[0], np.cumsum(is_candidate)])[positions.first_move]
        self.first = before[:-1].astype(np.int32)
        self.count = np.diff(before).astype(np.float32)
        self.child = positions.child[is_candidate]


def _play_lanes(
    positions: Positions, circle: _Dealt, cross: _Dealt, games: int, random: np.random.Generator
) -> NDArray[np.int64]:
    counts = np.zeros(len(RESULTS), dtype=np.int64)
    position = np.zeros(games, dtype=np.int32)
    for ply in range(positions.plies):
        status = positions.status[position]
        for result, code in enumerate(RESULTS):
            counts[result] += np.count_nonzero(status == code)
        position = position[status == Status.PLAYING]
        mover = circle if ply % 2 == 0 else cross
        drawn = random.random(len(position), dtype=np.float32) * mover.count[position]
        position = mover.child[mover.first[position] + drawn.astype(np.int32)]
    return counts
