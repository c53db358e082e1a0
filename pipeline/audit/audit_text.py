"""The audit as text for people."""

from collections.abc import Iterator
from io import StringIO

from marubatsu.engine.rules.board_text import draw, from_text
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.audit.by_solution import SolvedAudit
from marubatsu.pipeline.audit.judge import PERFECT, Audit
from marubatsu.pipeline.support.formats import Format
from marubatsu.pipeline.support.output import Rows, write

_WORST = 10  # blunders and opponents that are shown


def render(audit: Audit | SolvedAudit, game: Game) -> str:
    """Write an audit as text."""
    return "\n".join(_lines(audit, game)) + "\n"


def asked(audit: Audit | SolvedAudit) -> str:
    """Say how many questions the AI got, and about which positions or classes."""
    answers = audit.answers
    if isinstance(audit, Audit):
        about = f"{answers.unfinished:,} positions"
    elif audit.is_sample:
        about = (
            f"a sample of {audit.classes:,} of {audit.unfinished:,} unfinished classes, "
            f"seed {audit.seed}"
        )
    else:
        about = f"all {audit.classes:,} unfinished classes, one member of each, seed {audit.seed}"
    told = f"{answers.asked:,} questions about {about}"
    if answers.asked_again:
        told += f", {answers.asked_again:,} of them asked twice"
    return told


def verdicts(audit: Audit | SolvedAudit) -> list[str]:
    """Say in sentences what the AI solves, and how certain that is."""
    if not audit.answers.is_judged:
        return ["is not judged: it gave no valid answer in any position"]
    told = _solves(audit) if isinstance(audit, Audit) else _seems(audit)
    if audit.answers.silent:
        what = "positions" if isinstance(audit, Audit) else "classes"
        told.append(
            f"gave no valid answer in {audit.answers.silent:,} {what}; there it counts as one that "
            "plays any legal move, in everything that follows"
        )
    return told


def _solves(audit: Audit) -> list[str]:
    """Say what an AI solves when it was asked about every position."""
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
    return [f"{strong}: right in {classes}, {positions}", weak]


def _seems(audit: SolvedAudit) -> list[str]:
    """Say what an AI solves, or seems to, when it was asked about classes of a solved game."""
    classes = f"{audit.critical - audit.wrong:,} of {audit.critical:,} critical classes"
    if not audit.is_sample:
        strong = "is not perfect" if audit.wrong else "solves the game strongly"
        told = [f"{strong}: right in {classes}"]
    else:
        least, most = (f"{100 * share:.2f} %" for share in audit.interval)
        strong = "is not perfect" if audit.wrong else "made no mistake, which proves nothing yet"
        told = [
            f"{strong}: right in {classes} of the sample",
            f"is right in {least} to {most} of all critical classes, with 95 % confidence",
        ]
    return [*told, "this audit does not say whether it solves the game weakly"]


def _lines(audit: Audit | SolvedAudit, game: Game) -> Iterator[str]:
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
    if not audit.answers.is_judged:
        return
    yield "blunders by ply"
    yield from _table(audit.by_ply)
    yield ""
    if audit.blunders.rows:
        worst = worst_blunders(audit)
        yield f"worst blunders, {len(worst.rows)} of {len(audit.blunders.rows)}"
        yield from _table(worst)
        yield ""
    if isinstance(audit, SolvedAudit):
        return
    for refutation in audit.refutations.rows:
        _, side, _, moves, board = refutation
        yield f"how it loses as {side}: play {' '.join(map(str, moves))}"
        yield draw(game, from_text(game, board))
        yield ""
    yield "exactly, against our AIs"
    yield from _table(against(audit))


def worst_blunders(audit: Audit | SolvedAudit) -> Rows:
    """Return some of the blunders, the largest losses first."""
    chosen = audit.blunders.without("class")
    loss = chosen.columns.index("loss")
    chance = chosen.columns.index("chance_percent")
    rows = sorted(chosen.rows, key=lambda row: (-row[loss], -row[chance]))
    return Rows(chosen.columns, rows[:_WORST])


def against(audit: Audit) -> Rows:
    """Return the matches, perfect play first, in percent."""
    rows = sorted(audit.matches.rows, key=lambda row: (row[0] != PERFECT, row[0], row[1]))
    return Rows(audit.matches.columns[:5], [row[:5] for row in rows])


def _table(rows: Rows) -> Iterator[str]:
    out = StringIO()
    write(rows.columns, rows.rows, Format.TABLE, out)
    yield from out.getvalue().splitlines()
