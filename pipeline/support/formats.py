"""The formats in which rows are written."""

from enum import StrEnum


class Format(StrEnum):
    """A format of rows."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
