"""A log and its lines; and a recorded game: its moves, players, game and results.

A result is ``circle`` where the player who begins has won, ``cross`` where the opponent has,
``draw`` or `ZEROS`. A word that can mean two things is refused; the option results gives it one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from math import isnan
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from unicodedata import normalize

from marubatsu.engine.notations.move_texts import tokens_of
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.numbering import Numbering, goals
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.json_text import NoTextError, bytes_of, require_text

MOST_BYTES = 64_000_000  # of a file
MOST_LINE = 4_000_000  # bytes of a line
_MOST_PATH = 300  # characters of it in a message

Token = str | int | tuple[int, ...] | None  # a move in a log; None where a player made none


class GamePlace(NamedTuple):
    """Where a game begins."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"line {self.line} of {quote(self.file, _MOST_PATH)}"

    def fault(self, why: str) -> UsageError:
        """Return the error that something is wrong there."""
        return UsageError(f"{self}: {why}")


def quoted_json(value: object) -> str:
    """Name a value of JSON for a message: quoted, unless it holds others.

    >>> quoted_json("seven"), quoted_json(7), quoted_json([[]])
    ("'seven'", "'7'", 'a list')
    """
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return quote(str(value))


def encodable(text: str) -> str:
    """Escape what UTF-8 cannot hold."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True)
class LogOptions:
    """What the user says about logs."""

    columns: Mapping[str, str] = field(default_factory=dict)  # of tables or objects, by their field
    first: str | None = None  # the mark that begins, o or x; None: the user does not say
    results: Mapping[str, str] = field(default_factory=dict)  # words: first, second, draw or none
    game: Game | None = None  # where the user names it
    is_column_first: bool = False  # whether the stated numbering has pairs of column and row


_SILENT = LogOptions()


@dataclass(frozen=True)
class LogFile:
    """The content of a file, not yet understood."""

    name: str
    data: bytes
    options: LogOptions = _SILENT

    def lines(self) -> Iterator[tuple[GamePlace, str]]:
        """Yield every line with its place. Raises UsageError where one is too long, or no UTF-8."""
        for number, line in enumerate(BytesIO(self.data), start=1):
            place = GamePlace(self.name, number)
            if len(line) > MOST_LINE:
                raise place.fault(f"it has more than {MOST_LINE:,} bytes")
            try:
                yield place, line.decode().lstrip("\ufeff")  # Joined files have it in the middle.
            except UnicodeDecodeError as error:
                raise place.fault(
                    f"byte {error.start} is no UTF-8: save the file as UTF-8"
                ) from None


def open_log(file: Path, options: LogOptions = _SILENT) -> LogFile:
    """Read a file. Raises UsageError when it cannot be read, or is too large."""
    name = encodable(str(file))
    try:
        data = bytes_of(file, MOST_BYTES)
    except NoTextError as error:
        raise UsageError(f"cannot read {quote(name, _MOST_PATH)}: {error}") from None
    if b"\r" in data:  # at the end of lines, alone in old programs
        data = data.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        require_text(data)
    except NoTextError as error:
        raise GamePlace(name, 1).fault(str(error)) from None
    return LogFile(name, data, options)


def game_named(place: GamePlace, name: object) -> Game:
    """Return the game that a log names. Raises UsageError for an unknown one."""
    try:
        return Game(str(name))
    except GameError as error:
        raise place.fault(f"{error}; the option game names another") from None


SIDES = ("circle", "cross")  # the names of players whose log has no names; circle begins
_RESULTS: Mapping[str, str | None] = {
    "1-0": SIDES[0], "0-1": SIDES[1],
    "1/2-1/2": "draw", "½-½": "draw", "0.5-0.5": "draw", "1/2": "draw", "½": "draw", "*": None,
    "circle": SIDES[0], "cross": SIDES[1],
    "first": SIDES[0], "second": SIDES[1], "first player": SIDES[0], "second player": SIDES[1],
    "先手": SIDES[0], "後手": SIDES[1], "先手勝ち": SIDES[0], "後手勝ち": SIDES[1],
    "draw": "draw", "drawn": "draw", "a draw": "draw", "d": "draw",
    "tie": "draw", "tied": "draw", "a tie": "draw", "stalemate": "draw", "cat's game": "draw",
    "引き分け": "draw", "引分け": "draw", "引分": "draw",
    "": None, "?": None, "-": None, "none": None, "null": None, "nan": None, "n/a": None,
    "unfinished": None, "ongoing": None, "in progress": None,
}  # fmt: skip
"""What words mean in every log; a score begins with the player who begins."""

_LIKELY = {
    "0.5": "draw", "0,5": "draw", ".5": "draw", "0": "draw",
    "equal": "draw", "remis": "draw", "t": "draw",
    "-1": "second", "-1.0": "second", "2": "second", "l": "second", "loss": "second",
    "lost": "second", "player 2": "second", "p2": "second", "b": "second", "black": "second",
    "y": "second", "yellow": "second", "nobody": "draw", "no one": "draw",
    "no winner": "draw", "cat": "draw", "tie game": "draw", "aborted": "none", "abandoned": "none",
}  # fmt: skip
"""What a word without a meaning is likely to mean: the example in a refusal."""

MOVE = re.compile(
    r"[xo]?\(.*\)|\[.*\]|[xo]?[0-9]+(?:,[0-9]+)?|[a-z][0-9]{0,2}|[a-z]{2}[0-9]{1,2}", re.IGNORECASE
)
"""What may be a move of some game."""

_SCORE = re.compile(r"(1/2|½|0\.5|\b[01]) [-–—−] (1/2|½|0\.5|[01])\s*$")  # noqa: RUF001
_MARKS = {"x": "x", "×": "x", "o": "o", "〇": "o", "noughts": "o", "crosses": "x"}  # noqa: RUF001
MEANINGS = {"first": SIDES[0], "second": SIDES[1], "draw": "draw", "none": None}
"""The meanings that the option results may give to a word."""

ZEROS = "0-0"
"""The result where both players have the score 0: OpenSpiel and PettingZoo give it for a draw, and
also as long as a game goes on, so that it is a draw only where the moves end the game."""

_UNCLEAR = ""  # what a word means that can be either player
_DASHES = str.maketrans(dict.fromkeys("‐‑–—−", "-"))  # noqa: RUF001
_DECORATED = re.compile(r"(?:the )?(?:winner(?: is|:)? )?(.*?)(?: wins| won| win)?[.!]*")
_LOST = re.compile(r"(?:the )?(.*) (?:loses|lost|resigns|resigned)[.!]*")
_OTHER: Mapping[str | None, str | None] = {SIDES[0]: SIDES[1], SIDES[1]: SIDES[0]}

MOST_NAME = 100  # characters
_MOST_MOVES = 1_000  # of a game; no board has more than 63 cells
_SAID = {"circle": "first player wins", "cross": "second player wins", "draw": "draw"}


def is_end(word: str, options: LogOptions) -> bool:
    """Return whether a word among moves is a result, and no move of any game.

    >>> [is_end(word, LogOptions()) for word in ("1-0", "Tie", "1/2", "0.5", "d", "b2")]
    [True, True, True, True, False, False]
    """
    plain = _plain(word)
    is_result = word in options.results or plain in _RESULTS or _LIKELY.get(plain) == "draw"
    return is_result and MOVE.fullmatch(word) is None and word != "-"


def split_results(
    place: GamePlace, text: str, players: tuple[str | None, ...], options: LogOptions
) -> tuple[list[str], list[str]]:
    """Return the moves in a text, and the results behind them.

    A last number is a result if the option results has it, and a last letter unless it may be a
    column. Raises UsageError where it may be both.

    >>> place, options = GamePlace("log", 1), LogOptions()
    >>> texts = ("4 0 tie", "4 0 d", "d e d", "b2 first player wins")
    >>> [split_results(place, text, (), options) for text in texts[:2]]
    [(['4', '0'], ['tie']), (['4', '0'], ['d'])]
    >>> [split_results(place, text, (), options) for text in texts[2:]]
    [(['d', 'e', 'd'], []), (['b2'], ['first player wins'])]
    """
    has_dash = "-" in text or not text.isascii()
    tokens = tokens_of(_SCORE.sub(r"\1-\2", text) if has_dash else text)
    if tokens and MOVE.fullmatch(tokens[-1]) and not _is_letter(tokens[-1]):
        return (tokens[:-1], tokens[-1:]) if tokens[-1] in options.results else (tokens, [])
    end = len(tokens)
    while end and is_end(tokens[end - 1], options):
        end -= 1
    if end < len(tokens):
        return tokens[:end], tokens[end:]
    while end and MOVE.fullmatch(tokens[end - 1]) is None:
        end -= 1
    end -= _ends_in_a_letter(place, tokens[:end], options)
    words = " ".join(tokens[end:])
    is_known = words in options.results or _readings(_plain(words), players, (), None)
    is_letter = len(words) == 1
    return (tokens[:end], [words]) if words and (is_known or is_letter) else (tokens, [])


def _ends_in_a_letter(place: GamePlace, moves: Sequence[str], options: LogOptions) -> bool:
    """Return whether the last of some moves is a letter, and no move. Raises UsageError."""
    *others, last = moves or [""]
    if not others or not _is_letter(last) or any(map(_is_letter, others)):
        return False
    game = options.game
    is_column = game is not None and last.lower() in goals(game, Numbering.NAMES)
    if is_column and last not in options.results and any(move[0].isalpha() for move in others):
        raise place.fault(
            f"{quote(last)} may be a column or a result: the option results gives it a meaning, as "
            f"in {last}=draw, or write the cell of the column"
        )
    return last in options.results or not is_column or last.lower() == "d"


def _is_letter(token: str) -> bool:
    return len(token) == 1 and token.isascii() and token.isalpha()


def mark_of_first_move(moves: Sequence[Token]) -> str | None:
    """Return the mark before the first move, where every move has one, in turn: x(1,1) o(0,0).

    >>> [mark_of_first_move(moves) for moves in (["x3", "o2", "x3"], ["a3", "b2"], ["x3", "x2"])]
    ['x', None, None]
    """
    first = moves[0] if moves else None
    if not isinstance(first, str) or first[:1].lower() not in ("x", "o"):
        return None
    pair = first[0].lower() + ("o" if first[0].lower() == "x" else "x")
    for number, move in enumerate(moves):
        if not isinstance(move, str) or not re.match(rf"{pair[number % 2]}[(0-9]", move.lower()):
            return None
    return pair[0]


def result_of(
    place: GamePlace,
    statement: object,
    options: LogOptions,
    *,
    players: tuple[str | None, ...],
    labels: tuple[str, ...],
    mark: str | None,
) -> str | None:
    """Return the result that a statement means; None where it means none.

    ``players`` are the names in the log, ``labels`` what else it calls them, such as the names of
    their columns, and ``mark`` is that of the player who begins. Raises UsageError for a result
    that means nothing, or that can mean two things.
    """
    if isinstance(statement, list | tuple):
        return _of_scores(place, statement)
    if isinstance(statement, dict | bool):
        raise place.fault(f"the result is {quoted_json(statement)}: expected a word or a score")
    text = str(statement).strip()
    if text in options.results:
        return MEANINGS[options.results[text]]
    first, plain = options.first or mark, _plain(text)
    readings = _readings(plain, players, labels, first)
    readings = readings or _readings(plain.replace("_", " "), players, labels, first)
    meant = set(readings.values())
    if len(meant) == 1 and _UNCLEAR not in meant:
        return meant.pop()
    raise place.fault(_refusal(text, readings))


@lru_cache(maxsize=10_000)
def _plain(text: str) -> str:
    """Return a result with its dashes as hyphens, without the blanks around them."""
    plain = normalize("NFC", text).casefold().translate(_DASHES)
    return re.sub(r"(?<=[0-9½]) *- *(?=[0-9½])", "-", plain)


@lru_cache(maxsize=10_000)
def _readings(
    word: str, players: tuple[str | None, ...], labels: tuple[str, ...], first: str | None
) -> Mapping[str, str | None]:
    """Return what a word can mean, also as in ``ann wins`` or ``bob lost``, by its reading."""
    names = [name and name.casefold() for name in players]
    readings: dict[str, str | None] = {}
    if word in names:
        if names[0] == names[1]:
            return {"the name of both players": _UNCLEAR}
        readings["the name of a player"] = SIDES[names.index(word)]
    if word in labels and word not in _RESULTS:
        readings["the name of a column"] = SIDES[labels.index(word)]
    if word in _RESULTS and not (first == "x" and word in SIDES):
        readings["a word"] = _RESULTS[word]
    mark = _MARKS.get(word)
    if first == "x" and word in SIDES:
        mark = "ox"[SIDES.index(word)]
    if mark is not None and "the name of a player" not in readings:
        readings["a mark"] = SIDES[mark != first] if first else _UNCLEAR
    if readings or len(word) >= 2 * MOST_NAME:
        return readings
    if lost := _LOST.fullmatch(word):
        inner = _readings(lost[1], players, labels, first)
        return {what: _OTHER.get(side, side) for what, side in inner.items()}
    decorated = _DECORATED.fullmatch(word)
    if decorated is None or decorated[1] == word:
        return readings
    return _readings(decorated[1], players, labels, first)


def _refusal(text: str, readings: Mapping[str, str | None]) -> str:
    decorated = _DECORATED.fullmatch(text.casefold())
    likely = _LIKELY.get(decorated[1] if decorated else "", "first")
    cure = f"the option results gives it a meaning, as in {text or 'WORD'}={likely}"
    if readings.get("a mark") == _UNCLEAR:
        return (
            f"the result is {quote(text)}, a mark, and the log does not say which mark begins: "
            "the option first names it, o or x"
        )
    if readings:
        return f"the result is {quote(text)}, which is {' and '.join(readings)}: {cure}"
    return (
        f"the result is {quote(text)}: expected 1-0, 0-1, 1/2-1/2, first, second, draw or the name "
        f"of a player; {cure}"
    )


def _of_scores(place: GamePlace, scores: Sequence[object]) -> str | None:
    """Return the result by the score of each player; None without scores."""
    if all(score is None for score in scores):
        return None
    if len(scores) != 2 or not all(map(_is_score, scores)):
        raise place.fault(
            f"the result is {quote(list(scores))}: expected the scores of two players, as numbers, "
            "not those of each move"
        )
    first, second = scores
    if first == second:
        return "draw" if first else ZEROS
    return SIDES[second > first]  # type: ignore[operator]


def _is_score(score: object) -> bool:
    return type(score) is int or (isinstance(score, float) and not isnan(score))


StatedRules = tuple[tuple[str, str], ...]
"""The fields of a log that say something of the rules, and what they say."""

_LONGEST_RULE = 50  # characters that count; a longer text is no size


class RecordedGame(NamedTuple):
    """A game as it was recorded."""

    place: GamePlace
    game: str | None  # its name; None: the log does not name it
    players: tuple[str, str]  # who begins comes first
    moves: Sequence[Token]
    result: str | None  # circle, cross, draw or `ZEROS`; None: the log does not say
    contradiction: str | None  # what the log says about the result, where it says two things
    numbering: Numbering | None  # that of the format; None: the user's
    rules: StatedRules
    ends: tuple[tuple[str, object], ...]  # the fields that say something of its end


def recorded_game(
    place: GamePlace,
    moves: Sequence[Token],
    options: LogOptions,
    *,
    players: Sequence[object] = (None, None),
    labels: tuple[str, ...] = (),
    mark: str | None = None,
    game: object = None,
    results: Sequence[object] = (),
    numbering: Numbering | None = None,
    rules: Mapping[str, object] = MappingProxyType({}),
    ends: Mapping[str, object] = MappingProxyType({}),
) -> RecordedGame:
    """Return a game whose parts a log states. Raises UsageError for parts that make no sense.

    ``labels`` are what the log calls the two players, ``mark`` is that of the player who begins.
    Of several ``results``, those that say nothing do not count; others should agree.
    """
    if why := _not_moves(moves, options.game if numbering is None else None):
        raise place.fault(why)
    if len(players) != 2:
        raise place.fault(f"a game of {len(players)} players: expected two, who begins first")
    if game is not None and not isinstance(game, str):
        raise place.fault(f"the game is {quoted_json(game)}: expected its name, as in tictactoe")
    names = (_name(place, players[0]), _name(place, players[1]))
    results = [result for result in results if result is not None]
    moved = mark_of_first_move(moves)
    if mark and moved and mark != moved:
        raise place.fault(f"{moved} moves first, and the log says that {mark} begins")
    mark = mark or moved
    if mark and options.first and mark != options.first:
        raise place.fault(f"{mark} moves first, and the option first says {options.first}")
    stated: list[str] = []
    for each in results:
        result = result_of(place, each, options, players=names, labels=labels, mark=mark)
        if result is not None and result not in stated:
            stated.append(result)
    if len(stated) > 1:
        stated = [*dict.fromkeys("draw" if each == ZEROS else each for each in stated)]
    contradiction = None
    if len(stated) > 1:
        contradiction = f"the log says {' and '.join(_SAID[each] for each in stated)}"
    return RecordedGame(
        place,
        game,
        (names[0] or SIDES[0], names[1] or SIDES[1]),
        moves,
        stated[0] if len(stated) == 1 else None,
        contradiction,
        numbering,
        tuple(
            (field, str(rule)[:_LONGEST_RULE]) for field, rule in rules.items() if rule is not None
        ),
        tuple((field, end) for field, end in ends.items() if end is not None),
    )


def _not_moves(moves: Sequence[Token], game: Game | None) -> str:
    """Say why there are too many moves, or repeated numbers are none where a cell is filled once.

    They are pairs, count the moves, or fill a line up.

    >>> tictactoe = Game("tictactoe")
    >>> _not_moves("1 1 0 0 2 2".split(), tictactoe)
    'the numbers may be pairs of row and column: write them as in (1,1) (0,0)'
    >>> _not_moves("4 1 0 8 7 2 6 0 0".split(), tictactoe)
    "'0' ends the line twice: leave out what fills it up"
    """
    if len(moves) > _MOST_MOVES:
        return f"a game of {len(moves):,} moves: expected at most {_MOST_MOVES:,}"
    tokens = [*map(str, moves)] if len({*moves}) < len(moves) else []
    are_numbers = all(re.fullmatch("-?[0-9]{1,4}", each) for each in tokens)
    if game is None or game.gravity or not tokens or not are_numbers:
        return ""
    if len(tokens) == game.cells and tokens[-2] == tokens[-1] and tokens.count(tokens[-1]) > 2:
        return f"{quote(tokens[-1])} ends the line twice: leave out what fills it up"
    if tokens[::3] == [*map(str, range(1, 1 + len(tokens[::3])))] != ["1"]:
        return "'1' may be the number of a move: write '1.' for a number"
    pairs = list(zip(tokens[::2], tokens[1::2], strict=False))
    are_small = all(0 <= int(each) <= max(game.columns, game.rows) for each in tokens)
    are_distinct = len({*pairs}) == len(pairs) == len(tokens) / 2
    if are_small and are_distinct and len({*tokens}) < len(tokens) - 1:
        return "the numbers may be pairs of row and column: write them as in (1,1) (0,0)"
    return ""


def _name(place: GamePlace, player: object) -> str | None:
    """Return the name of a player; half a surrogate pair in it is escaped."""
    if player is None:
        return None
    if not isinstance(player, str):
        raise place.fault(f"a player is {quoted_json(player)}: expected a name")
    if len(player) > MOST_NAME:
        raise place.fault(
            f"the name {quote(player)} has {len(player):,} characters: expected at most {MOST_NAME}"
        )
    return encodable(normalize("NFC", player.strip())) or None
