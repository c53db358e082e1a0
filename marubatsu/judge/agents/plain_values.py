"""What an AI answers, in plain values, and the same as a message.

A plain value is an int, a float, a tuple, a list, a frozenset or a dict; anything else is `Unread`.
Arrays and tensors become tuples, iterators become lists. A collection may hold collections of
numbers. A process sends such values as JSON, in which a list is a list, and the others are objects.
`cure_of` says what to return instead of a value that names no move.
"""

import operator
from collections.abc import Awaitable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice
from math import isfinite
from typing import Any, Final, TypeAlias

from marubatsu.engine.ais.reply import KINDS, Fault, FaultKind, Reply, Returned
from marubatsu.engine.rules.input_error import is_iterable
from marubatsu.judge.agents.faults import INFRASTRUCTURE, cut
from marubatsu.judge.agents.interfaces import AnswerError, is_bool, repr_of

MOST_VALUES = 1000  # of a collection; a board has fewer cells
_GREATEST = 10**15  # of whole numbers, such as scores; below it, every one is a float
_DEPTH = 2

REFUSED: Final = "refused"
"""The kind of fault of what is never asked, because it takes other arguments."""

_NO_ANSWERS = (str, bytes, bytearray, memoryview, type, Awaitable)

_KINDS: set[FaultKind] = {*AnswerError.KINDS, INFRASTRUCTURE, REFUSED, "raises", "memory"}
LONGEST = 1000  # characters of a text
_UNREADABLE = (ValueError, TypeError, RecursionError)


@dataclass(frozen=True)
class Unread:
    """A value that is neither a number nor a collection: how it looks, and its type."""

    text: str
    type: str

    def __repr__(self) -> str:
        return self.text


Plain: TypeAlias = Any  # a plain value
Heard: TypeAlias = tuple[Returned | Reply | Fault, list[Fault]]  # an answer, and faults besides it


def plain(value: Any, depth: int = _DEPTH) -> Plain:
    """Return what a function returned as a plain value. Raises what its iterators raise."""
    if _is_short(value):
        return value
    if value is None or isinstance(value, _NO_ANSWERS) or is_bool(value):
        return _unread(value)
    try:
        number = operator.index(value)  # Also of NumPy's numbers, and tensors of one element.
    except (TypeError, ValueError):
        return _collection(value, depth) if is_iterable(value) else _float(value)
    return number if abs(number) < _GREATEST else Unread("a number of 16 digits or more", "int")


def _is_short(value: Any) -> bool:
    """Return whether a value is a float, or an int of few digits."""
    return type(value) is float or (type(value) is int and -_GREATEST < value < _GREATEST)


def _float(value: Any) -> Plain:
    try:
        return float(value) if hasattr(value, "__float__") else _unread(value)
    except Exception:  # noqa: BLE001, its method may raise anything
        return _unread(value)


def _collection(value: Any, depth: int) -> Plain:
    if depth == 0:
        return _unread(value)
    if isinstance(value, Mapping):
        pairs = list(islice(value.items(), MOST_VALUES + 1))
        if len(pairs) > MOST_VALUES:
            return _too_many()
        mapping = {_key(key, depth - 1): plain(each, depth - 1) for key, each in pairs}
        return mapping if len(mapping) == len(pairs) else replace(_unread(value), type="repeated")
    items = [plain(item, depth - 1) for item in islice(value, MOST_VALUES + 1)]
    if len(items) > MOST_VALUES:
        return _too_many()
    if isinstance(value, AbstractSet):
        return frozenset(map(_hashable, items))
    return tuple(items) if isinstance(value, tuple) or hasattr(value, "dtype") else items


def _key(key: Any, depth: int) -> Plain:
    """Return the key of a mapping; JSON writes whole numbers as texts there."""
    is_whole = isinstance(key, str) and key.isascii() and key.isdecimal()
    if is_whole and len(key) < len(str(_GREATEST)):
        return int(key)
    return _hashable(plain(key, depth))


def _hashable(value: Plain) -> Plain:
    return tuple(value) if isinstance(value, list) else value


def _too_many() -> Unread:
    return Unread(f"more than {MOST_VALUES:,} values", "collection")


def _unread(value: Any) -> Unread:
    kind = next((each for each in (str, Enum, Awaitable) if isinstance(value, each)), type(value))
    return Unread(cut(repr_of(value)), kind.__name__)


def to_json(value: Plain) -> Any:
    """Return a plain value as JSON has it."""
    match value:
        case list():
            return [to_json(item) for item in value]
        case tuple():
            return {"tuple": [to_json(item) for item in value]}
        case frozenset():
            return {"set": [to_json(item) for item in value]}
        case dict():
            return {"mapping": [to_json(list(value)), to_json(list(value.values()))]}
        case Unread():
            return {"unread": [value.text, cut(value.type)]}
    return value


def of_json(value: Any, depth: int = _DEPTH) -> Plain:
    """Return the plain value that JSON says. Raises ValueError for what `to_json` never writes."""
    if _is_short(value):
        return value
    if isinstance(value, list):
        return _items(value, depth)
    match value:
        case {"tuple": list(items)}:
            return tuple(_items(items, depth))
        case {"set": list(items)}:
            return frozenset(map(_hashable, _items(items, depth)))
        case {"mapping": [list(keys), list(values)]} if len(keys) == len(values):
            return dict(zip(_items(keys, depth), _items(values, depth), strict=True))
        case {"unread": [str(text), str(kind)]}:
            return Unread(cut(text), cut(kind))
    raise ValueError


def _items(items: list[Any], depth: int) -> list[Plain]:
    if depth == 0 or len(items) > MOST_VALUES:
        raise ValueError
    return [of_json(item, depth - 1) for item in items]


def message_of(answer: Returned | Fault | float) -> dict[str, Any]:
    """Return an answer as a message."""
    if isinstance(answer, Returned):
        return {"returned": to_json(answer.value)}
    if isinstance(answer, Fault):
        return {"fault": [answer.kind, answer.detail, answer.cure], "origin": answer.origin}
    return {"value": answer}


def answer_of(message: dict[str, Any]) -> Returned | Fault | float | None:
    """Return the answer that a message is; None for what `message_of` never returns."""
    match message:
        case {"returned": value}:
            try:
                return Returned(of_json(value))
            except _UNREADABLE:
                return None
        case {"value": int() | float() as value} if _is_short(value) and isfinite(value):
            return float(value)
        case {"fault": [str(kind), str(detail), str(cure)], "origin": str(origin)} if (
            kind in _KINDS
        ):
            return Fault(KINDS[kind], detail[:LONGEST], cure[:LONGEST], origin[:LONGEST])
    return None


_EXPECTED = {
    "row-column": "expected a row and a column in whole numbers, such as 0 and 2",
    "column-row": "expected a column and a row in whole numbers, such as 2 and 0",
    "column": "expected a column, several of them, or a mapping of columns to chances",
    "move-score": "expected a move and its score, such as 4 and 0.5",
    "score-move": "expected a score and the move that has it, such as 0.5 and 4",
}
"""What the numbers of an answer are to be, in forms in which they are more than moves."""
_NUMBER = "expected the number of a move"
_DONE = "expected a function that returns when it is done: def, not async def"
_CURES = {
    "NoneType": "expected a move: does the function return one in every case? An empty cell is '.'",
    "str": f"{_NUMBER}, as int(...) makes one of digits; agents that reply in sentences are asked "
    "by the option interface='textarena'",
    "Awaitable": _DONE,
    "async_generator": _DONE,
    "Future": _DONE,
    "repeated": "expected each move once as a key",
    "line": "expected the numbers of moves, separated by spaces, or each of them with :chance",
}
"""What to return instead of a value of a type."""


def cure_of(answer: Plain, form: str, cells: int) -> str:
    """Say what to return instead of an answer that has not the form that it is read in."""
    kind = answer.type if isinstance(answer, Unread) else "line"
    if kind == "line" and form in _EXPECTED:
        return _EXPECTED[form]
    if isinstance(answer, Unread) and kind in _CURES:
        return _CURES[kind]
    return (
        f"{_NUMBER}, as int(...) makes one, several moves, a mapping of moves to chances, or a "
        f"value for each of the {cells} cells in one list; the option answers names other forms"
    )
