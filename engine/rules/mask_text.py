"""Many positions as text at once; `engine.rules.reading` reads one of them."""

from collections.abc import Sequence

import numpy as np

from marubatsu.engine.rules.board_text import EMPTY_CELL, MARKS, BoardError
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Masks, mask_dtype
from marubatsu.engine.rules.reading import read_position

_WRONG = 255


def masks_of_texts(game: Game, texts: Sequence[str]) -> tuple[Masks, Masks]:
    """Return the circle and cross masks of boards: [N] each.

    Boards of ``.ox`` are read at once, and nobody looks whether play can reach them. Other
    spellings are read one by one. Raises BoardError, with the number of the board, from 1.
    """
    codes = np.full(256, _WRONG, np.uint8)
    codes[list(map(ord, EMPTY_CELL + MARKS))] = range(1 + len(MARKS))
    try:
        joined = "".join(texts)
    except TypeError:
        joined = None  # Reading one by one finds what is no text.
    if joined is not None and joined.isascii() and all(len(text) == game.cells for text in texts):
        marks = codes[np.frombuffer(joined.encode(), np.uint8)].reshape(-1, game.cells)
        if not (marks == _WRONG).any():
            circle, cross = (np.zeros(len(texts), mask_dtype(game)) for _ in MARKS)
            for cell in range(game.cells):
                circle |= (marks[:, cell] == 1).astype(circle.dtype) << cell
                cross |= (marks[:, cell] == 2).astype(cross.dtype) << cell
            return circle, cross
    found = np.empty((2, len(texts)), mask_dtype(game))
    for number, text in enumerate(texts, start=1):
        try:
            found[:, number - 1] = read_position(game, text)
        except BoardError as error:
            raise BoardError(f"board {number} of {len(texts):,}: {error}") from None
    return found[0], found[1]
