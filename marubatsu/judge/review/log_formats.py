"""How logs are read: their formats, which one a file has, and the games of several files."""

import re
from collections.abc import Callable, Iterator, Mapping

from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.numbering import Numbering
from marubatsu.judge.review import (
    csv_tables,
    framework_logs,
    game_texts,
    table_games,
    textarena_traces,
)
from marubatsu.judge.review.log_file import LogFile
from marubatsu.judge.review.recorded_game import RecordedGame
from marubatsu.judge.review.replay import GameLog
from marubatsu.pipeline.support.errors import UsageError

MOST_GAMES = 5_000_000
MOST_MOVES = 20_000_000
MOST_PLAYERS = 1_000
MOST_KINDS = 10  # different games in one review

READERS: Mapping[str, Callable[[LogFile], Iterator[RecordedGame]]] = {
    "moves": game_texts.read_lists,
    "pgn": game_texts.read_pgn,
    "jsonl": table_games.read_json,
    "kaggle": framework_logs.read_kaggle,
    "textarena": textarena_traces.read,
    "openenv": framework_logs.read_openenv,
    "verifiers": framework_logs.read_verifiers,
    "csv": csv_tables.read,
}
"""By the name of each format of logs, what reads it."""

WITH_COLUMNS = ("csv", "jsonl", "pgn")  # Their fields have names that the user may choose.
_KEY = re.compile(r'"(\w+)"\s*:')
_KEYS = (
    ("openenv", {"episode_id", "tool_trace"}),
    ("verifiers", {"traces", "nodes", "verifiers"}),
    ("textarena", set(textarena_traces.COLUMNS)),
    ("kaggle", {"configuration"}),
    ("kaggle", {"steps"}),
)
"""The keys by which a format of JSON is known: the first row whose keys are all there."""

_BEGINNING = 100_000  # bytes that tell the format


def format_of(log: LogFile) -> str:
    """Return the format that the beginning of a file has; lists of moves where it has no other.

    >>> [format_of(LogFile("x", text)) for text in (b'[First "ann"]', b"{}", b"b2 a3")]
    ['pgn', 'jsonl', 'moves']
    """
    beginning = log.data[:_BEGINNING].decode("utf-8-sig", "replace").lstrip()
    if re.match(r'\[\s*\w+\s+"|1\.', beginning):
        return "pgn"
    if re.match(r"\{|\[\s*[{\]]", beginning):
        keys = set(_KEY.findall(beginning))
        return next((form for form, needed in _KEYS if needed <= keys), "jsonl")
    lines = beginning.splitlines()
    header = next((line for line in lines if not csv_tables.is_above_header(line)), "")
    if all(column in header for column in textarena_traces.COLUMNS):
        return "textarena"
    if log.options.columns or csv_tables.names_columns(header):
        return "csv"
    return "moves"


class RecordedGames:
    """The games of several files by their game, and the numbers of the players."""

    def __init__(self, default: str | None, numbering: Numbering | None) -> None:
        """Start without games; ``default`` names the game, whatever the logs say."""
        self.default, self.numbering = default, numbering
        self.logs: dict[str, GameLog] = {}
        self.players: dict[str, int] = {}
        self._by_name: dict[str | None, GameLog] = {}
        self._games = self._moves = 0

    def read(self, log: LogFile, form: str | None) -> None:
        """Take the games of a file. Raises UsageError."""
        form = form or format_of(log)
        if log.options.columns and form not in WITH_COLUMNS:
            raise UsageError(
                f"{quote(log.name)} has the format {form}, and the option columns names fields of "
                f"{', '.join(WITH_COLUMNS)}: leave it out"
            )
        before = self._games
        says_something = False  # a move or a result
        players = self.players
        for recorded in READERS[form](log):
            log_of_game = self._by_name.get(recorded.game)
            if log_of_game is None:
                log_of_game = self._by_name[recorded.game] = self._log_of(recorded)
            numbers = (players.setdefault(p, len(players)) for p in recorded.players)
            self._moves += log_of_game.add(recorded, *numbers)
            self._games += 1
            says_something |= bool(recorded.moves) or recorded.result is not None
            for what, count, most in (
                ("games", self._games, MOST_GAMES),
                ("moves", self._moves, MOST_MOVES),
                ("players", len(players), MOST_PLAYERS),
            ):
                if count > most:
                    raise recorded.place.fault(f"more than {most:,} {what}: expected fewer")
        if self._games == before:
            raise UsageError(f"{quote(log.name)} holds no games")
        if not says_something:
            raise UsageError(f"no game in {quote(log.name)} has a move or a result")

    def _log_of(self, recorded: RecordedGame) -> GameLog:
        """Return the games among which a game belongs. Raises UsageError for an unknown one."""
        name = self.default or recorded.game
        if name is None:
            raise recorded.place.fault("the log does not name the game: the option game names it")
        try:
            game = Game(name)
        except GameError as error:
            raise recorded.place.fault(f"{error}; the option game names another") from None
        if game.name not in self.logs:
            if len(self.logs) == MOST_KINDS:
                raise recorded.place.fault(
                    f"another game, {game.name}: expected at most {MOST_KINDS}"
                )
            self.logs[game.name] = GameLog(game, self.numbering)
        return self.logs[game.name]
