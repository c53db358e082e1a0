"""Games as tables in CSV, with commas, semicolons, tabs or bars between the fields.

The moves of a game are one field, or a field each in columns such as ``move1``, ``move2``.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.layouts import Columns, holds_moves, plain_name
from marubatsu.judge.review.recorded_game import MOST_LINE, GamePlace, LogFile, RecordedGame, Token
from marubatsu.judge.review.table_games import PAIR, Row, game_of_row, games_of_moves

SEPARATORS = ",;\t|"
_NO_MOVE = ("?", "-", "--", "---", "none", "null", "nan", "na", "n/a")
"""What tables write where a game has ended, in columns with a move each."""
_LONGEST_MOVE = 3  # characters, as in aa1; a longer text is several moves

_WHOLE = re.compile(r"^([0-9]+)\.0$")  # as pandas writes numbers of which some are missing
_MOVE_COLUMN = re.compile(r"(move|m|action|ply|turn)([0-9]{1,4})")
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
    beginning = [*islice(rows, 1)]
    row = beginning[0][1] if beginning else dict.fromkeys(header)
    layout = Columns(place, row, log.options).layout()
    every = chain(beginning, rows)
    if layout.moves is None:
        yield from games_of_moves(every, layout, log.options)
        return
    games = short = 0
    for at, values in every:
        game = game_of_row((at, values), layout, log.options)
        filled = [name for name, value in values.items() if value is not None]
        if (
            any(layout.players)
            and len(filled) == 1
            and filled[0] not in (layout.moves, *layout.results)
        ):
            raise at.fault(
                f"the row holds only {quote(values[filled[0]])}: expected a game; leave a row of "
                "totals out"
            )
        games += 1
        short += len(game.moves) == 2 or is_single(game.moves)
        yield game
    if games == short > 1:
        raise place.fault(
            f"no row has more than two moves in {quote(layout.moves)}: expected all moves of a "
            "game in its row; for one row a move, the option columns names the game and the move, "
            f"as in game_id=COLUMN,move={layout.moves}"
        )


def is_single(moves: Sequence[Token]) -> bool:
    """Return whether a game has one move."""
    return len(moves) == 1 and len(str(moves[0])) <= _LONGEST_MOVE


def names_columns(line: str) -> bool:
    """Return whether a line is the header of a table of games.

    >>> names_columns("First;Second;Moves"), names_columns("ann - bob: b2, a3")
    (True, False)
    """
    _, names = _header(line)
    return holds_moves(_joined_names(names, _move_columns(names)))


def is_above_header(line: str) -> bool:
    """Return whether a line before the header is none: a comment, Excel's separator, a rule.

    >>> [is_above_header(line) for line in ("# of 2024", "", "sep=;", "+--+--+", "#,first,moves")]
    [True, True, True, True, False]
    """
    if line.startswith("#"):
        return not names_columns(line)
    return bool(re.fullmatch(r"(?i)sep=.\s*|[-+=|\s]*", line))


def table(log: LogFile) -> tuple[list[str], Iterator[Row]]:
    """Return the names of the columns, and the rows. Raises UsageError."""
    csv.field_size_limit(MOST_LINE)
    lines = log.lines()
    above, first = next(
        ((place, line) for place, line in lines if not is_above_header(line)),
        (GamePlace(log.name, 1), ""),
    )
    separator, header = _header(first, log.options.columns.values())
    for name, count in Counter(header).items():
        if name and count > 1:
            raise above.fault(f"the column {quote(name)} is there {count} times: expected it once")
    of_moves = _move_columns(header)
    names = _joined_names(header, of_moves)

    def rows() -> Iterator[Row]:
        texts = (line for _, line in lines)
        reader = csv.reader(texts, delimiter=separator, skipinitialspace=True, strict=True)
        try:
            for fields in reader:
                if _is_no_game(fields, header):
                    continue
                place = GamePlace(log.name, above.line + reader.line_num)
                if len(fields) != len(header):
                    raise place.fault(
                        f"{len(fields)} fields: expected {len(header)}, as in the header"
                        + f"; a field with {quote(separator)} in it needs quotes around it"
                        * (len(fields) > len(header))
                    )
                joined = _joined_fields(place, header, fields, of_moves)
                values = [text or None for text in joined] if "" in joined else joined
                yield place, dict(zip(names, values, strict=True))
        except csv.Error as error:
            place = GamePlace(log.name, above.line + reader.line_num)
            raise place.fault(f"no CSV: {error}") from None

    return names, rows()


def _is_no_game(fields: Sequence[str], header: Sequence[str]) -> bool:
    """Return whether a row is blank, a rule as in Markdown, or the header once more.

    >>> header = ["first", "moves"]
    >>> [_is_no_game(row, header) for row in (["", " "], ["---", ":-:"], header, ["", "b2"])]
    [True, True, True, False]
    """
    texts = [field.strip() for field in fields]
    return texts == header or not any(text.strip("-:+=") for text in texts)


def _header(line: str, stated: Iterable[str] = ()) -> tuple[str, list[str]]:
    """Return what separates the fields of a header, and the names of the columns.

    The separator makes ``stated`` or known columns, and most of them.
    """
    splits = {separator: _split(line, separator) for separator in SEPARATORS}

    def worth(separator: str) -> tuple[bool, bool, int]:
        names = splits[separator]
        holds = holds_moves(_joined_names(names, _move_columns(names)))
        return not set(names).isdisjoint(stated), holds, len(names)

    separator = max(SEPARATORS, key=worth)
    return separator, splits[separator]


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
    numbers = sorted(numbered)
    is_whole = len(numbers) > 1 and numbers[0] <= 1 and numbers[-1] - numbers[0] < len(numbers)
    return [numbered[number] for number in numbers] if is_whole else []


def _joined_names(names: list[str], of_moves: Sequence[int]) -> list[str]:
    """Return the names of the columns, ``moves`` in place of those with a move each."""
    others = [name for place, name in enumerate(names) if place not in of_moves]
    return [*others, "moves"] if of_moves else names


def _joined_fields(
    place: GamePlace, header: Sequence[str], fields: list[str], of_moves: Sequence[int]
) -> list[str]:
    """Return the fields of a row, its moves as one. Raises UsageError for a gap between moves."""
    if not of_moves:
        return fields
    moves = [_WHOLE.sub(r"\1", fields[column].strip()) for column in of_moves]
    moves = ["" if move.casefold() in _NO_MOVE else PAIR.sub(r"(\g<0>)", move) for move in moves]
    made = moves[: moves.index("")] if "" in moves else moves
    if any(moves[len(made) :]):
        raise place.fault(
            f"{quote(header[of_moves[len(made)]])} is empty, and a later move is not: expected "
            "the moves without a gap"
        )
    return [*(fields[at] for at in range(len(fields)) if at not in of_moves), " ".join(made)]


def _split(line: str, separator: str) -> list[str]:
    try:
        names = next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        names = [line]
    return [name.strip() for name in names]
