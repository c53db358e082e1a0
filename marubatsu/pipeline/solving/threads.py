"""Threads on all cores, with a limit on results that wait to be read."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from marubatsu.pipeline.support.machine import cores

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class WorkerThreads(ThreadPoolExecutor):
    """A thread for each core, for kernels, which release the interpreter lock.

    At the end of its block, what has not begun is not done.
    """

    def __init__(self) -> None:
        self.threads = cores()
        super().__init__(self.threads)

    def __exit__(self, *exception: object) -> None:
        self.shutdown(cancel_futures=True)

    def each(
        self, function: Callable[[_Item], _Result], items: Iterable[_Item]
    ) -> Iterator[_Result]:
        """Yield results in the order of the items; at most two per thread run ahead."""
        waiting: deque[Future[_Result]] = deque()
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
