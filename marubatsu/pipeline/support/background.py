"""Work next to the main thread, which hears signals: in threads or processes; a time limit."""

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from types import FrameType
from typing import Any, TypeVar

from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.events import buffer_output, no_compiling
from marubatsu.pipeline.support.machine import cores

Item = TypeVar("Item")
Result = TypeVar("Result")

_LOOK = 0.05  # seconds between looks at a thread
_AGAIN = 1.0  # seconds after which an error is raised once more, where Python dropped it


def in_background(
    call: Callable[[], Result],
    stop: Callable[[], None] | None,
    look: Callable[[], None] = lambda: None,
) -> Result:
    """Call in another thread, while this one hears signals; ``look`` some times a second.

    When that or a signal raises, ``stop`` the call and wait for its end; None leaves it alone. An
    order to stop that comes between two steps of the call may be lost, so it is given again.
    """
    outcome: Future[Result] = Future()
    ended = threading.Event()  # A signal that ends `join` makes a thread look dead.
    outcome.add_done_callback(lambda _: ended.set())

    def run() -> None:
        try:
            outcome.set_result(call())
        except BaseException as error:  # noqa: BLE001, raised again by who waits
            outcome.set_exception(error)

    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()
        while not ended.wait(_LOOK):
            look()
        look()
    except BaseException as error:
        if stop and thread.ident:  # It has started.
            stop()
            with no_compiling(error):
                while not ended.wait(_LOOK):
                    stop()
        raise
    return outcome.result()


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
    """Threads, by default one for each core: for kernels, or to wait for other processes.

    At the end of its block, what has not begun is not done.
    """

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or cores()
        super().__init__(self.threads)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        with no_compiling(error):
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


class WorkerProcesses:
    """Processes that wait for work, one for each processor, until `close` ends them.

    `concurrent.futures` does not fit: its processes outlive a killed parent, and need an importable
    main module. Each process runs this module, gets pickled (function, arguments) on standard
    input, and writes pickled (success, result or exception) until its input ends.
    """

    def __init__(self) -> None:
        self._processes = [
            subprocess.Popen(
                [sys.executable, "-P", "-m", "marubatsu.pipeline.support.background"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C goes to the parent only.
            )
            for _ in range(cores())
        ]
        self._idle: SimpleQueue[subprocess.Popen[bytes]] = SimpleQueue()
        for process in self._processes:
            self._idle.put(process)

    def close(self) -> None:
        """End them, also while they work."""
        for process in self._processes:
            process.kill()
            with suppress(OSError), process:  # It closes the pipes.
                pass

    def call(
        self,
        function: Callable[..., Result],
        tasks: Sequence[tuple[Any, ...]],
        progress: Callable[[float], None],
    ) -> list[Result]:
        """Call a function of a module with the arguments of each task; return the results in order.

        ``progress`` gets the share done, some times a second. An exception of it or of the function
        ends the workers and is raised here.
        Raises DataError when a worker is lost.
        """

        def ask(arguments: tuple[Any, ...]) -> Result:
            process = self._idle.get()
            try:
                result: Result = _answer_of(process, (function, arguments))
            finally:
                self._idle.put(process)
            return result

        results: list[Result] = []
        with ThreadPoolExecutor(len(self._processes)) as threads:
            try:
                for future in [threads.submit(ask, each) for each in tasks]:
                    while not wait([future], _LOOK).done:
                        progress(len(results) / len(tasks))
                    results.append(future.result())
                    progress(len(results) / len(tasks))
            except BaseException:
                self.close()  # Otherwise the threads would wait for results without a use.
                threads.shutdown(cancel_futures=True)
                raise
        return results


def _answer_of(process: subprocess.Popen[bytes], task: object) -> Any:
    assert process.stdin
    assert process.stdout
    try:
        pickle.dump(task, process.stdin)
        process.stdin.flush()
        well, result = pickle.load(process.stdout)  # noqa: S301, our own worker wrote it
    except (EOFError, OSError, ValueError, pickle.UnpicklingError) as error:
        raise DataError(
            "a process that did part of the work was ended, as too little memory does: "
            "nothing is changed, run the command again"
        ) from error
    if not well:
        raise result
    return result


def _work() -> None:
    buffer_output()
    requests, output = sys.stdin.buffer, sys.stdout  # Without a name, it would be closed.
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
            pickle.dump(answer, output.buffer, pickle.HIGHEST_PROTOCOL)
            output.flush()
        except OSError:  # The parent has ended.
            os._exit(1)


if __name__ == "__main__":
    _work()
