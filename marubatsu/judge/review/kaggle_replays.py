"""Replays of Kaggle's environments, as ``env.toJSON()`` gives them.

They are ConnectX, Tic-Tac-Toe, and the games of OpenSpiel in the environments ``open_spiel_…``.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.numbering import Numbering
from marubatsu.judge.review.log_file import GamePlace, LogFile, LogOptions, Token, objects
from marubatsu.judge.review.recorded_game import RecordedGame, recorded_game

_OPENSPIEL = "open_spiel_"
_FAILED = ("INVALID", "ERROR", "TIMEOUT")
_SIZES = {"columns": 7, "rows": 6, "x_in_row": 4}  # of OpenSpiel's connect_four
_PARAMETER = re.compile(r"(\w+)=([0-9]{1,3})\b")


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read replays. An agent that failed or was too late made no move. Raises UsageError."""
    for place, replay in objects(log):
        try:
            yield _game(place, replay, log.options)
        except (AttributeError, LookupError, TypeError, ValueError, AssertionError):
            raise place.fault(
                "expected a replay as env.toJSON() gives it, with name, configuration, rewards "
                "and steps"
            ) from None


def _game(place: GamePlace, replay: dict[str, Any], options: LogOptions) -> RecordedGame:
    """Return a game. Raises what Python raises where the replay has another shape."""
    info = replay.get("info") or {}
    names = info.get("TeamNames") or (None, None)
    name = _name(place, replay, info)
    _require_empty_board(place, replay, info)
    is_openspiel = replay["name"].startswith(_OPENSPIEL)
    return recorded_game(
        place,
        _history(place, replay) if is_openspiel else list(_moves(replay["steps"])),
        options,
        players=names if isinstance(names, list | tuple) else [names],
        game=name,
        results=[_scores(replay["rewards"])],
        numbering=Numbering.COLUMNS if Game(name).gravity else Numbering.CELLS,
    )


def _name(place: GamePlace, replay: dict[str, Any], info: dict[str, Any]) -> str:
    configuration = replay["configuration"]
    match replay["name"]:
        case "connectx":
            sizes = [configuration[key] for key in ("columns", "rows", "inarow")]
        case "open_spiel_connect_four":
            sizes = list(_sizes(configuration, info).values())
        case "tictactoe" | "open_spiel_tic_tac_toe":
            return "tictactoe"
        case name:
            raise place.fault(
                f"a replay of {quote(str(name))}: expected connectx, tictactoe, "
                "open_spiel_connect_four or open_spiel_tic_tac_toe"
            )
    columns, rows, run = sizes
    game = f"{columns}x{rows}k{run}-gravity"
    try:
        Game(game)
    except GameError as error:
        raise place.fault(str(error)) from None
    return game


def _sizes(configuration: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
    """Return the sizes of a game of OpenSpiel: its text has them, and parameters replace them.

    The environment notes the text that it has made of both; parameters of the usual size say
    nothing.
    """
    resolved = info.get("openSpielGameStringResolved")
    text = dict(_PARAMETER.findall(resolved or configuration.get("openSpielGameString") or ""))
    given = {} if resolved else configuration.get("openSpielGameParameters") or {}
    chosen = {key: size for key, size in given.items() if size != _SIZES.get(key)}
    sizes = {**_SIZES, **text, **chosen}
    return {key: sizes[key] for key in _SIZES}


def _require_empty_board(place: GamePlace, replay: dict[str, Any], info: dict[str, Any]) -> None:
    """Raise UsageError for a game that begins with marks on the board."""
    first = replay["steps"][0][0].get("observation") or {}
    for name, marks in (
        ("initialActions", replay["configuration"].get("initialActions")),
        ("initialActions", info.get("initialActions")),
        ("marks on it", any(first.get("board") or ())),
    ):
        if marks:
            raise place.fault(f"the game does not begin with an empty board, but with {name}")


def _moves(steps: list[list[dict[str, Any]]]) -> Iterator[Token]:
    """Yield the moves of Kaggle's own games: who was active before has moved."""
    for before, after in pairwise(steps):
        active = [agent for agent, state in enumerate(before) if state["status"] == "ACTIVE"]
        if active:
            state = after[active[0]]
            has_failed = state["status"] in _FAILED or type(state["action"]) is not int
            yield None if has_failed else state["action"]


def _history(place: GamePlace, replay: dict[str, Any]) -> list[Token]:
    """Return the moves of a game of OpenSpiel: the actions that the environment has applied.

    An action that was submitted and not applied is a move that the player did not make.
    """
    moves: list[Token] = []
    for step in replay["steps"]:
        for state in step:
            info = state.get("info") or {}
            if info.get("actionApplied") is not None:
                moves.append(int(info["actionApplied"]))
            elif info.get("actionSubmitted") is not None:
                moves.append(None)
    history = (replay.get("info") or {}).get("actionHistory")
    if history is not None and [int(move) for move in history] != [
        m for m in moves if m is not None
    ]:
        raise place.fault("actionHistory has other actions than the steps")
    return moves


def _scores(rewards: list[float | None]) -> list[float] | None:
    """Return the score of each agent; one that failed alone has no reward."""
    assert len(rewards) == 2
    if rewards == [None, None]:
        return None
    return [float("-inf") if reward is None else float(reward) for reward in rewards]
