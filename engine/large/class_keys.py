"""The keys of the classes of many positions at once."""

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.keys import Keys
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Masks, mask_dtype
from marubatsu.engine.rules.position import bits
from marubatsu.engine.rules.symmetry import symmetries

_PIECE = 8  # cells whose contents, a byte, index one table
_AT_ONCE = 1 << 14  # positions whose images stay in the cache of the processor


class ClassKeys:
    """The keys of a game's classes, for arrays of positions; `Keys.class_key` gives one of them.

    Raises GameError, as `Keys` does, for a board whose positions do not fit 63 bits.
    """

    def __init__(self, game: Game) -> None:
        """Add up the weights of the contents of every piece of a mask, for each symmetry."""
        self.keys = Keys(game)
        weights = np.array(
            [[self.keys.weights[image] for image in each.image] for each in symmetries(game)]
        )  # [symmetry, cell]
        pieces = -(-game.cells // _PIECE)
        self._sums = np.zeros((pieces, 1 << _PIECE, len(weights)), np.int64)
        for piece, content in np.ndindex(pieces, 1 << _PIECE):
            cells = [piece * _PIECE + bit for bit in bits(content)]
            if not cells or cells[-1] < game.cells:
                self._sums[piece, content] = weights[:, cells].sum(axis=1)

    def of(self, circle: Masks, cross: Masks) -> NDArray[np.int64]:
        """Return the key of the class of each position: [N]."""
        found = np.empty(len(circle), np.int64)
        for first in range(0, len(circle), _AT_ONCE):
            here = slice(first, first + _AT_ONCE)
            images = self._added(circle[here]) + 2 * self._added(cross[here])
            found[here] = images.min(axis=1) + self.keys.empty
        return found

    def masks(self, keys: NDArray[np.int64]) -> tuple[Masks, Masks]:
        """Return the circle and cross masks of the positions that have these keys: [N] each."""
        game, circle, cross = self.keys.game, *np.zeros((2, len(keys)), mask_dtype(self.keys.game))
        if self.keys.by_column:
            step = game.rows + 1
            column = [self.keys.position(content) for content in range(1 << step)]
            masks = np.array(column, circle.dtype)  # [content, side]: column 0
            for x in range(game.columns):
                found = masks[keys >> x * step & (1 << step) - 1]
                circle |= found[:, 0] << x
                cross |= found[:, 1] << x
            return circle, cross
        for cell in range(game.cells):
            circle |= (keys >> 2 * cell & 1).astype(circle.dtype) << cell
            cross |= (keys >> 2 * cell + 1 & 1).astype(circle.dtype) << cell
        return circle, cross

    def _added(self, masks: Masks) -> NDArray[np.int64]:
        """Return what circle's marks on the cells of each mask add to the key of each image."""
        contents = ((masks >> piece * _PIECE).astype(np.uint8) for piece in range(len(self._sums)))
        added = np.zeros((len(masks), self._sums.shape[-1]), np.int64)
        for sums, content in zip(self._sums, contents, strict=True):
            added += sums[content]
        return added
