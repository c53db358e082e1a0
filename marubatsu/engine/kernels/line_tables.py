"""Where marks have lines and threats: by shifts with gravity, line by line without."""

from functools import reduce
from operator import or_

from marubatsu.engine.kernels.exact_layout import Ints, Layout, Steps
from marubatsu.engine.large.compiled import compiled, inlined


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
def has_line(marks: int, lines: Ints) -> bool:
    """Return whether some marks contain one of the lines."""
    has_one = False
    for line in lines:
        has_one |= marks & line == line
    return has_one
