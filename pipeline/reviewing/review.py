"""A review: how well the players of recorded games played, judged by the oracle of each game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from marubatsu import __version__
from marubatsu.engine.rules.game import Game, GameError, game_of
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.audit.drawn_positions import plies_of
from marubatsu.pipeline.oracle.opening import goes_by_search, open_oracle
from marubatsu.pipeline.oracle.search_limits import MOVE_SECONDS
from marubatsu.pipeline.reviewing.log_formats import READERS, LogFormat, format_of
from marubatsu.pipeline.reviewing.moves_judged import judge
from marubatsu.pipeline.reviewing.player_tables import PlayerTables, tables_of
from marubatsu.pipeline.reviewing.recorded import RecordedGame, open_log
from marubatsu.pipeline.reviewing.replayed import GameLog
from marubatsu.pipeline.rows.output import Rows
from marubatsu.pipeline.stages.on_demand import data_on_demand
from marubatsu.pipeline.store.data_set import Solution
from marubatsu.pipeline.support.errors import OptionError, UsageError
from marubatsu.pipeline.support.progress import progress, say_waiting

SCHEMA = 1
"""The version of the JSON of a review."""

MOST_GAMES = 5_000_000
MOST_MOVES = 20_000_000
MOST_PLAYERS = 1_000
MOST_KINDS = 10  # different games in one review


@dataclass(frozen=True)
class GameReview:
    """The review of all recorded games of one game."""

    game: Game
    games: int  # recorded
    moves: int  # legal ones
    judged: int  # of those
    plies: tuple[int, int]  # the first and the last that were judged
    positions: int  # different ones that were looked up
    out_of_time: int  # of those: a search took too long, so nobody judged the moves there
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
        """Return the text that the command prints."""
        from marubatsu.pipeline.reviewing.review_shown import text

        return text(self).removesuffix("\n")

    def _repr_html_(self) -> str:
        """Show the review as a page in a notebook."""
        from marubatsu.pipeline.reviewing.review_shown import page

        return page(self)

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object, without times."""
        return {
            "schema": SCHEMA,
            "version": __version__,
            "files": list(self.files),
            "reviews": [review.to_json() for review in self.reviews],
        }


def run(
    files: Sequence[str | Path] | str | Path,
    game: Game | str | None = None,
    *,
    log: str | None = None,
    columns: Mapping[str, str] | None = None,
    plies: str | None = None,
    seconds: float = MOVE_SECONDS,
    data: str | Path | None = None,
) -> Review:
    """Read files of games, and judge every move.

    ``game`` is the game of logs that do not tell it. ``log`` is the format of the files, else each
    tells its own. Raises UsageError, which names the line, for files that hold other things;
    DataError when data is missing or damaged.
    """
    paths = _paths(files)
    default = None if game is None else game_of(game).name
    form = None if log is None else _format(log)
    with progress("reading") as advance:
        logs, players = _gathered(paths, default, form, columns or {}, advance)
    reviews = []
    for gathered in logs.values():
        with progress(f"review of {gathered.game.name}") as advance:
            reviews.append(_review(gathered, players, plies, seconds, data, advance))
    return Review([str(path) for path in paths], reviews)


def _paths(files: Sequence[str | Path] | str | Path) -> list[Path]:
    """Return one file or several. Raises UsageError for none, and for what names no file."""
    try:
        paths = [Path(files)] if isinstance(files, str | Path) else [Path(file) for file in files]
    except TypeError:
        paths = []
    if not paths:
        raise UsageError(f"{quote(files)} names no files: expected files of recorded games")
    return paths


def _format(name: str) -> LogFormat:
    if name not in tuple(LogFormat):
        raise OptionError("log", name, f"expected one of {', '.join(LogFormat)}")
    return LogFormat(name)


def _gathered(
    files: Sequence[Path],
    default: str | None,
    form: LogFormat | None,
    columns: Mapping[str, str],
    look: Callable[[float], None],
) -> tuple[dict[str, GameLog], list[str]]:
    """Read all files; return the games by their game, and the names of the players."""
    logs: dict[str, GameLog] = {}
    named: dict[str | None, GameLog] = {}
    players: dict[str, int] = {}
    games = moves = 0
    for number, file in enumerate(files):
        look(number / len(files))
        log = open_log(file, columns)
        found = READERS[form or format_of(log)](log)
        before = games
        for recorded in found:
            into = named.get(recorded.game)
            if into is None:
                into = named[recorded.game] = _log_of(recorded, default, logs)
            into.add(recorded, *(players.setdefault(p, len(players)) for p in recorded.players))
            moves += len(recorded.moves)
            games += 1
            for what, held, most in (
                ("games", games, MOST_GAMES),
                ("moves", moves, MOST_MOVES),
                ("players", len(players), MOST_PLAYERS),
            ):
                if held > most:
                    raise recorded.place.fault(f"more than {most:,} {what}: expected fewer")
        if games == before:
            raise UsageError(f"{quote(log.name)} holds no games")
    return logs, list(players)


def _log_of(recorded: RecordedGame, default: str | None, logs: dict[str, GameLog]) -> GameLog:
    """Return the games among which a game belongs. Raises UsageError for an unknown one."""
    name = recorded.game or default
    if name is None:
        raise recorded.place.fault("the log does not tell the game: the option game names it")
    try:
        game = Game(name)
    except GameError as error:
        raise recorded.place.fault(str(error)) from None
    if game.name not in logs and len(logs) == MOST_KINDS:
        raise recorded.place.fault(f"another game, {game.name}: expected at most {MOST_KINDS}")
    return logs.setdefault(game.name, GameLog(game))


def _review(
    log: GameLog,
    players: Sequence[str],
    plies: str | None,
    seconds: float,
    data: str | Path | None,
    look: Callable[[float], None],
) -> GameReview:
    """Judge the recorded games of one game."""
    data_set = data_on_demand(log.game, data)
    searched = goes_by_search(data_set)
    first, last = plies_of(log.game, plies, searched=searched)
    oracle = open_oracle(data_set, say_waiting, seconds=seconds)
    manifest = data_set.manifest() or data_set.beside(Solution).manifest()
    played = log.replay()
    chosen = (first <= played.ply) & (played.ply <= last)
    judged = judge(oracle, played, chosen, look, searched=searched)
    return GameReview(
        game=log.game,
        games=len(log),
        moves=len(played.ply),
        judged=int(judged.is_known.sum()),
        plies=(first, last),
        positions=judged.positions,
        out_of_time=judged.out_of_time,
        data=manifest.data_hash if manifest else None,
        tables=tables_of(log.places, players, played, judged),
    )
