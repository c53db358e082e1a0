"""Signals that end work: delayed until nothing is half done."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

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
        self._number = self._number or number
        if self._at_once:
            self.stop_if_asked()


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
        for number, handler in previous.items():
            signal.signal(number, handler)
    held.stop_if_asked()
