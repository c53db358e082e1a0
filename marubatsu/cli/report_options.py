"""Options and output of commands that print a report: audits, reviews and grades."""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from marubatsu.cli.options import option, print_rows
from marubatsu.pipeline.tables.formats import Format

if TYPE_CHECKING:
    from marubatsu.judge.audit.audit_report import Audit
    from marubatsu.judge.items.grade import Grade
    from marubatsu.judge.review.review import Review
    from marubatsu.pipeline.tables.output import Rows

PliesOption = Annotated[
    str | None,
    option(
        "FIRST-LAST",
        "The plies to judge, as in 12- or 12-20 (default: all; where only a search knows the "
        "game, those where it is quick, from ply 12 for connect4).",
    ),
]


class ReportFormat(StrEnum):
    """A format of audits, reviews and grades: all of it, or the main table as rows."""

    TABLE = "table"
    JSON = "json"
    HTML = "html"
    NDJSON = "ndjson"
    CSV = "csv"
    MARKDOWN = "markdown"
    PARQUET = "parquet"
    ARROW = "arrow"


WHOLE = {ReportFormat.TABLE, ReportFormat.JSON, ReportFormat.HTML}
"""The formats that hold all of a report; the others hold its main table."""


def report_format(rows: str) -> Any:
    """Return the option ``--format``; ``rows`` says what the main table holds."""
    return typer.Option(
        "--format", "-f", help=f"How to write it: table, json and html tell all, the others {rows}."
    )


def write_report(
    report: "Audit | Grade | Review",
    rows: "Rows",
    form: ReportFormat,
    output: Path | None,
    worded: Callable[[str], str] = str,
) -> None:
    """Write a whole report as a text, a page or JSON; its main table in the other formats.

    ``worded`` is what becomes of the text.
    """
    from marubatsu.pipeline.support.json_text import json_text
    from marubatsu.pipeline.tables.output import destination

    whole = {
        ReportFormat.TABLE: lambda: worded(f"{report}\n"),
        ReportFormat.JSON: lambda: json_text(report.to_json(), indent=1) + "\n",
        ReportFormat.HTML: report._repr_html_,
    }
    if form not in WHOLE:
        print_rows(rows.columns, rows.rows, Format(form.value), output)
        return
    with destination(output) as out:
        out.write(whole[form]())
