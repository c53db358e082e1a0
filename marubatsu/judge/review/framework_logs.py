"""Games that frameworks record: replays of Kaggle, and episodes in which language models play.

A replay is what ``env.toJSON()`` gives: of ConnectX, of Tic-Tac-Toe, or of the games of OpenSpiel
in the environments ``open_spiel_…``.

OpenEnv writes episodes by its ``RolloutSerializer``: an object a line. The calls of tools hold the
moves; those of an opponent that the environment plays are in the results of the calls.

The ``traces.jsonl`` of an evaluation of verifiers has an object a line, too. Its traces hold
messages of any kind, so a game is read only where the environment keeps it, as ``marubatsu-games``
does: in the information of one trace.

Traces of TextArena have a row for each player of a game, with what it observed and replied. The
environment describes each move that it has played. The last one of a game is seen by no player, so
it is read in the reply, as the environment reads it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.numbering import Numbering, NumberingError, goal_of
from marubatsu.judge.agents.interfaces import AnswerError
from marubatsu.judge.bridges.actions import action_numbering
from marubatsu.judge.bridges.textarena import action_of_reply
from marubatsu.judge.review.csv_tables import table
from marubatsu.judge.review.json_games import objects
from marubatsu.judge.review.layouts import Columns
from marubatsu.judge.review.recorded_game import (
    GamePlace,
    LogFile,
    LogOptions,
    RecordedGame,
    Token,
    game_named,
    recorded_game,
)
from marubatsu.judge.review.table_games import Row, moves_of, stated_result
from marubatsu.pipeline.support.json_text import read_json

_OPENSPIEL = "open_spiel_"
_FAILED = ("INVALID", "ERROR", "TIMEOUT")
_SIZES = {"columns": 7, "rows": 6, "x_in_row": 4}  # of OpenSpiel's connect_four
_PARAMETER = re.compile(r"(\w+)=([0-9]{1,3})\b")


def read_kaggle(log: LogFile) -> Iterator[RecordedGame]:
    """Read replays. An agent that failed or was too late made no move. Raises UsageError."""
    for place, replay in objects(log):
        try:
            yield _replayed(place, replay, log.options)
        except (AttributeError, LookupError, TypeError, ValueError, AssertionError):
            raise place.fault(
                "expected a replay as env.toJSON() gives it, with name, configuration, rewards "
                "and steps; the option log='jsonl' reads objects with moves"
            ) from None


def _replayed(place: GamePlace, replay: dict[str, Any], options: LogOptions) -> RecordedGame:
    """Return a game. Raises what Python raises where the replay has another shape."""
    info = replay.get("info") or {}
    names = info.get("TeamNames") or (None, None)
    game = _game_of_replay(place, replay, info)
    _require_empty_board(place, replay, info)
    is_openspiel = replay["name"].startswith(_OPENSPIEL)
    return recorded_game(
        place,
        _applied_moves(place, replay) if is_openspiel else list(_moves_of_steps(replay["steps"])),
        options,
        players=names if isinstance(names, list | tuple) else [names],
        game=game.name,
        results=[_scores_of_replay(replay["rewards"])],
        numbering=action_numbering(game),
    )


def _game_of_replay(place: GamePlace, replay: dict[str, Any], info: dict[str, Any]) -> Game:
    configuration = replay["configuration"]
    match replay["name"]:
        case "connectx":
            sizes = [configuration[key] for key in ("columns", "rows", "inarow")]
        case "open_spiel_connect_four":
            sizes = list(_sizes(configuration, info).values())
        case "tictactoe" | "open_spiel_tic_tac_toe":
            return Game("tictactoe")
        case name:
            raise place.fault(
                f"a replay of {quote(str(name))}: expected connectx, tictactoe, "
                "open_spiel_connect_four or open_spiel_tic_tac_toe"
            )
    columns, rows, run = sizes
    try:
        return Game(f"{columns}x{rows}k{run}-gravity")
    except GameError as error:
        raise place.fault(str(error)) from None


def _sizes(configuration: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
    """Return the sizes of a game of OpenSpiel: its text has them, and parameters replace them.

    The environment notes the text that it has made of both; parameters of the usual size say
    nothing.
    """
    resolved = info.get("openSpielGameStringResolved")
    text = dict(_PARAMETER.findall(resolved or configuration.get("openSpielGameString") or ""))
    given = {} if resolved else configuration.get("openSpielGameParameters") or {}
    changed = {key: size for key, size in given.items() if size != _SIZES.get(key)}
    sizes = {**_SIZES, **text, **changed}
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


def _moves_of_steps(steps: list[list[dict[str, Any]]]) -> Iterator[Token]:
    """Yield the moves of Kaggle's own games: who was active before has moved."""
    for before, after in pairwise(steps):
        active = [agent for agent, state in enumerate(before) if state["status"] == "ACTIVE"]
        if active:
            state = after[active[0]]
            has_failed = state["status"] in _FAILED or type(state["action"]) is not int
            yield None if has_failed else state["action"]


def _applied_moves(place: GamePlace, replay: dict[str, Any]) -> list[Token]:
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


def _scores_of_replay(rewards: list[float | None]) -> list[float] | None:
    """Return the score of each agent; one that failed alone has no reward."""
    assert len(rewards) == 2
    if rewards == [None, None]:
        return None
    return [float("-inf") if reward is None else float(reward) for reward in rewards]


PLAYERS = ("model", "opponent")  # where the environment plays the opponent
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
    results = [_result_of_call(call) for call in calls]
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
        pairs = list(zip((call["arguments"] for call in calls), results, strict=True))
        others = [result for arguments, result in pairs if key not in arguments]
        if any(result.get(name) is not None for result in others for name in _OPPONENT):
            raise place.fault("the opponent moves in a call that holds no move")
        moves = _moves_of_calls(
            place, [(arguments[key], r) for arguments, r in pairs if key in arguments]
        )
    name = _game_of_episode(episode, calls, results)
    task = task if isinstance(task := episode.get("task"), dict) else {}
    return recorded_game(
        place,
        moves,
        log.options,
        players=(None, None) if history else PLAYERS,
        game=name,
        numbering=_numbering(name) if key in _FRAMEWORK and not history else None,
        rules={each: task[each] for each in Columns(place, task, log.options).rules()},
    )


def _result_of_call(call: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a call returned, as far as it is an object, or the text of one."""
    result = call.get("result")
    data = result.get("data") if isinstance(result, dict) else None
    if isinstance(data, str):
        data = read_json(data)
    if isinstance(data, dict) and isinstance(data.get("observation"), dict):
        data = data["observation"]
    return data if isinstance(data, dict) else {}


def _moves_of_calls(
    place: GamePlace, calls: Sequence[tuple[object, Mapping[str, Any]]]
) -> Sequence[Token]:
    """Return the moves of both sides: those of the calls, and the opponent's replies to them."""
    keys = {key for _, result in calls for key in _OPPONENT if key in result}
    if len(keys) != 1:
        raise place.fault(
            "the calls hold the moves of one player: expected those of the opponent in their "
            f"results, as {' or '.join(_OPPONENT)}, or all moves, as {' or '.join(_HISTORY)}"
        )
    if any(result.get("current_player_id") == 1 for _, result in calls):
        raise place.fault("the opponent moves first, and the calls do not hold that move")
    (key,) = keys
    moves: list[object] = []
    for number, (action, result) in enumerate(calls, start=1):
        moves.append(action)
        if result.get(key) is not None:
            moves.append(result[key])
        elif number < len(calls):
            raise place.fault(f"the opponent makes no move after {quote(str(action))}")
    return moves_of(place, "tool_trace", moves)


def _game_of_episode(
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
        return action_numbering(Game(str(name)))
    except GameError:
        return None


def read_verifiers(log: LogFile) -> Iterator[RecordedGame]:
    """Read the game that each episode keeps; one that failed keeps none. Raises UsageError."""
    for place, episode in objects(log):
        if episode.get("ok") is False:
            continue
        records = list(_records(episode.get("traces")))
        if len(records) != 1:
            raise place.fault(
                f"the traces of the episode hold {len(records) or 'no'} games: expected one as "
                '"marubatsu_game" in an "info", where the environment marubatsu-games keeps it'
            )
        yield _kept_game(place, records[0], log)


def _records(traces: object) -> Iterator[Mapping[str, Any]]:
    """Yield the games in the information of traces."""
    for trace in traces if isinstance(traces, list) else ():
        match trace:
            case {"info": {"marubatsu_game": dict(record)}}:
                yield record


def _kept_game(place: GamePlace, record: Mapping[str, Any], log: LogFile) -> RecordedGame:
    players, moves = record.get("players"), record.get("moves")
    if not isinstance(players, list) or len(players) != 2 or not isinstance(moves, list):
        raise place.fault('"marubatsu_game" has no "players", a list of two, or no "moves", a list')
    if set(str(record.get("board") or "")) & {*MARKS}:
        raise place.fault("the game does not begin with an empty board")
    if not all(move is None or type(move) is int for move in moves):
        raise place.fault('"moves" of "marubatsu_game": expected the numbers of cells, or null')
    return recorded_game(
        place,
        moves,
        log.options,
        players=players,
        game=record.get("game"),
        numbering=Numbering.CELLS,
    )


TRACED = ("game_id", "env_name", "player_id", "observations")  # what a trace must have
_GAME = -1  # the sender of what the environment says
_PLAYED = re.compile(
    r"Player ([01]) (?:placed their symbol \([OX]\) in cell|"
    r"dropped their disk \([OX]\) into column) ([0-9]{1,3})\."
)
_SAID = re.compile(r"^(\[GAME\] )? ?(?=Player)", re.MULTILINE)
_PROMPT = "You are Player "  # begins a text that holds all observations so far
_SENDERS = ("from_id", "sender_id", "sender", "from")
_TEXTS = ("observation", "prompt", "message", "content", "text", "state")
_REPLIES = ("action", "reply", "response", "completion", "output", "answer")

_Move = tuple[int, int]  # the player, and the number of the cell or the column


@dataclass
class _Seen:
    """What one player saw, and its last reply."""

    moves: list[_Move] = field(default_factory=list)
    reply: str | None = None
    replied_after: list[int] = field(default_factory=list)  # how many moves, for each reply

    def take_text(self, text: str) -> None:
        """Take an observation: all messages so far, or those since the last one.

        Where the messages of players are in it, those of the environment are marked.
        """
        is_marked = "[GAME] " in text
        moves = [
            (int(played[1]), int(played[2]))
            for said in _SAID.finditer(text)
            if bool(said[1]) is is_marked and (played := _PLAYED.match(text, said.end()))
        ]
        self.moves = moves if _PROMPT in text else self.moves + moves

    def take(self, value: Any, player: int) -> None:
        """Take observations and replies of any shape, in their order."""
        match value:
            case str():
                self.take_text(value)
            case [int(sender), str(message), *_]:
                self._take_message(sender, message, player)
            case list():
                for each in value:
                    self.take(each, player)
            case {"role": str(role), "content": str(content)}:
                if role == "assistant":
                    self._take_reply(content)
                else:
                    self.take_text(content)
            case dict():
                self._take_object(value, player)

    def _take_object(self, value: Mapping[str, Any], player: int) -> None:
        sender = next((value[key] for key in _SENDERS if key in value), None)
        texts = [value[key] for key in _TEXTS if key in value]
        if isinstance(sender, int) and texts and isinstance(texts[0], str):
            self._take_message(sender, texts[0], player)
            return
        for each in texts:
            self.take(each, player)
        for reply in (value[key] for key in _REPLIES if isinstance(value.get(key), str)):
            self._take_reply(reply)

    def _take_message(self, sender: int, message: str, player: int) -> None:
        if sender == _GAME and (played := _PLAYED.match(message)):
            self.moves.append((int(played[1]), int(played[2])))
        elif sender == player:
            self._take_reply(message)

    def _take_reply(self, reply: str) -> None:
        self.reply = reply
        self.replied_after.append(len(self.moves))


def read_textarena(log: LogFile) -> Iterator[RecordedGame]:
    """Read the rows of each game, which its players may share. Raises UsageError."""
    games: dict[str, list[Row]] = {}
    is_json = log.data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    for place, values in objects(log) if is_json else table(log)[1]:
        missing = [name for name in TRACED if values.get(name) is None]
        if missing:
            raise place.fault(f"no {' and no '.join(missing)}: expected a trace of TextArena")
        games.setdefault(str(values["game_id"]), []).append((place, values))
    for rows in games.values():
        yield _traced(rows, log)


def _traced(rows: Sequence[Row], log: LogFile) -> RecordedGame:
    place, values = rows[0]
    by_player: dict[int, Mapping[str, object]] = {}
    seen: dict[int, _Seen] = {}
    for at, row in rows:
        player = {"0": 0, "1": 1}.get(str(row["player_id"]))
        if player is None or player in by_player or row["env_name"] != values["env_name"]:
            raise at.fault(
                f"player {quote(str(row['player_id']))} of game {quote(str(row['game_id']))}: "
                "expected players 0 and 1, each once, in one environment"
            )
        by_player[player] = row
        seen[player] = _Seen()
        seen[player].take(_parsed(row["observations"]), player)
    game = log.options.game or game_named(place, values["env_name"])
    numbering = action_numbering(game)
    moves: list[Token] = [number for _, number in _moves_seen(rows, seen)]
    mover = len(moves) % 2
    last = seen.get(mover)
    if last is not None and last.reply is not None and last.replied_after[-1] == len(moves):
        moves.append(_last_move(game, last.reply, numbering))
    return recorded_game(
        place,
        moves,
        log.options,
        players=[_name_of_player(by_player, player) for player in (0, 1)],
        game=game.name,
        results=[_traced_scores(at, row["rewards"], int(str(row["player_id"])))
                 for at, row in rows if row.get("rewards") is not None],
        numbering=numbering,
    )  # fmt: skip


def _moves_seen(rows: Sequence[Row], seen: Mapping[int, _Seen]) -> list[_Move]:
    """Return the moves that a game's players saw. Raises UsageError where they saw two games."""
    moves = max((each.moves for each in seen.values()), key=len)
    place = rows[0][0]
    if any(each.moves != moves[: len(each.moves)] for each in seen.values()):
        raise place.fault("the two players of the game saw different moves")
    if any(player != number % 2 for number, (player, _) in enumerate(moves)):
        raise place.fault("the observations describe moves that are not in turn")
    is_in_turn = all(after % 2 == who for who in seen for after in seen[who].replied_after)
    if not is_in_turn or (not moves and all(each.reply is None for each in seen.values())):
        raise place.fault(
            "the observations do not describe each move, as in 'Player 0 placed their symbol (O) "
            "in cell 4.'"
        )
    return moves


def _last_move(game: Game, reply: str, numbering: Numbering) -> int | None:
    """Return the move of a reply; None where the environment reads none."""
    try:
        move = action_of_reply(game, reply)
        goal_of(game, move, numbering)
    except (AnswerError, NumberingError):
        return None
    return move


def _name_of_player(by_player: Mapping[int, Mapping[str, object]], player: int) -> object:
    """Return the name of a player, from its own row or from that of its opponent."""
    if player in by_player:
        return by_player[player].get("model_name")
    names = _parsed(by_player[1 - player].get("opponent_names"))
    return names[0] if isinstance(names, list) and len(names) == 1 else names


def _parsed(value: object) -> Any:
    """Return what a field holds, where it may be JSON, or a list as Python writes it."""
    if not isinstance(value, str) or value[:1] not in ("[", "{"):
        return value
    parsed = read_json(value) or read_json(value.replace("'", '"'))
    return value if parsed is None else parsed


def _traced_scores(place: GamePlace, rewards: object, player: int) -> object:
    """Return the score of each player, zeros as a draw; a number is that of the row's player."""
    scores = stated_result(place, _parsed(rewards))
    if not isinstance(scores, tuple):
        try:
            score = float(str(scores))
        except ValueError:
            raise place.fault(
                f"rewards is {quote(scores)}: expected a score for each player"
            ) from None
        if score not in (-1, 0, 1):
            raise place.fault(
                f"rewards is {score:g}, which says nothing of the opponent: expected a score for "
                "each player, or one of -1, 0 and 1"
            )
        scores = (score, -score) if player == 0 else (-score, score)
    return "draw" if scores == (0, 0) else scores  # The environment gives them only at the end.
