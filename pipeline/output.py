"""Rows as a table for people, or as JSON, CSV or Markdown for programs and documents."""

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO, cast

from pipeline.errors import DataError


class Format(StrEnum):
    """How rows are written."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


@contextmanager
def destination(file: Path | None) -> Iterator[TextIO]:
    """Open what the rows go to: standard output, or a file, compressed when it ends in .zst.

    The file appears when it is complete. Raises DataError when it cannot be written.
    """
    if file is None:
        yield sys.stdout
        return
    partial = file.with_name(file.name + ".partial")
    try:
        with _open_text(partial, compressed=file.suffix == ".zst") as out:
            yield out
        partial.replace(file)
    except OSError as error:
        raise DataError(f"cannot write {file}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            partial.unlink()


def _open_text(path: Path, *, compressed: bool) -> TextIO:
    if not compressed:
        return path.open("w", encoding="utf-8", newline="")
    import zstandard

    return cast("TextIO", zstandard.open(path, "w", encoding="utf-8", newline=""))


@dataclass(frozen=True)
class Rows:
    """The answer to a query: names of columns and rows of plain values."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


def write(columns: Sequence[str], rows: Iterable[Sequence[Any]], form: Format, out: TextIO) -> None:
    """Write rows in one of the formats; JSON and CSV as they come, one row at a time."""
    match form:
        case Format.TABLE:
            out.write(_table(Rows(columns, list(rows))))
        case Format.MARKDOWN:
            out.write("\n".join(_markdown(Rows(columns, list(rows)))) + "\n")
        case Format.JSON:
            before = "[\n"
            for row in rows:
                record = dict(zip(columns, row, strict=True))
                out.write(before + " " + json.dumps(record, ensure_ascii=False, default=str))
                before = ",\n"
            out.write("[]\n" if before == "[\n" else "\n]\n")
        case Format.CSV:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([_plain(value) for value in row] for row in rows)


def shown(value: object) -> str:
    """Write one value for people: nothing for null; numbers as they can be pasted elsewhere."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _plain(value)


def _plain(value: object) -> str:
    """Write one value for programs; an empty field for null."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_plain(item) for item in value) + "]"
    return str(value)


def _is_number(answer: Rows, column: int) -> bool:
    return all(
        row[column] is None or type(row[column]) in (int, float) for row in answer.rows
    ) and any(row[column] is not None for row in answer.rows)


def _table(answer: Rows) -> str:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for number, name in enumerate(answer.columns):
        right = _is_number(answer, number)
        table.add_column(Text(name), justify="right" if right else "left", no_wrap=True)
    for row in answer.rows:
        table.add_row(*(Text(shown(value)) for value in row))
    # As wide as it needs to be: a terminal can scroll or wrap, a cut value is lost.
    console = Console(width=10_000, color_system=None, highlight=False)
    with console.capture() as capture:
        console.print(table)
    return "".join(line.rstrip() + "\n" for line in capture.get().splitlines())


def _markdown(answer: Rows) -> Iterator[str]:
    def line(cells: Sequence[str]) -> str:
        escaped = (cell.replace("|", "\\|").replace("\n", "<br>") for cell in cells)
        return "| " + " | ".join(escaped) + " |"

    yield line(answer.columns)
    columns = range(len(answer.columns))
    yield "|" + "|".join("---:" if _is_number(answer, c) else "---" for c in columns) + "|"
    for row in answer.rows:
        yield line([shown(value) for value in row])
