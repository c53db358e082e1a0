"""One position, explained: its board, value, class, and what every move is worth."""

from dataclasses import dataclass
from typing import Any

from marubatsu.engine.rules.board_text import draw, from_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import lookup
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.output import Rows


@dataclass(frozen=True)
class Shown:
    """What the tables say of one position, and of its legal moves, best first."""

    game: Game
    position: dict[str, Any]
    moves: Rows

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object."""
        moves = [dict(zip(self.moves.columns, row, strict=True)) for row in self.moves.rows]
        return {"game": self.game.name, **self.position, "moves": moves}


def look_up(catalog: Catalog, board: str) -> Shown:
    """Find a position by its board text.

    Raises BoardError or UsageError when the text is no position that play can reach.
    """
    game = catalog.data_set.game
    from_text(game, board)
    found = catalog.ask(lookup("position_of_board"), board)
    if not found.rows:
        raise UsageError(f"no game of {game.name} reaches {board!r}")
    position = dict(zip(found.columns, found.rows[0], strict=True))
    moves = catalog.ask(lookup("moves_of_position"), position["position"])
    score = moves.columns.index("score")
    columns = [*moves.columns, "outcome"]
    return Shown(game, position, Rows(columns, [[*r, outcome(r[score])] for r in moves.rows]))


def describe(shown: Shown) -> str:
    """Write a position for people, without its moves."""
    game, position = shown.game, shown.position
    lines = [draw(game, from_text(game, position["board"])), "", *_place(game, position)]
    lines.append(_value(position))
    if position["turn"] and "random_circle" in position:
        lines.append(
            f"score {position['score']}, score_sv {position['score_sv']}, "
            f"score_svrd {position['score_svrd']:g} (circle's view)"
        )
        chances = ", ".join(
            f"{result} {100 * position[f'random_{result}']:.2f} %"
            for result in ("circle", "draw", "cross")
        )
        lines.append(f"both sides at random: {chances}")
    return "\n".join(lines)


def _place(game: Game, position: dict[str, Any]) -> list[str]:
    """Say which position it is, as far as it has a number, and of which class."""
    if "position" not in position:
        return [
            f"{position['board']} is a position of {game.name}, ply {position['ply']}",
            f"class with key {position['key']}, orbit of {position['orbit']}",
        ]
    symmetry = symmetries(game)[position["symmetry"]].name
    representative = (
        "represented by this board"
        if position["symmetry"] == 0
        else f"represented by {position['representative']} ({symmetry})"
    )
    return [
        f"{position['board']} is position {position['position']} of {game.name}",
        f"ply {position['ply']}, nodes of the tree that show it: {position['nodes']:,}",
        f"class {position['class']}, orbit of {position['orbit']}, {representative}",
    ]


def outcome(score: int) -> str:
    """Name the result that a score stands for."""
    return {1: "circle wins", 0: "draw", -1: "cross wins"}[score]


def _value(position: dict[str, Any]) -> str:
    if position["turn"] is None:
        return f"finished: {outcome(position['score'])}"
    plies = position["distance"]
    return (
        f"{position['turn']} to move: {outcome(position['score'])} "
        f"in {plies} {'ply' if plies == 1 else 'plies'} with best play"
    )
