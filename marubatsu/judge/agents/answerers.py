"""The processes of one foreign AI: they answer questions at the same time, in order."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from queue import SimpleQueue
from threading import Event
from typing import TYPE_CHECKING, NamedTuple, Self

from marubatsu.engine.ais.reply import Fault
from marubatsu.judge.agents.calling import Heard
from marubatsu.judge.agents.faults import INFRASTRUCTURE
from marubatsu.judge.agents.resume_file import ResumeFile

if TYPE_CHECKING:  # Most AIs need no threads.
    from concurrent.futures import Future

_LONGEST_PAUSE = 30  # seconds
_AHEAD = 2  # questions that wait for each process


class BoardQuestion(NamedTuple):
    """A board, as the AI sees it, and its legal moves."""

    board: str
    legal: list[int]


class Answerer(ABC):
    """What answers for a foreign AI: a process, a function of this program, or a table."""

    not_confined: str | None = None
    """What no box keeps it from, as the end of a sentence; None when there is nothing."""

    could_read_answers: str | None = None
    """Why it could read the answers of the judge, as a clause; None when it could not."""

    @property
    def printed(self) -> str:
        """The beginning of what it printed."""
        return ""

    def __enter__(self) -> Self:
        """Start it. Raises DataError and UsageError where it does not load or cannot be asked."""
        return self

    def __exit__(self, *exception: object) -> None:  # noqa: B027, most have nothing to end
        """End it."""

    @abstractmethod
    def ask(self, board: str, legal: list[int]) -> Heard:
        """Ask for the moves in a position."""

    @abstractmethod
    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board."""

    def stop(self) -> None:  # noqa: B027, most let no other thread wait
        """End soon what another thread waits for."""


class Answerers:
    """The answerers of one AI within their ``with`` block; a single one is asked in this thread."""

    def __init__(
        self, answerers: Sequence[Answerer], retries: int = 0, kept: ResumeFile | None = None
    ) -> None:
        """Take them, one at least; `__enter__` starts them.

        What a service fails to answer is asked again, after pauses, as often as ``retries`` says.
        What the file ``kept`` has is not asked again.
        """
        self._answerers, self._stack = answerers, ExitStack()
        self._retries, self._kept, self._ending = retries, kept, Event()
        self._free: SimpleQueue[Answerer] = SimpleQueue()

    @property
    def first(self) -> Answerer:
        """One of them, while no other thread asks."""
        return self._answerers[0]

    @property
    def printed(self) -> str:
        """The beginning of what one of them printed."""
        return next(filter(None, (answerer.printed for answerer in self._answerers)), "")

    def __enter__(self) -> Self:
        """Start them. Raises as `Answerer` does."""
        with ExitStack() as stack:
            if self._kept:
                stack.callback(self._kept.close)
            for answerer in self._answerers:
                stack.enter_context(answerer)
                self._free.put(answerer)
            if len(self._answerers) > 1:
                from concurrent.futures import ThreadPoolExecutor

                self._threads = ThreadPoolExecutor(len(self._answerers))
                stack.callback(self._threads.shutdown, cancel_futures=True)
                for answerer in self._answerers:
                    stack.callback(answerer.stop)
                stack.callback(self._ending.set)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        """End them; a question that one of them still has gets no answer."""
        self._stack.close()

    def answers(self, questions: Iterable[BoardQuestion]) -> Iterator[Heard]:
        """Ask questions, some at the same time; yield the answers in the order of the questions."""
        if len(self._answerers) == 1:
            yield from map(self._answer, questions)
            return
        pending: deque[Future[Heard]] = deque()
        try:
            for question in questions:
                pending.append(self._threads.submit(self._answer, question))
                if len(pending) > _AHEAD * len(self._answerers):
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for each in pending:
                each.cancel()

    def _answer(self, question: BoardQuestion) -> Heard:
        if self._kept is None:
            return self._asked(question)
        heard = self._kept.take(*question)
        if heard is None:
            heard = self._asked(question)
            self._kept.add(*question, heard)
        return heard

    def _asked(self, question: BoardQuestion) -> Heard:
        answerer = self._free.get()
        try:
            heard = answerer.ask(*question)
            for number in range(self._retries):
                if not is_outage(heard[0]) or self._ending.wait(pause_before(number)):
                    break
                answer, faults = answerer.ask(*question)
                heard = answer, [*heard[1], *faults]
            return heard
        finally:
            self._free.put(answerer)


def is_outage(answer: object) -> bool:
    """Return whether a service did not answer."""
    return isinstance(answer, Fault) and answer.kind == INFRASTRUCTURE


def pause_before(number: int) -> float:
    """Return the seconds before a retry, the first of which has number 0.

    >>> [pause_before(number) for number in range(7)]
    [1, 2, 4, 8, 16, 30, 30]
    """
    return min(1 << number, _LONGEST_PAUSE)
