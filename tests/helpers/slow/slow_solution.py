"""Strong solutions a second way: every position separately, with the rules by coordinates."""

from collections import Counter
from collections.abc import Iterator

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.engine.rules.symmetry import class_members
from tests.helpers.data.played import after
from tests.helpers.slow.slow_index import rows_of
from tests.helpers.slow.slow_rules import legal_moves, status

Row = tuple[int, int, int]
"""Score for the side to move, distance, orbit."""

_SCORES = {1: "+1", 0: "0", -1: "-1"}
_ENDINGS = {"circle": "won by circle", "cross": "won by cross", "draw": "drawn"}


def solution(game: Game) -> list[dict[int, Row]]:
    """Return for every ply the row of every class, by its number in the index."""
    values = values_of(game)
    plies: list[dict[int, Row]] = []
    for ply in range(1 + max(position.ply for position in values)):
        numbers = rows_of(game, ply)
        here = {position: numbers[position] for position in values if position.ply == ply}
        orbits = Counter(here.values())
        rows: dict[int, Row] = {}
        for position, number in here.items():
            row = (*values[position], orbits[number])
            assert rows.setdefault(number, row) == row
        plies.append(rows)
    return plies


def values_of(game: Game, position: Position = EMPTY) -> dict[Position, tuple[int, int]]:
    """Return score and distance of a position and of all after it, for the side to move."""
    values: dict[Position, tuple[int, int]] = {}
    _value(game, position, values)
    return values


def _value(
    game: Game, position: Position, values: dict[Position, tuple[int, int]]
) -> tuple[int, int]:
    """Return score and distance for the side to move: the fastest win, the slowest loss."""
    if position in values:
        return values[position]
    is_circle = position.ply % 2 == 0
    ends = status(game, position)
    if ends != "playing":
        score_mover = 0 if ends == "draw" else 1 if (ends == "circle") == is_circle else -1
        values[position] = (score_mover, 0)
        return values[position]
    results = []
    for child in _children(game, position):
        score_mover, distance = _value(game, child, values)
        results.append((-score_mover, distance + 1))
    best = max(score_mover for score_mover, _ in results)
    distances = [distance for score_mover, distance in results if score_mover == best]
    values[position] = (best, min(distances) if best > 0 else max(distances))
    return values[position]


def _children(game: Game, position: Position) -> Iterator[Position]:
    """Yield the positions to which the legal moves lead; none when the game is over."""
    return (after(position, move) for move in legal_moves(game, position))


def quantities(game: Game) -> Counter[str]:
    """Count what `known_counts.csv` counts in total, as slowly as it reads."""
    values = values_of(game)
    counts = Counter({"value": values[EMPTY][0], "positions": len(values)})
    classes = {min(class_members(game, position)): position for position in values}
    for things, positions in (("positions", values), ("classes", classes.values())):
        counts[things] = len(positions)
        for position in positions:
            is_circle = position.ply % 2 == 0
            score, ends = values[position][0], status(game, position)
            counts[f"{things} with score {_SCORES[score if is_circle else -score]}"] += 1
            counts[("unfinished " if ends == "playing" else "finished ") + things] += 1
            if ends != "playing":
                counts[f"finished {things} {_ENDINGS[ends]}"] += 1
    nodes: Counter[Position] = Counter({EMPTY: 1})
    for position in sorted(values, key=lambda position: position.ply):
        ends = status(game, position)
        counts["nodes"] += nodes[position]
        if ends != "playing":
            counts["games"] += nodes[position]
            counts[f"games {_ENDINGS[ends]}"] += nodes[position]
        for child in _children(game, position):
            nodes[child] += nodes[position]
    return counts
