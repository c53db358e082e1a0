"""Rows as a table for people, or in a format for programs and documents; and where they go.

A file, or a folder, appears complete or not at all, and a folder replaces only what an earlier run
wrote.
"""

import csv
import fcntl
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, islice, zip_longest
from pathlib import Path
from typing import Any, TextIO, assert_never, cast
from unicodedata import combining, east_asian_width

from marubatsu.engine.rules.input_error import counted, expectation, is_one_of, quote
from marubatsu.pipeline.support.errors import DataError, UsageError, harmless
from marubatsu.pipeline.support.events import has_unicode, note
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.pipeline.support.resources import sync
from marubatsu.pipeline.tables.formats import Format, csv_cell, shown, unique

MOST_SHOWN = 10_000
"""The most rows that a table shows."""

_MANY = 500  # files and folders; to sync one takes milliseconds


@contextmanager
def destination(file: Path | None) -> Iterator[TextIO]:
    """Open the destination of rows: standard output, or a file, compressed when it ends in .zst.

    A file appears only when it is complete, and replaces an older one; until then it has a name
    that no other process uses. Pipes and devices are written directly. Raises UsageError or
    DataError when it cannot be written.
    """
    if file is None or str(file) == "-":
        yield sys.stdout
        return
    try:
        if not file.name or file.is_dir():
            raise UsageError(f"{quote(str(file))} is no file to write to: expected a file's name")
        goal = Path(os.path.realpath(file))
    except (OSError, ValueError) as error:  # The name is too long, or has a null character.
        why = getattr(error, "strerror", None) or error
        raise UsageError(f"{quote(str(file))} cannot be written: {why}") from error
    partial = goal.with_name(f".marubatsu-{os.urandom(8).hex()}.partial")
    try:
        if file.exists() and not file.is_file():
            with file.open("w", encoding="utf-8", newline="") as out:
                yield out
            return
        try:
            with _open_text(partial, compressed=file.suffix == ".zst") as out:
                yield out
            if goal.exists():
                shutil.copymode(goal, partial)
            partial.replace(goal)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        named = file if error.filename in (None, str(partial)) else error.filename
        raise DataError(f"cannot write {named}: {error.strerror or error}") from error


def _open_text(path: Path, *, compressed: bool) -> TextIO:
    if not compressed:
        return path.open("x", encoding="utf-8", newline="")
    import zstandard

    return cast("TextIO", zstandard.open(path, "x", encoding="utf-8", newline=""))


@contextmanager
def whole_folder(out: Path, kind: str, listed: Callable[[Path], Iterable[str]]) -> Iterator[Path]:
    """Yield an empty folder; at the end of the block it is synced and becomes ``out``.

    ``out`` is new, empty, or a folder of the same ``kind``, as in ``site``, and
    ``listed`` names the files that belong to it, or raises OSError, ValueError or TypeError when it
    is none. Raises UsageError when ``out`` holds something else, DataError when it cannot be
    written. What a killed run left is removed by the next one.
    """
    try:
        out = Path(os.path.realpath(out))
        _require_ours(out, kind, listed)
        temporary = out.with_name(f".{out.name}.marubatsu")
        partial, replaced = temporary / "new", temporary / "old"
        partial.mkdir(parents=True, exist_ok=True)
        lock = os.open(temporary, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError as error:
        raise DataError(f"cannot write {out}: {error.strerror}; name another folder") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise DataError(f"another process writes {out}: wait until it ends") from None
    try:
        if replaced.exists() and not out.exists():  # It was killed between two renames.
            replaced.rename(out)
        for left in (partial, replaced):
            shutil.rmtree(left, ignore_errors=True)
        partial.mkdir()
        yield partial
        _sync_all([*partial.rglob("*"), partial])
        _require_ours(out, kind, listed)  # Somebody may have put a file there meanwhile.
        if out.exists():
            out.rename(replaced)
        try:
            partial.rename(out)
        except OSError:
            if replaced.exists():
                replaced.rename(out)
            raise
        sync(out.parent)
    except OSError as error:
        name = error.filename2 or error.filename or out  # The second of a copy is the goal.
        why = error.strerror or error
        raise DataError(f"cannot write {name}: {why}; name another folder") from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        os.close(lock)


def _require_ours(out: Path, kind: str, listed: Callable[[Path], Iterable[str]]) -> None:
    """Raise UsageError unless a folder is new, empty, or holds the listed files and no others."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    try:
        ours = {Path(name) for name in listed(out)}
    except (OSError, ValueError, TypeError):
        raise UsageError(
            f"{quote(str(out))} holds something that is no {kind}: name another folder"
        ) from None
    ours |= {folder for path in ours for folder in path.parents}
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out)
        if name not in ours:
            raise UsageError(
                f"{quote(str(out))} holds {quote(str(name))}, which is no part of a {kind} and "
                "would be lost: move it away or name another folder"
            )


def _sync_all(paths: list[Path]) -> None:
    """Sync files and folders: each, or all disks at once, which many files do not make slower."""
    if len(paths) > _MANY:
        os.sync()
        return
    for path in paths:
        sync(path)


@dataclass(frozen=True)
class Rows:
    """The answer to a query: names of columns and rows of plain values."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def __repr__(self) -> str:
        """Count the rows, because there may be thousands, and name the columns.

        >>> Rows(["move", "loss"], [[4, 0]])
        <Rows: 1 row of move, loss>
        """
        return f"<Rows: {counted(len(self.rows), 'row')} of {', '.join(self.columns)}>"

    def column(self, name: str) -> list[Any]:
        """Return the values of one column. Raises UsageError for a name of none."""
        return [value for (value,) in self.only(name).rows]

    def records(self) -> list[dict[str, Any]]:
        """Return each row as a dict by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def only(self, *names: str) -> "Rows":
        """Return the rows with some columns, in that order. Raises UsageError for others."""
        for name in names:
            if not is_one_of(name, self.columns):
                expected = expectation(name, self.columns)
                raise UsageError(f"there is no column {quote(name)}: {expected}")
        kept = [list(self.columns).index(name) for name in names]
        return Rows(names, [[row[at] for at in kept] for row in self.rows])

    def without(self, *names: str) -> "Rows":
        """Return the rows without some columns. Raises UsageError for others."""
        self.only(*names)
        return self.only(*(name for name in self.columns if name not in names))


def write(columns: Sequence[str], rows: Iterable[Sequence[Any]], form: Format, out: TextIO) -> None:
    """Write rows in one of the formats; JSON, NDJSON and CSV are written row by row.

    A table shows at most MOST_SHOWN rows, and on a terminal the columns that fit its width; the
    other formats hold all of them. Parquet and Arrow go to the bytes below ``out``.
    """
    is_ascii = not has_unicode(out)
    match form:
        case Format.PARQUET | Format.ARROW:
            from marubatsu.pipeline.tables.arrow_files import typed, write_batches

            table = typed(unique(columns), rows)
            write_batches(table.schema, table.to_batches(), form, out)
        case Format.TABLE:
            rows = iter(rows)
            first = Rows(columns, list(islice(rows, MOST_SHOWN)))
            out.write(_table(first, _width(out), "-" if is_ascii else "─"))
            if next(rows, None) is not None:
                message = f"… and more than these {MOST_SHOWN:,} rows: --format csv gives them all"
                note("rows", message)
        case Format.MARKDOWN:
            out.write(to_markdown(Rows(columns, list(rows))))
        case Format.JSON:
            names = unique(columns)
            before = "[\n"
            for row in rows:
                record = dict(zip(names, row, strict=True))
                out.write(before + " " + json_text(record, is_ascii=is_ascii))
                before = ",\n"
            out.write("[]\n" if before == "[\n" else "\n]\n")
        case Format.NDJSON:
            names = unique(columns)
            for row in rows:
                record = dict(zip(names, row, strict=True))
                out.write(json_text(record, is_ascii=is_ascii) + "\n")
        case Format.CSV:
            # Programs read a file or a pipe, and need the exact characters.
            text = harmless if out.isatty() else str
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(text(csv_cell(name)) for name in columns)
            writer.writerows([text(csv_cell(value)) for value in row] for row in rows)
        case _:
            assert_never(form)


def _is_number(answer: Rows, column: int) -> bool:
    return all(
        row[column] is None or type(row[column]) in (int, float) for row in answer.rows
    ) and any(row[column] is not None for row in answer.rows)


def _width(out: TextIO) -> int | None:
    if not out.isatty():
        return None
    try:
        return os.get_terminal_size(out.fileno()).columns or None
    except OSError:
        return None


def _terminal_columns(text: str) -> int:
    """Count the columns that a text takes on a terminal: letters of East Asia take two."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "FW") for c in text)


def _aligned(text: str, width: int, is_number: bool) -> str:  # noqa: FBT001, as `map` calls it
    blank = " " * (width - _terminal_columns(text))
    return blank + text if is_number else text + blank


def _table(answer: Rows, most: int | None, dash: str) -> str:
    """Align columns; leave out the last ones that ``most`` characters do not hold, and say so.

    No value is cut. (Rich takes half a millisecond a row.)
    """
    header = [harmless(name).split("\n") for name in answer.columns]
    rows = [[shown(value).split("\n") for value in row] for row in answer.rows]
    numbers = [_is_number(answer, column) for column in range(len(header))]
    widths = [
        max(_terminal_columns(line) for cell in column for line in cell)
        for column in zip(header, *rows, strict=True)
    ]
    ends = accumulate(width + 3 for width in widths)
    fitting = len(widths) if most is None else max(1, sum(end - 3 <= most for end in ends))
    if fitting < len(widths):
        left_out = ", ".join(answer.columns[fitting:])
        message = f"the terminal is too narrow for {left_out}: widen it, or add --format csv"
        note("columns", message, left_out=list(answer.columns[fitting:]))
        header, numbers, widths = header[:fitting], numbers[:fitting], widths[:fitting]
        rows = [row[:fitting] for row in rows]

    def lines(row: list[list[str]]) -> Iterator[str]:
        for texts in zip_longest(*row, fillvalue=""):
            yield "   ".join(map(_aligned, texts, widths, numbers)).rstrip() + "\n"

    rule = dash * (sum(widths) + 3 * (len(widths) - 1)) + "\n"
    return "".join([*lines(header), rule, *(line for row in rows for line in lines(row))])


def to_markdown(answer: Rows) -> str:
    """Write rows as a table of a document."""

    def line(cells: Iterable[str]) -> str:
        escaped = (cell.replace("|", "\\|").replace("\n", "<br>") for cell in cells)
        return "| " + " | ".join(escaped) + " |\n"

    columns = range(len(answer.columns))
    rule = "|" + "|".join("---:" if _is_number(answer, c) else "---" for c in columns) + "|\n"
    rows = [line(map(shown, row)) for row in answer.rows]
    return "".join([line(map(harmless, answer.columns)), rule, *rows])
