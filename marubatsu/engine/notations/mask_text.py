"""Many positions at once; `engine.notations.reading` reads one of them."""

from collections.abc import Sequence

import numpy as np

from marubatsu.engine.notations.reading import BoardLike, read_position
from marubatsu.engine.notations.signs import first_mark
from marubatsu.engine.rules.board_text import EMPTY_CELL, MARKS, BoardError
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Masks, mask_dtype

_WRONG = 255


def masks_of_boards(
    game: Game, boards: Sequence[BoardLike], *, first: str = MARKS[0], numbering: str | None = None
) -> tuple[Masks, Masks]:
    """Return the masks of boards: [N] each, circle first, which begins.

    Texts of ``.ox`` are read at once, and nothing checks whether play can reach them. Others are
    read one by one. Raises BoardError, with the number of the board, from 1.
    """
    read = _masks_of_plain(game, boards) if numbering is None else None
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
