"""The formats in which rows are written."""

from enum import StrEnum


class Format(StrEnum):
    """How rows are written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
