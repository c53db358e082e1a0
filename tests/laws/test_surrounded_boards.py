"""A board among other text is not read: the error shows the part that is a board."""

from typing import Any

import numpy as np
import pytest

from marubatsu.engine.notations.reading import read_position
from marubatsu.engine.rules.board_text import BoardError
from marubatsu.engine.rules.game import Game

TICTACTOE, CONNECT4 = Game("tictactoe"), Game("connect4")
OBSERVATION = '{"board": [0, 0, 0, 0, 1, 0, 0, 0, 2], "mark": 1}'


@pytest.mark.parametrize(
    ("given", "board"),
    [
        ("board: ox.......", "ox......."),
        ("Board: X O _ _ _ _ _ _ _", "X O _ _ _ _ _ _ _"),
        ("<board ox.......>", "ox......."),
        ("ox....... x", "ox......."),
        ("ox....... 1", "ox......."),
        ("ox1/3/3 x - - 0 1", "ox1/3/3"),  # as in FEN for chess
        ("\x1b[31mO\x1b[0m\x1b[34mX\x1b[0m.......", "OX......."),
        ("Turn: O\nXO.\n...\n...", "XO.\n...\n..."),
        ("XO.\n...\n...\no to move", "XO.\n...\n..."),
        (OBSERVATION, "[0, 0, 0, 0, 1, 0, 0, 0, 2]"),
        ("{'board': ['X', 'O', ' ', ' ', ' ', ' ', ' ', ' ', ' ']}",
         "['X', 'O', ' ', ' ', ' ', ' ', ' ', ' ', ' ']"),
    ],
)  # fmt: skip
def test_what_surrounds_a_board_is_to_be_left_out(given: str, board: str) -> None:
    with pytest.raises(BoardError) as refused:
        read_position(TICTACTOE, given)
    assert str(refused.value).endswith(f"is more than a board: write {board!r}")
    first = "1" if "1" in board and "/" not in board else "x" if "X" in board else "o"
    read_position(TICTACTOE, board, first=first)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"board": [0] * 9, "mark": 1}, "give only its 'board'"),
        ("1-1000000", "cell 3 of .* is '0', and other empty cells have another sign"),
        (np.array([1, 0, np.nan] * 3), "cell 1 of .* is '0.0', and other empty cells have another"),
        ("x o 7", "got 3: 'x o 7'$"),
        ("xo.......,1", "got 2: 'xo.......,1'$"),
        ("1. b2 a3 2. c1", "write only moves, with blanks between them, as in 'b2 a3 c1'"),
        ("b2-a3-c1", "write only moves, with blanks between them, as in 'b2 a3 c1'"),
    ],
)
def test_no_cure_leads_to_another_error(given: Any, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        read_position(TICTACTOE, given)


def test_columns_for_rows_name_the_numberings_that_read_them() -> None:
    columns = [[0] * 5 + [mark] for mark in (0, 0, 0, 1, 2, 1, 0)]
    with pytest.raises(BoardError, match=r"reads columns: cells-by-column, .*-from-bottom$"):
        read_position(CONNECT4, columns)
    read = read_position(CONNECT4, columns, numbering="cells-by-column")
    assert read == read_position(CONNECT4, "d e f")
