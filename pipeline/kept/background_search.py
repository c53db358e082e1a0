"""A compiled search in a thread of its own, so that the main thread hears Ctrl-C meanwhile."""

from collections.abc import Callable
from threading import Thread
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")

_LOOK = 0.05  # seconds between looks at the thread


class _Background(Thread, Generic[Result]):
    """A thread that keeps what a call returns, or raises."""

    def __init__(self, call: Callable[[], Result]) -> None:
        super().__init__(daemon=True)
        self._call = call
        self.found: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.found = self._call()
        except BaseException as error:  # noqa: BLE001, raised again by who waits
            self.error = error


def in_background(
    call: Callable[[], Result], stop: Callable[[], None], look: Callable[[], None] = lambda: None
) -> Result:
    """Return what a call returns; ``stop`` ends it when ``look`` or a signal raises an error.

    ``look`` is called some times a second.
    """
    thread = _Background(call)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_LOOK)
            look()
    except BaseException:
        stop()
        thread.join()
        raise
    if thread.error:
        raise thread.error
    found: Result = thread.found
    return found
