"""Recorded games, replayed all at the same time: legal moves, illegal ones, and how games end.

Shapes: G games, M legal moves, T moves of any kind.
"""

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.notations.reading import read_move
from marubatsu.engine.rules.cell_names import cell_name, column_name, column_of
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.masks import Ints, Masks, mask_dtype, open_cells, status_codes
from marubatsu.engine.rules.position import Side, Status
from marubatsu.pipeline.reviewing.recorded import GamePlace, RecordedGame, Token

NO_RESULT = -1
_NO_CELL = -1
_MOVE = re.compile(r"-?[0-9]{1,9}|[a-zA-Z]{1,2}[0-9]{1,2}")
_COLUMN = re.compile(r"[a-zA-Z]{1,2}")
_RESULT_CODES: dict[str | None, int] = {
    None: NO_RESULT,
    **{status.word: int(status) for status in Status},
}


class GameLog:
    """The recorded games of one game, in columns.

    A move has the code of its cell, that of its column behind all cells, or none of the board.
    """

    def __init__(self, game: Game) -> None:
        """Start without games."""
        self.game = game
        self.places: list[GamePlace] = []
        self._codes = array("b")
        self._ends = array("q", [0])
        self._players = (array("i"), array("i"))
        self._told = array("b")
        cells, columns = range(game.cells), range(game.columns)
        names = {cell_name(game, cell): cell for cell in cells}
        numbers: dict[Token, int] = {number: number for number in cells}
        columns_named = {column_name(c): game.cells + c for c in columns if game.gravity}
        actions: dict[Token, int] = (
            {c: game.cells + c for c in columns} if game.gravity else numbers
        )
        self._known: tuple[dict[Token, int], dict[Token, int]] = tuple(  # type: ignore[assignment]
            {**these, **{str(n): code for n, code in these.items()}, **names, **columns_named}
            for these in (numbers, actions)
        )

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self.places)

    @property
    def moves(self) -> int:
        """The number of moves of all games, legal or not."""
        return len(self._codes)

    def add(self, recorded: RecordedGame, first: int, second: int) -> None:
        """Take a game of two players, given by their numbers. Raises UsageError for no moves."""
        known = self._known[recorded.by_action]
        try:
            self._codes.extend([known[token] for token in recorded.moves])
        except KeyError:
            codes = [self._code(recorded.place, known, token) for token in recorded.moves]
            self._codes.extend(codes)
        self._ends.append(len(self._codes))
        for numbers, player in zip(self._players, (first, second), strict=True):
            numbers.append(player)
        self._told.append(_RESULT_CODES[recorded.result])
        self.places.append(recorded.place)

    def _code(self, place: GamePlace, known: dict[Token, int], token: Token) -> int:
        """Read a move that is written in another way, or is on no cell of the board."""
        if token is None or token in known:
            return known.get(token, _NO_CELL)
        if isinstance(token, int):
            return _NO_CELL
        if _COLUMN.fullmatch(token) and self.game.gravity:
            column = column_of(self.game, token)
            return _NO_CELL if column is None else self.game.cells + column
        if not _MOVE.fullmatch(token):
            raise place.fault(
                f"{quote(token)} is no move: expected the number of a cell, or its name as in a3"
            )
        if token.isdecimal():
            return known.get(int(token), _NO_CELL)
        cell = read_move(self.game, token)
        return _NO_CELL if cell is None else cell

    def replay(self) -> "Replayed":
        """Replay all games, each up to its end or its first illegal move."""
        game, dtype, count = self.game, mask_dtype(self.game), len(self)
        codes, ends = np.array(self._codes, np.int8), np.array(self._ends)
        length = np.diff(ends)
        circle, cross = np.zeros((2, count), dtype)
        illegal, beyond = np.full(count, -1), np.zeros(count, np.int64)
        goals = _goals(game)
        parts: list[Sequence[NDArray[np.signedinteger]]] = []
        active = np.arange(count)
        for ply in range(game.cells + 1):
            active = active[length[active] > ply]
            before = circle[active], cross[active]
            playing = status_codes(game, *before) == Status.PLAYING
            over = active[~playing]
            beyond[over] = length[over] - ply
            active, before = active[playing], (before[0][playing], before[1][playing])
            mark = open_cells(game, before[0] | before[1]) & goals[codes[ends[active] + ply]]
            illegal[active[mark == 0]] = ply
            legal = mark != 0
            active, mark = active[legal], mark[legal]
            cell = np.bitwise_count(mark - 1).astype(np.int8)
            parts.append((active, np.full(len(active), ply, np.int8), cell,
                          before[0][legal], before[1][legal]))  # fmt: skip
            (cross if ply % 2 else circle)[active] |= mark
        status = status_codes(game, circle, cross)
        told = np.array(self._told, np.int8)
        return Replayed(
            game=game,
            players=np.array(self._players, np.int64).reshape(2, count),
            status=status,
            told=told,
            illegal=illegal,
            beyond=beyond,
            **dict(zip(_MOVES, map(np.concatenate, zip(*parts, strict=True)), strict=True)),
        )


def _goals(game: Game) -> Masks:
    """Return by code the mask of the cells that a move may fill."""
    column = sum(1 << game.columns * row for row in range(game.rows))
    masks = [1 << cell for cell in range(game.cells)]
    masks += [column << number for number in range(game.columns)]
    return np.array([*masks, 0], mask_dtype(game))


@dataclass(frozen=True, eq=False)
class Replayed:
    """Games and their legal moves; the moves are ordered by ply, then by game."""

    game: Game
    players: Ints  # [2, G] number of the player of each side
    status: NDArray[np.int8]  # [G] code of `Status` after the last legal move
    told: NDArray[np.int8]  # [G] the result that the log tells, `NO_RESULT` where it does not
    illegal: Ints  # [G] ply of the illegal move with which a game breaks off, -1 without
    beyond: Ints  # [G] moves after the end of the game
    number: Ints  # [M] of the game
    ply: NDArray[np.int8]  # [M]
    cell: NDArray[np.int8]  # [M] filled
    circle: Masks  # [M] the position before the move
    cross: Masks  # [M]

    @cached_property
    def result(self) -> NDArray[np.int8]:
        """The result of each game: [G], a code of `Status`, or `NO_RESULT`.

        It follows from the moves; of a game that they leave unfinished, the log tells it, or who
        made an illegal move has lost.
        """
        loses = np.where(self.illegal % 2 == Side.CIRCLE, Status.CROSS, Status.CIRCLE)
        broken = np.where(self.illegal >= 0, loses, NO_RESULT)
        unfinished = np.where(self.told == NO_RESULT, broken, self.told)
        result: NDArray[np.int8] = np.where(
            self.status == Status.PLAYING, unfinished, self.status
        ).astype(np.int8)
        return result

    @property
    def contradicts(self) -> NDArray[np.bool_]:
        """Whether the log tells another result of a game than its moves: [G]."""
        told: NDArray[np.bool_] = (
            (self.status != Status.PLAYING) & (self.told != NO_RESULT) & (self.told != self.status)
        )
        return told

    @cached_property
    def mover(self) -> Ints:
        """The number of the player who made each move: [M]."""
        mover: Ints = self.players[self.ply % 2, self.number]
        return mover


_MOVES = ("number", "ply", "cell", "circle", "cross")
