"""The report of a review: as text, and as a page of HTML."""

from collections.abc import Iterator, Sequence

from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.audit import report
from marubatsu.judge.audit.report import LOSSES, Report, Section, blunder_boards
from marubatsu.judge.review.game_review import GameReview
from marubatsu.pipeline.tables.cells import shown
from marubatsu.pipeline.tables.html_parts import board_figure
from marubatsu.pipeline.tables.output import Rows

_NAMED = 10  # players in a sentence
_ROWS, _WORST = 100, 10  # rows of a table in a text
_FIGURES = 60  # boards on a page

_RESULTS = ("player", "strength", "strength_error", "games", "won", "drawn", "lost",
            "without_result", "right_percent", "at_least_percent", "at_most_percent")  # fmt: skip
_MOVES = ("player", "moves", "critical", "right", "blunders", "mean_loss", "mean_plies_lost",
          "illegal_moves", "moves_after_the_end")  # fmt: skip


def text(reviews: Sequence[GameReview]) -> str:
    """Write the reviews of some games for a terminal."""
    return "\n".join(_report(each).text() for each in reviews)


def page(reviews: Sequence[GameReview]) -> str:
    """Write the reviews of some games as a page of HTML that needs no other file."""
    names = ", ".join(each.game.name for each in reviews)
    return report.page(f"Review of games of {names}", list(map(_report, reviews)))


def _report(review: GameReview) -> Report:
    return Report(_heading(review), list(_sentences(review)), list(_sections(review)))


def _heading(review: GameReview) -> str:
    return f"review of {review.games:,} game{'s' * (review.games != 1)} of {review.game.name}"


def _sentences(review: GameReview) -> Iterator[str]:
    """Say what was judged, by what, and what the results do not tell."""
    first, last = review.plies
    asked = f"{review.positions:,} different positions"
    yield (
        f"{review.judged:,} of {review.moves:,} moves are judged, those of plies {first} to "
        f"{last}, in {asked}"
    )
    if review.out_of_time:
        yield (
            f"{review.out_of_time:,} of {review.positions:,} positions are left out, because the "
            "search ran out of time; they tend to be the hardest"
        )
    yield (
        "a strength is that of the Bradley-Terry model in the units of Elo, with a draw as half a "
        "win; right means a best move in a critical position, with a 95 % interval"
    )
    missing = review.tables.not_compared
    if missing:
        named = ", ".join(quote(name) for name in missing[:_NAMED])
        named += f" and {len(missing) - _NAMED:,} more" * (len(missing) > _NAMED)
        yield (
            f"no strength for {named}: the results hold no chain of wins or draws from each of "
            "them to all others and back"
        )


def _sections(review: GameReview) -> Iterator[Section]:
    """Yield the tables that have rows."""
    tables = review.tables
    blunders = _worst_first(tables.blunders)
    columns = ("player", "times", "loss", "turn", "move", "best_moves", "line")
    for section in (
        Section("results and the share of right moves", tables.leaderboard.only(*_RESULTS)),
        Section("moves", tables.leaderboard.only(*_MOVES)),
        Section("findings", tables.findings),
        Section("moves by ply", tables.by_ply),
        Section("worst blunders", blunders.only(*columns), _WORST, html=_boards(review, blunders)),
        Section("games in which most was given away", _worst_first(tables.worst_games), _WORST),
    ):
        if section.rows.rows:
            yield section._replace(most=section.most or _ROWS)


def _worst_first(rows: Rows) -> Rows:
    """Sort by loss over all players."""
    at = list(rows.columns).index("loss")
    return Rows(rows.columns, sorted(rows.rows, key=lambda row: -row[at]))


def _boards(review: GameReview, blunders: Rows) -> str:
    """Return boards of blunders for a page."""
    figures = []
    for row in blunders.records()[:_FIGURES]:
        caption = (
            f"{shown(row['player'])} ({row['turn']}) plays {row['move']} and loses "
            f"{LOSSES[row['loss']]}, {row['times']:,} times; best: "
            f"{', '.join(map(str, row['best_moves']))}; line: {row['line']}"
        )
        board, move, best = list(row["board"]), [row["move"]], row["best_moves"]
        figures.append(board_figure(review.game, board, caption, move, best))
    return blunder_boards(figures, len(blunders.rows) - len(figures), "them")
