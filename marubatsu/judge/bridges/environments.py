"""Environments of others: what the walk asks of one, and how to make one from its name or class.

Circle is the side that moves first. Cells are ours: row by row from the top left. An environment
that refuses a move raises an exception.
"""

import re
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import Any, NamedTuple, Protocol

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError, quote
from marubatsu.engine.rules.position import Position, Side, Status
from marubatsu.pipeline.support import importing
from marubatsu.pipeline.support.errors import DataError, UsageError


class Environment(Protocol):
    """A game of somebody else.

    Two more questions may be left out. ``winner()`` answers circle, cross or draw at the end; else
    the higher reward names the winner. ``observations()`` answers a pair of masks, circle's and
    cross's, for each observation that can be read.
    """

    def reset(self) -> None:
        """Begin a new game."""

    def play(self, cell: int) -> None:
        """Fill a cell for the side to move."""

    def legal_moves(self) -> Iterable[int]:
        """List the cells that the side to move may fill."""

    def turn(self) -> str:
        """Return the side to move: circle or cross."""

    def over(self) -> bool:
        """Return whether the game has ended."""

    def rewards(self) -> tuple[float | None, float | None]:
        """Return circle's reward and cross's, summed over the game so far; None is no reward."""


QUESTIONS = ("reset", "play", "legal_moves", "turn", "over", "rewards")
"""The methods that every environment has."""


class Seen(NamedTuple):
    """What an environment says of a place in a game."""

    over: bool
    turn: str
    legal: tuple[int, ...]
    rewards: tuple[float | None, float | None]
    winner: str | None  # circle, cross, draw; None while the game goes on
    observations: tuple[Position, ...]

    def changes(self, after: "Seen") -> str:
        """Name the answers that differ a move later; at the end no side moves."""
        pairs = zip(self._fields, self, after, strict=True)
        differing = [name for name, mine, other in pairs if mine != other]
        ignored = ("turn", "legal") if self.over else ()
        return ", ".join(name for name in differing if name not in ignored)


def look(environment: Environment) -> Seen:
    """Ask an environment everything. Raises what the environment raises."""
    over = bool(environment.over())
    circle, cross = (None if each is None else float(each) for each in environment.rewards())
    rewards = (circle, cross)
    named: Any = getattr(environment, "winner", lambda: _winner_by(rewards))
    observations: Any = getattr(environment, "observations", tuple)
    return Seen(
        over,
        environment.turn(),
        tuple(sorted(int(cell) for cell in environment.legal_moves())),
        rewards,
        named() if over else None,
        tuple(Position(int(circle), int(cross)) for circle, cross in observations()),
    )


def _winner_by(rewards: tuple[float | None, float | None]) -> str:
    if rewards[0] == rewards[1]:
        return Status.DRAW.word
    return Side.CIRCLE.word if is_less(rewards[1], rewards[0]) else Side.CROSS.word


def is_less(reward: float | None, other: float | None) -> bool:
    """Return whether a reward is less than another; none is less than any."""
    return other is not None and (reward is None or reward < other)


def reward_text(reward: float | None) -> str:
    """Write a reward."""
    return "none" if reward is None else f"{reward:g}"


_REWARDS = {Status.CIRCLE: (1.0, -1.0), Status.CROSS: (-1.0, 1.0)}


def expected(game: Game, position: Position) -> Seen:
    """Return what an environment of a game must say, with one observation."""
    status = game.status(position)
    over = status is not Status.PLAYING
    return Seen(
        over,
        position.turn.word,
        game.legal_moves(position),
        _REWARDS.get(status, (0.0, 0.0)),
        status.word if over else None,
        (position,),
    )


@dataclass(frozen=True)
class Framework:
    """A package with environments; the class in its module makes one from a name."""

    package: str  # as pip knows it
    library: str  # as Python imports it
    names: tuple[str, ...]
    parameters: tuple[str, ...] = ()


FRAMEWORKS = {
    "pettingzoo": Framework("pettingzoo", "pettingzoo", ("tictactoe_v3", "connect_four_v3")),
    "openspiel": Framework(
        "open_spiel", "pyspiel", ("tic_tac_toe", "mnk", "connect_four"),
        ("m", "n", "k", "rows", "columns", "x_in_row"),
    ),
    "pgx": Framework("pgx", "pgx", ("tic_tac_toe", "connect_four")),
    "kaggle": Framework(
        "kaggle-environments", "kaggle_environments", ("connectx",), ("columns", "rows", "inarow")
    ),
}  # fmt: skip
"""Every framework by the word before the colon: its module here has a `FrameworkEnvironment`."""

_NAME = re.compile(r"(\w+)(?:\(((?:\w+=\d{1,3},?)*)\))?", re.ASCII)


@dataclass(frozen=True)
class WalkedEnvironment:
    """An environment to walk, the game whose rules it must keep, and whose release it is."""

    name: str
    environment: Environment
    game: Game
    release: str  # as in pettingzoo 1.27.0; empty for a user's own class


def find_environment(spec: object, game: Game | None = None) -> WalkedEnvironment:
    """Make an environment by name, or of a class, or take an object; only these need a game.

    Raises UsageError when there is none, or when its package is not installed, and DataError when
    its code fails.
    """
    own_game = game or Game("tictactoe")
    with redirect_stdout(sys.stderr):
        if not isinstance(spec, str):
            kind = spec if isinstance(spec, type) else type(spec)
            return _made(kind.__qualname__, spec, own_game)
        word, _, name = spec.partition(":")
        if word in FRAMEWORKS:
            if game is not None:
                raise UsageError(f"{quote(spec)} names its game itself: leave out the option game")
            return _of_framework(spec, word, name)
        return _of_class(spec, own_game)


def environment_names() -> list[str]:
    """List the environments of frameworks."""
    return [f"{word}:{name}" for word, each in FRAMEWORKS.items() for name in each.names]


def _of_framework(spec: str, word: str, text: str) -> WalkedEnvironment:
    framework = FRAMEWORKS[word]
    match = _NAME.fullmatch(text)
    if match is None or match[1] not in framework.names:
        raise UsageError(
            f"{quote(spec)} names no environment: expected one of {', '.join(environment_names())}"
        )
    values = dict(part.split("=") for part in (match[2] or "").split(",") if part)
    if not values.keys() <= set(framework.parameters):
        raise UsageError(
            f"{quote(spec)} has a parameter that is not known: expected "
            f"{', '.join(framework.parameters) or 'none'}"
        )
    module: Any = import_module(f"marubatsu.judge.bridges.{word}")
    try:
        made = module.FrameworkEnvironment(
            match[1], **{key: int(value) for key, value in values.items()}
        )
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        package = framework.package if missing == framework.library else missing
        raise UsageError(
            f"{quote(spec)} needs {package}, which is not installed where marubatsu runs: "
            f"{sys.executable} -m pip install {package}"
        ) from None
    except InputError as error:
        raise UsageError(f"{quote(spec)}: {error}") from None
    except Exception as error:  # noqa: BLE001, a package may raise anything
        raise DataError(
            f"{framework.package} makes no {quote(text)}: {type(error).__name__}: {error}"
        ) from None
    release = f"{framework.package} {metadata.version(framework.package)}"
    return WalkedEnvironment(spec, made, made.game, release)


def _of_class(spec: str, game: Game) -> WalkedEnvironment:
    place = importing.code_place(spec, "a class of an environment")
    if place is None:
        raise UsageError(
            f"{quote(spec)} names no environment: expected file.py:Class, package.module:Class, or "
            f"one of {', '.join(environment_names())}"
        )
    value = importing.load_class(spec, place, lambda kind: not _lacking(kind), "environment")
    return _made(spec, value, game)


def _made(name: str, value: Any, game: Game) -> WalkedEnvironment:
    try:
        with importing.no_exit():
            made: Any = value() if callable(value) else value
    except Exception as error:  # noqa: BLE001, its code may raise anything
        raise importing.not_loaded(name, error) from None
    if lacks := _lacking(made):
        raise UsageError(
            f"{quote(name)} makes no environment, as it has no {', '.join(lacks)}: expected a "
            f"class, made without arguments, with the methods {', '.join(QUESTIONS)}"
        )
    return WalkedEnvironment(name, made, game, "")


def _lacking(made: object) -> list[str]:
    return [name for name in QUESTIONS if not callable(getattr(made, name, None))]
