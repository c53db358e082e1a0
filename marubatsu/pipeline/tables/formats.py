"""The formats in which rows are written; values as texts, and the names of columns."""

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import chain, count

from marubatsu.pipeline.support.errors import harmless

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-][0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


class Format(StrEnum):
    """A format of rows."""

    TABLE = "table"
    JSON = "json"
    NDJSON = "ndjson"
    CSV = "csv"
    MARKDOWN = "markdown"
    PARQUET = "parquet"
    ARROW = "arrow"

    @property
    def is_binary(self) -> bool:
        """Whether only programs can read it; such a format keeps the types of the columns."""
        return self in (Format.PARQUET, Format.ARROW)


def unique(columns: Sequence[str]) -> list[str]:
    """Add numbers to columns of the same name, because the keys of an object must differ.

    >>> unique(["a", "a", "a", "a_2"])
    ['a', 'a_3', 'a_4', 'a_2']
    """
    names: dict[str, None] = {}
    for name in columns:
        numbered = (f"{name}_{number}" for number in count(2))
        others = (new for new in numbered if new not in columns)
        names[next(new for new in chain([name], others) if new not in names)] = None
    return list(names)


def shown(value: object) -> str:
    """Write one value for people: nothing for null, numbers that can be pasted elsewhere."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return harmless(_plain(value))


def csv_cell(value: object) -> str:
    """Write one value as a cell of CSV; a text that spreadsheets would run gets a ``'`` before it.

    Names of players and AIs come from strangers. Numbers stay as they are.

    >>> csv_cell("=HYPERLINK(1)"), csv_cell("-1.5"), csv_cell(-1), csv_cell("o.x")
    ("'=HYPERLINK(1)", '-1.5', '-1', 'o.x')
    """
    is_formula = isinstance(value, str) and value[:1] in _FORMULAS and not _NUMBER.fullmatch(value)
    return f"'{value}" if is_formula else _plain(value)


def _plain(value: object) -> str:
    """Write one value for programs; an empty field for null."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_plain(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_plain(item)}" for name, item in value.items()) + "}"
    return str(value)
