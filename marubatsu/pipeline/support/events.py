"""What a process says and hears: notes and steps on standard error; signals, which end its work.

A line of --log-json is one JSON object. Its keys are ``seconds`` since the start, ``event``,
``message`` (the sentence of --verbose), and those that belong to the event. Odd callers leave
streams closed, or without Unicode: `mend_streams` repairs them. `held_back` delays signals until
nothing is half done.
"""

import codecs
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import Any, TextIO

from marubatsu.version import STARTED

note_words: Callable[[str], str] = str
"""Words notes for those who read them; commands name options as users type them."""

shows_steps = False
"""Whether every step is written, with the time since the start, not only what a user must know."""

writes_json = False
"""Whether each line is a JSON object."""

_noted: set[tuple[str, str]] = set()


def choose_by(*, verbose: bool, log_json: bool) -> None:
    """Choose for the rest of the run what is written; ``--log-json`` decides over the form."""
    global shows_steps, writes_json
    shows_steps, writes_json = verbose or log_json, log_json
    _noted.clear()


def note(event: str, message: str, **facts: Any) -> None:
    """Write what a user must know."""
    seconds, message = time.perf_counter() - STARTED, note_words(message)
    if writes_json:
        from marubatsu.pipeline.support.json_text import json_text

        record = {"seconds": round(seconds, 3), "event": event, "message": message, **facts}
        line = json_text(record, is_ascii=not has_unicode(sys.stderr))
    elif shows_steps:
        line = f"{seconds:8.2f} s  {message}"
    else:
        line = message
    sys.stderr.write(line + "\n")  # At once, so that lines of two threads do not mix.
    sys.stderr.flush()


def note_once(event: str, about: str, message: str, **facts: Any) -> None:
    """Write what a user must know, once in a run for each event and subject."""
    if (event, about) not in _noted:
        _noted.add((event, about))
        note(event, message, **facts)


def step(event: str, message: str, **facts: Any) -> None:
    """Write a step, where steps are shown."""
    if shows_steps:
        note(event, message, **facts)


class _Lossy(io.FileIO):
    """Standard error. What cannot be written there is lost, and changes no run and no exit code."""

    def write(self, data: Any) -> int:
        """Write what can be written."""
        with suppress(OSError):
            return super().write(data)
        return len(data)


def mend_streams() -> None:
    """Open the standard streams that are closed, and let no character fail to be written.

    Otherwise the next file that is opened takes the number of a closed stream, and what is printed
    goes there. A closed input is empty, a closed output refuses what is written, and closed errors
    are lost, as on a full disk. A character that the encoding of a stream lacks is written as an
    escape sequence. A byte that the encoding of the input lacks is read as half a surrogate pair.
    """
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)  # It takes the lowest number.
        os.set_blocking(number, True)  # Else Python loses what a full pipe does not take.
    sys.stdin = sys.stdin or os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="surrogateescape")
    for stream in (sys.stdout, sys.stderr):
        is_own_choice = stream.errors not in ("strict", "surrogateescape")
        if isinstance(stream, io.TextIOWrapper) and not is_own_choice:
            stream.reconfigure(errors="backslashreplace")
    buffer_output()
    if isinstance(sys.stderr, io.TextIOWrapper):
        raw = io.BufferedWriter(_Lossy(2, "w", closefd=False))
        encoding, errors = sys.stderr.encoding, sys.stderr.errors
        sys.stderr = io.TextIOWrapper(raw, encoding, errors, line_buffering=True)


def buffer_output() -> None:
    """Give standard output a buffer where PYTHONUNBUFFERED takes it; its lines still come at once.

    Without one, Python loses the rest of what a signal interrupts in writing, as Ctrl-Z and fg do.
    """
    if isinstance(getattr(sys.stdout, "buffer", None), io.RawIOBase):
        encoding, errors = sys.stdout.encoding, sys.stdout.errors
        whole = io.BufferedWriter(sys.stdout.buffer)
        sys.stdout = io.TextIOWrapper(whole, encoding, errors, line_buffering=True)


def drop_output() -> None:
    """Let standard output lead nowhere, unless somebody in this process reads it."""
    with suppress(io.UnsupportedOperation):
        output = sys.stdout.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), output)


def has_unicode(out: TextIO) -> bool:
    """Whether every character can be written to a stream."""
    return codecs.lookup(out.encoding or "utf-8").name.startswith("utf")


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(KeyboardInterrupt):
    """A request to stop the process; ``number`` is the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


class Held:
    """Signals received and not yet handled."""

    def __init__(self) -> None:
        self._number = 0
        self._at_once = False
        self.at_end = ExitStack()

    def stop_if_asked(self) -> None:
        """Raise Interrupted when a signal has come; call it wherever it is safe to stop."""
        if self._number:
            raise Interrupted(self._number)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Let signals raise Interrupted at once, also out of a call that waits."""
        self._at_once = True
        try:
            self.stop_if_asked()
            yield
        finally:
            self._at_once = False

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal."""
        if not self._number:
            self._number = number
            self.at_end.enter_context(no_compiling(Interrupted(number)))
        if self._at_once:
            self.stop_if_asked()


@contextmanager
def no_compiling(after: BaseException | None) -> Iterator[None]:
    """After a signal, raise its error in threads that compile a kernel, which may take a minute."""
    event: Any = sys.modules.get("numba.core.event")
    is_signal = isinstance(after, KeyboardInterrupt | SystemExit)
    if not (is_signal and hasattr(event, "install_listener")):  # It may be half loaded.
        yield
        return

    class Refusal(event.Listener):  # type: ignore[misc]  # Numba's class
        """Hears when Numba is about to lock the compiler, as it does some times a second."""

        def on_start(self, _: object) -> None:
            raise after  # type: ignore[misc]

        def on_end(self, _: object) -> None:
            """Let it go."""

    with event.install_listener("numba:compiler_lock", Refusal()):
        yield


@contextmanager
def held_back() -> Iterator[Held]:
    """Hold signals back; raise Interrupted at the end when one came and was not handled.

    Outside the main thread nothing is held back. A signal that the process ignores (nohup, a job in
    the background) stays ignored.
    """
    held = Held()
    if threading.current_thread() is not threading.main_thread():
        yield held
        return
    previous = {
        number: signal.signal(number, held.hear)
        for number in SIGNALS
        if signal.getsignal(number) not in (signal.SIG_IGN, None)
    }
    try:
        yield held
    finally:
        held.at_end.close()
        for number, handler in previous.items():
            signal.signal(number, handler)
    held.stop_if_asked()
