"""The processes of one foreign AI: they answer questions at the same time, in order."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from queue import SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, TypeAlias

from marubatsu.engine.ais.reply import Fault, Reply, Returned
from marubatsu.judge.agents.faults import INFRASTRUCTURE

if TYPE_CHECKING:  # Most AIs need no threads.
    from concurrent.futures import Future

Heard: TypeAlias = tuple[Returned | Reply | Fault, list[Fault]]
"""An answer, and faults besides it."""

_LONGEST_PAUSE = 30  # seconds
_AHEAD = 2  # questions that wait for each process


class Question(NamedTuple):
    """A board, as the AI sees it, and its legal moves."""

    board: str
    legal: list[int]


class Source(Protocol):
    """What answers for a foreign AI: a process, or a function of this program."""

    @property
    def printed(self) -> str:
        """The beginning of what it printed."""

    @property
    def not_confined(self) -> str | None:
        """What no box keeps it from, as the end of a sentence."""

    @property
    def could_read_answers(self) -> str | None:
        """Why it could read the answers of the judge, as a clause."""

    def __enter__(self) -> object:
        """Start it."""

    def __exit__(self, *exception: object) -> None:
        """End it."""

    def ask(self, board: str, legal: list[int]) -> Heard:
        """Ask for the moves in a position."""

    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board."""

    def stop(self) -> None:
        """End soon what another thread waits for."""


class Kept(Protocol):
    """Answers that an earlier audit got, to which more are added."""

    def take(self, board: str, legal: list[int]) -> Heard | None:
        """Return the next answer to a question, if there is one."""

    def add(self, board: str, legal: list[int], heard: Heard) -> None:
        """Keep an answer."""

    def close(self) -> None:
        """Add no more."""


class Crew:
    """Sources of one AI within their ``with`` block; a single one is asked in this thread."""

    def __init__(
        self, sources: Sequence[Source], retries: int = 0, kept: Kept | None = None
    ) -> None:
        """Take the sources, one at least; `__enter__` starts them.

        What a service fails to answer is asked again, after pauses, as often as ``retries`` says.
        What was ``kept`` is not asked again.
        """
        self._sources, self._stack = sources, ExitStack()
        self._retries, self._kept, self._ending = retries, kept, Event()
        self._free: SimpleQueue[Source] = SimpleQueue()

    @property
    def first(self) -> Source:
        """One of them, while no other thread asks."""
        return self._sources[0]

    @property
    def printed(self) -> str:
        """The beginning of what one of them printed."""
        return next(filter(None, (source.printed for source in self._sources)), "")

    def __enter__(self) -> Self:
        """Start them. Raises as `Source` does."""
        with ExitStack() as stack:
            if self._kept:
                stack.callback(self._kept.close)
            for source in self._sources:
                stack.enter_context(source)
                self._free.put(source)
            if len(self._sources) > 1:
                from concurrent.futures import ThreadPoolExecutor

                self._threads = ThreadPoolExecutor(len(self._sources))
                stack.callback(self._threads.shutdown, cancel_futures=True)
                for source in self._sources:
                    stack.callback(source.stop)
                stack.callback(self._ending.set)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        """End them; a question that one of them still has gets no answer."""
        self._stack.close()

    def answers(self, questions: Iterable[Question]) -> Iterator[Heard]:
        """Ask questions, some at the same time; yield the answers in the order of the questions."""
        if len(self._sources) == 1:
            yield from map(self._answer, questions)
            return
        pending: deque[Future[Heard]] = deque()
        try:
            for question in questions:
                pending.append(self._threads.submit(self._answer, question))
                if len(pending) > _AHEAD * len(self._sources):
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for each in pending:
                each.cancel()

    def _answer(self, question: Question) -> Heard:
        if self._kept is None:
            return self._asked(question)
        heard = self._kept.take(*question)
        if heard is None:
            heard = self._asked(question)
            self._kept.add(*question, heard)
        return heard

    def _asked(self, question: Question) -> Heard:
        source = self._free.get()
        try:
            heard = source.ask(*question)
            for number in range(self._retries):
                if not is_outage(heard[0]) or self._ending.wait(pause_before(number)):
                    break
                answer, faults = source.ask(*question)
                heard = answer, [*heard[1], *faults]
            return heard
        finally:
            self._free.put(source)


def is_outage(answer: object) -> bool:
    """Return whether a service did not answer."""
    return isinstance(answer, Fault) and answer.kind == INFRASTRUCTURE


def pause_before(number: int) -> float:
    """Return the seconds before a retry, the first of which has number 0.

    >>> [pause_before(number) for number in range(7)]
    [1, 2, 4, 8, 16, 30, 30]
    """
    return min(1 << number, _LONGEST_PAUSE)
