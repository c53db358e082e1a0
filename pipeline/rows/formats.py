"""The formats in which rows are written."""

from enum import StrEnum


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


ENDINGS = {
    ".txt": "table", ".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson", ".csv": "csv",
    ".md": "markdown", ".html": "html", ".parquet": "parquet", ".arrow": "arrow",
}  # fmt: skip
"""The format that the end of a file's name chooses."""
