"""Bounds from following up, by columns, lists of cells and every pairing."""

from collections.abc import Iterator, Sequence
from itertools import product

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, bits


def following(game: Game, position: Position) -> int | None:
    """Return the bound of `static_bounds` for the side to move; None where there is none."""
    mover, other = (set(bits(position[side])) for side in (position.turn, position.turn.other))
    upper, lower, singles = set[int](), set[int](), list[int]()
    for column in range(game.columns):
        cells = [column + game.columns * row for row in range(game.rows)]
        empty = [cell for cell in cells if cell not in mover | other]  # from the top
        upper |= set(empty[::2])
        lower |= set(empty[1::2])
        if len(empty) % 2:
            singles.append(empty[-1])
    upper -= set(singles)
    if game.misere:
        never, surely = other | upper, mover | lower
    else:
        never, surely = mover | lower, other | upper
    if len(singles) > 4 or not any(
        not any(has_line(game, never | set(ways)) for ways in product(*pairs))
        for pairs in pairings(singles)
    ):
        return None
    return -1 if has_line(game, surely) else 0


def pairings(cells: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield every way to make pairs of cells."""
    if not cells:
        yield []
        return
    first, *rest = cells
    for partner in rest:
        for others in pairings([cell for cell in rest if cell != partner]):
            yield [(first, partner), *others]


def has_line(game: Game, cells: set[int]) -> bool:
    """Return whether some cells contain a line."""
    return any(set(bits(line)) <= cells for line in game.lines)
