"""Parts of HTML pages that need no other file: their style, tables, drawings of boards."""

from collections.abc import Iterable
from html import escape
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.formats import shown
from marubatsu.pipeline.tables.output import Rows

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
.plot { max-width: 34rem }
svg text { font-family: system-ui, sans-serif; fill: currentColor }
.grid { stroke: currentColor; opacity: .35 } .circle { stroke: var(--circle) }
.cross { stroke: var(--cross) } .mark { fill: none; stroke-width: 9; stroke-linecap: round }
.bad { fill: var(--cross); opacity: .18 } .good { fill: var(--circle); opacity: .16 }
.win { fill: var(--circle) } .draw { fill: var(--even) } .lose { fill: var(--cross) }
"""


def document(title: str, body: str) -> str:
    """Write a page that needs no other file; the title is text, the body is HTML."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def sentence(text: str) -> str:
    """Return text with a capital letter, for HTML."""
    return escape(text[0].upper() + text[1:])


def table(rows: Rows) -> str:
    """Write rows as a table."""
    titles = [escape(column.replace("_", " ")) for column in rows.columns]
    head = "".join(f"<th>{title}</th>" for title in titles)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows.rows)
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'


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
