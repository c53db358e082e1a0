"""The tutorial series: its AIs as agents, and what is here instead of its other names.

An AI is a function of its game object that returns a move.

The object is a `Marubatsu`: it has the names that AIs of the series use, and the rules of our game.
A move is (x, y), the column and the row, as on its first board; or a number, y + x * rows, as on
its flat one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import copy
from inspect import signature
from typing import Any, ClassVar, NamedTuple, Self

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.boards.list_board import XY
from marubatsu.engine.rules.board_text import EMPTY_CELL, MARKS, from_text, line_to
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import whole_number
from marubatsu.engine.rules.position import Position, Status, bits
from marubatsu.judge.agents.interfaces import (
    AnswerError,
    NoAgentError,
    accepts,
    repr_of,
    require_function,
)
from marubatsu.judge.bridges.actions import mask_of

_NO_MOVE = (-1, -1)  # the last move on the empty board
_LONGEST = 80  # characters of an answer in a message
_TAKES = "expected (x, y), a number y + x * rows, or a list of such moves"


class Markpat(NamedTuple):
    """What a line holds: marks of the player who just moved, of the one to move, empty cells."""

    last_turn: int
    turn: int
    empty: int


class SeriesBoard(list[list[str]]):
    """The marks as a list of columns, ``board[x][y]``, and as the boards of later episodes."""

    @property
    def BOARD_SIZE(self) -> int:  # noqa: N802, the series calls it so
        """The number of columns and of rows. Raises AttributeError where they differ."""
        if len(self) != len(self[0]):
            raise AttributeError(f"a board of {len(self)}x{len(self[0])} has no BOARD_SIZE")
        return len(self)

    def getmark(self, x: int, y: int) -> str:
        return self[x][y]

    def setmark(self, x: int, y: int, mark: str) -> None:
        """Set the mark of a cell, without any rule."""
        self[x][y] = mark

    def getmark_by_move(self, move: XY | int) -> str:
        return self.getmark(*self.move_to_xy(move))

    def setmark_by_move(self, move: XY | int, mark: str) -> None:
        self.setmark(*self.move_to_xy(move), mark)

    def xy_to_move(self, x: int, y: int) -> XY:
        """Return the move to a cell: on this board both are the same."""
        return x, y

    def move_to_xy(self, move: XY | int) -> XY:
        """Return the cell of a move, which may be a number."""
        return divmod(move, len(self[0])) if isinstance(move, int) else move


class Marubatsu:
    """A game of the series: ``mb`` in its AIs."""

    EMPTY: ClassVar[str] = EMPTY_CELL
    CIRCLE: ClassVar[str] = MARKS[0]
    CROSS: ClassVar[str] = MARKS[1]
    DRAW: ClassVar[str] = Status.DRAW.word
    PLAYING: ClassVar[str] = Status.PLAYING.word

    def __init__(self, board_size: int = 3, *, game: Game | None = None) -> None:
        """Begin a game on a square board, or one of our games."""
        self._game = Game(board_size, board_size) if game is None else game
        self.restart()

    @classmethod
    def after(cls, game: Game, line: Iterable[int]) -> Self:
        """Return a game that goes on after some moves, given as our cells."""
        mb = cls(game=game)
        for cell in line:
            mb._set(mb._xy(cell))
        return mb

    def restart(self) -> None:
        self.board = SeriesBoard([self.EMPTY] * self._game.rows for _ in range(self._game.columns))
        self.turn: str = self.CIRCLE
        self.last_turn: str | None = None
        self.last_move = _NO_MOVE
        self.move_count = 0
        self.records = [_NO_MOVE]
        self.status = self.PLAYING

    @property
    def BOARD_SIZE(self) -> int:  # noqa: N802, the series calls it so
        """The number of columns and of rows. Raises AttributeError where they differ."""
        return self.board.BOARD_SIZE

    def calc_legal_moves(self) -> list[XY]:
        """List the legal moves, row by row; none when the game is over."""
        if self.status != self.PLAYING:
            return []
        return [self._xy(cell) for cell in bits(self._game.open_cells(self._position().occupied))]

    def move(self, x: XY | int, y: int | None = None) -> None:
        """Set a mark of the player to move, at (x, y) or by one move.

        Raises ValueError when the move is not legal.
        """
        move = self.board.move_to_xy(x) if y is None or isinstance(x, tuple) else (x, y)
        if move not in self.calc_legal_moves():
            raise ValueError(f"{move} is no legal move: expected one of {self.calc_legal_moves()}")
        self._set(move)
        self.status = self.judge()

    def _set(self, move: XY) -> None:
        self.board.setmark(*move, self.turn)
        self.last_turn, self.turn = self.turn, self._other(self.turn)
        self.last_move = move
        self.move_count += 1
        self.records.append(move)

    def unmove(self) -> None:
        """Take back the last move. Raises ValueError on the empty board."""
        if not self.move_count:
            raise ValueError("there is no move to take back on the empty board")
        self.board.setmark_by_move(self.records.pop(), self.EMPTY)
        self.last_move = self.records[-1]
        self.move_count -= 1
        self.turn = self._other(self.turn)
        self.last_turn = self._other(self.turn) if self.move_count else None
        self.status = self.PLAYING

    def judge(self) -> str:
        """Return the status of the board: playing, draw, or the mark of the winner."""
        status = self._game.status(self._position())
        return MARKS[status] if status < len(MARKS) else status.word

    def is_winner(self, player: str) -> bool:
        """Return whether a player, given by the mark, has won."""
        return self.judge() == player

    def count_markpats(self) -> Counter[Markpat]:
        """Count the lines by what they hold."""
        circle, cross = self._position()
        counts = Counter[Markpat]()
        for line in self._game.lines:
            marks = (circle & line).bit_count(), (cross & line).bit_count()
            last, own = marks if self.turn == self.CROSS else marks[::-1]
            counts[Markpat(last, own, line.bit_count() - last - own)] += 1
        return counts

    def enum_markpats(self) -> set[Markpat]:
        return set(self.count_markpats())

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Copy the board and the moves; the rules stay the same object."""
        copied = copy(self)
        copied.board = SeriesBoard(map(list, self.board))
        copied.records = self.records.copy()
        return copied

    def __str__(self) -> str:
        """Draw the board below the player to move or the result; the last mark is a capital."""
        rows = [list(row) for row in zip(*self.board, strict=True)]
        if self.move_count:
            x, y = self.last_move
            rows[y][x] = rows[y][x].upper()
        is_over = self.status != self.PLAYING
        head = f"winner {self.status}" if is_over else f"Turn {self.turn}"
        return "".join(f"{line}\n" for line in [head, *map("".join, rows)])

    def _position(self) -> Position:
        """Read the board, which an AI may have changed without a move."""
        cells = [each for row in zip(*self.board, strict=True) for each in row]
        circle, cross = (mask_of(each == mark for each in cells) for mark in MARKS)
        return Position(circle, cross)

    def _xy(self, cell: int) -> XY:
        return cell % self._game.columns, cell // self._game.columns

    def _other(self, player: str) -> str:
        return self.CROSS if player == self.CIRCLE else self.CIRCLE


def chooser(agent: Any, game: Game) -> Choose:
    """Return an AI of the series as a function of ours.

    Parameters after the first keep their defaults. One with the parameter ``analyze`` is asked for
    its candidates. Each question gets an object of its own, which play has led to the position.
    """
    function = require_function(agent, "f(mb) that returns (x, y)")
    if not accepts(function, 1):
        name = getattr(function, "__name__", type(function).__name__)
        raise NoAgentError(
            f"{name} takes {signature(function)}: expected {name}(mb), and defaults for the others"
        )
    parameters = signature(function, follow_wrapped=False).parameters
    options = {"analyze": True} if "analyze" in parameters else {}

    def choose(board: str, legal: list[int]) -> int | list[tuple[int, float]]:
        mb = Marubatsu.after(game, line_to(game, from_text(game, board)) or ())
        answer = function(mb, **options)
        if isinstance(answer, Mapping):
            answer = answer.get("candidate")
        moves = dict.fromkeys(_moves(answer, game.rows))
        cell_of = {(cell % game.columns, cell // game.columns): cell for cell in legal}
        illegal = [str(move) for move in moves if move not in cell_of]
        if illegal:
            raise AnswerError("illegal move", f"{', '.join(illegal)}; legal: {[*cell_of]}")
        cells = [cell_of[move] for move in moves]
        return [(cell, 1.0) for cell in cells] if len(cells) > 1 else cells[0]

    return choose


def _moves(answer: Any, rows: int) -> list[XY]:
    listed = answer if isinstance(answer, list) else [answer]
    if answer is None or not listed:
        raise AnswerError("no move", "it returned no move", _TAKES)
    moves = []
    try:
        for each in listed:
            pair = each if isinstance(each, tuple) else divmod(whole_number(each), rows)
            x, y = map(whole_number, pair)
            moves.append((x, y))
    except (TypeError, ValueError):
        raise AnswerError("wrong answer", repr_of(answer)[:_LONGEST], _TAKES) from None
    return moves


_AIS = [*(f"ai{number}" for number in range(1, 8)), *(f"ai{number}s" for number in range(1, 15))]

_NAMES = {
    "an AI that takes one is asked by the option interface='series', and a position is a text, as "
    "in marubatsu.answer('o...x...o')": ["Marubatsu"],
    "an AI that counts lines by it is asked by the option interface='series'": ["Markpat"],
    "run the command marubatsu explore": ["Marubatsu_GUI", "gui_play", "Mbtree_GUI", "Mbtree_Anim"],
    "its nodes are the tables of marubatsu.tables('tictactoe'), tree_bfs and tree_dfs": [
        "Mbtree", "Node", "create_tree_by_bf", "create_tree_by_df",
    ],
    "run the command marubatsu bench boards, which compares all boards": [
        "Board", "ListBoard", "List1dBoard", "NpBoard", "BitBoard", "benchmark",
    ],
    "call marubatsu.match('ai14s', 'ai2')": ["ai_match"],
    "its moves are those of the AIs perfect, perfect_sv and perfect_svrd": ["ai_gt1"],
    "call marubatsu.evaluation(function), which makes an AI": ["ai_by_score"],
    "call marubatsu.search('alphabeta')": ["ai_abs_all"],
    "call marubatsu.search('depth_limited', max_depth=8, evaluation='ai14s')": ["ai_abs_dls"],
    "call marubatsu.search('minimax')": ["ai_mmdfs"],
    "call marubatsu.search('scout')": ["ai_scout"],
    "see marubatsu.tables('tictactoe').critical_classes": ["load_mblist"],
    "the table positions has best_moves: marubatsu.tables('tictactoe')": ["load_bestmoves"],
    "see marubatsu.tables('tictactoe').symmetry_cells": ["calc_same_boardtexts"],
    "call marubatsu.answer('o...x...o'), which has the status and the moves": [
        "is_winner", "calc_legal_moves",
    ],
    "call marubatsu.audit('ai14s')": ["Check_solved"],
    "an AI is named by a text, as in marubatsu.audit('ai14s')": _AIS,
}  # fmt: skip

INSTEAD = {name: instead for instead, names in _NAMES.items() for name in names}
"""What to do instead, by the name in the series."""


def message(name: str) -> str:
    """Say what there is instead of a name that `marubatsu` lacks."""
    if name not in INSTEAD:
        return f"module 'marubatsu' has no attribute {name!r}"
    return (
        f"marubatsu has no {name} of the tutorial series: {INSTEAD[name]}; docs/series-names.md "
        "has all names"
    )
