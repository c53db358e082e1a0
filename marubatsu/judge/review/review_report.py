"""The review of recorded games: what was judged, and the report as text and as a page of HTML."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.audit import report
from marubatsu.judge.audit.report import LOSSES, Report, Section, blunder_boards
from marubatsu.judge.review.player_tables import PlayerTables
from marubatsu.pipeline.tables.cells import shown
from marubatsu.pipeline.tables.html_parts import board_figure
from marubatsu.pipeline.tables.output import Rows
from marubatsu.version import __version__

SCHEMA = 1
"""The version of the JSON of a review."""

_NAMED = 10  # players in a sentence
_ROWS, _WORST = 100, 10  # rows of a table in a text
_FIGURES = 60  # boards on a page

_RESULTS = ("player", "strength", "strength_error", "games", "won", "drawn", "lost",
            "without_result", "right_percent", "at_least_percent", "at_most_percent")  # fmt: skip
_MOVES = ("player", "moves", "critical", "right", "blunders", "mean_loss", "mean_plies_lost",
          "illegal_moves", "moves_after_the_end")  # fmt: skip


@dataclass(frozen=True)
class GameReview:
    """The review of all recorded games of one game."""

    game: Game
    games: int  # recorded
    moves: int  # legal ones
    judged: int  # of those
    plies: tuple[int, int]  # the first and the last that were judged
    positions: int  # different ones that were looked up
    out_of_time: int  # of those: the search took too long, so moves there are not judged
    data: str | None  # hash of the data that judged; None: a search did
    tables: PlayerTables

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object."""
        return {
            "game": self.game.name,
            "games": self.games,
            "moves": self.moves,
            "judged": self.judged,
            "first_ply": self.plies[0],
            "last_ply": self.plies[1],
            "positions": self.positions,
            "out_of_time": self.out_of_time,
            "data": self.data,
            "not_compared": list(self.tables.not_compared),
            **{name: rows.records() for name, rows in self.tables.rows().items()},
        }


@dataclass(frozen=True)
class Review:
    """The reviews of the games that some files hold; a notebook shows them as a page."""

    files: Sequence[str]
    reviews: Sequence[GameReview]

    @property
    def leaderboard(self) -> Rows:
        """Every player of every game, as one table: what the formats for programs hold."""
        columns = ("game", *self.reviews[0].tables.leaderboard.columns)
        rows = [
            [review.game.name, *row]
            for review in self.reviews
            for row in review.tables.leaderboard.rows
        ]
        return Rows(columns, rows)

    def __str__(self) -> str:
        return text(self.reviews).removesuffix("\n")

    def _repr_html_(self) -> str:
        return page(self.reviews)

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object, without times."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "files": list(self.files),
            "reviews": [review.to_json() for review in self.reviews],
        }


def text(reviews: Sequence[GameReview]) -> str:
    """Write the reviews of some games for a terminal."""
    return "\n".join(_report(each).text() for each in reviews)


def page(reviews: Sequence[GameReview]) -> str:
    """Write the reviews of some games as a page of HTML that needs no other file."""
    names = ", ".join(each.game.name for each in reviews)
    return report.page(f"Review of games of {names}", list(map(_report, reviews)))


def _report(review: GameReview) -> Report:
    heading = f"review of {review.games:,} game{'s' * (review.games != 1)} of {review.game.name}"
    return Report(heading, list(_sentences(review)), list(_sections(review)))


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
