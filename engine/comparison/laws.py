"""What every board must keep. A law looks at one position and yields what is wrong there.

The rules of `engine.rules` say what is right. A law that makes moves does so on a board of its own,
so that breaking it breaks no other.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from typing import Any, TypeAlias

from marubatsu.engine.boards.board import CIRCLE, CROSS, PLAYING, Board, MoveError
from marubatsu.engine.comparison.kinds import NewBoard
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game, Status, circle_to_move
from marubatsu.engine.rules.symmetry import symmetries


@dataclass(frozen=True)
class Spot:
    """A position, with the cells played to get there and what the rules say of it."""

    game: Game
    line: tuple[int, ...]
    circle: int
    cross: int

    @classmethod
    def after(cls, game: Game, line: Sequence[int]) -> "Spot":
        """Play a line of cells by the rules."""
        circle = cross = 0
        for cell in line:
            circle, cross = game.play(circle, cross, cell)
        return cls(game, tuple(line), circle, cross)

    @cached_property
    def status(self) -> Status:
        """The status by the rules."""
        return self.game.status(self.circle, self.cross)

    @cached_property
    def legal(self) -> list[int]:
        """The legal moves by the rules."""
        return list(self.game.legal_moves(self.circle, self.cross))

    @property
    def masks(self) -> tuple[int, int]:
        """The circles and the crosses."""
        return self.circle, self.cross

    @property
    def text(self) -> str:
        """The position as text."""
        return to_text(self.game, self.circle, self.cross)


@dataclass
class Kind:
    """A kind of board on one game, and the keys that it has given so far."""

    new: NewBoard
    game: Game
    by_key: dict[Hashable, tuple[int, int]] = field(default_factory=dict)
    by_masks: dict[tuple[int, int], Hashable] = field(default_factory=dict)
    _shown: "tuple[Spot, Board[Any]] | None" = None

    def shown(self, spot: Spot) -> Board[Any]:
        """Return a board played to a position, for looking only."""
        if self._shown is None or self._shown[0] is not spot:
            self._shown = spot, self.played(spot.line)
        return self._shown[1]

    @cached_property
    def empty(self) -> dict[str, object]:
        """What shows of the empty board."""
        return _seen(self.new(self.game))

    def played(self, line: Sequence[int]) -> Board[Any]:
        """Return a new board on which a line of cells is played."""
        board = self.new(self.game)
        for cell in line:
            board.make(board.move_of(cell))
        return board

    def key_at(self, circle: int, cross: int, line: Sequence[int]) -> Hashable:
        """Return the key of a position to which a line of cells leads."""
        if (circle, cross) not in self.by_masks:
            self.by_masks[circle, cross] = self.played(line).key()
        return self.by_masks[circle, cross]


Law: TypeAlias = Callable[[Kind, Spot], Iterator[str]]

LAWS: dict[str, Law] = {}
"""The laws by name, the plainest first; the docstring of each says what must be."""


def law(check: Law) -> Law:
    """Register a law under the name of its function, in words."""
    LAWS[check.__name__.strip("_").replace("_", " ")] = check
    return check


@law
def cells_and_moves(kind: Kind, spot: Spot) -> Iterator[str]:
    """Every cell has a move of its own, and that move has the cell."""
    board = kind.shown(spot)
    moves = [board.move_of(cell) for cell in range(spot.game.cells)]
    yield from _compare("cells of the moves", list(range(spot.game.cells)), _cells(board, moves))


@law
def text(kind: Kind, spot: Spot) -> Iterator[str]:
    """The board shows the marks that were made, as text and as masks."""
    board = kind.shown(spot)
    yield from _compare("text", spot.text, board.text())
    yield from _compare("masks", spot.masks, board.masks())


@law
def history(kind: Kind, spot: Spot) -> Iterator[str]:
    """The board knows how many marks it holds, whose turn it is, and the moves made."""
    board = kind.shown(spot)
    yield from _compare("ply", len(spot.line), board.ply)
    yield from _compare("moves", list(spot.line), _cells(board, board.moves))
    if spot.status is PLAYING:
        mover = CIRCLE if circle_to_move(spot.circle | spot.cross) else CROSS
        yield from _compare("turn", mover, board.turn)


@law
def status(kind: Kind, spot: Spot) -> Iterator[str]:
    """The last move leaves the status that the rules give, also on the last cell."""
    yield from _compare("status", spot.status, kind.shown(spot).status)


@law
def judge(kind: Kind, spot: Spot) -> Iterator[str]:
    """Looking at the whole board gives the status that the rules give."""
    yield from _compare("judge", spot.status, kind.shown(spot).judge())


@law
def legal_moves(kind: Kind, spot: Spot) -> Iterator[str]:
    """The legal moves are those of the rules, by ascending cell; none after the end."""
    board = kind.shown(spot)
    yield from _compare("legal moves", spot.legal, _cells(board, board.legal_moves()))


@law
def illegal_moves(kind: Kind, spot: Spot) -> Iterator[str]:
    """A move that is not legal raises MoveError and changes nothing."""
    board = kind.played(spot.line)
    before = _seen(board)
    for cell in range(spot.game.cells):
        if cell in spot.legal:
            continue
        try:
            board.make(board.move_of(cell))
        except MoveError:
            yield from _changes(f"the refused move to cell {cell}", before, board)
        else:
            yield f"a move to cell {cell} is made: expected MoveError"
            return


@law
def unmake(kind: Kind, spot: Spot) -> Iterator[str]:
    """Taking back a move restores everything, counters too; without a move there is MoveError."""
    board = kind.played(spot.line)
    before = _seen(board)
    for cell in spot.legal:
        board.make(board.move_of(cell))
        board.unmake()
        yield from _changes(f"cell {cell} made and unmade", before, board)
    for _ in spot.line:
        board.unmake()
    yield from _changes("all moves unmade", kind.empty, board)
    try:
        board.unmake()
    except MoveError:
        return
    yield "a move is taken back from the empty board: expected MoveError"


@law
def patterns(kind: Kind, spot: Spot) -> Iterator[str]:
    """The lines counted by what they hold are those that counting anew finds."""
    stride = spot.game.run + 1
    counts = [0] * stride**2
    for line in spot.game.lines:
        circles, crosses = (spot.circle & line).bit_count(), (spot.cross & line).bit_count()
        counts[circles + stride * crosses] += 1
    found = list(kind.shown(spot).patterns())
    for number, (right, got) in enumerate(zip_longest(counts, found)):
        if right != got:
            crosses, circles = divmod(number, stride)
            yield f"lines with {circles} o and {crosses} x: expected {right}, got {got}"
            return


@law
def completes(kind: Kind, spot: Spot) -> Iterator[str]:
    """A cell completes a line for a side when the rules say that its marks hold one then."""
    board = kind.shown(spot)
    for cell in spot.legal:
        for side, mark in ((CIRCLE, "o"), (CROSS, "x")):
            right = spot.game.has_line(spot.masks[side] | 1 << cell)
            found = board.completes(board.move_of(cell), side)
            yield from _compare(f"{mark} on cell {cell} completes a line", right, found)


@law
def set_up(kind: Kind, spot: Spot) -> Iterator[str]:
    """A position that is set up, or read from text, is like one that was played."""
    played = _seen(kind.shown(spot))
    used = kind.played(spot.line[:1])
    used.set_up(*spot.masks)
    yield from _changes("set up", played, used)
    yield from _compare("moves", [], used.moves)
    loaded = kind.new(kind.game)
    loaded.load(spot.text)
    yield from _changes("loaded", played, loaded)


@law
def save_and_restore(kind: Kind, spot: Spot) -> Iterator[str]:
    """A saved position comes back, as often as one likes, whatever was played meanwhile."""
    board = kind.played(spot.line)
    before, saved = _seen(board), board.save()
    elsewhere = kind.played(spot.line[:-1]).save()
    for turn in ("once", "twice"):
        if spot.legal:
            board.make(board.move_of(spot.legal[0 if turn == "once" else -1]))
        board.restore(elsewhere)
        board.restore(saved)
        yield from _changes(f"restored {turn}", before, board)
        yield from _compare("moves", [], board.moves)


@law
def key(kind: Kind, spot: Spot) -> Iterator[str]:
    """Equal positions have equal keys, other positions other keys."""
    board = kind.shown(spot)
    found = board.key()
    known = kind.by_key.setdefault(found, spot.masks)
    if known != spot.masks:
        yield f"the key {found!r} is also that of {to_text(spot.game, *known)}"
    line = _other_order(spot)
    if line and kind.played(line).key() != found:
        yield f"another key after the same cells in the order {' '.join(map(str, line))}"


@law
def images(kind: Kind, spot: Spot) -> Iterator[str]:
    """The image of a position under each symmetry has the key of the position played there."""
    found = list(kind.shown(spot).images())
    group = symmetries(spot.game)
    yield from _compare("number of images", len(group), len(found))
    for symmetry, image in zip(group, found, strict=False):
        there = symmetry.of_mask(spot.circle), symmetry.of_mask(spot.cross)
        if kind.key_at(*there, [symmetry.image[cell] for cell in spot.line]) != image:
            told = to_text(spot.game, *there)
            yield f"{symmetry.name}: expected the key of {told}, got {image!r}"


@law
def image_of_a_move(kind: Kind, spot: Spot) -> Iterator[str]:
    """The image of a move under each symmetry is the move to the image of its cell."""
    board = kind.shown(spot)
    for number, symmetry in enumerate(symmetries(spot.game)):
        for cell in spot.legal:
            image = board.image_of_move(board.move_of(cell), number)
            told = f"{symmetry.name} of the move to cell {cell}"
            yield from _compare(told, symmetry.image[cell], board.cell_of(image))


@law
def a_board_of_its_own(kind: Kind, spot: Spot) -> Iterator[str]:
    """`new` gives an empty board of the same kind; boards do not show each other's marks."""
    board = kind.played(spot.line)
    before = _seen(board)
    other = board.new()
    yield from _compare(
        "kind of the new board", (type(board), board.name), (type(other), other.name)
    )
    yield from _changes("a new board", kind.empty, other)
    for cell in spot.line[:2]:
        other.make(other.move_of(cell))
    yield from _changes("playing on another board", before, board)


def _cells(board: Board[Any], moves: Sequence[Any]) -> list[int]:
    return [board.cell_of(move) for move in moves]


def _compare(what: str, right: object, found: object) -> Iterator[str]:
    if right != found:
        yield f"{what}: expected {_shown(right)}, got {_shown(found)}"


def _shown(value: object) -> str:
    return str(value) if isinstance(value, Status) else repr(value)


def _seen(board: Board[Any]) -> dict[str, object]:
    """Return everything that shows of a board, but for its history."""
    seen: dict[str, object] = {
        "text": board.text(),
        "ply": board.ply,
        "status": board.status,
        "judge": board.judge(),
        "key": board.key(),
        "legal moves": _cells(board, board.legal_moves()),
        "patterns": list(board.patterns()),
    }
    seen["completing moves"] = [
        (cell, side)
        for cell in range(board.game.cells)
        if seen["text"][cell] == "."  # type: ignore[index]
        for side in (CIRCLE, CROSS)
        if board.completes(board.move_of(cell), side)
    ]
    return seen


def _changes(what: str, before: dict[str, object], board: Board[Any]) -> Iterator[str]:
    """Yield what shows otherwise than before."""
    for name, now in _seen(board).items():
        if now != before[name]:
            yield f"{what}: {name} expected {_shown(before[name])}, got {_shown(now)}"


def _other_order(spot: Spot) -> list[int] | None:
    """Return the same position's cells in another order, if play can take that order."""
    circles, crosses = spot.line[::2][::-1], spot.line[1::2][::-1]
    line = [cell for pair in zip_longest(circles, crosses) for cell in pair if cell is not None]
    try:
        return line if Spot.after(spot.game, line).masks == spot.masks else None
    except ValueError:
        return None
