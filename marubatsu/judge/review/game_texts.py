"""Games as text: lists of moves, a game a line; or Portable Game Notation.

A list of moves may have the names of the players before a colon. PGN has tags, then numbered moves
with comments, then a result.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, takewhile

from marubatsu.engine.notations.move_texts import tokens_of
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.csv_tables import SEPARATORS, is_single
from marubatsu.judge.review.layouts import Columns, holds_moves
from marubatsu.judge.review.recorded_game import (
    MOVE,
    GamePlace,
    LogFile,
    LogOptions,
    RecordedGame,
    is_end,
    recorded_game,
    split_results,
)
from marubatsu.judge.review.table_games import (
    PAIR,
    game_of_row,
    has_two_separators,
    require_one_kind,
)
from marubatsu.pipeline.support.cures import Cure
from marubatsu.pipeline.support.errors import UsageError

_BETWEEN_NAMES = (
    re.compile(" - "),
    re.compile(r"\s[-–—]\s"),  # noqa: RUF001
    re.compile(r"\s(?:vs?\.?|versus)\s", re.IGNORECASE),
)
"""Separators of the names of two players; the first that occurs once counts."""

_ITEM = re.compile(
    r"\s*(?:\(?#?[0-9]+[.)]|\[#?[0-9]+\]|[-–—*•]|\[?[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}\S*"  # noqa: RUF001
    r"|\[?[0-9]{1,2}:[0-9]{2}\S*)\s"
)
"""The number of a game in a list, the mark of an item, a date, or a time."""

_SCORE = re.compile(r"(?<!\S)(?:1/2|½|0\.5|[01]) ?[-–—−:] ?(?:1/2|½|0\.5|[01])(?!\S)")  # noqa: RUF001
_SGF = re.compile(r"\(\s*;")
_OBJECT = re.compile(r"\{\s*\\*\"")

_BETWEEN_CELLS = re.compile(r"[\s,;|/'\"]+")
_MARKED = re.compile("[xo][0-9]+", re.IGNORECASE)
_RESULT = re.compile(r"[+-]?[0-9.]+[:/-][+-]?[0-9.]+|[+-][0-9.]+")
"""What is no move, and more likely a result."""

_LIST = re.compile(r"\[([^\[\]]*)\]")
_A_LINE = "expected a line for each game"
_DRAWN = re.compile(r"(?i)\s*[xo._-]?\s*(?:\|\s*[xo._-]?\s*){2,}")  # the row of a drawn board
_PRINTED = re.compile("(?i)\\s*<[!?a-z]|[\u2500-\u257f]")  # HTML, or the lines around a table
_MOST_DIGITS = 8  # of the number of a line
_LINES = 3  # that tell whether a log is a table with a move a row
_FIELDS = {2, 3, 4}  # of such a row; fewer moves than finish a game
_TIMED = re.compile(r"\"?[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}[^,;\t|]*[,;\t|]")
_LEAST_COLUMNS = 4  # of a table with a move each
_DIGITS = {"0", "1", "2", "-1"}
_BOARD_MARKS = re.compile(r"[xob_.]{9,}")  # of the smallest board in public tables, or more


def read_lists(log: LogFile) -> Iterator[RecordedGame]:
    """Read lines as in ``ann - bob: b2 a3 c1``; the last word may be a result.

    Empty lines and those that begin with ``#`` hold no game. Raises UsageError.
    """
    _require_games(list(islice(_lines(log), _LINES)), log.options)
    are_single, games = True, 0
    starts: set[int] = set()  # from which the first numbers of all lines count them
    repeats = False
    for place, line in _lines(log):
        text = line.replace("\uff1a", ":")
        if _has_several_games(text):
            raise place.fault(f"{quote(line.strip())} looks like several games: {_A_LINE}")
        names, colon, moves = text.rpartition(": " if ": " in text else ":")
        players = _players(place, names) if colon else (None, None)
        tokens, results = split_results(place, moves, players, log.options)
        if (not colon and _is_row(tokens, line)) or has_two_separators(moves, tokens):
            raise _row_of_a_table(place, line)
        first = tokens[0] if tokens else ""
        starts.add(int(first) - games if first.isdecimal() and len(first) < _MOST_DIGITS else -1)
        repeats |= first in tokens[1:]
        if cure := _cure_of_words(tokens, has_names=bool(colon)):
            raise place.fault(cure)
        require_one_kind(place, tokens)
        are_single &= not colon and not results and is_single(tokens)
        games += 1
        yield recorded_game(place, tokens, log.options, players=players, results=results)
    has_columns = log.options.game is not None and log.options.game.gravity
    if games > 1 and repeats and starts in ({0}, {1}) and not has_columns:
        raise place.fault("the first numbers of the lines count them: leave them out")
    if games > 1 and are_single:
        raise place.fault("every line has one move: expected all moves of a game in one line")


def _require_games(beginning: list[tuple[GamePlace, str]], options: LogOptions) -> None:
    """Raise UsageError where the first lines of a log are those of a table, a board or a list."""
    if len(beginning) > 1 and _names_moves(*(line.strip() for _, line in beginning[:2])):
        place, line = beginning[0]
        raise place.fault(
            f"{quote(line.strip())} looks like the numbers of columns: expected moves with "
            "blanks between them, or a first line as in first,second,move1,move2"
        )
    for place, line in beginning[:2]:  # The first may be the header of a table.
        if _SGF.match(line):
            raise place.fault("it looks like SGF: write the moves, as in `ann - bob: b2 a3 c1`")
        if line.startswith("[") and line.count("[") > line.count("]"):
            raise place.fault("a list goes on in the next line: expected a line each, as [4, 0, 8]")
        if _PRINTED.match(line) or (holds_moves(line.split()) and all(map(_is_word, line.split()))):
            raise place.fault("it looks like HTML, XML or a printed table: save it as CSV")
        if _OBJECT.search(line):
            raise place.fault("it has JSON among other text: expected only JSON")
        if _DRAWN.fullmatch(line) or _is_board(line, options.game):
            raise place.fault(
                f"{quote(line.strip())} looks like a board: expected the moves of a game; "
                f"{Cure('read boards')}"
            )
    if _are_rows([line for _, line in beginning], options):
        raise _row_of_a_table(*beginning[0])


def _lines(log: LogFile) -> Iterator[tuple[GamePlace, str]]:
    for place, line in log.lines():
        if line.strip() and not line.startswith("#"):
            yield place, line


def _is_board(line: str, game: Game | None) -> bool:
    """Return whether a line begins with the marks of a board, as in ``x,o,b,b,x,b,b,b,b``.

    So does one with a digit from 0 to 2 for every cell, too often for moves.
    """
    marks = _BOARD_MARKS.match(_BETWEEN_CELLS.sub("", line.lower()))
    if marks and "x" in marks[0]:
        return True
    cells = line.replace(",", " ").split()
    is_whole = game is not None and len(cells) == game.cells > len(_DIGITS) and not game.gravity
    return is_whole and {*cells} <= _DIGITS


def _names_moves(line: str, after: str) -> bool:
    """Return whether a line numbers the columns of a table, as pandas does, or by their marks.

    >>> lines = ",0,1,2,3,4", "1;2;3;4;5;6", "0,1,2", "0 1 2 3 4", "X1,O1,X2,O2"
    >>> [_names_moves(line, "4,0,8,2") for line in lines]
    [True, True, False, False, True]
    """
    numbers = re.split("[,;\t]", line.lstrip(",;"))
    counted = {tuple(map(str, range(start, start + len(numbers)))) for start in (0, 1)}
    has_marks = len(numbers) > 1 and all(map(_MARKED.fullmatch, numbers))
    return (has_marks and not re.search("[xoXO]", after)) or (
        len(numbers) > _LEAST_COLUMNS and tuple(numbers) in counted
    )


def _is_word(token: str) -> bool:
    """Return whether a token is a word, and no move of any game."""
    return token.isalpha() and len(token) > 1


def _cure_of_words(tokens: list[str], *, has_names: bool = True, is_pgn: bool = False) -> str:
    """Say what a word among moves may be: a name, or a result; nothing without one."""
    if len(tokens) <= 1:  # One may be moves without separators.
        return ""
    if not has_names and _is_word(tokens[0]):
        return (
            f"{quote(tokens[0])} is no move: expected a colon between names and moves, as in "
            "`ann - bob: b2 a3 c1`"
        )
    scores = (token for token in tokens[:-1]
              if _SCORE.fullmatch(token) and is_end(token, LogOptions()))  # fmt: skip
    if result := next(scores, None):
        return f"{quote(result)} is a result, and moves follow: {_A_LINE}"
    moves = [*takewhile(MOVE.fullmatch, tokens)]
    rest = tokens[len(moves) :]
    has_words = any(_is_word(token) or _RESULT.fullmatch(token) for token in rest)
    if moves and has_words and not any(map(MOVE.fullmatch, rest)):
        said = " ".join(rest)
        cure = f"the option results gives it a meaning, as in {said}=first"
        if is_pgn and len(rest) > 1:
            cure = "write it in one word, as in 1-0 or *"
        return f"{quote(said)} is no move: if it is the result, {cure}"
    return ""


def _has_several_games(line: str) -> bool:
    """Return whether a line holds several lists of moves.

    >>> lines = "4 0 8; 4 1 8", "[4,0,8] [4,1]", '["4 0", "4 1"]', "1,1; 0,0", "[4, 0, 8]"
    >>> [_has_several_games(line) for line in lines]
    [True, False, True, False, False]
    """
    quoted = re.findall("[\"']([^\"']*)[\"']", line) if line.startswith("[") else []
    has_pairs = ";" in line and any(map(PAIR.match, tokens_of(line.rpartition(":")[2])))
    parted = [] if has_pairs else line.split(";")
    return any(
        len(parts) > 1 and all(len(re.findall(r"[^\s,]+", part)) > least for part in parts)
        for parts, least in ((parted, 2), (_LIST.findall(line), 2), (quoted, 1))
    )


def _is_row(tokens: list[str], line: str) -> bool:
    """Return whether a line has separators, and a word or mark that is no move in any game."""
    is_separated = any(separator in line for separator in SEPARATORS)
    has_word = any(_is_word(token) or token.lower() in {*MARKS} for token in tokens)
    return is_separated and has_word and not line.startswith("[")


def _are_rows(lines: list[str], options: LogOptions) -> bool:
    """Return whether lines have a time in front, or the same few fields, as rows that are moves.

    >>> rows = ["1,1,4", "1,2,0", "1,3,8"], ["1 4", "2 0", "3 8"], ["4,0,1-0"] * 3
    >>> [_are_rows(lines, LogOptions()) for lines in rows]
    [True, True, False]
    """
    if lines and _TIMED.match(lines[0]):
        return True
    rows = [re.split("[,;\t|]", line.strip()) for line in lines]
    if all(len(row) == 1 for row in rows):  # With blanks, a column before the last counts the rows.
        rows = [line.split() for line in lines]
        columns = ["".join(column) for column in zip(*rows, strict=False)]
        if not {"012", "123"} & {*columns[:-1]}:
            return False
    are_plain = not any(re.search(r"[\[(:\s]", field) for row in rows for field in row)
    has_results = any(is_end(row[-1], options) for row in rows)
    counts = {*map(len, rows)}
    has_fields = len(rows) == _LINES and len(counts) == 1 and counts <= _FIELDS
    return has_fields and are_plain and not has_results


def _row_of_a_table(place: GamePlace, line: str) -> UsageError:
    return place.fault(
        f"{quote(line.strip())} looks like a row of a table: expected a first line that names the "
        "columns, as in first,second,moves,result, or game_id,player,move for one row a move; the "
        "option columns names others, as in moves=COLUMN, or game_id=COLUMN,move=COLUMN for one "
        "row a move; if it is a game, write a list, as in [4, 0, 8]"
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
        item = _ITEM.match(names)
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
    for place, line in log.lines():
        if line.startswith("%"):
            continue
        is_behind_tag, is_tag = is_tag, line.lstrip().startswith("[") and not opened
        if is_tag:
            name, value = _tag(place, line.strip())
            if game.is_over(place, name, is_behind_tag=is_behind_tag):
                yield game.ended(options)
                game = _Game()
            game.add_tag(place, name, value)
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

    def is_over(self, place: GamePlace, tag: str, *, is_behind_tag: bool) -> bool:
        """Return whether a tag begins another game. Raises UsageError for one that is twice."""
        is_known = tag in self.tags
        if is_known and is_behind_tag:
            raise place.fault(f"the tag {quote(tag)} is there twice: expected it once")
        return is_known or bool(self.moves)

    def add_tag(self, place: GamePlace, name: str, value: str) -> None:
        self.place = self.place or place
        self.tags[name] = value

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
        if cure := _cure_of_words(self.moves, is_pgn=True):
            raise self.place.fault(cure)
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
