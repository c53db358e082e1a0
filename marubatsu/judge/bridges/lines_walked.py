"""The lines of play of a walk: every move of every position, or random games."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position


class Line(NamedTuple):
    """The cells played from the empty board, and what an earlier line has shown of them."""

    moves: tuple[int, ...]
    new_from: int  # the first ply at which this line shows something new


def every_move(game: Game) -> Iterator[Line]:
    """Yield lines that together play every move of every position once."""
    seen: set[Position] = set()
    waiting: list[tuple[tuple[int, ...], Position]] = [((), EMPTY)]
    while waiting:
        moves, position = waiting.pop()
        new_from = len(moves)
        while position not in seen:
            seen.add(position)
            first, *others = game.legal_moves(position) or (None,)
            if first is None:
                break
            waiting += [((*moves, cell), position.after(cell)) for cell in others]
            moves, position = (*moves, first), position.after(first)
        yield Line(moves, new_from)


def random_games(game: Game, count: int, seed: int) -> Iterator[Line]:
    """Yield games of uniformly random play, from the first position to the last."""
    random = Random(seed)  # noqa: S311, chance need not be unguessable
    for _ in range(count):
        moves, position = list[int](), EMPTY
        while legal := game.legal_moves(position):
            moves.append(random.choice(legal))
            position = position.after(moves[-1])
        yield Line(tuple(moves), 0)
