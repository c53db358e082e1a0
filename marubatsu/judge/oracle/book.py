"""A book: the answers of all positions up to a ply, searched ahead of time."""

import math
import time
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from marubatsu.engine.kernels.exact_search import ExactSearch
from marubatsu.engine.large.values import FAR, value_before
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Status
from marubatsu.engine.rules.symmetry import smallest_member
from marubatsu.pipeline.laboratory.answers_table import Found, add, read
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.events import note
from marubatsu.pipeline.support.interrupts import held_back
from marubatsu.pipeline.support.progress import Advance

MOST_CLASSES = 1_000_000
"""The most classes of one ply that a book may have."""

_SAMPLE = 12
_LONG = 10.0  # seconds; a longer run prints an estimate
_KEEP_EVERY = 30.0  # seconds: so much of the work a kill can cost


class Book(NamedTuple):
    """What a run has done."""

    classes: int  # of unfinished positions up to the last ply
    searched: int  # of them in this run
    left: int  # of the last ply, for want of time


def write_book(
    data_set: DataSet, plies: int, *, memory: int, seconds: float, advance: Advance
) -> Book:
    """Search all classes with ``plies`` marks, and derive those with fewer.

    Kept answers are not searched again. After ``seconds``, and after a signal, the new answers are
    kept. An estimate of the time follows once a random sample of classes has been searched.
    Raises UsageError for too many classes, DataError when answers are damaged or cannot be
    written, and Interrupted after a signal.
    """
    ends = time.monotonic() + seconds
    levels = _levels(data_set.game, plies)
    kept = read(data_set)
    todo = [position for position in levels[-1] if position not in kept]
    Random(0).shuffle(todo)  # noqa: S311, the first of them are a fair sample
    searcher = Searcher(data_set, ExactSearch(data_set.game, memory=memory), ends)
    with held_back() as signals:
        try:
            for number, position in enumerate(todo):
                if number == _SAMPLE:
                    searcher.tell_estimate(len(todo))
                for _ in searcher.steps(position):
                    signals.stop_if_asked()
                    advance(number / len(todo), f"{number:,} of {len(todo):,} classes")
                if searcher.is_late:
                    break
        finally:
            searcher.keep()
    left = len(todo) - searcher.count
    derived = {} if left else _derived(data_set, levels)
    if derived:
        add(data_set, derived)
    return Book(sum(map(len, levels)), searcher.count, left)


class Searcher:
    """The searches of a run, and their answers that are not kept yet."""

    def __init__(self, data_set: DataSet, search: ExactSearch, ends: float) -> None:
        """Start without answers; ``ends`` is on the monotonic clock."""
        self._data_set, self._search, self._ends = data_set, search, ends
        self._fresh: dict[Position, Found] = {}
        self._began = self._kept = time.monotonic()
        self.count = 0

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self._ends

    def steps(self, position: Position) -> Iterator[None]:
        """Search a position, and yield some times a second; stop when time is up."""
        before = self._search.nodes
        for bounds in self._search.narrow(position):
            yield
            if bounds.is_exact:
                self._fresh[position] = Found(bounds.low, self._search.nodes - before)
                self.count += 1
            elif self.is_late:
                return
        if time.monotonic() > self._kept + _KEEP_EVERY:
            self.keep()

    def keep(self) -> None:
        """Write the new answers."""
        if self._fresh:
            add(self._data_set, self._fresh)
        self._fresh, self._kept = {}, time.monotonic()

    def tell_estimate(self, todo: int) -> None:
        """Tell how long the run may take, from what it has done."""
        seconds = (time.monotonic() - self._began) / self.count * (todo - self.count)
        if seconds > _LONG:
            text = f"{todo:,} classes to search, about {math.ceil(seconds / 60):,} min"
            note("estimate", text, classes=todo, seconds_to_search=round(seconds, 1))


def _levels(game: Game, plies: int) -> list[list[Position]]:
    """Return the classes of unfinished positions by ply, each by the position that shows it."""
    levels = [[EMPTY]]
    for ply in range(1, plies + 1):
        classes = {
            smallest_member(game, after)
            for position in levels[-1]
            for after in map(position.after, game.legal_moves(position))
        }
        levels.append(sorted(each for each in classes if game.status(each) is Status.PLAYING))
        if len(classes) > MOST_CLASSES:
            raise UsageError(
                f"--plies {plies}: {game.name} has {len(classes):,} classes with {ply} marks, "
                f"expected a ply with at most {MOST_CLASSES:,}"
            )
    return levels


def _derived(data_set: DataSet, levels: list[list[Position]]) -> dict[Position, Found]:
    """Derive the values of all plies but the last from the ply after each."""
    game, kept = data_set.game, read(data_set)
    derived: dict[Position, Found] = {}
    for position in (each for level in reversed(levels[:-1]) for each in level):
        if position not in kept:
            after = map(position.after, game.legal_moves(position))
            best = max(value_before(_value(game, each, kept)) for each in after)
            kept[position] = derived[position] = Found(best, 0)
    return derived


def _value(game: Game, position: Position, values: dict[Position, Found]) -> int:
    """Return the value of a finished position, or of one whose class has a value."""
    status = game.status(position)
    if status is Status.PLAYING:
        return values[smallest_member(game, position)].value
    return FAR * position.turn.sign * status.score
