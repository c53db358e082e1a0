"""Where marks have lines and threats: by shifts with gravity, line by line without."""

from marubatsu.engine.kernels.exact_layout import Ints, SearchBoard
from marubatsu.engine.large.compiled import compiled


@compiled
def _shifted(own: int, step: int, run: int) -> int:
    """Return the cells that complete a line with marks on either side, at a distance."""
    if run == 4:
        above, below = own >> step, own << step
        two_above, two_below = above & own >> 2 * step, below & own << 2 * step
        ends = two_above & own >> 3 * step | two_below & own << 3 * step
        return ends | above & two_below | below & two_above
    completing = 0
    for above_it in range(run):
        cells = -1
        for distance in range(1, above_it + 1):
            cells &= own >> distance * step
        for distance in range(1, run - above_it):
            cells &= own << distance * step
        completing |= cells
    return completing


@compiled
def threats_by_steps(own: int, board: SearchBoard) -> int:
    """Return the cells that complete a line of a side's marks, in a game with gravity."""
    column, run = board.column, board.run
    threats = _shifted(own, 1, run)
    if board.has_rows:
        threats |= _shifted(own, column, run)
    if board.has_diagonals:
        threats |= _shifted(own, column - 1, run) | _shifted(own, column + 1, run)
    return threats


@compiled
def _begins(marks: int, step: int, run: int) -> int:
    """Return the marks that are the first of a line at a distance."""
    begins = marks
    for distance in range(1, run):
        begins &= marks >> distance * step
    return begins


@compiled
def has_line_by_steps(marks: int, board: SearchBoard) -> bool:
    """Return whether some marks contain a line, in a game with gravity."""
    column, run = board.column, board.run
    begins = _begins(marks, 1, run)
    if board.has_rows:
        begins |= _begins(marks, column, run)
    if board.has_diagonals:
        begins |= _begins(marks, column - 1, run) | _begins(marks, column + 1, run)
    return begins != 0


@compiled
def threats_of(own: int, lines: Ints, board: SearchBoard) -> int:
    """Return the cells that complete a line of a side's marks."""
    if board.gravity:
        return threats_by_steps(own, board)
    threats = 0
    for line in lines:
        missing = line & ~own
        if missing & (missing - 1) == 0:
            threats |= missing
    return threats


@compiled
def has_line(marks: int, lines: Ints) -> bool:
    """Return whether some marks contain one of the lines."""
    has_one = False
    for line in lines:
        has_one |= marks & line == line
    return has_one
