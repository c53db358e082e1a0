"""Replies of a user's own program, or in files, graded."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from marubatsu.pipeline.items.grade import Grade, grade
from marubatsu.pipeline.items.replies import given, items_in, read, replies_in


def grade_here(
    items: Iterable[Mapping[str, Any]] | str | Path,
    replies: Mapping[str, str | None] | str | Path,
) -> Grade:
    """Grade replies, both from memory or a file. Raises UsageError, which names the line."""
    asked = read(Path(items)) if isinstance(items, str | Path) else given(items, "the given items")
    if isinstance(replies, str | Path):
        return grade(items_in(asked), replies_in(read(Path(replies))))
    pairs = ({"id": name, "reply": text} for name, text in replies.items())
    return grade(items_in(asked), replies_in(given(pairs, "the given replies")))
