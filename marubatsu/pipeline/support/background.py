"""Work in threads: one, while the main thread hears signals, or one for each core; a time limit."""

import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Generic, TypeVar

from marubatsu.pipeline.support.machine import cores

Item = TypeVar("Item")
Result = TypeVar("Result")

_LOOK = 0.05  # seconds between looks at a thread
_AGAIN = 1.0  # seconds after which an error is raised once more, where Python dropped it


class Background(threading.Thread, Generic[Result]):
    """A call in a thread of its own, so that the main thread shows progress and hears signals."""

    def __init__(self, call: Callable[[], Result]) -> None:
        super().__init__(daemon=True)
        self.ended = threading.Event()  # A signal that ends `join` makes a thread look dead.
        self._call = call
        self._found: list[Result] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        """Call, and keep what comes of it."""
        try:
            self._found.append(self._call())
        except BaseException as error:  # noqa: BLE001, raised again by who waits
            self._error = error
        finally:
            self.ended.set()

    def looks(self) -> Iterator[None]:
        """Start, and yield some times a second until the call has ended, and once more."""
        self.start()
        while not self.ended.wait(_LOOK):
            yield
        yield

    def result(self) -> Result:
        """Return what the call returned, or raise what it raised, after its end."""
        if self._error:
            raise self._error
        return self._found[0]


def in_background(
    call: Callable[[], Result], stop: Callable[[], None], look: Callable[[], None] = lambda: None
) -> Result:
    """Call, and ``look`` some times a second; ``stop`` the call when that or a signal raises.

    An order to stop that comes between two steps of the call may be lost, so it is given again.
    """
    thread = Background(call)
    try:
        for _ in thread.looks():
            look()
    except BaseException:
        stop()
        while not thread.ended.wait(_LOOK):
            stop()
        raise
    return thread.result()


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


class WorkerThreads(ThreadPoolExecutor):
    """A thread for each core, for kernels, which release the interpreter lock.

    At the end of its block, what has not begun is not done.
    """

    def __init__(self) -> None:
        self.threads = cores()
        super().__init__(self.threads)

    def __exit__(self, *exception: object) -> None:
        self.shutdown(cancel_futures=True)

    def each(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield results in the order of the items; at most two per thread run ahead."""
        waiting: deque[Future[Result]] = deque()
        try:
            for item in items:
                waiting.append(self.submit(function, item))
                if len(waiting) >= 2 * self.threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
