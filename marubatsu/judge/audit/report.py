"""A report: one description of sentences, tables and boards, written as text or as HTML."""

from collections.abc import Iterator, Sequence
from io import StringIO
from typing import NamedTuple

from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.html_parts import document, sentence, table
from marubatsu.pipeline.tables.output import Rows, write

LOSSES = {1: "half a win", 2: "a whole win"}
"""The loss of a move in words."""


class Section(NamedTuple):
    """A part of a report: a table with its title, or what a text or a page has instead."""

    title: str
    rows: Rows
    most: int | None = None  # rows of the table in a text; None: all
    text: str | None = None  # instead of title and table; empty: a text leaves the section out
    html: str | None = None  # instead of the table


class Report(NamedTuple):
    """A report; its sentences begin with small letters and have no full stop."""

    heading: str
    sentences: Sequence[str]
    sections: Sequence[Section]
    verdicts: Sequence[str] = ()

    def text(self) -> str:
        """Write the report for a terminal."""
        parts = ["\n".join([self.heading, *self.sentences, *self.verdicts])]
        parts += [text for section in self.sections if (text := _text(section))]
        return "\n\n".join(parts) + "\n"

    def html(self) -> Iterator[str]:
        """Yield the parts of a page."""
        yield f"<h1>{sentence(self.heading)}</h1>"
        for verdict in self.verdicts:
            yield f'<p class="verdict">{sentence(verdict)}.</p>'
        for each in self.sentences:
            yield f"<p>{sentence(each)}.</p>"
        for section in self.sections:
            yield f"<h2>{sentence(section.title)}</h2>"
            yield table(section.rows) if section.html is None else section.html


def page(title: str, reports: Sequence[Report]) -> str:
    """Write reports as a page of their own."""
    return document(title, "\n".join(part for report in reports for part in report.html()))


def _text(section: Section) -> str:
    if section.text is not None:
        return section.text
    rows, most = section.rows.rows, section.most
    more = "" if most is None or len(rows) <= most else f", {most} of {len(rows):,}"
    return f"{section.title}{more}\n{table_text(section.rows, most)}"


def table_text(rows: Rows, most: int | None = None) -> str:
    """Write the first rows as a table of text, without the end of its last line."""
    out = StringIO()
    write(rows.columns, rows.rows[:most], Format.TABLE, out)
    return out.getvalue().removesuffix("\n")


def blunder_boards(figures: Sequence[str], left_out: int, which: str) -> str:
    """Return boards of blunders for a page; others are left out."""
    more = f"<p>… and {left_out:,} more: --format json lists {which}.</p>" if left_out else ""
    return (
        "<p>Shaded red: the move; blue: the moves that give nothing away.</p>\n"
        '<div class="boards">\n' + "\n".join(figures) + f"\n</div>\n{more}"
    )
