"""AIs: a name, a rule, parameters, and a choice in every position of a game."""

import re
from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import accumulate
from random import Random
from typing import Any, Self, TypeAlias, TypeVar

from marubatsu.engine.ais.reply import Fault
from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError, expectation, quote
from marubatsu.engine.rules.position import Status

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


_WINNER = (Status.CROSS, Status.CIRCLE)  # the side that just moved, by ply % 2


class Afterstate:
    """The input of an evaluation: a board just after a move, valid until the board changes.

    Lines are counted by pattern (own, other, empty), which splits the ``run`` cells of a line. Own
    marks are those of the player who just moved, other marks those of the opponent, who moves next.
    """

    __slots__ = ("_patterns", "board")

    def __init__(self, board: Board[Any]) -> None:
        self.board = board
        self._patterns: Sequence[int] | None = None

    @property
    def game(self) -> Game:
        """The game of the board."""
        return self.board.game

    @property
    def move(self) -> int | None:
        """The cell that was filled last; None when it is unknown."""
        last = self.board.last_move
        return None if last is None else self.board.cell_of(last)

    @property
    def won(self) -> bool:
        """Whether the player who just moved has won."""
        board = self.board
        return board.status is _WINNER[board.ply & 1]

    @property
    def took_centre(self) -> bool:
        """Whether the last move was the centre."""
        last = self.board.last_move
        return last is not None and last == self.board.centre

    @property
    def took_corner(self) -> bool:
        """Whether the last move was a corner."""
        return self.board.last_move in self.board.corners

    @property
    def threats(self) -> int:
        """Lines that the opponent completes with one more mark: pattern (0, 2, 1) on 3x3."""
        return self._lines(0, self.board.game.run - 1)

    @property
    def own2(self) -> int:
        """Lines that lack one own mark: pattern (2, 0, 1) on 3x3."""
        return self._lines(self.board.game.run - 1, 0)

    @property
    def own1(self) -> int:
        """Lines that lack two own marks: pattern (1, 0, 2) on 3x3."""
        return self._lines(self.board.game.run - 2, 0)

    @property
    def opp1(self) -> int:
        """Lines in which the opponent lacks two marks: pattern (0, 1, 2) on 3x3."""
        return self._lines(0, self.board.game.run - 2)

    @property
    def special(self) -> bool:
        """Four marks: cross in the centre and on a border cell, circle in two opposite corners."""
        board = self.board
        if board.ply != 4:
            return False
        game = board.game
        centre, corners = game.centre, game.corners
        if centre is None or len(corners) < 4:
            return False
        circle, cross = board.position()
        opposite = (1 << corners[0] | 1 << corners[3], 1 << corners[1] | 1 << corners[2])
        return (
            bool(cross >> centre & 1)
            and any(circle & pair == pair for pair in opposite)
            and any(cross >> cell & 1 for cell in game.border)
        )

    def _lines(self, own: int, other: int) -> int:
        """Count the lines with ``own`` and ``other`` marks; 0 when a number is negative."""
        board, patterns = self.board, self._patterns
        if patterns is None:
            patterns = self._patterns = board.patterns()
        if own < 0 or other < 0:
            return 0
        stride = board.game.run + 1
        return patterns[own + stride * other if board.ply & 1 else other + stride * own]


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

    @classmethod
    def by_evaluation(cls, evaluate: Callable[[Afterstate], Number]) -> Self:
        """Choose the moves whose afterstates have the greatest value."""

        def ai_scores(board: Board[Any], legal: Sequence[Any]) -> list[Number]:
            scores = []
            for move in legal:
                board.make(move)
                scores.append(evaluate(Afterstate(board)))
                board.unmake()
            return scores

        return cls.by_score(ai_scores)

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


def weighed(
    evaluate: Callable[..., Number], weights: Mapping[str, Any]
) -> Callable[[Afterstate], Number]:
    """Fix the changed weights; passing default weights at every call would cost time."""
    defaults = getattr(evaluate, "__kwdefaults__", None) or {}
    changed = {name: value for name, value in weights.items() if value != defaults[name]}
    return partial(evaluate, **changed) if changed else evaluate


def evaluation_of(ai: AI) -> Callable[[Afterstate], Number]:
    """Return the evaluation of an AI that has one."""
    assert ai.evaluate
    return weighed(ai.evaluate, dict(ai.parameters))


def draw_candidate(candidates: Sequence[Any], random: Random) -> Any:
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
