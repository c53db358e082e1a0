"""Replies of a user's own program, or in files, graded."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError, quote
from marubatsu.engine.rules.numbering import Numbering, move_text, numbering_of
from marubatsu.judge.items.grade import Grade
from marubatsu.judge.items.grade import grade as grade_answers
from marubatsu.judge.items.naming import Form
from marubatsu.judge.items.question import Notation, label
from marubatsu.judge.items.replies import (
    AnswerKey,
    ReplyToItem,
    given,
    items_in,
    read,
    replies_in,
)
from marubatsu.pipeline.support.errors import OptionError, UsageError


def grade(
    items: Iterable[Mapping[str, Any]] | str | Path,
    replies: Mapping[str, str | None] | str | Path,
    *,
    numbering: str | None = None,
) -> Grade:
    """Grade replies to items; a notebook shows the grade as a page.

    ``replies`` has a text by the id of each item, or None where nobody replied. Both may also be
    names of files, as in ``marubatsu grade``. Replies to questions of your own may name moves in
    another ``numbering``, one of docs/numberings.md. A reply to no item counts nowhere but in
    ``replies_to_no_item``.

    The grade has ``shares`` (`Rows`: all items, then groups of them, with percents and their 95 %
    intervals), ``twins``, ``answers`` (an item each) and ``findings``. ``best`` counts replies with
    a best move, ``right`` those of them in critical positions, and ``mean_loss`` is how much the
    moves lower the mover's score. ``least_right`` is the lower end of the interval for the share of
    right replies, 0 to 1.

    Raises UsageError, which names the line, for items and replies that are others.

    >>> from marubatsu import items
    >>> asked = items(sample=10)
    >>> found = grade(asked, {item["id"]: f"move: {item['best_moves'][0]}" for item in asked})
    >>> found.shares.only("items", "best", "critical", "right").rows[0]
    [10, 10, 6, 6]
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
    graded = grade_answers(asked, found)
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
        if 2 * _unread(grade_answers(items, found)) <= replies:
            fitting.append(numbering.value)
    return fitting


def renumbered(item: AnswerKey, numbering: str) -> AnswerKey:
    """Return an item with its moves as a numbering writes them.

    Raises InputError for no numbering of its game, OptionError for one whose moves are pairs, and
    UsageError, which names the line, for an item of another game or form.
    """
    chosen = numbering_of(numbering)
    try:
        game, form, notation = Game(item.game), Form(item.form), Notation(item.notation)
    except ValueError as error:
        raise item.place.fault(f"the item has no known game, form and notation: {error}") from None
    texts = [move_text(game, cell, chosen) for cell in range(game.cells)]
    if "," in texts[0]:
        raise OptionError("numbering", numbering, "expected one whose moves are a number or a name")
    labels = [label(game, notation, form.naming, cell) for cell in range(game.cells)]
    cells = dict(zip(labels, texts, strict=True))
    unknown = next((move for move in item.losses if move not in cells), None)
    if unknown is not None:
        raise item.place.fault(f"{quote(unknown)} is no cell of {game.name} in this item")
    return replace(item, losses={cells[move]: loss for move, loss in item.losses.items()})
