"""The opening books that come with the code: answers of first positions, in ``queries/reference``.

A file has a row for each class of unfinished positions of a game with gravity, up to a ply: the
columns of the moves that lead to its `smallest_member`, from 1, as one word; its score, circle's
view; the plies to the end; and the columns of its best moves, which are those that keep the score.
Lines that begin with # say how the answers were found.
"""

import csv
from collections.abc import Iterable, Sequence
from itertools import groupby

import numpy as np

from marubatsu.engine.large.values import FAR, Bounds, score_of, value_after
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Masks
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.rules.symmetry import smallest_member
from marubatsu.pipeline.laboratory import answers_table
from marubatsu.pipeline.laboratory.answers_table import Found, KeptAnswers
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.resources import REFERENCE

BOOKS = REFERENCE / "opening_books"

COLUMNS = ("line", "score", "distance", "best")


def known_answers(data_set: DataSet) -> dict[Position, Found]:
    """Return the answers that need no search: those of the book, and those that are kept.

    Raises DataError when what is kept is damaged.
    """
    return answers_table.read(data_set) | read(data_set.game)


def read(game: Game) -> dict[Position, Found]:
    """Read the book of a game; a game without one has no answers."""
    path = BOOKS / f"{game.name}.csv"
    if not path.is_file():
        return {}
    found: dict[Position, Found] = {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        for ply, same in groupby(rows, key=lambda row: len(row["line"])):
            listed = list(same)
            positions = positions_of(game, [row["line"] for row in listed])
            sign = 1 if ply % 2 == 0 else -1
            for position, row in zip(positions, listed, strict=True):
                value = sign * int(row["score"]) * (FAR - int(row["distance"]))
                found[position] = Found(value, 0, row["best"])
    return found


def bounds_after(game: Game, position: Position, found: Found) -> dict[Position, Bounds]:
    """Return bounds of the values of the classes after a position, from what is known of it.

    No move beats its value. Its best moves, where they are known, keep its score, and no others do.
    """
    least, slowest = value_after(found.value), FAR - (game.cells - position.ply - 1)
    score = score_of(least)
    if least == -FAR:  # It ends with the next move, and else two moves later at the earliest.
        least += 2
    bounds: dict[Position, Bounds] = {}
    for move in game.legal_moves(position):
        child = position.after(move)
        if game.status(child) is not Status.PLAYING:
            continue
        low, high = least, FAR - 1
        if str(move % game.columns + 1) in found.best:
            high = {-1: -slowest, 0: 0, 1: high}[score]
        elif found.best:
            low = {-1: 0, 0: slowest}[score]
        bounds[smallest_member(game, child)] = Bounds(low, high)
    return bounds


def bounds_after_all(
    game: Game, positions: Iterable[Position], known: KeptAnswers
) -> dict[Position, Bounds]:
    """Return bounds of the values of the classes after those of some positions that are known."""
    bounds: dict[Position, Bounds] = {}
    for position in filter(known.__contains__, positions):
        for after, new in bounds_after(game, position, known[position]).items():
            low, high = bounds.get(after, new)
            bounds[after] = Bounds(max(low, new.low), min(high, new.high))
    return bounds


def positions_of(game: Game, lines: Sequence[str]) -> Iterable[Position]:
    """Return the positions after moves in columns; all lines have as many.

    >>> list(positions_of(Game("connect4"), ["44"])) == [Position(1 << 38, 1 << 31)]
    True
    """
    moves = np.frombuffer("".join(lines).encode(), np.uint8).reshape(len(lines), -1) - ord("1")
    line, height = np.arange(len(lines)), np.zeros((len(lines), game.columns), np.int64)
    sides: list[Masks] = [np.zeros(len(lines), np.int64) for _ in range(2)]
    for ply, column in enumerate(moves.T):
        sides[ply % 2] |= 1 << column + game.columns * (game.rows - 1 - height[line, column])
        height[line, column] += 1
    return map(Position, *(side.tolist() for side in sides))
