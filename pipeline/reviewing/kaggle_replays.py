"""Replays of Kaggle's environments ConnectX and Tic-Tac-Toe, as ``env.toJSON()`` gives them."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.reviewing.json_lines import objects
from marubatsu.pipeline.reviewing.recorded import (
    SIDES,
    GamePlace,
    LogFile,
    RecordedGame,
    Token,
    recorded,
)


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read replays; in each step, the agent that was active before has moved.

    An agent that failed or was too late made no move. Raises UsageError.
    """
    for place, replay in objects(log):
        try:
            yield _game(place, replay)
        except (AttributeError, LookupError, TypeError, ValueError):
            raise place.fault(
                "expected a replay as env.toJSON() gives it, with name, configuration, rewards "
                "and steps"
            ) from None


def _game(place: GamePlace, replay: dict[str, Any]) -> RecordedGame:
    """Return a game. Raises what Python raises where the replay has another shape."""
    names = (replay.get("info") or {}).get("TeamNames") or list(SIDES)
    return recorded(
        place,
        list(_moves(replay["steps"])),
        players=names if isinstance(names, list) else [names],
        game=_name(place, replay["name"], replay["configuration"]),
        result=_result(replay["rewards"]),
        by_action=True,
    )


def _name(place: GamePlace, name: object, configuration: dict[str, int]) -> str:
    match name:
        case "connectx":
            columns, rows, run = (configuration[key] for key in ("columns", "rows", "inarow"))
            return f"{columns}x{rows}k{run}-gravity"
        case "tictactoe":
            return "tictactoe"
    raise place.fault(f"a replay of {quote(str(name))}: expected connectx or tictactoe")


def _moves(steps: list[list[dict[str, Any]]]) -> Iterator[Token]:
    for before, after in pairwise(steps):
        active = [agent for agent, state in enumerate(before) if state["status"] == "ACTIVE"]
        if active:
            action = after[active[0]]["action"]
            yield action if type(action) is int else None


def _result(rewards: list[float | None]) -> str | None:
    """Return who won: who failed has no reward."""
    first, second = (float("-inf") if reward is None else reward for reward in rewards)
    return "draw" if first == second else "circle" if first > second else "cross"
