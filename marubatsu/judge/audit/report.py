"""A report: one description of sentences, tables and boards, written as text or as HTML."""

from collections.abc import Iterator, Sequence
from html import escape
from io import StringIO
from typing import NamedTuple

from marubatsu.pipeline.tables.formats import Format, shown
from marubatsu.pipeline.tables.html_parts import document, sentence, table
from marubatsu.pipeline.tables.output import Rows, write

LOSSES = {1: "half a win", 2: "a whole win"}
"""The loss of a move in words."""


class Section(NamedTuple):
    """A part of a report: a table with its title, or what a text or a page has instead."""

    title: str
    rows: Rows = Rows((), ())
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


def worst_first(rows: Rows, *names: str) -> Rows:
    """Sort by columns of numbers, the greatest first."""
    at = [list(rows.columns).index(name) for name in names]
    return Rows(rows.columns, sorted(rows.rows, key=lambda row: [-row[place] for place in at]))


def left_out(late: int, positions: int) -> str:
    """Say for how many positions a search took too long."""
    return (
        f"{late:,} of {positions:,} positions are left out, because the search ran out of time; "
        "they tend to be the hardest"
    )


def blunder_boards(figures: Sequence[str], others: int, which: str) -> str:
    """Return boards of blunders for a page; others are left out."""
    more = f"<p>… and {others:,} more: the report as JSON lists {which}.</p>" if others else ""
    return (
        "<p>Shaded red: the move; blue: the moves that give nothing away.</p>\n"
        '<div class="boards">\n' + "\n".join(figures) + f"\n</div>\n{more}"
    )


def plot_by_ply(rows: Rows) -> str:
    """Plot the share of critical positions in which the AI is wrong."""
    counts = [rows.column(name) for name in ("ply", "wrong", "critical")]
    shares = [(ply, wrong / some) for ply, wrong, some in zip(*counts, strict=True) if some]
    step = max(48.0, 500 / max(1, len(shares)))
    across = 20 + step * len(shares)
    parts = [
        f'<svg class="plot" viewBox="0 0 {across:.0f} 190" role="img" aria-label="wrong by ply">'
    ]
    for number, (ply, share) in enumerate(shares):
        x, height, wide = 10 + number * step, 130 * share, step * 0.7
        parts.append(
            f'<rect class="lose" x="{x:.1f}" y="{150 - height:.1f}" width="{wide:.1f}" '
            f'height="{height:.1f}"/>'
            f'<text x="{x + wide / 2:.1f}" y="{144 - height:.1f}" font-size="12" '
            f'text-anchor="middle">{100 * share:.1f} %</text>'
            f'<text x="{x + wide / 2:.1f}" y="168" font-size="12" text-anchor="middle">'
            f"ply {ply}</text>"
        )
    parts.append(f'<path class="grid" d="M5 150.5H{across - 5:.0f}"/></svg>')
    return "".join(parts)


def plot_matches(rows: Rows) -> str:
    """Plot won, drawn and lost games as bars, with their numbers."""
    lines = []
    for name, side, *shares in rows.rows:
        bars = []
        x = 0.0
        for style, share in zip(("win", "draw", "lose"), shares, strict=False):
            bars.append(
                f'<rect class="{style}" x="{2 * x:.2f}" width="{2 * share:.2f}" height="14"/>'
            )
            x += share
        numbers = "".join(
            f'<td class="number">{value:{form}}</td>'
            for value, form in zip(shares, (".3f",) * 3 + ("+.4f",) * 3, strict=False)
        )
        bar = f'<svg width="200" height="14" role="img" aria-label="bar">{"".join(bars)}</svg>'
        lines.append(
            f"<tr><td>{escape(shown(name))}</td><td>{side}</td><td>{bar}</td>{numbers}</tr>"
        )
    head = "".join(f"<th>{title}</th>" for title in ("opponent", "as", "won, drawn, lost"))
    titles = ("win %", "draw %", "lose %", *rows.columns[5:])
    head += "".join(f'<th class="number">{title.replace("_", " ")}</th>' for title in titles)
    return f'<div class="wide"><table><tr>{head}</tr>{"".join(lines)}</table></div>'
