"""Observations and actions in the form of PettingZoo's environments.

With gravity as in ``connect_four_v3``: planes [rows, columns, 2], row 0 at the top; an action is a
column. Without it as in ``tictactoe_v3``, which goes column by column: planes [columns, rows, 2],
and an action is ``row + rows * column``. In both, plane 0 has one's own marks, and the planes and
the mask of legal actions are int8. An action is read as PettingZoo 1.27.0 does, whose spaces are of
Gymnasium 1.4.0.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.rules.game import Game

Observation = dict[str, NDArray[np.int8]]


TAKES = "PettingZoo takes an int, or an integer of NumPy without dimensions"


def shape_of(game: Game) -> tuple[int, int, int]:
    """Return the shape of the planes."""
    return (game.rows, game.columns, 2) if game.gravity else (game.columns, game.rows, 2)


def count_of_actions(game: Game) -> int:
    """Return the number of actions, legal or not."""
    return game.columns if game.gravity else game.cells


def aec_action(game: Game, cell: int) -> int:
    """Return the action that marks a cell.

    >>> aec_action(Game("connect4"), 38), aec_action(Game("tictactoe"), 1)
    (3, 3)
    """
    row, column = divmod(cell, game.columns)
    return column if game.gravity else row + game.rows * column


def aec_observation(
    game: Game, own: NDArray[np.bool_], other: NDArray[np.bool_], legal: Iterable[int]
) -> Observation:
    """Return planes and mask, from which cells hold one's own marks and the other's: [cells]."""
    board = np.stack([own, other], axis=1).astype(np.int8).reshape(game.rows, game.columns, 2)
    planes = board if game.gravity else np.ascontiguousarray(board.transpose(1, 0, 2))
    mask = np.zeros(count_of_actions(game), np.int8)
    mask[[aec_action(game, cell) for cell in legal]] = 1
    return {"observation": planes, "action_mask": mask}


def read_action(action: Any) -> int | None:
    """Return an action as a number, legal or not; None for what PettingZoo refuses as an action.

    It takes an int, and a number or array of NumPy that has no dimension and fits int64. True is in
    a space of actions, but fails as an index of the mask.
    """
    if isinstance(action, int):
        return None if isinstance(action, bool) else action
    if not isinstance(action, np.generic | np.ndarray) or action.shape != ():
        return None
    is_whole = np.issubdtype(action.dtype, np.integer) and np.can_cast(action.dtype, np.int64)
    return int(action) if is_whole else None
