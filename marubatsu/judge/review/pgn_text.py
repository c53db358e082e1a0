"""Games as in Portable Game Notation: tags, then numbered moves with comments, then a result."""

import re
from collections.abc import Iterator

from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.layouts import Columns
from marubatsu.judge.review.log_file import GamePlace, LogFile, LogOptions
from marubatsu.judge.review.recorded_game import RecordedGame, is_end, recorded_game

_TAG = re.compile(r'\[\s*(\w{1,100})\s+"((?:[^"\\]|\\.)*)"\s*\]')
_WORD = re.compile(r"[xXoO]?\(\s*[0-9]+\s*,\s*[0-9]+\s*\)|[{}()]|;.*|[^\s{}();]+")  # with pairs
_NUMBER = re.compile(r"^(?:(\d+)(\.+)|\.+)")  # of a move, which may follow without a space
_START = ("fen", "setup")  # tags of games that begin with another position
_MARKS = "!?+#"  # what a commentator thinks of a move


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read games; their tags are First and Second (or White and Black), Game and Result.

    Comments and variations are skipped. Raises UsageError.
    """
    options = log.options
    game = _Game()
    opened: list[tuple[GamePlace, str]] = []  # comments and variations
    for place, line in log.lines():
        if line.startswith("%"):
            continue
        if line.startswith("[") and not opened:
            name, value = _tag(place, line.strip())
            if game.moves or name in game.tags:
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

    def add_tag(self, place: GamePlace, name: str, value: str) -> None:
        self.place = self.place or place
        self.tags[name] = value
        if name in _START and value not in ("", "0"):
            raise place.fault(
                f"the tag {quote(name)} begins the game with another position than the empty "
                "board: leave the game out, or write its moves from the empty board"
            )

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
                f"{quote(number[0])} stands before move {before + 1} of the game: expected the "
                "moves numbered as in 1. b2 a3 2. c1, without a gap"
            )

    def ended(self, options: LogOptions, result: str | None = None) -> RecordedGame:
        """Return the game; its tag and the end of its moves both state the result."""
        assert self.place is not None
        columns = Columns(self.place, list(self.tags), options)
        players = columns.players()
        return recorded_game(
            self.place,
            self.moves,
            options,
            players=[
                self.tags[name] if name and self.tags[name] != "?" else None for name in players
            ],
            labels=tuple(name or "" for name in players),
            game=self.tags.get("game"),
            results=[*(self.tags[name] for name in columns.results()), result],
        )


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
        elif word in "{(":
            opened.append((place, word))
        elif word in "})":
            if word == "}" or not opened:
                raise place.fault(f"{quote(word)} closes nothing")
            opened.pop()
        elif not opened and word[0] not in ";$":
            yield word
