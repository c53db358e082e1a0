"""The tables that commands keep next to those of a game; the answers of searches and books.

A kept table is read, replaced as a whole, and removed. The answers that are known are in the table
``answers``, or in an opening book.

The books come with the code, in ``queries/reference``. A book has a row for each class of
unfinished positions of a game with gravity, up to a ply: the columns of the moves that lead to its
`smallest_member`, from 1, as one word; its score, circle's view; the plies to the end; and the
columns of its best moves, which are those that keep the score. Lines that begin with # say how the
answers were found.
"""

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

import numpy as np

from marubatsu.engine.large.values import FAR, Bounds, score_of, value_after
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Masks
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.rules.symmetry import smallest_member
from marubatsu.pipeline.stages.staleness import made_by
from marubatsu.pipeline.stages.usable import open_listed, require_fresh
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.resources import REFERENCE, reference_rows
from marubatsu.pipeline.tables.data_set import AnswersTable, DataSet, KeptTable
from marubatsu.pipeline.tables.manifest import MANIFEST, Manifest, entry_of, kept_files
from marubatsu.pipeline.tables.parquet import encode, numbers
from marubatsu.pipeline.tables.schemas import Columns, Labels
from marubatsu.version import __version__

Read = TypeVar("Read")


def read_kept(kept: KeptTable, read: Callable[[Any], Read]) -> Read | None:
    """Lock the table, and read it as `read_rows` does."""
    if not kept.has_manifest:
        return None
    with kept.lock(write=False):
        return read_rows(kept, read)


def read_rows(kept: KeptTable, read: Callable[[Any], Read]) -> Read | None:
    """Read the rows from a table of Arrow; None when nothing is kept. The caller holds the lock.

    Raises DataError when the file is damaged or stale, also where ``read`` raises an error about
    its rows.
    """
    manifest = kept.manifest()
    if manifest is None:
        return None
    require_fresh(kept, manifest, manifest.files)
    (name,) = manifest.files
    file = open_listed(kept, manifest, name)
    with file.reading():
        return read(file.rows())


def replace_rows(kept: KeptTable, columns: Columns) -> None:
    """Replace the table by a file with another name, so that one is always right.

    The caller holds the lock.
    """
    manifest = kept.manifest()
    old = set(manifest.files) if manifest else set()
    file = next(name for name in kept_files(kept.table) if name not in old)
    encoded = encode(kept.table, kept.game, columns)
    try:
        kept.write(file, memoryview(encoded.data))
        entries = {file: entry_of(encoded, made_by(kept, file), {})}
        kept.publish([], Manifest(kept.game.notation, __version__, entries))
    finally:
        kept.remove_partials()
    for each in old:
        kept.path(each).unlink(missing_ok=True)


def remove_rows(kept: KeptTable) -> int:
    """Lock and remove the table; return how many rows it had, none where it is damaged."""
    with kept.lock(write=True):
        try:
            manifest = kept.manifest()
            rows = sum(entry.rows for entry in manifest.files.values()) if manifest else 0
        except DataError:
            rows = 0
        kept.path(MANIFEST).unlink(missing_ok=True)  # Without it, nothing there counts.
        shutil.rmtree(kept.folder, ignore_errors=True)
    return rows


class Found(NamedTuple):
    """The result of a search of a position."""

    value: int  # of `engine.large.values`
    nodes: int
    best: str = ""  # the columns of the best moves, from 1, where an opening book has them


KeptAnswers = Mapping[Position, Found]
"""The results by class, each named by its `smallest_member`."""


def kept_answers(data_set: DataSet) -> dict[Position, Found]:
    """Read what is kept of a game. Raises DataError when it is damaged or of another version."""
    return read_kept(data_set.sibling(AnswersTable), partial(_answers, data_set.game)) or {}


def add_answers(data_set: DataSet, result: KeptAnswers) -> None:
    """Add answers to those that are kept.

    Raises DataError when those are damaged, or the files cannot be written.
    """
    table = AnswersTable(data_set.root, data_set.game)
    with table.lock(write=True):
        kept = read_rows(table, partial(_answers, table.game)) or {}
        replace_rows(table, _columns(table.game, {**kept, **result}))


def _answers(game: Game, rows: Any) -> dict[Position, Found]:
    """Return the answers of rows. Raises ValueError where they are none of the game."""
    ply, circle, cross, score, distance, nodes = (
        numbers(rows[name]).astype(np.int64)
        for name in ("ply", "circles", "crosses", "score", "distance", "nodes")
    )
    is_ours = (
        (circle & cross == 0)
        & ((circle | cross) & ~game.full == 0)
        & (np.bitwise_count(circle | cross) == ply)
        & (np.abs(score) <= 1)
        & (distance >= 0)
        & (distance <= game.cells - ply)
        & (nodes >= 0)
    )
    if not is_ours.all():
        raise ValueError(f"row {int(np.argmin(is_ours))} is no answer about {game.name}")
    value = np.where(ply % 2 == 0, score, -score) * (FAR - distance)
    positions = map(Position, circle.tolist(), cross.tolist())
    return dict(zip(positions, map(Found, value.tolist(), nodes.tolist()), strict=True))


def _columns(game: Game, answers: KeptAnswers) -> Columns:
    rows = sorted((position.ply, position, result) for position, result in answers.items())
    ply, value = np.array([(ply, result.value) for ply, _, result in rows], np.int64).T
    score = np.sign(value) * np.where(ply % 2 == 0, 1, -1)
    boards = tuple(to_text(game, position) for _, position, _ in rows)
    return {
        "ply": ply,
        "circles": np.array([position.circle for _, position, _ in rows], np.int64),
        "crosses": np.array([position.cross for _, position, _ in rows], np.int64),
        "board": Labels(np.arange(len(rows)), boards),
        "score": score,
        "distance": np.where(value == 0, game.cells - ply, FAR - np.abs(value)),
        "nodes": np.array([result.nodes for *_, result in rows], np.int64),
    }


BOOKS = REFERENCE / "opening_books"

COLUMNS = ("line", "score", "distance", "best")


def known_answers(data_set: DataSet) -> dict[Position, Found]:
    """Return the answers that need no search: those of the book, and those that are kept.

    Raises DataError when what is kept is damaged.
    """
    return kept_answers(data_set) | read_book(data_set.game)


def read_book(game: Game) -> dict[Position, Found]:
    """Read the book of a game; a game without one has no answers."""
    if not (BOOKS / f"{game.name}.csv").is_file():
        return {}
    answers: dict[Position, Found] = {}
    rows = reference_rows(f"{BOOKS.name}/{game.name}")
    for ply, same in groupby(rows, key=lambda row: len(row["line"])):
        listed = list(same)
        positions = positions_of(game, [row["line"] for row in listed])
        sign = 1 if ply % 2 == 0 else -1
        for position, row in zip(positions, listed, strict=True):
            value = sign * int(row["score"]) * (FAR - int(row["distance"]))
            answers[position] = Found(value, 0, row["best"])
    return answers


def bounds_after(game: Game, position: Position, answer: Found) -> dict[Position, Bounds]:
    """Return bounds of the values of the classes after a position, from what is known of it.

    No move beats its value. Its best moves, where they are known, keep its score, and no others do.
    """
    least, slowest = value_after(answer.value), FAR - (game.cells - position.ply - 1)
    score = score_of(least)
    if least == -FAR:  # It ends with the next move, and else two moves later at the earliest.
        least += 2
    bounds: dict[Position, Bounds] = {}
    for move in game.legal_moves(position):
        child = position.after(move)
        if game.status(child) is not Status.PLAYING:
            continue
        low, high = least, FAR - 1
        if str(move % game.columns + 1) in answer.best:
            high = {-1: -slowest, 0: 0, 1: high}[score]
        elif answer.best:
            low = {-1: 0, 0: slowest}[score]
        bounds[smallest_member(game, child)] = Bounds(low, high)
    return bounds


def bounds_after_all(
    game: Game, positions: Iterable[Position], answers: KeptAnswers
) -> dict[Position, Bounds]:
    """Return bounds of the values of the classes after those of some positions that are known."""
    bounds: dict[Position, Bounds] = {}
    for position in filter(answers.__contains__, positions):
        for after, new in bounds_after(game, position, answers[position]).items():
            low, high = bounds.get(after, new)
            bounds[after] = Bounds(max(low, new.low), min(high, new.high))
    return bounds


def positions_of(game: Game, lines: Sequence[str]) -> Iterable[Position]:
    """Return the positions after moves in columns; all lines have as many.

    >>> list(positions_of(Game("connect4"), ["44"])) == [Position(1 << 38, 1 << 31)]
    True
    """
    moves = np.frombuffer("".join(lines).encode(), np.uint8).reshape(len(lines), -1) - ord("1")
    line, height = np.arange(len(lines)), np.zeros((len(lines), game.columns), np.int64)
    sides: list[Masks] = [np.zeros(len(lines), np.int64) for _ in range(2)]
    for ply, column in enumerate(moves.T):
        sides[ply % 2] |= 1 << column + game.columns * (game.rows - 1 - height[line, column])
        height[line, column] += 1
    return map(Position, *(side.tolist() for side in sides))
