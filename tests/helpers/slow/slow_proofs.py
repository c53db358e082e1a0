"""Proofs, least trees and minimal graphs a second way: one position at a time, by trying all."""

from collections.abc import Iterable
from functools import cache
from itertools import permutations

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status
from marubatsu.engine.rules.symmetry import symmetries


class SlowGame:
    """A game whose positions are valued one by one; a class is its least position."""

    def __init__(self, name: str) -> None:
        self.game = Game(name)
        self.value = cache(self._value)
        self.least = cache(self._least)

    def shown(self, position: Position) -> Position:
        """Return the representative of its class."""
        return min(symmetry.of_position(position) for symmetry in symmetries(self.game))

    def after(self, position: Position) -> list[Position]:
        return [position.after(move) for move in self.game.legal_moves(position)]

    def classes_after(self, position: Position) -> list[Position]:
        return sorted(set(map(self.shown, self.after(position))))

    def _value(self, position: Position) -> int:
        """Return the minimax value, circle's view."""
        match self.game.status(position):
            case Status.CIRCLE:
                return 1
            case Status.CROSS:
                return -1
            case Status.DRAW:
                return 0
        values = map(self.value, self.after(position))
        return max(values) if position.turn is Side.CIRCLE else min(values)

    def smallest_proof(self, prover: Side, bound: int, *, is_best: bool) -> int:
        """Return the size of the smallest proof, among all choices of the prover.

        ``bound`` is from the prover's view.
        """

        def value(position: Position) -> int:
            return self.value(position) * prover.sign

        smallest = 10**9

        def look(decided: frozenset[Position], waiting: frozenset[Position]) -> None:
            """Decide the first class that waits; all of both are in the proof."""
            nonlocal smallest
            if len(decided) + len(waiting) >= smallest:
                return
            if not waiting:
                smallest = len(decided)
                return
            first = min(waiting, key=lambda position: (position.ply, position))
            rest = waiting - {first}
            after = self.classes_after(first)
            if after and first.turn is prover:
                least = value(first) if is_best else bound
                choices: Iterable[list[Position]] = [
                    [each] for each in after if value(each) >= least
                ]
            else:
                choices = [after]
            for chosen in choices:
                look(decided | {first}, rest | set(chosen))

        look(frozenset(), frozenset([EMPTY]))
        return smallest

    def _least(self, position: Position, alpha: int, beta: int) -> tuple[int, int]:
        """Return the value, fail-hard, and the fewest nodes over all orders; the mover's view."""
        if not self.after(position):
            value = self.value(position) * position.turn.sign
            return max(alpha, min(beta, value)), 1
        fewest = 10**9
        for order in permutations(self.after(position)):
            low, nodes = alpha, 1
            for child in order:
                value, below = self.least(child, -beta, -low)
                low, nodes = max(low, -value), nodes + below
                if low >= beta:
                    break
            fewest = min(fewest, nodes)
        return low, fewest

    def left_first_graph(self) -> int:
        """Return the classes that fail-soft alpha-beta with a table visits, best moves first."""
        bounds: dict[Position, list[int]] = {}

        def gain(position: Position, child: Position) -> int:
            return self.value(child) * position.turn.sign

        def search(position: Position, alpha: int, beta: int) -> int:
            shown = self.shown(position)
            low, high = bounds.setdefault(shown, [-9, 9])
            if low >= beta:
                return low
            if high <= alpha:
                return high
            moves = sorted(self.after(shown), key=lambda child: -gain(shown, child))
            if not moves:
                best = self.value(shown) * shown.turn.sign
                bounds[shown] = [best, best]
                return best
            alpha, beta = max(alpha, low), min(beta, high)
            best = -9
            for child in moves:
                best = max(best, -search(child, -beta, -max(alpha, best)))
                if best >= beta:
                    break
            if best > alpha:
                bounds[shown][0] = best
            if best < beta:
                bounds[shown][1] = best
            return best

        search(EMPTY, -9, 9)
        return len(bounds)
