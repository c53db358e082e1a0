"""AIs: a name, a rule, parameters, and a choice in every position of a game."""

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from random import Random
from typing import Any, Self, TypeAlias, TypeVar

from marubatsu.engine.ais.reply import Fault
from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError, expectation, quote

Number: TypeAlias = int | float | Fraction
"""A score of any kind; weights are exact fractions, so that ties are exact."""

Parameter: TypeAlias = int | float | Fraction | bool | str | None

_NUMBER = re.compile(r"[^eE]{1,99}([eE][+-]?[0-9]{1,2})?")
"""What is read as a fraction: a double holds it. Those of larger exponents take minutes."""


class AIError(InputError):
    """A name or a parameter that no AI has; the message quotes it and says how to correct it."""


class FailedError(AIError):
    """A fault of an AI on a board, where it had to answer."""

    def __init__(self, name: str, board: str, fault: Fault) -> None:
        super().__init__(name, board, fault)  # A process hands an error over by its arguments.
        self.name, self.board, self.fault = name, board, fault

    def __str__(self) -> str:
        return f"{self.name} fails on {self.board}: {self.fault}"


Key = TypeVar("Key")
Made = TypeVar("Made")


class Cached(dict[Key, Made]):
    """A mapping whose values are made when they are first needed."""

    def __init__(self, make: Callable[[Key], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Key) -> Made:
        made = self[key] = self._make(key)
        return made


@dataclass(frozen=True)
class Choice:
    """The choice of an AI in one position; moves are cells."""

    legal: tuple[int, ...]  # in ascending order
    candidates: tuple[int, ...]  # the moves it may choose, in ascending order
    ai_scores: tuple[Number, ...] | None = None  # of each legal move, mover's view; None: no scores

    def ranks(self) -> tuple[Number, ...]:
        """Return a sort key for each move: its AI score, else 1 for candidates and 0 for others."""
        if self.ai_scores is not None:
            return self.ai_scores
        return tuple(int(move in self.candidates) for move in self.legal)


class Weighted(tuple[Any, ...]):  # noqa: SLOT001, it has attributes
    """Candidates with different chances: a tuple of moves, and the weight of each."""

    weights: tuple[float, ...]
    sums: list[float]  # of the weights so far

    def __new__(cls, moves: Iterable[Any], weights: Sequence[float]) -> Self:
        """Take moves and their weights: 0 or more, some of them more."""
        made = super().__new__(cls, moves)
        made.weights = tuple(weights)
        made.sums = list(accumulate(weights))
        return made

    def draw(self, random: Random) -> Any:
        """Draw a move by its weight, with one ``random.random``."""
        place = bisect(self.sums, random.random() * self.sums[-1])
        return self[min(place, len(self) - 1)]


Rule: TypeAlias = Callable[[Board[Any]], Sequence[Any]]
"""A function from an unfinished board to the moves it may choose there, by ascending cell."""

Scoring: TypeAlias = Callable[[Board[Any], Sequence[Any]], Sequence[Number]]
"""A function from an unfinished board and its legal moves to their AI scores, mover's view."""


@dataclass(frozen=True)
class Chooser:
    """An AI for one game: it chooses on any board of the game and leaves the board unchanged."""

    candidates: Rule
    ai_scores: Scoring | None = None  # None when it gives no scores
    is_fixed: bool = True  # whether it answers the same whenever it is asked

    @classmethod
    def by_score(cls, ai_scores: Scoring) -> Self:
        """Choose the moves with the greatest AI score."""

        def candidates(board: Board[Any]) -> list[Any]:
            legal = board.legal_moves()
            return best(legal, ai_scores(board, legal))

        return cls(candidates, ai_scores)

    def choice(self, board: Board[Any]) -> Choice:
        """Return the candidates and AI scores in a position."""
        legal = board.legal_moves()
        if self.ai_scores is None:
            scores, moves = None, self.candidates(board)
        else:
            scores = tuple(self.ai_scores(board, legal))
            moves = best(legal, scores)
        candidates = tuple(map(board.cell_of, moves))
        if isinstance(moves, Weighted):
            candidates = Weighted(candidates, moves.weights)
        return Choice(tuple(map(board.cell_of, legal)), candidates, scores)


def best(moves: Sequence[Any], ai_scores: Sequence[Number]) -> list[Any]:
    """Return the moves with the greatest AI score."""
    greatest = max(ai_scores)
    return [move for move, score in zip(moves, ai_scores, strict=True) if score == greatest]


@dataclass(frozen=True)
class AI:
    """An AI: its name, family, rule and parameters, and a function that builds its chooser."""

    name: str
    family: str  # rule, evaluation, table, search, foreign
    rule: str  # one sentence
    build: Callable[..., Chooser]  # takes the game and the parameters
    parameters: tuple[tuple[str, Parameter], ...] = ()
    evaluate: Callable[..., Number] | None = None  # takes an afterstate and the parameters

    def on(self, game: Game) -> Chooser:
        """Build the chooser for a game."""
        return self.build(game, **dict(self.parameters))


def draw(candidates: Sequence[Any], random: Random) -> Any:
    """Draw one of the candidates, with one ``random.choice``, or by weight."""
    if isinstance(candidates, Weighted):
        return candidates.draw(random)
    return random.choice(candidates)


_KNOWN: dict[str, AI] = {}


def register(ai: AI) -> AI:
    """Put an AI into the registry. Raises ValueError when its name is taken."""
    if ai.name in _KNOWN:
        raise ValueError(f"there are two AIs named {ai.name}")
    _KNOWN[ai.name] = ai
    return ai


def registered() -> tuple[AI, ...]:
    """List the registry, in the order of registration."""
    return tuple(_KNOWN.values())


def unknown(name: str, names: Iterable[str]) -> AIError:
    """Return the error for a name of no AI."""
    return AIError(f"there is no AI {quote(name)}: {expectation(name, names)}")


def find(spec: str) -> AI:
    """Return an AI by its name, with other parameters after a colon: ``ai14s:score_201=3``.

    Raises AIError, quoting the text, when there is no such AI or parameter, or the value is of
    another kind than the parameter's default.
    """
    name, _, changes = spec.partition(":")
    if name not in _KNOWN:
        raise unknown(name, _KNOWN)
    ai = _KNOWN[name]
    parameters, given = dict(ai.parameters), dict[str, Parameter]()
    for change in filter(None, changes.split(",")):
        key, equals, text = change.partition("=")
        if not equals:
            raise AIError(f"{quote(change)} sets no parameter: expected one as in score_201=3")
        if key not in parameters:
            has = ", ".join(parameters) or "none"
            raise AIError(f"{name} has no parameter {quote(key)}: it has {has}")
        if key in given:
            raise AIError(f"{quote(spec)} sets {key} twice: expected one value of it")
        given[key] = _parse(key, text, parameters[key])
    return replace(ai, parameters=tuple((parameters | given).items()))


def _parse(key: str, text: str, default: Any) -> Parameter:
    """Read a value of the kind that the default has."""
    try:
        match default:
            case bool():
                return {"true": True, "false": False}[text]
            case int() | float() | Fraction():
                number = Fraction(text if _NUMBER.fullmatch(text) else "none")
                return int(number) if number.denominator == 1 else number
            case _:  # It may be None, a whole number or a name.
                named = int(text) if text.isdecimal() else text
                return None if text in ("", "none") else named
    except (ValueError, KeyError, ZeroDivisionError):
        kind = "true or false" if isinstance(default, bool) else "a number of at most 99 digits"
        raise AIError(f"{key}={quote(text)}: expected {kind}") from None
