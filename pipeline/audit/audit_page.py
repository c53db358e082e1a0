"""The audit as one self-contained page of HTML, with its boards and plots."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.audit.audit_text import against, against_whom, asked, how_drawn, verdicts
from marubatsu.pipeline.audit.verdicts import Audit
from marubatsu.pipeline.rows.output import Rows, shown

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

_MOST_BOARDS = 60  # figures of blunders on one page


def render(audit: Audit) -> str:
    """Write an audit as a page."""
    name = escape(audit.interview.shown_name)
    body = "\n".join(_body(audit))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Audit of {name}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _body(audit: Audit) -> Iterator[str]:
    answers, game = audit.interview, audit.game
    yield f"<h1>Audit of {escape(answers.shown_name)} on {escape(game.name)}</h1>"
    for sentence in verdicts(audit):
        yield f'<p class="verdict">{_sentence(sentence)}.</p>'
    for sentence in (asked(audit), *how_drawn(audit)):
        yield f"<p>{_sentence(sentence)}.</p>"
    yield "<h2>Findings</h2>"
    if answers.findings:
        findings = [[f.kind, f.count, f.board, f.detail] for f in answers.findings]
        yield _table(Rows(("finding", "times", "first at", "detail"), findings))
    else:
        yield "<p>None.</p>"
    if not answers.is_judged:
        return
    yield f"<h2>Wrong {audit.units} by ply</h2>"
    yield _by_ply(audit.by_ply)
    yield _table(audit.by_ply)
    if audit.sampled:
        yield "<h2>Answers by ply, with 95 % intervals for the share of right ones</h2>"
        yield _table(audit.sampled.by_ply)
    if audit.refutations.rows:
        yield "<h2>How it loses</h2>"
        yield '<div class="boards">'
        for side, _, moves, _ in audit.refutations.rows:
            yield _figure(game, _line(moves), f"As {side}: {' '.join(map(str, moves))}")
        yield "</div>"
    if audit.blunders.rows:
        yield f"<h2>Blunders in {len(set(audit.blunders.column('board'))):,} classes</h2>"
        yield "<p>Shaded red: the move it may play; blue: the moves that give nothing away.</p>"
        yield '<div class="boards">'
        yield from _blunders(audit, game)
        yield "</div>"
    if audit.matches.rows:
        yield f"<h2>{_sentence(against_whom(audit))}</h2>"
        yield _against(against(audit))


def _sentence(text: str) -> str:
    """Return text with a capital letter, for HTML."""
    return escape(text[0].upper() + text[1:])


def _blunders(audit: Audit, game: Game) -> Iterator[str]:
    blunders = audit.blunders
    answers = audit.sampled.answers.records() if audit.sampled else []
    lines = {row["board"]: row["line"] for row in answers}
    columns = {name: place for place, name in enumerate(blunders.columns)}
    rows = sorted(
        blunders.rows, key=lambda row: (-row[columns["loss"]], -row[columns["chance_percent"]])
    )
    for row in rows[:_MOST_BOARDS]:
        board, move = row[columns["board"]], row[columns["move"]]
        best = row[columns["best_moves"]]
        told = (
            f"{row[columns['turn']]} plays {move} ({row[columns['chance_percent']]:g} %) and loses "
            f"{'half a win' if row[columns['loss']] == 1 else 'a whole win'}; best: "
            + ", ".join(map(str, best))
        )
        if board in lines:
            told += f"; line: {','.join(map(str, [*lines[board], move]))}"
        yield _figure(game, list(board), told, bad=[move], good=best)
    if len(rows) > _MOST_BOARDS:
        yield f"<p>… and {len(rows) - _MOST_BOARDS:,} more: --format json lists them.</p>"


def _line(moves: Sequence[int]) -> dict[int, str]:
    """Return the marks of a line of play with the number of each move."""
    return {move: f"{'ox'[number % 2]}{number + 1}" for number, move in enumerate(moves)}


def _figure(
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


def _by_ply(rows: Rows) -> str:
    """Plot the share of critical positions, or classes, in which the AI is wrong."""
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


def _against(rows: Rows) -> str:
    """Plot won, drawn and lost games as bars, with their numbers."""
    cells = []
    for name, side, win, draw, lose in rows.rows:
        bars = []
        x = 0.0
        for style, share in (("win", win), ("draw", draw), ("lose", lose)):
            bars.append(
                f'<rect class="{style}" x="{2 * x:.2f}" width="{2 * share:.2f}" height="14"/>'
            )
            x += share
        numbers = "".join(f'<td class="number">{value:.3f}</td>' for value in (win, draw, lose))
        bar = f'<svg width="200" height="14" role="img" aria-label="bar">{"".join(bars)}</svg>'
        cells.append(
            f"<tr><td>{escape(shown(name))}</td><td>{side}</td><td>{bar}</td>{numbers}</tr>"
        )
    head = "".join(f"<th>{title}</th>" for title in ("opponent", "as", "won, drawn, lost"))
    head += "".join(f'<th class="number">{title} %</th>' for title in ("win", "draw", "lose"))
    return f'<div class="wide"><table><tr>{head}</tr>{"".join(cells)}</table></div>'


def _table(rows: Rows) -> str:
    titles = [escape(column.replace("_", " ")) for column in rows.columns]
    head = "".join(f"<th>{title}</th>" for title in titles)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows.rows)
    return f'<div class="wide"><table><tr>{head}</tr>{body}</table></div>'


def _cell(value: Any) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    style = ' class="number"' if number else ""
    return f"<td{style}>{escape(shown(value))}</td>"
