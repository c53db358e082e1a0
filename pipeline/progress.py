"""A bar with an estimate of the time left: on a terminal only, after a second only."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE = 1.0  # seconds before anything is shown


@contextmanager
def progress(label: str) -> Iterator[Callable[[float], None]]:
    """Yield a function that takes the share done, 0 to 1, and shows it on standard error."""
    if not sys.stderr.isatty():
        yield lambda share: None
        return
    start = time.monotonic()
    bars: list[Progress] = []

    def show(share: float) -> None:
        if not bars and time.monotonic() - start > _PATIENCE:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            bar = Progress(
                TextColumn(label),
                BarColumn(),
                TextColumn("{task.percentage:.0f} %"),
                TimeRemainingColumn(elapsed_when_finished=True),
                console=Console(stderr=True),
                transient=True,
            )
            bar.add_task(label, total=1.0)
            bar.start()
            bars.append(bar)
        for bar in bars:
            bar.update(bar.task_ids[0], completed=share)

    try:
        yield show
    finally:
        for bar in bars:
            bar.stop()


def say_waiting() -> None:
    """Tell on standard error that somebody else holds the data set."""
    print("waiting for another marubatsu process that holds this data set", file=sys.stderr)
