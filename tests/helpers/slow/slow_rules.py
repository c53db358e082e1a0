"""The rules once more, by coordinates and as slowly as they read, to hold the engine against."""

from functools import cache

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position


@cache
def lines_of(game: Game) -> list[list[int]]:
    """List the cells of every run, from every cell in every direction."""
    lines = []
    for y in range(game.rows):
        for x in range(game.columns):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                places = [(x + dx * i, y + dy * i) for i in range(game.run)]
                if game.torus:
                    places = [(cx % game.columns, cy % game.rows) for cx, cy in places]
                    if len({*places}) < game.run:
                        continue
                if all(0 <= cx < game.columns and 0 <= cy < game.rows for cx, cy in places):
                    lines.append([cx + cy * game.columns for cx, cy in places])
    return lines


def winner_of_line(game: Game, text: str) -> str | None:
    """Return the mark that has a line, looking at every line."""
    for first, *others in lines_of(game):
        mark = text[first]
        if mark != "." and all(text[cell] == mark for cell in others):
            return mark
    return None


def status(game: Game, position: Position) -> str:
    text = to_text(game, position)
    mark = winner_of_line(game, text)
    if mark is not None:
        return "circle" if (mark == "o") != game.misere else "cross"
    return "playing" if "." in text else "draw"


def legal_moves(game: Game, position: Position) -> list[int]:
    """List the legal moves: column by column downwards with gravity."""
    if status(game, position) != "playing":
        return []
    text = to_text(game, position)
    empty = [cell for cell, mark in enumerate(text) if mark == "."]
    if not game.gravity:
        return empty
    lowest = {cell % game.columns: cell for cell in empty}  # the last of a column is the lowest
    return sorted(lowest.values())
