"""A table of replies as an AI: a board and a reply in each row, in Parquet, JSON lines or CSV."""

import csv
import re
from collections.abc import Iterator, KeysView, Mapping
from decimal import Decimal
from io import StringIO
from math import isnan
from pathlib import Path
from typing import Any

from marubatsu.engine.ais.reply import Fault, Reply
from marubatsu.engine.notations.reading import read_position
from marubatsu.engine.notations.signs import half_width
from marubatsu.engine.rules.board_text import BoardError, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import one_of, quote
from marubatsu.engine.rules.numbering import (
    Numbering,
    cell_of_move,
    extent,
    goals,
    numbering_of,
    plain_move,
)
from marubatsu.engine.rules.position import Position, Status
from marubatsu.judge.agents.address import ReplyTableAI
from marubatsu.judge.agents.agent import read_answer
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.judge.agents.faults import cut
from marubatsu.judge.agents.plain_values import Heard, plain
from marubatsu.judge.agents.reply_reader import ReplyReader, is_pair
from marubatsu.judge.agents.responder import Responder
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.json_text import (
    DECODER,
    NoTextError,
    RepeatedKeyError,
    read_json,
    text_of,
)

BOARD, REPLIES = "board", ("reply", "chances")
"""The columns that are read; a table has one of the two kinds of replies."""

_WHOSE = ("ai", "agent", "bot", "checkpoint", "engine", "model", "model_name", "policy")
"""Columns that may name an AI; a table has the answers of one."""

_OTHERS = (
    'several moves and chances of cells are JSON, such as [4, 1] or {"4": 1}; '
    "in Python, marubatsu.question(board).read(reply) reads sentences"
)
_MOST_BYTES = 500_000_000  # of a file
_MOST_ROWS = 5_000_000
_SEPARATORS = ",;\t|"
_ABOVE_HEADER = re.compile(rf"(?i)(?:(?:sep=.|#(?!.*{BOARD}).*)?[^\S\n]*\n)*")
"""Blank lines, comments, and the separator as Excel writes it."""
_DIGITS = 10  # of the number of a move that are read; a board has fewer cells


class ReplyTable(Responder):
    """The replies in a table, on its boards alone.

    The rows of one board are as many answers, which are joined with the same weight; one that is
    none counts as any legal move.
    """

    could_read_answers = "they are a table, which does not tell how they were found"
    reader: ReplyReader

    def __init__(self, ai: ReplyTableAI, game: Game, settings: AgentSettings) -> None:
        """Read a table, as settings say: which mark begins, and the form of replies.

        Boards that are moves, and replies that are one, have the numbering of the settings. Raises
        UsageError, which names the row, for other things than unfinished positions.
        """
        path, first, numbering = ai.path, settings.first, settings.numbering
        self._name, self._game, self.reader = ai.name, game, ReplyReader(settings.answers, game)
        self._numbering = None if numbering is None else numbering_of(numbering)
        self._replies: dict[Position, list[Any]] = {}
        for number, given, reply in _rows(path, game.cells):
            try:
                position = read_position(game, given, first=first, numbering=numbering)
            except BoardError as error:
                raise _fault(path, number, str(error)) from None
            status = game.status(position)
            if status is not Status.PLAYING:
                board = to_text(game, position)
                raise _fault(path, number, f"{board} is finished ({status.word}): leave it out")
            self._replies.setdefault(position, []).append(reply)
        if not self._replies:
            raise UsageError(f"{quote(str(path))} has no row: expected a board and a reply in each")
        self._boards = {to_text(game, position): position for position in self._replies}

    @property
    def positions(self) -> KeysView[Position]:
        """The positions with an answer, in the order of their first rows."""
        return self._replies.keys()

    def ask(self, board: str, legal: list[int]) -> Heard:
        """Return the answer on a board. Raises RefusedError for one with two meanings."""
        position = self._boards.get(board)
        if position is None:
            return Fault("no move", "the table has no row about this board"), []
        replies: list[Reply] = []
        faults: list[Fault] = []
        for given in self._replies[position]:
            read = self._read(given, board, legal)
            if isinstance(read, Fault):
                faults.append(read)
            else:
                replies.append(read)
        if not replies:
            return faults[0], faults[1:]
        return _joined([*replies, *[Reply(tuple(legal))] * len(faults)]), faults

    def _read(self, given: Any, board: str, legal: list[int]) -> Reply | Fault:
        if given is None:
            return Fault("no move", "the reply is missing")
        is_number = isinstance(given, str) and given.isascii() and given.isdecimal()
        if self._numbering is not None or (isinstance(given, str) and not is_number):
            return self._of_move(given, self._boards[board], self._numbering or Numbering.CELLS)
        value = int(given.lstrip("0")[:_DIGITS] or 0) if is_number else plain(given)
        return read_answer(self._name, value, board, legal, self.reader.moves)

    def _of_move(self, given: Any, position: Position, numbering: Numbering) -> Reply | Fault:
        """Read a move in a numbering; a cell that is not empty is an illegal move."""
        self.reader.meanings = []  # Numbers among names are cells.
        move = plain_move(given)
        goal = goals(self._game, numbering).get(move)
        if goal is None:
            others = ", ".join(each for each in Numbering if move in goals(self._game, each))
            end = f"the option numbering chooses another: {others}" if others else _OTHERS
            moves = f"one move in the numbering {numbering}: {extent(self._game, numbering)}"
            return Fault("wrong answer", cut(repr(given)), f"expected {moves}; {end}")
        cell = cell_of_move(self._game, position, given, numbering)
        return Reply((goal.bit_length() - 1 if cell is None else cell,))


def _joined(replies: list[Reply]) -> Reply:
    """Return one answer that has each of some with the same weight."""
    if len(replies) == 1:
        return replies[0]
    weight: dict[int, float] = {}
    for reply in replies:
        weights = reply.weights or (1.0,) * len(reply.moves)
        for move, part in zip(reply.moves, weights, strict=True):
            weight[move] = weight.get(move, 0.0) + part / sum(weights)
    return Reply(tuple(weight), tuple(weight.values()))


def _fault(path: Path, number: int, why: str) -> UsageError:
    return UsageError(f"row {number} of {quote(str(path))}: {why}")


def _rows(path: Path, cells: int) -> Iterator[tuple[int, Any, Any]]:
    """Yield number (from 1), board and reply of each row. Raises UsageError for other files."""
    readers = {".parquet": _of_parquet, ".jsonl": _of_json, ".csv": _of_csv}
    if path.suffix not in readers:
        raise UsageError(
            f"{quote(str(path))} is no table of answers: expected a name that ends in "
            f"{one_of(readers)}"
        )
    try:
        size = path.stat().st_size
        if not path.is_file() or size > _MOST_BYTES:
            raise UsageError(
                f"{quote(str(path))}: expected a file of at most {_MOST_BYTES:,} bytes"
            )
        whose: dict[str, Any] = {}
        for number, values in enumerate(readers[path.suffix](path), start=1):
            if number > _MOST_ROWS:
                raise _fault(path, number, f"expected at most {_MOST_ROWS:,} rows")
            for name in filter(_names_an_ai, values):
                value = values[name]
                value = None if isinstance(value, float) and isnan(value) else value
                if value != whose.setdefault(name, value):
                    names = f"{name} is {cut(repr(value))}, not {cut(repr(whose[name]))}"
                    raise _fault(path, number, f"{names}: expected a table for each AI")
            yield number, *_board_and_reply(path, number, values, cells)
    except OSError as error:
        raise UsageError(f"cannot read {quote(str(path))}: {error.strerror or error}") from None


def _names_an_ai(column: str) -> bool:
    return column.strip().lower() in _WHOSE


def _board_and_reply(
    path: Path, number: int, values: Mapping[str, Any], cells: int
) -> tuple[Any, Any]:
    given = [name for name in REPLIES if name in values]
    if BOARD not in values or len(given) != 1:
        names = cut(", ".join(map(str, values))) or "nothing"
        expected = f"columns {BOARD}, and {one_of(REPLIES)}"
        raise _fault(path, number, f"expected the {expected}; it has {names}")
    board = values[BOARD]
    if not isinstance(board, str | list):
        raise _fault(path, number, f"{BOARD} is {cut(repr(board))}: expected a text or a list")
    reply = _unpacked(values[given[0]])
    if given == ["chances"] and not _are_of_moves(reply, cells):
        raise _fault(
            path, number,
            f"chances is {cut(repr(reply))}: expected a mapping of moves, or a list with a value "
            f"for each of the {cells} cells; in a text, as JSON",
        )  # fmt: skip
    return board, reply


def _are_of_moves(chances: Any, cells: int) -> bool:
    """Return whether chances belong to moves; one number is the chance of an unknown move."""
    is_list = isinstance(chances, list) and (len(chances) == cells or all(map(is_pair, chances)))
    return chances is None or isinstance(chances, dict) or is_list


def _unpacked(reply: Any) -> Any:
    """Return a reply without the wrapping of a file: JSON in a text, a struct, a map.

    A column of numbers, some of them missing, has fractions such as 4.0 and NaN; SQL has decimals.
    """
    if isinstance(reply, float | Decimal):
        return None if isnan(reply) else int(reply) if reply == reply // 1 else float(reply)
    if isinstance(reply, str):
        text = re.sub(r"^([0-9]+)\.0+$", r"\1", half_width(reply).strip())
        if text.startswith("(") and text.endswith(")"):  # a tuple, as pandas writes it
            read = read_json(f"[{text[1:-1].rstrip(', ')}]")
            return text if read is None else tuple(read)
        if not text.startswith(("{", "[")):
            return text or None
        read = read_json(reply)
        reply = reply if read is None else read
    if isinstance(reply, dict):  # A struct of Parquet has every field in every row.
        return {key: value for key, value in reply.items() if value is not None}
    return reply


def _of_parquet(path: Path) -> Iterator[Mapping[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            _require_each_once(path, file.schema_arrow.names)
            names = [name for name in (BOARD, *REPLIES) if name in file.schema_arrow.names]
            if len(names) != 2:
                yield dict.fromkeys(file.schema_arrow.names)
                return
            names += filter(_names_an_ai, file.schema_arrow.names)
            for batch in file.iter_batches(columns=names):
                yield from batch.to_pylist(maps_as_pydicts="strict")
    except KeyError:
        raise UsageError(
            f"{quote(str(path))} has a map with one key twice: expected each move once as a key"
        ) from None
    except (pa.ArrowException, ValueError) as error:
        raise UsageError(f"{quote(str(path))} is no Parquet file: {cut(str(error))}") from None


def _of_json(path: Path) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values = DECODER.decode(line)
        except (ValueError, RecursionError) as error:
            why = getattr(error, "msg", "a number is too long, or lists are nested too deeply")
            raise UsageError(f"line {number} of {quote(str(path))}: no JSON: {why}") from None
        except RepeatedKeyError as error:
            raise UsageError(f"line {number} of {quote(str(path))}: {error}") from None
        if not isinstance(values, dict):
            raise UsageError(
                f"line {number} of {quote(str(path))}: expected an object, each on its own line"
            )
        yield values


def _of_csv(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the rows; case and blanks do not count in the names of the columns."""
    whole = _text(path)
    text = _ABOVE_HEADER.sub("", whole, 1)
    above = whole.count("\n") - text.count("\n")
    header = text.partition("\n")[0]
    separator = max(_SEPARATORS, key=header.count)
    reader = csv.DictReader(StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        names = [name.strip().lower() for name in reader.fieldnames or ()]
        _require_each_once(path, names)
        reader.fieldnames = names
        for values in reader:
            if None in values or None in values.values():
                raise UsageError(
                    f"line {reader.line_num + above} of {quote(str(path))}: expected "
                    f"{len(reader.fieldnames or ())} fields, as in the header"
                )
            yield values
    except csv.Error as error:
        raise UsageError(f"{quote(str(path))} is no CSV: {error}") from None


def _require_each_once(path: Path, names: list[str]) -> None:
    for name in (BOARD, *REPLIES):
        if names.count(name) > 1:
            raise UsageError(
                f"{quote(str(path))} has several columns {name}: expected one of each name"
            )


def _text(path: Path) -> str:
    try:
        return text_of(path.read_bytes())
    except NoTextError as error:
        raise UsageError(f"{quote(str(path))}: {error}") from None
