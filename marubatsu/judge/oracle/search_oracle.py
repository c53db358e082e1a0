"""The truth by search: for games that have neither tables nor a solution."""

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from marubatsu.engine.kernels.exact_layout import require_searchable
from marubatsu.engine.large.values import FAR, Bounds, distances, score_of, value_before
from marubatsu.engine.notations.reading import BoardLike, read_position
from marubatsu.engine.rules.board_text import MARKS, is_reachable, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.masks import Masks
from marubatsu.engine.rules.numbering import cell_name
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.rules.symmetry import smallest_member
from marubatsu.judge.oracle.answer import Answer, BoundedAnswer, BoundedMove, between
from marubatsu.judge.oracle.oracle import Oracle, Values
from marubatsu.pipeline.laboratory.kept_tables import Found, KeptAnswers, bounds_after
from marubatsu.pipeline.support.errors import OutOfTimeError
from marubatsu.pipeline.support.progress import Advance

if TYPE_CHECKING:
    from marubatsu.engine.kernels.exact_search import ExactSearch

LONG = 1 << 24  # nodes of a search, some seconds, from which on its answer is kept
NOTHING = Bounds(1 - FAR, FAR - 1)  # is known of an unfinished position


class SearchOracle(Oracle):
    """A search to the end of the game, for any position.

    ``seconds`` limit one call of `answer` or `values`, which then raise OutOfTimeError with the
    bounds so far. `within` returns these instead. With 0 seconds, nothing is searched, and the
    bounds are those that need no search. The table of the search lasts from call to call.
    """

    def __init__(
        self,
        game: Game,
        *,
        memory: int,
        seconds: float = math.inf,
        threads: int = 1,
        kept: KeptAnswers | None = None,
        keep: Callable[[KeptAnswers], None] = lambda answers: None,
    ) -> None:
        """Make room for a table of ``memory`` bytes, which so many ``threads`` search with.

        Positions that are ``kept`` are not searched; ``keep`` is called with those whose search
        took `LONG`. Raises GameError for a game that is too large to be searched.
        """
        super().__init__(game)
        self.seconds, self._kept, self._keep = seconds, dict(kept or {}), keep
        require_searchable(game)
        self._memory, self._threads = memory, threads
        # By position, within one call: answers, and nodes spent.
        self._known: dict[Position, Found] = {}
        self._spent: dict[Position, int] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the search: another process has a table and threads of its own."""
        return {name: value for name, value in vars(self).items() if name != "_search"}

    @cached_property
    def _search(self) -> "ExactSearch":
        """The search; answers that need none do not wait for Numba."""
        from marubatsu.engine.kernels.exact_search import ExactSearch

        threads = self._threads
        run = ThreadPoolExecutor(threads).map if threads > 1 else map
        return ExactSearch(self.game, memory=self._memory, threads=threads, run=run)

    def answer(
        self, board: BoardLike, *, first: str = MARKS[0], numbering: str | None = None
    ) -> Answer:
        """Do what `Oracle.answer` does. Raises OutOfTimeError, too."""
        answer = self.within(board, first=first, numbering=numbering)
        if isinstance(answer, BoundedAnswer):
            raise self._out_of_time(answer.board, answer.at_least, answer.at_most)
        return answer

    def values(self, circle: Masks, cross: Masks) -> Values:
        """Search positions; the value of one whose children are among them follows from theirs."""
        game = self.game
        positions = list(map(Position, circle.tolist(), cross.tolist()))
        reached = self._reached(positions)
        ends = math.inf if all(map(self._found, reached)) else self._end()
        values: dict[Position, int] = {}
        with self._keeping():
            for position in sorted(reached, key=lambda position: -position.ply):
                children = [position.after(move) for move in game.legal_moves(position)]
                if children and all(child in values for child in children):
                    values[position] = max(value_before(values[child]) for child in children)
                else:
                    values[position] = self._value(position, ends)
        return self._as_values(positions, values)

    def _as_values(self, positions: Sequence[Position], values: Mapping[Position, int]) -> Values:
        value = np.array([values.get(position, 0) for position in positions], np.int8)
        left = np.array([self.game.cells - position.ply for position in positions], np.int8)
        is_known = np.array([position in values for position in positions])
        return Values(np.sign(value), distances(value, left), is_known)

    def within(
        self,
        board: BoardLike,
        progress: Advance = lambda share, note="": None,
        *,
        until_interrupted: bool = False,
        first: str = MARKS[0],
        numbering: str | None = None,
    ) -> Answer | BoundedAnswer:
        """Return the answer, or the bounds when the time is up.

        All moves are searched for who wins before any is searched for when. Some times a second,
        ``progress`` is called with the share that is done, and what is known so far. From a
        tenth of the search on, the time that the share implies was right within a factor of 3 in
        18 of 19 positions of connect4 that take seconds (plies 4 to 9).
        """
        game = self.game
        position = read_position(game, board, first=first, numbering=numbering)
        if not is_reachable(game, position):
            raise self._unreachable(position)
        children = [position.after(move) for move in game.legal_moves(position)]
        known = self._found(position)
        after = bounds_after(game, smallest_member(game, position), known) if known else {}
        bounds_of = {child: self._at_once(child, after) for child in children}

        def narrow(
            child: Position, share: float, goal: Callable[[Bounds], bool], ends: float
        ) -> bool:
            """Search a child; return whether it reaches the goal in time."""
            so_far = bounds_of[child]
            for bounds in chain([so_far], self._narrow(child, so_far)):
                bounds_of[child] = bounds
                progress(share, self._so_far(position, bounds_of))
                if goal(bounds):
                    return True
                if time.monotonic() >= ends:
                    break
            return False

        goals: list[Callable[[Bounds], bool]] = [attrgetter("tells_result"), attrgetter("is_exact")]
        steps = [(child, goal) for goal in goals for child in children]
        is_done = all(bounds.is_exact for bounds in bounds_of.values())
        with self._keeping():
            try:
                if not is_done and self.seconds:
                    ends = self._end()
                    is_done = all(
                        narrow(child, (number + 0.5) / len(steps), goal, ends)
                        for number, (child, goal) in enumerate(steps)
                    )
            except KeyboardInterrupt:
                if not until_interrupted:
                    raise
            if not is_done:
                return self._bounded(position, bounds_of)
        values = {child: bounds.low for child, bounds in bounds_of.items()}
        end = self._at_once(position, after).low  # where it has no children
        values[position] = max(map(value_before, values.values()), default=end)
        return self._answer(position, self._as_values([position, *children], values))

    def _at_once(self, position: Position, after: Mapping[Position, Bounds]) -> Bounds:
        status, known = self.game.status(position), self._found(position)
        if status is not Status.PLAYING:
            value = FAR * position.turn.sign * status.score
            return Bounds(value, value)
        if known:
            return Bounds(known.value, known.value)
        return after.get(smallest_member(self.game, position), NOTHING)

    def _value(self, position: Position, ends: float) -> int:
        for bounds in self._narrow(position, NOTHING):
            if bounds.is_exact:
                break
            if time.monotonic() >= ends:
                low, high = sorted(self._score_sv(position, value) for value in bounds)
                raise self._out_of_time(to_text(self.game, position), low, high)
        return bounds.low

    def _narrow(self, position: Position, start: Bounds) -> Iterator[Bounds]:
        """Do what `ExactSearch.narrow` does; a position with an answer needs no search."""
        answer = self._found(position)
        if answer:
            yield Bounds(answer.value, answer.value)
            return
        before = self._search.nodes - self._spent.get(position, 0)
        for bounds in self._search.narrow(position, start):
            self._spent[position] = self._search.nodes - before
            if bounds.is_exact:
                self._known[position] = Found(bounds.low, self._spent[position])
            yield bounds

    def _found(self, position: Position) -> Found | None:
        answer = self._known.get(position)
        if answer is None and self._kept:
            return self._kept.get(smallest_member(self.game, position))
        return answer

    def _end(self) -> float:
        if self.seconds:
            self._search.make_ready()
        return time.monotonic() + self.seconds

    @contextmanager
    def _keeping(self) -> Iterator[None]:
        """Keep the answers that took long at the end, and forget the others."""
        try:
            yield
        finally:
            long = {
                smallest_member(self.game, position): answer
                for position, answer in self._known.items()
                if answer.nodes >= LONG
            }
            self._known, self._spent = {}, {}
            if not self._kept.keys() >= long.keys():
                self._kept.update(long)
                self._keep(long)

    def _reached(self, positions: Iterable[Position]) -> set[Position]:
        game, reached = self.game, set[Position]()
        after = set[Position]()  # Play reaches all children of what it reaches.
        for position in sorted(set(positions), key=lambda position: position.ply):
            if position in after or is_reachable(game, position):
                reached.add(position)
                after.update(position.after(move) for move in game.legal_moves(position))
        return reached

    def _so_far(self, position: Position, bounds_of: Mapping[Position, Bounds]) -> str:
        answer = self._bounded(position, bounds_of)
        text, first = between(answer.at_least, answer.at_most), answer.moves[0].move
        if answer.best_moves:
            return f"{text}, {cell_name(self.game, first)} is a best move"
        if len(answer.promising) < len(answer.moves):
            return f"{text}, {cell_name(self.game, first)} looks best"
        return text

    def _bounded(self, position: Position, bounds_of: Mapping[Position, Bounds]) -> BoundedAnswer:
        game, sign = self.game, position.turn.sign
        after = [Bounds(value_before(high), value_before(low)) for low, high in bounds_of.values()]
        rows = []
        for number, move in enumerate(game.legal_moves(position)):
            child = position.after(move)
            least, most = sorted(self._score_sv(child, value) for value in bounds_of[child])
            loss = _loss(after[number], after[:number] + after[number + 1 :])
            rows.append(BoundedMove(move, to_text(game, child), least, most, loss))
        best = (max(bounds.low for bounds in after), max(bounds.high for bounds in after))
        found = self._found(position)
        if found:
            best = (found.value, found.value)
        at_least, at_most = sorted(self._score_sv(position, value) for value in best)
        lines = [sum(line >> cell & 1 for line in game.lines) for cell in range(game.cells)]
        rows.sort(  # best moves, then greater bounds, then cells on more lines
            key=lambda row: (
                row.loss != 0, -sign * (row.at_least + row.at_most), -lines[row.move], row.move
            )
        )  # fmt: skip
        return BoundedAnswer(
            game=game,
            board=to_text(game, position),
            ply=position.ply,
            turn=position.turn.word,
            at_least=at_least,
            at_most=at_most,
            moves=tuple(rows),
            nodes=sum(self._spent.values()),
        )

    def _score_sv(self, position: Position, value: int) -> int:
        """Return circle's shortest-victory score of a value for the mover."""
        score = position.turn.sign * score_of(value)
        return self.game.score_sv(score, position.ply + FAR - abs(value))

    def _out_of_time(self, board: str, low: int, high: int) -> OutOfTimeError:
        return OutOfTimeError(
            f"the search of {quote(board)} was stopped after {self.seconds:g} s, and knows: "
            f"{between(low, high)}; more time would tell more"
        )


def _loss(move: Bounds, others: Sequence[Bounds]) -> int | None:
    """Return how much the mover's score drops by a move; None where bounds of values leave it open.

    >>> unknown, draw, win = Bounds(-9, 9), Bounds(0, 0), Bounds(3, 9)
    >>> _loss(draw, [win]), _loss(draw, [draw]), _loss(draw, [unknown]), _loss(win, [unknown])
    (1, 0, None, 0)
    """
    low, high = map(score_of, move)
    least = max([0, *(score_of(other.low) - high for other in others)])
    most = max([0, *(score_of(other.high) - low for other in others)])
    return least if least == most else None
