"""Traces of TextArena: a row for each player of a game, with what it observed and replied.

The environment describes each move that it has played. The last one of a game is seen by no player,
so it is read in the reply, as the environment reads it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.numbering import Numbering, NumberingError, goal_of
from marubatsu.judge.agents.calling import read_json
from marubatsu.judge.agents.interfaces import AnswerError
from marubatsu.judge.bridges.actions import action_numbering
from marubatsu.judge.bridges.textarena import action_of_reply
from marubatsu.judge.review.csv_tables import table
from marubatsu.judge.review.recorded_game import (
    GamePlace,
    LogFile,
    RecordedGame,
    Token,
    objects,
    recorded_game,
)
from marubatsu.judge.review.table_games import Row

COLUMNS = ("game_id", "env_name", "player_id", "observations")  # what a trace must have
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


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read the rows of each game, which its players may share. Raises UsageError."""
    games: dict[str, list[Row]] = {}
    is_json = log.data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
    for place, values in objects(log) if is_json else table(log)[1]:
        missing = [name for name in COLUMNS if values.get(name) is None]
        if missing:
            raise place.fault(f"no {' and no '.join(missing)}: expected a trace of TextArena")
        games.setdefault(str(values["game_id"]), []).append((place, values))
    for rows in games.values():
        yield _game(rows, log)


def _game(rows: Sequence[Row], log: LogFile) -> RecordedGame:
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
    game = log.options.game or _game_of(place, values["env_name"])
    numbering = action_numbering(game)
    moves: list[Token] = [number for _, number in _agreed(rows, seen)]
    mover = len(moves) % 2
    last = seen.get(mover)
    if last is not None and last.reply is not None and last.replied_after[-1] == len(moves):
        moves.append(_last(game, last.reply, numbering))
    return recorded_game(
        place,
        moves,
        log.options,
        players=[_name(by_player, player) for player in (0, 1)],
        game=game.name,
        results=[_scores(at, row["rewards"], int(str(row["player_id"])))
                 for at, row in rows if row.get("rewards") is not None],
        numbering=numbering,
    )  # fmt: skip


def _game_of(place: GamePlace, name: object) -> Game:
    try:
        return Game(str(name))
    except GameError as error:
        raise place.fault(f"{error}; the option game names another") from None


def _agreed(rows: Sequence[Row], seen: Mapping[int, _Seen]) -> list[_Move]:
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


def _last(game: Game, reply: str, numbering: Numbering) -> int | None:
    """Return the move of a reply; None where the environment reads none."""
    try:
        move = action_of_reply(game, reply)
        goal_of(game, move, numbering)
    except (AnswerError, NumberingError):
        return None
    return move


def _name(by_player: Mapping[int, Mapping[str, object]], player: int) -> object:
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


def _scores(place: GamePlace, rewards: object, player: int) -> list[float] | None:
    """Return the score of each player; a number is that of the row's player."""
    rewards = _parsed(rewards)
    if isinstance(rewards, dict) and {*map(str, rewards)} == {"0", "1"}:
        rewards = [rewards[key] for key in sorted(rewards, key=str)]
    if isinstance(rewards, list):
        return rewards
    try:
        score = float(str(rewards))
    except ValueError:
        raise place.fault(
            f"rewards is {quote(rewards)}: expected a score for each player"
        ) from None
    if score not in (-1, 0, 1):
        raise place.fault(
            f"rewards is {score:g}, which says nothing of the opponent: expected a score for each "
            "player, or one of -1, 0 and 1"
        )
    return [score, -score] if player == 0 else [-score, score]
