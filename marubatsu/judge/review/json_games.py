"""Games as objects of JSON, with their moves in a list, or an object for each move."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from json import JSONDecodeError
from typing import Any

from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.layouts import (
    MARK_LISTS,
    MARK_NAMES,
    PLAYER_LISTS,
    Columns,
    TableLayout,
    holds_all_moves,
    holds_moves,
    plain_name,
)
from marubatsu.judge.review.recorded_game import (
    GamePlace,
    LogFile,
    LogOptions,
    RecordedGame,
    quoted_json,
)
from marubatsu.judge.review.table_games import (
    Row,
    game_of_moves,
    game_of_row,
    games_of_moves,
    plain_mark,
    require_order,
)
from marubatsu.pipeline.support.json_text import DECODER, RepeatedKeyError

_BETWEEN = re.compile(r"[\s,]*")  # objects
_FRAMES = ("columns", "schema")  # keys that pandas writes next to its data
_OF_MOVE = ("player", "move", "move_number")  # what each of a list of objects may hold


def objects(log: LogFile) -> Iterator[tuple[GamePlace, dict[str, object]]]:
    """Yield the objects of a file, each with its place. Raises UsageError for anything else."""
    text = "".join(line for _, line in log.lines())
    at = _after_space(text, 0)
    is_list = text.startswith("[", at)
    at, line, counted = _after_space(text, at + is_list), 1, 0
    while at < len(text) and not (is_list and text[at] == "]"):
        line, counted = line + text.count("\n", counted, at), at
        place = GamePlace(log.name, line)
        value, end = _decoded(place, text, at)
        yield place, as_object(place, value)
        at = _after_space(text, end)
    if is_list:
        place = GamePlace(log.name, 1 + text.count("\n"))
        if at >= len(text):
            raise place.fault("the list is never closed")
        if text[at + 1 :].strip():
            raise place.fault("something follows the list")


def _decoded(place: GamePlace, text: str, start: int) -> tuple[object, int]:
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


def as_object(place: GamePlace, value: object) -> dict[str, object]:
    """Return an object of JSON, or a mapping, as a dict. Raises UsageError for another value."""
    if not isinstance(value, Mapping):
        raise place.fault(f"expected an object, got {quoted_json(value)}")
    return dict(value)


def _after_space(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    assert match is not None
    return match.end()


def read_objects(log: LogFile) -> Iterator[RecordedGame]:
    """Read objects of JSON, a game or a move each; keys are read as columns. Raises UsageError."""
    rows = (_flat(place, values) for place, values in objects(log))
    first = next(rows, None)
    if first is None:
        return
    place, values = first
    if {"cells", "nbformat"} <= values.keys():
        raise place.fault("it is a notebook: write the games that it holds to a file of their own")
    kinds = {*map(type, values.values())} if len(values) > 1 else set()
    of_lists = kinds == {list} and not log.options.columns and not holds_moves([*values])
    of_lists = of_lists and not any(map(_names_inside, values.values()))
    if kinds == {dict} or of_lists or any({each, "data"} <= values.keys() for each in _FRAMES):
        raise place.fault(
            "every key holds an object or a list, as where pandas writes a table by columns: "
            "expected an object for each row, as with orient='records'"
        )
    options = _with_inner_moves(place, values, log.options)
    every = chain([first], rows)
    layout = Columns(place, values, options).layout()
    if layout.moves is None:
        yield from games_of_moves(every, layout, options)
        return
    layouts = {tuple(values): layout}
    for place, values in every:
        keys = tuple(values)
        if keys not in layouts:
            layouts[keys] = Columns(place, values, options).layout()
        yield _game_of_object((place, values), layouts[keys], log.options)


def _with_inner_moves(place: GamePlace, values: Mapping[str, Any], said: LogOptions) -> LogOptions:
    """Return the options for the keys of a game, one of which may hold objects, each a move.

    Raises UsageError where the games are inside a key, or the key of a move is not known.
    """
    stated = said.columns
    inside = {key: names for key, value in values.items() if (names := _names_inside(value))}
    if "moves" in stated:
        found = [key for key in inside if key == stated["moves"]]
    elif holds_moves([*values]):
        found = [key for key in inside if holds_all_moves([key])]
    elif "move" in stated:
        found = [key for key in inside if {*stated["move"].split("+")} <= {*inside[key]}]
    else:
        found = [key for key in inside if holds_moves(inside[key])]
        is_games = any(holds_all_moves(inside[key]) for key in found)
        games = [key for key, value in values.items() if _holds_games(value)]
        if games and (is_games or not found):
            name = next((names[-1] for names in inside.values() if not is_games), None)
            cure = f"; if each is a move, the option columns names its key, as in move={name}"
            raise place.fault(
                f"the games are inside {quote(games[0])}: expected each as an object of its own, "
                f"one a line or all in one list{cure * (name is not None)}"
            )
    if len(found) > 1:
        raise place.fault(
            f"{' and '.join(map(quote, found))} could both be moves: the option columns names one, "
            f"as in moves={found[0]}"
        )
    outer = {field: name for field, name in stated.items() if field not in _OF_MOVE}
    return replace(said, columns=outer | {"moves": found[0]}) if found else said


def _names_inside(value: object) -> list[str]:
    """Return the keys of the objects in a list of nothing else; none of another value."""
    if isinstance(value, list) and all(isinstance(part, dict) for part in value):
        return [*dict.fromkeys(chain.from_iterable(value))]
    return []


def _holds_games(value: object) -> bool:
    """Return whether a value of JSON is an object with moves, or holds objects."""
    if isinstance(value, dict):
        return holds_moves([*value]) or any(map(_holds_games, value.values()))
    return isinstance(value, list) and any(isinstance(part, dict) for part in value)


def _game_of_object(row: Row, layout: TableLayout, options: LogOptions) -> RecordedGame:
    """Return the game of an object. Raises UsageError."""
    place, values = row
    if layout.moves is None:
        raise place.fault(f"the keys are {quote(','.join(values), 200)}: expected moves, as before")
    moves = values.get(layout.moves)
    if not (isinstance(moves, list) and moves and isinstance(moves[0], dict)):
        return game_of_row(row, layout, options)
    rows = [(place, {**values, **as_object(place, move)}) for move in moves]
    keys = {key: move[key] for _, move in rows for key in move
            if key != layout.moves and key not in values}  # fmt: skip
    stated = {field: name for field, name in options.columns.items() if field in _OF_MOVE}
    of_moves = Columns(place, keys, replace(options, columns=stated)).layout(of_one_game=True)
    inner = of_moves._replace(
        players=layout.players, labels=layout.labels, results=layout.results, game=layout.game,
        game_id=None, begins=layout.begins, start=layout.start, rules=layout.rules,
        ends=layout.ends, mark=of_moves.mark or layout.mark,
    )  # fmt: skip
    require_order(rows, inner, "")
    return game_of_moves(rows, inner, options)


def _flat(place: GamePlace, values: dict[str, object]) -> Row:
    """Return an object with names for objects that have one, and its ``players`` as keys."""
    values = {key: _named(value) for key, value in values.items()}
    key = next((key for key in values if plain_name(key) in PLAYER_LISTS), None)
    players = None if key is None else values.pop(key)
    if not players:
        return place, values
    if isinstance(players, dict):
        players = {key: _named(player) for key, player in players.items()}
        if {*map(str, players)} in ({"0", "1"}, {"1", "2"}):
            players = {f"player{number}": name for number, name in players.items()}
        elif {plain_mark(str(mark)) for mark in players.values()} == {"x", "o"}:
            players = {str(mark): name for name, mark in players.items()}
        return place, values | players
    if not isinstance(players, list):
        raise place.fault(f'"{key}" is {quoted_json(players)}: expected a list of two names')
    if len(players) != 2:
        raise place.fault(f"a game of {len(players)} players: expected two, who begins first")
    named = [_named(player) for player in players]
    for name, player in zip(("first", "second"), named, strict=True):
        if values.get(name) not in (None, player):
            raise place.fault(
                f'"{name}" is {quoted_json(values[name])}, and "{key}" has {quoted_json(player)} '
                "there: expected the player who begins first in both"
            )
    values["first"], values["second"] = named
    return place, values | _first_mark(values, players[0])


def _named(value: object) -> object:
    """Return the name in the object of a player or a game; another value as it is."""
    is_named = isinstance(value, dict) and not _holds_games(value)
    return value.get("name", value) if is_named else value  # type: ignore[attr-defined]


def _first_mark(values: Mapping[str, object], player: object) -> dict[str, object]:
    """Return a key for the mark of the player named first, where an object has or lists marks."""
    if isinstance(player, dict):
        own = (mark for key, mark in player.items() if plain_name(key) in MARK_NAMES)
        return {"first_mark": next(own, None)}
    match next((value for key, value in values.items() if plain_name(key) in MARK_LISTS), None):
        case [mark, _]:
            return {"first_mark": mark}
        case dict(marks):
            return {"first_mark": marks.get(player)}
    return {}
