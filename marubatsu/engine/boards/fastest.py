"""The board that the pipeline uses for a game."""

from typing import Any

from marubatsu.engine.boards.bit_board import BitBoard
from marubatsu.engine.boards.bit_board_3x3 import BitBoard3x3
from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.game import Game


def new_board(game: Game) -> Board[Any]:
    """Return an empty board of the fastest kind for a game."""
    return BitBoard3x3(game) if BitBoard3x3.plays(game) else BitBoard(game)
