"""The audit as text for people."""

from collections.abc import Iterator
from io import StringIO

from marubatsu.engine.rules.board_text import draw, from_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.numbering import line_text
from marubatsu.judge.audit import drawn_positions
from marubatsu.judge.audit.verdicts import BEST_RESPONSE, GAMES, PERFECT_PLAY, RANDOM_PLAY, Audit
from marubatsu.pipeline.support.errors import harmless
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import Rows, write

_WORST = 10  # blunders and opponents that are shown


def render(audit: Audit) -> str:
    """Write an audit as text."""
    return "\n".join(_lines(audit)) + "\n"


def asked(audit: Audit) -> str:
    """Say how many questions the AI got, and about which positions or classes, in which time."""
    answers = audit.interview
    about = f"{answers.unfinished:,} positions"
    if audit.sampled:
        about = f"{answers.unfinished:,} drawn positions and those of its games"
    elif audit.unit == "position" and audit.verdicts.is_sample:
        about = f"{answers.unfinished:,} of {audit.unfinished:,} positions"
    elif audit.verdicts.is_sample:
        about = f"a sample of {answers.unfinished:,} of {audit.unfinished:,} unfinished classes"
    elif audit.unit == "class":
        about = f"all {answers.unfinished:,} unfinished classes, one member of each"
    if audit.unit == "class":
        about += f", seed {audit.seed}"
    told = f"{answers.asked:,} questions about {about}"
    if answers.asked_again:
        told += f", {answers.asked_again:,} of them asked twice"
    told += f" in {answers.seconds:.2f} s"
    return told + (f"; not confined: {answers.not_confined}" if answers.not_confined else "")


def could_read(audit: Audit) -> Iterator[str]:
    """Say why the AI could read the answers of the judge, if it could."""
    why = audit.interview.could_read_answers
    if why:
        yield f"could read the answers, because {harmless(why).replace(chr(10), ' ')}"


def how_drawn(audit: Audit) -> Iterator[str]:
    """Say in sentences how positions were drawn, and what such a sample cannot tell."""
    drawn = audit.sampled
    if drawn is None:
        return
    plies = f"plies {drawn.first_ply} to {drawn.last_ply}"
    match drawn.positions:
        case drawn_positions.RANDOM:
            told = f"the positions are of random games, as many of each of {plies} as there are"
        case drawn_positions.OWN:
            told = (
                f"in the positions, of {plies}, it had to move in its games from the empty board "
                "against random play, against itself, and against perfect play"
            )
            told += f" (random before ply {drawn.first_ply})" * (drawn.first_ply > 0)
        case file:
            told = f"the positions are those of {quote(file)}, of {plies}"
    yield told + "; of each class, one"
    late = len(drawn.out_of_time)
    if late:
        yield (
            f"{late:,} of {drawn.drawn:,} positions are left out, because the search ran out of "
            "time; they tend to be the hardest"
        )
    yield "a sample can refute that an AI solves the game strongly, and cannot prove it"


def verdicts(audit: Audit) -> list[str]:
    """Say in sentences what the AI solves, and how certain that is."""
    if not audit.interview.is_judged:
        return ["is not judged: it gave no valid answer in any position"]
    told = [*_strong(audit), _weak(audit), *_slow(audit), *_exploitable(audit)]
    if audit.interview.unasked:
        told.append(
            f"gave no answer in {audit.interview.unasked:,} positions, because of time-outs or "
            "outages; they are not counted, and what depends on every position stays open"
        )
    if audit.interview.silent:
        told.append(
            f"gave no valid answer in {audit.interview.silent:,} positions; there it counts as one "
            "that plays any legal move, in everything that follows"
        )
    return told


def critical_positions(audit: Audit, which: str = "") -> str:
    """Name what the share of right answers and both of its thresholds are about."""
    return f"critical positions{which}" + ", one of each class" * (audit.unit == "class")


def _strong(audit: Audit) -> Iterator[str]:
    """Say whether the AI solves the game strongly, or seems to, and what score it gives away."""
    found, drawn = audit.verdicts, audit.sampled
    assert found.share is not None  # The AI is judged.
    verdict = {
        True: "solves the game strongly",
        False: "is not perfect",
        None: "made no mistake, which proves nothing yet",
    }[found.strongly_solved]
    about = critical_positions(audit, " of the sample" * found.is_sample)
    text = f"{found.positions_right:,} of {found.positions:,} {about}"
    if audit.unit == "position":
        classes = f"{found.classes_right:,} of {found.classes:,} critical classes"
        text = f"{classes}, {text} (a class is right if all of its positions are)"
    yield f"{verdict}: right in {text}"
    if found.expected_loss:
        yield (
            f"plays a best move there with a chance of {found.best_move_percent:.2f} %, and gives "
            f"away {found.expected_loss:.4f} of the score on average (a win is 1, a draw 0)"
        )
    if found.is_sample and (drawn is None or drawn.positions in drawn_positions.FROM_PLAY):
        least, most = (f"{100 * share:.2f} %" for share in found.share)
        about = critical_positions(audit, " drawn in this way" * (drawn is not None))
        yield f"is right in {least} to {most} of all {about}, with 95 % confidence"


def _weak(audit: Audit) -> str:
    """Say whether the AI solves the game weakly."""
    found = audit.verdicts
    never = [side for side in ("circle", "cross") if getattr(found, f"as_{side}")]
    loses = [side for side in ("circle", "cross") if getattr(found, f"as_{side}") is False]
    if found.weakly_solved:
        return "solves the game weakly: from the empty board it never loses, on either side"
    if len(loses) == 2:
        return "does not solve the game weakly: from the empty board it can lose on both sides"
    if loses and never:
        side = never[0]
        return f"does not solve the game weakly: from the empty board only {side} never loses"
    if loses:
        return f"does not solve the game weakly: from the empty board it can lose as {loses[0]}"
    why = "it can reach too many positions to ask about all of them"
    if audit.interview.unasked:
        why = "how it plays in some positions is not known"
    elif audit.sampled:
        why = "drawn positions do not tell"
    return f"may solve the game weakly: {why}"


def _slow(audit: Audit) -> Iterator[str]:
    """Say how many plies the AI wastes, if any."""
    wasted = audit.verdicts.mean_plies_lost
    if wasted:
        yield (
            f"wastes {wasted:.4f} plies on average where it keeps the score: it wins later or "
            "loses sooner than it could"
        )


def _exploitable(audit: Audit) -> Iterator[str]:
    """Say how much an opponent can make of the AI's mistakes, as far as that is known."""
    most, least = audit.verdicts.exploitability, audit.verdicts.exploitability_at_least
    points = "points a game (a win is 1, a draw 0, a loss -1)"
    if most:
        best = {(row["opponent"], row["side"]): row for row in audit.matches.records()}
        row = best[BEST_RESPONSE, "total"]
        yield (
            f"is exploitable by {most:.4f} {points}: a best opponent, who knows how it plays, wins "
            f"{row['lose_percent']:.2f} % and loses {row['win_percent']:.2f} %, half of the games "
            "on each side; against perfect play, nobody gets more than 0"
        )
    elif most is not None:
        yield "is not exploitable: on both sides together, no opponent gets more than perfect play"
    elif least:
        yield (
            f"is exploitable by at least {least:.4f} {points}, with 95 % confidence: perfect play "
            "gets that, half of the games on each side; a best opponent may get more"
        )


def _lines(audit: Audit) -> Iterator[str]:
    answers, game = audit.interview, audit.game
    yield f"audit of {answers.shown_name} ({answers.family}) on {game.name}"
    yield asked(audit)
    yield from could_read(audit)
    yield from how_drawn(audit)
    yield from verdicts(audit)
    yield ""
    if answers.findings:
        findings = [[f.kind, f.count, f.board, f.detail] for f in answers.findings]
        yield from _table(Rows(("finding", "times", "first at", "detail"), findings))
    else:
        yield "findings: none"
    yield ""
    if not answers.is_judged:
        return
    if audit.sampled:
        yield "answers by ply, with 95 % intervals for the share of right critical positions"
        yield from _table(audit.sampled.by_ply)
    else:
        yield "critical positions by ply"
        yield from _table(audit.by_ply)
    yield ""
    if audit.blunders.rows:
        worst = worst_blunders(audit)
        yield f"worst blunders, {len(worst.rows)} of {audit.blunders_found:,}; " + (
            "each is the last move of its line, which `show` and `play --from` take"
            if audit.sampled
            else "of each class, those in one position"
        )
        yield from _table(worst)
        yield ""
    for side, _, moves, board in audit.refutations.rows:
        yield f"how it loses as {side}: play {line_text(game, moves)}"
        yield draw(game, from_text(game, board))
        yield ""
    if audit.matches.rows:
        yield against_whom(audit)
        yield from _table(against(audit))


def worst_blunders(audit: Audit) -> Rows:
    """Return some of the blunders, the largest losses first; of drawn positions as lines."""
    if audit.sampled:
        chosen = worst_first(_as_lines(audit.game, audit.sampled.answers))
    else:
        chosen = worst_of_classes(audit).without("class")
    return Rows(chosen.columns, chosen.rows[:_WORST])


def worst_of_classes(audit: Audit) -> Rows:
    """Return the blunders of one position of each class, the largest losses first."""
    ranked = worst_first(audit.blunders)
    shown: dict[int | str, str] = {}
    at = [ranked.columns.index(name) for name in ("class", "board")]
    rows = []
    for row in ranked.rows:
        class_, board = (row[place] for place in at)
        if shown.setdefault(board if class_ is None else class_, board) == board:
            rows.append(row)
    return Rows(ranked.columns, rows)


def worst_first(blunders: Rows) -> Rows:
    """Sort blunders by loss, then by chance."""
    loss, chance = (blunders.columns.index(name) for name in ("loss", "chance_percent"))
    return Rows(blunders.columns, sorted(blunders.rows, key=lambda row: (-row[loss], -row[chance])))


def _as_lines(game: Game, answers: Rows) -> Rows:
    """Return the blunders among answers, each with the moves up to it."""
    told = ("turn", "move", "best_moves", "score", "score_after", "loss", "distance",
            "distance_after", "chance_percent", "ply")  # fmt: skip
    rows = [
        [*(row[name] for name in told), line_text(game, [*row["line"], row["move"]])]
        for row in answers.records()
        if row["loss"]
    ]
    return Rows((*told, "line"), rows)


def against_whom(audit: Audit) -> str:
    """Say what the results of matches are."""
    if audit.seed is None:
        return "exactly, against a best response, perfect play, random play (ai2) and our other AIs"
    if audit.sampled:
        starts = audit.sampled.starts
        count = sum(starts.values())
        text = (
            f"in games from {count} drawn positions, of the lowest plies, each once on each side, "
            f"against random and perfect play, seed {audit.seed}; between perfect players, "
            f"circle wins {starts['circle']} of them, {starts['draw']} are drawn, "
            f"cross wins {starts['cross']}"
        )
        late = audit.sampled.games_out_of_time
        return text + f"; {late:,} games ended early, the search ran out of time" * (late > 0)
    return f"in {GAMES} games on each side, against random and perfect play, seed {audit.seed}"


def against(audit: Audit) -> Rows:
    """Return the matches in percent, with the mean; best response, perfect and random play first.

    The mean of games comes with its 95 % confidence interval.
    """
    first = (BEST_RESPONSE, PERFECT_PLAY, RANDOM_PLAY)
    bounds = ("mean_at_least", "mean_at_most") if audit.seed is None else ()
    rows = audit.matches.without("win", "draw", "lose", *bounds)
    ranked = sorted(
        rows.rows, key=lambda row: first.index(row[0]) if row[0] in first else len(first)
    )
    return Rows(rows.columns, [[*row[:5], *(round(mean, 4) for mean in row[5:])] for row in ranked])


def _table(rows: Rows) -> Iterator[str]:
    out = StringIO()
    write(rows.columns, rows.rows, Format.TABLE, out)
    yield from out.getvalue().splitlines()
