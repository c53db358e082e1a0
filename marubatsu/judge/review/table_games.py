"""Games from the rows of a table: a game a row, or a move a row."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from marubatsu.engine.notations.move_texts import tokens_of
from marubatsu.engine.rules.input_error import quote
from marubatsu.judge.review.layouts import TableLayout, plain_name
from marubatsu.judge.review.log_file import GamePlace, LogOptions, Token, quoted_json
from marubatsu.judge.review.recorded_game import RecordedGame, mark_of_first_move, recorded_game
from marubatsu.pipeline.support.json_text import json_text

Row = tuple[GamePlace, Mapping[str, object]]
"""A row and its place: values by the names of their columns; an empty text is None."""


def game_of_row(row: Row, layout: TableLayout, options: LogOptions) -> RecordedGame:
    """Return the game of a row that holds all its moves. Raises UsageError."""
    place, values = row
    assert layout.moves is not None
    first, second = layout.players
    begins = layout.begins and _text(values[layout.begins])
    names = [name and _text(values[name]) for name in layout.players]
    if begins and begins == names[1] != names[0]:
        raise place.fault(
            f"{quote(layout.begins)} is {quote(begins)}, who is named second: expected the player "
            "who begins first"
        )
    return recorded_game(
        place,
        moves_of(place, layout.moves, values[layout.moves]),
        options,
        players=(first and values[first], second and values[second]),
        labels=layout.labels,
        game=layout.game and values[layout.game],
        results=[_result(place, values[name]) for name in layout.results],
    )


def moves_of(place: GamePlace, name: str, moves: object) -> Sequence[Token]:
    """Read the moves of a game: a text, or a list of numbers, names or pairs."""
    if isinstance(moves, str):
        return tokens_of(moves)
    if moves is None:
        return []
    if isinstance(moves, list):
        if {*map(type, moves)} <= {str, int, type(None)}:
            return moves
        if all(isinstance(move, list) and {*map(type, move)} <= {int} for move in moves):
            return [tuple(move) for move in moves]
    raise place.fault(
        f'"{name}" is {quote(json_text(moves, is_ascii=False))}: expected a list of whole numbers, '
        "names of cells or pairs"
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
    moves = [_move(row, layout) for row in rows]
    players = [layout.player and _text(values.get(layout.player)) for _, values in rows]
    names: list[object] = [name and _same(rows, name) for name in layout.players]
    mark = mark_of_first_move(moves)
    if players[0] is not None:
        _require_turns(rows, players)
        if players[0].lower() in ("x", "o"):
            mark = players[0].lower()
        if names == [None, None]:
            names = [players[0], players[1] if len(players) > 1 else None]
        elif players[0] in names and players[0] != names[0]:
            raise place.fault(f"{quote(players[0])} moves first, and {quote(names[0])} is first")
    return recorded_game(
        place,
        moves,
        options,
        players=names,
        labels=layout.labels,
        mark=mark,
        game=layout.game and _same(rows, layout.game),
        results=[
            result
            for name in layout.results
            for result in dict.fromkeys(_result(at, values.get(name)) for at, values in rows)
        ],
    )


def _move(row: Row, layout: TableLayout) -> Token:
    """Return the move of a row: a text or a number, or a pair of two columns."""
    place, values = row
    parts = [values.get(name) for name in layout.move]
    texts = [part if isinstance(part, str) else None for part in parts]
    if len(parts) == 2:
        numbers = [int(text) if text and text.strip().isdecimal() else part
                   for text, part in zip(texts, parts, strict=True)]  # fmt: skip
        if any(type(number) is not int for number in numbers):
            raise place.fault(f"the move is {parts}: expected two whole numbers")
        return tuple(numbers)  # type: ignore[arg-type]  # that is what is refused
    (name,), (part,), (text,) = layout.move, parts, texts
    tokens = tokens_of(text) if text is not None else moves_of(place, name, [part])
    if part is None or len(tokens) != 1:
        raise place.fault(f"{quote(name)} is {quoted_json(part)}: expected one move")
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
        yield group


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
    if isinstance(number, str) and number.strip().isdecimal() and len(number) < 10:
        number = int(number)
    if type(number) is not int:
        raise place.fault(f"{quote(layout.move_number)} is {quote(number)}: expected a number")
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


def _result(place: GamePlace, value: object) -> object:
    """Return a result as it can be compared: scores as a tuple, by the number of the player."""
    if isinstance(value, dict):
        numbers = {plain_name(str(key)).removeprefix("player"): key for key in value}
        if numbers.keys() != {"0", "1"} and numbers.keys() != {"1", "2"}:
            raise place.fault(
                f"the result has the keys {', '.join(map(quote, value))}: expected a score for "
                "each player, in a list"
            )
        return tuple(value[numbers[number]] for number in sorted(numbers))
    return tuple(value) if isinstance(value, list) else value
