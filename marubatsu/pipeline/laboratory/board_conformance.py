"""Test a board class, ours or a user's, against every law.

It uses all positions of 3x3, and samples of other games.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from random import Random

from marubatsu.engine.ais.ai import Choice, Chooser
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.boards.board import Board, NewBoard
from marubatsu.engine.boards.laws import LAWS, BoardKind, Case, Law, all_boards
from marubatsu.engine.rules.board_text import draw, from_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError, quote
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.engine.search.driver import Count, Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import Algorithm, Options
from marubatsu.engine.search.roster import all_ais, find
from marubatsu.pipeline.support import importing
from marubatsu.pipeline.support.background import ended_after
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.importing import no_exit

COLUMNS = ("law", "holds", "positions", "what_must_be")

EXHAUSTIVE = "3x3k3"
SAMPLED = (
    "3x3k3-misere", "4x4k4", "4x4k3", "5x4k3", "4x5k4", "4x4k4-gravity", "7x6k4-gravity",
    "5x4k3-gravity-misere", "1x3k2", "2x1k1",
    "4x3k4-torus",
)  # fmt: skip
"""Games for every switch, shape and size: squares, rectangles both ways, gravity, misère, torus."""

_GAMES = 12  # random games on each board that is sampled
_STEP = {"choices of AIs": 12, "searches": 60}  # laws that test only every n-th position
_MOST_EMPTY = 7  # empty cells of a searched position, at most
_PATIENCE = 20.0  # seconds to examine one law at one position


def find_board(spec: str) -> NewBoard:
    """Return one of our boards by name, or a class as file.py:Class or module:Class.

    Raises UsageError when there is none, DataError when its code cannot be imported.
    """
    ours = all_boards()
    if spec in ours:
        return ours[spec]
    place = importing.code_place(spec, "a board class")
    if place is None:
        raise UsageError(
            f"{quote(spec)} names no board: expected file.py:Class, package.module:Class, or "
            f"one of {', '.join(ours)}"
        )
    value = importing.load_class(spec, place, _is_board, "board")
    if not callable(value) or (isinstance(value, type) and not issubclass(value, Board)):
        raise UsageError(
            f"{place.name} is no board: expected a subclass of marubatsu.engine.boards.board.Board"
        )
    new: NewBoard = value
    _require_board(new, place.name)
    return new


def _is_board(kind: type) -> bool:
    return issubclass(kind, Board) and kind is not Board


def _require_board(new: NewBoard, name: str) -> None:
    """Raise UsageError unless the class makes boards of the game that all laws are checked on."""
    try:
        with redirect_stdout(sys.stderr), no_exit():
            made: object = new(Game(EXHAUSTIVE))
        reason = f"it makes a {type(made).__name__}"
    except Exception as error:  # noqa: BLE001, a class may raise anything
        made, reason = None, f"{type(error).__name__}: {error}"
    if not isinstance(made, Board):
        raise UsageError(f"{name} makes no board of {EXHAUSTIVE}: {reason}")


@dataclass
class LawVerdict:
    """The result for one law."""

    law: str
    says: str
    examined: int = 0  # positions
    broken: int = 0  # games
    game: str = ""  # the first one that broke it
    moves: tuple[int, ...] = ()
    board: str = ""
    fault: str = ""

    def note(self, case: Case, faults: list[str]) -> None:
        """Count a position, and keep the first one with a fault."""
        self.examined += 1
        if faults and not self.broken:
            self.game, self.moves = case.game.notation, case.moves
            self.board, self.fault = case.text, faults[0]
        self.broken += bool(faults)


@dataclass(frozen=True)
class Conformance:
    """The result for every law, and the games that were played."""

    verdicts: tuple[LawVerdict, ...]
    positions: dict[str, int]  # number tested, by game
    refused: dict[str, str]  # games that the board does not play, with its messages

    @property
    def holds(self) -> bool:
        """Whether every law was examined, and none broken."""
        return all(verdict.examined and not verdict.broken for verdict in self.verdicts)


def conform(
    new: NewBoard,
    games: tuple[str, ...] = (EXHAUSTIVE, *SAMPLED),
    *,
    progress: Callable[[float], None] = lambda share: None,
) -> Conformance:
    """Test every law on every game; the first fault of a law ends its test on that game.

    An exception of the board is a fault of the law under test, and so is a test without an end.
    What the board prints goes to standard error. Only the main thread may call this.
    """
    laws = all_laws()
    verdicts = {name: LawVerdict(name, check.__doc__ or "") for name, check in laws.items()}
    looked: dict[str, int] = {}
    refused: dict[str, str] = {}
    for number, name in enumerate(games):
        game = Game(name)
        reason = _refusal(new, game)
        if reason is not None:
            refused[name] = reason
            continue
        cases = cases_of(game)
        looked[name] = len(cases)
        kind, standing = BoardKind(new, game), list(laws)
        for place, case in enumerate(cases):
            if place % 64 == 0:
                progress((number + place / len(cases)) / len(games))
            for law in standing.copy():
                if place % _STEP.get(law, 1) == 0:
                    faults = _look(laws[law], kind, case)
                    verdicts[law].note(case, faults)
                    if faults:
                        standing.remove(law)
    return Conformance(tuple(verdicts.values()), looked, refused)


def _look(law: Law, kind: BoardKind, case: Case) -> list[str]:
    late = TimeoutError(f"no end after {_PATIENCE:g} s")
    try:
        with redirect_stdout(sys.stderr), no_exit(), ended_after(_PATIENCE, lambda: late):
            return list(law(kind, case))
    except Exception as error:  # noqa: BLE001, a board may raise anything
        return [f"raised {type(error).__name__}: {error}"]


def _refusal(new: NewBoard, game: Game) -> str | None:
    """Return the message of a board about a game that it does not play, or None."""
    try:
        with redirect_stdout(sys.stderr), no_exit():
            new(game)
    except InputError as error:
        return str(error)
    except Exception:  # noqa: BLE001, the laws report what it raises
        return None
    return None


@cache
def cases_of(game: Game) -> tuple[Case, ...]:
    """Return all positions of 3x3k3, and those of some random games on other boards."""
    if game == Game(EXHAUSTIVE):
        return tuple(_all_cases(game))
    random = Random(0)  # noqa: S311, chance need not be unguessable
    answer: dict[Position, Case] = {}
    for _ in range(_GAMES):
        case = Case(game, (), EMPTY)
        answer.setdefault(case.position, case)
        while case.legal:
            case = _next(case, random.choice(case.legal))
            answer.setdefault(case.position, case)
    return tuple(answer.values())


def _all_cases(game: Game) -> Iterator[Case]:
    cases = {EMPTY: Case(game, (), EMPTY)}
    while cases:
        yield from cases.values()
        children = (_next(case, cell) for case in cases.values() for cell in case.legal)
        cases = {child.position: child for child in children}


def _next(case: Case, cell: int) -> Case:
    return Case(case.game, (*case.moves, cell), case.game.play(case.position, cell))


def all_laws() -> dict[str, Law]:
    """Return the laws of a single board, then those of its users."""
    return {**LAWS, "choices of AIs": _choices, "searches": _searches}


def _choices(kind: BoardKind, case: Case) -> Iterator[str]:
    """Every AI by rule or evaluation chooses and values as it does on the board of the pipeline."""
    if not case.legal:
        return
    board = kind.played(case.moves)
    for (name, chooser), right in zip(
        _choosers(case.game).items(), _right_choices(case.game, case.position), strict=True
    ):
        answer = chooser.choice(board)
        if right != answer:
            yield f"{name}: expected {right}, got {answer}"


@cache
def _choosers(game: Game) -> dict[str, Chooser]:
    return {ai.name: ai.on(game) for ai in all_ais() if ai.family in ("rule", "evaluation")}


@cache
def _right_choices(game: Game, position: Position) -> list[Choice]:
    board = new_board(game)
    board.set_up(position)
    return [chooser.choice(board) for chooser in _choosers(game).values()]


def _searches(kind: BoardKind, case: Case) -> Iterator[str]:
    """Searches visit as many nodes, and find the same score, as on the board of the pipeline."""
    if case.game.cells - len(case.moves) > _MOST_EMPTY:
        return
    right = _right_counts(case.game, case.position)
    for options, expected in zip(_options(), right, strict=True):
        answer = Search(options, Graph(kind.new(case.game))).count(case.position)
        if expected != answer:
            yield f"{options.algorithm}: expected {expected}, got {answer}"


@cache
def _right_counts(game: Game, position: Position) -> list[Count]:
    return [Search(options, Graph(new_board(game))).count(position) for options in _options()]


@cache
def _options() -> tuple[Options, ...]:
    return (
        Options(Algorithm.ALPHABETA, ordering=find("ai1s")),
        Options(Algorithm.SCOUT, shortest_victory=True, use_table=True),
        Options(
            Algorithm.PVS, evaluation=find("ai14s"), ordering=find("ai10s"), order_all=True,
            use_table=True,
        ),
    )  # fmt: skip


def rows(conformance: Conformance) -> list[tuple[object, ...]]:
    """Return a row for each law."""
    return [
        (v.law, v.examined > 0 and not v.broken, v.examined, v.says) for v in conformance.verdicts
    ]


def summary(conformance: Conformance) -> str:
    """Show the first counterexample to every broken law, and the number of positions examined."""
    lines = [_counterexample(verdict) for verdict in conformance.verdicts if verdict.broken]
    examined = ", ".join(f"{count:,} of {game}" for game, count in conformance.positions.items())
    lines.append(f"looked at {examined} positions")
    lines += [f"does not play {game}: {reason}" for game, reason in conformance.refused.items()]
    return "\n".join(lines) + "\n"


def _counterexample(verdict: LawVerdict) -> str:
    game = Game(verdict.game)
    line = " ".join(map(str, verdict.moves)) or "nothing played"
    drawn = draw(game, from_text(game, verdict.board))
    return (
        f"{verdict.law}: {verdict.fault}\n"
        f"on {verdict.game}, {verdict.board} (cells played: {line})\n\n{drawn}\n"
    )
