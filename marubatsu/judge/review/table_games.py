"""Games from the rows of a table: a game each, or a move each."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from marubatsu.engine.notations.move_texts import tokens_of
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.layouts import TURNS, TableLayout, plain_name, result_in
from marubatsu.judge.review.recorded_game import (
    MOVE,
    SIDES,
    GamePlace,
    LogOptions,
    RecordedGame,
    Token,
    is_end,
    mark_of_first_move,
    quoted_json,
    recorded_game,
)

_TURNED = (["1", "0"], ["2", "1"])  # the numbers of the players where the second one begins
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]*)?")
_COUNT = re.compile(r"[0-9]+|\([0-9]+\)|\[[0-9]+\]")  # may be the number of a move
_SHORT_NUMBER = re.compile(r"\s*\d{1,9}\s*")  # of any script, as int() reads it
_DATE = re.compile(r"[0-9]{4}([-/.])[0-9]{2}\1[0-9]{2}")
_TIME = re.compile(r"[0-9]{2}([-/.])[0-9]{2}\1[0-9]{4},? [0-9]{2}:[0-9:.]+")
_DAY = 10  # characters of a date before a time
_NAME = re.compile(r"(?i)(?![xo])(?:[a-z][0-9]{0,2}|[a-z]{2}[0-9]{1,2})")  # of a cell or column
_EMPTY = re.compile(r"(?i)[\s.\-_0,;|/'\"\[\]b]*|startpos|empty|none")  # a board, or a word for it

PAIR = re.compile(r"^\s*[0-9]+\s*,\s*[0-9]+\s*$")
"""One move as two numbers, in a field that holds no more."""

Row = tuple[GamePlace, Mapping[str, object]]  # with its place; an empty text is None


def game_of_row(row: Row, layout: TableLayout, options: LogOptions) -> RecordedGame:
    """Return the game of a row that holds all its moves. Raises UsageError."""
    place, values = row
    assert layout.moves is not None
    _require_empty(row, layout)
    first, second = layout.players
    names = [name and _text(values[name]) for name in layout.players]
    begins = _who_begins(row, layout.begins, names, layout.labels)
    results = _results(row, layout)
    named = [name for name in values if name in layout.players]
    if named == [second, first] and any(isinstance(result, tuple) for result in results):
        raise place.fault(
            f"{quote(second)} comes before {quote(first)}, so the first score may be that of "
            "either player: expected the player who begins first"
        )
    mark = _mark_in(values, layout.mark)
    mark = mark or (plain_mark(names[0] or begins) if names[1] is None else None)
    moves = moves_of(place, layout.moves, values[layout.moves])
    while moves and isinstance(moves[-1], str) and moves[-1] and is_end(moves[-1], options):
        *moves, result = moves
        results.append(result)
    return recorded_game(
        place,
        moves,
        options,
        players=(first and values[first], second and values[second]),
        labels=layout.labels,
        mark=mark,
        game=layout.game and values[layout.game],
        results=results,
        rules={name: values[name] for name in layout.rules},
        ends=_stated_ends(values, layout.ends, names, layout.labels, options.first or mark),
    )


def _stated_ends(
    values: Mapping[str, object],
    ends: Sequence[str],
    names: Sequence[object],
    labels: Sequence[str],
    first: str | None,
) -> dict[str, object]:
    """Return what fields say of the end, the player to move as circle or cross where it is sure.

    ``first`` is the mark that begins. A player 1 may be the first or the second.
    """
    said = {name: values.get(name) for name in ends}
    for name in ends:
        if plain_name(name) in TURNS:
            player = _text(said[name]) or ""
            number = None if player in ("", "1") else _number_of(player, names, labels)
            if number is None and first and (mark := plain_mark(player)):
                number = int(mark != first)
            said[name] = None if number is None else SIDES[number]
    return said


def _who_begins(
    row: Row, field: str | None, names: Sequence[object], labels: Sequence[str]
) -> str | None:
    """Return what a field says of who begins; None without it, and where it is empty.

    Raises UsageError where that is another player than the one named first.
    """
    place, values = row
    begins = _text(values.get(field)) if field else None
    if begins and any(names) and _number_of(begins, names, labels) != 0:
        raise place.fault(
            f"{quote(field)} is {quote(begins)}: expected the player who begins, who is named "
            f"first, here {quote(names[0])}"
        )
    return begins


def _require_empty(row: Row, layout: TableLayout) -> None:
    """Raise UsageError for a game that begins with another position than the empty board."""
    place, values = row
    start = values.get(layout.start) if layout.start else None
    if start is not None and not _EMPTY.fullmatch(str(start)):
        raise place.fault(
            f"{quote(layout.start)} is {quote(str(start))}: expected games from the empty board; "
            "leave the game out, or write its moves from the empty board"
        )


def _number_of(player: str, names: Sequence[object], labels: Sequence[str]) -> int | None:
    """Return which of two players, from 0, is meant; None for neither, or for both.

    >>> names, labels = ["ann", "bob"], ("player1", "player2")
    >>> [_number_of(player, names, labels) for player in ("Ann", "2", "second", "0", "cy")]
    [0, 1, 1, 0, None]
    """
    if player in names:
        return names.index(player)
    words = zip(names, labels or ("", ""), (("first", "0"), ("second", "2")), strict=True)
    is_meant = [
        player.casefold() in (str(name or "").casefold(), label, re.sub(r"\D", "", label), *own)
        for name, label, own in words
    ]
    return is_meant.index(True) if sum(is_meant) == 1 else None


def moves_of(place: GamePlace, name: str, moves: object) -> Sequence[Token]:
    """Read the moves of a game: a text, or a list of numbers, names or pairs."""
    if isinstance(moves, str):
        tokens = tokens_of(moves)
        if has_two_separators(moves, tokens):
            raise place.fault(
                f"{quote(moves)} has two kinds of separators: expected only moves, with blanks "
                "between them"
            )
        require_one_kind(place, tokens)
        return tokens
    if moves is None:
        return []
    if isinstance(moves, list):
        if {*map(type, moves)} <= {str, int, type(None)}:
            return moves
        if all(isinstance(move, list) and {*map(type, move)} <= {int} for move in moves):
            return [tuple(move) for move in moves]
    raise place.fault(
        f'"{name}" is {quote(json.dumps(moves, ensure_ascii=False))}: expected a list of whole '
        "numbers, names of cells or pairs"
    )


def has_two_separators(moves: str, tokens: Sequence[str]) -> bool:
    """Return whether a sign separates some moves of a text, and another or a blank others.

    >>> texts = "1,4 0 8", "4 0 | 8 1", "4, 0, 8 1-0", "1,1; 0,0"
    >>> [has_two_separators(text, tokens_of(text)) for text in texts]
    [True, True, False, False]
    """
    if not re.search("[,;|]", moves) or re.search(r"[\[(]", moves) or any("," in t for t in tokens):
        return False
    count = len([*takewhile(MOVE.fullmatch, tokens)])
    between = re.findall(r"\s*[,;|]\s*|\s+", moves.strip())[: max(count - 1, 0)]
    return len({separator.strip(" ") or " " for separator in between}) > 1


def require_one_kind(place: GamePlace, moves: Sequence[str]) -> None:
    """Raise UsageError for numbers between names of cells, which may count the moves."""
    number = next(filter(_COUNT.fullmatch, moves), None)
    if number and any(map(_NAME.fullmatch, moves)):
        raise place.fault(
            f"{quote(number)} may be a move, or the number of one: write "
            f"'{number.strip('()[]')}.' for a number, or all moves as names"
        )


def games_of_moves(
    rows: Iterable[Row], layout: TableLayout, options: LogOptions
) -> Iterator[RecordedGame]:
    """Yield the games of a table with a row a move. Raises UsageError.

    A game is the rows of one ``game_id``; without it, ``move_number`` begins again in each game.
    """
    games = _by_id(rows, layout) if layout.game_id else _by_number(rows, layout)
    for game in games:
        yield game_of_moves(game, layout, options)


def game_of_moves(rows: Sequence[Row], layout: TableLayout, options: LogOptions) -> RecordedGame:
    """Return the game of some rows, each a move, in their order. Raises UsageError."""
    place = rows[0][0]
    _require_empty(rows[0], layout)
    moves = [_move(row, layout) for row in rows]
    players = [layout.player and _text(values.get(layout.player)) for _, values in rows]
    names: list[object] = [name and _same(rows, name) for name in layout.players]
    mark = _mark_in(rows[0][1], layout.mark) or mark_of_first_move(moves)
    if players[0] is not None:
        _require_turns(rows, players)
        mark = plain_mark(players[0]) or mark
        if names == [None, None]:
            names = [players[0], players[1] if len(players) > 1 else None]
        elif players[0] != names[0] and (
            players[:2] in _TURNED or _number_of(players[0], names, layout.labels) == 1
        ):
            raise place.fault(
                f"{quote(players[0])} moves first, and {quote(names[0])} is first: leave out the "
                "columns of both players if another says who moves"
            )
    mark = mark or plain_mark(_who_begins(rows[0], layout.begins, names, layout.labels))
    of_game = [
        name
        for name in layout.ends
        if name != layout.player
        and len({str(values.get(name)) for _, values in rows}) == 1 < len(rows)
    ]
    return recorded_game(
        place,
        moves,
        options,
        players=names,
        labels=layout.labels,
        mark=mark,
        game=layout.game and _same(rows, layout.game),
        results=[*dict.fromkeys(result for row in rows for result in _results(row, layout))],
        rules={name: rows[0][1].get(name) for name in layout.rules},
        ends=_stated_ends(rows[0][1], of_game, names, layout.labels, options.first or mark),
    )


def _move(row: Row, layout: TableLayout) -> Token:
    """Return the move of a row: a text or a number, or a pair of two columns."""
    place, values = row
    parts = [values.get(name) for name in layout.move]
    texts = [part if isinstance(part, str) else None for part in parts]
    if len(parts) == 2:
        numbers = [int(text) if text and _SHORT_NUMBER.fullmatch(text) else part
                   for text, part in zip(texts, parts, strict=True)]  # fmt: skip
        if any(type(number) is not int for number in numbers):
            raise place.fault(f"the move is {parts}: expected two whole numbers")
        return tuple(numbers)  # type: ignore[arg-type]  # that is what is refused
    (name,), (part,), (text,) = layout.move, parts, texts
    if text is not None:
        tokens: Sequence[Token] = [text] if PAIR.match(text) else tokens_of(text)
    else:
        tokens = moves_of(place, name, [part])
    if part is None or len(tokens) != 1:
        raise place.fault(
            f"{quote(name)} is {quoted_json(part)}: expected one move, and no row without"
        )
    return tokens[0]


def _require_turns(rows: Sequence[Row], players: Sequence[str | None]) -> None:
    """Raise UsageError where the players of a game do not take turns."""
    pair = (players[0], players[1] if len(players) > 1 else None)
    for number, (player, (place, _)) in enumerate(zip(players, rows, strict=True)):
        if player is None or player != pair[number % 2] or (number and pair[0] == pair[1]):
            raise place.fault(
                f"{quote(player)} makes move {number + 1} of the game that begins in line "
                f"{rows[0][0].line}: expected two players in turn"
            )


def _by_id(rows: Iterable[Row], layout: TableLayout) -> Iterator[list[Row]]:
    assert layout.game_id is not None
    groups: dict[str, list[Row]] = {}
    last = None
    for row in rows:
        name = _text(row[1].get(layout.game_id))
        if name is None:
            raise row[0].fault(f"no game in {quote(layout.game_id)}")
        if name != last and name in groups and layout.move_number is None:
            raise row[0].fault(
                f"game {quote(name)} goes on after other games: expected its rows together, or "
                "move_number=COLUMN in the option columns"
            )
        groups.setdefault(name, []).append(row)
        last = name
    for name, group in groups.items():
        if layout.move_number is not None:
            group.sort(key=lambda row: _number(row, layout))
            start = _number(group[0], layout)
            for count, row in enumerate(group):
                if _number(row, layout) != start + count or start not in (0, 1):
                    raise row[0].fault(
                        f"move {_number(row, layout)} of game {quote(name)}: expected the moves "
                        "from 0 or 1, each once"
                    )
        else:
            require_order(group, layout, f" in the game {quote(name)}")
        yield group


def require_order(rows: Sequence[Row], layout: TableLayout, of: str) -> None:
    """Raise UsageError where a column says that the moves ``of`` a game have another order.

    So does one of any name that counts the rows in the order of texts: 1, 10, 2.
    """
    named = [*filter(None, (layout.move_number, *layout.orders))]
    others = rows[0][1] if len(rows) > 10 else ()  # Fewer rows have one order.
    for column in dict.fromkeys([*named, *others]):
        texts = [str(values.get(column)).strip() for _, values in rows]
        is_number = column == layout.move_number or _counts_as_texts(texts)
        if column not in named and not is_number:
            continue
        if all(map(_NUMBER.fullmatch, texts)):
            values: list[Any] = [float(text) for text in texts]
            # Two numbers may be those of the players, and a time that of a clock.
            is_clock = plain_name(column) in ("time", "date")
            is_order = is_number or (len(values) > 2 and not is_clock)
        else:
            is_day = len({text[:_DAY] for text in texts}) == 1
            values = texts
            is_order = all(map(_DATE.match, texts)) or (is_day and all(map(_TIME.fullmatch, texts)))
        is_one_each = is_number or len({*values}) == len(values)
        if is_order and is_one_each and values != sorted(values):
            raise rows[0][0].fault(
                f"{quote(column)} is not ascending{of}: expected the moves in their order"
                + ", or a column that numbers them as move_number=COLUMN in the option columns"
                * bool(of)
            )


def _counts_as_texts(texts: Sequence[str]) -> bool:
    """Return whether texts are the numbers from 0 or 1, sorted as texts.

    >>> [_counts_as_texts(texts.split()) for texts in ("0 1 10 2 3 4 5 6 7 8 9", "1 2", "1 10 2")]
    [True, False, False]
    """
    counts = [[*map(str, range(start, start + len(texts)))] for start in (0, 1)]
    return [*texts] not in counts and [*texts] in map(sorted, counts)


def _by_number(rows: Iterable[Row], layout: TableLayout) -> Iterator[list[Row]]:
    """Group rows by the number of the move, which begins again in each game."""
    game: list[Row] = []
    start = None
    for row in rows:
        number = _number(row, layout)
        start = number if start is None else start
        if game and number == start:
            yield game
            game = []
        if number != start + len(game) or start not in (0, 1):
            raise row[0].fault(
                f"move {number} where {start + len(game) if start in (0, 1) else '0 or 1'} was "
                "expected: the moves of a game count from 0 or 1"
            )
        game.append(row)
    if game:
        yield game


def _number(row: Row, layout: TableLayout) -> int:
    place, values = row
    assert layout.move_number is not None
    number = values.get(layout.move_number)
    if isinstance(number, str) and _SHORT_NUMBER.fullmatch(number):
        number = int(number)
    if type(number) is not int:
        raise place.fault(
            f"{quote(layout.move_number)} is {quote(number)}: expected a whole number"
        )
    return number


def _same(rows: Sequence[Row], name: str) -> object:
    """Return what a column says in every row of a game. Raises UsageError for two things."""
    values = [values.get(name) for _, values in rows]
    for value, (place, _) in zip(values, rows, strict=True):
        if value != values[0]:
            raise place.fault(
                f"{quote(name)} is {quoted_json(value)}, and {quoted_json(values[0])} in line "
                f"{rows[0][0].line} of the same game"
            )
    return values[0]


def _text(value: object) -> str | None:
    return None if value is None else str(value).strip() or None


def _mark_in(values: Mapping[str, object], field: str | None) -> str | None:
    """Return the mark that a field holds, if it holds one."""
    return plain_mark(field and _text(values.get(field)))


def plain_mark(text: str | None) -> str | None:
    """Return the mark that a text is, x or o; None where it is none."""
    return text.lower() if text and text.lower() in ("x", "o") else None


def _results(row: Row, layout: TableLayout) -> list[object]:
    place, values = row
    return [stated_result(place, result_in(name, values.get(name))) for name in layout.results]


def stated_result(place: GamePlace, value: object) -> object:
    """Return a result as it can be compared: scores as a tuple, by the number of the player.

    Raises UsageError for scores of other players.
    """
    if isinstance(value, dict):
        numbers = {plain_name(str(key)).removeprefix("player"): key for key in value}
        if numbers.keys() != {"0", "1"} and numbers.keys() != {"1", "2"}:
            raise place.fault(
                f"the result has the keys {', '.join(map(quote, value))}: expected a score for "
                "each player, in a list"
            )
        value = [value[numbers[number]] for number in sorted(numbers)]
    if not isinstance(value, list):
        return value
    return tuple(str(each) if isinstance(each, list | dict) else each for each in value)
