"""Work in a thread of its own, while the main thread shows progress and hears signals."""

import threading
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

Result = TypeVar("Result")

_LOOK = 0.05  # seconds between looks at a thread


class Background(threading.Thread, Generic[Result]):
    """A call in a thread of its own, so that the main thread shows progress and hears signals."""

    def __init__(self, call: Callable[[], Result]) -> None:
        super().__init__(daemon=True)
        self._call = call
        self._found: list[Result] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        """Call, and keep what comes of it."""
        try:
            self._found.append(self._call())
        except BaseException as error:  # noqa: BLE001, raised again by who waits
            self._error = error

    def looks(self) -> Iterator[None]:
        """Start, and yield some times a second until the call has ended."""
        self.start()
        while self.is_alive():
            self.join(_LOOK)
            yield

    def result(self) -> Result:
        """Return what the call returned, or raise what it raised, after its end."""
        if self._error:
            raise self._error
        return self._found[0]


def in_background(
    call: Callable[[], Result], stop: Callable[[], None], look: Callable[[], None] = lambda: None
) -> Result:
    """Return what a call returns; ``stop`` ends it when ``look`` or a signal raises an error.

    ``look`` is called some times a second.
    """
    thread = Background(call)
    try:
        for _ in thread.looks():
            look()
    except BaseException:
        stop()
        thread.join()
        raise
    return thread.result()
