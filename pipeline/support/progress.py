"""A progress bar with the estimated time left, on a terminal only, after one second."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE = 1.0  # seconds before anything is shown


class Advance(Protocol):
    """A function that takes the share done, and a note to show after the bar."""

    def __call__(self, share: float, note: str = "") -> None:
        """Show the progress."""


@contextmanager
def progress(label: str) -> Iterator[Advance]:
    """Show on standard error that work is in progress; yield a function that takes the share done.

    Until its first call the bar only moves; then it shows the share done and the time left.
    """
    if not sys.stderr.isatty():
        yield lambda share, note="": None
        return
    bars: list[Progress] = []

    def show() -> None:
        bars.append(_bar(label))
        bars[0].start()

    def advance(share: float, note: str = "") -> None:
        for bar in bars:
            bar.update(bar.task_ids[0], total=1.0, completed=share, note=note)

    timer = Timer(_PATIENCE, show)
    timer.daemon = True
    timer.start()
    try:
        yield advance
    finally:
        timer.cancel()
        timer.join()
        for bar in bars:
            bar.stop()


def _bar(label: str) -> "Progress":
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.add_task(label, total=None, note="")
    return bar


def say_waiting() -> None:
    """Say on standard error that another process holds the data set."""
    print("waiting for another marubatsu process that holds this data set", file=sys.stderr)
