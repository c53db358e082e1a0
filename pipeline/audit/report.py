"""The audit as text for people."""

from collections.abc import Iterator
from io import StringIO

from engine.game import Game
from engine.text import draw, from_text
from pipeline.audit.judge import PERFECT, Audit
from pipeline.output import Format, Rows, write

_WORST = 10  # blunders and opponents that are shown


def render(audit: Audit, game: Game) -> str:
    """Write an audit as text."""
    return "\n".join(_lines(audit, game)) + "\n"


def asked(audit: Audit) -> str:
    """Say how often the AI was asked about what."""
    answers = audit.answers
    told = f"{answers.asked:,} questions about {audit.unfinished:,} positions"
    if answers.asked_again:
        told += f", {answers.asked_again:,} of them asked twice"
    return told


def verdicts(audit: Audit) -> list[str]:
    """Say in sentences what the AI solves, and how far that can be told."""
    if not audit.is_judged:
        return ["is not judged: it gave no valid answer in any position"]
    found = audit.summary
    strong = "solves the game strongly" if found["strongly_solved"] else "is not perfect"
    never = " or ".join(side for side in ("circle", "cross") if found[f"as_{side}"])
    if found["weakly_solved"]:
        weak = "solves the game weakly: from the empty board it never loses, on either side"
    elif never:
        weak = f"does not solve the game weakly: from the empty board only {never} never loses"
    else:
        weak = "does not solve the game weakly: from the empty board it can lose on both sides"
    classes = f"{found['classes_right']:,} of {found['classes']:,} critical classes"
    positions = f"{found['positions_right']:,} of {found['positions']:,} critical positions"
    told = [f"{strong}: right in {classes}, {positions}", weak]
    if audit.silent:
        told.append(
            f"gave no valid answer in {audit.silent:,} positions; there it counts as one that "
            "plays any legal move, in everything that follows"
        )
    return told


def _lines(audit: Audit, game: Game) -> Iterator[str]:
    answers = audit.answers
    yield f"audit of {answers.name} ({answers.family}) on {game.name}"
    yield f"{asked(audit)} in {answers.seconds:.2f} s"
    yield from verdicts(audit)
    yield ""
    if answers.findings:
        findings = [[f.kind, f.count, f.board, f.detail] for f in answers.findings]
        yield from _table(Rows(("finding", "times", "first at", "detail"), findings))
        yield ""
    else:
        yield "findings: none"
        yield ""
    if not audit.is_judged:
        return
    yield "blunders by ply"
    yield from _table(without(audit.by_ply, "ai"))
    yield ""
    if audit.blunders.rows:
        worst = worst_blunders(audit)
        yield f"worst blunders, {len(worst.rows)} of {len(audit.blunders.rows)}"
        yield from _table(worst)
        yield ""
    for refutation in audit.refutations.rows:
        _, side, _, moves, board = refutation
        yield f"how it loses as {side}: play {' '.join(map(str, moves))}"
        yield draw(game, *from_text(game, board))
        yield ""
    yield "exactly, against our AIs"
    yield from _table(against(audit))


def worst_blunders(audit: Audit) -> Rows:
    """Return some of the blunders, those that lose most first."""
    chosen = without(audit.blunders, "ai", "class")
    loss = chosen.columns.index("loss")
    chance = chosen.columns.index("chance_percent")
    rows = sorted(chosen.rows, key=lambda row: (-row[loss], -row[chance]))
    return Rows(chosen.columns, rows[:_WORST])


def against(audit: Audit) -> Rows:
    """Return the matches, perfect play first, in percent."""
    rows = sorted(audit.matches.rows, key=lambda row: (row[0] != PERFECT, row[0], row[1]))
    return Rows(audit.matches.columns[:5], [row[:5] for row in rows])


def without(rows: Rows, *names: str) -> Rows:
    """Leave out columns."""
    kept = [i for i, name in enumerate(rows.columns) if name not in names]
    return Rows([rows.columns[i] for i in kept], [[row[i] for i in kept] for row in rows.rows])


def _table(rows: Rows) -> Iterator[str]:
    out = StringIO()
    write(rows.columns, rows.rows, Format.TABLE, out)
    yield from out.getvalue().splitlines()
