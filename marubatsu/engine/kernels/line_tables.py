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
    found = 0
    for above_it in range(run):
        cells = -1
        for distance in range(1, above_it + 1):
            cells &= own >> distance * step
        for distance in range(1, run - above_it):
            cells &= own << distance * step
        found |= cells
    return found


@compiled
def threats_by_steps(own: int, board: SearchBoard) -> int:
    """Return the cells that complete a line of a side's marks, in a game with gravity."""
    column, run = board.column, board.run
    found = _shifted(own, 1, run)
    if board.has_rows:
        found |= _shifted(own, column, run)
    if board.has_diagonals:
        found |= _shifted(own, column - 1, run) | _shifted(own, column + 1, run)
    return found


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
    found = _begins(marks, 1, run)
    if board.has_rows:
        found |= _begins(marks, column, run)
    if board.has_diagonals:
        found |= _begins(marks, column - 1, run) | _begins(marks, column + 1, run)
    return found != 0


@compiled
def threats_of(own: int, lines: Ints, board: SearchBoard) -> int:
    """Return the cells that complete a line of a side's marks."""
    if board.gravity:
        return threats_by_steps(own, board)
    found = 0
    for line in lines:
        missing = line & ~own
        if missing & (missing - 1) == 0:
            found |= missing
    return found


@compiled
def has_line(marks: int, lines: Ints) -> bool:
    """Return whether some marks contain one of the lines."""
    found = False
    for line in lines:
        found |= marks & line == line
    return found
