"""Games as tables in CSV, with commas, semicolons, tabs or bars between the fields.

The moves of a game are one field, or a field each in columns such as ``move1``, ``move2``.
"""

import csv
import re
from collections.abc import Iterator, Sequence

from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.layouts import Columns, holds_moves, plain_name
from marubatsu.judge.review.log_file import MOST_LINE, GamePlace, LogFile
from marubatsu.judge.review.recorded_game import RecordedGame
from marubatsu.judge.review.table_games import Row, game_of_row, games_of_moves

SEPARATORS = ",;\t|"
_NO_MOVE = ("?", "-", "--", "---", "none", "null", "nan", "na", "n/a")
"""What tables write where a game has ended, in columns with a move each."""
_LONGEST_MOVE = 3  # characters, as in aa1; a longer text is several moves

_MOVE_COLUMN = re.compile(r"(move|m|cell|action|ply|turn)([0-9]+)")
"""The plain name of a column with the move of this number."""


def read(log: LogFile) -> Iterator[RecordedGame]:
    """Read rows, each a game or a move. Raises UsageError. An empty field counts as missing."""
    header, rows = table(log)
    place = GamePlace(log.name, 1)
    if not log.options.columns and not holds_moves(header):
        raise place.fault(
            f"{quote(','.join(header), 200)} names no column of moves: expected a first line as in "
            "first,second,moves,result; the option columns names others, as in moves=COLUMN"
        )
    layout = Columns(place, header, log.options).layout()
    if layout.moves is None:
        yield from games_of_moves(rows, layout, log.options)
        return
    are_single, games = True, 0
    for row in rows:
        game = game_of_row(row, layout, log.options)
        are_single &= len(game.moves) == 1 and len(str(game.moves[0])) <= _LONGEST_MOVE
        games += 1
        yield game
    if games > 1 and are_single:
        raise place.fault(
            f"every row has one move in {quote(layout.moves)}: for one row a move, the option "
            "columns names the game and the move, as in "
            f"game_id=COLUMN,move={layout.moves}"
        )


def names_columns(line: str) -> bool:
    """Return whether a line is the header of a table of games.

    >>> names_columns("First;Second;Moves"), names_columns("ann - bob: b2, a3")
    (True, False)
    """
    return holds_moves(_joined_names(_header(line)))


def is_above_header(line: str) -> bool:
    """Return whether a line before the header is none: blank, a comment, or Excel's separator.

    >>> [is_above_header(line) for line in ("# of 2024", "", "sep=;", "#,first,moves")]
    [True, True, True, False]
    """
    text = line.lstrip("\ufeff")
    if text.startswith("#"):
        return not names_columns(line)
    return not text.strip("\ufeff \t\r\n") or bool(re.fullmatch(r"(?i)sep=.\s*", text))


def table(log: LogFile) -> tuple[list[str], Iterator[Row]]:
    """Return the names of the columns, and the rows. Raises UsageError."""
    csv.field_size_limit(MOST_LINE)
    places = [GamePlace(log.name, 1)]

    def texts() -> Iterator[str]:
        for place, line in log.lines():
            places[:] = [place]
            yield line

    lines = texts()
    first = next((line for line in lines if not is_above_header(line)), "")
    header = _header(first.lstrip("\ufeff"), log)
    separator = _separator(first, log)
    names, of_moves = _joined_names(header), _move_columns(header)

    def rows() -> Iterator[Row]:
        reader = csv.reader(lines, delimiter=separator, strict=True)
        try:
            for fields in reader:
                if not fields:
                    continue
                (place,) = places
                if len(fields) != len(header):
                    raise place.fault(
                        f"{len(fields)} fields: expected {len(header)}, as in the header"
                    )
                values: dict[str, object] = dict(
                    zip(names, _joined_fields(place, header, fields, of_moves), strict=True)
                )
                if "" in values.values():
                    values = {name: value or None for name, value in values.items()}
                yield place, values
        except csv.Error as error:
            raise places[0].fault(f"no CSV: {error}") from None

    return names, rows()


def _header(line: str, log: LogFile | None = None) -> list[str]:
    return _split(line, _separator(line, log))


def _move_columns(names: Sequence[str]) -> list[int]:
    """Return the places of columns that hold a move each, in their order; [] where none do.

    >>> _move_columns(["id", "Move 1", "Move 2", "winner"]), _move_columns(["move", "ply1"])
    ([1, 2], [])
    """
    places: dict[str, dict[int, int]] = {}
    for place, name in enumerate(names):
        if match := _MOVE_COLUMN.fullmatch(plain_name(name)):
            places.setdefault(match[1], {})[int(match[2])] = place
    numbered = max(places.values(), key=len, default={})
    first = min(numbered, default=0)
    is_whole = first <= 1 and set(numbered) == set(range(first, first + len(numbered)))
    return (
        [numbered[number] for number in sorted(numbered)] if is_whole and len(numbered) > 1 else []
    )


def _joined_names(names: list[str]) -> list[str]:
    """Return the names of the columns, ``moves`` in place of those with a move each."""
    places = _move_columns(names)
    others = [name for place, name in enumerate(names) if place not in places]
    return [*others, "moves"] if places else names


def _joined_fields(
    place: GamePlace, header: Sequence[str], fields: list[str], of_moves: Sequence[int]
) -> list[str]:
    """Return the fields of a row, its moves as one. Raises UsageError for a gap between moves."""
    if not of_moves:
        return fields
    moves = [fields[column].strip() for column in of_moves]
    moves = ["" if move.casefold() in _NO_MOVE else move for move in moves]
    made = moves[: moves.index("")] if "" in moves else moves
    if any(moves[len(made) :]):
        raise place.fault(
            f"{quote(header[of_moves[len(made)]])} is empty, and a later move is not: expected "
            "the moves without a gap"
        )
    return [*(fields[at] for at in range(len(fields)) if at not in of_moves), " ".join(made)]


def _separator(line: str, log: LogFile | None) -> str:
    """Return what separates the fields: what makes known columns of a header, and most of them."""
    stated = set(log.options.columns.values()) if log else set()

    def worth(separator: str) -> tuple[bool, bool, int]:
        names = _split(line, separator)
        return bool(stated & set(names)), holds_moves(_joined_names(names)), len(names)

    return max(SEPARATORS, key=worth)


def _split(line: str, separator: str) -> list[str]:
    try:
        names = next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        names = [line]
    return [name.strip() for name in names]
