"""A review as text, and as a page of HTML."""

from collections.abc import Iterator, Sequence
from io import StringIO

from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.review import GameReview, Review
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.html_parts import board_figure, document, sentence, table
from marubatsu.pipeline.tables.output import Rows, shown, write

_NAMED = 10  # players in a sentence
_FIGURES = 60  # boards on a page
_BLUNDERS = "worst blunders"

_RESULTS = ("player", "strength", "strength_error", "games", "won", "drawn", "lost",
            "without_result", "right_percent", "at_least_percent", "at_most_percent")  # fmt: skip
_MOVES = ("player", "moves", "critical", "right", "blunders", "mean_loss", "mean_plies_lost",
          "illegal_moves", "moves_after_the_end")  # fmt: skip


def text(review: Review) -> str:
    """Write a review for people."""
    return "\n".join(line for each in review.reviews for line in _lines(each))


def _lines(review: GameReview) -> Iterator[str]:
    yield _heading(review)
    yield from _sentences(review)
    yield ""
    for title, rows, most in _tables(review):
        yield title + (f", {most} of {len(rows.rows):,}" if len(rows.rows) > most else "")
        out = StringIO()
        write(rows.columns, rows.rows[:most], Format.TABLE, out)
        yield out.getvalue()


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


def _tables(review: GameReview) -> Iterator[tuple[str, Rows, int]]:
    """Yield the tables with their titles, and the most rows that a text shows.

    Tables without rows are left out.
    """
    tables = review.tables
    blunders = tables.blunders.only("player", "times", "loss", "turn", "move", "best_moves", "line")
    for title, rows, most in (
        ("results, beside the share of right moves", tables.leaderboard.only(*_RESULTS), 100),
        ("moves", tables.leaderboard.only(*_MOVES), 100),
        ("findings", tables.findings, 100),
        ("moves by ply", tables.by_ply, 100),
        (_BLUNDERS, _worst_first(blunders), 10),
        ("games in which most was given away", _worst_first(tables.worst_games), 10),
    ):
        if rows.rows:
            yield title, rows, most


def _worst_first(rows: Rows) -> Rows:
    """Sort by loss over all players."""
    at = list(rows.columns).index("loss")
    return Rows(rows.columns, sorted(rows.rows, key=lambda row: -row[at]))


def page(review: Review) -> str:
    """Write a review as a page of its own."""
    names = ", ".join(each.game.name for each in review.reviews)
    return document(f"Review of games of {names}", "\n".join(_parts(review.reviews)))


def _parts(reviews: Sequence[GameReview]) -> Iterator[str]:
    for review in reviews:
        yield f"<h1>{sentence(_heading(review))}</h1>"
        for told in _sentences(review):
            yield f"<p>{sentence(told)}.</p>"
        for title, rows, _ in _tables(review):
            yield f"<h2>{sentence(title)}</h2>"
            if title == _BLUNDERS:
                yield "<p>Shaded red: the move; blue: the moves that give nothing away.</p>"
                yield '<div class="boards">'
                yield from _figures(review)
                yield "</div>"
            else:
                yield table(rows)


def _figures(review: GameReview) -> Iterator[str]:
    blunders = _worst_first(review.tables.blunders)
    for row in blunders.records()[:_FIGURES]:
        text = (
            f"{shown(row['player'])} ({row['turn']}) plays {row['move']} and loses "
            f"{'half a win' if row['loss'] == 1 else 'a whole win'}, {row['times']:,} times; best: "
            f"{', '.join(map(str, row['best_moves']))}; line: {row['line']}"
        )
        yield board_figure(review.game, row["board"], text, [row["move"]], row["best_moves"])
    if len(blunders.rows) > _FIGURES:
        left_out = len(blunders.rows) - _FIGURES
        yield f"<p>… and {left_out:,} more: --format json lists them.</p>"
