"""Names of games, their boards and their lines."""

from math import lcm
from typing import Any

import pytest

from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.game_names import ALIASES
from marubatsu.engine.rules.position import EMPTY, Position
from tests.helpers.slow import slow_rules

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("tictactoe", Game(3, 3, 3)),
        ("3x3k3", Game(3, 3, 3)),
        ("3x3", Game(3, 3, 3)),
        ("4x3", Game(4, 3, 3)),
        ("4x3k4", Game(4, 3, 4)),
        ("connect4", Game(7, 6, 4, gravity=True)),
        ("7x6k4-gravity", Game(7, 6, 4, gravity=True)),
        ("3x3k3-misere", Game(3, 3, 3, misere=True)),
        ("4x4k4-gravity-misere", Game(4, 4, 4, gravity=True, misere=True)),
        ("4x4k4-misere-gravity", Game(4, 4, 4, gravity=True, misere=True)),
        ("3x3k3-torus", Game(3, 3, 3, torus=True)),
        ("4x4k4-misere-torus", Game(4, 4, 4, misere=True, torus=True)),
        ("3x2k6-torus", Game(3, 2, 6, torus=True)),
        ("9x7k5", Game(9, 7, 5)),
        ("63x1k1", Game(63, 1, 1)),
        ("1x1", Game(1, 1, 1)),
    ],
)
def test_a_name_is_a_game_and_back(name: str, game: Game) -> None:
    assert Game(name) == game
    assert Game(game.name) == Game(game.notation) == game


def test_an_alias_is_the_name_of_its_game() -> None:
    for alias, notation in ALIASES.items():
        assert Game(notation).name == alias
        assert Game(alias).notation == notation


@pytest.mark.parametrize(
    ("name", "spellings"),
    [
        (
            "tictactoe",
            ["TicTacToe", "Tic-Tac-Toe", "tic tac toe", "TIC_TAC_TOE", "Tic Tac Toe\n",
             "tic-tac toe", "TicTacToe-v0", "TicTacToe-v0-raw", "TicTacToe-v0-blind-train",
             "tictactoe_v3", "open_spiel_tic_tac_toe", "Noughts and Crosses", "noughts-and-crosses",
             "三目並べ", "tic_tac_toe()", "pgx:tic_tac_toe", "pettingzoo/tictactoe_v3",
             "Tic–Tac–Toe",  # noqa: RUF001
             "\uff34\uff49\uff43 Tac Toe", "  TIC  TAC  TOE\t", "Xs and Os", "Tres en raya",
             "〇×ゲーム", "まるばつゲーム", "3X3", "3x3k3 ", "3 x 3", "3×3", " 3x3 k3",  # noqa: RUF001
             "\uff13x3k3"],
        ),
        (
            "connect4",
            ["Connect 4", "connect-four", "ConnectFour", "CONNECT4", "Connect Four", "connect_four",
             "connect_four_v3", "ConnectFour-v0", "open_spiel_connect_four", "Four in a Row",
             "connect_four()", "pgx/connect_four", "open_spiel/connect_four", "VIER-GEWINNT",
             "4-in-a-row", "Vier gewinnt", "Puissance 4", "7X6K4-Gravity"],
        ),
        (
            "3x3k3-misere",
            ["tictactoe-misere", "Tic-Tac-Toe Misère", "misere tictactoe", "ReverseTicTacToe",
             "ReverseTicTacToe-v0", "3X3-MISERE", "3x3k3_misere"],
        ),
        ("4x4k4-gravity", ["4x4K4-Gravity", "4x4 gravity", "4X4k4Gravity", "4 x 4 k 4 - gravity"]),
        ("7x6k4-gravity-misere", ["connect4-misere", "Connect Four Misere"]),
        ("4x4k4-misere-torus", ["4x4-Torus-Misere", "4x4k4 misere torus"]),
    ],
)  # fmt: skip
def test_case_blanks_and_hyphens_do_not_count_in_a_name(name: str, spellings: list[str]) -> None:
    assert {Game(spelling) for spelling in spellings} == {Game(name)}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("0x0", "has no cells"),
        ("8x8k3", "64 cells: expected at most 63"),
        ("3x3k9", "no line of 9 fits on a board of 3x3: expected k1 to k3"),
        ("3x3k0", "no line of 0 fits"),
        ("3x2k7-torus", "no line of 7 fits on a torus of 3x2: expected k1 to k6"),
        ("3x3k3-gravity-torus", "a torus has no floor: expected -gravity or -torus, not both"),
        *((name, "expected COLUMNSxROWSkRUN") for name in (
            "3x3k-1", "../../x", "", "3x3k9-gravty", "3x3k3-wrap", "99999999999999999999x1",
            "3x3x3", "3x3 3", "1 0x6k4", "四目並べ", "3x3k3-gravty", "Notakto",
            "3x3k3-gravity-gravity", "connect5", "popout connect4", "ultimate tictactoe",
            "quantum tictactoe", "wild tictactoe", "ThreePlayerTicTacToe", "tictactoe-miser",
        )),
        ("tictactow", "or one of tictactoe, connect4"),
    ],
)  # fmt: skip
def test_a_wrong_name_of_a_game_is_quoted_with_the_cure(name: str, message: str) -> None:
    with pytest.raises(GameError) as caught:
        Game(name)
    assert str(caught.value).startswith(repr(name))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((None,), "None is no game: expected a name such as 3x3k3, or whole numbers of columns"),
        ((3,), "3 is no game: expected a name"),
        ((3.5, 3, 3), "3.5, 3, 3 is no game: expected a name"),
        (("3", "3"), "'3' names a whole game: expected no other arguments"),
        (("3x3k3", 3), "'3x3k3' names a whole game: expected no other arguments"),
        ((3, 3, 4), "no line of 4 fits on a board of 3x3: expected k1 to k3"),
        ((3, 3, 0), "no line of 0 fits on a board of 3x3"),
    ],
)
def test_numbers_of_no_game_are_quoted(given: tuple[Any, ...], message: str) -> None:
    with pytest.raises(GameError) as caught:
        Game(*given)
    assert str(caught.value).startswith(message)


def test_switches_are_in_a_name_or_arguments_after_numbers() -> None:
    assert Game(4, 3) == Game("4x3")
    assert Game(4, 3, misere=True) == Game("4x3k3-misere")
    with pytest.raises(GameError, match="names a whole game"):
        Game("4x3", misere=True)  # type: ignore[call-overload]
    with pytest.raises(GameError, match="misere='no': expected True or False"):
        Game(4, 3, misere="no")  # type: ignore[call-overload]


def test_a_long_name_is_quoted_in_part() -> None:
    with pytest.raises(GameError, match="…") as caught:
        Game("x" * 100_000)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("torus", [False, True])
@pytest.mark.parametrize("columns", range(1, 8))
@pytest.mark.parametrize("rows", range(1, 8))
def test_lines_are_the_runs_of_cells_in_every_direction(
    columns: int, rows: int, *, torus: bool
) -> None:
    longest = lcm(columns, rows) if torus else max(columns, rows)
    for run in range(1, longest + 1):
        game = Game(columns, rows, run, torus=torus)
        expected = {sum(1 << cell for cell in line) for line in slow_rules.lines_of(game)}
        assert list(game.lines) == sorted(expected) != []
        if run > 1 and not torus:
            across, down = max(0, columns - run + 1), max(0, rows - run + 1)
            assert len(expected) == across * rows + down * columns + 2 * across * down
        if 1 < run <= min(columns, rows) >= 3 and torus:
            # A walk around has a line from each of its cells, or is one as a whole.
            walks = (columns, rows, longest, longest)
            counts = [game.cells // (1 if run < around else around) for around in walks]
            assert len(expected) == sum(counts)
    with pytest.raises(GameError, match=f"expected k1 to k{longest}$"):
        Game(columns, rows, longest + 1, torus=torus)


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(ValueError, match="cell 4 is not a legal move there"):
        Game(3, 3, 3).play(Position(0b000_010_000, 0), 4)
    with pytest.raises(ValueError, match="cell 0 is not a legal move there"):
        Game(3, 3, 3, gravity=True).play(EMPTY, 0)
    for wrong in (True, 1.0, "1"):
        with pytest.raises(ValueError, match=f"cell {wrong!r} is not a legal move there"):
            Game(3, 3, 3).play(EMPTY, wrong)  # type: ignore[arg-type]
