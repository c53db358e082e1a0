"""Replies of a user's own program, or in files, graded."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.items.grade import Grade, grade
from marubatsu.pipeline.items.renumbered import renumbered
from marubatsu.pipeline.items.replies import given, items_in, read, replies_in
from marubatsu.pipeline.support.errors import UsageError


def grade_here(
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
        return grade(asked, replies_in(read(Path(replies))))
    pairs = ({"id": name, "reply": text} for name, text in replies.items())
    return grade(asked, replies_in(given(pairs, "the given replies")))
