"""Items and replies, as they are read from files or given in Python."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.recorded_game import (
    GamePlace,
    as_object,
    objects,
    open_log,
    quoted_json,
)
from marubatsu.pipeline.support.errors import UsageError

MOST_TEXT = 300  # characters of an id, or of a name in an item
MOST_PLY = 63  # no board has more cells
_TEXTS = ("id", "game", "split", "notation", "form")

Placed = Iterable[tuple[GamePlace, Mapping[str, Any]]]  # objects with their places in a file
_MOVE = re.compile(r"[a-z]{1,2}[0-9]{1,2}|[0-9]{1,3}")


@dataclass(frozen=True)
class AnswerKey:
    """The parts of an item that a grade needs."""

    place: GamePlace
    id: str
    game: str
    split: str
    notation: str
    form: str
    twin_of: str | None  # id of the original; None: it is one
    ply: int
    hardness: float
    class_: int | None  # number of the original's class, where the item has it
    losses: Mapping[str, int]  # of each legal move, as a reply names it

    @property
    def position(self) -> tuple[str, int | str]:
        """What an original shares with its twins and its other notations, the game included."""
        return self.game, (self.twin_of or self.id) if self.class_ is None else self.class_

    @property
    def is_critical(self) -> bool:
        """Whether some legal move is not a best move."""
        return any(self.losses.values())


@dataclass(frozen=True)
class ReplyToItem:
    """A reply, and its place in a file."""

    place: GamePlace
    text: str | None  # None: there is no reply


def read(file: Path) -> Placed:
    """Read the objects of a file of JSON lines. Raises UsageError, which names the line."""
    return objects(open_log(file))


def in_memory(things: Iterable[object], what: str) -> Placed:
    """Yield objects from memory; an error calls the first one line 1. Raises UsageError."""
    for number, each in enumerate(things, start=1):
        place = GamePlace(what, number)
        yield place, as_object(place, each)


def items_in(placed: Placed) -> dict[str, AnswerKey]:
    """Return the items among objects, by id. Raises UsageError for other objects, and for none."""
    items: dict[str, AnswerKey] = {}
    for place, each in placed:
        if "moves" not in each and "reply" in each:
            raise place.fault("this is no file of items: are the two files swapped?")
        item = _item(place, each)
        if item.id in items:
            raise place.fault(f"another item {_first(item.id, items[item.id].place)}")
        items[item.id] = item
    if not items:
        raise UsageError("there are no items: expected what `marubatsu items` writes")
    return items


def replies_in(placed: Placed) -> dict[str, ReplyToItem]:
    """Return the replies among objects, by the id of their item. Raises UsageError for others."""
    replies: dict[str, ReplyToItem] = {}
    for place, each in placed:
        text = each.get("reply")
        if "reply" not in each or not isinstance(text, str | None):
            raise place.fault(
                f'"reply" is {quoted_json(text)}: expected {{"id": …, "reply": …}} with a text, or '
                "null where there is no reply"
            )
        name = _text(place, each, "id")
        if name in replies:
            raise place.fault(f"another reply {_first(name, replies[name].place)}")
        replies[name] = ReplyToItem(place, text)
    return replies


def _first(name: str, place: GamePlace) -> str:
    return f"with the id {quote(name)}: line {place.line} has the first"


def _item(place: GamePlace, values: Mapping[str, Any]) -> AnswerKey:
    twin_of = None if values.get("twin_of") is None else _text(place, values, "twin_of")
    ply, hardness = values.get("ply"), values.get("hardness")
    if not isinstance(ply, int) or isinstance(ply, bool) or not 0 <= ply <= MOST_PLY:
        raise _fault(place, values, "ply", f"a number from 0 to {MOST_PLY}")
    is_number = isinstance(hardness, int | float) and not isinstance(hardness, bool)
    if hardness is None or not is_number or not 0 <= hardness <= 1:
        raise _fault(place, values, "hardness", "a number from 0 to 1")
    class_ = values.get("class")
    if class_ is not None and (type(class_) is not int or class_ < 0):
        raise _fault(place, values, "class", "a number of 0 or more, or none")
    return AnswerKey(
        place=place,
        **{name: _text(place, values, name) for name in _TEXTS},
        twin_of=twin_of,
        ply=ply,
        hardness=float(hardness),
        class_=class_,
        losses=_losses(place, values),
    )


def _losses(place: GamePlace, values: Mapping[str, Any]) -> dict[str, int]:
    moves, losses = values.get("moves"), values.get("losses")
    if (
        not isinstance(moves, list)
        or not all(isinstance(move, str) and _MOVE.fullmatch(move) for move in moves)
        or not len({*moves}) == len(moves) > 0
        or len({move.isdecimal() for move in moves}) > 1
    ):
        raise _fault(place, values, "moves", "a list of different cells, all as b2 or all as 4")
    if (
        not isinstance(losses, list)
        or len(losses) != len(moves)
        or not all(type(loss) is int and 0 <= loss <= 2 for loss in losses)
        or 0 not in losses
    ):
        raise _fault(place, values, "losses", "a list with 0, 1 or 2 for each move, and one 0")
    return dict(zip(moves, losses, strict=True))


def _text(place: GamePlace, values: Mapping[str, Any], name: str) -> str:
    """Return a short text of an object, which controls nothing where it is shown."""
    text = values.get(name)
    if not isinstance(text, str) or not 0 < len(text) <= MOST_TEXT or not text.isprintable():
        raise _fault(place, values, name, f"a text of 1 to {MOST_TEXT} printable characters")
    return text


def _fault(place: GamePlace, values: Mapping[str, Any], name: str, expected: str) -> UsageError:
    return place.fault(f'"{name}" is {quoted_json(values.get(name))}: expected {expected}')
