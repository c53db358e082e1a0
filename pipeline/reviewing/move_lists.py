"""Games as lists of moves, a game a line, with or without names before a colon."""

from collections.abc import Iterator

from marubatsu.pipeline.reviewing.recorded import (
    RESULTS,
    SIDES,
    GamePlace,
    LogFile,
    RecordedGame,
    recorded,
    tokens_of,
)


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read lines as in ``ann - bob: b2 a3 c1``; the last word may be a result.

    Empty lines and those that begin with ``#`` hold no game. Raises UsageError.
    """
    for place, line in log.lines():
        if not line.strip() or line.startswith("#"):
            continue
        names, colon, moves = line.rpartition(":")
        tokens = tokens_of(moves)
        result = tokens.pop() if tokens and tokens[-1] in RESULTS else None
        players = _players(place, names) if colon else SIDES
        yield recorded(place, tokens, players=players, result=result)


def _players(place: GamePlace, names: str) -> tuple[str, str]:
    first, dash, second = names.partition(" - ")
    if not dash or " - " in second:
        raise place.fault("expected the names of two players, as in `ann - bob: b2 a3 c1`")
    return first, second
