"""Values that the rules alone give, position by position, as slowly as they read."""

from marubatsu.engine.large.values import FAR, value_before
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from tests.helpers.data.played import after
from tests.helpers.slow.slow_rules import legal_moves, status

PLIES = 2


def value_at_once(game: Game, position: Position) -> int | None:
    """Return the mover's value where a side has won, or wins within two plies, else None."""
    value = _value(game, position, PLIES)
    return value if value is not None and abs(value) >= FAR - PLIES else None


def _value(game: Game, position: Position, plies: int) -> int | None:
    """Return the mover's value, None where it is decided later than after so many plies."""
    match status(game, position):
        case "draw":
            return 0
        case "circle" | "cross":
            return FAR if game.misere else -FAR
    if plies == 0:
        return None
    children = [after(position, move) for move in legal_moves(game, position)]
    values = [_value(game, child, plies - 1) for child in children]
    known = [value_before(value) for value in values if value is not None]
    if None in values and max(known, default=0) <= 0:
        return None
    return max(known)
