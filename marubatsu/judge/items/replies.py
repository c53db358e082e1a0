"""Items with their answers, replies to them, and the move in a reply."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from marubatsu.engine.notations.signs import half_width
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.recorded_game import GamePlace, objects, open_log, quoted_json
from marubatsu.pipeline.support.errors import UsageError

MOST_TEXT = 300  # characters of an id, or of a name in an item
MOST_PLY = 63  # no board has more cells
_TEXTS = ("id", "game", "split", "notation", "form")

Placed = Iterable[tuple[GamePlace, Mapping[str, Any]]]  # objects with their places in a file
_MOVE = re.compile(r"[a-z]{1,2}[0-9]{1,2}|[0-9]{1,3}")

_NEAR = "[^\\W_\u3041-\u30ff\u4e00-\u9fff]"
"""What a cell is part of another word with: letters and digits, but no Japanese ones."""

_FORM = re.compile(r"\W*move[\s*_`]*[:=](.*)", re.IGNORECASE | re.DOTALL)
_NAME = re.compile(rf"(?<!{_NEAR})[a-z]{{1,2}}[0-9]{{1,2}}(?!{_NEAR})", re.IGNORECASE)
_NUMBER = re.compile(rf"(?<!{_NEAR})[0-9]{{1,3}}(?!{_NEAR})")
_CALLED = re.compile(
    rf"(?:\bcell\b|\bmove[\s*_`\"']*[:=])\W{{0,5}}([0-9]{{1,3}})(?!{_NEAR})"
    r"(?:\s*[,;/]\s*[0-9]|[.:][0-9])?",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    r"(?:\bnot|n['\u2019]t|\bnever|\bavoid)(?:\W{1,5}(?:play|take|choose|pick|fill|use|to|the|cell))*"
    r"\W{1,5}[a-z]{0,2}[0-9]{1,3}"
)
"""A cell that is not chosen, as in: I would not play b2."""

_THOUGHTS = re.compile(r"\A.*</think(?:ing)?>|<think(?:ing)?>.*", re.DOTALL)
"""What comes before a reply, and what is no reply because it was cut off."""

_NO_CELL = re.compile(r"(?<!\w)[-−–.][0-9]|[0-9]\s*[,;/]\s*[0-9]|[0-9][.:][0-9]")  # noqa: RUF001
"""Numbers that are no cell: -1, 0.5, and pairs such as a row and a column."""


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
    losses: Mapping[str, int]  # of each legal move, as a reply names it

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
        if not isinstance(each, Mapping):
            raise place.fault(f"expected an object, got {quoted_json(each)}")
        yield place, each


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
                "null where nobody replied"
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
    return AnswerKey(
        place=place,
        **{name: _text(place, values, name) for name in _TEXTS},
        twin_of=twin_of,
        ply=ply,
        hardness=float(hardness),
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


class ReplyVerdict(StrEnum):
    """What a reply is worth."""

    BEST = "best"  # a best move
    WORSE = "worse"  # a legal move that lowers the mover's score
    ILLEGAL = "illegal"  # a cell that the mover may not fill
    UNPARSABLE = "unparsable"  # no move, or several
    MISSING = "missing"  # there is no reply


class NamedMove(NamedTuple):
    """The move that a reply names."""

    move: str | None  # as the item writes it; None: not exactly one
    is_in_form: bool  # whether the reply ends as the question asks for


def find_move(reply: str, moves: Collection[str]) -> NamedMove:
    r"""Find the move in a reply to a question with some legal moves.

    The last line with a letter or digit may be ``move: CELL``. It must name one cell. Otherwise the
    whole reply counts: it must name exactly one legal move, or no legal move and exactly one other
    cell. A number counts as a cell behind ``cell`` or ``move:``, or when the reply has no other
    word; -1 and a pair such as (1, 1) name none, and so does a cell that is only there behind
    ``not``. What is inside ``<think>`` does not count. Letters may be small or large.

    >>> find_move("b2 blocks a1.\n**Move: b2**", ["b2", "c3"])
    NamedMove(move='b2', is_in_form=True)
    >>> find_move("I block with B2, because a1 is taken.", ["b2", "c3"])
    NamedMove(move='b2', is_in_form=False)
    >>> find_move("Either b2 or c3", ["b2", "c3"])
    NamedMove(move=None, is_in_form=False)
    """
    reply = _THOUGHTS.sub("", half_width(reply))
    is_numbered = next(iter(moves)).isdecimal()
    lines = [line for line in reply.splitlines() if any(map(str.isalnum, line))]
    formal = _FORM.fullmatch(lines[-1]) if lines else None
    is_alone = len(lines) == 1 and re.fullmatch(r"\W*[0-9]{1,3}\W*", lines[0])
    called = [each[0] for each in _CALLED.finditer(reply)]
    numbers = [formal[1]] if formal else lines if is_alone else called
    if is_numbered and any(map(_NO_CELL.search, numbers)):
        return NamedMove(None, is_in_form=bool(formal))
    if formal:
        pattern, read = (_NUMBER if is_numbered else _NAME), formal[1].lower()
    elif is_numbered and is_alone:
        pattern, read = _NUMBER, lines[0]
    else:
        pattern, read = (_CALLED if is_numbered else _NAME), reply.lower()
    named = {*pattern.findall(read)}
    cells = named if formal else named.intersection(moves) or named
    chosen = cells.intersection(pattern.findall(_REJECTED.sub("", read)))
    is_clear = len(cells) == len(chosen) == 1
    return NamedMove(chosen.pop() if is_clear else None, is_in_form=bool(formal))
