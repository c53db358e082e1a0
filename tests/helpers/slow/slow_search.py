"""The searches of the series once more: two mirrored functions, a table with one entry per board.

Circle's view throughout, text boards, recursion as it is told: to hold node counts against.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from math import inf

from tests.helpers.slow.slow_ais import empty, filled, has_won

Order = Callable[[str], list[int]]

_TURNS = ("012345678", "258147036", "876543210", "630741852")
IMAGES = [*_TURNS, *("".join(turn[i] for i in (2, 1, 0, 5, 4, 3, 8, 7, 6)) for turn in _TURNS)]


@cache
def images(board: str) -> list[str]:
    """List a position's images under all turns and reflections."""
    return ["".join(board[int(cell)] for cell in image) for image in IMAGES]


@dataclass
class SlowSearch:
    """One search; ``nodes`` counts entries into ``minimax``."""

    order: Order = empty
    shortest_victory: bool = False
    init_window: bool = False
    table: dict[str, tuple[float, float]] | None = None
    scout: bool = False
    prune: bool = True
    nodes: int = 0
    span: tuple[float, float] = field(init=False)

    def __post_init__(self) -> None:
        self.span = (-2, 3) if self.shortest_victory else (-1, 1)

    def run(self, board: str) -> float:
        """Search a position from the root window."""
        return self.search(board, *(self.span if self.init_window else (-inf, inf)))

    def mtdf(self, board: str) -> float:
        """Search a position with null windows around the last answer."""
        lower, upper = self.span if self.init_window else (-inf, inf)
        f: float = 0
        while lower != upper:
            beta = f + 1 if lower == f else f
            f = self.search(board, beta - 1, beta)
            if f >= beta:
                lower = f
            else:
                upper = f
        return f

    def search(self, board: str, alpha: float, beta: float) -> float:
        """Return the score of a position for a window."""
        self.nodes += 1
        marks = 9 - len(empty(board))
        if has_won(board, "o"):
            return (11 - marks) / 2 if self.shortest_victory else 1
        if has_won(board, "x"):
            return (marks - 10) / 2 if self.shortest_victory else -1
        if marks == 9:
            return 0
        lower, upper = self.span
        if self.table is not None and board in self.table:
            lower, upper = self.table[board]
            if lower == upper or upper <= alpha:
                return upper
            if lower >= beta:
                return lower
            alpha, beta = max(alpha, lower), min(beta, upper)
        first_alpha, first_beta = alpha, beta
        score = self.maximum(board, alpha, beta) if marks % 2 == 0 else self.minimum(
            board, alpha, beta
        )  # fmt: skip
        if self.table is not None:
            if score <= first_alpha:
                upper = score
            elif score < first_beta:
                lower = upper = score
            else:
                lower = score
            for image in images(board):
                self.table[image] = (lower, upper)
        return score

    def maximum(self, board: str, alpha: float, beta: float) -> float:
        """Search a position in which circle is to move."""
        best = -inf
        for number, move in enumerate(self.order(board)):
            child = filled(board, move, "o")
            if self.scout and number > 0:
                score = self.search(child, alpha, alpha + 1)
                if alpha < score < beta:
                    score = self.search(child, alpha, beta)
            else:
                score = self.search(child, alpha, beta)
            best = max(best, score)
            if self.prune:
                if best >= beta:
                    return best
                alpha = max(alpha, best)
        return best

    def minimum(self, board: str, alpha: float, beta: float) -> float:
        """Search a position in which cross is to move."""
        best = inf
        for number, move in enumerate(self.order(board)):
            child = filled(board, move, "x")
            if self.scout and number > 0:
                score = self.search(child, beta - 1, beta)
                if alpha < score < beta:
                    score = self.search(child, alpha, beta)
            else:
                score = self.search(child, alpha, beta)
            best = min(best, score)
            if self.prune:
                if best <= alpha:
                    return best
                beta = min(beta, best)
        return best


def head_first(candidates: Callable[[str], list[int]]) -> Order:
    """Swap the first candidate with the first legal move."""

    def order(board: str) -> list[int]:
        moves, head = empty(board), candidates(board)[0]
        place = moves.index(head)
        moves[0], moves[place] = moves[place], moves[0]
        return moves

    return order


def by_value(value: Callable[[str, int], float]) -> Order:
    """Sort the moves by value, the greatest first, equal ones in their order."""
    return lambda board: sorted(empty(board), key=lambda move: -value(board, move))
