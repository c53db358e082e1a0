"""Positions as text: boards that are written, drawn, and read as people write them."""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marubatsu.engine.notations.many_positions import masks_of_boards, read_many
from marubatsu.engine.notations.reading import read_position
from marubatsu.engine.rules.board_text import BoardError, draw, from_text, is_reachable, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.numbering import (
    Numbering,
    NumberingError,
    cell_name,
    column_name,
    goal_of,
)
from marubatsu.engine.rules.position import Position
from tests.helpers.data.played import LARGER_BOARDS, played, reachable

pytestmark = pytest.mark.quick

TICTACTOE = Game("tictactoe")
CONNECT4 = Game("connect4")


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "27x2k2", "1x9k3"])
def test_every_cell_has_a_name_of_its_own(name: str) -> None:
    game = Game(name)
    names = [cell_name(game, cell) for cell in range(game.cells)]
    for form in (str.lower, str.upper):
        goals = [goal_of(game, form(each), Numbering.NAMES) for each in names]
        assert goals == [1 << cell for cell in range(game.cells)]
    beyond = ["", "1", "a0", f"a{game.rows + 1}", f"{column_name(game.columns)}1", "a-1", "aaa1"]
    beyond += ["a"] * (not game.gravity)  # With gravity a column is a move.
    for each in beyond:
        with pytest.raises(NumberingError):
            goal_of(game, each, Numbering.NAMES)
    first = read_position(game, names[-1])
    assert first == read_position(game, str(game.cells - 1)) == Position(1 << game.cells - 1, 0)


def test_moves_fall_where_there_is_gravity() -> None:
    assert read_position(CONNECT4, "d1 d2") == read_position(CONNECT4, "38,31")
    with pytest.raises(BoardError, match="move 1 of 'd2', 'd2', is not legal: expected one of 35,"):
        read_position(CONNECT4, "d2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4,0,4", "move 3 of '4,0,4', '4', is not legal: expected one of 1, 2, 3"),
        ("4,9", "move 2 of '4,9', '9', is not legal"),
        ("4,d1", "move 2 of '4,d1', 'd1', is not legal"),
        ("4,x1y", "move 2 of '4,x1y', 'x1y', is not legal"),
        ("0,3,1,4,2,5", "move 6 of '0,3,1,4,2,5', '5', is not legal: the game is over"),
        ("٣", "is not legal"),
        ("ooo......", "it has 3 o and 0 x"),
    ],
)
def test_a_wrong_position_is_refused(text: str, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        read_position(TICTACTOE, text)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("board\nox.......\n", "a line holds one position, and nothing else"),
        ('[\n "ox.......",\n]\n', "a line holds one position, and nothing else"),
        ("ox.......,3\n", "a line holds one position, and nothing else"),
        ("x........\nox.......\n", "a game reaches it with the option first='x'"),
        ("1,2,0,0,0,0,0,0,0\nox.......\n", "or use the option first='1'"),
    ],
)
def test_only_what_is_no_board_is_refused_as_more_than_one(text: str, end: str) -> None:
    with pytest.raises(BoardError, match=f"^line 1: .*{end}$"):
        list(read_many(Game("tictactoe"), text, first="o", numbering=None))


def test_lines_of_positions_end_in_any_way() -> None:
    for text in ("0 4\r\n\r\na3", "0 4\r\ra3\r", "0 4\r\r\n\na3\n"):
        found = read_many(Game("tictactoe"), text, first="o", numbering=None)
        assert [line for line, _ in found] == [1, 3]


def test_a_line_of_blanks_is_a_board_among_boards_whose_empty_cells_are_blanks() -> None:
    def found(text: str) -> list[tuple[int, Position]]:
        return list(read_many(TICTACTOE, text, first="o", numbering=None))

    blanks = " " * 9
    assert found(f"ox       \n{blanks}\n\n") == [(1, Position(1, 2)), (2, Position(0, 0))]
    assert found(f"ox.......\n{blanks}\n") == [(1, Position(1, 2))]


def test_many_boards_are_read_as_single_ones() -> None:
    plain = ["o.x......", "." * 9, "oxoxoxo.."]
    mixed = ["O-X/---/---", "", "0,2"]
    for texts in (plain, [*plain, "a3 c3"], []):
        circle, cross = masks_of_boards(TICTACTOE, texts)
        found = list(zip(circle.tolist(), cross.tolist(), strict=True))
        assert found == [read_position(TICTACTOE, text) for text in texts]
    with pytest.raises(BoardError, match="board 2 of 3: expected 9 cells"):
        masks_of_boards(TICTACTOE, mixed)


@pytest.mark.parametrize(
    "name",
    [
        "tictactoe", "3x3k3-misere", "3x3k1", "3x3k2-gravity-misere", "2x4k2", "4x2k2-torus",
        "1x8k3-gravity",
    ],
)  # fmt: skip
def test_text_is_a_position_exactly_when_play_can_reach_it(name: str) -> None:
    """Of all boards; with gravity, a few texts pass that no order of moves reaches."""
    game = Game(name)
    for letters in product(".ox", repeat=game.cells):
        position = Position(
            *(sum(1 << cell for cell, sign in enumerate(letters) if sign == mark) for mark in "ox")
        )
        is_reached = position in reachable(game)
        assert is_reachable(game, position) == is_reached
        try:
            assert from_text(game, "".join(letters)) == position
            assert is_reached or game.gravity
        except BoardError:
            assert not is_reached
    assert not is_reachable(game, Position(1, 1))


@given(st.sampled_from(LARGER_BOARDS), st.integers(0, 2**32))
def test_text_round_trip_on_larger_boards(name: str, seed: int) -> None:
    game = Game(name)
    for position in played(game, Random(seed)):
        assert from_text(game, to_text(game, position)) == position


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("tictactoe", "xo......", "expected 9 cells of '.ox' for tictactoe, got 8"),
        ("tictactoe", "", "got 0"),
        ("tictactoe", "O........", "expected 9 cells of '.ox'"),
        ("tictactoe", "o.x…......", "expected 9 cells"),
        ("tictactoe", "x........", "it has 0 o and 1 x, expected as many o as x"),
        ("tictactoe", "ooo......", "it has 3 o and 0 x"),
        ("tictactoe", "oooxxx...", "both sides have a line"),
        ("tictactoe", "ooo.xx.x.", "the game ended with the line of o, before the last move"),
        ("tictactoe", "xxx.oo.oo", "the game ended with the line of x, before the last move"),
        ("3x3k3-gravity", "o........", "nothing supports the mark on cell 0"),
        ("9x1k2", "ooxoo.x.x", "no single last move made its lines"),
    ],
)
def test_a_wrong_position_is_quoted_with_the_reason(name: str, text: str, message: str) -> None:
    with pytest.raises(BoardError, match=message) as caught:
        from_text(Game(name), text)
    assert repr(text) in str(caught.value)


def test_a_drawing_has_room_for_every_name() -> None:
    assert draw(Game(4, 3, 3), Position(1, 0)).splitlines()[-1] == "  8 |  9 | 10 | 11"
    last = draw(Game("27x2k2-gravity"), Position(1 << 27, 0)).splitlines()[-1]
    assert last.split() == [*"abcdefghijklmnopqrstuvwxyz", "aa"]
