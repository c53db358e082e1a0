"""Episodes in which language models learn or are tried: those of OpenEnv, and those of verifiers.

OpenEnv writes them by its ``RolloutSerializer``: an object a line. The calls of tools hold the
moves; those of an opponent that the environment plays are in the results of the calls.

The ``traces.jsonl`` of an evaluation of verifiers has an object a line, too. Its traces hold
messages of any kind, so a game is read only where the environment keeps it, as ``marubatsu-games``
does: in the information of one trace.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import Any

from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.numbering import Numbering
from marubatsu.judge.agents.calling import read_json
from marubatsu.judge.review.log_file import GamePlace, LogFile, Token, objects
from marubatsu.judge.review.recorded_game import RecordedGame, recorded_game
from marubatsu.judge.review.table_games import moves_of

PLAYERS = ("model", "opponent")
"""The names of the players where the environment plays the opponent."""

_ACTIONS = ("action_id", "column", "cell", "move", "action", "position")
"""The arguments of a call that may hold a move."""

_OPPONENT = ("opponent_last_action", "opponent_move", "opponent_action")
_HISTORY = ("moves", "history", "action_history", "actions")
_GAMES = ("game", "game_name", "env_name")
_FRAMEWORK = ("action_id", "column")  # actions as frameworks number them: columns with gravity


def read_openenv(log: LogFile) -> Iterator[RecordedGame]:
    """Read episodes. Raises UsageError."""
    for place, episode in objects(log):
        yield _episode(place, episode, log)


def _episode(place: GamePlace, episode: Mapping[str, Any], log: LogFile) -> RecordedGame:
    calls = episode.get("tool_trace")
    if not isinstance(calls, list) or not all(
        isinstance(call, dict) and isinstance(call.get("arguments"), dict) for call in calls
    ):
        raise place.fault('expected an episode of OpenEnv with "tool_trace", a list of calls')
    results = [_result(call) for call in calls]
    keys = {key for call in calls for key in _ACTIONS if key in call["arguments"]}
    history = [result[key] for result in results for key in _HISTORY if key in result]
    if not history and len(keys) != 1:
        raise place.fault(
            f"the calls hold {' and '.join(sorted(keys)) or 'no move'}: expected one argument "
            f"for the moves, such as {', '.join(_ACTIONS[:4])}"
        )
    key = next(iter(keys), "")
    moves: Sequence[Token]
    if history:
        moves = moves_of(place, "tool_trace", history[-1])
    else:
        of_moves = [key in call["arguments"] for call in calls]
        others = [result for result, is_move in zip(results, of_moves, strict=True) if not is_move]
        if any(result.get(name) is not None for result in others for name in _OPPONENT):
            raise place.fault("the opponent moves in a call that holds no move")
        moves = _played(
            place,
            [call["arguments"][key] for call in compress(calls, of_moves)],
            list(compress(results, of_moves)),
        )
    name = _game_name(episode, calls, results)
    return recorded_game(
        place,
        moves,
        log.options,
        players=(None, None) if history else PLAYERS,
        game=name,
        numbering=_numbering(name) if key in _FRAMEWORK and not history else None,
    )


def _result(call: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a call returned, as far as it is an object, or the text of one."""
    result = call.get("result")
    data = result.get("data") if isinstance(result, dict) else None
    if isinstance(data, str):
        data = read_json(data)
    if isinstance(data, dict) and isinstance(data.get("observation"), dict):
        data = data["observation"]
    return data if isinstance(data, dict) else {}


def _played(
    place: GamePlace, actions: Sequence[object], results: Sequence[Mapping[str, Any]]
) -> list[Token]:
    """Return the moves of both sides: those of the calls, and the opponent's replies to them."""
    keys = {key for result in results for key in _OPPONENT if key in result}
    if len(keys) != 1:
        raise place.fault(
            "the calls hold the moves of one player: expected those of the opponent in their "
            f"results, as {' or '.join(_OPPONENT)}, or all moves, as {' or '.join(_HISTORY)}"
        )
    if any(result.get("current_player_id") == 1 for result in results):
        raise place.fault("the opponent moves first, and the calls do not hold that move")
    (key,) = keys
    moves: list[object] = []
    for action, result in zip(actions, results, strict=True):
        moves.append(action)
        if result.get(key) is not None:
            moves.append(result[key])
        elif result is not results[-1]:
            raise place.fault(f"the opponent makes no move after {quote(str(action))}")
    return list(moves_of(place, "tool_trace", moves))


def _game_name(
    episode: Mapping[str, Any], calls: Sequence[Mapping[str, Any]], results: Sequence[Any]
) -> object:
    """Return the game that an episode names; None where it names none."""
    task = episode.get("task")
    places = [task, episode.get("extra"), *(call["arguments"] for call in calls), *results]
    for each in places:
        for key in _GAMES:
            if isinstance(each, dict) and isinstance(each.get(key), str):
                return each[key]
    return None


def _numbering(name: object) -> Numbering | None:
    """Return how a framework numbers the moves of a game, where the episode names one."""
    try:
        return Numbering.COLUMNS if Game(str(name)).gravity else Numbering.CELLS
    except GameError:
        return None


RECORD = "marubatsu_game"
"""The key of a game in the information of a trace."""


def read_verifiers(log: LogFile) -> Iterator[RecordedGame]:
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
        yield _kept_game(place, records[0], log)


def _records(traces: object) -> Iterator[Mapping[str, Any]]:
    """Yield the games in the information of traces."""
    for trace in traces if isinstance(traces, list) else ():
        info = trace.get("info") if isinstance(trace, dict) else None
        record = info.get(RECORD) if isinstance(info, dict) else None
        if isinstance(record, dict):
            yield record


def _kept_game(place: GamePlace, record: Mapping[str, Any], log: LogFile) -> RecordedGame:
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
