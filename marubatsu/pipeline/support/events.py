"""Notes on standard error, and with --verbose or --log-json every step.

A line of --log-json is one JSON object. Its keys are ``seconds`` since the start, ``event``,
``message`` (the sentence of --verbose), and those that belong to the event.
"""

import sys
import time
from enum import Enum
from typing import Any

from marubatsu.pipeline.support.streams import has_unicode
from marubatsu.version import STARTED


class Style(Enum):
    """Which messages are written, and in which form."""

    NOTES = "notes"  # only what a user must know, as sentences
    VERBOSE = "verbose"  # every step, each with the time since the start
    JSON = "json"  # every step, for programs


_chosen = Style.NOTES
_noted: set[tuple[str, str]] = set()


def choose_by(*, verbose: bool, log_json: bool) -> None:
    """Choose the style for the rest of the run; ``--log-json`` decides when both are there."""
    global _chosen  # noqa: PLW0603, standard error is one for the whole process
    _chosen = Style.JSON if log_json else Style.VERBOSE if verbose else Style.NOTES
    _noted.clear()


def tells_steps() -> bool:
    """Whether steps are written."""
    return _chosen is not Style.NOTES


def note(event: str, message: str, **facts: Any) -> None:
    """Write what a user must know."""
    seconds = time.perf_counter() - STARTED
    if _chosen is Style.JSON:
        from marubatsu.pipeline.support.json_text import json_text

        record = {"seconds": round(seconds, 3), "event": event, "message": message, **facts}
        line = json_text(record, is_ascii=not has_unicode(sys.stderr))
    elif _chosen is Style.VERBOSE:
        line = f"{seconds:8.2f} s  {message}"
    else:
        line = message
    sys.stderr.write(line + "\n")  # At once, so that lines of two threads do not mix.
    sys.stderr.flush()


def note_once(event: str, about: str, message: str, **facts: Any) -> None:
    """Write what a user must know, once in a run for each event and subject."""
    if (event, about) not in _noted:
        _noted.add((event, about))
        note(event, message, **facts)


def step(event: str, message: str, **facts: Any) -> None:
    """Write a step, where the style has steps."""
    if tells_steps():
        note(event, message, **facts)
