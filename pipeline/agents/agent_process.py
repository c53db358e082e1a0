"""The process of a foreign AI: it has a time limit for each answer and is restarted when it ends.

Each answer becomes a `Reply` or a `Fault`; nothing that the AI does raises anything here.
"""

import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from marubatsu.engine.players.reply import Fault, Reply
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.agents.address import Foreign
from marubatsu.pipeline.agents.confine import adopt_orphans, children, end_all
from marubatsu.pipeline.agents.returned import read_message, read_number
from marubatsu.pipeline.support.errors import DataError, UsageError

PROTOCOL = 1
"""The version of the lines that programs read and write; they get it as MARUBATSU_PROTOCOL.

A request is a board and the legal moves, as in ``o.x...... 1,3,4,5,6,7,8``; an answer is moves
separated by spaces, each with ``:weight`` or none. A program has to flush every line.
"""

_ANSWER_BYTES = 1 << 16  # valid answers are shorter
_STARTING = 30.0  # seconds for its imports
_CHUNK = 1 << 16
_MOVE = re.compile(r"(?P<move>[0-9]{1,9})(?::(?P<weight>[0-9]{0,9}\.?[0-9]{1,9}))?", re.ASCII)
_NOT_OURS = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    RecursionError,
    OverflowError,
)  # what reading a message may raise that our worker did not write


@dataclass(frozen=True)
class AgentLimits:
    """The time and memory that a foreign AI may use."""

    seconds: float = 1.0  # for one move
    memory: int = 2 * 10**9  # bytes of address space


class Process:
    """A foreign AI in a process; the end of the block ends it and every process it started."""

    def __init__(self, foreign: Foreign, game: Game, limits: AgentLimits) -> None:
        """Name the AI and the game that it plays; `__enter__` starts it."""
        self._foreign, self._game, self._limits = foreign, game, limits
        self._stack = ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        self._pending = b""
        self.printed = ""  # the beginning of what it printed

    def __enter__(self) -> Self:
        """Start it. Raises DataError when it does not load, UsageError when it does not exist."""
        adopt_orphans()
        self._spared = children()
        self._scratch = self._stack.enter_context(tempfile.TemporaryDirectory())
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        self._end()
        end_all(self._spared)
        self._stack.close()

    def ask(self, board: str, legal: list[int]) -> tuple[Reply | Fault, list[Fault]]:
        """Ask for the moves in a position; the list holds faults besides the answer."""
        if self._foreign.kind == "command":
            line = self._told(f"{board} {','.join(map(str, legal))}")
            return (line, []) if isinstance(line, Fault) else _read_program(line)
        line = self._told(json.dumps({"board": board, "legal": legal}))
        if isinstance(line, Fault):
            return line, []
        message = _message(line)
        try:
            beside = [Fault("writes", str(message["writes"]))] if "writes" in message else []
            if "starts" in message:
                beside.append(Fault("starts processes", str(message["starts"])))
            return read_message(message), beside
        except _NOT_OURS:
            return Fault("wrong answer", repr(line[:200])), []

    def value(self, board: str) -> float | Fault:
        """Ask a function for the value of a board."""
        line = self._told(json.dumps({"board": board}))
        if isinstance(line, Fault):
            return line
        try:
            return read_number(_message(line))
        except _NOT_OURS:
            return Fault("wrong answer", repr(line[:200]))

    def _told(self, request: str) -> bytes | Fault:
        """Send a request and return the line that answers it."""
        try:
            if self._process is None:
                self._start()
        except (DataError, UsageError) as error:
            self._end()
            return Fault("crash", str(error))
        assert self._process
        assert self._process.stdin
        try:
            self._process.stdin.write(request.encode() + b"\n")
            self._process.stdin.flush()
            line = self._line(self._limits.seconds)
        except TimeoutError:
            self._end()
            return Fault("time-out", f"no answer within {self._limits.seconds:g} s")
        except OSError:
            line = b""
        return line if line.endswith(b"\n") else self._gone(line)

    def _start(self) -> None:
        """Start the process; wait until a function is loaded."""
        environment = {
            **os.environ,
            "PYTHONDONTWRITEBYTECODE": "1",
            "TMPDIR": self._scratch,
            "MARUBATSU_PROTOCOL": str(PROTOCOL),
            "MARUBATSU_GAME": self._game.notation,
            "OPENBLAS_NUM_THREADS": "1",  # The stacks of their threads would count as memory.
            "OMP_NUM_THREADS": "1",
        }
        worker = [
            sys.executable,
            "-P",
            "-m",
            "marubatsu.pipeline.agents.agent_worker",
            self._scratch,
        ]
        self._process = subprocess.Popen(  # noqa: S603, running it is what the user asks for
            [*worker, str(self._limits.memory), self._foreign.kind, *self._foreign.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
        self._pending = b""
        if self._foreign.kind == "command":
            return
        try:
            line = self._line(_STARTING)
        except TimeoutError:
            raise DataError(f"{self._foreign.name} did not load within {_STARTING:g} s") from None
        with suppress(*_NOT_OURS):
            message = json.loads(line)
            if message.get("ready"):
                return
            told = f"{self._foreign.name} cannot be loaded: {message['failed']}"
            raise (UsageError if message["usage"] else DataError)(told)
        raise DataError(f"{self._foreign.name} cannot be loaded: {self._gone(line).detail}")

    def _line(self, seconds: float) -> bytes:
        """Return the next line of the answers, or its beginning when the process has ended."""
        assert self._process
        assert self._process.stdout
        assert self._process.stderr
        until = time.monotonic() + seconds
        answers, printed = self._process.stdout.fileno(), self._process.stderr.fileno()
        watched = [answers, printed]
        while b"\n" not in self._pending and len(self._pending) < _ANSWER_BYTES:
            ready, _, _ = select.select(watched, [], [], max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError
            if printed in ready:
                text = os.read(printed, _CHUNK)
                if not text:
                    watched.remove(printed)
                elif len(self.printed) < 500:
                    self.printed += text.decode(errors="replace")[:500]
                if time.monotonic() > until:  # It prints without end.
                    raise TimeoutError
            if answers in ready:
                part = os.read(answers, _CHUNK)
                if not part:
                    break
                self._pending += part
        line, newline, self._pending = self._pending.partition(b"\n")
        return line + newline

    def _gone(self, line: bytes) -> Fault:
        """Say how the process ended, or that its answer is too long."""
        assert self._process
        if len(line) >= _ANSWER_BYTES:
            self._end()
            return Fault("flood", f"an answer of more than {_ANSWER_BYTES:,} bytes")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.poll()
        self._end()
        if code is None:
            return Fault("crash", "it closed its output")
        if code < 0:
            return Fault("crash", f"it was killed by {signal_name(-code)}")
        return Fault("crash", f"it ended with exit code {code}")

    def _end(self) -> None:
        """Kill the process and everything in its session."""
        if self._process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                if pipe:
                    pipe.close()
        self._process = None
        for path in Path(self._scratch).iterdir():
            with suppress(OSError):
                path.unlink()


def signal_name(number: int) -> str:
    """Return the name of a signal; some have only a number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _message(line: bytes) -> dict[str, Any]:
    """Read a message of our worker; an AI that controls the worker can write anything."""
    with suppress(*_NOT_OURS):
        message = json.loads(line)
        if isinstance(message, dict):
            return message
    return {"wrong": repr(line[:200])}


def _read_program(line: bytes) -> tuple[Reply | Fault, list[Fault]]:
    """Read a line of moves, separated by spaces or commas, each with ``:weight`` if it has one."""
    text = line.decode(errors="replace").strip()
    parts = [_MOVE.fullmatch(part) for part in text.replace(",", " ").split()]
    if not parts:
        return Fault("no move", "it answered with an empty line"), []
    if None in parts or len({part["weight"] is None for part in parts if part}) > 1:
        shown = text if len(text) <= 200 else text[:200] + "…"
        return Fault("wrong answer", f"{shown!r}; expected moves, or moves with :weight"), []
    moves = tuple(int(part["move"]) for part in parts if part)
    weights = tuple(float(part["weight"]) for part in parts if part and part["weight"])
    return Reply(moves, weights or None), []
