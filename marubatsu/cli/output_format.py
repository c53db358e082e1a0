"""The format of what commands write: by the ending of ``--output``, or as ``--format`` says."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import typer

from marubatsu.cli.options import print_rows
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import OptionError, UsageError
from marubatsu.pipeline.tables.formats import Format

if TYPE_CHECKING:
    from marubatsu.judge.audit.audit_report import Audit
    from marubatsu.judge.items.grade import Grade
    from marubatsu.judge.review.review import Review
    from marubatsu.pipeline.tables.output import Rows

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


def chosen_format(
    output: Path, given: str, choices: Sequence[str], *, is_default: bool, command: str
) -> str:
    """Return the format that the ending of a file chooses for a command, else the given one.

    Raises UsageError where both differ, and for an ending that chooses none of the ``choices``.
    """
    ending = ending_of(output)
    form = ENDINGS.get(ending)
    if form is None:
        if ending and is_default:
            endings = [each for each, form in ENDINGS.items() if form in choices]
            raise wrong_ending(output, endings, ", or the option format")
        return given
    if form not in choices:
        raise UsageError(
            f"--output {quote(str(output))}: {command} does not write {form}; expected "
            f"one of {', '.join(choices)}"
        )
    if form != given and not is_default:
        raise UsageError(
            f"--output {quote(str(output))} ends as {form}, --format says {given}: leave one of "
            "them out"
        )
    return form


def refuse_binary(form: str, output: Path) -> None:
    """Raise UsageError for a binary format where it would be of no use."""
    if form not in ("parquet", "arrow", "raw", "compact"):
        return
    if form != "raw" and output.suffix == ".zst":
        raise UsageError(
            f"--output {quote(str(output))}: {form} compresses by itself; leave .zst out"
        )
    if str(output) == "-" and sys.stdout.isatty():
        raise UsageError(f"{form} is for programs: expected --output FILE, or a pipe")


ReportFormat: TypeAlias = Literal[
    "table", "json", "html", "ndjson", "csv", "markdown", "parquet", "arrow"
]
"""A format of audits, reviews and grades: all of it, or the main table as rows."""

WHOLE = {"table", "json", "html"}
"""The formats that hold all of a report; the others hold its main table."""


def report_format(rows: str) -> Any:
    """Return the option ``--format``; ``rows`` says what the main table holds."""
    return typer.Option(
        "--format", "-f", help=f"How to write it: table, json and html tell all, the others {rows}."
    )


def write_report(
    report: "Audit | Grade | Review", rows: "Rows", form: ReportFormat, output: Path | None
) -> None:
    """Write a whole report as a text, a page or JSON; its main table in the other formats."""
    from marubatsu.cli.cures import as_typed
    from marubatsu.pipeline.support.json_text import json_text
    from marubatsu.pipeline.tables.output import destination

    whole = {
        "table": lambda: as_typed(f"{report}\n"),
        "json": lambda: json_text(report.to_json(), indent=1) + "\n",
        "html": report._repr_html_,
    }
    if form not in WHOLE:
        print_rows(rows.columns, rows.rows, Format(form), output)
        return
    with destination(output) as out:
        out.write(whole[form]())
