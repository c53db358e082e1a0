"""A review: how well the players of recorded games played, judged by the oracle of each game."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marubatsu.engine.notations.signs import first_mark
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game, game_of
from marubatsu.engine.rules.input_error import counted, is_one_of, quote
from marubatsu.engine.rules.numbering import Numbering, numbering_of
from marubatsu.judge.audit.draw_positions import plies_of
from marubatsu.judge.oracle.choose_oracle import ValueSource, open_oracle, value_source
from marubatsu.judge.review.game_logs import READERS, GameLog, RecordedGames, require_no_doubt
from marubatsu.judge.review.layouts import FIELDS
from marubatsu.judge.review.player_tables import PlayerTables, judge, tables_of
from marubatsu.judge.review.recorded_game import MEANINGS, LogOptions, open_log
from marubatsu.pipeline.solving.compact_file import data_hash_of
from marubatsu.pipeline.stages.on_demand import built_if_quick
from marubatsu.pipeline.support.errors import OptionError, UsageError
from marubatsu.pipeline.support.machine import MOVE_SECONDS, checked_time
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.tables import report
from marubatsu.pipeline.tables.formats import shown
from marubatsu.pipeline.tables.output import Rows
from marubatsu.pipeline.tables.report import (
    LOSSES,
    Report,
    Section,
    blunder_boards,
    board_figure,
    left_out,
    worst_first,
)
from marubatsu.version import __version__

SCHEMA = 1  # the version of the JSON of a review
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
        return "\n".join(_report(each).text() for each in self.reviews).removesuffix("\n")

    def _repr_html_(self) -> str:
        names = ", ".join(each.game.name for each in self.reviews)
        return report.page(f"Review of games of {names}", list(map(_report, self.reviews)))

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object, without times."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "files": list(self.files),
            "reviews": [review.to_json() for review in self.reviews],
        }


def _report(review: GameReview) -> Report:
    heading = f"review of {counted(review.games, 'game')} of {review.game.name}"
    return Report(heading, list(_sentences(review)), list(_sections(review)))


def _sentences(review: GameReview) -> Iterator[str]:
    """Say what was judged, by what, and what the results do not tell."""
    first, last = review.plies
    yield (
        f"{review.judged:,} of {review.moves:,} moves are judged, those of plies {first} to "
        f"{last}, in {counted(review.positions, 'different position')}"
    )
    if review.out_of_time:
        yield left_out(review.out_of_time, review.positions)
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
    blunders = worst_first(tables.blunders, "loss")
    columns = ("player", "times", "loss", "turn", "move", "best_moves", "line")
    for section in (
        Section("results and the share of right moves", tables.leaderboard.only(*_RESULTS)),
        Section("judged moves", tables.leaderboard.only(*_MOVES)),
        Section("findings", tables.findings),
        Section("judged moves by ply", tables.by_ply),
        Section("worst blunders", blunders.only(*columns), _WORST, html=_boards(review, blunders)),
        Section(
            "games in which most was given away", worst_first(tables.worst_games, "loss"), _WORST
        ),
    ):
        if section.rows.rows:
            yield section._replace(most=section.most or _ROWS)


def _boards(review: GameReview, blunders: Rows) -> str:
    figures = []
    for row in blunders.records()[:_FIGURES]:
        caption = (
            f"{shown(row['player'])} ({row['turn']}) plays {row['move']} and loses "
            f"{LOSSES[row['loss']]}, {counted(row['times'], 'time')}; best: "
            f"{', '.join(map(str, row['best_moves']))}; line: {row['line']}"
        )
        board, move, best = list(row["board"]), [row["move"]], row["best_moves"]
        figures.append(board_figure(review.game, board, caption, move, best))
    return blunder_boards(figures, len(blunders.rows) - len(figures), "them")


def review(
    files: Sequence[str | Path] | str | Path,
    game: Game | str | None = None,
    *,
    log: str | None = None,
    columns: Mapping[str, str] | None = None,
    numbering: str | None = None,
    first: str | None = None,
    results: Mapping[str, str] | None = None,
    plies: str | None = None,
    time: float = MOVE_SECONDS,
    data: str | Path | None = None,
) -> Review:
    """Judge the players of recorded games; a notebook shows the review as a page.

    ``files`` names one file, or is a list of them.
    ``game`` is the game, whatever the logs say; without it, they name it. ``log`` is their format:
    ``moves``, ``pgn``, ``jsonl``, ``kaggle``, ``textarena``, ``openenv``, ``verifiers`` or ``csv``;
    without it, the content decides. ``columns`` maps fields to the columns of a table, or the keys
    of JSON, that hold them: moves, first, second, result and game; for one row a move, game_id,
    player, move and move_number. ``numbering`` is that of the moves, such as ``"columns"``.
    ``first`` is the mark that begins, ``"o"`` or ``"x"``, where a log names marks. ``results`` maps
    the words that a log writes as results to first, second, draw or none. ``plies`` such as
    ``"12-20"`` bounds the plies of judged moves. A game without data is searched, for ``time``
    seconds a position at most.

    The review has ``leaderboard`` (`Rows`, a player of a game each) and ``reviews``, a `GameReview`
    for each game. Its ``tables`` (`PlayerTables`) hold the leaderboard, the shares by ply, the
    blunders, the worst games and the findings. ``strength`` is in units of Elo; ``loss`` is how
    much a move lowers the mover's score; ``right`` counts best moves in critical positions.

    Raises UsageError for files that hold other things, naming the line, for files that make sense
    in another numbering only, and for values that make no sense; InputError for a name of no game
    or numbering; DataError when data is missing or damaged.

    >>> from pathlib import Path
    >>> _ = Path("games.txt").write_text("ann - bob: b2 b3 a3 c1 a2 a1 c2")
    >>> found = review("games.txt", "tictactoe")
    >>> found.leaderboard.only("player", "critical", "right", "mean_loss").rows
    [['ann', 3, 3, 0.0], ['bob', 1, 0, 0.3333]]
    >>> found.reviews[0].tables.blunders.only("player", "board", "move", "best_moves").rows
    [['bob', '....o....', 1, [0, 2, 6, 8]]]
    """
    checked_time(time)
    paths = _paths(files)
    default = None if game is None else game_of(game)
    if log is not None and not is_one_of(log, READERS):
        raise OptionError("log", log, f"expected one of {', '.join(READERS)}")
    stated = None if numbering is None else numbering_of(numbering)
    mark = None if first is None else first_mark(first)
    if mark not in (None, *MARKS):
        raise OptionError("first", first, "expected o or x, the marks of a log")
    is_column_first = stated in (Numbering.COLUMN_ROW, Numbering.COLUMN_ROW_FROM_1)
    options = LogOptions(
        _mapping("columns", columns, "from", FIELDS), mark,
        _mapping("results", results, "to", MEANINGS), default, is_column_first,
    )  # fmt: skip
    games = RecordedGames(None if default is None else default.name, stated)
    with progress("reading") as advance:
        for number, path in enumerate(paths):
            advance(number / len(paths))
            games.read(open_log(path, options), log)
    reviews = []
    for game_log in games.logs.values():
        with progress(f"review of {game_log.game.name}") as advance:
            reviews.append(_review(game_log, list(games.players), plies, time, data, advance))
    return Review([str(path) for path in paths], reviews)


def _mapping(option: str, given: object, way: str, known: Iterable[str]) -> Mapping[str, str]:
    """Return an option that maps texts from or to known words; nothing without it.

    Raises OptionError for anything else.
    """
    pairs = dict(given) if isinstance(given, Mapping) else {}
    words = pairs if way == "from" else pairs.values()
    are_texts = all(isinstance(part, str) for pair in pairs.items() for part in pair)
    if not (are_texts and isinstance(given, Mapping | None) and {*words} <= {*known}):
        expected = f"expected a mapping of texts {way} {', '.join(known)}"
        raise OptionError(option, given, expected)
    return pairs


def _paths(files: Sequence[str | Path] | str | Path) -> list[Path]:
    """Return one file or several. Raises UsageError for none, and for what names no file."""
    try:
        paths = [Path(files)] if isinstance(files, str | Path) else [Path(file) for file in files]
    except TypeError:
        paths = []
    if not paths or hasattr(files, "columns"):  # A table is a list of the names of its columns.
        raise UsageError(f"{quote(files)} names no files: expected files of recorded games")
    return paths


def _review(
    log: GameLog,
    players: Sequence[str],
    plies: str | None,
    seconds: float,
    data: str | Path | None,
    advance: Callable[[float], None],
) -> GameReview:
    """Judge the recorded games of one game. Raises UsageError where their numbering is in doubt."""
    played = log.replay()
    require_no_doubt(log, played)
    data_set = built_if_quick(log.game, data)
    searched = value_source(data_set) is ValueSource.SEARCH
    first, last = plies_of(log.game, plies, searched=searched)
    oracle = open_oracle(data_set, seconds=seconds)
    data_hash = data_hash_of(data_set)
    is_asked = (first <= played.ply) & (played.ply <= last)
    judged = judge(oracle, played, is_asked, advance, searched=searched)
    return GameReview(
        game=log.game,
        games=len(log),
        moves=len(played.ply),
        judged=int(judged.is_known.sum()),
        plies=(first, last),
        positions=judged.positions,
        out_of_time=judged.out_of_time,
        data=data_hash,
        tables=tables_of(log, players, played, judged),
    )
