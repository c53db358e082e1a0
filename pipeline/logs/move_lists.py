"""Games as lists of moves, a game a line, with or without names before a colon."""

from collections.abc import Iterator

from marubatsu.engine.notations.move_texts import tokens_of
from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.logs.csv_tables import SEPARATORS
from marubatsu.pipeline.logs.recorded import GamePlace, LogFile, RecordedGame
from marubatsu.pipeline.logs.results import ENDS
from marubatsu.pipeline.logs.stated import recorded


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read lines as in ``ann - bob: b2 a3 c1``; the last word may be a result.

    Empty lines and those that begin with ``#`` hold no game. Raises UsageError.
    """
    for place, line in log.lines():
        if not line.strip() or line.startswith("#"):
            continue
        names, colon, moves = line.rpartition(":")
        tokens = tokens_of(moves)
        results = []
        while tokens and tokens[-1] in ENDS:
            results.append(tokens.pop())
        players = _players(place, names) if colon else (None, None)
        if not colon and _is_row(tokens, line):
            raise place.fault(
                f"{quote(line.strip())} looks like a row of a table: expected a first line that "
                "names the columns, as in first,second,moves,result"
            )
        yield recorded(place, tokens, log.options, players=players, results=results)


def _is_row(tokens: list[str], line: str) -> bool:
    """Return whether a line has separators, and a word that is no move in any game."""
    is_separated = any(separator in line for separator in SEPARATORS)
    return is_separated and any(token.isalpha() and len(token) > 2 for token in tokens)


def _players(place: GamePlace, names: str) -> tuple[str, str]:
    first, dash, second = names.partition(" - ")
    if not dash or " - " in second:
        raise place.fault("expected the names of two players, as in `ann - bob: b2 a3 c1`")
    return first, second
