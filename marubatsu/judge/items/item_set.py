"""The items of a game: which positions are asked about, and in which forms.

The originals show the representatives of classes. A twin asks the same in another form:

- ``image``: the board turned, reflected, or shifted on a torus
- ``swapped``: the marks exchanged, so the other mark begins and the same player is to move. What
  the mover can reach stays the same, because the rules treat both marks alike.
- ``renamed``: other letters for the marks, other names and numbers for the cells
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import is_one_of
from marubatsu.engine.rules.masks import Masks
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.size import is_large
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.judge.items.question import Form, Notation, label, question_text
from marubatsu.judge.oracle.oracle import Numbered, TableOracle
from marubatsu.pipeline.stages.make_tree import SPLIT_NAMES
from marubatsu.pipeline.stages.on_demand import require_tables, with_splits_if_quick
from marubatsu.pipeline.stages.usable import require_usable
from marubatsu.pipeline.support.errors import DataError, OptionError, checked_flag, whole
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.manifest import table_of
from marubatsu.pipeline.tables.schemas import POSITIONS, SPLITS

ALL = "all"  # the name of all splits, and of all notations
_BATCH = 10_000  # classes whose positions are looked up at a time


Item: TypeAlias = dict[str, Any]  # a question with its answer, as JSON has it: see `items`


@dataclass(frozen=True)
class ItemChoice:
    """Which items to make."""

    split: str  # one of SPLIT_NAMES, or ALL
    notations: Sequence[Notation]
    twins: bool
    sample: int | None  # classes; None: all of the split
    seed: int


def choice_of(
    split: str, notation: str, sample: int | None, seed: int, *, twins: bool
) -> ItemChoice:
    """Read a choice of items. Raises UsageError for one that makes no sense."""
    if not is_one_of(split, (*SPLIT_NAMES, ALL)):
        raise OptionError("split", split, f"expected one of {', '.join((*SPLIT_NAMES, ALL))}")
    if not is_one_of(notation, (*Notation, ALL)):
        named = ", ".join((*Notation, ALL))
        raise OptionError("notation", notation, f"expected one of {named}")
    classes = None if sample is None else whole("sample", sample, least=1)
    notations = tuple(Notation) if notation == ALL else (Notation(notation),)
    return ItemChoice(split, notations, checked_flag("twins", twins), classes, whole("seed", seed))


class _Classes(NamedTuple):
    """The table of splits, as columns: [C] each."""

    number: list[int]
    board: list[str]
    split: list[str]
    hardness: list[float]
    only_moves: list[int]


class _Variant(NamedTuple):
    """One form of a class: the position, and the line that leads there."""

    form: Form
    id: str  # without the notation
    position: Position
    line: Sequence[int]


def items_of(
    data_set: DataSet, choice: ItemChoice, progress: Callable[[float], None] = lambda share: None
) -> Iterator[Item]:
    """Yield the items of a game by class, with the same ones in the same order for a seed.

    Raises DataError when the tables of positions or of splits are missing or damaged, UsageError
    when the split has no class of the game.
    """
    opened = _opened_tables(data_set)
    oracle, classes = TableOracle(opened), _classes(opened)
    rows = _rows_to_ask(oracle, classes, choice)
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        progress(start / len(rows))
        yield from _Batch(oracle, classes, choice, batch).items()


def _opened_tables(data_set: DataSet) -> DataSet:
    needed = (POSITIONS, SPLITS)
    if is_large(data_set.game):
        raise DataError(
            f"{data_set.game.name} is too large for the table of splits",
            'an audit can ask a model: see docs/learning.md, "Large games"',
        )
    with data_set.lock(write=False):
        opened = require_usable(data_set, {table.name for table in needed})
    names = (table.name for table in needed)
    require_tables(data_set, {*map(table_of, opened.files)}, "a set of items", *names)
    return DataSet(data_set.root, data_set.game, {DataSet.part: opened})


def _classes(data_set: DataSet) -> _Classes:
    assert data_set.opened is not None
    names = ("class", "board", "split", "hardness", "only_moves")
    rows = data_set.opened[DataSet.part].files[SPLITS.file].rows(list(names))
    return _Classes(*(rows[name].to_pylist() for name in names))


def _rows_to_ask(oracle: TableOracle, classes: _Classes, choice: ItemChoice) -> list[int]:
    """Return the rows of the classes to ask about.

    A sample takes them at equal steps in the order of ply, score, and a hash of seed and board. So
    each ply and score has its share.
    """
    rows = [row for row, split in enumerate(classes.split) if choice.split in (split, ALL)]
    if not rows:
        raise OptionError(
            "split", choice.split,
            f"no class of {oracle.game.name} is in it; expected another, such as {ALL}",
        )  # fmt: skip
    if choice.sample is None or choice.sample >= len(rows):
        return rows
    truth = oracle.answer_many([classes.board[row] for row in rows])
    hashed = np.array([_hash(choice.seed, classes.board[row]) for row in rows])
    order = np.lexsort((hashed, truth.score, truth.ply))
    steps = (2 * np.arange(choice.sample) + 1) * len(rows) // (2 * choice.sample)
    return sorted(rows[place] for place in order[steps])


def _hash(seed: int, board: str) -> str:
    return sha256(f"{seed}:{board}".encode()).hexdigest()


class _Batch:
    """Some classes, and the truth about all positions that their items show."""

    def __init__(
        self, oracle: TableOracle, classes: _Classes, choice: ItemChoice, rows: list[int]
    ) -> None:
        self.game, self.classes, self.choice, self.rows = oracle.game, classes, choice, rows
        self.originals = oracle.answer_many([classes.board[row] for row in self.rows])
        circle, cross = self.originals.circle, self.originals.cross
        self.lines = lines_to(oracle.positions, circle, cross, self.game.cells)
        self.images = [_image(self.game, each, choice.seed) for each in self.originals]
        boards = [
            to_text(self.game, symmetries(self.game)[number].of_position(position))
            for number, position in zip(self.images, self.originals, strict=True)
        ]
        self.truth_of_images = oracle.answer_many(boards)
        self.has_swapped = self._has_swapped(oracle)

    def _has_swapped(self, oracle: TableOracle) -> list[bool]:
        """Return whether each original has a twin with exchanged marks.

        With the other player to move, the board of that twin may be a position of the game. Then
        its class must be in the same split, so that no board is shown in two splits.
        """
        split_of = dict(zip(self.classes.number, self.classes.split, strict=True))
        at, is_known = oracle.positions.find(self.originals.cross, self.originals.circle)
        others = oracle.positions.class_[at].tolist()
        return [
            not is_position or split_of.get(other) == self.classes.split[row]
            for row, other, is_position in zip(self.rows, others, is_known.tolist(), strict=True)
        ]

    def items(self) -> Iterator[Item]:
        for place in range(len(self.rows)):
            for notation, variant in product(self.choice.notations, self._forms(place)):
                yield self._item(place, notation, variant)

    def _forms(self, place: int) -> Iterator[_Variant]:
        position, line = self.originals[place], self.lines[place]
        board = self.classes.board[self.rows[place]]
        yield _Variant(Form.ORIGINAL, board, position, line)
        if not self.choice.twins:
            return
        number = self.images[place]
        if number:
            image, cells = self.truth_of_images[place], symmetries(self.game)[number].image
            turned = [cells[cell] for cell in line]
            yield _Variant(Form.IMAGE, f"{board}:image{number}", image, turned)
        if self.has_swapped[place]:
            yield _Variant(Form.SWAPPED, f"{board}:swapped", position, line)
        yield _Variant(Form.RENAMED, f"{board}:renamed", position, line)

    def _item(self, place: int, notation: Notation, variant: _Variant) -> Item:
        game, naming, classes, row = self.game, variant.form.naming, self.classes, self.rows[place]
        truth = self.truth_of_images if variant.form is Form.IMAGE else self.originals
        here = truth.moves_of(place)
        moves, losses = truth.move[here].tolist(), truth.loss[here].tolist()
        labels = [label(game, notation, naming, move) for move in moves]
        original = f"{game.name}:{notation}:{classes.board[row]}"
        return {
            "id": f"{game.name}:{notation}:{variant.id}",
            "game": game.name,
            "split": classes.split[row],
            "notation": notation.value,
            "form": variant.form.value,
            "twin_of": None if variant.form is Form.ORIGINAL else original,
            "question": question_text(game, notation, naming, variant.position, variant.line),
            "best_moves": [each for each, loss in zip(labels, losses, strict=True) if loss == 0],
            "moves": labels,
            "losses": losses,
            "score_mover": variant.position.turn.sign * int(truth.score[place]),
            "distance": int(truth.distance[place]),
            "hardness": classes.hardness[row],
            "only_moves": classes.only_moves[row],
            "ply": variant.position.ply,
            "class": classes.number[row],
            "board": to_text(game, variant.position),
        }


def _image(game: Game, position: Position, seed: int) -> int:
    """Draw the number of a symmetry that changes a position; 0, the identity, where none does."""
    images: dict[Position, int] = {}
    for number, symmetry in enumerate(symmetries(game)):
        images.setdefault(symmetry.of_position(position), number)
    numbers = [number for image, number in images.items() if image != position]
    drawn = int(_hash(seed, to_text(game, position)), 16)
    return numbers[drawn % len(numbers)] if numbers else 0


def lines_to(positions: Numbered, circle: Masks, cross: Masks, cells: int) -> list[list[int]]:
    """Return moves from the empty board to each of N positions that play can reach.

    The way back takes, ply by ply, the last cell without which play can reach the position, too.
    Without the mark that came last, no unfinished position is finished. With gravity, no other mark
    than the one on top of a column leaves a position that play can reach.
    """
    masks = [circle.copy(), cross.copy()]
    plies = np.bitwise_count(circle | cross)
    line = np.full((len(plies), cells), -1, np.int8)
    for ply in range(int(plies.max(initial=0)), 0, -1):
        waiting = np.flatnonzero(plies >= ply)
        last, other = masks[1 - ply % 2], masks[ply % 2]
        for cell in reversed(range(cells)):
            mark = circle.dtype.type(1 << cell)
            at = waiting[(last[waiting] & mark) != 0]
            before = (last[at] ^ mark, other[at])
            _, is_known = positions.find(*(before if ply % 2 else before[::-1]))
            ends = at[is_known]
            line[ends, ply - 1] = cell
            last[ends] ^= mark
            waiting = waiting[line[waiting, ply - 1] < 0]
        assert not len(waiting)
    return [moves[:ply].tolist() for moves, ply in zip(line, plies.tolist(), strict=True)]


def items(
    game: Game | str = "tictactoe",
    *,
    split: str = "test",
    notation: str = "board",
    twins: bool = False,
    sample: int | None = None,
    seed: int = 0,
    data: str | Path | None = None,
) -> list[Item]:
    """Return positions as questions for language models, with answers: what `grade` takes.

    ``split`` is ``train``, ``validation``, ``test`` or ``all``; ``notation`` is ``board``,
    ``text``, ``moves`` or ``all``. ``twins`` adds the same questions in other forms. ``sample`` is
    a number of classes, which ``seed`` draws.

    An item is a dict. Its ``question`` is the text for the model. ``moves`` are the legal moves as
    a reply names them, ``losses`` say how much each lowers the mover's score (0, 1, 2), and
    ``best_moves`` are those with loss 0. ``score_mover`` is the view of the side to move,
    ``distance`` counts plies to the end. The other keys are ``id``, ``game``, ``notation``,
    ``form``, ``twin_of`` (an id, None for an original), ``ply``, ``board`` (the position, without
    the names of a twin), and of the table of splits ``split``, ``class``, ``hardness`` and
    ``only_moves``.

    Raises InputError for a name of no game, UsageError for other values, and DataError when tables
    are missing or damaged.

    >>> first, *others = items(sample=10)
    >>> first["id"], first["moves"], first["losses"]
    ('tictactoe:board:o.x.o....', ['b3', 'a2', 'c2', 'a1', 'b1', 'c1'], [1, 1, 1, 1, 1, 0])
    """
    choice = choice_of(split, notation, sample, seed, twins=twins)
    return list(items_of(with_splits_if_quick(game, data), choice))
