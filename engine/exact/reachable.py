"""Whether play can reach a position: whether its marks can be taken back one by one."""

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, bits


def is_reachable(game: Game, position: Position) -> bool:
    """Return whether some order of play leads to a position.

    The sides take turns, no mark floats, and before the last mark nobody had a line.
    """
    sides = position.circle.bit_count() - position.cross.bit_count()
    floating = game.gravity and _floats(game, position.occupied)
    if sides not in (0, 1) or floating or position.circle & position.cross:
        return False
    # Without gravity, marks that contain no line contain none in any order.
    tried: set[Position] = set()
    left = [position]
    while left:
        here = left.pop()
        if here == EMPTY:
            return True
        for cell in bits(_last_marks(game, here)):
            before = Position(here.circle & ~(1 << cell), here.cross & ~(1 << cell))
            if before not in tried and not any(map(game.has_line, before)):
                if not game.gravity:
                    return True
                tried.add(before)
                left.append(before)
    return False


def _floats(game: Game, occupied: int) -> bool:
    """Return whether a cell below a mark is empty."""
    floor = game.full & ~(game.full >> game.columns)
    return occupied & ~(occupied >> game.columns | floor) != 0


def _last_marks(game: Game, position: Position) -> int:
    """Return the marks of which one must have been the last."""
    own = position[1 - position.turn]
    return own & ~(position.occupied << game.columns) if game.gravity else own
