"""All kinds of boards by name, and the laws that every board must keep.

A law tests one position and yields its faults.

The expected values come from `engine.rules`. A law that makes moves uses a board of its own, so
that its faults cannot break other laws.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import zip_longest
from typing import Any, TypeAlias

from marubatsu.engine.boards.bit_board import BitBoard, BitBoard3x3
from marubatsu.engine.boards.board import PLAYING, Board, MoveError, NewBoard
from marubatsu.engine.boards.list_board import List1dBoard, ListBoard
from marubatsu.engine.boards.numpy_board import NumpyBoard
from marubatsu.engine.rules.board_text import EMPTY_CELL, MARKS, to_text
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status
from marubatsu.engine.rules.symmetry import symmetries


def all_boards() -> dict[str, NewBoard]:
    """List all kinds of boards by name."""
    boards: dict[str, NewBoard] = {}
    for kind in (ListBoard, List1dBoard, BitBoard, NumpyBoard):
        boards[kind.__name__] = kind
        boards[f"{kind.__name__}+counters"] = partial(kind, count_lines=True)
    return {**boards, BitBoard3x3.__name__: BitBoard3x3}


def boards_of(game: Game) -> dict[str, NewBoard]:
    """List the kinds of boards that play a game, by name."""
    return {name: new for name, new in all_boards().items() if _plays(new, game)}


def _plays(new: NewBoard, game: Game) -> bool:
    try:
        new(game)
    except GameError:
        return False
    return True


@dataclass(frozen=True)
class Case:
    """A position for testing a board, and the moves that lead there."""

    game: Game
    moves: tuple[int, ...]
    position: Position

    @classmethod
    def after(cls, game: Game, moves: Sequence[int]) -> "Case":
        """Play moves by the rules."""
        position = EMPTY
        for move in moves:
            position = game.play(position, move)
        return cls(game, tuple(moves), position)

    @cached_property
    def status(self) -> Status:
        """The status by the rules."""
        return self.game.status(self.position)

    @cached_property
    def legal(self) -> list[int]:
        """The legal moves by the rules."""
        return list(self.game.legal_moves(self.position))

    @cached_property
    def text(self) -> str:
        """The position as text."""
        return to_text(self.game, self.position)

    @cached_property
    def other_order(self) -> list[int] | None:
        """The same position's cells in another order, if play can take that order."""
        circles, crosses = self.moves[::2][::-1], self.moves[1::2][::-1]
        moves = [
            cell for pair in zip_longest(circles, crosses) for cell in pair if cell is not None
        ]
        try:
            return moves if Case.after(self.game, moves).position == self.position else None
        except ValueError:
            return None


@dataclass
class BoardKind:
    """A kind of board on one game, and the keys that it has returned so far."""

    new: NewBoard
    game: Game
    by_key: dict[Hashable, Position] = field(default_factory=dict)
    by_position: dict[Position, Hashable] = field(default_factory=dict)
    _board: "tuple[Case, Board[Any]] | None" = None
    _looked: "tuple[Case, dict[str, object]] | None" = None

    def board_of(self, case: Case) -> Board[Any]:
        """Return a board played to a position; callers must not change it."""
        if self._board is None or self._board[0] is not case:
            self._board = case, self.played(case.moves)
        return self._board[1]

    def seen(self, case: Case) -> dict[str, object]:
        """Return the visible state of a board played to a position, read once for all laws."""
        if self._looked is None or self._looked[0] is not case:
            self._looked = case, _seen(self.board_of(case))
        return self._looked[1]

    @cached_property
    def empty(self) -> dict[str, object]:
        """The visible state of the empty board."""
        return _seen(self.new(self.game))

    def played(self, moves: Sequence[int]) -> Board[Any]:
        """Return a new board on which moves are played."""
        board = self.new(self.game)
        for cell in moves:
            board.make(board.move_of(cell))
        return board

    def key_at(self, position: Position, moves: Sequence[int]) -> Hashable:
        """Return the key of a position to which moves lead."""
        if position not in self.by_position:
            self.by_position[position] = self.played(moves).key()
        return self.by_position[position]


Law: TypeAlias = Callable[[BoardKind, Case], Iterator[str]]

_SIDES = tuple(Side)  # Iterating over the enumeration takes longer.

LAWS: dict[str, Law] = {}
"""The laws by name, the simplest first; the docstring of each states the law."""


def law(check: Law) -> Law:
    """Register a law under the name of its function, in words."""
    LAWS[check.__name__.strip("_").replace("_", " ")] = check
    return check


@law
def cells_and_moves(kind: BoardKind, case: Case) -> Iterator[str]:
    """Every cell has a move of its own, and that move has the cell."""
    board = kind.board_of(case)
    moves = [board.move_of(cell) for cell in range(case.game.cells)]
    yield from _compare("cells of the moves", list(range(case.game.cells)), _cells(board, moves))


@law
def text(kind: BoardKind, case: Case) -> Iterator[str]:
    """The board shows the marks that were made, as text and as masks."""
    board = kind.board_of(case)
    yield from _compare("text", case.text, board.text())
    yield from _compare("position", case.position, board.position())


@law
def history(kind: BoardKind, case: Case) -> Iterator[str]:
    """The board knows how many marks it holds, whose turn it is, and the moves made."""
    board = kind.board_of(case)
    yield from _compare("ply", len(case.moves), board.ply)
    yield from _compare("moves", list(case.moves), _cells(board, board.moves))
    if case.status is PLAYING:
        yield from _compare("turn", case.position.turn, board.turn)


@law
def status(kind: BoardKind, case: Case) -> Iterator[str]:
    """The last move leaves the status that the rules give, also on the last cell."""
    yield from _compare("status", case.status, kind.board_of(case).status)


@law
def judge(kind: BoardKind, case: Case) -> Iterator[str]:
    """Looking at the whole board gives the status that the rules give."""
    yield from _compare("judge", case.status, kind.board_of(case).judge())


@law
def legal_moves(kind: BoardKind, case: Case) -> Iterator[str]:
    """The legal moves are those of the rules, by ascending cell; none after the end."""
    board = kind.board_of(case)
    yield from _compare("legal moves", case.legal, _cells(board, board.legal_moves()))


@law
def illegal_moves(kind: BoardKind, case: Case) -> Iterator[str]:
    """A move that is not legal raises MoveError and changes nothing."""
    before, board = kind.seen(case), kind.played(case.moves)
    illegal = [cell for cell in range(case.game.cells) if cell not in case.legal]
    for cell in illegal:
        try:
            board.make(board.move_of(cell))
        except MoveError:
            continue
        yield f"a move to cell {cell} is made: expected MoveError"
        return
    yield from _changes(f"the refused moves to {_listed(illegal)}", before, board)


@law
def unmake(kind: BoardKind, case: Case) -> Iterator[str]:
    """Taking back a move restores everything, counters too; without a move there is MoveError."""
    before, board = kind.seen(case), kind.played(case.moves)
    for cell in case.legal:
        board.make(board.move_of(cell))
        board.unmake()
    yield from _changes(f"made and unmade {_listed(case.legal)}", before, board)
    for _ in case.moves:
        board.unmake()
    yield from _changes("all moves unmade", kind.empty, board)
    try:
        board.unmake()
    except MoveError:
        return
    yield "a move is taken back from the empty board: expected MoveError"


@law
def patterns(kind: BoardKind, case: Case) -> Iterator[str]:
    """The counts of lines by what they hold are those of a fresh count."""
    stride = case.game.run + 1
    counts = [0] * stride**2
    for line in case.game.lines:
        circles, crosses = ((mask & line).bit_count() for mask in case.position)
        counts[circles + stride * crosses] += 1
    got_counts = list(kind.board_of(case).patterns())
    for number, (right, got) in enumerate(zip_longest(counts, got_counts)):
        if right != got:
            crosses, circles = divmod(number, stride)
            yield f"lines with {circles} o and {crosses} x: expected {right}, got {got}"
            return


@law
def completes(kind: BoardKind, case: Case) -> Iterator[str]:
    """``completes`` is true exactly if, by the rules, the side has a line after the mark."""
    board = kind.board_of(case)
    for cell in case.legal:
        for side in Side:
            right = case.game.has_line(case.position[side] | 1 << cell)
            got = board.completes(board.move_of(cell), side)
            yield from _compare(f"{MARKS[side]} on cell {cell} completes a line", right, got)


@law
def set_up(kind: BoardKind, case: Case) -> Iterator[str]:
    """A position that is set up, or read from text, is like one that was played."""
    played = kind.seen(case)
    used = kind.played(case.moves[:1])
    used.set_up(case.position)
    yield from _changes("set up", played, used)
    yield from _compare("moves", [], used.moves)
    loaded = kind.new(kind.game)
    loaded.load(case.text)
    yield from _changes("loaded", played, loaded)


@law
def save_and_restore(kind: BoardKind, case: Case) -> Iterator[str]:
    """A saved position comes back, as often as one likes, whatever was played meanwhile."""
    before, board = kind.seen(case), kind.played(case.moves)
    saved = board.save()
    elsewhere = kind.played(case.moves[:-1]).save()
    for turn in ("once", "twice"):
        if case.legal:
            board.make(board.move_of(case.legal[0 if turn == "once" else -1]))
        board.restore(elsewhere)
        board.restore(saved)
        yield from _changes(f"restored {turn}", before, board)
        yield from _compare("moves", [], board.moves)


@law
def key(kind: BoardKind, case: Case) -> Iterator[str]:
    """Equal positions have equal keys, other positions other keys."""
    board = kind.board_of(case)
    board_key = board.key()
    other = kind.by_key.setdefault(board_key, case.position)
    if other != case.position:
        yield f"the key {board_key!r} is also that of {to_text(case.game, other)}"
    moves = case.other_order
    if moves and kind.played(moves).key() != board_key:
        yield f"another key after the same cells in the order {' '.join(map(str, moves))}"


@law
def images(kind: BoardKind, case: Case) -> Iterator[str]:
    """The image of a position under each symmetry has the key of the position played there."""
    keys = list(kind.board_of(case).images())
    group = symmetries(case.game)
    yield from _compare("number of images", len(group), len(keys))
    for symmetry, image in zip(group, keys, strict=False):
        there = symmetry.of_position(case.position)
        if kind.key_at(there, [symmetry.image[cell] for cell in case.moves]) != image:
            text = to_text(case.game, there)
            yield f"{symmetry.name}: expected the key of {text}, got {image!r}"


@law
def image_of_a_move(kind: BoardKind, case: Case) -> Iterator[str]:
    """The image of a move under each symmetry is the move to the image of its cell."""
    board = kind.board_of(case)
    for number, symmetry in enumerate(symmetries(case.game)):
        for cell in case.legal:
            image = board.image_of_move(board.move_of(cell), number)
            message = f"{symmetry.name} of the move to cell {cell}"
            yield from _compare(message, symmetry.image[cell], board.cell_of(image))


@law
def a_board_of_its_own(kind: BoardKind, case: Case) -> Iterator[str]:
    """`new` gives an empty board of the same kind; boards do not show each other's marks."""
    before, board = kind.seen(case), kind.played(case.moves)
    other = board.new()
    yield from _compare(
        "kind of the new board", (type(board), board.name), (type(other), other.name)
    )
    yield from _changes("a new board", kind.empty, other)
    for cell in case.moves[:2]:
        other.make(other.move_of(cell))
    yield from _changes("playing on another board", before, board)


def _cells(board: Board[Any], moves: Sequence[Any]) -> list[int]:
    return [board.cell_of(move) for move in moves]


def _listed(cells: Sequence[int]) -> str:
    return f"cells {', '.join(map(str, cells))}"


def _compare(what: str, right: object, got: object) -> Iterator[str]:
    if right != got:
        yield f"{what}: expected {_shown(right)}, got {_shown(got)}"


def _shown(value: object) -> str:
    return value.word if isinstance(value, Side | Status) else repr(value)


def _seen(board: Board[Any]) -> dict[str, object]:
    text, completes = board.text(), board.completes
    empty = [(cell, board.move_of(cell)) for cell, mark in enumerate(text) if mark == EMPTY_CELL]
    return {
        "text": text,
        "ply": board.ply,
        "status": board.status,
        "judge": board.judge(),
        "key": board.key(),
        "legal moves": _cells(board, board.legal_moves()),
        "patterns": list(board.patterns()),
        "completing moves": [
            (cell, side) for cell, move in empty for side in _SIDES if completes(move, side)
        ],
    }


def _changes(what: str, before: dict[str, object], board: Board[Any]) -> Iterator[str]:
    for name, now in _seen(board).items():
        if now != before[name]:
            yield f"{what}: {name} expected {_shown(before[name])}, got {_shown(now)}"
