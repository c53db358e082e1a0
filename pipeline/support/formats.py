"""The formats in which rows are written."""

from enum import StrEnum


class Format(StrEnum):
    """A format of rows."""

    TABLE = "table"
    JSON = "json"
    NDJSON = "ndjson"
    CSV = "csv"
    MARKDOWN = "markdown"


ENDINGS = {
    ".txt": "table", ".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson", ".csv": "csv",
    ".md": "markdown", ".html": "html",
}  # fmt: skip
"""The format that the end of a file's name chooses."""
