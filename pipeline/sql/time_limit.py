"""A limit of time for a block of code, also while it waits for somebody to read its output."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from marubatsu.pipeline.support.streams import drop_output

_AGAIN = 1.0  # seconds: closing a file that nobody reads may wait once more


@contextmanager
def ended_after(seconds: float, error: Callable[[], Exception]) -> Iterator[None]:
    """Raise an error in the block when its time is up. Only the main thread may call this.

    A signal does it, because a write to a pipe that nobody reads returns for nothing else. What
    standard output still holds is then dropped, because writing it would wait again.
    """

    def end(number: int, frame: FrameType | None) -> None:
        drop_output()
        raise error()

    previous = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
