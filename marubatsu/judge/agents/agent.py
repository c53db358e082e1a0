"""A foreign AI that is asked: its questions are counted, its answers read in one form.

Several processes of one AI answer questions at the same time, in the order of the questions. A file
can keep the answers.
"""

import json
import os
from abc import ABC, abstractmethod
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.ais.reply import Fault, Reply, Returned
from marubatsu.engine.rules.board_text import exchange_marks
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.agents.calling import (
    INFRASTRUCTURE,
    REFUSED,
    CalledFunction,
    Heard,
    Plain,
    answer_of,
    cut,
    message_of,
    read_json,
)
from marubatsu.judge.agents.reply_reader import AmbiguousError, ReplyReader
from marubatsu.pipeline.support.errors import OptionError, UsageError
from marubatsu.pipeline.tables.data_set import data_around

if TYPE_CHECKING:  # Most AIs need no threads.
    from concurrent.futures import Future

_LONGEST_PAUSE = 30  # seconds
_AHEAD = 2  # questions that wait for each process

_Read: TypeAlias = Callable[[Any, list[int]], Reply | Fault]


class RefusedError(UsageError):
    """An AI that cannot be judged as it is asked: its answers, or its arguments, are others."""


class SpentError(AIError):
    """An AI was asked as many questions as an audit may ask."""


class BoardQuestion(NamedTuple):
    """A board, as the AI sees it, and its legal moves."""

    board: str
    legal: list[int]


class Responder(ABC):
    """What answers for a foreign AI: a process, a function of this program, or a table."""

    not_confined: str | None = None  # what no box keeps it from, as the end of a sentence
    could_read_answers: str | None = None  # why it could read the judge's answers, as a clause

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

    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board."""
        return Fault("wrong answer", "it has no values of boards")

    def stop(self) -> None:  # noqa: B027, most let no other thread wait
        """End soon what another thread waits for."""


class InThisProcess(Responder):
    """A function of this program, called directly."""

    def __init__(
        self, asked: CalledFunction, could_read_answers: str | None, not_confined: str | None = None
    ) -> None:
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


_KIND = "answers of an audit by marubatsu, version 1"


class ResumeFile:
    """The file of ``--resume``: each answer in it is taken once, in the order of the file.

    It has JSON lines. The first is an object that says whose answers they are: ``game``, ``ai``,
    ``interface``, ``form`` of the answers, ``first`` (the mark that begins on its boards). Each
    other line has a ``board`` as the AI saw it, its ``legal`` moves, the ``answer``, which is read
    again as it was, and ``faults`` besides it. Failures are not kept, so they are asked about
    again. A line is written as soon as the answer is there; one that a killed process left torn is
    dropped.
    """

    def __init__(self, path: Path, whose: Mapping[str, str]) -> None:
        """Read the file, or begin it.

        Raises OptionError where it holds something else, or the answers of another AI, game or
        form, and where it cannot be read or written.
        """
        self._path, self._lock = path, Lock()
        self._known: dict[str, deque[Heard]] = defaultdict(deque)
        header = {"kind": _KIND, **whose}
        try:
            if data_around(path):
                raise self._error("it lies in the data of a game; expected a place elsewhere")
            lines, whole = _lines(path)
        except (OSError, ValueError) as error:
            raise self._error(str(getattr(error, "strerror", None) or error)) from None
        if lines:
            self._require_same(lines[0], header)
        for number, line in enumerate(lines[1:], start=2):
            self._read(number, line)
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
            os.ftruncate(self._file, whole)
            if not lines:
                self._write(header)
        except OSError as error:
            raise self._error(error.strerror or str(error)) from None

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def take(self, board: str, legal: list[int]) -> Heard | None:
        """Return the next kept answer to a question; None where there is no other one."""
        with self._lock:
            answers = self._known[_key(board, legal)]
            return answers.popleft() if answers else None

    def add(self, board: str, legal: list[int], heard: Heard) -> None:
        """Keep an answer, unless it is a failure."""
        answer, faults = heard
        if isinstance(answer, Fault):
            return
        message = message_of(answer) if isinstance(answer, Returned) else asdict(answer)
        line = {"board": board, "legal": legal, "answer": message}
        if faults:
            line["faults"] = [message_of(fault)["fault"] for fault in faults]
        with self._lock:
            self._write(line)

    def _write(self, line: Mapping[str, Any]) -> None:
        """Append a line by one call, so that only the end of the file can be torn."""
        os.write(self._file, json.dumps(line).encode() + b"\n")

    def _require_same(self, line: bytes, header: Mapping[str, str]) -> None:
        stored = read_json(line)
        if not isinstance(stored, dict) or stored.get("kind") != _KIND:
            raise self._error("it holds other things than answers; expected a new file")
        for name, value in header.items():
            if stored.get(name) != value:
                raise self._error(
                    f"it holds answers with {name} {quote(str(stored.get(name)))}, not "
                    f"{quote(value)}; expected a new file"
                )

    def _read(self, number: int, line: bytes) -> None:
        match read_json(line):
            case {"board": str(board), "legal": list(legal), "answer": dict(message), **rest}:
                answer, kept = _answer(message), rest.get("faults")
                faults = [_fault(each) for each in kept] if isinstance(kept, list) else []
                if answer is not None:
                    self._known[_key(board, legal)].append((answer, faults))
                    return
        raise self._error(f"line {number} is no answer; remove it, or name a new file")

    def _error(self, why: str) -> OptionError:
        return OptionError("resume", str(self._path), why)


def _lines(path: Path) -> tuple[list[bytes], int]:
    """Return the whole lines of a file, none where it does not exist; and their bytes."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return [], 0
    whole = text[: text.rfind(b"\n") + 1]
    if text and not whole and not text.startswith(b'{"kind"'[: len(text)]):
        return [text], len(text)
    return whole.splitlines(), len(whole)


def _key(board: str, legal: list[int]) -> str:
    return f"{board} {legal}"


def _answer(message: dict[str, Any]) -> Returned | Reply | None:
    """Return the answer of a message; None for what `ResumeFile.add` never writes."""
    match message:
        case {"moves": list(moves), "weights": None} if _are(int, moves):
            return Reply(tuple(moves))
        case {"moves": list(moves), "weights": list(weights)} if _are(int, moves):
            is_weighed = _are((int, float), weights) and len(moves) == len(weights)
            return Reply(tuple(moves), tuple(weights)) if is_weighed else None
    answer = answer_of(message)
    return answer if isinstance(answer, Returned) else None


def _fault(kept: Any) -> Fault:
    match kept:
        case [str(kind), str(detail), str(cure)]:
            return Fault(kind, detail, cure)
    return Fault("out of turn", str(kept))


def _are(kind: type | tuple[type, ...], values: list[Any]) -> bool:
    return all(isinstance(value, kind) and type(value) is not bool for value in values)


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
        self._most, self._retries = most_questions, retries
        self._kept, self._count = kept, 0
        self._stack, self._ending = ExitStack(), Event()
        self._free: SimpleQueue[Responder] = SimpleQueue()
        self.is_exchanged = is_exchanged
        self.asked = 0  # questions about moves

    @property
    def first(self) -> Responder:
        """One of its responders, while no other thread asks."""
        return self._responders[0]

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
                from concurrent.futures import ThreadPoolExecutor

                self._threads = ThreadPoolExecutor(len(self._responders))
                stack.callback(self._threads.shutdown, cancel_futures=True)
                for responder in self._responders:
                    stack.callback(responder.stop)
                stack.callback(self._ending.set)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        """End it; a question that one of its processes still has gets no answer."""
        self._stack.close()

    def ask(self, board: str, legal: list[int]) -> Reply | Fault:
        """Ask for the moves in a position. Raises as `answers` does."""
        (answered,) = self.answers([BoardQuestion(board, legal)])
        return answered.answer

    def answers(self, questions: Iterable[BoardQuestion]) -> Iterator[Answered]:
        """Ask for the moves in positions, some at the same time; yield the answers in their order.

        Raises RefusedError, and SpentError after as many questions as it may be asked; those that
        a service fails to answer are free.
        """
        most = self._most
        rest, sent = iter(questions), deque[BoardQuestion]()

        def allowed() -> Iterator[BoardQuestion]:
            while self._count != most and (question := next(rest, None)):
                self._count += 1
                sent.append(question)
                yield BoardQuestion(self._seen(question.board), question.legal)

        while True:
            for answer, faults in self._heard(allowed()):
                self._count -= is_outage(answer)
                question = sent.popleft()
                self.asked += 1
                yield Answered(question, self._read(answer, *question, self._reader.moves), faults)
            left = next(rest, None)
            if left is None:
                return
            if self._count == most:
                raise SpentError(f"{self._name} was asked {most:,} questions, as many as it may")
            rest = chain([left], rest)

    def rank(self, board: str, legal: list[int]) -> Reply | Fault:
        """Ask an ordering: the moves with scores, the greatest first. Raises RefusedError."""
        answer, _ = self.first.ask(self._seen(board), legal)
        return self._read(answer, board, legal, self._reader.ranks)

    def value(self, board: str) -> float | Fault:
        """Ask for the value of a board. Raises RefusedError."""
        value = self.first.value(self._seen(board))
        self._require_asked(value)
        return value

    def _heard(self, questions: Iterable[BoardQuestion]) -> Iterator[Heard]:
        """Ask questions, some at the same time; yield the answers in the order of the questions."""
        if len(self._responders) == 1:
            yield from map(self._answer, questions)
            return
        pending: deque[Future[Heard]] = deque()
        try:
            for question in questions:
                pending.append(self._threads.submit(self._answer, question))
                if len(pending) > _AHEAD * len(self._responders):
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


def is_outage(answer: object) -> bool:
    """Return whether a service did not answer."""
    return isinstance(answer, Fault) and answer.kind == INFRASTRUCTURE
