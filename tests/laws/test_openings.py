"""Which cells are open follows from `supports` and `first_cells`, for rules of any kind."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.boards.laws import boards_of
from marubatsu.engine.rules import masks
from marubatsu.engine.rules.board_text import BoardError, from_text, is_reachable, line_to, to_text
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.position import EMPTY, Position, Status, bits
from marubatsu.engine.rules.symmetry import symmetries

pytestmark = pytest.mark.quick


class Leftward(Game):
    """A mark needs one at its left."""

    @property
    def supports(self) -> tuple[tuple[int, ...], ...]:
        return tuple((1 << cell - 1 if cell % self.columns else 0,) for cell in range(self.cells))


class Connected(Game):
    """Each mark after the first is next to another one in its row or column."""

    @property
    def supports(self) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(1 << other for other in range(self.cells) if _is_next(self, cell, other))
            for cell in range(self.cells)
        )

    @property
    def first_cells(self) -> int:
        return self.full


class Anywhere(Game):
    """The first mark may be on any cell."""

    @property
    def first_cells(self) -> int:
        return self.full


class LastCell(Game):
    """The last cell opens once the first two are filled, and cell 0 is not for the first mark."""

    @property
    def supports(self) -> tuple[tuple[int, ...], ...]:
        return (*((0,),) * (self.cells - 1), (0b11,))

    @property
    def first_cells(self) -> int:
        return self.full >> 1 & ~1


def _is_next(game: Game, cell: int, other: int) -> bool:
    (row, column), (y, x) = divmod(cell, game.columns), divmod(other, game.columns)
    return abs(row - y) + abs(column - x) == 1


def _leftward(game: Game, filled: set[int], cell: int) -> bool:
    return cell % game.columns == 0 or cell - 1 in filled


def _connected(game: Game, filled: set[int], cell: int) -> bool:
    return not filled or any(_is_next(game, cell, other) for other in filled)


def _last_cell(game: Game, filled: set[int], cell: int) -> bool:
    if not filled:
        return cell not in (0, game.cells - 1)
    return cell < game.cells - 1 or {0, 1} <= filled


RULES: tuple[tuple[Game, Callable[[Game, set[int], int], bool], int], ...] = (
    (Leftward(4, 2, 2), _leftward, 2),
    (Connected(3, 3, 3), _connected, 8),
    (LastCell(3, 3, 3), _last_cell, 1),
    (LastCell(5, 1, 2, misere=True), _last_cell, 2),
)
"""A game, which cells it opens in other words, and its number of symmetries."""


@pytest.mark.parametrize(("game", "opens", "_"), RULES)
def test_one_position_and_arrays_have_the_same_open_cells(
    game: Game, opens: Callable[[Game, set[int], int], bool], _: int
) -> None:
    expected = [
        sum(
            1 << cell
            for cell in range(game.cells)
            if not occupied >> cell & 1 and opens(game, {*bits(occupied)}, cell)
        )
        for occupied in range(game.full + 1)
    ]
    assert [game.open_cells(occupied) for occupied in range(game.full + 1)] == expected
    arrays = np.arange(game.full + 1, dtype=masks.mask_dtype(game))
    assert masks.open_cells(game, arrays).tolist() == expected


def _reached(game: Game) -> set[Position]:
    positions, waiting = {EMPTY}, [EMPTY]
    while waiting:
        position = waiting.pop()
        children = set(map(position.after, game.legal_moves(position))) - positions
        positions |= children
        waiting.extend(children)
    return positions


@pytest.mark.parametrize("game", [game for game, *_ in RULES])
def test_texts_and_lines_of_play_are_those_that_play_reaches(game: Game) -> None:
    reached = _reached(game)
    for letters in product(".ox", repeat=game.cells):
        text = "".join(letters)
        position = Position(
            *(sum(1 << cell for cell, sign in enumerate(text) if sign == mark) for mark in "ox")
        )
        assert is_reachable(game, position) == (position in reached)
        if position in reached:
            assert to_text(game, from_text(game, text)) == text
    longest = max(reached, key=lambda position: position.ply)
    played = EMPTY
    for move in line_to(game, longest) or ():
        played = game.play(played, move)
    assert played == longest


@pytest.mark.parametrize(("game", "_", "count"), RULES)
def test_the_symmetries_keep_the_open_cells(game: Game, _: object, count: int) -> None:
    assert len(symmetries(game)) == count
    for symmetry in symmetries(game):
        for occupied in range(game.full + 1):
            opened = game.open_cells(symmetry.of_mask(occupied))
            assert opened == symmetry.of_mask(game.open_cells(occupied))


@pytest.mark.parametrize("game", [game for game, *_ in RULES])
def test_boards_play_by_the_rule_or_refuse_the_game(game: Game) -> None:
    assert {name.split("+")[0] for name in boards_of(game)} == {"BitBoard"}
    board = new_board(game)
    for position in _reached(game):
        board.set_up(position)
        assert list(map(board.cell_of, board.legal_moves())) == list(game.legal_moves(position))


def test_a_text_without_support_is_refused_with_the_reason() -> None:
    with pytest.raises(BoardError, match="nothing supports the mark on cell 1"):
        from_text(Leftward(3, 3, 3), ".o.......")
    with pytest.raises(BoardError, match="no o is on a cell that the first mark may fill"):
        from_text(LastCell(3, 3, 3), "o........")
    with pytest.raises(BoardError, match="no order of moves opens cell 6"):
        from_text(Connected(3, 3, 3), "ox....xo.")


@pytest.mark.parametrize("rule", [Leftward, Anywhere])
def test_a_rule_that_opens_other_cells_does_not_go_with_gravity(rule: type[Game]) -> None:
    with pytest.raises(GameError, match="expected one of these rules, not both"):
        rule(3, 3, 3, gravity=True)
    assert Anywhere(3, 1, 3, gravity=True).first_cells == 0b111


@pytest.mark.parametrize(
    ("declared", "value", "expected"),
    [
        # The last cell needs a mark on itself.
        ("supports", ((0,),) * 8 + ((1 << 8,),), "after a first mark on cell 0, the rules never"),
        ("supports", ((0,),) * 8, "other supports than 9 tuples of masks"),
        ("supports", (0,) * 9, "other supports than 9 tuples of masks"),
        ("first_cells", 0, "the rules leave no cell for the first mark"),
        ("first_cells", -1, "the rules have the mask -1: expected a bit for"),
        ("first_cells", 1 << 9, "the rules have the mask 512"),
        ("lines", (0b111 << 7,), "of some cells of 0 to 8"),
        ("lines", ([0, 1, 2],), r"the rules have the mask \[0, 1, 2\]"),
        ("full_board", Status.PLAYING, "expected circle, cross or draw for a line"),
        ("line_results", (Status.CIRCLE,), "expected circle, cross or draw for a line"),
        ("line_results", (0, 1), "expected circle, cross or draw for a line"),
    ],
)
def test_declared_rules_that_no_game_can_have_are_refused(
    declared: str, value: object, expected: str
) -> None:
    with pytest.raises(GameError, match=expected):
        type("Odd", (Game,), {declared: value})(3, 3, 3)
