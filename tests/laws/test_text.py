"""Board text and drawings."""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marubatsu.engine.rules.board_text import BoardError, draw, from_text, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from tests.helpers.data.played import LARGER_BOARDS, played, reachable

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("name", ["tictactoe", "3x3k3-misere", "3x3k2", "2x4k2", "4x2k3", "3x3k1"])
def test_text_is_a_position_exactly_when_play_can_reach_it(name: str) -> None:
    game = Game(name)
    accepted = set()
    for letters in product(".ox", repeat=game.cells):
        try:
            accepted.add(from_text(game, "".join(letters)))
        except BoardError:
            continue
    assert accepted == reachable(game)


def test_with_gravity_every_reachable_position_is_accepted() -> None:
    game = Game("3x3k3-gravity")
    for position in reachable(game):
        assert from_text(game, to_text(game, position)) == position


@given(st.sampled_from(LARGER_BOARDS), st.integers(0, 2**32))
def test_text_round_trip_on_larger_boards(name: str, seed: int) -> None:
    game = Game(name)
    for position in played(game, Random(seed)):
        assert from_text(game, to_text(game, position)) == position


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("xo......", "expected 9 cells of '.ox' for tictactoe, got 8: 'xo......'"),
        ("o.x......x", "got 10"),
        ("", "got 0: ''"),
        ("O........", "expected 9 cells of '.ox'"),
        ("o.x…......", "expected 9 cells"),
        ("x........", "it has 0 o and 1 x, expected as many o as x"),
        ("ooo......", "it has 3 o and 0 x"),
        ("oooxxx...", "both sides have a line"),
        ("ooo.xx.x.", "the game ended with the line of o, before the last move"),
        ("xxx.oo.oo", "the game ended with the line of x, before the last move"),
    ],
)
def test_what_is_no_position_is_quoted_and_the_reason_told(text: str, told: str) -> None:
    with pytest.raises(BoardError) as caught:
        from_text(Game(3, 3, 3), text)
    assert told in str(caught.value)
    assert repr(text) in str(caught.value)


def test_a_mark_in_the_air_is_refused() -> None:
    with pytest.raises(BoardError, match="nothing supports the mark on cell 0"):
        from_text(Game(3, 3, 3, gravity=True), "o........")


def test_two_lines_that_no_single_move_made_are_refused() -> None:
    with pytest.raises(BoardError, match="no single last move made its lines"):
        from_text(Game(9, 1, 2), "ooxoo.x.x")


def test_a_drawing_shows_marks_and_moves() -> None:
    assert draw(Game(3, 3, 3), Position(1, 4)).splitlines() == [
        " o | 1 | x",
        "---+---+---",
        " 3 | 4 | 5",
        "---+---+---",
        " 6 | 7 | 8",
    ]
    assert draw(Game(4, 3, 3), Position(1, 0)).splitlines()[-1] == "  8 |  9 | 10 | 11"


def test_a_drawing_with_gravity_names_the_columns() -> None:
    assert draw(Game("3x2k2-gravity"), Position(0b010_000, 0)).splitlines() == [
        "   |   |",
        "---+---+---",
        "   | o |",
        " a   b   c",
    ]
    last = draw(Game("27x2k2-gravity"), Position(1 << 27, 0)).splitlines()[-1]
    assert last.split() == [*"abcdefghijklmnopqrstuvwxyz", "aa"]
