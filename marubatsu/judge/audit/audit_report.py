"""The result of an audit: an `Audit` has the facts, and `_report` describes its report.

`pipeline.tables.report` makes the text and the page from this description. The parts of an audit
say in sentences what they hold: how positions were drawn, and how the AI differs from a baseline.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

from marubatsu.engine.rules.board_text import draw, from_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import counted
from marubatsu.engine.rules.numbering import line_text
from marubatsu.judge.audit.draw_positions import FROM_PLAY, OWN, Sampled, Scope
from marubatsu.judge.audit.interview import Interview
from marubatsu.judge.audit.mistakes import Comparison
from marubatsu.judge.audit.verdicts import (
    BEST_RESPONSE,
    GAMES,
    PERFECT_PLAY,
    RANDOM_PLAY,
    Verdicts,
    badge,
)
from marubatsu.pipeline.support.errors import harmless
from marubatsu.pipeline.tables import report
from marubatsu.pipeline.tables.output import Rows
from marubatsu.pipeline.tables.report import (
    LOSSES,
    Report,
    Section,
    blunder_boards,
    board_figure,
    table,
    table_text,
    worst_first,
)
from marubatsu.version import __version__

SCHEMA = 3
"""The version of the JSON of an audit."""

_DETAILED = (BEST_RESPONSE, PERFECT_PLAY, RANDOM_PLAY)
"""The opponents of which a text shows the results on each side; of others it shows the total."""

_WORTH = ("loss", "chance_percent")  # what sorts blunders
_WORST = 10  # blunders in a text
CHANGES = "it gives other moves when it is asked again"
_MOST_BOARDS = 60  # figures of blunders on a page


@dataclass(frozen=True)
class Audit:
    """The verdicts on one AI, and their reasons. It prints as a report; a notebook shows a page.

    ``scope`` says what the AI was asked about; ``unit`` is ``position``, or ``class`` where it
    was asked about one position of each class. If every position was asked,
    ``refutations`` has the first of the shortest lines by which the AI loses. ``seed`` fixed the
    random positions and games; without any it is None.

    If the AI's choices are known in every position, the matches are exact: against a best response
    and each AI of the tables, or random and perfect play. Otherwise the AI played games against
    random and perfect play, and the bounds of the mean are a 95 % confidence interval.
    """

    game: Game
    interview: Interview
    scope: Scope
    unfinished: int | None  # unfinished positions or classes of the game; None: not known
    seed: int | None
    data: str | None  # hash of the data that judged it; None: a search did
    verdicts: Verdicts
    by_ply: Rows  # BY_PLY_COLUMNS: one ply with critical positions
    blunders: Rows  # BLUNDER_COLUMNS: in every position that the AI was asked about
    blunders_found: int  # of which ``blunders`` may list only the worst
    refutations: Rows  # REFUTATION_COLUMNS: how it loses, as circle and as cross
    matches: Rows  # MATCH_COLUMNS: of the AI; a win is 1, a draw 0, a loss -1 in the mean
    sampled: Sampled | None = None  # where positions were drawn from play or from a file
    comparison: Comparison | None = None  # with a baseline, where one was asked

    @property
    def unit(self) -> str:
        """What was asked about one by one: each ``position``, or one of each ``class``."""
        return "class" if self.scope in ("classes", "drawn") else "position"

    def verdict_row(self) -> Rows:
        """Return the verdicts as one row, after the AI, the game and the number of faults."""
        row = {
            "ai": self.interview.name,
            "family": self.interview.family,
            "game": self.game.name,
            "examined": self.interview.examined,
            "without_answer": self.interview.without_answer,
            "findings": sum(finding.count for finding in self.interview.findings),
            "could_read_answers": self.interview.could_read_answers is not None,
            **self.verdicts.to_json(),
        }
        return Rows(tuple(row), [tuple(row.values())])

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object; every audit has the same keys, and no times."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "game": self.game.name,
            "data": self.data,
            **self.interview.to_json(),
            "unit": self.unit,
            "unfinished": self.unfinished,
            "seed": self.seed,
            "verdicts": self.verdicts.to_json(),
            "blunders_by_ply": self.by_ply.records(),
            "blunders_found": self.blunders_found,
            "blunders": self.blunders.records(),
            "refutations": self.refutations.records(),
            "matches": self.matches.records(),
            "sampled": self.sampled and self.sampled.to_json(),
            "comparison": self.comparison and self.comparison.to_json(),
        }

    def __str__(self) -> str:
        return _report(self).text().removesuffix("\n")

    def _repr_html_(self) -> str:
        return report.page(f"Audit of {self.interview.shown_name}", [_report(self)])

    def badge(self) -> str:
        """Return an SVG image of the game and the classes, as ``--badge`` writes it."""
        return badge(self.game, self.verdicts)


def _report(audit: Audit) -> Report:
    """Describe the report: its sentences, tables, boards and plots."""
    interview, drawn = audit.interview, audit.sampled
    sentences = [_asked(audit)]
    if interview.could_read_answers:
        why = harmless(interview.could_read_answers).replace("\n", " ")
        sentences.append(f"could read the answers, because {why}")
    return Report(
        heading=f"audit of {interview.shown_name} ({interview.family}) on {audit.game.name}",
        sentences=[*sentences, *(drawn.sentences(audit.scope) if drawn else ())],
        verdicts=_verdicts(audit),
        sections=[
            _findings(audit),
            *(_judged(audit) if interview.is_judged else ()),
            *_not_confined(audit),
        ],
    )


def _findings(audit: Audit) -> Section:
    findings = [[f.kind, f.count, f.board, f.detail] for f in audit.interview.findings]
    rows = Rows(("finding", "times", "first at", "detail"), findings)
    if not findings:
        return Section("findings", rows, text="findings: none", html="<p>None.</p>")
    return Section("findings", rows, text=table_text(rows))


def _not_confined(audit: Audit) -> Iterator[Section]:
    if audit.interview.not_confined:
        text = f"not confined: {audit.interview.not_confined}"
        yield Section("confinement", text=text, html=f"<p>{escape(text)}</p>")


def _judged(audit: Audit) -> Iterator[Section]:
    """Yield what follows from the AI's answers."""
    if audit.comparison and audit.comparison.changes.rows:
        title = f"classes won and lost since {harmless(audit.comparison.baseline)}"
        yield Section(title, audit.comparison.changes, most=_WORST)
    yield Section(
        "critical positions by ply",
        audit.by_ply,
        text="" if audit.sampled else None,
        html=table(audit.by_ply, [[("lose", 100 * row[2] / row[1])] for row in audit.by_ply.rows]),
    )
    if audit.sampled:
        title = "answers by ply, with 95 % intervals for the share of right critical positions"
        yield Section(title, audit.sampled.by_ply)
    if audit.blunders.rows:
        yield _blunders(audit)
    for side, _, moves, board in audit.refutations.rows:
        title = f"how it loses as {side}: play {line_text(audit.game, moves)}"
        drawing = draw(audit.game, from_text(audit.game, board))
        numbered = {move: f"{'ox'[ply % 2]}{ply + 1}" for ply, move in enumerate(moves)}
        figure = board_figure(audit.game, numbered, " ".join(map(str, moves)))
        yield Section(title, text=f"{title}\n{drawing}", html=figure)
    if audit.matches.rows:
        title, matches = _opponents(audit), _matches(audit)
        brief = [row for row in matches.rows if row[0] in _DETAILED or row[1] == "total"]
        text = f"{title}\n{table_text(Rows(matches.columns, brief))}"
        shares = [[*zip(("win", "draw", "lose"), row[2:5], strict=True)] for row in matches.rows]
        yield Section(title, matches, text=text, html=table(matches, shares))


def _blunders(audit: Audit) -> Section:
    """Return the worst blunders: a text has some as a table, a page more as boards."""
    of_classes = worst_of_classes(audit)
    if audit.sampled:
        worst = worst_first(_as_lines(audit.game, audit.sampled.answers), *_WORTH)
        what = "each is the last move of its line, which `show` and `play --from` take"
    else:
        worst, what = of_classes.without("class"), "of each class, those in one position"
    count = min(_WORST, len(worst.rows))
    heading = f"worst blunders, {count} of {audit.blunders_found:,}; {what}"
    figures = list(_figures(audit, of_classes))
    left = audit.blunders_found - len(figures)
    return Section(
        "worst blunders, in one position of each class",
        worst,
        text=f"{heading}\n{table_text(worst, _WORST)}",
        html=blunder_boards(figures, left, f"{len(audit.blunders.rows):,} in all positions"),
    )


def _figures(audit: Audit, blunders: Rows) -> Iterator[str]:
    answers = audit.sampled.answers.records() if audit.sampled else []
    lines = {row["board"]: row["line"] for row in answers}
    for row in blunders.records()[:_MOST_BOARDS]:
        board, move, best = row["board"], row["move"], row["best_moves"]
        caption = (
            f"{row['turn']} plays {move} ({row['chance_percent']:g} %) and loses "
            f"{LOSSES[row['loss']]}; best: {', '.join(map(str, best))}"
        )
        if board in lines:
            caption += f"; line: {','.join(map(str, [*lines[board], move]))}"
        yield board_figure(audit.game, list(board), caption, bad=[move], good=best)


def _asked(audit: Audit) -> str:
    """Say how many questions the AI got, and about which positions or classes, in which time."""
    answers = audit.interview
    about = counted(answers.wanted, "position")
    if audit.scope == "named" and audit.sampled:
        about += " of the table"
    elif audit.scope == "classes" and audit.verdicts.is_sample:
        about = f"a sample of {answers.wanted:,} of {audit.unfinished:,} unfinished classes"
    elif audit.scope == "classes":
        about = f"all {answers.wanted:,} unfinished classes, one member of each"
    elif audit.verdicts.is_sample and not audit.sampled:
        about = f"{answers.wanted:,} of {audit.unfinished:,} positions"
    if answers.asked > answers.asked_about:
        about += " and those of its games"
    if audit.seed is not None:
        about += f", seed {audit.seed}"
    sentence = f"{counted(answers.asked, 'question')} about {about}"
    if answers.asked_again:
        sentence += f", {answers.asked_again:,} of them asked twice"
    return f"{sentence} in {answers.seconds:.2f} s"


def _verdicts(audit: Audit) -> list[str]:
    """Say in sentences what the AI solves, and how certain that is."""
    if not audit.interview.is_judged:
        return ["is not judged: it gave no valid answer in any position"]
    sentences = [*_strong(audit), _weak(audit)]
    if wasted := audit.verdicts.mean_plies_lost:
        sentences.append(
            f"wastes {wasted:.4f} plies on average where it keeps the score: it wins later or "
            "loses sooner than it could"
        )
    sentences += _exploitable(audit)
    if audit.comparison:
        sure = confidence(audit) if audit.verdicts.is_sample else None
        sentences += audit.comparison.sentences(sure)
    if audit.interview.unjudged:
        sentences.append(
            f"gave no answer in {counted(audit.interview.unjudged, 'position')}, because of "
            "time-outs or outages; none of that is counted, and what depends on every position "
            "stays open"
        )
    if audit.interview.forfeited:
        sentences.append(
            "gave no move, or one that is not legal, in "
            f"{counted(audit.interview.forfeited, 'position')}: there it loses, and counts in all "
            "figures as one that plays any legal move"
        )
    if audit.interview.draws_moves:
        sentences.append("gave other moves when asked again; all figures are of moves that it gave")
    return sentences


def critical_positions(audit: Audit, which: str = "") -> str:
    """Name what the share of right answers and both of its thresholds are about."""
    return f"critical positions{which}" + ", one of each class" * (audit.unit == "class")


def confidence(audit: Audit) -> str:
    """Say how sure the intervals of a sample are; positions of one game are alike."""
    is_own = audit.sampled is not None and audit.sampled.positions == OWN
    return "less than " * is_own + "95 % confidence"


def _strong(audit: Audit) -> Iterator[str]:
    """Say whether the AI solves the game strongly, or seems to, and what score it gives away."""
    verdicts, drawn = audit.verdicts, audit.sampled
    assert verdicts.share is not None  # The AI is judged.
    verdict = {
        True: "solves the game strongly",
        False: "is not perfect",
        None: "made no mistake, which proves nothing yet",
    }[verdicts.strongly_solved]
    about = critical_positions(audit, " of the sample" * verdicts.is_sample)
    text = f"{verdicts.positions_right:,} of {verdicts.positions:,} {about}"
    if audit.unit == "position":
        classes = f"{verdicts.classes_right:,} of {verdicts.classes:,} critical classes"
        text = f"{classes}, {text} (a class is right if all of its positions are)"
    right = "gave only best moves" if verdicts.draws_moves else "right"
    yield f"{verdict}: {right} in {text}"
    if verdicts.expected_loss:
        yield (
            "plays a best move in these positions with a chance of "
            f"{verdicts.best_move_percent:.2f} %, and gives away {verdicts.expected_loss:.4f} of "
            "the score on average (a win is 1, a draw 0)"
        )
    is_random = drawn.positions in FROM_PLAY if drawn else audit.scope in ("positions", "classes")
    if verdicts.is_sample and is_random:
        least, most = (f"{100 * share:.2f} %" for share in verdicts.share)
        about = critical_positions(audit, " drawn in this way" * (drawn is not None))
        yield f"is right in {least} to {most} of all {about}, with {confidence(audit)}"


def _weak(audit: Audit) -> str:
    verdicts = audit.verdicts
    sides = {"circle": verdicts.as_circle, "cross": verdicts.as_cross}
    never, loses = ([side for side in sides if sides[side] is known] for known in (True, False))
    if verdicts.weakly_solved:
        return "solves the game weakly: from the empty board it never loses, on either side"
    if loses:
        how = f"it can lose {'on both sides' if len(loses) == 2 else f'as {loses[0]}'}"
        if never:
            how = f"only {never[0]} never loses"
        return f"does not solve the game weakly: from the empty board {how}"
    return f"may solve the game weakly: {why_weakly_unknown(audit)}"


def why_unknown(audit: Audit, otherwise: str) -> str:
    """Say why an audit cannot tell something about all positions, as a clause."""
    if audit.interview.unjudged:
        return f"it gave no answer in {counted(audit.interview.unjudged, 'position')}"
    return CHANGES if audit.interview.draws_moves else otherwise


def why_weakly_unknown(audit: Audit) -> str:
    """Say why an audit cannot tell whether the AI solves the game weakly, as a clause."""
    otherwise = "it was not asked in every position that it can reach"
    return why_unknown(audit, "drawn positions do not tell" if audit.sampled else otherwise)


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
            "on each side; against perfect play, that opponent would get 0"
        )
    elif most is not None:
        yield "is not exploitable: on both sides together, no opponent gets more than perfect play"
    elif least:
        yield (
            f"is exploitable by at least {least:.4f} {points}, with 95 % confidence: perfect play "
            "gets that, half of the games on each side; a best opponent may get more"
        )


def worst_of_classes(audit: Audit) -> Rows:
    """Return the blunders of one position of each class, the largest losses first."""
    ranked = worst_first(audit.blunders, *_WORTH)
    board_of: dict[int | str, str] = {}
    at = [ranked.columns.index(name) for name in ("class", "board")]
    rows = []
    for row in ranked.rows:
        class_, board = (row[place] for place in at)
        if board_of.setdefault(board if class_ is None else class_, board) == board:
            rows.append(row)
    return Rows(ranked.columns, rows)


def _as_lines(game: Game, answers: Rows) -> Rows:
    """Return the blunders among answers, each with the moves up to it."""
    columns = ("turn", "move", "best_moves", "score", "score_after", "loss", "distance",
            "distance_after", "chance_percent", "ply")  # fmt: skip
    rows = [
        [*(row[name] for name in columns), line_text(game, [*row["line"], row["move"]])]
        for row in answers.records()
        if row["loss"]
    ]
    return Rows((*columns, "line"), rows)


def _opponents(audit: Audit) -> str:
    if BEST_RESPONSE in audit.matches.column("opponent"):
        others = {row[0] for row in audit.matches.rows}.difference(_DETAILED)
        more = f", random play (ai2) and {counted(len(others), 'other AI')}" * bool(others)
        return f"exactly, against a best response, perfect play{more or ' and random play (ai2)'}"
    if audit.sampled:
        starts = audit.sampled.starts
        count = sum(starts.values())
        text = (
            f"in games from {count} of the positions, of the lowest plies, each once on each side, "
            f"against random and perfect play, seed {audit.seed}; between perfect players, "
            f"circle wins {starts['circle']} of them, {starts['draw']} are drawn, "
            f"cross wins {starts['cross']}"
        )
        late = audit.sampled.games_out_of_time
        early = f"; {counted(late, 'game')} ended early, the search ran out of time"
        return text + early * (late > 0)
    return f"in {GAMES} games on each side, against random and perfect play, seed {audit.seed}"


def _matches(audit: Audit) -> Rows:
    """Return the matches in percent, with the mean; best response, perfect and random play first.

    The mean of games comes with its 95 % confidence interval; exact results have none.
    """
    is_exact = audit.matches.column("mean") == audit.matches.column("mean_at_least")
    bounds = ("mean_at_least", "mean_at_most") if is_exact else ()
    rows = audit.matches.without("win", "draw", "lose", *bounds)
    ranked = sorted(rows.rows, key=lambda row: (*_DETAILED, row[0]).index(row[0]))
    return Rows(rows.columns, [[*row[:5], *(round(mean, 4) for mean in row[5:])] for row in ranked])
