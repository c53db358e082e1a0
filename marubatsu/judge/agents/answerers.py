"""The processes of one foreign AI: they answer questions at the same time, in order.

The answers may be kept in a file of JSON lines, from which an audit goes on. The first line is an
object that says whose answers they are: ``game``, ``ai``, ``interface``, ``form`` of the answers,
``first`` (the mark that begins on its boards). Each other line has a ``board`` as the AI saw it,
its ``legal`` moves, the ``answer``, which is read again as it was, and ``faults`` besides it.
Failures are not kept, so they are asked about again. A line is written as soon as the answer is
there; one that a killed process left torn is dropped.
"""

import json
import os
from abc import ABC, abstractmethod
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from marubatsu.engine.ais.reply import Fault, Reply, Returned
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.agents.calling import Heard, answer_of, message_of, read_json
from marubatsu.judge.agents.faults import INFRASTRUCTURE
from marubatsu.pipeline.support.errors import OptionError
from marubatsu.pipeline.tables.data_set import data_around

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


_KIND = "answers of an audit by marubatsu, version 1"


class KeptAnswers:
    """The answers in a file: each is taken once, in the order in which they were given."""

    def __init__(self, path: Path, whose: Mapping[str, str]) -> None:
        """Read the file, or begin it.

        Raises OptionError where it holds something else, or the answers of another AI, game or
        form, and where it cannot be read or written.
        """
        self._path, self._lock = path, Lock()
        self._known: dict[str, deque[Heard]] = defaultdict(deque)
        header = {"kind": _KIND, **whose}
        if data_around(path):
            raise self._error("it lies in the data of a game; expected a place elsewhere")
        try:
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
            known = self._known[_key(board, legal)]
            return known.popleft() if known else None

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
        found = read_json(line)
        if not isinstance(found, dict) or found.get("kind") != _KIND:
            raise self._error("it holds other things than answers; expected a new file")
        for name, value in header.items():
            if found.get(name) != value:
                raise self._error(
                    f"it holds answers with {name} {quote(str(found.get(name)))}, not "
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
    """Return the answer of a message; None for what `KeptAnswers.add` never writes."""
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


class Answerers:
    """The answerers of one AI within their ``with`` block; a single one is asked in this thread."""

    def __init__(
        self, answerers: Sequence[Answerer], retries: int = 0, kept: KeptAnswers | None = None
    ) -> None:
        """Take them, one at least; `__enter__` starts them.

        What a service fails to answer is asked again, after pauses, as often as ``retries`` says.
        What was ``kept`` is not asked again.
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
