"""A review: how well the players of recorded games played, judged by the oracle of each game."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from marubatsu.engine.notations.signs import first_mark
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game, game_of
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.numbering import numbering_of
from marubatsu.judge.audit.drawn_positions import plies_of
from marubatsu.judge.oracle.choose_oracle import goes_by_search, open_oracle
from marubatsu.judge.review.judged_moves import judge
from marubatsu.judge.review.log_file import LogOptions, open_log
from marubatsu.judge.review.log_formats import READERS, RecordedGames
from marubatsu.judge.review.player_tables import tables_of
from marubatsu.judge.review.replay import GameLog, require_no_doubt
from marubatsu.judge.review.review_report import GameReview, Review
from marubatsu.pipeline.solving.solution_forms import data_hash_of
from marubatsu.pipeline.stages.on_demand import built_data_set
from marubatsu.pipeline.support.errors import OptionError, UsageError
from marubatsu.pipeline.support.progress import progress, say_waiting
from marubatsu.pipeline.support.search_limits import MOVE_SECONDS, checked_time


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
    if log is not None and log not in tuple(READERS):
        raise OptionError("log", log, f"expected one of {', '.join(READERS)}")
    stated = None if numbering is None else numbering_of(numbering)
    mark = None if first is None else first_mark(first)
    if mark not in (None, *MARKS):
        raise OptionError("first", first, "expected o or x, the marks of a log")
    options = LogOptions(columns or {}, mark, results or {}, default)
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


def _paths(files: Sequence[str | Path] | str | Path) -> list[Path]:
    """Return one file or several. Raises UsageError for none, and for what names no file."""
    try:
        paths = [Path(files)] if isinstance(files, str | Path) else [Path(file) for file in files]
    except TypeError:
        paths = []
    if not paths:
        raise UsageError(f"{quote(files)} names no files: expected files of recorded games")
    return paths


def _review(
    log: GameLog,
    players: Sequence[str],
    plies: str | None,
    seconds: float,
    data: str | Path | None,
    look: Callable[[float], None],
) -> GameReview:
    """Judge the recorded games of one game. Raises UsageError where their numbering is in doubt."""
    played = log.replay()
    require_no_doubt(log, played)
    data_set = built_data_set(log.game, data)
    searched = goes_by_search(data_set)
    first, last = plies_of(log.game, plies, searched=searched)
    oracle = open_oracle(data_set, say_waiting, seconds=seconds)
    data_hash = data_hash_of(data_set)
    is_asked = (first <= played.ply) & (played.ply <= last)
    judged = judge(oracle, played, is_asked, look, searched=searched)
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
