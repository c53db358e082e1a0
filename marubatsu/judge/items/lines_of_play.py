"""Lines of play that lead to many positions, by look-ups among all positions of a game."""

import numpy as np

from marubatsu.engine.rules.masks import Masks
from marubatsu.judge.oracle.numbered import Numbered


def lines_to(positions: Numbered, circle: Masks, cross: Masks, cells: int) -> list[list[int]]:
    """Return moves from the empty board to each of N positions that play can reach.

    The way back takes, ply by ply, the last cell without which play can reach the position, too.
    Without the mark that came last, no unfinished position is finished. With gravity, no other mark
    than the one on top of a column leaves a position that play can reach.
    """
    masks = [circle.copy(), cross.copy()]
    plies = np.bitwise_count(circle | cross)
    line = np.full((len(plies), cells), -1, np.int8)
    for ply in range(int(plies.max(initial=0)), 0, -1):
        waiting = np.flatnonzero(plies >= ply)
        last, other = masks[1 - ply % 2], masks[ply % 2]
        for cell in reversed(range(cells)):
            mark = circle.dtype.type(1 << cell)
            at = waiting[(last[waiting] & mark) != 0]
            before = (last[at] ^ mark, other[at])
            _, is_known = positions.find(*(before if ply % 2 else before[::-1]))
            found = at[is_known]
            line[found, ply - 1] = cell
            last[found] ^= mark
            waiting = waiting[line[waiting, ply - 1] < 0]
        assert not len(waiting)
    return [moves[:ply].tolist() for moves, ply in zip(line, plies.tolist(), strict=True)]
