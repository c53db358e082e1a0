"""The index once more, from its definition: every way to place the marks, sorted."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.symmetry import symmetries


def rows_of(game: Game, ply: int) -> dict[Position, int]:
    """Return the row of every placement of a ply."""
    order = {position: _order(game, position) for position in _placements(game, ply)}
    shown = {
        position: min(
            (s.of_position(position) for s in symmetries(game)),
            key=lambda image: (-order[image][0], order[image][1]),
        )
        for position in order
    }
    blocks = {order[position][0] for position in shown.values()}
    members = sorted(
        (position for position in order if order[position][0] in blocks), key=order.__getitem__
    )
    row = {position: number for number, position in enumerate(members)}
    return {position: row[member] for position, member in shown.items()}


def _placements(game: Game, ply: int) -> Iterator[Position]:
    """Yield every way to place the marks of a ply, with gravity on a mark or on the floor."""
    cells, columns = game.cells, game.columns
    for circle in combinations(range(cells), (ply + 1) // 2):
        empty = [cell for cell in range(cells) if cell not in circle]
        for cross in combinations(empty, ply // 2):
            marks = {*circle, *cross}
            if not game.gravity or all(
                cell + columns in marks for cell in marks if cell + columns < cells
            ):
                yield Position(sum(1 << cell for cell in circle), sum(1 << cell for cell in cross))


def _order(game: Game, position: Position) -> tuple[int, list[int]]:
    """Return a block, and the places of a choice, the last one first."""
    block, choice = position
    places = _places(game)
    if game.gravity:
        block, choice = position.occupied, position.circle
    return (
        sum(1 << place for cell, place in enumerate(places) if block >> cell & 1),
        sorted((place for cell, place in enumerate(places) if choice >> cell & 1), reverse=True),
    )


@cache
def _places(game: Game) -> list[int]:
    """Return the place of each cell: with gravity columns from the border to the centre."""
    if not game.gravity:
        return list(range(game.cells))
    middle = (game.columns - 1) / 2
    by_column = [(-abs(x - middle), x, y) for y in range(game.rows) for x in range(game.columns)]
    return [sorted(by_column).index(cell) for cell in by_column]
