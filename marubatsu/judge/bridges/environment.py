"""An environment as the walk sees it: a few questions, which an adapter or a user's class answers.

Circle is whoever moves first. Cells are ours: row by row from the top left. An environment that
refuses a move raises an exception.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Protocol

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Side, Status


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


@dataclass(frozen=True)
class Seen:
    """What an environment says of a place in a game."""

    over: bool
    turn: str
    legal: tuple[int, ...]
    rewards: tuple[float | None, float | None]
    winner: str | None  # circle, cross, draw; None while nobody has won
    observations: tuple[Position, ...]

    def changes(self, other: "Seen") -> list[str]:
        """Return the names of the answers that differ."""
        names = (field.name for field in fields(self))
        return [name for name in names if getattr(self, name) != getattr(other, name)]


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
