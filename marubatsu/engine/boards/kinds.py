"""All kinds of boards by name, and the one that the pipeline uses for a game."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from marubatsu.engine.boards.bit_board import BitBoard, BitBoard3x3
from marubatsu.engine.boards.board import Board
from marubatsu.engine.boards.list_board import List1dBoard, ListBoard
from marubatsu.engine.boards.numpy_board import NumpyBoard
from marubatsu.engine.rules.game import Game, GameError

NewBoard: TypeAlias = Callable[[Game], Board[Any]]
"""A kind of board: a function from a game to its empty board."""


def all_boards() -> dict[str, NewBoard]:
    """List all kinds of boards by name."""
    boards: dict[str, NewBoard] = {}
    for kind in (ListBoard, List1dBoard, BitBoard, NumpyBoard):
        boards[kind.__name__] = kind
        boards[f"{kind.__name__}+counters"] = partial(kind, count_lines=True)
    return {**boards, BitBoard3x3.__name__: BitBoard3x3}


def boards_of(game: Game) -> dict[str, NewBoard]:
    """List the kinds of boards that play a game, by name."""
    return {name: new for name, new in all_boards().items() if _plays(new, game)}


def _plays(new: NewBoard, game: Game) -> bool:
    try:
        new(game)
    except GameError:
        return False
    return True


def new_board(game: Game) -> Board[Any]:
    """Return an empty board of the fastest kind for a game."""
    return BitBoard3x3(game) if BitBoard3x3.plays(game) else BitBoard(game)
