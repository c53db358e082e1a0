"""Lists of moves as people write them: split, read in a numbering, or refused."""

from typing import Any

import pytest

from marubatsu.engine.notations.reading import read_position
from marubatsu.engine.rules.board_text import BoardError
from marubatsu.engine.rules.game import Game

pytestmark = pytest.mark.quick

TICTACTOE, CONNECT4 = Game("tictactoe"), Game("connect4")


@pytest.mark.parametrize(
    ("game", "given", "numbering", "moves"),
    [
        (CONNECT4, "4455", "columns-from-1", "d d e e"),
        (CONNECT4, "44455554221", "columns-from-1", "d d d e e e e d b b a"),
        (CONNECT4, "33", "columns", "d d"),
        (CONNECT4, "x3o3x2", "columns", "d d c"),
        (CONNECT4, "x3 o3 x2", "columns", "d d c"),
        (CONNECT4, "ddD", "names", "d d d"),
        (CONNECT4, "d1d2c", "names", "d d c"),
        (TICTACTOE, "40821", "cells", "4 0 8 2 1"),
        (TICTACTOE, "x(1,1) o(0, 0)", "row-column", "4 0"),
        (TICTACTOE, "X(1,1)O(0,0)", "row-column", "4 0"),
        (TICTACTOE, "[x(1,1), o(0,0)]", "row-column", "4 0"),
        (TICTACTOE, ["x(1,1)", "o(0,0)"], "row-column", "4 0"),
        (TICTACTOE, "1,1 0,0", "row-column", "4 0"),
        (TICTACTOE, "1, 1; 0, 2", "row-column", "4 2"),
        (TICTACTOE, "4,0 8,2", None, "4 0 8 2"),
        (CONNECT4, "0123", "columns", "a b c d"),
        (TICTACTOE, "0482", "cells", "0 4 8 2"),
        (TICTACTOE, "04 00", "cells", "4 0"),
        (TICTACTOE, "(4,0)", None, "4 0"),
        (TICTACTOE, "(0,1)", "cells", "0 1"),
        (TICTACTOE, "(0, 1)", "row-column", "1"),
        (TICTACTOE, (0, 1), "column-row", "3"),
        (TICTACTOE, "\uff14\u3000\uff10", None, "4 0"),
    ],
)
def test_moves_without_separators_and_pairs_are_split(
    game: Game, given: Any, numbering: str | None, moves: str
) -> None:
    assert read_position(game, given, numbering=numbering) == read_position(game, moves)


@pytest.mark.parametrize(
    ("given", "numbering", "why"),
    [
        ("4455", None, "got 4: '4455'; the option numbering reads it as moves: columns, columns-f"),
        ("4 4 5 5", None, (r"'4', is not legal: expected one of 35, .*, 41; the option numbering "
         "chooses another: columns, columns-from-1$")),
        ("00", "columns", "^'00' may be 1 move or 2: write '0' or '0 0'$"),
        ("03", "columns", "^'03' may be 1 move or 2: write '3' or '0 3'$"),
        ("ddde", None, "the option numbering reads it as moves: names$"),
        ("4448", "columns-from-1", "move 4 of '4448', '8', is not legal: .* expected 1 to 7, with"),
        ("4444444", "columns-from-1", "move 7 of '4444444', '4', is not legal: expected one of 1,"),
        ("0 0", "columns-from-1", "to 7; the option numbering chooses another: columns$"),
        ("x3 x3", "columns", "move 2 of 'x3 x3', 'x3', has a mark that is not in turn: expected x"),
    ],
)  # fmt: skip
def test_moves_in_another_numbering_lead_to_it(given: str, numbering: str | None, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        read_position(CONNECT4, given, numbering=numbering)


def test_a_long_text_whose_parts_are_moves_too_is_refused() -> None:
    """As ``a1``, ``a`` and ``1`` are; trying all ways to split it would never end."""
    with pytest.raises(BoardError, match=r"got 801: 'a1a1.*; moves are 0 to 8, a1 to c3"):
        read_position(Game("3x3k3-gravity"), "a1" * 400 + "z", numbering="cells")
