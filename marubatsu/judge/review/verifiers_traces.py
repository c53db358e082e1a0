"""Traces of verifiers: an object for each model that an environment has asked.

A trace has messages of any kind, so games are read only where the environment keeps them, as
``marubatsu-games`` does: in the information of the trace, once a game.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from marubatsu.engine.rules.numbering import Numbering
from marubatsu.judge.review.json_lines import objects
from marubatsu.judge.review.log_file import GamePlace, LogFile
from marubatsu.judge.review.recorded_game import RecordedGame, recorded_game

RECORD = "marubatsu_game"
"""The key of a game in the information of a trace."""

_ELSEWHERE = "in"  # the trace that keeps the game, in that of its other player


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read the games that traces keep. Raises UsageError for a trace without one."""
    for place, trace in objects(log):
        info = trace.get("info")
        record = info.get(RECORD) if isinstance(info, dict) else None
        if not isinstance(record, dict):
            raise place.fault(
                f'the trace holds no game: expected "{RECORD}" in its "info", where '
                "the environment marubatsu-games keeps it"
            )
        if _ELSEWHERE not in record:
            yield _game(place, record, log)


def _game(place: GamePlace, record: Mapping[str, Any], log: LogFile) -> RecordedGame:
    players, moves = record.get("players"), record.get("moves")
    if not isinstance(players, list) or len(players) != 2 or not isinstance(moves, list):
        raise place.fault(f'"{RECORD}" has no "players", a list of two, or no "moves", a list')
    if record.get("board") is not None:
        raise place.fault("the game does not begin with an empty board")
    if not all(move is None or type(move) is int for move in moves):
        raise place.fault(f'"moves" of "{RECORD}": expected the numbers of cells, or null')
    return recorded_game(
        place,
        moves,
        log.options,
        players=players,
        game=record.get("game"),
        numbering=Numbering.CELLS,
    )
