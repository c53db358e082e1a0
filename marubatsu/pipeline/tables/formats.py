"""The formats in which rows are written."""

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from marubatsu.pipeline.support.errors import OptionError


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

JSON_LINES = (".jsonl", ".ndjson")
"""The endings of a file of JSON lines."""


def ending_of(output: Path) -> str:
    """Return the end of a file's name, in small letters, without the .zst that compresses it.

    >>> ending_of(Path("rows.CSV.zst")), ending_of(Path("rows"))
    ('.csv', '')
    """
    named = output.with_suffix("") if output.suffix == ".zst" else output
    return named.suffix.lower()


def wrong_ending(output: Path, endings: Iterable[str], instead: str = "") -> OptionError:
    """Return the error for an ending that chooses no format; ``instead`` is what else to do."""
    expected = f"expected the ending {', '.join(endings)} or none{instead}"
    return OptionError("output", str(output), f"{expected}; .zst after it compresses")
