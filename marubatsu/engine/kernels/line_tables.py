"""Where marks have lines and threats: by shifts with gravity, line by line without."""

from marubatsu.engine.kernels.exact_layout import Ints, SearchBoard, Steps
from marubatsu.engine.large.compiled import compiled, inlined


@inlined
def _four(own: int, step: int) -> int:
    """Return the cells that complete a line of 4 with marks on either side, at a distance."""
    above, below = own >> step, own << step
    two_above, two_below = above & own >> 2 * step, below & own << 2 * step
    ends = two_above & own >> 3 * step | two_below & own << 3 * step
    return ends | above & two_below | below & two_above


@compiled
def _shifted(own: int, step: int, run: int) -> int:
    """Return the cells that complete a line with marks on either side, at a distance."""
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
def threats_by_steps(own: int, steps: Steps) -> int:
    """Return the cells that complete a line of a side's marks, in a game with gravity."""
    column, run, has_rows, has_diagonals = steps
    if run == 4:
        threats = _four(own, 1)
        if has_rows:
            threats |= _four(own, column)
        if has_diagonals:
            threats |= _four(own, column - 1) | _four(own, column + 1)
        return threats
    threats = _shifted(own, 1, run)
    if has_rows:
        threats |= _shifted(own, column, run)
    if has_diagonals:
        threats |= _shifted(own, column - 1, run) | _shifted(own, column + 1, run)
    return threats


@inlined
def _begins_four(marks: int, step: int) -> int:
    """Return the marks that are the first of a line of 4 at a distance."""
    pairs = marks & marks >> step
    return pairs & pairs >> 2 * step


@compiled
def _begins(marks: int, step: int, run: int) -> int:
    """Return the marks that are the first of a line at a distance."""
    begins = marks
    for distance in range(1, run):
        begins &= marks >> distance * step
    return begins


@compiled
def has_line_by_steps(marks: int, steps: Steps) -> bool:
    """Return whether some marks contain a line, in a game with gravity."""
    column, run, has_rows, has_diagonals = steps
    if run == 4:
        begins = _begins_four(marks, 1)
        if has_rows:
            begins |= _begins_four(marks, column)
        if has_diagonals:
            begins |= _begins_four(marks, column - 1) | _begins_four(marks, column + 1)
        return begins != 0
    begins = _begins(marks, 1, run)
    if has_rows:
        begins |= _begins(marks, column, run)
    if has_diagonals:
        begins |= _begins(marks, column - 1, run) | _begins(marks, column + 1, run)
    return begins != 0


@compiled
def threats_of(own: int, lines: Ints, board: SearchBoard) -> int:
    """Return the cells that complete a line of a side's marks."""
    if board.gravity:
        return threats_by_steps(own, board.steps)
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
