"""Episodes of verifiers, as the ``traces.jsonl`` of an evaluation has them: an object a line.

Traces hold messages of any kind, so a game is read only where the environment keeps it, as
``marubatsu-games`` does: in the information of one trace.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.numbering import Numbering
from marubatsu.judge.review.json_lines import objects
from marubatsu.judge.review.log_file import GamePlace, LogFile
from marubatsu.judge.review.recorded_game import RecordedGame, recorded_game

RECORD = "marubatsu_game"
"""The key of a game in the information of a trace."""


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read the game that each episode keeps; one that failed keeps none. Raises UsageError."""
    for place, episode in objects(log):
        if episode.get("ok") is False:
            continue
        records = list(_records(episode.get("traces")))
        if len(records) != 1:
            raise place.fault(
                f"the traces of the episode hold {len(records) or 'no'} games: expected one as "
                f'"{RECORD}" in an "info", where the environment marubatsu-games keeps it'
            )
        yield _game(place, records[0], log)


def _records(traces: object) -> Iterator[Mapping[str, Any]]:
    """Yield the games in the information of traces."""
    for trace in traces if isinstance(traces, list) else ():
        info = trace.get("info") if isinstance(trace, dict) else None
        record = info.get(RECORD) if isinstance(info, dict) else None
        if isinstance(record, dict):
            yield record


def _game(place: GamePlace, record: Mapping[str, Any], log: LogFile) -> RecordedGame:
    players, moves = record.get("players"), record.get("moves")
    if not isinstance(players, list) or len(players) != 2 or not isinstance(moves, list):
        raise place.fault(f'"{RECORD}" has no "players", a list of two, or no "moves", a list')
    if set(str(record.get("board") or "")) & {*MARKS}:
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
