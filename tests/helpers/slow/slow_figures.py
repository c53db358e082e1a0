"""The figures of an audit once more, by plain loops over the positions and images of 3x3 boards.

Nothing here knows the engine or the tables: boards are text, chances are fractions, and the values
of positions come from a minimax of its own.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import floor

from tests.helpers.slow.slow_ais import empty, filled, has_won, mark_to_move

Choose = Callable[[str], Mapping[int, Fraction]]
"""Returns the candidates of an AI with their chances."""


@cache
def winner(board: str) -> str | None:
    return next((mark for mark in "ox" if has_won(board, mark)), None)


@cache
def is_finished(board: str) -> bool:
    return winner(board) is not None or "." not in board


@cache
def value(board: str) -> tuple[int, int]:
    """Return the score of the side to move, and the plies to the end with best play."""
    if winner(board):
        return -1, 0
    if "." not in board:
        return 0, 0
    after = [value(filled(board, move, mark_to_move(board))) for move in empty(board)]
    score = max(-theirs for theirs, _ in after)
    plies = [distance for theirs, distance in after if -theirs == score]
    return score, 1 + (min(plies) if score == 1 else max(plies))


def score_after(board: str, move: int) -> int:
    return -value(filled(board, move, mark_to_move(board)))[0]


def plies_lost(board: str, move: int) -> int:
    """Return how many plies later a best move wins, or sooner loses, than the best of them."""
    score, distance = value(board)
    after = 1 + value(filled(board, move, mark_to_move(board)))[1]
    return score * (after - distance)


@cache
def best_moves(board: str) -> tuple[int, ...]:
    return tuple(move for move in empty(board) if score_after(board, move) == value(board)[0])


@cache
def created() -> tuple[str, ...]:
    """List all boards in the order in which play from the empty board reaches them by ply."""
    boards, ply = ["." * 9], ["." * 9]
    while ply:
        after: dict[str, None] = {}
        for board in ply:
            for move in () if is_finished(board) else empty(board):
                after.setdefault(filled(board, move, mark_to_move(board)))
        ply = list(after)
        boards += ply
    return tuple(boards)


@cache
def number_of() -> dict[str, int]:
    """Return the number of each board in that order."""
    return {board: number for number, board in enumerate(created())}


def images(board: str) -> set[str]:
    """Return the images of a board under the eight symmetries of the square."""
    turned = []
    for _ in range(4):
        board = "".join(board[3 * (2 - x) + y] for y in range(3) for x in range(3))
        turned += [board, "".join(board[3 * y : 3 * y + 3][::-1] for y in range(3))]
    return set(turned)


@cache
def representative(board: str) -> str:
    """Return the image that play reaches first."""
    return min(images(board), key=lambda image: number_of()[image])


@cache
def critical() -> tuple[str, ...]:
    """List the unfinished boards in which some move is not a best move."""
    return tuple(
        board
        for board in created()
        if not is_finished(board) and best_moves(board) != tuple(empty(board))
    )


@dataclass(frozen=True)
class Figures:
    """The figures of an audit in every position that do not depend on games."""

    classes_right: int
    classes: int
    representatives_right: int
    positions_right: int
    positions: int
    best_move_percent: float
    expected_loss: float
    mean_plies_lost: float
    strongly_solved: bool
    as_circle: bool
    as_cross: bool


def figures(choose: Choose) -> Figures:
    """Judge an AI by its candidates on every board."""
    wrong, best, loss = set(), Fraction(0), Fraction(0)
    for board in critical():
        for move, chance in choose(board).items():
            lost = value(board)[0] - score_after(board, move)
            best += chance * (lost == 0)
            loss += chance * lost
            if lost:
                wrong.add(board)
    classes = {representative(board) for board in critical()}
    count = len(critical())
    return Figures(
        classes_right=len(classes - {representative(board) for board in wrong}),
        classes=len(classes), representatives_right=len(classes - wrong),
        positions_right=count - len(wrong), positions=count,
        best_move_percent=half_up(100 * best / count, 4), expected_loss=half_up(loss / count, 6),
        mean_plies_lost=half_up(mean_plies_lost(choose, created()), 4), strongly_solved=not wrong,
        as_circle=not can_lose(choose, "o"), as_cross=not can_lose(choose, "x"),
    )  # fmt: skip


def mean_plies_lost(choose: Choose, boards: Sequence[str]) -> Fraction:
    """Return the mean of the plies lost over the unfinished boards where it may keep the score."""
    means: list[Fraction] = []
    for board in boards:
        if is_finished(board):
            continue
        kept = {move: chance for move, chance in choose(board).items() if move in best_moves(board)}
        if kept:
            wasted = (chance * plies_lost(board, move) for move, chance in kept.items())
            means.append(sum(wasted, Fraction(0)) / sum(kept.values(), Fraction(0)))
    return sum(means, Fraction(0)) / len(means)


def wrong_by_ply(choose: Choose) -> dict[int, int]:
    """Count the boards of each ply in which some candidate is not a best move."""
    counts = {9 - board.count("."): 0 for board in critical()}
    for board in critical():
        counts[9 - board.count(".")] += any(move not in best_moves(board) for move in choose(board))
    return counts


def blunders(choose: Choose) -> list[tuple[str, int]]:
    """List the boards with each candidate that is not a best move."""
    return [
        (board, move)
        for board in critical()
        for move in choose(board)
        if move not in best_moves(board)
    ]


def can_lose(choose: Choose, mark: str) -> bool:
    """Return whether an AI can lose with a mark, from the empty board against any replies."""
    seen, left = {"." * 9}, ["." * 9]
    while left:
        board = left.pop()
        if is_finished(board):
            if winner(board) not in (mark, None):
                return True
            continue
        moves = choose(board) if mark_to_move(board) == mark else empty(board)
        after = {filled(board, move, mark_to_move(board)) for move in moves} - seen
        seen |= after
        left += after
    return False


def half_up(number: Fraction, digits: int) -> float:
    """Round as SQL does."""
    scale: int = 10**digits
    return floor(number * scale + Fraction(1, 2)) / scale
