"""Results as logs write them: scores, words, marks, names of players.

A result is ``circle`` where the player who begins has won, ``cross`` where the opponent has, or
``draw``. A word that can mean two things is refused; the option results says what it means.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.logs.recorded import GamePlace, LogOptions, Token, quoted_json
from marubatsu.pipeline.support.errors import OptionError

SIDES = ("circle", "cross")
"""The names of players whose log has no names; circle begins."""

RESULTS: Mapping[str, str | None] = {
    "1-0": SIDES[0], "0-1": SIDES[1],
    "1/2-1/2": "draw", "½-½": "draw", "0.5-0.5": "draw", "*": None,
    "circle": SIDES[0], "cross": SIDES[1],
    "first": SIDES[0], "second": SIDES[1], "first player": SIDES[0], "second player": SIDES[1],
    "draw": "draw", "drawn": "draw", "a draw": "draw",
    "tie": "draw", "tied": "draw", "a tie": "draw",
    "": None, "?": None, "-": None, "none": None, "null": None, "nan": None, "n/a": None,
    "unfinished": None, "ongoing": None, "in progress": None,
}  # fmt: skip
"""What words mean in every log; a score begins with the player who begins."""

ENDS = ("1-0", "0-1", "1/2-1/2", "½-½", "0.5-0.5", "*", "circle", "cross", "draw")
"""The results that may follow a list of moves."""

_MARKS = {"x": "x", "×": "x", "o": "o", "〇": "o", "noughts": "o", "crosses": "x"}  # noqa: RUF001
_MEANINGS = {"first": SIDES[0], "second": SIDES[1], "draw": "draw", "none": None}
_MEANING = re.compile(rf"(.+?)=({'|'.join(_MEANINGS)})(?=,|$)", re.DOTALL)
_UNCLEAR = ""  # what a word means that can be either player
_DECORATED = re.compile(r"(?:the )?(?:winner(?: is|:)? )?(.*?)(?: wins| won| win)?[.!]*")


def results_of(text: str) -> dict[str, str]:
    """Read the option results; a word may have a comma. Raises OptionError.

    >>> results_of("1=first,-1=second,0,5=draw")
    {'1': 'first', '-1': 'second', '0,5': 'draw'}
    """
    meanings: dict[str, str] = {}
    at = 0
    while at <= len(text):
        part = _MEANING.match(text, at)
        if part is None or part[1] in meanings:
            raise OptionError(
                "results", text, f"expected WORD=RESULT,… with the results {', '.join(_MEANINGS)}"
            )
        meanings[part[1]] = part[2]
        at = part.end() + 1
    return meanings


def first_mark(moves: Sequence[Token]) -> str | None:
    """Return the mark before the first move, where every move has one, in turn: x(1,1) o(0,0).

    >>> first_mark(["x3", "o2", "x3"]), first_mark(["a3", "b2"]), first_mark(["x3", "x2"])
    ('x', None, None)
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
    players: tuple[str | None, ...] = (None, None),
    labels: tuple[str, ...] = (),
    mark: str | None = None,
) -> str | None:
    """Return the result that a log states; None where it states none.

    ``players`` are the names in the log, ``labels`` what else it calls them, such as the names of
    their columns, and ``mark`` is that of the player who begins. Raises UsageError for a result
    that means nothing, or that can mean two things.
    """
    if statement is None:
        return None
    if isinstance(statement, list | tuple):
        return _of_scores(place, statement)
    if isinstance(statement, dict | bool):
        raise place.fault(f"the result is {quoted_json(statement)}: expected a word or a score")
    text = str(statement).strip()
    if text in options.results:
        return _MEANINGS[options.results[text]]
    readings = _readings(text.casefold(), players, labels, options.first or mark)
    meant = set(readings.values())
    if len(meant) == 1 and _UNCLEAR not in meant:
        return meant.pop()
    raise place.fault(_refusal(text, readings))


@lru_cache(maxsize=10_000)
def _readings(
    word: str, players: tuple[str | None, ...], labels: tuple[str, ...], first: str | None
) -> Mapping[str, str | None]:
    """Return what a word can mean, also one as in ``ann wins``, by what it is read as."""
    names = [name and name.casefold() for name in players]
    readings: dict[str, str | None] = {}
    if word in names:
        if names[0] == names[1]:
            return {"the name of both players": _UNCLEAR}
        readings["the name of a player"] = SIDES[names.index(word)]
    if word in labels and word not in RESULTS:
        readings["the name of a column"] = SIDES[labels.index(word)]
    if word in RESULTS and not (first == "x" and word in SIDES):
        readings["a word"] = RESULTS[word]
    mark = _MARKS.get(word)
    if first == "x" and word in SIDES:
        mark = "ox"[SIDES.index(word)]
    if mark is not None and "the name of a player" not in readings:
        readings["a mark"] = SIDES[mark != first] if first else _UNCLEAR
    decorated = _DECORATED.fullmatch(word)
    if readings or decorated is None or decorated[1] == word:
        return readings
    return _readings(decorated[1], players, labels, first)


def _refusal(text: str, readings: Mapping[str, str | None]) -> str:
    cure = f"the option results gives it a meaning, as in {text or 'WORD'}=first"
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
    if len(scores) != 2 or any(type(score) not in (int, float) for score in scores):
        raise place.fault("the result is a list: expected the scores of two players")
    first, second = scores
    return "draw" if first == second else SIDES[second > first]  # type: ignore[operator]
