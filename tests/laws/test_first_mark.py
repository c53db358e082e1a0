"""The option that names the mark of the side that begins: one that the board has, and can begin."""

from typing import Any

import pytest

from marubatsu.engine.notations.many_positions import masks_of_boards
from marubatsu.engine.notations.reading import read_position
from marubatsu.engine.rules.board_text import BoardError
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError

pytestmark = pytest.mark.quick

TICTACTOE = Game("tictactoe")


def test_a_mark_that_cannot_begin_leads_to_the_other_one() -> None:
    for board, first, other in (("x........", "o", "x"), ("o........", "x", "o")):
        with pytest.raises(BoardError, match=f"reaches it with the option first='{other}'$"):
            read_position(TICTACTOE, board, first=first)


@pytest.mark.parametrize("first", ["", "z", "ox", "3", "circles", None, 1])
def test_no_mark_begins(first: Any) -> None:
    with pytest.raises(InputError, match="expected o or x, the mark of the side that begins"):
        read_position(TICTACTOE, "o........", first=first)


@pytest.mark.parametrize("board", ["ox.......", "o|x| / | | / | | ", "r,y,,,,,,,"])
def test_a_mark_that_begins_is_one_of_the_board(board: str) -> None:
    why = "has no '1', and the option first says that it begins"
    with pytest.raises(BoardError, match=why):
        read_position(TICTACTOE, board, first="1")
    with pytest.raises(BoardError, match=why):
        masks_of_boards(TICTACTOE, [board], first="1")


@pytest.mark.parametrize("first", ["2", "-1"])
def test_the_only_mark_is_not_the_one_that_begins(first: str) -> None:
    with pytest.raises(BoardError, match="0 o and 1 x"):
        read_position(TICTACTOE, [1, 0, 0, 0, 0, 0, 0, 0, 0], first=first)
