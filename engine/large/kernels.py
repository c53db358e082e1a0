"""Compiled steps over many classes at once: their children and their values.

All kernels are in one module, because Numba's cache does not notice that another module has
changed. Arrays of keys are int64, of one ply, ascending and without duplicates unless a docstring
says otherwise. ``turn`` is 0 when circle is to move there and 1 when cross is. All kernels release
the interpreter lock, so threads may run them on slices.

Values are those of `engine.large.values`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.keys import Keys
from marubatsu.engine.large.values import FAR, Values
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import bits
from marubatsu.engine.rules.symmetry import symmetries

Ints = NDArray[np.int64]

NO_CHILD, LACKING = 127, -128
"""The least value of no class, and of classes one of which the next ply lacks; see `combine`."""

_CELLS_OF_A_PIECE = 4  # Pieces of keys without gravity have 256 contents, few enough for tables.
_SLOTS = 67  # Powers of two below 2 ** 66 leave different remainders, which index tables by cell.

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _compiled(function: _Function) -> _Function:
    try:
        return cast(_Function, numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:  # No folder for the cache can be written.
        return cast(_Function, numba.njit(nogil=True)(function))


def _inlined(function: _Function) -> _Function:
    return cast(_Function, numba.njit(nogil=True, inline="always")(function))


class Rules(NamedTuple):
    """A game in the form that the kernels use.

    A *plane* is a set of cells, column by column from below: bit ``x * (rows + 1) + height``. The
    bit above each column stays empty, so that no line continues in the next column.
    """

    misere: bool
    gravity: bool
    run: int
    cells: int  # the plane of all cells
    floor: int  # the plane of the lowest cells
    most: int  # greatest number of moves of a position
    steps: Ints  # [direction]: from a bit to the next of a line, where a line fits on the board
    empty: int  # key of the empty board
    weights: Ints  # [symmetry, slot of a cell]: what circle's mark adds to the key of that image
    width: int  # bits of a piece of a key
    planes: Ints  # [piece, content, side]: the cells that a side has in a piece
    images: Ints  # [piece, content, symmetry]: what the piece adds to the key of that image


def rules_of(game: Game) -> Rules:
    """Prepare a game. Raises GameError when its positions do not fit a key."""
    keys = Keys(game)
    column = game.rows + 1
    bit = [
        cell % game.columns * column + game.rows - 1 - cell // game.columns
        for cell in range(game.cells)
    ]
    steps = [
        abs(dx * column - dy)
        for dx, dy in game.directions
        if abs(dx) * game.run <= game.columns and abs(dy) * game.run <= game.rows
    ]
    slot = [(1 << each) % _SLOTS for each in bit]
    weights = np.zeros((len(symmetries(game)), _SLOTS), np.int64)
    for number, symmetry in enumerate(symmetries(game)):
        weights[number, slot] = [keys.weights[image] for image in symmetry.image]
    width = column if keys.by_column else 2 * _CELLS_OF_A_PIECE
    pieces = -(-keys.bits // width)
    planes = np.zeros((pieces, 1 << width, 2), np.int64)
    images = np.zeros((pieces, 1 << width, len(weights)), np.int64)
    for piece, content in np.ndindex(pieces, 1 << width):
        for side, mask in enumerate(keys.position(content << piece * width)):
            marked = list(bits(mask))
            planes[piece, content, side] = sum(1 << bit[cell] for cell in marked)
            images[piece, content] += (1 + side) * weights[:, [slot[c] for c in marked]].sum(axis=1)
    return Rules(
        misere=game.misere,
        gravity=game.gravity,
        run=game.run,
        cells=sum(1 << each for each in bit),
        floor=sum(1 << x * column for x in range(game.columns)),
        most=game.columns if game.gravity else game.cells,
        steps=np.array(steps),
        empty=keys.empty,
        weights=weights,
        width=width,
        planes=planes,
        images=images,
    )


@_inlined
def _has_line(plane: int, rules: Rules) -> bool:
    """Return whether a plane contains a whole line."""
    for step in rules.steps:
        starts, length = plane, 1
        while length < rules.run:
            more = min(length, rules.run - length)
            starts &= starts >> step * more
            length += more
        if starts:
            return True
    return False


@_inlined
def _read(key: int, rules: Rules, images: Ints) -> tuple[int, int]:
    """Return the planes of circle and cross; put the keys of all images into ``images``."""
    circle = cross = 0
    images[:] = rules.empty
    for piece in range(rules.planes.shape[0]):
        content = key >> piece * rules.width & (1 << rules.width) - 1
        circle |= rules.planes[piece, content, 0]
        cross |= rules.planes[piece, content, 1]
        for number in range(images.size):
            images[number] += rules.images[piece, content, number]
    return circle, cross


@_inlined
def _moves(occupied: int, rules: Rules) -> int:
    """Return the plane of the cells that the next mark may fill."""
    if rules.gravity:
        return occupied + rules.floor & rules.cells
    return rules.cells & ~occupied


@_inlined
def _child(images: Ints, move: int, turn: int, rules: Rules) -> int:
    """Return the key of the class to which a move leads; ``move`` is a plane of one cell."""
    slot = move % _SLOTS
    least: int = images[0] + (rules.weights[0, slot] << turn)
    for number in range(1, images.size):
        least = min(least, images[number] + (rules.weights[number, slot] << turn))
    return least


@_inlined
def _orbit(key: int, images: Ints) -> int:
    """Return the number of members of a class, from the keys of all images of a member."""
    same = 0
    for image in images:
        same += image == key
    return images.size // same


@_inlined
def _by_itself(circle: int, cross: int, turn: int, rules: Rules) -> tuple[int, int]:
    """Return the value known without the next ply, and the plane of the moves that need it.

    The value is that of the best move among the others, -64 when there is none. No move needs the
    next ply when the value cannot improve.
    """
    mover, waiting = (cross, circle) if turn else (circle, cross)
    if _has_line(waiting, rules):
        return FAR if rules.misere else -FAR, 0
    moves = _moves(circle | cross, rules)
    best = -FAR if moves else 0
    quiet = moves  # The moves that complete no line.
    while moves:
        move = moves & -moves
        moves ^= move
        if _has_line(mover | move, rules):
            if not rules.misere:
                return FAR - 1, 0
            best = 1 - FAR
            quiet ^= move
    return best, quiet


@_inlined
def _behind(value: int) -> int:
    """Return the mover's value of a move, from the value of the class to which it leads."""
    return -value - (value < 0) + (value > 0)


@_compiled
def expand(keys: Ints, turn: int, rules: Rules, children: Ints) -> int:
    """Write the child of every class by every move, unsorted, with duplicates; return how many."""
    images = np.empty(rules.weights.shape[0], np.int64)
    count = 0
    for key in keys:
        circle, cross = _read(key, rules, images)
        if _has_line(circle if turn else cross, rules):
            continue
        moves = _moves(circle | cross, rules)
        while moves:
            move = moves & -moves
            moves ^= move
            children[count] = _child(images, move, turn, rules)
            count += 1
    return count


@_compiled
def unique(keys: Ints) -> int:
    """Move the different keys of an ascending array to its beginning; return how many."""
    count = 0
    for key in keys:
        if count == 0 or key != keys[count - 1]:
            keys[count] = key
            count += 1
    return count


def children_of(keys: Ints, turn: int, rules: Rules) -> Ints:
    """Return the children of classes, ascending, each once."""
    children = np.empty(keys.size * rules.most, np.int64)
    children = children[: expand(keys, turn, rules, children)]
    children.sort()
    return children[: unique(children)].copy()


@_compiled
def index(keys: Ints, shift: int, starts: Ints) -> None:
    """Write the first row of every piece of the range of keys; a piece is ``1 << shift`` wide.

    ``starts`` has one entry more than the number of pieces.
    """
    piece = 0
    for row in range(keys.size):
        while piece <= keys[row] - keys[0] >> shift:
            starts[piece] = row
            piece += 1
    starts[piece:] = keys.size


@_inlined
def _find(keys: Ints, shift: int, starts: Ints, key: int) -> int:
    """Return the row of the last key that is at most ``key``; it must exist."""
    piece = key - keys[0] >> shift
    row: int = starts[piece]
    count = starts[piece + 1] - row
    while count > 1:  # Free of branches that the processor could mispredict.
        half = count >> 1
        row = row + half if keys[row + half] <= key else row
        count -= half
    return row


@_compiled
def evaluate(
    keys: Ints,
    turn: int,
    rules: Rules,
    after: Ints,
    shift: int,
    starts: Ints,
    after_values: Values,
    values: Values,
    orbits: Values,
) -> int:
    """Raise the values of classes to the value of their best move that leads to ``after``.

    ``after`` is a slice of the next ply, with its `index` and values; a slice may be empty.
    Begin with -64 everywhere and go over all slices. ``orbits`` receives the number of members.
    Return how many children are missing from the slice: 0 unless it is damaged.
    """
    images = np.empty(rules.weights.shape[0], np.int64)
    missing = 0
    for row in range(keys.size):
        circle, cross = _read(keys[row], rules, images)
        orbits[row] = _orbit(keys[row], images)
        best, quiet = _by_itself(circle, cross, turn, rules)
        while quiet and best < FAR - 3:  # A quiet move wins in 3 plies or more, in misère 2.
            move = quiet & -quiet
            quiet ^= move
            child = _child(images, move, turn, rules)
            if after.size == 0 or child < after[0] or child > after[-1]:
                continue
            at = _find(after, shift, starts, child)
            missing += after[at] != child
            best = max(best, _behind(after_values[at]))
        values[row] = max(values[row], best)
    return missing


@_compiled
def edges(keys: Ints, turn: int, rules: Rules, parents: Ints, children: Ints) -> int:
    """Write every pair of a class and a child that its value needs; return how many.

    `edges` and `combine` replace `evaluate` when the next ply is stored elsewhere.
    """
    images = np.empty(rules.weights.shape[0], np.int64)
    count = 0
    for key in keys:
        circle, cross = _read(key, rules, images)
        _, quiet = _by_itself(circle, cross, turn, rules)
        while quiet:
            move = quiet & -quiet
            quiet ^= move
            parents[count] = key
            children[count] = _child(images, move, turn, rules)
            count += 1
    return count


@_compiled
def combine(
    keys: Ints, turn: int, rules: Rules, least: Values, values: Values, orbits: Values
) -> int:
    """Write values and orbits of classes, from the least value among the children from `edges`.

    The least value is the worst for the other side, so the best for the mover. It is NO_CHILD
    where `edges` writes no child, and LACKING where the next ply lacks one of them.
    Return how many classes have a wrong least value: 0 unless the data is damaged.
    """
    images = np.empty(rules.weights.shape[0], np.int64)
    wrong = 0
    for row in range(keys.size):
        circle, cross = _read(keys[row], rules, images)
        orbits[row] = _orbit(keys[row], images)
        best, quiet = _by_itself(circle, cross, turn, rules)
        if quiet:
            wrong += least[row] == LACKING or least[row] == NO_CHILD
            best = max(best, _behind(least[row]))
        else:
            wrong += least[row] != NO_CHILD
        values[row] = best
    return wrong


@_compiled
def spread(
    keys: Ints,
    turn: int,
    rules: Rules,
    nodes: Ints,
    after: Ints,
    shift: int,
    starts: Ints,
    after_nodes: Ints,
) -> int:
    """Add the number of nodes of every class to the numbers of its children.

    Nodes are those of the full tree that show a member. ``after`` is the whole next ply, with its
    `index`; begin with ``after_nodes`` 0 everywhere. Return how many children are missing there:
    0 unless it is damaged; -1 when a count has more than 63 bits.
    """
    images = np.empty(rules.weights.shape[0], np.int64)
    missing = 0
    for row in range(keys.size):
        circle, cross = _read(keys[row], rules, images)
        if _has_line(circle if turn else cross, rules):
            continue
        moves = _moves(circle | cross, rules)
        while moves:
            move = moves & -moves
            moves ^= move
            child = _child(images, move, turn, rules)
            if after.size == 0 or child < after[0] or child > after[-1]:
                missing += 1
                continue
            at = _find(after, shift, starts, child)
            missing += after[at] != child
            after_nodes[at] += nodes[row]
            if after_nodes[at] < 0:
                return -1
    return missing
