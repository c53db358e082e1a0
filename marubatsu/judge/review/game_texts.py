"""Games as text: lists of moves, a game a line; or Portable Game Notation.

A list of moves may have the names of the players before a colon. PGN has tags, then numbered moves
with comments, then a result.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.csv_tables import is_single
from marubatsu.judge.review.layouts import Columns
from marubatsu.judge.review.recorded_game import (
    GamePlace,
    LogFile,
    LogOptions,
    RecordedGame,
    is_end,
    recorded_game,
    split_results,
)
from marubatsu.judge.review.table_games import game_of_row, has_two_separators, require_one_kind
from marubatsu.pipeline.support.errors import UsageError

_BETWEEN_NAMES = (
    re.compile(" - "),
    re.compile(r"\s[-–—]\s"),  # noqa: RUF001
    re.compile(r"\s(?:vs?\.?|versus)\s", re.IGNORECASE),
)
"""Separators of the names of two players; the first that occurs once counts."""

_ITEM = re.compile(r"\s*(?=\S*[^\w\s])[\W\dT]+?(?=\s)")
"""A first word of digits and signs: the number of a game, the mark of an item, a date, a time."""

_SCORE = re.compile(r"(?<!\S)(?:1/2|½|0\.5|[01]) ?[-–—−:] ?(?:1/2|½|0\.5|[01])(?!\S)")  # noqa: RUF001
_HEADER = re.compile(
    r"(?i)[,;]?(?:0[,;\t]1[,;\t]2[,;\t]3[,;\t]4|1[,;\t]2[,;\t]3[,;\t]4[,;\t]5|x1[,;\t]o1)\b"
)
"""The numbers of columns, as pandas writes them above a table, or those of each player's moves."""

_LEAST = 5  # moves of a finished game on the boards that people play on
_MOST_DIGITS = 8  # of the number of a line
_FEW = 2  # lines of which the first numbers may count them by chance


def read_lists(log: LogFile) -> Iterator[RecordedGame]:
    """Read lines as in ``ann - bob: b2 a3 c1``; the last word may be a result.

    Empty lines and those that begin with ``#`` hold no game. Raises UsageError.
    """
    beginning: tuple[GamePlace, str] | None = None
    games, are_short = 0, True
    starts: set[int] = set()  # from which the first numbers of all lines count them
    for place, line in log.lines():
        if not line.strip() or line.startswith("#"):
            continue
        beginning = beginning or (place, line)
        text = line.replace("\uff1a", ":")
        names, colon, moves = text.rpartition(": " if ": " in text else ":")
        players = _players(place, names) if colon else (None, None)
        tokens, results = split_results(moves, players, log.options)
        if has_two_separators(moves, tokens) or (not games and _HEADER.match(line)):
            raise _row_of_a_table(place, line)
        require_one_kind(place, tokens)
        first = tokens[0] if tokens else ""
        starts.add(int(first) - games if first.isdecimal() and len(first) < _MOST_DIGITS else -1)
        is_list = line.startswith("[") or len(tokens) >= _LEAST or not all(map(is_single, tokens))
        are_short &= not (colon or results or is_list)
        games += 1
        yield recorded_game(place, tokens, log.options, players=players, results=results)
    if beginning and games > 1 and are_short:
        raise _row_of_a_table(*beginning)
    if games > _FEW and starts in ({0}, {1}):
        raise place.fault("the first numbers of the lines count them: leave them out")


def _row_of_a_table(place: GamePlace, line: str) -> UsageError:
    return place.fault(
        f"{quote(line.strip())} looks like a row of a table: expected a first line that names the "
        "columns, as in first,second,moves,result, or game_id,player,move for one row a move; the "
        "option columns names others, as in moves=COLUMN, or game_id=COLUMN,move=COLUMN for one "
        "row a move; if it is a game, write a list of all its moves, as in [4, 0, 8]"
    )


def _players(place: GamePlace, names: str) -> tuple[str, str]:
    """Return the names of two players. Raises UsageError."""
    if score := _SCORE.search(names):
        raise place.fault(
            f"{quote(score[0])} is among the names: write the result behind the moves"
        )
    for between in _BETWEEN_NAMES:
        parts = between.split(names)
        if len(parts) != 2:
            continue
        before, colon, _ = names.rpartition(": ")
        item = _ITEM.match(parts[0])
        if first := f"{before}:" if colon else item and item[0].strip():
            raise place.fault(f"{quote(first)} comes before the names of the players: leave it out")
        return parts[0], parts[1]
    raise place.fault(
        "expected the names of two players, as in `ann - bob: b2 a3 c1` or `ann vs bob: b2 a3 c1`; "
        f"got {quote(names.strip())} before the colon; if each line is a move, write a table with "
        "the first line game_id,player,move"
    )


_TAG = re.compile(r'\[\s*(\w{1,100})\s+"((?:[^"\\]|\\.)*)"\s*\]')
_WORD = re.compile(r"[xXoO]?\(\s*[0-9]+\s*,\s*[0-9]+\s*\)|[{}();]|[^\s{}();]+")  # with pairs
_NUMBER = re.compile(r"^(?:(\d+)(\.+)|\.+)")  # of a move, which may follow without a space
_MARKS = "!?+#"  # what a commentator thinks of a move


def read_pgn(log: LogFile) -> Iterator[RecordedGame]:
    """Read games; their tags are First and Second (or White and Black), Game and Result.

    Comments and variations are skipped. Raises UsageError.
    """
    options = log.options
    game = _Game()
    opened: list[tuple[GamePlace, str]] = []  # comments and variations
    is_tag = False
    lines = (each for each in log.lines() if not each[1].startswith("%"))
    for place, line in lines:
        is_behind_tag, is_tag = is_tag, line.lstrip().startswith("[") and not opened
        if is_tag:
            name, value = _tag(place, line.strip())
            if name in game.tags and is_behind_tag:
                raise place.fault(f"the tag {quote(name)} is there twice: expected it once")
            if name in game.tags or game.moves:
                yield game.ended(options)
                game = _Game()
            game.place = game.place or place
            game.tags[name] = value
            continue
        for word in _played(place, line, opened):
            game.place = game.place or place
            if is_end(word, options):
                yield game.ended(options, word)
                game = _Game()
                continue
            game.take_number(place, word)
            if move := _NUMBER.sub("", word).rstrip(_MARKS):
                game.moves.append(move)
    if opened:
        raise opened[-1][0].fault(f"{quote(opened[-1][1])} is never closed")
    if game.place is not None:
        yield game.ended(options)


class _Game:
    """What is read of a game so far."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.moves: list[str] = []
        self.place: GamePlace | None = None  # of its first line
        self._numbered = 0  # moves
        self._numbers = {1: True, 2: True}
        """Whether all numbers so far fit: one for each move, or one for two."""

    def take_number(self, place: GamePlace, word: str) -> None:
        """Take the number before the next move, if there is one. Raises UsageError for a gap."""
        number = _NUMBER.match(word)
        if number is None or number[1] is None:
            return
        before = len(self.moves)
        stated, is_second = int(number[1][:9]), len(number[2]) > 1
        fits = {
            1: stated == before + 1 == self._numbered + 1 and not is_second,
            2: stated == before // 2 + 1 and is_second == (before % 2 == 1),
        }
        self._numbers = {most: self._numbers[most] and fits[most] for most in fits}
        self._numbered += 1
        if not any(self._numbers.values()):
            raise place.fault(
                f"{quote(number[0])} comes before move {before + 1} of the game: expected the "
                "moves numbered as in 1. b2 a3 2. c1, without a gap"
            )

    def ended(self, options: LogOptions, result: str | None = None) -> RecordedGame:
        """Return the game, as that of a table's row with its tags and its moves."""
        assert self.place is not None
        if not self.moves and not self.tags:
            raise self.place.fault(
                f"{quote(str(result))} ends no game: expected moves before a result"
            )
        require_one_kind(self.place, self.moves)
        values: dict[str, object] = {
            name: None if value in ("", "?") else value for name, value in self.tags.items()
        }
        values["moves"] = self.moves if result is None else [*self.moves, result]
        options = replace(options, columns={**options.columns, "moves": "moves"})
        layout = Columns(self.place, values, options).layout()
        return game_of_row((self.place, values), layout, options)


def _tag(place: GamePlace, line: str) -> tuple[str, str]:
    """Read a tag. Raises UsageError."""
    tag = _TAG.fullmatch(line)
    if tag is None:
        raise place.fault(f'{quote(line)} is no tag: expected one as in [First "ann"]')
    return tag[1].lower(), re.sub(r"\\(.)", r"\1", tag[2])


def _played(place: GamePlace, line: str, opened: list[tuple[GamePlace, str]]) -> Iterator[str]:
    """Yield the words of a line outside of comments and variations. Raises UsageError.

    ``opened`` are the brackets that are open, with their places; it changes.
    """
    for word in _WORD.findall(line):
        if opened and opened[-1][1] == "{":
            if word == "}":
                opened.pop()
        elif word == ";":
            return
        elif word in "{(":
            opened.append((place, word))
        elif word in "})":
            if word == "}" or not opened:
                raise place.fault(f"{quote(word)} closes nothing")
            opened.pop()
        elif not opened and word[0] != "$":
            yield word
