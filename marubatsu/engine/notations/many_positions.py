"""Many positions at once: in a text, one a line or boards in rows; or a list of boards."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

import numpy as np

from marubatsu.engine.notations.reading import BoardLike, read_position
from marubatsu.engine.notations.signs import (
    UnclearMarksError,
    first_mark,
    half_width,
    layouts_of_text,
    signs_in,
    with_blanks,
)
from marubatsu.engine.rules.board_text import EMPTY_CELL, MARKS, BoardError
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Masks, mask_dtype
from marubatsu.engine.rules.position import Position

_LINES_A_ROW = 4  # of a drawing, at most
_LINES_AROUND = 4  # with the names of columns, at most


class Passage(NamedTuple):
    """The text of a position, and the number of its first line, from 1."""

    line: int
    text: str


_ReadPassage: TypeAlias = Callable[[Passage], Position]


def read_many(
    game: Game, text: str, *, first: str, numbering: str | None, of: str = ""
) -> Iterator[tuple[int, Position]]:
    r"""Yield every position in a text, after the number of its line.

    Raises BoardError, which names the line, ``of`` a file.

    >>> game = Game("tictactoe")
    >>> [line for line, _ in read_many(game, "0 4\na3\n", first="o", numbering=None)]
    [1, 2]
    >>> rows = "o..\n.x.\n...\n\n...\n.o.\n...\n"
    >>> [line for line, _ in read_many(game, rows, first="o", numbering=None)]
    [1, 5]
    """

    def read(passage: Passage) -> Position:
        return read_position(game, passage.text, first=first, numbering=numbering)

    lines, blocks = _passages(game, text)
    passages, cure = lines, ""
    if len(blocks) < len(lines) and _are_boards(game, blocks, read):
        if _may_be(lines, read):
            raise BoardError(
                f"line 1{of}: the text may be {len(lines)} positions, one a line, or {len(blocks)} "
                "with their rows on lines: write each position on one line, with / between rows"
            )
        passages = blocks
    elif len(lines) > 1 and all(signs_in(line.text) == game.columns for line in lines):
        cure = "; rows on lines need an empty line between two boards"
    else:
        cure = "; a line holds one position, and nothing else"
    for passage in passages:
        try:
            yield passage.line, read(passage)
        except BoardError as error:
            end = "" if _has_shape(game, passage) else cure
            raise BoardError(f"line {passage.line}{of}: {error}{end}") from None


def _are_boards(game: Game, blocks: list[Passage], read: _ReadPassage) -> bool:
    """Return whether all blocks are boards; moves stay on one line."""
    most = _LINES_AROUND + _LINES_A_ROW * game.rows
    return all(
        block.text.count("\n") < most and _has_shape(game, block) for block in blocks
    ) and _may_be(blocks, read)


def _has_shape(game: Game, passage: Passage) -> bool:
    """Return whether a text has the cells of a board, of whatever signs."""
    return any(layouts_of_text(game, half_width(passage.text)))


def _may_be(passages: list[Passage], read: _ReadPassage) -> bool:
    """Return whether all are positions, if need be after an option says which mark began."""
    for passage in passages:
        try:
            read(passage)
        except UnclearMarksError:
            continue
        except BoardError:
            return False
    return True


def _passages(game: Game, text: str) -> tuple[list[Passage], list[Passage]]:
    """Return the lines that are not empty, and the blocks between those that are.

    A line of as many blanks as cells is the empty board among boards whose empty cells are blanks.
    """
    lines = [
        Passage(number, line) for number, line in enumerate(re.split("\r{0,2}\n|\r", text), start=1)
    ]
    filled = [line for line in lines if line.text.strip()]
    boards = [line for line in lines if line.text.strip() or line.text == " " * game.cells]
    if len(boards) > len(filled) and all(with_blanks(line.text, game.cells) for line in filled):
        return boards, boards
    blocks: list[Passage] = []
    for is_empty, group in groupby(lines, key=lambda line: not line.text.strip()):
        if not is_empty:
            block = list(group)
            blocks.append(Passage(block[0].line, "\n".join(line.text for line in block)))
    return filled, blocks


_WRONG = 255


def masks_of_boards(
    game: Game, boards: Sequence[BoardLike], *, first: str = MARKS[0], numbering: str | None = None
) -> tuple[Masks, Masks]:
    """Return the masks of boards: [N] each, circle first, which begins.

    Texts of ``.ox`` are read at once, and nothing checks whether play can reach them. Others are
    read one by one. Raises BoardError, with the number of the board, from 1.
    """
    is_usual = numbering is None and first_mark(first) in MARKS
    read = _masks_of_plain(game, boards) if is_usual else None
    if read is not None:
        return read[::-1] if first_mark(first) == MARKS[1] else read
    masks = np.empty((2, len(boards)), mask_dtype(game))
    for number, board in enumerate(boards, start=1):
        try:
            masks[:, number - 1] = read_position(game, board, first=first, numbering=numbering)
        except BoardError as error:
            raise BoardError(f"board {number} of {len(boards):,}: {error}") from None
    return masks[0], masks[1]


def _masks_of_plain(game: Game, boards: Sequence[BoardLike]) -> tuple[Masks, Masks] | None:
    """Return the masks of the marks in texts of ``.ox``; None where there are other boards."""
    codes = np.full(256, _WRONG, np.uint8)
    codes[list(map(ord, EMPTY_CELL + MARKS))] = range(1 + len(MARKS))
    try:
        joined = "".join(boards)  # type: ignore[arg-type]  # refused here
    except TypeError:
        return None
    if not joined.isascii() or any(len(text) != game.cells for text in boards):  # type: ignore[arg-type]
        return None
    marks = codes[np.frombuffer(joined.encode(), np.uint8)].reshape(-1, game.cells)
    if (marks == _WRONG).any():
        return None
    circle, cross = (np.zeros(len(boards), mask_dtype(game)) for _ in MARKS)
    for cell in range(game.cells):
        circle |= (marks[:, cell] == 1).astype(circle.dtype) << cell
        cross |= (marks[:, cell] == 2).astype(cross.dtype) << cell
    return circle, cross
