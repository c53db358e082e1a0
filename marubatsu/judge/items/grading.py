"""Replies of a user's own program, or in files, graded."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from marubatsu.engine.rules.input_error import InputError, quote
from marubatsu.engine.rules.numbering import Numbering
from marubatsu.judge.items.grade import Grade, grade
from marubatsu.judge.items.renumbered import renumbered
from marubatsu.judge.items.replies import (
    AnswerKey,
    ReplyToItem,
    given,
    items_in,
    read,
    replies_in,
)
from marubatsu.pipeline.support.errors import UsageError


def grade_replies(
    items: Iterable[Mapping[str, Any]] | str | Path,
    replies: Mapping[str, str | None] | str | Path,
    numbering: str | None = None,
) -> Grade:
    """Grade replies, both from memory or a file; they name moves as the items, or in a numbering.

    Raises UsageError, which names the line, and InputError for no numbering.
    """
    if not isinstance(items, Iterable | Path):
        raise UsageError(f"{quote(items)} is no list of items: expected what `items` returns")
    if not isinstance(replies, Mapping | str | Path):
        raise UsageError(f"{quote(replies)} is no dict: expected a reply by the id of each item")
    placed = read(Path(items)) if isinstance(items, str | Path) else given(items, "the given items")
    asked = items_in(placed)
    if numbering is not None:
        asked = {name: renumbered(item, numbering) for name, item in asked.items()}
    if isinstance(replies, str | Path):
        found = replies_in(read(Path(replies)))
    else:
        pairs = ({"id": name, "reply": text} for name, text in replies.items())
        found = replies_in(given(pairs, "the given replies"))
    if not found and isinstance(replies, str | Path):
        raise UsageError(
            f'{quote(str(replies))} holds no replies: expected {{"id": ID, "reply": TEXT}} for '
            "each item"
        )
    if found and asked.keys().isdisjoint(found):
        raise UsageError(
            f"no reply has the id of an item: the first reply has {quote(next(iter(found)))}, the "
            f"first item {quote(next(iter(asked)))}"
        )
    graded = grade(asked, found)
    if numbering is None and 2 * _unread(graded) > graded.replies:
        return replace(graded, fitting_numberings=_fitting(asked, found, graded.replies))
    return graded


def _unread(graded: Grade) -> int:
    """Return how many replies name no legal move."""
    whole = graded.shares.records()[0]
    return int(whole["illegal"] + whole["unparsable"])


def _fitting(
    asked: Mapping[str, AnswerKey], found: Mapping[str, ReplyToItem], replies: int
) -> list[str]:
    """List the numberings in which most replies name a legal move; none for unknown items."""
    fitting = []
    for numbering in Numbering:
        try:
            items = {name: renumbered(item, numbering) for name, item in asked.items()}
        except (UsageError, InputError):
            continue
        if 2 * _unread(grade(items, found)) <= replies:
            fitting.append(numbering.value)
    return fitting
