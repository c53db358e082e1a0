"""Games as JSON: an object a line, or objects one after the other, or in one list."""

import re
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder

from marubatsu.pipeline.reviewing.recorded import (
    SIDES,
    GamePlace,
    LogFile,
    RecordedGame,
    Token,
    quoted_json,
    recorded,
    tokens_of,
)

_MOST_TOGETHER = 16_000_000  # characters of a file whose objects may go over several lines
_BETWEEN = re.compile(r"[\s,]*")


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read objects with ``moves`` and perhaps ``game``, ``players`` and ``result``.

    Raises UsageError.
    """
    for place, found in objects(log):
        if "moves" not in found:
            raise place.fault('expected an object with "moves", as in {"moves": [4, 0, 8]}')
        players = found.get("players") or SIDES
        if not isinstance(players, list | tuple):
            raise place.fault(f'"players" is {quoted_json(players)}: expected a list of two names')
        game, result = found.get("game"), found.get("result")
        moves = _moves(place, found["moves"])
        yield recorded(place, moves, players=players, game=game, result=result)


def _moves(place: GamePlace, moves: object) -> list[Token]:
    if isinstance(moves, str):
        return list(tokens_of(moves))
    if isinstance(moves, list) and {*map(type, moves)} <= {str, int, type(None)}:
        return moves
    raise place.fault(
        f'"moves" is {quoted_json(moves)}: expected a list of numbers or names of cells'
    )


def objects(log: LogFile) -> Iterator[tuple[GamePlace, dict[str, object]]]:
    """Yield the objects of a file, each with its place. Raises UsageError for anything else."""
    if len(log.data) > _MOST_TOGETHER:
        for place, text in log.lines():
            if text.strip():
                found, end = _decoded(place, text, _after_space(text, 0))
                if text[end:].strip():
                    raise place.fault("something follows the object")
                yield place, _object(place, found)
        return
    text = "".join(line for _, line in log.lines())
    at = _after_space(text, 0)
    is_list = text.startswith("[", at)
    at, line, counted = _after_space(text, at + is_list), 1, 0
    while at < len(text) and not (is_list and text[at] == "]"):
        line, counted = line + text.count("\n", counted, at), at
        place = GamePlace(log.name, line)
        found, end = _decoded(place, text, at)
        yield place, _object(place, found)
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
        return JSONDecoder().raw_decode(text, start)
    except JSONDecodeError as error:
        at = place._replace(line=place.line + text.count("\n", start, error.pos))
        raise at.fault(f"no JSON: {error.msg}") from None
    except RecursionError:
        raise place.fault("the JSON is nested too deeply") from None
    except ValueError:
        raise place.fault("the JSON has a number of too many digits") from None


def _object(place: GamePlace, found: object) -> dict[str, object]:
    if not isinstance(found, dict):
        raise place.fault(f"expected an object, got {quoted_json(found)}")
    return found


def _after_space(text: str, at: int) -> int:
    found = _BETWEEN.match(text, at)
    assert found is not None
    return found.end()
