"""Signals that end work: delayed until nothing is half done, or heard where a call waits."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_AGAIN = 1.0  # seconds after which an error is raised once more, where Python dropped it


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
        for number in _SIGNALS
        if signal.getsignal(number) not in (signal.SIG_IGN, None)
    }
    try:
        yield held
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
    held.stop_if_asked()


@contextmanager
def interrupting(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function when a handler of a signal raises in the block; then raise what that raised.

    DuckDB needs it: before it returns, it waits until all its threads are done, unless ``stop``
    interrupts it; and its own error does not name the signal.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    raised: list[BaseException] = []

    def guarded(handler: Callable[[int, FrameType | None], object]) -> Callable[..., object]:
        def hear(number: int, frame: FrameType | None) -> object:
            try:
                return handler(number, frame)
            except BaseException as error:
                raised.append(error)
                stop()
                raise

        return hear

    handlers = {number: signal.getsignal(number) for number in _SIGNALS}
    previous = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number, handler in previous.items():
        signal.signal(number, guarded(handler))
    try:
        yield
    except Exception:
        if raised:
            raise raised[0] from None
        raise
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


@contextmanager
def ended_after(seconds: float, error: Callable[[], Exception]) -> Iterator[None]:
    """Raise an error in the block when its time is up. Only the main thread may call this.

    A signal does it, because a write to a pipe without a reader returns for nothing else. Python
    drops what is raised in a callback of its own, such as one of the garbage collector, and closing
    a file without a reader waits once more: then the next signal ends it.
    """

    def end(number: int, frame: FrameType | None) -> None:
        raise error()

    previous = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
