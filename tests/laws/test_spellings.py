"""Boards in the spellings of data sets and programs: read as they are meant, or refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marubatsu.engine.notations.many_positions import masks_of_boards
from marubatsu.engine.notations.reading import read_position
from marubatsu.engine.rules.board_text import BoardError, draw, exchange_marks, from_text, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError
from marubatsu.engine.rules.numbering import Numbering, cell_order, move_text, numberings_of
from marubatsu.engine.rules.position import Position
from tests.helpers.data.played import reachable

pytestmark = pytest.mark.quick

TICTACTOE, CONNECT4 = Game("tictactoe"), Game("connect4")
UCI_ROW = "b,b,b,b,b,b,b,b,b,b,b,b,x,o,b,b,b,b,x,o,x,o,x,o" + ",b" * 18

FRAMED = "+---+---+---+\n| O | X |   |\n" + "+---+---+---+\n|   |   |   |\n" * 2 + "+---+---+---+"
PETTINGZOO = (
    "     |     |     \n  O  |  X  |  -  \n_____|_____|_____\n"
    "     |     |     \n  -  |  -  |  -  \n_____|_____|_____\n"
    "     |     |     \n  -  |  -  |  -  \n     |     |     \n"
)


@pytest.mark.parametrize(
    "given",
    [
        "O, X, , , , , , , ",
        "o;x;.;.;.;.;.;.;.",
        "ox???????",
        "OX*******",
        "OX#######",
        "oxeeeeeee",  # e for empty
        "oxNNNNNNN",
        "oxbbbbbbb",
        "ox~~~~~~~",
        "\uff2f\uff38\uff3f\uff3f\uff3f\uff3f\uff3f\uff3f\uff3f",  # full width
        "⭕\ufe0f❌\ufe0f⬜⬜⬜⬜⬜⬜⬜",
        "〇×・・・・・・・",  # noqa: RUF001
        "○✕□□□□□□□",
        "о х . . . . . . .",  # noqa: RUF001, Cyrillic
        "O X . / . . . / . . .",
        "OX_\r\n___\r\n___\r\n",
        r"OX_\n___\n___",
        "ox. ... ...",
        "ox.,...,...",
        "o,x,.;.,.,.;.,.,.",
        "o|x|\n-+-+-\n | |\n-+-+-\n | |",  # without blanks at the end
        " O | X |   \n-----------\n   |   |   \n-----------\n   |   |   ",
        " O | X | 2 \n---+---+---\n 3 | 4 | 5 \n---+---+---\n 6 | 7 | 8 ",  # TextArena
        " O | X | 9 \n---+---+---\n 4 | 5 | 6 \n---+---+---\n 1 | 2 | 3 ",  # a number pad
        FRAMED,
        "| O | X |   |\n|   |   |   |\n|   |   |   |",
        " O │ X │   \n───┼───┼───\n   │   │   \n───┼───┼───\n   │   │   ",
        "_O_|_X_|___\n___|___|___\n   |   |   ",
        "| O | X |   |\n|---|:-:|---|\n|   |   |   |\n|   |   |   |",  # Markdown
        "|  | a | b | c |\n|---|---|---|---|\n| 3 | O | X |  |\n| 2 |  |  |  |\n| 1 |  |  |  |",
        "╭───┬───┬───╮\n│ O │ X │   │\n│   │   │   │\n│   │   │   │\n╰───┴───┴───╯",
        "⭕❌3\ufe0f\u20e3\n4\ufe0f\u20e35\ufe0f\u20e36\ufe0f\u20e3\n7\ufe0f\u20e38\ufe0f\u20e39\ufe0f\u20e3",
        PETTINGZOO,
        "  a b c\n3 o x .\n2 . . .\n1 . . .",  # our questions
        "  1 2 3\nA O X _\nB _ _ _\nC _ _ _",
        "O X .\n. . .\n. . .\na b c",
        "  a b c\n1|O|X| |\n2| | | |\n3| | | |",
        "A B C\n1 O |X|\n2 | |\n3 | |",
        "|OX |\n|   |\n|   |",
        "|O X .|\n|. . .|\n|. . .|",
        "⭕❌⚪⚪⚪⚪⚪⚪⚪",
        "⭕❌⚫⚫⚫⚫⚫⚫⚫",
        "o0 x1",
        '[["O","X",""],["","",""],["","",""]]',
        '[["O", "X", null], [null, null, null], [null, null, null]]',
        "[['O' 'X' ' ']\n [' ' ' ' ' ']\n [' ' ' ' ' ']]",  # NumPy
        "['O', 'X', ' ', ' ', ' ', ' ', ' ', ' ', ' ']",
        '["OX_", "___", "___"]',
        '"O,X,_,_,_,_,_,_,_"',  # a quoted cell of CSV
        "(('O','X','_'),('_','_','_'),('_','_','_'))",
        "'O','X','-','-','-','-','-','-','-'",
        "o x EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY EMPTY",
        [["O", "X", ""], [""] * 3, [""] * 3],
        (("O", "X", " "), (" ",) * 3, (" ",) * 3),
        ["OX_", "___", "___"],
        ["O", "X", 3, 4, 5, 6, 7, 8, 9],
        [0, 1],  # moves
        "0 1",
        "0,1",
        "[0, 1]",
        "[np.int64(0), np.int64(1)]",
        "a3,b3",
        "A3 B3",
        "ox       ",
        "ox \n   \n   ",
        "ox \n   \n   \n",
        "OX-------",
        "\ufeffO,X,_,_,_,_,_,_,_\r\n",
        "o\u00a0x" + "\u00a0." * 7,
        "O,X" + ",NaN" * 7,
        "o x . | . . . | . . .",
        "'OX_______'",
    ],
)
def test_one_board_in_the_spellings_of_the_field(given: Any) -> None:
    assert to_text(TICTACTOE, read_position(TICTACTOE, given)) == "ox......."


@pytest.mark.parametrize(
    "given",
    [
        "2,1,2,0,0,0,0,0,0", "212000000", "2 1 2 0 0 0 0 0 0", "[2, 1, 2, 0, 0, 0, 0, 0, 0]",
        "[[2, 1, 2], [0, 0, 0], [0, 0, 0]]", "[[2 1 2]\n [0 0 0]\n [0 0 0]]",
        "array([[ 1., -1.,  1.],\n       [ 0.,  0.,  0.],\n       [ 0.,  0.,  0.]])",
        "-1,1,-1,0,0,0,0,0,0", "1|2|1\n-+-+-\n0|0|0\n-+-+-\n0|0|0",
        [[1, -1, 1], [0, 0, 0], [0, 0, 0]], [2, 1, 2, 0, 0, 0, 0, 0, 0],
        np.array([[1, 2, 1], [0, 0, 0], [0, 0, 0]], np.int8),
        np.array([1.0, -1, 1, 0, 0, 0, 0, 0, 0]),
        "🔴🟡🔴⬜⬜⬜⬜⬜⬜", "R,Y,R,.,.,.,.,.,.", "●○●......",
    ],
)  # fmt: skip
def test_the_more_frequent_of_unnamed_marks_began(given: Any) -> None:
    assert to_text(TICTACTOE, read_position(TICTACTOE, given)) == "oxo......"


@pytest.mark.parametrize(
    ("given", "first", "board"),
    [
        ("XOX.O.X..", "X", "oxo.x.o.."),
        ("X,O,_,_,_,_,_,_,_", "x", "ox......."),
        ("X,O,_,_,_,_,_,_,_", "o", "xo......."),
        ("x o . . . . . . .", "cross", "ox......."),
        ("x,x,x,x,o,o,x,o,o,positive", "x", "ooooxxoxx"),  # UCI tic-tac-toe
        ("b,o,b,o,b,b,x,x,x,positive", "x", ".x.x..ooo"),
        ("1,2,0,0,0,0,0,0,0", "1", "ox......."),
        ("1,2,0,0,0,0,0,0,0", "2", "xo......."),
        ([[1, 0, -1], [0, 0, 0], [0, 0, 0]], "-1", "x.o......"),
        ("🔴🟡.......", "🟡", "xo......."),
        ("0 4", "x", "o...x...."),  # Moves have no marks.
    ],
)
def test_the_mark_that_begins_becomes_circle(given: Any, first: str, board: str) -> None:
    assert to_text(TICTACTOE, read_position(TICTACTOE, given, first=first)) == board


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("1,2,0,0,0,0,0,0,0", "as many '1' as '2', so either may have begun: write o for"),
        ([[1, 0, -1], [0, 0, 0], [0, 0, 0]], "as many '1' as '-1'.*use the option first='1'"),
        ("001\n002\n000", "as many '1' as '2'"), (["002", "001", "000"], "as many '1' as '2'"),
        ("  0 1 2\n0 0 0 1\n1 0 0 2\n2 0 0 0", "as many '1' as '2'"),
        (".1./.../...", "may be the board .o....... or the board .........: expected"),
        ("12/3/3", "has rows of another length"),
        ("🔴🟡.......", "as many '🔴' as '🟡'"),
        ("X,_,_,_,_,_,_,_,_", "0 o and 1 x.*with the option first='x'"),
        ("ooo.xx.x.", "the game ended with the line of o, before the last move; a game reaches"),
        ("x,x,x,x,o,o,x,o,o,positive", "has a class behind its 9 cells.*use the option first='x'"),
        ("oxMMMMMMM", "cell 2 of 'oxMMMMMMM' is 'M': expected '.' for an empty cell"),
        ("o,x,.,.,Z,.,.,.,.", "cell 4 of .* is 'Z'"),
        ("ox.?.....", "cell 3 of .* is '.', and other empty cells have another sign"),
        ("X,0,_,_,_,_,_,_,_", "cell 1 of .* is '0', which may be an empty cell or a circle"),
        ("B,W,.,.,.,.,.,.,.", "cell 1 of .* is 'W'"),
        ("|o|x|\n| | |\n| | |", "has rows of another length: expected 3 rows of 3 cells"),
        ("o x . . .", "expected 9 cells of '.ox' for tictactoe, got 5"),
        ("o,x,.,.,.,.,.,.,.,.", "got 10"),
        ("[[1,2],[0,0]]", "the option numbering chooses another: row-column, .*column-row"),
        *((text, f"got {count}: .*; moves are 0 to 8 or a1 to c3, with blanks or commas between")
          for text, count in (("4-0-8", 5), ("[4,0", 2), ("1.b2 a3 2.c1", 10), ("4,,0", 3),
                              ("44455", 5), ("xo.......,1", 2), ("Player 1 plays b2", 14))),
        *((text, "move [123] of .* is no move of .*: expected .* c3, with blanks or commas between")
          for text in ("4.0 0.0", "X:4 O:0", "1: 4 0 2: 8", "1. b2 a3", "4 0 1-0", "a-1 b-2")),
        ("X4 X0", "move 2 of .*, has a mark that is not in turn"),
        ("X5 O1 X9", "option numbering chooses another: cells-from-1, cells-by-column-from-1"),
        ("123456789", "may be the numbers of empty cells, or moves: write . for an empty cell"),
        ("|X  |\n| O |\n|   |", "may be the board .x..o.... or the board x...o...."),
        ("40821", "got 5.*; the option numbering reads it as moves: cells, cells-by-column, "),
        ("40", "the option numbering reads it as several moves: cells, cells-by-column, "),
        ("51937", "the option numbering reads it as moves: cells-from-1, .*-from-bottom-from-1$"),
        ("a3b2", "the option numbering reads it as moves: cells, names, names-from-top$"),
        ("x(1,1) o(0,0)", (r"'x\(1,1\)' is no move of tictactoe in the numbering cells: expected "
         "0 to 8 or a1 to c3; the option numbering chooses another: row-column, column-row$")),
        ("1,1 0,2", "'1,1' is no move .*; the option numbering chooses another: row-column, col"),
        ("9 5", "'9' is no move of tictactoe in the numbering cells.*: cells-from-1, "),
        ("(0,1)", "may be two moves, or a row and a column: .*: cells, row-column, column-row$"),
        ((1, 2), "may be two moves, or a row and a column"),
        (np.array([0, 1]), "may be two moves, or a row and a column"),
        ("0" * 10, "expected 9 cells .* got 10"),
        ("4" * 10_001, r"44…' has 10,001 characters: expected .* at most 10,000$"),
        ("0x.......", "cell 0 of '0x.......' is '0', which may be an empty cell or a circle"),
        ("o,x,b,b,b,b,b,b,b,1", "expected 9 cells .* got 10: 'o,x,b"),
        ("P1 P2 . . . . . . .", "cell 0 of .* is 'P1'"),
        ("O,X,-1,-1,-1,-1,-1,-1,-1", "cell 2 of .* is '-1'"),
        *((boards, r"given one at a time, and planes of marks .*, of PettingZoo's tictactoe transp")
          for boards in (["o........", "........."], np.zeros((2, 9), int), np.zeros((3, 3, 2)))),
        (np.zeros((2, 3), int), "is no board of tictactoe"),
        ([True] * 9, "cell 0 of .* is 'True'"),
        (np.eye(3), "is read as o...o...o, and no game of tictactoe reaches"),
        ([4.0, 0.0], "or of 3 rows of 3 cells, or of moves;"),
        ([], r"\[\] is no board of tictactoe"),
        (5, "5 is no position: expected the text of a board or of moves, or a list"),
        (None, "None is no position"),
        (b"o........", "is no position"),
        ({"o": 1}, "is no position"),
        (np.array([1, 0, np.nan] * 3), "cell 1 of .* is '0.0', and other empty cells have another"),
        ({"board": [0] * 9, "mark": 1}, "give only its 'board'"),
        ("1-1000000", "cell 3 of .* is '0', and other empty cells have another sign"),
    ],
)  # fmt: skip
def test_wrong_and_ambiguous_positions_are_refused_with_the_cause(given: Any, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        read_position(TICTACTOE, given)


@pytest.mark.parametrize(
    ("given", "first", "why"),
    [
        ("x........", "o", "a game reaches it with the option first='x'$"),
        ("o........", "x", "a game reaches it with the option first='o'$"),
        *(("o........", first, "expected o or x, the mark of the side that begins")
          for first in ("", "z", "ox", "3", "circles", None, 1)),
        *((board, "1", "has no '1', and the option first says that it begins")
          for board in ("ox.......", "o|x| / | | / | | ", "r,y,,,,,,,")),
        *(([1, *[0] * 8], first, "0 o and 1 x") for first in ("2", "-1")),
    ],
)  # fmt: skip
def test_a_mark_that_cannot_begin_is_refused(given: Any, first: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        read_position(TICTACTOE, given, first=first)
    if first == "1":
        with pytest.raises(InputError, match=why):
            masks_of_boards(TICTACTOE, [given], first=first)


def test_cells_in_the_order_of_the_uci_set_are_not_misread() -> None:
    read: dict[str, Any] = {"first": "x", "numbering": "cells-by-column-from-bottom"}
    board = "...x......o......x......o.....xx.....oo..."
    with pytest.raises(BoardError, match="with the option numbering='cells-by-column-from-bottom'"):
        read_position(CONNECT4, UCI_ROW)
    with pytest.raises(
        BoardError, match=r"has a class .* first='x' and the option numbering='cells"
    ):
        read_position(CONNECT4, f"{UCI_ROW},win")
    with pytest.raises(BoardError, match="has a class behind its 42 cells"):
        read_position(CONNECT4, f"{UCI_ROW},win", first="x")
    for text in (UCI_ROW, f"{UCI_ROW},win"):
        assert to_text(CONNECT4, read_position(CONNECT4, text, **read)) == board


@pytest.mark.parametrize(
    "given",
    [
        "d d d e", "D D D E", "d,d,d,e", "d1 d2 d3 e1", "38 31 24 39", ["d", "d", "d", "e"],
        [38, 31, 24, 39], "7/7/7/3o3/3x3/3ox2",
        "\n".join(["." * 7] * 3 + ["...o...", "...x...", "...ox.."]),  # OpenSpiel
        "\n".join([". . . . . . ."] * 3 + [". . . O . . .", ". . . X . . .", ". . . O X . ."]),
        "\n".join(
            ["|" + " |" * 7] * 3
            + ["| | | |O| | | |", "| | | |X| | | |", "| | | |O|X| | |", "-" * 15, "|1|2|3|4|5|6|7|"]
        ),
        "\n".join(["⚪" * 7] * 3 + ["⚪⚪⚪🔴⚪⚪⚪", "⚪⚪⚪🟡⚪⚪⚪", "⚪⚪⚪🔴🟡⚪⚪"]),
        "\n".join(
            ["+" + "-" * 15 + "+"] + ["| . . . . . . . |"] * 3
            + ["| . . . O . . . |", "| . . . X . . . |", "| . . . O X . . |", "+" + "-" * 15 + "+"]
            + ["  1 2 3 4 5 6 7"]
        ),
        " 0 1 2 3 4 5 6\n" + "\n".join(
            [". . . . . . ."] * 3 + [". . . O . . .", ". . . X . . .", ". . . O X . ."]
        ),
        [[0] * 7] * 3 + [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, -1, 0, 0, 0], [0, 0, 0, 1, -1, 0, 0]],
    ],
)  # fmt: skip
def test_boards_of_connect_four_are_read_in_many_spellings(given: Any) -> None:
    signs = [[0] * 7] * 3 + [[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, -1, 0, 0, 0], [0, 0, 0, 1, -1, 0, 0]]
    first = "1" if given == signs else "🔴" if "🔴" in given else "o"
    if first != "o":  # As many of both: the mark that begins must be named.
        with pytest.raises(BoardError, match=r"as many '(1|🔴)' as '(-1|🟡)'"):
            read_position(CONNECT4, given)
    found = read_position(CONNECT4, given, first=first)
    assert found == read_position(CONNECT4, "3 3 3 4", numbering="columns")


def test_rows_from_the_bottom_are_named() -> None:
    rows = ["...o...", *["......."] * 5]
    with pytest.raises(
        BoardError, match="nothing supports the mark on cell 3; write the top row first"
    ):
        read_position(CONNECT4, "\n".join(rows))
    with pytest.raises(BoardError, match="with the option numbering='cells-from-bottom'"):
        read_position(CONNECT4, [list(row) for row in rows])
    found = read_position(CONNECT4, [list(row) for row in rows], numbering="cells-from-bottom")
    assert found == Position(1 << 38, 0)


SPELLINGS: dict[str, Callable[[str], Any]] = {
    "plain": str,
    "capitals": str.upper,
    "commas": ",".join,
    "blanks": " ".join,
    "letters for empty cells": lambda board: ",".join(board.replace(".", "b")),
    "empty fields": lambda board: ",".join(board).replace(".", ""),
    "tabs": lambda board: "\t".join(board).replace(".", ""),
    "bars": lambda board: "|".join(board).replace(".", " "),
    "emoji": lambda board: board.translate(str.maketrans(".ox", "⬜⭕❌")),
    "rows": lambda board: "\n".join(_rows(board)),
    "slashes": lambda board: "/".join(_rows(board)).replace(".", "_"),
    "quoted rows": lambda board: str(_rows(board)),
    "drawn": lambda board: draw(TICTACTOE, from_text(TICTACTOE, board)),
    "drawn from 1": lambda board: draw(
        TICTACTOE, from_text(TICTACTOE, board), Numbering.CELLS_FROM_1
    ),
    "drawn with bars": lambda board: "\n-+-+-\n".join(
        "|".join(row).replace(".", " ") for row in _rows(board)
    ),
    "nested": lambda board: [list(row) for row in _rows(board)],
    "nested, None": lambda board: [
        [None if sign == "." else sign for sign in row] for row in _rows(board)
    ],
    "nested text": lambda board: str([list(row) for row in _rows(board)]),
    "array": lambda board: np.array([list(row) for row in _rows(board)]),
    "flat list": list,
    "run lengths": lambda board: "/".join(
        row.replace("...", "3").replace("..", "2").replace(".", "1") for row in _rows(board)
    ),
}


def _rows(board: str) -> list[str]:
    return [board[at : at + 3] for at in range(0, 9, 3)]


def every(step: int, first: int = 0) -> list[Position]:
    """List every so many-th position of tictactoe."""
    return sorted(reachable(TICTACTOE))[first::step]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_positions_are_read_back_from_every_spelling(spelling: str) -> None:
    """Every seventh position from each spelling, another seventh from the next one."""
    spell = SPELLINGS[spelling]
    for position in every(7, [*SPELLINGS].index(spelling) % 7):
        board = to_text(TICTACTOE, position)
        assert read_position(TICTACTOE, spell(board)) == position, board


def test_every_position_on_which_x_begins_is_read_by_its_beginner_only() -> None:
    for position in every(1):
        board = exchange_marks(to_text(TICTACTOE, position))
        assert read_position(TICTACTOE, board, first="x") == position
        if position.ply % 2:
            with pytest.raises(BoardError, match="a game reaches it with the option first='x'"):
                read_position(TICTACTOE, board)


@pytest.mark.parametrize(("one", "other"), [("1", "2"), ("-1", "1"), ("R", "Y")])
def test_a_board_of_other_marks_is_the_same_or_needs_the_option_first(one: str, other: str) -> None:
    for position in every(7):
        board = to_text(TICTACTOE, position)
        given = [{".": "0" if one != "R" else ".", "o": one, "x": other}[sign] for sign in board]
        assert read_position(TICTACTOE, given, first=one) == position
        if position.ply and position.ply % 2 == 0:
            with pytest.raises(BoardError, match="so either may have begun"):
                read_position(TICTACTOE, given)
        else:
            assert read_position(TICTACTOE, given) == position


@pytest.mark.parametrize("name", ["2x3k2", "4x2k3-gravity", "3x3k2-gravity"])
def test_a_board_in_the_order_of_a_numbering_and_its_moves_agree(name: str) -> None:
    game = Game(name)
    for numbering in numberings_of(game):
        order = cell_order(game, numbering)
        for position in reachable(game):
            board = to_text(game, position)
            signs = [board[cell] for cell in order]
            assert read_position(game, signs, numbering=numbering) == position
            if position.ply == 1:
                (cell,) = (cell for cell in range(game.cells) if board[cell] == "o")
                text = move_text(game, cell, numbering)
                assert read_position(game, text, numbering=numbering) == position


@given(
    st.text(st.sampled_from("oxOX.-_ |/\n,;\t[]()'\"012b?+=a3:\\n🔴⭕"), max_size=60),
    st.sampled_from(["tictactoe", "2x2k2-gravity", "1x3k2", "3x1k2"]),
)
def test_any_text_is_a_position_or_refused_in_a_sentence(text: str, name: str) -> None:
    game = Game(name)
    try:
        position = read_position(game, text)
    except InputError:
        return
    assert from_text(game, to_text(game, position)) == position
