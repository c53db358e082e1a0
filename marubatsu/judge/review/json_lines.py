"""Games as JSON: an object a line, or objects one after the other, or in one list.

An object is a game, or one move. Its keys are read as the names of a table's columns are.
"""

import re
from collections.abc import Iterator
from itertools import chain
from json import JSONDecodeError

from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.layouts import Columns, TableLayout, holds_moves, plain_name
from marubatsu.judge.review.log_file import GamePlace, LogFile, LogOptions, quoted_json
from marubatsu.judge.review.recorded_game import RecordedGame
from marubatsu.judge.review.table_games import Row, game_of_moves, game_of_row, games_of_moves
from marubatsu.pipeline.support.json_text import DECODER, RepeatedKeyError

_MOST_TOGETHER = 16_000_000  # characters of a file whose objects may go over several lines
_BETWEEN = re.compile(r"[\s,]*")


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read objects with ``moves``, or each with a ``move``. Raises UsageError."""
    rows = (_flat(place, values) for place, values in objects(log))
    first = next(rows, None)
    if first is None:
        return
    place, values = first
    inside = [key for key, value in values.items() if _holds_games(value)]
    if inside and not log.options.columns and not holds_moves([*values]):
        raise place.fault(
            f"the games are inside {quote(inside[0])}: expected each as an object of its own, one "
            "a line or all in one list"
        )
    every = chain([first], rows)
    layout = Columns(first[0], list(first[1]), log.options).layout()
    if layout.moves is None:
        yield from games_of_moves(every, layout, log.options)
        return
    layouts: dict[tuple[str, ...], TableLayout] = {}
    for place, values in every:
        keys = tuple(values)
        if keys not in layouts:
            layouts[keys] = Columns(place, list(values), log.options).layout()
        yield _game((place, values), layouts[keys], log.options)


def _holds_games(value: object) -> bool:
    """Return whether a value of JSON is an object with moves, or holds objects."""
    if isinstance(value, dict):
        return holds_moves([*value]) or any(map(_holds_games, value.values()))
    return isinstance(value, list) and any(isinstance(part, dict) for part in value)


def _game(row: Row, layout: TableLayout, options: LogOptions) -> RecordedGame:
    """Return the game of an object. Raises UsageError."""
    place, values = row
    if layout.moves is None:
        raise place.fault(f"the keys are {quote(','.join(values), 200)}: expected moves, as before")
    moves = values.get(layout.moves)
    if not (isinstance(moves, list) and moves and isinstance(moves[0], dict)):
        return game_of_row(row, layout, options)
    rows = [(place, {**values, **_object(place, move)}) for move in moves]
    keys = [key for key in dict.fromkeys(key for _, move in rows for key in move)
            if key != layout.moves and key not in values]  # fmt: skip
    of_moves = Columns(place, keys, options).layout(of_one_game=True)
    inner = of_moves._replace(
        players=layout.players, labels=layout.labels, results=layout.results, game=layout.game,
        game_id=None,
    )  # fmt: skip
    return game_of_moves(rows, inner, options)


def _flat(place: GamePlace, values: dict[str, object]) -> Row:
    """Return an object, whose ``players`` become keys of their own."""
    key = next((key for key in values if plain_name(key) == "players"), None)
    players = None if key is None else values.pop(key)
    if not players:
        return place, values
    if isinstance(players, dict):
        if {*map(str, players)} in ({"0", "1"}, {"1", "2"}):
            players = {f"player{number}": name for number, name in players.items()}
        return place, values | players
    if not isinstance(players, list):
        raise place.fault(f'"players" is {quoted_json(players)}: expected a list of two names')
    if len(players) != 2:
        raise place.fault(f"a game of {len(players)} players: expected two, who begins first")
    for key, player in zip(("first", "second"), players, strict=True):
        if values.get(key) not in (None, player):
            raise place.fault(
                f'"{key}" is {quoted_json(values[key])}, and "players" has {quoted_json(player)} '
                "there: expected the player who begins first in both"
            )
    values["first"], values["second"] = players
    return place, values


def objects(log: LogFile) -> Iterator[tuple[GamePlace, dict[str, object]]]:
    """Yield the objects of a file, each with its place. Raises UsageError for anything else."""
    if len(log.data) > _MOST_TOGETHER:
        for place, text in log.lines():
            if text.strip():
                value, end = _decoded(place, text, _after_space(text, 0))
                if text[end:].strip():
                    raise place.fault("something follows the object")
                yield place, _object(place, value)
        return
    text = "".join(line for _, line in log.lines())
    at = _after_space(text, 0)
    is_list = text.startswith("[", at)
    at, line, counted = _after_space(text, at + is_list), 1, 0
    while at < len(text) and not (is_list and text[at] == "]"):
        line, counted = line + text.count("\n", counted, at), at
        place = GamePlace(log.name, line)
        value, end = _decoded(place, text, at)
        yield place, _object(place, value)
        at = _after_space(text, end)
    if is_list:
        place = GamePlace(log.name, 1 + text.count("\n"))
        if at >= len(text):
            raise place.fault("the list is never closed")
        if text[at + 1 :].strip():
            raise place.fault("something follows the list")


def _decoded(place: GamePlace, text: str, start: int) -> tuple[object, int]:
    """Decode the value that begins somewhere; return it and where it ends."""
    try:
        return DECODER.raw_decode(text, start)
    except JSONDecodeError as error:
        at = place._replace(line=place.line + text.count("\n", start, error.pos))
        raise at.fault(f"no JSON: {error.msg}") from None
    except RepeatedKeyError as error:
        raise place.fault(str(error)) from None
    except RecursionError:
        raise place.fault("the JSON is nested too deeply") from None
    except ValueError:
        raise place.fault("the JSON has a number of too many digits") from None


def _object(place: GamePlace, value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise place.fault(f"expected an object, got {quoted_json(value)}")
    return value


def _after_space(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    assert match is not None
    return match.end()
