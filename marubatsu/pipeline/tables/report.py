"""A report: one description of sentences, tables and boards, written as text or as HTML.

A page needs no other file.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from io import StringIO
from typing import Any, NamedTuple

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.formats import Format, shown
from marubatsu.pipeline.tables.output import Rows, write

LOSSES = {1: "half a win", 2: "a whole win"}
"""The loss of a move in words."""

_STYLE = """
:root { color-scheme: light dark; --circle: #0a6ebd; --cross: #c2410c; --even: #8a8f98; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere } h2 { font-size: 1.15rem; margin-top: 2.2rem }
table { border-collapse: collapse; font-size: .9rem } .wide { overflow-x: auto }
th, td { padding: .2rem .7rem; text-align: left; border-bottom: 1px solid #8884 }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
.verdict { font-size: 1.05rem; margin: .3rem 0 }
.boards { display: flex; flex-wrap: wrap; gap: 1rem } figure { margin: 0; width: 9.5rem }
figcaption { font-size: .8rem; line-height: 1.35 }
svg text { font-family: system-ui, sans-serif; fill: currentColor }
.grid { stroke: currentColor; opacity: .35 } .circle { stroke: var(--circle) }
.cross { stroke: var(--cross) } .mark { fill: none; stroke-width: 9; stroke-linecap: round }
.bad { fill: var(--cross); opacity: .18 } .good { fill: var(--circle); opacity: .16 }
.win { fill: var(--circle) } .draw { fill: var(--even) } .lose { fill: var(--cross) }
"""


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
    body = "\n".join(part for report in reports for part in report.html())
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def sentence(text: str) -> str:
    """Return text with a capital letter, for HTML."""
    return escape(text[0].upper() + text[1:])


def table(rows: Rows, shares: Sequence[Sequence[tuple[str, float]]] = ()) -> str:
    """Write rows as a table; with ``shares`` in percent by their style, a bar before each row."""
    titles = [escape(column.replace("_", " ")) for column in rows.columns]
    head = "<th></th>" * bool(shares) + "".join(f"<th>{title}</th>" for title in titles)
    bars = [f"<td>{_bar(each)}</td>" for each in shares] or [""] * len(rows.rows)
    body = "".join(
        f"<tr>{bar}{''.join(map(_cell, row))}</tr>"
        for bar, row in zip(bars, rows.rows, strict=True)
    )
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'


def _bar(shares: Sequence[tuple[str, float]]) -> str:
    x, parts = 0.0, []
    for style, share in shares:
        parts.append(f'<rect class="{style}" x="{2 * x:.2f}" width="{2 * share:.2f}" height="14"/>')
        x += share
    return f'<svg width="200" height="14" role="img" aria-label="bar">{"".join(parts)}</svg>'


def _cell(value: Any) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    style = ' class="number"' if number else ""
    return f"<td{style}>{escape(shown(value))}</td>"


def board_figure(
    game: Game,
    marks: list[str] | dict[int, str],
    caption: str,
    bad: Iterable[int] = (),
    good: Iterable[int] = (),
) -> str:
    """Draw a board; cells may be shaded, marks may carry the number of their move."""
    size = 60
    width, height = size * game.columns, size * game.rows
    parts = [
        f'<svg viewBox="-2 -2 {width + 4} {height + 4}" role="img" aria-label="{escape(caption)}">'
    ]
    for style, cells in (("good", good), ("bad", bad)):
        for cell in cells:
            x, y = size * (cell % game.columns), size * (cell // game.columns)
            parts.append(f'<rect class="{style}" x="{x}" y="{y}" width="{size}" height="{size}"/>')
    lines = [f"M{size * x} 0V{height}" for x in range(game.columns + 1)]
    lines += [f"M0 {size * y}H{width}" for y in range(game.rows + 1)]
    parts.append(f'<path class="grid" fill="none" d="{"".join(lines)}"/>')
    numbered = marks if isinstance(marks, dict) else dict(enumerate(marks))
    for cell, mark in numbered.items():
        x, y = size * (cell % game.columns), size * (cell // game.columns)
        parts.append(_mark(mark[0], x, y))
        if len(mark) > 1:
            parts.append(f'<text x="{x + 4}" y="{y + 14}" font-size="13">{mark[1:]}</text>')
    return f"<figure>{''.join(parts)}</svg><figcaption>{escape(caption)}</figcaption></figure>"


def _mark(mark: str, x: int, y: int) -> str:
    match mark:
        case "o":
            return f'<circle class="mark circle" cx="{x + 30}" cy="{y + 30}" r="17"/>'
        case "x":
            path = f"M{x + 15} {y + 15}l30 30M{x + 45} {y + 15}l-30 30"
            return f'<path class="mark cross" d="{path}"/>'
        case _:
            return ""


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
