"""Whether play can reach a position, and how: its marks are taken back one by one."""

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, bits
from marubatsu.engine.rules.special_rules import require_known


def is_reachable(game: Game, position: Position) -> bool:
    """Return whether some order of play leads to a position."""
    return line_to(game, position) is not None


def line_to(game: Game, position: Position) -> tuple[int, ...] | None:
    """Return the moves of a game that leads to a position, None when there is none.

    Raises GameError for a game with a rule about the first mark.

    The sides take turns, no mark floats, and before the last mark nobody has a line. It is always
    the same line; without gravity, each side fills its cells in ascending order.

    >>> line_to(Game("tictactoe"), Position(circle=0b100_000_001, cross=0b010_000_000))
    (0, 7, 8)
    """
    require_known(game, "a line of play to a position", "directions", "lines", "line_results",
                  "full_board")  # fmt: skip
    sides = position.circle.bit_count() - position.cross.bit_count()
    floating = game.gravity and _floats(game, position.occupied)
    if sides not in (0, 1) or floating or position.circle & position.cross:
        return None
    tried: set[Position] = set()
    left: list[tuple[Position, tuple[int, ...]]] = [(position, ())]
    while left:
        here, line = left.pop()
        if here == EMPTY:
            return line
        for cell in sorted(bits(_last_marks(game, here)), reverse=True):
            before = Position(here.circle & ~(1 << cell), here.cross & ~(1 << cell))
            if before not in tried and not any(map(game.has_line, before)):
                tried.add(before)
                left.append((before, (cell, *line)))
                if not game.gravity:
                    break  # Marks that contain no line contain none in any order.
    return None


def _floats(game: Game, occupied: int) -> bool:
    """Return whether a cell below a mark is empty."""
    floor = game.full & ~(game.full >> game.columns)
    return occupied & ~(occupied >> game.columns | floor) != 0


def _last_marks(game: Game, position: Position) -> int:
    """Return the marks of which one must have been the last."""
    own = position[1 - position.turn]
    return own & ~(position.occupied << game.columns) if game.gravity else own
