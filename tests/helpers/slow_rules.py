"""The rules once more, by coordinates and as slowly as they read, to hold the engine against."""

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position


def winner_of_line(game: Game, text: str) -> str | None:
    """Return the mark of whoever has a line, looking at every cell in every direction."""
    rows = [text[y * game.columns : (y + 1) * game.columns] for y in range(game.rows)]
    for y in range(game.rows):
        for x in range(game.columns):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(x + dx * i, y + dy * i) for i in range(game.run)]
                if game.torus:
                    cells = [(cx % game.columns, cy % game.rows) for cx, cy in cells]
                    if len({*cells}) < game.run:
                        continue
                if all(0 <= cx < game.columns and 0 <= cy < game.rows for cx, cy in cells):
                    marks = {rows[cy][cx] for cx, cy in cells}
                    if marks in ({"o"}, {"x"}):
                        return marks.pop()
    return None


def status(game: Game, position: Position) -> str:
    """Tell the status of a reachable position."""
    text = to_text(game, position)
    mark = winner_of_line(game, text)
    if mark is not None:
        return "circle" if (mark == "o") != game.misere else "cross"
    return "playing" if "." in text else "draw"


def legal_moves(game: Game, position: Position) -> list[int]:
    """List the legal moves: column by column downwards with gravity."""
    text = to_text(game, position)
    if status(game, position) != "playing":
        return []
    empty = [cell for cell, mark in enumerate(text) if mark == "."]
    if not game.gravity:
        return empty
    lowest = {cell % game.columns: cell for cell in empty}  # the last of a column is the lowest
    return sorted(lowest.values())
