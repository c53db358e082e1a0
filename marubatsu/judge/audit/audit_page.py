"""The audit as one self-contained page of HTML, with its boards and plots."""

from collections.abc import Iterator, Sequence
from html import escape

from marubatsu.engine.rules.game import Game
from marubatsu.judge.audit.audit_text import (
    against,
    against_whom,
    asked,
    could_read,
    how_drawn,
    verdicts,
    worst_of_classes,
)
from marubatsu.judge.audit.verdicts import Audit
from marubatsu.pipeline.tables.html_parts import board_figure, document, sentence, table
from marubatsu.pipeline.tables.output import Rows, shown

_MOST_BOARDS = 60  # figures of blunders on one page


def render(audit: Audit) -> str:
    """Write an audit as a page."""
    return document(f"Audit of {audit.interview.shown_name}", "\n".join(_body(audit)))


def _body(audit: Audit) -> Iterator[str]:
    answers, game = audit.interview, audit.game
    yield f"<h1>Audit of {escape(answers.shown_name)} on {escape(game.name)}</h1>"
    for told in verdicts(audit):
        yield f'<p class="verdict">{sentence(told)}.</p>'
    for told in (asked(audit), *could_read(audit), *how_drawn(audit)):
        yield f"<p>{sentence(told)}.</p>"
    yield "<h2>Findings</h2>"
    if answers.findings:
        findings = [[f.kind, f.count, f.board, f.detail] for f in answers.findings]
        yield table(Rows(("finding", "times", "first at", "detail"), findings))
    else:
        yield "<p>None.</p>"
    if not answers.is_judged:
        return
    yield "<h2>Wrong positions by ply</h2>"
    yield _by_ply(audit.by_ply)
    yield table(audit.by_ply)
    if audit.sampled:
        yield "<h2>Answers by ply, with 95 % intervals for the share of right ones</h2>"
        yield table(audit.sampled.by_ply)
    if audit.refutations.rows:
        yield "<h2>How it loses</h2>"
        yield '<div class="boards">'
        for side, _, moves, _ in audit.refutations.rows:
            yield board_figure(game, _line(moves), f"As {side}: {' '.join(map(str, moves))}")
        yield "</div>"
    if audit.blunders.rows:
        classes = len(set(worst_of_classes(audit).column("board")))
        yield f"<h2>Blunders in {classes:,} classes, one position of each</h2>"
        yield "<p>Shaded red: the move it may play; blue: the moves that give nothing away.</p>"
        yield '<div class="boards">'
        yield from _blunders(audit, game)
        yield "</div>"
    if audit.matches.rows:
        yield f"<h2>{sentence(against_whom(audit))}</h2>"
        yield _against(against(audit))


def _blunders(audit: Audit, game: Game) -> Iterator[str]:
    blunders = worst_of_classes(audit)
    answers = audit.sampled.answers.records() if audit.sampled else []
    lines = {row["board"]: row["line"] for row in answers}
    columns = {name: place for place, name in enumerate(blunders.columns)}
    for row in blunders.rows[:_MOST_BOARDS]:
        board, move = row[columns["board"]], row[columns["move"]]
        best = row[columns["best_moves"]]
        told = (
            f"{row[columns['turn']]} plays {move} ({row[columns['chance_percent']]:g} %) and loses "
            f"{'half a win' if row[columns['loss']] == 1 else 'a whole win'}; best: "
            + ", ".join(map(str, best))
        )
        if board in lines:
            told += f"; line: {','.join(map(str, [*lines[board], move]))}"
        yield board_figure(game, list(board), told, bad=[move], good=best)
    left_out = audit.blunders_found - min(len(blunders.rows), _MOST_BOARDS)
    if left_out:
        yield f"<p>… and {left_out:,} more: --format json lists the blunders in all positions.</p>"


def _line(moves: Sequence[int]) -> dict[int, str]:
    """Return the marks of a line of play with the number of each move."""
    return {move: f"{'ox'[number % 2]}{number + 1}" for number, move in enumerate(moves)}


def _by_ply(rows: Rows) -> str:
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


def _against(rows: Rows) -> str:
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
