"""The file of ``--resume``: the answers of a foreign AI, from which an audit goes on.

It has JSON lines. The first is an object that says whose answers they are: ``game``, ``ai``,
``code`` (the hash of its file), ``interface``, ``first`` (the mark that begins on its boards). Each
other line has a ``board`` as the AI saw it, its ``legal`` moves, the ``answer`` as it was, which is
read again in any form, and ``faults`` besides it. Failures are not kept, so they are asked about
again. A line is written as soon as the answer is there; one that a killed process left torn is
dropped.
"""

import json
import os
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import asdict
from errno import ENOSPC
from pathlib import Path
from threading import Lock
from typing import Any

from marubatsu.engine.ais.reply import KINDS, Fault, Reply, Returned
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.agents.plain_values import Heard, answer_of, message_of
from marubatsu.pipeline.support.errors import OptionError
from marubatsu.pipeline.support.json_text import read_json
from marubatsu.pipeline.tables.data_set import data_around

_KIND = "answers of an audit by marubatsu, version 1"


class ResumeFile:
    """The answers in a file: each is taken once, in the order in which they were given."""

    def __init__(self, path: Path, whose: Mapping[str, str]) -> None:
        """Read the file, or begin it.

        Raises OptionError where it holds something else, or the answers of another AI or game, and
        where it cannot be read or written.
        """
        self._path, self._lock = path, Lock()
        self._known: dict[str, deque[Heard]] = defaultdict(deque)
        header = {"kind": _KIND, **whose}
        try:
            if data_around(path):
                raise self._error("it lies in the data of a game; expected a place elsewhere")
            lines, whole = _lines(path, json.dumps(header).encode())
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
        besides = [message_of(fault)["fault"] for fault in faults]
        with self._lock:
            self._write({"board": board, "legal": legal, "answer": message, "faults": besides})

    def _write(self, line: Mapping[str, Any]) -> None:
        """Append a line by one call, so that only the end of the file can be torn."""
        data, end = json.dumps(line).encode() + b"\n", os.fstat(self._file).st_size
        if os.write(self._file, data) < len(data):  # The disk is full.
            os.ftruncate(self._file, end)
            raise OSError(ENOSPC, os.strerror(ENOSPC))

    def _require_same(self, line: bytes, header: Mapping[str, str]) -> None:
        stored = read_json(line)
        if not isinstance(stored, dict) or stored.get("kind") != _KIND:
            raise self._error("it holds other things than answers; expected a new file")
        for name, value in header.items():
            if stored.get(name) != value:
                raise self._error(
                    f"it holds answers with {name} {quote(str(stored.get(name)))}, not "
                    f"{quote(value)}; expected a new file, or that {name}"
                )

    def _read(self, number: int, line: bytes) -> None:
        match read_json(line):
            case {
                "board": str(board), "legal": list(legal), "answer": dict(message),
                "faults": list(kept),
            }:  # fmt: skip
                answer, faults = _answer(message), [*filter(None, map(_fault, kept))]
                if answer is not None and len(faults) == len(kept):
                    self._known[_key(board, legal)].append((answer, faults))
                    return
        raise self._error(f"line {number} is no answer; remove it, or name a new file")

    def _error(self, why: str) -> OptionError:
        return OptionError("resume", str(self._path), why)


def _lines(path: Path, header: bytes) -> tuple[list[bytes], int]:
    """Return the whole lines of a file, none where it does not exist; and their bytes.

    A first line that is not whole is dropped where the ``header`` begins with it.
    """
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return [], 0
    whole = text[: text.rfind(b"\n") + 1]
    if not whole and not header.startswith(text):
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


def _fault(kept: Any) -> Fault | None:
    """Return a fault besides an answer; None for what `ResumeFile.add` never writes."""
    match kept:
        case [str(kind), str(detail), str(cure)] if kind in KINDS:
            return Fault(KINDS[kind], detail, cure)
    return None


def _are(kind: type | tuple[type, ...], values: list[Any]) -> bool:
    return all(isinstance(value, kind) and type(value) is not bool for value in values)
