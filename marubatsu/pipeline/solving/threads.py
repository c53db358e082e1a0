"""Threads on all cores, with a limit on results that wait to be read."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from marubatsu.pipeline.support.machine import cores

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class WorkerThreads:
    """Threads for kernels, which release the interpreter lock."""

    def __init__(self, pool: ThreadPoolExecutor, threads: int) -> None:
        self._pool = pool
        self.threads = threads

    def submit(self, function: Callable[..., _Result], *arguments: Any) -> Future[_Result]:
        """Let a thread call a function."""
        return self._pool.submit(function, *arguments)

    def map(
        self, function: Callable[[_Item], _Result], items: Iterable[_Item]
    ) -> Iterator[_Result]:
        """Yield results in the order of the items; at most two per thread run ahead."""
        waiting: deque[Future[_Result]] = deque()
        try:
            for item in items:
                waiting.append(self._pool.submit(function, item))
                if len(waiting) >= 2 * self.threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def working() -> Iterator[WorkerThreads]:
    """Start a thread for each core; at the end, what has not begun is not done."""
    with ThreadPoolExecutor(cores()) as pool:
        try:
            yield WorkerThreads(pool, cores())
        finally:
            pool.shutdown(cancel_futures=True)
