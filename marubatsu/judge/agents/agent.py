"""A foreign AI that is asked: its questions are counted, its answers read in one form.

Several processes of one AI answer questions at the same time, in the order of the questions. A file
can keep the answers.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from math import inf
from queue import SimpleQueue
from threading import Event
from typing import Any, NamedTuple, Self, TypeAlias

from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.ais.reply import Fault, Reply, Returned
from marubatsu.engine.rules.board_text import exchange_marks
from marubatsu.judge.agents.faults import INFRASTRUCTURE, cut
from marubatsu.judge.agents.plain_values import REFUSED, Heard, Plain
from marubatsu.judge.agents.reply_reader import AmbiguousError, ReplyReader
from marubatsu.judge.agents.responder import Responder
from marubatsu.judge.agents.resume_file import ResumeFile
from marubatsu.pipeline.support.errors import UsageError

_LONGEST_PAUSE = 30  # seconds
_LISTED = 9  # illegal moves of an answer
_OF_AN_ORDERING = (
    "an ordering returns only legal moves, in their order, or a mapping of them to scores"
)

_Read: TypeAlias = Callable[[Any, list[int]], Reply | Fault]


class RefusedError(UsageError):
    """An AI that cannot be judged as it is asked: its answers, or its arguments, are others."""


class SpentError(AIError):
    """An AI was asked as many questions as an audit may ask."""


class BoardQuestion(NamedTuple):
    """A board, as the AI sees it, and its legal moves."""

    board: str
    legal: list[int]


class Answered(NamedTuple):
    """A question, its answer, and faults besides the answer."""

    question: BoardQuestion
    answer: Reply | Fault
    faults: list[Fault]


class Agent:
    """A foreign AI within its ``with`` block: its answers are read in one form.

    Where cross begins on its boards, it is asked with the marks exchanged.
    """

    def __init__(
        self,
        name: str,
        responders: Sequence[Responder],
        reader: ReplyReader,
        *,
        most_questions: int | None = None,
        retries: int = 0,
        kept: ResumeFile | None = None,
        is_exchanged: bool = False,
    ) -> None:
        """Take what answers for it; a single responder is asked in this thread.

        It answers ``most_questions``, any number without that; one that a service fails to answer
        is asked again, as often as ``retries`` says. What the file ``kept`` has is not asked again.
        """
        self._name, self._responders, self._reader = name, responders, reader
        self._most, self._retries, self._kept = most_questions, retries, kept
        self._left = inf if most_questions is None else most_questions  # that it may be asked
        self._stack, self._ending = ExitStack(), Event()
        self._free: SimpleQueue[Responder] = SimpleQueue()
        self.is_exchanged = is_exchanged
        self.asked = 0  # questions about moves that have an answer or a fault

    @property
    def responder(self) -> Responder:
        """One of its responders, while no other thread asks."""
        return self._responders[0]

    @property
    def hint(self) -> str:
        """How its answers so far would be legal, meant otherwise: see `ReplyReader.hint`."""
        return (self.responder.reader or self._reader).hint

    @property
    def printed(self) -> str:
        """The beginning of what one of its responders printed."""
        return next(filter(None, (responder.printed for responder in self._responders)), "")

    def __enter__(self) -> Self:
        """Start it. Raises DataError and UsageError."""
        with ExitStack() as stack:
            if self._kept:
                stack.callback(self._kept.close)
            for responder in self._responders:
                stack.enter_context(responder)
                self._free.put(responder)
            if len(self._responders) > 1:
                from marubatsu.pipeline.support.background import WorkerThreads

                self._threads = stack.enter_context(WorkerThreads(len(self._responders)))
                for responder in self._responders:
                    stack.callback(responder.stop)
                stack.callback(self._ending.set)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        """End it; a question that one of its processes still has gets no answer."""
        self._stack.close()

    def ask(self, board: str, legal: list[int]) -> Reply | Fault:
        """Ask for legal moves in a position; others are a fault. Raises as `answers` does."""
        (answered,) = self.answers([BoardQuestion(board, legal)])
        answer = illegal_move(answered.answer, legal) or answered.answer
        if isinstance(answer, Fault) and answer.kind == "illegal move" and not answer.cure:
            return replace(answer, cure=self.hint)
        return answer

    def answers(self, questions: Iterable[BoardQuestion]) -> Iterator[Answered]:
        """Ask for the moves in positions, some at the same time; yield the answers in their order.

        Raises RefusedError, and SpentError after as many questions as it may be asked; those that
        a service fails to answer are free.
        """
        rest, sent = iter(questions), deque[BoardQuestion]()

        def allowed() -> Iterator[BoardQuestion]:
            while self._left and (question := next(rest, None)):
                self._left -= 1
                sent.append(question)
                yield BoardQuestion(self._seen(question.board), question.legal)

        several = self._threads.each if len(self._responders) > 1 else map
        while True:
            for answer, faults in several(self._hear, allowed()):
                self._left += is_outage(answer)
                question = sent.popleft()
                self.asked += 1
                yield Answered(question, self._read(answer, *question, self._reader.moves), faults)
            following = next(rest, None)
            if following is None:
                return
            if not self._left:
                raise SpentError(
                    f"{self._name} was asked {self._most:,} questions, as many as it may"
                )
            rest = chain([following], rest)  # Failures of a service left questions over.

    def rank(self, board: str, legal: list[int]) -> Reply | Fault:
        """Ask an ordering: legal moves with scores, the greatest first. Raises RefusedError."""
        answer, _ = self.responder.ask(self._seen(board), legal)
        ranked = self._read(answer, board, legal, self._reader.ranks)
        illegal = illegal_move(ranked, legal)
        return replace(illegal, cure=_OF_AN_ORDERING) if illegal else ranked

    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board. Raises RefusedError."""
        value = self.responder.value(self._seen(board))
        self._require_asked(value)
        return value

    def _hear(self, question: BoardQuestion) -> Heard:
        """Take a kept answer, or ask, and keep what is answered."""
        if self._kept is None:
            return self._ask_responder(question)
        heard = self._kept.take(*question)
        if heard is None:
            heard = self._ask_responder(question)
            self._kept.add(*question, heard)
        return heard

    def _ask_responder(self, question: BoardQuestion) -> Heard:
        responder = self._free.get()
        try:
            heard = responder.ask(*question)
            for number in range(self._retries):
                pause = min(1 << number, _LONGEST_PAUSE)
                if not is_outage(heard[0]) or self._ending.wait(pause):
                    break
                answer, faults = responder.ask(*question)
                heard = answer, [*heard[1], *faults]
            return heard
        finally:
            self._free.put(responder)

    def _seen(self, board: str) -> str:
        return exchange_marks(board) if self.is_exchanged else board

    def _read(
        self, answer: Returned | Reply | Fault, board: str, legal: list[int], read: _Read
    ) -> Reply | Fault:
        self._require_asked(answer)
        if not isinstance(answer, Returned):
            return answer
        return read_answer(self._name, answer.value, board, legal, read)

    def _require_asked(self, answer: object) -> None:
        if isinstance(answer, Fault) and answer.kind == REFUSED:
            raise RefusedError(f"{self._name} cannot be asked: {answer.detail}")


def read_answer(
    name: str, value: Plain, board: str, legal: list[int], read: _Read
) -> Reply | Fault:
    """Read what an AI answered on a board. Raises RefusedError for what has two meanings."""
    try:
        return read(value, legal)
    except AmbiguousError as error:
        raise RefusedError(f"{name} answered {cut(repr(value))} on {board}: {error}") from None


def illegal_move(answer: Reply | Fault, legal: list[int]) -> Fault | None:
    """Return the fault of an answer that names illegal moves."""
    moves = () if isinstance(answer, Fault) else answer.moves
    illegal = [str(move) for move in moves if move not in legal]
    if not illegal:
        return None
    listed = f"{', '.join(illegal[:_LISTED])}; legal: {', '.join(map(str, legal))}"
    return Fault("illegal move", listed)


def is_outage(answer: object) -> bool:
    """Return whether a service did not answer."""
    return isinstance(answer, Fault) and answer.kind == INFRASTRUCTURE
