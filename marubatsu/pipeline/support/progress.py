"""The progress of work on standard error, and the waiting for another process.

On a terminal, a bar with the estimated time left appears after one second. Elsewhere, and with
--verbose or --log-json, a line appears every ten seconds.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from marubatsu.pipeline.support import events
from marubatsu.pipeline.support.errors import BusyError

if TYPE_CHECKING:
    from rich.progress import Progress

BAR_AFTER = 1.0
"""Seconds before a bar is shown."""

LINE_EVERY = 10.0
"""Seconds before the first line, and between lines."""

_LEAST_DONE = 0.005
"""The share that has to be done before it says how long the rest takes."""

_waits = True


class Advance(Protocol):
    """A function that takes the share done, if it is known, and a note to show after it."""

    def __call__(self, share: float | None, note: str = "") -> None:
        """Show the progress."""


class _Lines:
    """Lines of progress, for logs, with the time that is left at the pace so far."""

    def __init__(self, label: str) -> None:
        self._label, self._note = label, ""
        self._share: float | None = None
        self._first, self._began = 0.0, 0.0  # when the share was first reported, or last fell

    @property
    def period(self) -> float:
        """Seconds before it is shown, and shown again."""
        return LINE_EVERY

    def advance(self, share: float | None, note: str = "") -> None:
        if share is not None and (self._share is None or share < self._share):
            self._first, self._began = share, monotonic()
        self._share, self._note = share, note

    @property
    def left(self) -> str:
        """The time that is left in words; empty while too little is done to know it."""
        if self._share is None or self._share - self._first < _LEAST_DONE:
            return ""
        passed, done = monotonic() - self._began, self._share - self._first
        seconds = passed * (1 - self._share) / done
        return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:,.0f} min"

    def show(self) -> None:
        share, note, left = self._share, self._note, self.left  # Another thread changes them.
        text = "in progress" if share is None else f"{100 * share:.0f} %"
        left = left and f"about {left} left"
        message = ", ".join(filter(None, (f"{self._label}: {text}", left, note)))
        events.note("progress", message, label=self._label, share=share, note=note)

    def end(self) -> None:
        """Leave the lines."""


class _Bar(_Lines):
    """A bar, which disappears at the end."""

    period = BAR_AFTER
    _bar: "Progress | None" = None

    def advance(self, share: float | None, note: str = "") -> None:
        super().advance(share, note)
        if self._bar is not None:
            total = None if share is None else 1.0
            left = self.left and f"{self.left} left"
            text = " ".join(filter(None, (left, note)))
            self._bar.update(self._bar.task_ids[0], total=total, completed=share, note=text)

    def show(self) -> None:
        if self._bar is None:
            from rich import progress as bars
            from rich.console import Console

            text, note = map(bars.TextColumn, ("{task.description}", "{task.fields[note]}"))
            columns = (text, bars.BarColumn(), bars.TimeElapsedColumn(), note)
            bar = bars.Progress(*columns, console=Console(stderr=True), transient=True)
            bar.add_task(self._label, total=None, note="")
            bar.start()
            self._bar = bar

    def end(self) -> None:
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def progress(label: str) -> Iterator[Advance]:
    """Show on standard error that work is in progress; yield a function that takes the share done.

    Until its first call a bar only moves; then it shows the share done and the time left. Nothing
    is shown when the variable MARUBATSU_PROGRESS is ``off``.
    """
    events.step("begin", f"{label}: begun", label=label)
    if os.environ.get("MARUBATSU_PROGRESS") == "off":
        yield lambda share, note="": None
        return
    has_bar = sys.stderr.isatty() and not events.shows_steps
    display = _Bar(label) if has_bar else _Lines(label)
    ended = Event()

    def show() -> None:
        while not ended.wait(display.period):
            display.show()

    thread = Thread(target=show, daemon=True)
    thread.start()
    try:
        yield display.advance
    finally:
        ended.set()
        thread.join()
        display.end()


def refuse_waiting(*, refused: bool) -> None:
    """Choose for the rest of the run whether `say_waiting` raises an error instead."""
    global _waits  # noqa: PLW0603, the option of a command
    _waits = not refused


def say_waiting(holder: str) -> None:
    """Say for whom this process waits. Raises BusyError, which names it, if that is refused."""
    if not _waits:
        from marubatsu.pipeline.support.cures import Cure

        raise BusyError(f"{holder} holds this data set", Cure("not wait"), holder=holder)
    events.note("waiting", f"waiting for {holder}, which holds this data set", holder=holder)
