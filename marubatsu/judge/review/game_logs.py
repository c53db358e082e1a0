"""The games of several logs, by their game: read in the format of each, and replayed together.

A log whose moves make sense only in another numbering stops the review, so that no player is
blamed for moves that were misread. A numbering that the user or the format states is not doubted.

Shapes: G games, M legal moves.
"""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.masks import Bools, Ints, Masks, mask_dtype, open_cells, status_codes
from marubatsu.engine.rules.numbering import (
    Numbering,
    NumberingError,
    goals,
    numberings_of,
    out_of_turn,
    plain_move,
    refusal,
    require_fit,
    separated,
)
from marubatsu.engine.rules.position import Side, Status
from marubatsu.judge.review import csv_tables, framework_logs, game_texts, json_games
from marubatsu.judge.review.layouts import is_of_another, said_otherwise
from marubatsu.judge.review.recorded_game import (
    ZEROS,
    GamePlace,
    LogFile,
    RecordedGame,
    StatedRules,
    Token,
    game_named,
)
from marubatsu.pipeline.support.cures import Cure
from marubatsu.pipeline.support.errors import UsageError

NO_RESULT = -1
_NO_MOVE = 0  # the code of a move that a player did not make
_ZEROS = -2
_RESULT_CODES: dict[str | None, int] = {
    None: NO_RESULT,
    ZEROS: _ZEROS,
    **{status.word: int(status) for status in Status},
}

_BOARD = re.compile("(?i).*[^xo.b_-].*")  # matches what is no board
_MOVES = ("number", "ply", "cell", "circle", "cross")
EARLY = 4  # plies, in which an illegal move raises a doubt
LIKELY = 10  # games, of which one raises a doubt where another numbering fits all
FEW = 3  # games that break early, or have a result, where only several raise a doubt


class GameLog:
    """The recorded games of one game, in columns.

    A move is the code of its text, so that the games can be replayed in several numberings. Where
    neither the user nor the format states its numbering, it is read in `CELLS` first.
    """

    def __init__(self, game: Game, numbering: Numbering | None = None) -> None:
        """Start without games. Raises InputError for a numbering that the game does not have.

        ``numbering`` is the one that the user states.
        """
        self.game, self._numbering = game, numbering
        require_fit(game, numbering or Numbering.CELLS)
        self.places: list[GamePlace] = []
        self.contradictions: defaultdict[str, dict[int, str]] = defaultdict(dict)
        """By their kind, what the log says of games that cannot be."""
        self.ends: dict[int, Sequence[tuple[str, object]]] = {}
        """By the number of a game, the fields that say something of its end."""
        self.files: list[tuple[str, int]] = []
        """Each file with the number of its first game."""
        self._codes_by_text: dict[tuple[Numbering | None, str], int] = {(None, ""): _NO_MOVE}
        self._codes_by_token: defaultdict[Numbering | None, dict[Token, int]] = defaultdict(dict)
        self._codes = array("h")
        self._offsets = array("q", [0])
        self._made = array("q")  # moves of a game, without those at its end that no player made
        self._players = (array("i"), array("i"))
        self._stated_results = array("b")
        self._is_numbered = array("b")
        self._has_marks = False  # whether a move may have a mark before it

    def __len__(self) -> int:
        return len(self.places)

    def add(self, recorded: RecordedGame, first: int, second: int) -> int:
        """Take a game of two players, given by their numbers, and return how many moves it has.

        Raises UsageError for no moves, and for marks that are not in turn.
        """
        stated = self._numbering or recorded.numbering
        codes = self._codes_by_token[stated]
        moves = recorded.moves
        if stated:
            try:
                moves = separated(self.game, moves, stated)
            except NumberingError as error:
                raise recorded.place.fault(str(error)) from None
        for token in moves:
            if token not in codes:
                codes[token] = self._code(recorded, stated, token)
        self._codes.extend([codes[token] for token in moves])
        numbering = stated or Numbering.CELLS
        wrong = out_of_turn(self.game, moves, numbering) if self._has_marks else None
        if wrong is not None:
            raise recorded.place.fault(
                f"move {wrong} is {quote(moves[wrong - 1])}, and the mark before it is not in "
                "turn: expected x and o by turns, or moves without marks"
            )
        if not self.files or self.files[-1][0] != recorded.place.file:
            self.files.append((recorded.place.file, len(self)))
        if recorded.ends:
            self.ends[len(self)] = recorded.ends
        self._offsets.append(len(self._codes))
        made = (count for count in range(len(moves), 0, -1) if moves[count - 1] is not None)
        self._made.append(next(made, 0))
        for numbers, player in zip(self._players, (first, second), strict=True):
            numbers.append(player)
        self._stated_results.append(_RESULT_CODES[recorded.result])
        self._is_numbered.append(stated is not None)
        self.places.append(recorded.place)
        return len(moves)

    def note(self, kind: str, detail: str | None) -> None:
        """Take what the log says of the next game that cannot be, if it does."""
        if detail:
            self.contradictions[kind][len(self)] = detail

    def _code(self, recorded: RecordedGame, stated: Numbering | None, token: Token) -> int:
        """Return the code of a move, a new one if need be. Raises UsageError for no move."""
        if token is None:
            return _NO_MOVE
        text, numbering = plain_move(token), stated or Numbering.CELLS
        if not goals(self.game, numbering):
            raise recorded.place.fault(
                f"its moves are {numbering}, which {self.game.name} does not have: the option game "
                "names another game"
            )
        if text not in goals(self.game, numbering):
            moves = [move for move in recorded.moves if move is not None]
            why = refusal(self.game, token, numbering, moves)
            signs = token if isinstance(token, tuple) else _BOARD.sub("", str(token))
            is_board = len(signs) == self.game.cells
            cure = f"; it looks like a board: {Cure('read boards')}" * is_board
            raise recorded.place.fault(f"{why}{cure}")
        self._has_marks |= text[:1] in MARKS
        return self._codes_by_text.setdefault((stated, text), len(self._codes_by_text))

    @property
    def lengths(self) -> Ints:
        """The number of moves of each game, also of those that no player made: [G]."""
        return np.diff(np.array(self._offsets))

    def other_numberings(self, games: slice) -> list[Numbering]:
        """List the numberings in which some games have all moves on the board, and other moves."""
        used = {*self._codes[self._offsets[games.start] : self._offsets[games.stop]]} - {_NO_MOVE}
        free = [code for (its, _), code in self._codes_by_text.items() if not its and code in used]
        by_reading = {self._goals(Numbering.CELLS)[free].tobytes(): Numbering.CELLS}
        for numbering in numberings_of(self.game):
            reading = self._goals(numbering)[free]
            if reading.all():
                by_reading.setdefault(reading.tobytes(), numbering)
        return [*by_reading.values()][1:]

    def _goals(self, numbering: Numbering) -> Masks:
        """Return by code the mask of the cells that a move may fill."""
        texts = self._codes_by_text
        masks = [goals(self.game, its or numbering).get(text, 0) for its, text in texts]
        return np.array(masks, mask_dtype(self.game))

    def replay(self, numbering: Numbering = Numbering.CELLS) -> "Replayed":
        """Replay all games, each up to its end or its first illegal move."""
        game, dtype, count = self.game, mask_dtype(self.game), len(self)
        codes, ends = np.array(self._codes, np.int16), np.array(self._offsets)
        length, made = self.lengths, np.array(self._made)
        circle, cross = np.zeros((2, count), dtype)
        illegal, beyond = np.full(count, -1), np.zeros(count, np.int64)
        is_missing = np.zeros(count, np.bool_)
        goal = self._goals(numbering)
        parts: list[Sequence[NDArray[np.signedinteger]]] = []
        active = np.arange(count)
        for ply in range(game.cells + 1):
            active = active[length[active] > ply]
            before = circle[active], cross[active]
            playing = status_codes(game, *before) == Status.PLAYING
            over = active[~playing]
            beyond[over] = np.maximum(made[over] - ply, 0)
            active, before = active[playing], (before[0][playing], before[1][playing])
            code = codes[ends[active] + ply]
            mark = open_cells(game, before[0] | before[1]) & goal[code]
            illegal[active[mark == 0]] = ply
            is_missing[active[code == _NO_MOVE]] = True
            legal = mark != 0
            active, mark = active[legal], mark[legal]
            cell = np.bitwise_count(mark - 1).astype(np.int8)
            parts.append((active, np.full(len(active), ply, np.int8), cell,
                          before[0][legal], before[1][legal]))  # fmt: skip
            (cross if ply % 2 else circle)[active] |= mark
        status = status_codes(game, circle, cross)
        stated = np.array(self._stated_results, np.int8)
        zeros = np.where(status == Status.PLAYING, NO_RESULT, Status.DRAW)
        return Replayed(
            game=game,
            players=np.array(self._players, np.int64).reshape(2, count),
            status=status,
            stated=np.where(stated == _ZEROS, zeros, stated).astype(np.int8),
            illegal=illegal,
            is_missing=is_missing,
            is_numbered=np.array(self._is_numbered, np.bool_),
            beyond=beyond,
            **dict(zip(_MOVES, map(np.concatenate, zip(*parts, strict=True)), strict=True)),
        )


@dataclass(frozen=True, eq=False)
class Replayed:
    """Games and their legal moves; the moves are ordered by ply, then by game."""

    game: Game
    players: Ints  # [2, G] number of the player of each side
    status: NDArray[np.int8]  # [G] code of `Status` after the last legal move
    stated: NDArray[np.int8]  # [G] the result that the log states, `NO_RESULT` where it does not
    illegal: Ints  # [G] ply of the illegal move with which a game breaks off, -1 without
    is_missing: NDArray[np.bool_]  # [G] whether that is a move that the player did not make
    is_numbered: NDArray[np.bool_]  # [G] whether the user or the format states the numbering
    beyond: Ints  # [G] moves after the end of the game
    number: Ints  # [M] of the game
    ply: NDArray[np.int8]  # [M]
    cell: NDArray[np.int8]  # [M] filled
    circle: Masks  # [M] the position before the move
    cross: Masks  # [M]

    @cached_property
    def result(self) -> NDArray[np.int8]:
        """The result of each game: [G], a code of `Status`, or `NO_RESULT`.

        It follows from the moves. The log states that of a game which they leave unfinished, or
        who made an illegal move has lost.
        """
        loses = np.where(self.illegal % 2 == Side.CIRCLE, Status.CROSS, Status.CIRCLE)
        broken = np.where(self.illegal >= 0, loses, NO_RESULT)
        unfinished = np.where(self.stated == NO_RESULT, broken, self.stated)
        result = np.where(self.status == Status.PLAYING, unfinished, self.status)
        return result.astype(np.int8)

    @property
    def contradicts(self) -> Bools:
        """Whether the log states another result of a game than its moves: [G]."""
        is_stated = (self.status != Status.PLAYING) & (self.stated != NO_RESULT)
        return cast("Bools", is_stated & (self.stated != self.status))

    @cached_property
    def mover(self) -> Ints:
        """The number of the player who made each move: [M]."""
        return self.players[self.ply % 2, self.number]


def require_no_doubt(log: GameLog, played: Replayed) -> None:
    """Raise UsageError where most games of a file make no sense, though no numbering is stated.

    They make no sense if more than half have an illegal move in the first `EARLY` plies, or moves
    after their end; if no more than half of the results that the log states are those of the moves,
    and most contradict them or would agree in another numbering; or if one of `LIKELY` makes none
    or does not end with its last move, and all do in another numbering. Then the message names the
    numberings that fit. A game that goes on behind a missing move makes sense in none.
    """
    goes_on = played.is_missing & (played.illegal < log.lengths - 1)
    if goes_on.any():
        game = int(np.argmax(goes_on))
        raise log.places[game].fault(
            f"move {played.illegal[game] + 1} is null, and not the last: expected null only where "
            "a player made no move and the game ends; leave out nulls that fill a list up"
        )
    ends = [start for _, start in log.files[1:]] + [len(log)]
    replay = cache(log.replay)
    for (_, start), end in zip(log.files, ends, strict=True):
        _Doubts(log, played, slice(start, end), replay).check()


_Replay = Callable[[Numbering], Replayed]
_Better = list[tuple[Numbering, int]]  # numberings, and how many games fit in each


def _is_broken(played: Replayed) -> Bools:
    """Return which games have an illegal move in their first plies, or go on after their end."""
    is_early = (played.illegal >= 0) & (played.illegal < EARLY) & ~played.is_missing
    return is_early | (played.beyond > 0)


def _makes_sense(played: Replayed) -> Bools:
    """Return which games have only legal moves, and end as the log states, if it does: [G]."""
    is_legal = ((played.illegal < 0) | played.is_missing) & (played.beyond == 0)
    return cast("Bools", is_legal & ~played.contradicts)


def _ends_with_its_moves(played: Replayed) -> Bools:
    """Return which games are over with their last move: [G]."""
    is_whole = (played.illegal < 0) & (played.beyond == 0)
    return cast("Bools", is_whole & (played.status != Status.PLAYING))


def _agrees(played: Replayed) -> Bools:
    """Return which games end as the log states: [G]."""
    return cast("Bools", (played.status != Status.PLAYING) & (played.stated == played.status))


class _Doubts:
    """The games of one file of a log, and how they go in other numberings."""

    def __init__(self, log: GameLog, played: Replayed, games: slice, replay: _Replay) -> None:
        self.log, self.played, self.games, self.replay = log, played, games, replay
        self.asked: Bools = ~played.is_numbered[games]
        self.count = int(self.asked.sum())

    def better(self, fits: Callable[[Replayed], Bools], asked: Bools, least: float) -> _Better:
        """List the other numberings in which enough of the asked games fit, the best first."""
        counts: Counter[Numbering] = Counter()
        for numbering in self.log.other_numberings(self.games):
            counts[numbering] = int((fits(self.replay(numbering))[self.games] & asked).sum())
        return [(numbering, count) for numbering, count in counts.most_common() if count >= least]

    def check(self) -> None:
        """Raise UsageError where the games raise a doubt."""
        broken = _is_broken(self.played)[self.games] & self.asked
        if 2 * broken.sum() > self.count:
            better = self.better(lambda other: ~_is_broken(other), self.asked, self.count / 2)
            if better or broken.sum() >= FEW:
                what = (
                    f"{broken.sum():,} of {self.count:,} games have an illegal move in the first "
                    f"{EARLY} plies or moves after the end"
                )
                raise self.fault(broken, what, "fits", better, self.count)
        self._check_all(_makes_sense, "have an illegal move or another end")
        stated = self.asked & (self.played.stated[self.games] != NO_RESULT)
        results = int(stated.sum())
        agrees = _agrees(self.played)[self.games] & stated
        contradicts = self.played.contradicts[self.games] & stated
        if 2 * agrees.sum() <= results and (2 * contradicts.sum() > results or results >= FEW):
            better = self.better(_agrees, stated, (results + 1) / 2)
            if better or 2 * contradicts.sum() > results >= FEW:
                what = f"{agrees.sum():,} of {results:,} games end as the log says"
                raise self.fault(stated & ~agrees, what, "agrees in", better, results)
        self._check_all(_ends_with_its_moves, "do not end with their last move")

    def _check_all(self, fits: Callable[[Replayed], Bools], what: str) -> None:
        """Raise UsageError where some games do not fit, and all do in another numbering."""
        wrong = ~fits(self.played)[self.games] & self.asked
        if LIKELY * wrong.sum() >= self.count >= FEW:
            better = self.better(fits, self.asked, self.count)
            if better:
                what = f"{wrong.sum():,} of {self.count:,} games {what}"
                raise self.fault(wrong, what, "fits", better, self.count)

    def fault(self, wrong: Bools, what: str, verb: str, better: _Better, count: int) -> UsageError:
        log, game = self.log, int(self.games.start + np.argmax(wrong))
        cure = (
            "no numbering makes sense of most games; the option numbering, set to cells, reviews "
            "them as they are, if the game and who begins are right"
        )
        if better:
            named = ", ".join(f"{each} ({verb} {fit:,} of {count:,})" for each, fit in better)
            cure = f"the option numbering says how moves are numbered: {named}"
        return log.places[game].fault(f"in the numbering cells, {what}; {cure}")


MOST_GAMES = 5_000_000
MOST_MOVES = 20_000_000
MOST_PLAYERS = 1_000
MOST_KINDS = 10  # different games in one review

READERS: Mapping[str, Callable[[LogFile], Iterator[RecordedGame]]] = {
    "moves": game_texts.read_lists,
    "pgn": game_texts.read_pgn,
    "jsonl": json_games.read_objects,
    "kaggle": framework_logs.read_kaggle,
    "textarena": framework_logs.read_textarena,
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
    ("textarena", set(framework_logs.TRACED)),
    ("kaggle", {"configuration"}),
    ("kaggle", {"name", "steps"}),
)
"""The keys by which a format of JSON is known: the first row whose keys are all there."""

_BEGINNING = 100_000  # bytes that tell the format


def format_of(log: LogFile) -> str:
    """Return the format that the beginning of a file has; lists of moves where it has no other.

    >>> [format_of(LogFile("x", text)) for text in (b'[First "ann"]', b"{}", b"b2 a3")]
    ['pgn', 'jsonl', 'moves']
    """
    beginning = log.data[:_BEGINNING].decode("utf-8-sig", "replace").lstrip()
    if re.match(r'(%.*\n\s*)*(\[\s*\w+\s+"|1\.)', beginning):
        return "pgn"
    if re.match(r"\{|\[\s*[{\]]", beginning):
        keys = set(_KEY.findall(beginning))
        return next((form for form, needed in _KEYS if needed <= keys), "jsonl")
    lines = beginning.splitlines()
    header = next((line for line in lines if not csv_tables.is_above_header(line)), "")
    if all(column in header for column in framework_logs.TRACED):
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
        self._by_rules: dict[tuple[str | None, StatedRules], tuple[GameLog, str]] = {}
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
        for recorded in READERS[form](log):
            rules = recorded.game, recorded.rules
            if rules not in self._by_rules:
                self._by_rules[rules] = self._log_of(recorded)
            log_of_game, other_game = self._by_rules[rules]
            numbers = (self.players.setdefault(p, len(self.players)) for p in recorded.players)
            log_of_game.note("another game", other_game)
            log_of_game.note("contradictory results", recorded.contradiction)
            self._moves += log_of_game.add(recorded, *numbers)
            self._games += 1
            says_something |= bool(recorded.moves) or recorded.result is not None
            for what, count, most in (
                ("games", self._games, MOST_GAMES),
                ("moves", self._moves, MOST_MOVES),
                ("players", len(self.players), MOST_PLAYERS),
            ):
                if count > most:
                    raise recorded.place.fault(f"more than {most:,} {what}: expected fewer")
        if self._games == before:
            raise UsageError(f"{quote(log.name)} holds no games")
        if not says_something:
            raise UsageError(f"no game in {quote(log.name)} has a move or a result")

    def _log_of(self, recorded: RecordedGame) -> tuple[GameLog, str]:
        """Return the games among which a game belongs, and what the log says of another game.

        Raises UsageError for an unknown game, and for rules of another one than the log names.
        """
        name = self.default or recorded.game
        if name is None:
            raise recorded.place.fault("the log does not name the game: the option game names it")
        game = game_named(recorded.place, name)
        said = (("game", recorded.game or ""), *recorded.rules)
        other_game = said_otherwise(partial(is_of_another, game), said)
        if other_game and self.default is None:
            raise recorded.place.fault(
                f"the game is {game.name}, and {other_game}: the option game names another"
            )
        if game.name not in self.logs:
            if len(self.logs) == MOST_KINDS:
                raise recorded.place.fault(
                    f"another game, {game.name}: expected at most {MOST_KINDS}"
                )
            self.logs[game.name] = GameLog(game, self.numbering)
        return self.logs[game.name], other_game
