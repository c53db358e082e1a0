"""The lines that foreign processes are asked and answer with: written and read here alone.

Every question has a number, and its answer begins with it, so no line is taken for the answer to
another question. A program is asked ``NUMBER BOARD MOVES``, as in ``7 o.x...... 1,3,4,5,6,7,8``,
and answers ``NUMBER MOVES``, the moves separated by spaces or commas, each with ``:value`` or
none. Our own worker, which calls a function, is asked and answers in JSON.
"""

import os
import re
import secrets
import select
import subprocess
import time
from contextlib import suppress
from typing import Any

from marubatsu.engine.ais.reply import Fault, Returned
from marubatsu.judge.agents.faults import cut
from marubatsu.judge.agents.interfaces import ReadLine
from marubatsu.judge.agents.plain_values import MOST_VALUES, Unread, answer_of
from marubatsu.pipeline.support.json_text import read_json

PROTOCOL = 2  # the version of these lines; programs get it as MARUBATSU_PROTOCOL
_WHOLE = r"[+-]?[0-9]{1,9}"
_NUMBER = r"[+-]?(?:[0-9]{1,19}\.?[0-9]{0,19}|\.[0-9]{1,19}|inf|nan)(?:e[+-]?[0-9]{1,3})?"
_VALUED = re.compile(f"(?P<move>{_WHOLE}):(?P<value>{_NUMBER})", re.ASCII | re.IGNORECASE)
_ALONE = re.compile(f"(?P<whole>{_WHOLE})|{_NUMBER}", re.ASCII | re.IGNORECASE)
_LONGEST = 1000  # characters of a text; our worker cuts it
_TEXTS = ("writes", "starts", "failed")


class ProgramDialogue:
    """The lines of somebody's program."""

    def __init__(self) -> None:
        self._number = 0

    def question(self, board: str, legal: list[int] | None) -> bytes:
        assert legal is not None
        self._number += 1
        return f"{self._number} {board} {','.join(map(str, legal))}\n".encode()

    @property
    def expected(self) -> str:
        return f"a line as in '{self._number} 4'"

    def heard(self, line: bytes) -> ReadLine | None:
        text = line.decode(errors="replace").strip()
        number, *answer = text.split(maxsplit=1) or [""]
        if number != str(self._number):
            return None
        return ReadLine(Returned(_answer("".join(answer))))


class WorkerDialogue:
    """The lines of our worker, in which somebody's code could write too."""

    def __init__(self) -> None:
        self._number, self._wanted = 0, ""

    def question(self, board: str, legal: list[int] | None) -> bytes:
        self._number = secrets.randbits(63)  # It cannot be answered before it is sent.
        self._wanted = "value" if legal is None else "moves"
        moves = "" if legal is None else f', "legal": {legal}'
        return f'{{"question": {self._number}, "board": "{board}"{moves}}}\n'.encode()

    expected = "nothing but the answers of its functions"

    def heard(self, line: bytes) -> ReadLine | None:
        message = _checked(line)
        if message is None or message.get("question") != self._number:
            return None
        answer = answer_of(message)
        if answer is None or (isinstance(answer, float) != (self._wanted == "value")
                              and not isinstance(answer, Fault)):  # fmt: skip
            return None
        faults = [Fault("writes", message["writes"])] if "writes" in message else []
        if "starts" in message:
            faults.append(Fault("starts processes", message["starts"]))
        return ReadLine(answer, tuple(faults))


def started(line: bytes) -> dict[str, Any] | None:
    """Read the first line of our worker: it is ready, or has failed; None for any other line."""
    message = _checked(line)
    return message if message and ("ready" in message or "failed" in message) else None


def _checked(line: bytes) -> dict[str, Any] | None:
    """Read a message; None for what our worker never writes."""
    try:
        message = read_json(line.decode())
    except UnicodeDecodeError:
        return None
    texts = [message[key] for key in _TEXTS if key in message] if isinstance(message, dict) else ()
    are_short = all(isinstance(text, str) and len(text) <= _LONGEST for text in texts)
    return message if isinstance(message, dict) and are_short else None


def _answer(text: str) -> Any:
    parts = text.replace(",", " ").split()
    valued = [_VALUED.fullmatch(part) for part in parts]
    alone = [_ALONE.fullmatch(part) for part in parts]
    if len(parts) <= MOST_VALUES and all(valued):
        return [(int(each["move"]), float(each["value"])) for each in valued if each]
    if len(parts) <= MOST_VALUES and all(alone):
        return [int(each[0]) if each["whole"] else float(each[0]) for each in alone if each]
    return Unread(repr(cut(text)), "line")


_CHUNK = 1 << 16
_MOST = 1 << 16  # bytes that one question may be answered with; valid answers are shorter
_SHOWN = 500  # characters that are kept of what it prints


class FloodError(Exception):
    """More bytes than an answer may have."""


class EndedError(Exception):
    """The process has closed its output, which ends it for us."""


class Channel:
    """The lines of a process that was started with three pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self._pipes = (process.stdin, process.stdout, process.stderr)
        self._asks, self._answers, self._prints = (pipe.fileno() for pipe in self._pipes)
        for handle in (self._asks, self._answers, self._prints):
            os.set_blocking(handle, False)
        self._reading, self._answering = select.poll(), select.poll()  # Any number of descriptors.
        self._answering.register(self._answers, select.POLLIN)
        for handle in (self._answers, self._prints):
            self._reading.register(handle, select.POLLIN)
        self._pending = b""
        self._taken = 0  # bytes since the last question
        self.printed = ""  # the beginning of what it printed
        self._last_printed = ""  # the end of it

    def stray(self) -> bytes:
        """Take what it wrote before it is asked; wait for nothing."""
        self._taken = 0
        while self._answering.poll(0) and self._take():
            pass
        output, self._pending, self._taken = self._pending, b"", 0
        return output

    def send(self, line: bytes, until: float) -> None:
        """Write a question, reading what it prints meanwhile. Raises as `receive` does."""
        while line:
            with suppress(BlockingIOError):
                line = line[os.write(self._asks, line) :]
            if line:
                self._reading.register(self._asks, select.POLLOUT)
                self._wait(until)
                self._reading.unregister(self._asks)

    def receive(self, until: float) -> bytes:
        """Return the next line of the answers, without its end.

        Raises TimeoutError at the time ``until`` of the monotonic clock, FloodError for too many
        bytes, EndedError when it has closed its output, OSError when it has closed its input.
        """
        while b"\n" not in self._pending:
            self._wait(until)
        line, _, self._pending = self._pending.partition(b"\n")
        return line

    def close(self) -> None:
        """Close the pipes."""
        for pipe in self._pipes:
            with suppress(OSError):
                pipe.close()

    def _wait(self, until: float) -> None:
        """Read what there is, or wait until there is something, or a question can be written."""
        left = until - time.monotonic()
        ready = dict(self._reading.poll(1000 * left)) if left > 0 else {}
        if not ready:
            raise TimeoutError
        if self._prints in ready and not self._take_printed():
            self._reading.unregister(self._prints)
        if self._answers in ready and not self._take():
            raise EndedError

    def last_line(self) -> str:
        """Return the last line that it printed; after its end, nothing is missing."""
        with suppress(BlockingIOError):
            self._take_printed()
        return self._last_printed.strip().rpartition("\n")[2]

    def _take_printed(self) -> bool:
        text = os.read(self._prints, _CHUNK).decode(errors="replace")
        self.printed += text[: _SHOWN - len(self.printed)]
        self._last_printed = (self._last_printed + text)[-_SHOWN:]
        return bool(text)

    def _take(self) -> bool:
        """Read a part of the answers; return whether there was any."""
        part = os.read(self._answers, _CHUNK)
        self._pending += part
        self._taken += len(part)
        if self._taken > _MOST:
            raise FloodError
        return bool(part)
