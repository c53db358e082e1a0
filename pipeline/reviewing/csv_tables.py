"""Games as rows of a table in CSV, with the moves of a game in one column."""

import csv
from collections.abc import Iterator

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.reviewing.recorded import (
    GamePlace,
    LogFile,
    RecordedGame,
    recorded,
    tokens_of,
)
from marubatsu.pipeline.support.errors import OptionError

FIELDS = ("moves", "first", "second", "result", "game")
"""What the columns of a table may hold; ``moves`` must be there."""


def columns_of(text: str) -> dict[str, str]:
    """Read which column holds what. Raises UsageError.

    >>> columns_of("moves=line,first=white")
    {'moves': 'line', 'first': 'white'}
    """
    columns = {}
    for part in text.split(","):
        name, equals, column = part.partition("=")
        if name not in FIELDS or not equals or not column or name in columns:
            fields = ", ".join(FIELDS)
            raise OptionError(
                "columns", text,
                f"expected FIELD=COLUMN,… with each of the fields {fields} at most once",
            )  # fmt: skip
        columns[name] = column
    return columns


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read rows; a field that is not renamed is in the column of its own name. Raises UsageError.

    An empty field counts as one that is not there.
    """
    places: list[GamePlace] = []

    def texts() -> Iterator[str]:
        for place, line in log.lines():
            places[:] = [place]
            yield line

    table = csv.reader(texts(), strict=True)
    try:
        header = next(table, [])
        at = _columns(log, header)
        for row in table:
            if not row:
                continue
            (place,) = places
            if len(row) != len(header):
                raise place.fault(f"{len(row)} fields: expected {len(header)}, as in the header")
            found = {name: row[column] or None for name, column in at.items()}
            yield recorded(
                place,
                tokens_of(found["moves"] or ""),
                players=(found.get("first"), found.get("second")),
                game=found.get("game"),
                result=found.get("result"),
            )
    except csv.Error as error:
        raise places[0].fault(f"no CSV: {error}") from None


def _columns(log: LogFile, header: list[str]) -> dict[str, int]:
    """Return where each field is that the table has."""
    names = {name: log.columns.get(name, name) for name in FIELDS}
    for name, column in names.items():
        is_needed = name == "moves" or name in log.columns
        if header.count(column) > 1 or (is_needed and column not in header):
            raise GamePlace(log.name, 1).fault(
                f"the header is {quote(','.join(header))}: expected one column {quote(column)} "
                f"for {name}; the option columns names another, as in {name}=COLUMN"
            )
    return {name: header.index(column) for name, column in names.items() if column in header}
