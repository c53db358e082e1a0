"""AIs in the terms of the tutorial series: the rules of ours that have the same names.

They draw by `choice`. A test that puts `list` in its place sees all that they may play.
"""

from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from random import choice
from typing import Any

from marubatsu import Markpat, Marubatsu


def ai1(mb: Any) -> Any:
    """Scan the rows for an empty cell."""
    for y in range(mb.BOARD_SIZE):
        for x in range(mb.BOARD_SIZE):
            if mb.board[x][y] == Marubatsu.EMPTY:
                return x, y
    return None


def ai2(mb: Any, debug: bool = False) -> Any:  # noqa: FBT001, FBT002, as there
    """Draw a legal move."""
    return choice(mb.calc_legal_moves())


def ai3(mb: Any) -> Any:
    """Prefer the centre, by a number, as on the boards of later episodes."""
    return 4 if mb.board.getmark(1, 1) == Marubatsu.EMPTY else ai2(mb)


def ai4(mb: Any) -> Any:
    """Prefer the centre and the corners."""
    for x, y in ((1, 1), (0, 0), (2, 0), (0, 2), (2, 2)):
        if mb.board.getmark_by_move((x, y)) == Marubatsu.EMPTY:
            return x, y
    return ai2(mb)


def ai5(mb: Any, *, keep: bool = True) -> Any:
    """Try each move on a copy."""
    for x, y in mb.calc_legal_moves():
        tried = deepcopy(mb)
        tried.move(x, y)
        if tried.judge() == mb.turn:
            return x, y
    return ai2(mb)


def ai6(mb: Any) -> Any:
    """Try the marks of both players, and take them away again."""
    for player in (mb.turn, Marubatsu.CROSS if mb.turn == Marubatsu.CIRCLE else Marubatsu.CIRCLE):
        for x, y in mb.calc_legal_moves():
            mb.board[x][y] = player
            has_won = mb.is_winner(player)
            mb.board.setmark_by_move((x, y), Marubatsu.EMPTY)
            if has_won:
                return x, y
    return ai2(mb)


def ai7(mb: Any) -> Any:
    """Prefer the centre to all of that."""
    return (1, 1) if mb.board[1][1] == mb.EMPTY else ai6(mb)


def by_value(value: Callable[[Any], float]) -> Callable[..., Any]:
    """Make an AI of the value of a position after a move, as the decorator of the series."""

    @wraps(value)
    def play(mb: Any, debug: bool = False, *, analyze: bool = False) -> Any:  # noqa: FBT001, FBT002
        values = {}
        for move in mb.calc_legal_moves():
            mb.move(move)
            values[move] = value(mb)
            mb.unmove()
        best = [move for move in values if values[move] == max(values.values())]
        if analyze:
            return {"candidate": best, "score_by_move": values}
        return choice(best)

    return play


@by_value
def ai8s(mb: Any) -> float:
    """Value the centre, a win, a threat of the opponent, and one of one's own."""
    if mb.last_move == (1, 1):
        return 3
    if mb.status == mb.last_turn:
        return 2
    counts = mb.count_markpats()
    if counts[Markpat(last_turn=0, turn=2, empty=1)]:
        return -1
    return 1 if Markpat(2, 0, 1) in mb.enum_markpats() else 0
