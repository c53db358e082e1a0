"""Functions called in processes of their own, on all processors.

`concurrent.futures` does not fit: its processes outlive a killed parent, and need an importable
main module. Each process runs this module, gets pickled (function, arguments) on standard input,
and writes pickled (success, result or exception) until its input ends.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from typing import Any, Self, TypeVar

from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.machine import cores

Result = TypeVar("Result")


class WorkerProcesses:
    """Processes that wait for work, one for each processor, until `close` ends them."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._count = cores()
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        for _ in range(self._count):
            self._idle.put(self._stack.enter_context(_Worker()))

    def close(self) -> None:
        """End them, also while they work."""
        self._stack.close()

    def call(
        self,
        function: Callable[..., Result],
        tasks: Sequence[tuple[Any, ...]],
        progress: Callable[[float], None],
    ) -> list[Result]:
        """Call a function of a module with the arguments of each task; return the results in order.

        ``progress`` gets the share done. An exception of it or of the function ends the workers and
        is raised here.
        Raises DataError when a worker is lost.
        """

        def ask(arguments: tuple[Any, ...]) -> Result:
            worker = self._idle.get()
            try:
                result: Result = worker.call(function, arguments)
            finally:
                self._idle.put(worker)
            return result

        results = []
        with ThreadPoolExecutor(self._count) as threads:
            try:
                for result in threads.map(ask, tasks):
                    results.append(result)
                    progress(len(results) / len(tasks))
            except BaseException:
                self.close()  # Otherwise the threads would wait for results without a use.
                threads.shutdown(cancel_futures=True)
                raise
        return results


class _Worker:
    """A process that ends with its block."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "marubatsu.pipeline.support.processes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C goes to the parent only.
        )
        return self

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Call a function in the process."""
        assert self._process.stdin
        assert self._process.stdout
        try:
            pickle.dump((function, arguments), self._process.stdin)
            self._process.stdin.flush()
            well, result = pickle.load(self._process.stdout)  # noqa: S301, our own worker wrote it
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
            raise DataError(
                "a process that did part of the work was ended, as too little memory does: "
                "nothing is changed, run the command again"
            ) from error
        if not well:
            raise result
        return result

    def __exit__(self, *exception: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe:
                    pipe.close()


def _work() -> None:
    requests, results = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # Printed text must not mix with the results.
    while True:
        try:
            function, arguments = pickle.load(requests)  # noqa: S301, our parent wrote it
        except EOFError:
            return
        try:
            answer = True, function(*arguments)
        except Exception as error:  # noqa: BLE001, it is raised where the result is wanted
            answer = False, error
        try:
            pickle.dump(answer, results, pickle.HIGHEST_PROTOCOL)
            results.flush()
        except OSError:  # The parent has ended.
            os._exit(1)


if __name__ == "__main__":
    _work()
