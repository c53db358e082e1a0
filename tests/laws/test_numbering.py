"""Numberings of moves: what they read, what they write, and what they refuse."""

import re

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError
from marubatsu.engine.rules.numbering import (
    Numbering,
    NumberingError,
    cell_of_move,
    fitting,
    goal_of,
    move_text,
    numbering_of,
    numberings_of,
    require_fit,
)
from marubatsu.engine.rules.position import EMPTY, Position
from tests.helpers import CHECKOUT

pytestmark = pytest.mark.quick

TICTACTOE, CONNECT4, FLAT = Game("tictactoe"), Game("connect4"), Game("3x2k2")
PAGE = CHECKOUT / "docs" / "numberings.md"

BOARDS = {
    Numbering.CELLS: "0 1 2 / 3 4 5 / 6 7 8",
    Numbering.CELLS_FROM_1: "1 2 3 / 4 5 6 / 7 8 9",
    Numbering.BY_COLUMN: "0 3 6 / 1 4 7 / 2 5 8",
    Numbering.BY_COLUMN_FROM_1: "1 4 7 / 2 5 8 / 3 6 9",
    Numbering.BY_COLUMN_FROM_BOTTOM: "2 5 8 / 1 4 7 / 0 3 6",
    Numbering.FROM_BOTTOM: "6 7 8 / 3 4 5 / 0 1 2",
    Numbering.FROM_BOTTOM_FROM_1: "7 8 9 / 4 5 6 / 1 2 3",
    Numbering.COLUMNS: "0 1 2 / 0 1 2 / 0 1 2",
    Numbering.COLUMNS_FROM_1: "1 2 3 / 1 2 3 / 1 2 3",
    Numbering.NAMES: "a3 b3 c3 / a2 b2 c2 / a1 b1 c1",
    Numbering.NAMES_FROM_TOP: "a1 b1 c1 / a2 b2 c2 / a3 b3 c3",
    Numbering.ROW_COLUMN: "0,0 0,1 0,2 / 1,0 1,1 1,2 / 2,0 2,1 2,2",
    Numbering.ROW_COLUMN_FROM_1: "1,1 1,2 1,3 / 2,1 2,2 2,3 / 3,1 3,2 3,3",
    Numbering.COLUMN_ROW: "0,0 1,0 2,0 / 0,1 1,1 2,1 / 0,2 1,2 2,2",
    Numbering.COLUMN_ROW_FROM_1: "1,1 2,1 3,1 / 1,2 2,2 3,2 / 1,3 2,3 3,3",
}
"""The name of each cell of 3x3."""


def board_of(numbering: Numbering) -> str:
    columns = numbering in (Numbering.COLUMNS, Numbering.COLUMNS_FROM_1)
    game = Game("3x3k3-gravity") if columns else TICTACTOE
    texts = [move_text(game, cell, numbering) for cell in range(game.cells)]
    return " / ".join(" ".join(texts[row : row + 3]) for row in (0, 3, 6))


@pytest.mark.parametrize("numbering", Numbering)
def test_the_page_draws_the_board_of_each_numbering(numbering: Numbering) -> None:
    assert board_of(numbering) == BOARDS[numbering]
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    (row,) = (line for line in lines if line.startswith(f"| `{numbering}` |"))
    assert row.endswith(f" | `{BOARDS[numbering]}` |")


def test_the_page_lists_no_other_numbering() -> None:
    rows = re.findall(r"^\| `([a-z][a-z0-9-]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == list(Numbering)


@pytest.mark.parametrize(
    "name", ["tictactoe", "3x2k2", "connect4", "27x2k2", "1x9k3", "4x3k3-torus"]
)
def test_moves_are_written_and_read_in_every_numbering(name: str) -> None:
    game = Game(name)
    for numbering in numberings_of(game):
        for cell in range(game.cells):
            text = move_text(game, cell, numbering)
            goal = goal_of(game, text, numbering)
            column = sum(1 << at for at in range(cell % game.columns, game.cells, game.columns))
            assert goal == (column if numbering.startswith("columns") else 1 << cell)
            assert goal_of(game, f" {text.upper()} ", numbering) == goal


@pytest.mark.parametrize(
    ("game", "numbering", "move", "cells"),
    [
        (TICTACTOE, Numbering.CELLS, "004", [4]),
        (TICTACTOE, Numbering.CELLS, "B2", [4]),
        (FLAT, Numbering.ROW_COLUMN, [1, 2], [5]),
        (FLAT, Numbering.ROW_COLUMN, "x(1,2)", [5]),
        (FLAT, Numbering.COLUMN_ROW, (2, 1), [5]),
        (FLAT, Numbering.COLUMN_ROW_FROM_1, "[ 3, 2 ]", [5]),
        (CONNECT4, Numbering.CELLS, "d1", [38]),
        (CONNECT4, Numbering.CELLS, "d", [3, 10, 17, 24, 31, 38]),
        (CONNECT4, Numbering.CELLS, 3, [3]),
        (CONNECT4, Numbering.COLUMNS, 3, [3, 10, 17, 24, 31, 38]),
        (CONNECT4, Numbering.COLUMNS, "o3", [3, 10, 17, 24, 31, 38]),
        (CONNECT4, Numbering.NAMES, "G", [6, 13, 20, 27, 34, 41]),
    ],
)
def test_a_move_is_a_cell_or_a_column(
    game: Game, numbering: Numbering, move: object, cells: list[int]
) -> None:
    goal = goal_of(game, move, numbering)
    assert [cell for cell in range(game.cells) if goal >> cell & 1] == cells


def test_a_column_is_filled_from_below_until_it_is_full() -> None:
    position, filled = EMPTY, []
    for _ in range(6):
        cell = cell_of_move(CONNECT4, position, 2, Numbering.COLUMNS)
        assert cell is not None
        filled.append(cell)
        position = position.after(cell)
    assert filled == [37, 30, 23, 16, 9, 2]
    assert cell_of_move(CONNECT4, position, 2, Numbering.COLUMNS) is None
    assert cell_of_move(TICTACTOE, Position(1, 0), 0) is None


@pytest.mark.parametrize(
    ("game", "move", "numbering", "end"),
    [
        (TICTACTOE, "9", Numbering.CELLS, ("expected 0 to 8 or a1 to c3; the option numbering "
         "chooses another: cells-from-1, cells-by-column-from-1, cells-from-bottom-from-1")),
        (TICTACTOE, 0, Numbering.CELLS_FROM_1, ("expected 1 to 9; the option numbering chooses "
         "another: cells, cells-by-column, cells-by-column-from-bottom, cells-from-bottom")),
        (CONNECT4, 7, Numbering.COLUMNS, ("expected 0 to 6; the option numbering chooses another: "
         "cells, cells-from-1, cells-by-column, cells-by-column-from-1, "
         "cells-by-column-from-bottom, cells-from-bottom, cells-from-bottom-from-1, "
         "columns-from-1")),
        *((*wrong, f"expected {moves}, with blanks or commas between moves") for *wrong, moves in (
            (TICTACTOE, [0, 3], Numbering.CELLS, "0 to 8 or a1 to c3"),
            (CONNECT4, "4453", Numbering.COLUMNS_FROM_1, "1 to 7"),
            (CONNECT4, "h1", Numbering.CELLS, "0 to 41, a1 to g6 or a to g"),
        )),
    ],
)  # fmt: skip
def test_a_move_outside_the_board_is_refused_with_the_cure(
    game: Game, move: object, numbering: Numbering, end: str
) -> None:
    with pytest.raises(NumberingError) as raised:
        goal_of(game, move, numbering)
    start = f"{move!r} is no move of {game.name} in the numbering {numbering}: "
    assert str(raised.value) == start + end


@pytest.mark.parametrize("move", [
    True, None, 4.0, "", "-1", -1, "\uff14", "\xb2", [1], [1, 1, 1], {}, "a" * 99, "1)", "[4",
    "1 2", "4,",
])  # fmt: skip
def test_a_move_that_no_numbering_has_is_refused(move: object) -> None:
    assert fitting(TICTACTOE, [move]) == []
    refused = r"is no move of tictactoe .*: expected 0 to 8 or a1 to c3, with blanks or"
    with pytest.raises(NumberingError, match=refused):
        goal_of(TICTACTOE, move)


def test_columns_are_for_games_with_gravity() -> None:
    message = (
        "the numbering columns is for games with gravity, and tictactoe has none: expected cells, "
        "cells-from-1"
    )
    for wrong in (
        lambda: require_fit(TICTACTOE, Numbering.COLUMNS),
        lambda: goal_of(TICTACTOE, 1, Numbering.COLUMNS),
        lambda: move_text(TICTACTOE, 1, Numbering.COLUMNS),
    ):
        with pytest.raises(InputError, match=message):
            wrong()


def test_a_wrong_name_of_a_numbering_leads_to_the_right_one() -> None:
    with pytest.raises(InputError, match=r"^'colums' is no numbering: did you mean columns"):
        numbering_of("colums")
    with pytest.raises(InputError, match=r"^'xyz' is no numbering: expected cells, cells-from-1, "):
        numbering_of("xyz")
