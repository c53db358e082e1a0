"""The process of a foreign AI: it has a time limit for each answer and is restarted when it ends.

Each answer becomes a `Reply` or a `Fault`; nothing that the AI does raises anything here.
"""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final, Self, cast

from marubatsu.engine.ais.reply import Fault, Reply, Returned
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.agents import box, interfaces
from marubatsu.judge.agents.address import ProcessAI
from marubatsu.judge.agents.agent import is_outage
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.judge.agents.box import answer_key
from marubatsu.judge.agents.confine import Confinement, MemoryWatch, scratch_folder
from marubatsu.judge.agents.faults import cut
from marubatsu.judge.agents.interfaces import Dialogue, ReadLine
from marubatsu.judge.agents.plain_values import Heard
from marubatsu.judge.agents.protocol import (
    PROTOCOL,
    Channel,
    EndedError,
    FloodError,
    ProgramDialogue,
    WorkerDialogue,
    started,
)
from marubatsu.judge.agents.responder import Responder
from marubatsu.pipeline.support.errors import DataError, UsageError

TIME_OUT: Final = "time-out"  # the kind of fault of an answer that comes too late
_STARTING = 30.0  # seconds for its imports
_ENDING = 1.0  # seconds to tell how it ended
_SUPERVISED = 10.0  # seconds for its supervisor to end what it left behind
_ENVIRONMENT = {
    "DISPLAY", "HOME", "JAVA_HOME", "LANG", "LD_LIBRARY_PATH", "NODE_PATH", "PATH", "PYTHONHOME",
    "PYTHONPATH", "SHELL", "TERM", "TZ", "USER", "VIRTUAL_ENV",
}  # fmt: skip
_BY_SIGNAL = 128  # what bubblewrap adds to the signal that ended a process


class Process(Responder):
    """A foreign AI in a process; the end of the block ends it and every process it started."""

    def __init__(
        self, foreign: ProcessAI, game: Game, settings: AgentSettings, data: Path | None = None
    ) -> None:
        """Name the AI, the game that it plays, and the data that judges it: see `answer_key`."""
        self._foreign, self._game, self._settings = foreign, game, settings
        self._stack = ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        self._printed = ""  # before its last start
        self._is_stopped = False
        is_program = foreign.is_program
        self._dialogue: Dialogue = ProgramDialogue() if is_program else WorkerDialogue()
        if is_program and foreign.interface:
            self._dialogue = interfaces.dialogue_of(foreign.interface, game)
        self._code = foreign.arguments if is_program else foreign.arguments[:1]
        hidden = answer_key(data, box.files_of(self._code))
        self._box = box.best(settings.readable, hidden, network=settings.network)
        self.not_confined, self.could_read_answers = self._box.not_confined, self._box.shows_hidden

    @property
    def printed(self) -> str:
        return self._printed or (self._channel.printed if self._process else "")

    def __enter__(self) -> Self:
        """Start it.

        Raises DataError when it does not load, UsageError when it does not exist or cannot be
        confined as it should be.
        """
        if self._settings.is_strict and self.not_confined:
            raise UsageError(
                f"this machine does not confine {self.not_confined}: install bubblewrap, on a "
                "Linux that allows namespaces, or choose the confinement best"
            )
        for path in filter(self._box.hides, box.files_of(self._code)):
            raise UsageError(
                f"{self._foreign.name} needs {quote(str(path))}, which lies in the answers of the "
                "judge: move it, or show it by the option allow_read"
            )
        own = self._box.bubblewrap is not None
        self._scratch = box.SCRATCH if own else self._stack.enter_context(scratch_folder())
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        self._end()
        self._stack.close()

    def ask(self, board: str, legal: list[int]) -> Heard:
        answer, faults = self._ask(board, legal)
        return cast("Returned | Reply | Fault", answer), faults

    def stop(self) -> None:
        """End the process, so that the thread that waits for an answer goes on; start no other."""
        self._is_stopped = True
        if process := self._process:
            (process.kill if self._box.bubblewrap else process.terminate)()

    def value(self, board: str) -> float | Fault:
        return cast("float | Fault", self._ask(board, None)[0])

    def _ask(
        self, board: str, legal: list[int] | None
    ) -> tuple[Returned | Reply | float | Fault, list[Fault]]:
        faults: list[Fault] = []
        try:
            heard = self._hear(board, legal, faults)
        except (DataError, UsageError) as error:
            fault = Fault("crash", str(error))
        except TimeoutError:
            late = f"no answer within {self._settings.seconds:g} s, twice"
            late += f"; {faults[-1].detail}" if faults else ""
            fault = Fault(TIME_OUT, late, self._cure_of_silence())
        except FloodError:
            fault = Fault("flood", "more bytes than an answer may have")
        except (EndedError, OSError):
            fault = self._how_it_ended()
        else:
            answer = heard.answer
            assert answer is not None
            if isinstance(answer, Fault) and is_outage(answer) and not self._settings.network:
                answer = replace(answer, cure="the option allow_network lets it use the network")
            return answer, [*faults, *heard.faults]
        self._end()
        return fault, faults

    def _cure_of_silence(self) -> str:
        more_time = "the option timeout gives it more time"
        if not self._foreign.is_program:
            return more_time
        if self._foreign.interface:
            ends = "an answer of GTP begins with = or ?, ends with an empty line, and is flushed"
            return f"{ends}; {more_time}"
        said = cut(self.printed.strip().partition("\n")[0])
        wrote = f"it wrote {said!r} to standard error; " if said else ""
        return (
            f"{wrote}a program must answer each line at once, on standard output, the number of "
            "the question first, and flush its output; programs that speak GTP are asked by "
            f"{interfaces.option_of('gtp')}; {more_time}"
        )

    def _hear(self, board: str, legal: list[int] | None, faults: list[Fault]) -> ReadLine:
        """Ask, and once more in a new process when no answer comes in time.

        One late answer may be the fault of a busy machine; the second is the AI's own.
        """
        try:
            return self._hear_once(board, legal, faults)
        except TimeoutError:
            self._end()
            return self._hear_once(board, legal, faults)

    def _hear_once(self, board: str, legal: list[int] | None, faults: list[Fault]) -> ReadLine:
        """Send a question and wait for its answer; other lines are faults besides it."""
        if self._is_stopped:
            raise EndedError
        if self._process is None:
            self._start()
        if stray := self._channel.stray():
            faults.append(self._out_of_turn(stray))
        until = time.monotonic() + self._settings.seconds
        self._channel.send(self._dialogue.question(board, legal), until)
        while True:
            heard = self._dialogue.heard(line := self._channel.receive(until))
            if heard is None and not faults:
                faults.append(self._out_of_turn(line))
            if heard is not None and heard.answer is not None:
                return heard

    def _out_of_turn(self, line: bytes) -> Fault:
        wrong = cut(line.decode(errors="replace").strip())
        return Fault("out of turn", f"it wrote {wrong!r}; expected {self._dialogue.expected}")

    def _start(self) -> None:
        foreign, settings = self._foreign, self._settings
        environment = {
            **{name: value for name, value in os.environ.items() if self._may_see(name)},
            "PYTHONDONTWRITEBYTECODE": "1",
            "TMPDIR": str(self._scratch),
            "MARUBATSU_PROTOCOL": str(PROTOCOL),
            "MARUBATSU_GAME": self._game.notation,
            "OPENBLAS_NUM_THREADS": "1",  # The stacks of their threads would count as memory.
            "OMP_NUM_THREADS": "1",
        }
        is_program = foreign.is_program
        visible = self._box.visible(self._code)
        is_boxed = self._box.bubblewrap is not None
        confinement = Confinement(
            scratch=str(self._scratch),
            scratch_bytes=box.SCRATCH_BYTES,
            memory=settings.memory,
            readable=["/"] if is_boxed else [str(path) for path in visible],
            hidden=[] if is_boxed else [str(path) for path in self._box.holes],
            network=settings.network,
            is_boxed=is_boxed,
        )
        worker = [sys.executable, "-P", "-m", "marubatsu.judge.agents.agent_worker",
                  json.dumps(asdict(confinement)), foreign.interface or "", foreign.kind,
                  *foreign.arguments]  # fmt: skip
        try:
            self._process = subprocess.Popen(  # noqa: S603, running it is what the user asks for
                self._box.command(worker, visible),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise DataError(f"{foreign.name} cannot be started: {error.strerror}") from error
        end = signal.SIGKILL if is_boxed else signal.SIGTERM  # Its supervisor ends the others.
        self._watch = MemoryWatch(self._process, settings.memory, end)
        self._channel = Channel(self._process)
        self._watch.start()
        if not is_program:
            self._load()

    def _may_see(self, variable: str) -> bool:
        is_ours = variable.startswith(("LC_", "MARUBATSU_")) and variable != "MARUBATSU_DATA"
        return is_ours or variable in _ENVIRONMENT or variable in self._settings.variables

    def _load(self) -> None:
        """Wait until our worker has loaded a function. Raises DataError or UsageError if not."""
        name = self._foreign.name
        try:
            message = started(self._channel.receive(time.monotonic() + _STARTING))
        except TimeoutError:
            raise DataError(f"{name} did not load within {_STARTING:g} s") from None
        except (EndedError, FloodError, OSError):
            raise DataError(f"{name} cannot be loaded: {self._how_it_ended().detail}") from None
        if message is None:
            raise DataError(
                f"{name} cannot be loaded: while it is imported, it writes to descriptor 1, where "
                "its answers go; leave that out"
            )
        if "failed" in message:
            error = UsageError if message.get("usage") else DataError
            raise error(f"{name} cannot be loaded: {message['failed']}")

    def _how_it_ended(self) -> Fault:
        if self._process is None:
            return Fault("crash", "it was stopped")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_ENDING)
        code = self._process.poll()
        if self._watch.is_over:
            return Fault(
                "memory",
                "its processes use more memory together than it may have",
                "the option agent_memory gives it more",
            )
        if code is None:
            return Fault("crash", "it closed its output")
        if _BY_SIGNAL < code <= _BY_SIGNAL + signal.NSIG and self._box.bubblewrap:
            code = _BY_SIGNAL - code
        if code < 0:
            return Fault("crash", f"it was killed by {signal_name(-code)}")
        if not code:
            cure = "a program answers a line for each line, until its input ends"
            return Fault("crash", "it ended with exit code 0", cure)
        last = self._channel.last_line()
        said = f", and last printed {cut(last)!r}" if last else ""
        return Fault("crash", f"it ended with exit code {code}{said}")

    def _end(self) -> None:
        if self._process is None:
            return
        self._watch.stop()
        if not self._box.bubblewrap:
            self._process.terminate()  # Its supervisor then ends what has left the session.
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_SUPERVISED)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        self._printed = self.printed
        self._channel.close()
        self._process = None


def signal_name(number: int) -> str:
    """Return the name of a signal; some have only a number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
