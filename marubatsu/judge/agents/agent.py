"""A foreign AI that is asked: its questions are counted, its answers read in one form."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple, Self, TypeAlias

from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.ais.reply import Fault, Reply, Returned
from marubatsu.engine.rules.board_text import exchange_marks
from marubatsu.judge.agents.answer_forms import AmbiguousError
from marubatsu.judge.agents.answer_reader import AnswerReader
from marubatsu.judge.agents.answerers import Answerer, Answerers, BoardQuestion, is_outage
from marubatsu.judge.agents.calling import REFUSED, CalledFunction, Heard, Plain
from marubatsu.judge.agents.faults import cut
from marubatsu.pipeline.support.errors import UsageError

_Read: TypeAlias = Callable[[Any, list[int]], Reply | Fault]


class RefusedError(UsageError):
    """An AI that cannot be judged as it is asked: its answers, or its arguments, are others."""


class SpentError(AIError):
    """An AI was asked as many questions as an audit may ask."""


class InThisProcess(Answerer):
    """A function of this program, called directly."""

    def __init__(
        self, asked: CalledFunction, could_read_answers: str | None, not_confined: str | None = None
    ) -> None:
        """Take the function, and what it could read and is not kept from, as an `Answerer` says."""
        self._asked, self.not_confined = asked, not_confined
        self.could_read_answers = could_read_answers

    def ask(self, board: str, legal: list[int]) -> Heard:
        """Ask for the moves in a position; it has no faults besides the answer."""
        return self._asked.moves(board, list(legal)), []

    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board."""
        return self._asked.value(board)


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
        answerers: Answerers,
        reader: AnswerReader,
        most: int | None,
        *,
        is_exchanged: bool,
    ) -> None:
        """Take who answers, and the most questions that it may be asked; None for any number."""
        self._name, self.answerers, self._reader = name, answerers, reader
        self._most, self._count = most, 0
        self.is_exchanged = is_exchanged

    def __enter__(self) -> Self:
        """Start it. Raises DataError and UsageError."""
        self.answerers.__enter__()
        return self

    def __exit__(self, *exception: object) -> None:
        self.answerers.__exit__(*exception)

    def ask(
        self, board: str, legal: list[int], *, exchanged: bool = False
    ) -> tuple[Reply | Fault, list[Fault]]:
        """Ask for the moves in a position; the list holds faults besides the answer.

        ``exchanged`` asks with the marks the other way round. Raises as `answers` does.
        """
        (answered,) = self.answers([BoardQuestion(board, legal)], exchanged=exchanged)
        return answered.answer, answered.faults

    def answers(
        self, questions: Iterable[BoardQuestion], *, exchanged: bool = False
    ) -> Iterator[Answered]:
        """Ask for the moves in positions, some at the same time; yield the answers in their order.

        Raises RefusedError, and SpentError after as many questions as it may be asked; those that
        a service fails to answer are free.
        """
        rest, sent = iter(questions), deque[BoardQuestion]()

        def allowed() -> Iterator[BoardQuestion]:
            while self._count != self._most and (question := next(rest, None)):
                self._count += 1
                sent.append(question)
                yield BoardQuestion(self._seen(question.board, exchanged=exchanged), question.legal)

        while True:
            for answer, faults in self.answerers.answers(allowed()):
                self._count -= is_outage(answer)
                question = sent.popleft()
                yield Answered(question, self._read(answer, *question, self._reader.moves), faults)
            left = next(rest, None)
            if left is None:
                return
            if self._count == self._most:
                raise SpentError(
                    f"{self._name} was asked {self._most:,} questions, as many as it may"
                )
            rest = chain([left], rest)

    def rank(self, board: str, legal: list[int]) -> Reply | Fault:
        """Ask an ordering: the moves with scores, the greatest first. Raises RefusedError."""
        answer, _ = self.answerers.first.ask(self._seen(board), legal)
        return self._read(answer, board, legal, self._reader.ranks)

    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board. Raises RefusedError."""
        value = self.answerers.first.value(self._seen(board))
        self._require_asked(value)
        return value

    def _seen(self, board: str, *, exchanged: bool = False) -> str:
        return exchange_marks(board) if self.is_exchanged != exchanged else board

    def _read(
        self, answer: Returned | Reply | Fault, board: str, legal: list[int], read: _Read
    ) -> Reply | Fault:
        """Read an answer that is not read yet. Raises RefusedError."""
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
        raise RefusedError(
            f"{name} answered {cut(repr(value))} on {board}: {error.what}; {error.cure}"
        ) from None
