"""Whether play can reach a position, and how: its marks are taken back one by one."""

from collections.abc import Iterator
from functools import lru_cache

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, bits


@lru_cache(maxsize=1024)
def is_reachable(game: Game, position: Position) -> bool:
    """Return whether some order of play leads to a position; the last answers are kept."""
    return line_to(game, position) is not None


def line_to(game: Game, position: Position) -> tuple[int, ...] | None:
    """Return the moves of a game that leads to a position, None when there is none.

    The sides take turns, every mark fills an open cell, and before the last mark no side has a
    line. It is always the same line; where all cells are open, each side fills its cells in
    ascending order.

    >>> line_to(Game("tictactoe"), Position(circle=0b100_000_001, cross=0b010_000_000))
    (0, 7, 8)
    """
    circles_ahead = position.circle.bit_count() - position.cross.bit_count()
    if circles_ahead not in (0, 1) or position.circle & position.cross:
        return None
    if stuck_marks(game, position):
        return None
    tried: set[Position] = set()
    left: list[tuple[Position, tuple[int, ...]]] = [(position, ())]
    while left:
        here, line = left.pop()
        if here == EMPTY:
            return line
        for cell, before in reversed([*positions_before(game, here)]):
            if before not in tried and not any(map(game.has_line, before)):
                tried.add(before)
                left.append((before, (cell, *line)))
                if game.all_open:
                    break  # Marks that contain no line contain none in any order.
    return None


def positions_before(game: Game, position: Position) -> Iterator[tuple[int, Position]]:
    """Yield each cell that the last move may have filled, ascending, with the position before."""
    for cell in bits(position[position.turn.other]):
        before = Position(position.circle & ~(1 << cell), position.cross & ~(1 << cell))
        if game.open_cells(before.occupied) >> cell & 1 and not stuck_marks(game, before):
            yield cell, before


def stuck_marks(game: Game, position: Position) -> int:
    """Return the mask of marks that no order sets, because their cells stay closed; 0 for none.

    Circle sets the first mark; after it, only which cells are filled counts, not by whom.
    """
    occupied = stuck = position.occupied
    for first in bits(position.circle & game.first_cells):
        filled = game.filled_after(first, occupied)
        stuck = min(stuck, occupied & ~filled, key=int.bit_count)
        if not stuck:
            break
    return stuck
