"""Errors about input: one sentence that quotes the input and says how to correct it."""

import operator
from collections.abc import Iterable
from typing import Any


class InputError(ValueError):
    """Input that cannot be used; the message quotes it and says how to correct it."""


def is_one_of(name: object, names: Iterable[str]) -> bool:
    """Return whether a name is a text, and not a list or an array, and among some names.

    >>> is_one_of("seed", ["seed", "sample"]), is_one_of(["seed"], ["seed", "sample"])
    (True, False)
    """
    return isinstance(name, str) and name in names


def is_truth_value(value: Any) -> bool:
    """Return whether a value is True or False, or equal to it as 0 and 1 are, and no array.

    >>> is_truth_value(True), is_truth_value("no")
    (True, False)
    """
    return getattr(value, "shape", ()) == () and value in (True, False)


def is_iterable(value: object) -> bool:
    """Return whether a value has elements, also none.

    It is no array without dimensions, and no table, whose elements are the names of its columns.

    >>> is_iterable([]), is_iterable(5)
    (True, False)
    """
    is_one = getattr(value, "shape", None) == ()
    return isinstance(value, Iterable) and not is_one and not hasattr(value, "columns")


def whole_number(value: Any) -> int:
    """Return the whole number that a value is, also one of NumPy.

    Raises TypeError for another value, also for a truth value.

    >>> whole_number(3)
    3
    """
    if isinstance(value, bool):
        raise TypeError("a truth value is no number")
    return operator.index(value)


def nearest(name: object, names: Iterable[str], most: int = 3) -> list[str]:
    """Return the known names that are like a wrong one, the most similar first.

    >>> nearest("Sampel", ["seed", "sample"])
    ['sample']
    """
    import difflib  # only when something is wrong

    return difflib.get_close_matches(str(name).lower(), list(names), n=most)


def expectation(name: object, names: Iterable[str]) -> str:
    """Return the end of an error about a wrong name: the known names like it, else all of them.

    >>> expectation("sampel", ["seed", "sample"])
    'did you mean sample?'
    >>> expectation("xyz", ["seed", "sample"])
    'expected seed, sample'
    """
    names = list(dict.fromkeys(names))
    close = nearest(name, names)
    return did_you_mean(close) if close else f"expected {', '.join(names)}"


def did_you_mean(names: list[str]) -> str:
    """Ask whether one of some names was meant.

    >>> did_you_mean(["ai7", "ai7s", "ai8s"])
    'did you mean ai7, ai7s or ai8s?'
    """
    return f"did you mean {one_of(names)}?"


def one_of(names: Iterable[object]) -> str:
    """Write a choice of some names.

    >>> one_of(["o", "x", "-"])
    'o, x or -'
    """
    *others, last = map(str, names)
    return f"{', '.join(others)} or {last}" if others else last


def counted(count: int, thing: str, things: str = "") -> str:
    """Write a number of things; ``things`` is the plural that has more than an s.

    >>> counted(1, "row"), counted(5478, "row"), counted(2, "ply", "plies")
    ('1 row', '5,478 rows', '2 plies')
    """
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"


def quote(text: object, limit: int = 60) -> str:
    """Quote input for an error message: escaped, and cut when it is long.

    What should be text and is something else is quoted as Python writes it, on one line.

    >>> quote("a" * 70, limit=5), quote(5)
    ("'aaaaa…'", '5')
    """
    if not isinstance(text, str):
        try:
            text = " ".join(repr(text).split())
        except ValueError:  # Python writes no number of more than 4,300 digits.
            return f"{type(text).__name__} of thousands of digits"
        return text if len(text) <= limit else text[:limit] + "…"
    return repr(text if len(text) <= limit else text[:limit] + "…")
