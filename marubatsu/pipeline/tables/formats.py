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
