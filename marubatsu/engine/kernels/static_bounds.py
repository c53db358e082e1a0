"""What a position shows without a search: lines, threats, bounds of its value, and forced moves.

Lines and threats are found by shifts with gravity, line by line without. Values are those of
`exact_kernel`. No bound reads an array, so a call costs little.
"""

from functools import reduce
from operator import or_
from typing import NamedTuple

from marubatsu.engine.kernels.exact_layout import ExactTechniques, Layout, SearchBoard, Steps
from marubatsu.engine.large.compiled import compiled, count_bits, inlined
from marubatsu.engine.rules.masks import Longs


@inlined
def _four(own: int, step: int) -> int:
    """Return the cells that complete a line of 4 with marks on either side, at a distance."""
    above, below = own >> step, own << step
    two_above, two_below = above & above >> step, below & below << step
    ends = two_above & two_above >> step | two_below & two_below << step
    return ends | above & two_below | below & two_above


@compiled
def _any_run(own: int, steps: Steps) -> int:
    """Do what `threats_by_steps` does, for lines of any length."""
    completing = 0
    for step in (1, steps.across, steps.falling, steps.rising):
        for above_it in range(steps.run):
            cells, above, below = -1, own, own
            for _ in range(above_it):
                above >>= step
                cells &= above
            for _ in range(steps.run - 1 - above_it):
                below <<= step
                cells &= below
            completing |= cells
    return completing


@compiled
def threats_by_steps(own: int, steps: Steps) -> int:
    """Return the cells that complete a line of a side's marks, in a game with gravity.

    Some may be outside of the board, or hold a mark.
    """
    if steps.run != 4:
        return _any_run(own, steps)
    threats = _four(own, 1) | _four(own, steps.across)
    return threats | _four(own, steps.falling) | _four(own, steps.rising)


@inlined
def _begins_four(marks: int, step: int) -> int:
    """Return the marks that are the first of a line of 4 at a distance."""
    pairs = marks & marks >> step
    return pairs & pairs >> step >> step


@compiled
def _has_any_run(marks: int, steps: Steps) -> bool:
    """Do what `has_line_by_steps` does, for lines of any length."""
    has_one = False
    for step in (1, steps.across, steps.falling, steps.rising):
        begins, above = marks, marks
        for _ in range(1, steps.run):
            above >>= step
            begins &= above
        has_one |= begins != 0
    return has_one


@compiled
def has_line_by_steps(marks: int, steps: Steps) -> bool:
    """Return whether some marks contain a line, in a game with gravity."""
    if steps.run != 4:
        return _has_any_run(marks, steps)
    begins = _begins_four(marks, 1) | _begins_four(marks, steps.across)
    return begins | _begins_four(marks, steps.falling) | _begins_four(marks, steps.rising) != 0


def threats_of(own: int, layout: Layout) -> int:
    """Return the cells that complete a line of a side's marks, or more as `threats_by_steps`."""
    if layout.lines is None:
        return threats_by_steps(own, layout.board.steps)
    missing = [line & ~own for line in layout.lines.all.tolist()]
    return reduce(or_, (each for each in missing if each & (each - 1) == 0), 0)


@compiled
def has_line(marks: int, lines: Longs) -> bool:
    """Return whether some marks contain one of the lines."""
    has_one = False
    for line in lines:
        has_one |= marks & line == line
    return has_one


class Node(NamedTuple):
    """A position, and the cells that complete a line of each side."""

    mover: int  # marks of the side to move
    other: int
    own: int  # cells that complete a line of the mover
    threats: int  # cells that complete a line of the other side
    ply: int


_MOST_SINGLES = 4


@compiled
def worth(node: Node, board: SearchBoard, use: ExactTechniques) -> tuple[int, int, int]:
    """Return the moves worth a search, and bounds of the value; equal bounds need no search."""
    mover, other, own, threats, ply = node
    playable, left = board.full & ~(mover | other), board.cells - ply
    if board.gravity:
        playable &= (mover | other) + board.floor
    if not use.threats:
        if board.gravity and has_line_by_steps(other, board.steps):
            return 0, ended(left, board), ended(left, board)
        return playable, -left * (playable != 0), left * (playable != 0)
    if board.misere:  # A mark that completes a line is the last.
        moves = playable & ~own
        low, high = (-max(left - 2, 0), max(left - 1, 0)) if moves else (-left, -left)
        return moves, low, high
    if own & playable:
        return 0, left, left
    moves, low = playable, -max(left - 1, 0)
    if use.forced:
        low = -max(left - 3, 0)
        danger = threats & playable
        if danger:
            moves = danger
        if board.gravity:  # A mark below a threat makes it playable.
            moves &= ~(threats >> 1)
        if playable and (not moves or danger & (danger - 1)):
            return 0, 1 - left, 1 - left
    return moves, low, max(left - 2, 0)


@compiled
def ended(left: int, board: SearchBoard) -> int:
    """Return the value of a position in which the last mark has completed a line."""
    return left + 1 if board.misere else -left - 1


@inlined
def look(
    node: Node, alpha: int, beta: int, board: SearchBoard, use: ExactTechniques
) -> tuple[Node, int, int, int]:
    """Make the moves that are the only ones worth a search.

    Return where they end, bounds of the value there, and 1 or -1, which turns these into those of
    the first position. Bounds that decide nothing about its window are not looked for. This needs
    gravity; without it, the threats would have to be found line by line.
    """
    sign = 1
    moves, low, high = worth(node, board, use)
    while use.chains and low < high and moves & (moves - 1) == 0:
        ours = node.mover | moves
        after = threats_by_steps(ours, board.steps) & board.full & ~(ours | node.other)
        node = Node(node.other, ours, node.threats & ~moves, after, node.ply + 1)
        sign = -sign
        moves, low, high = worth(node, board, use)
    mover, other = node.mover, node.other
    if sign < 0:
        alpha, beta = -beta, -alpha
    if use.blocked and low < high:
        wins, loses = (mover, other) if board.misere else (other, mover)
        if 0 <= alpha < high and not has_line_by_steps(board.full & ~wins, board.steps):
            high = max(low, 0)
        if low < beta <= 0 and not has_line_by_steps(board.full & ~loses, board.steps):
            low = min(high, 0)
    if use.follow_up and -1 <= alpha < high and not board.cells - node.ply & 1:
        high = min(high, _following(mover, other, alpha, board))
        low = min(low, high)
    return node, low, high, sign


@compiled
def _following(mover: int, other: int, alpha: int, board: SearchBoard) -> int:
    """Return an upper bound of the value: what the other side gets by following up.

    An even number of cells is empty. The other side answers each mark by one above it. Columns with
    an odd number of empty cells come in pairs: it answers a mark on the lowest, *single* cell of
    one by the single cell of the other. So it always has an answer, and gets every upper cell but
    the singles, of each pair of which it gets the one that the mover leaves.
    """
    empty = board.full & ~(mover | other)
    singles = (mover | other) + board.floor & board.upper
    of_mover, of_other = mover | empty & ~board.upper, other | empty & board.upper & ~singles
    never, surely = (of_other, of_mover) if board.misere else (of_mover, of_other)
    wins = has_line_by_steps(surely, board.steps)
    if alpha < 0 and not wins:
        return board.cells
    if has_line_by_steps(never, board.steps) or not _stays_open(never, singles, board):
        return board.cells
    return -1 if wins else 0


@compiled
def _stays_open(marks: int, singles: int, board: SearchBoard) -> bool:
    """Return whether marks stay without a line, in some pairing, with any cell of each pair."""
    count = count_bits(singles)
    if count == 0 or not has_line_by_steps(marks | singles, board.steps):
        return True
    if count > _MOST_SINGLES:
        return False
    first = singles & -singles
    rest = singles & ~first
    while rest:
        partner = rest & -rest
        rest &= ~partner
        others = singles & ~(first | partner)
        second = others & -others  # 0 where there is one pair
        third = others & ~second
        if not (
            has_line_by_steps(marks | first | second, board.steps)
            or has_line_by_steps(marks | first | third, board.steps)
            or has_line_by_steps(marks | partner | second, board.steps)
            or has_line_by_steps(marks | partner | third, board.steps)
        ):
            return True
    return False
