"""Positions as people write them."""

import pytest

from marubatsu.engine.notations.many_positions import masks_of_boards
from marubatsu.engine.notations.reading import read_position
from marubatsu.engine.rules.board_text import BoardError, from_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.numbering import cell_name, cell_of, column_name
from marubatsu.engine.rules.position import Position

TICTACTOE = Game("tictactoe")
CONNECT4 = Game("connect4")


@pytest.mark.quick
@pytest.mark.parametrize(
    "text",
    [
        "o.x.x.o..", "O-X-X-O--", "〇・×・×・〇・・", "o _ x _ x _ o _ _", "o.x/.x./o..",  # noqa: RUF001
        "O . X\n. X .\nO . .\n", "o x x o  ", "0,2,6,4", "0 2 6 4", "a3, c3, a1, b2", "A3 C3 a1 B2",
    ],
)  # fmt: skip
def test_one_position_in_many_spellings(text: str) -> None:
    assert read_position(TICTACTOE, text) == from_text(TICTACTOE, "o.x.x.o..")


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "27x2k2", "1x9k3"])
def test_every_cell_has_a_name_of_its_own(name: str) -> None:
    game = Game(name)
    names = [cell_name(game, cell) for cell in range(game.cells)]
    for form in (str.lower, str.upper):
        assert [cell_of(game, form(each)) for each in names] == list(range(game.cells))
    beyond = [
        "",
        "a",
        "1",
        "a0",
        f"a{game.rows + 1}",
        f"{column_name(game.columns)}1",
        "a-1",
        "aaa1",
    ]
    assert [cell_of(game, each) for each in beyond] == [None] * len(beyond)
    first = read_position(game, names[-1])
    assert first == read_position(game, str(game.cells - 1)) == Position(1 << game.cells - 1, 0)


def test_moves_fall_where_there_is_gravity() -> None:
    assert read_position(CONNECT4, "d1 d2") == read_position(CONNECT4, "38,31")
    with pytest.raises(BoardError, match="move 1 of 'd2', 'd2', is not legal: expected one of 35,"):
        read_position(CONNECT4, "d2")


@pytest.mark.quick
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "expected 9 cells of '.ox' for tictactoe, got 0"),
        ("o.x", "expected 9 cells of '.ox' for tictactoe, got 3"),
        ("o.x.q....", "cell 4 of 'o.x.q....' is 'q': expected '.' for an empty cell"),
        ("o.x./.x./o..", "has rows of another length: expected 3 rows of 3 cells"),
        ("4,0,4", "move 3 of '4,0,4', '4', is not legal: expected one of 1, 2, 3"),
        ("4,9", "move 2 of '4,9', '9', is not legal"),
        ("4,d1", "move 2 of '4,d1', 'd1', is not legal"),
        ("4,x1y", "move 2 of '4,x1y', 'x1y', is not legal"),
        ("0,3,1,4,2,5", "move 6 of '0,3,1,4,2,5', '5', is not legal: the game is over"),
        ("٣", "is not legal"),
        ("ooo......", "it has 3 o and 0 x"),
    ],
)
def test_what_is_no_position_is_told(text: str, told: str) -> None:
    with pytest.raises(BoardError) as caught:
        read_position(TICTACTOE, text)
    assert told in str(caught.value)


def test_many_boards_are_read_as_single_ones() -> None:
    plain = ["o.x......", "." * 9, "oxoxoxo.."]
    mixed = ["O-X/---/---", "", "0,2"]
    for texts in (plain, [*plain, "a3 c3"], []):
        circle, cross = masks_of_boards(TICTACTOE, texts)
        found = list(zip(circle.tolist(), cross.tolist(), strict=True))
        assert found == [read_position(TICTACTOE, text) for text in texts]
    with pytest.raises(BoardError, match="board 2 of 3: expected 9 cells"):
        masks_of_boards(TICTACTOE, mixed)
