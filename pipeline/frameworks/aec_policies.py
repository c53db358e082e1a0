"""Policies of PettingZoo's AEC environments: from observation and action mask to an action.

With gravity as in ``connect_four_v3``: planes [rows, columns, 2], row 0 at the top; an action is a
column. Without it as in ``tictactoe_v3``, which goes column by column: planes [columns, rows, 2],
and an action is ``row + rows * column``. In both, plane 0 has the marks of the side to move, and
the planes and the mask are int8.
"""

from inspect import signature
from typing import Any

import numpy as np

from marubatsu.engine.players.by_function import Choose
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.frameworks.actions import marks_of
from marubatsu.pipeline.frameworks.interfaces import accepts, cell_of_answer, require_function


def chooser(agent: Any, game: Game) -> Choose:
    """Return a policy as a function of ours.

    It takes observation and mask, or, with one argument, the dictionary of both that an
    environment's ``observe`` returns.
    """
    function = require_function(
        agent, "f(observation, action_mask), or f of the dictionary that observe returns"
    )
    takes_two = not accepts(function, 1) or "action_mask" in signature(function).parameters
    shape = (game.rows, game.columns)
    size = game.columns if game.gravity else game.cells

    def choose(board: str, legal: list[int]) -> int:
        marks = np.array(marks_of(board), np.int8).reshape(shape)
        own = 1 + np.count_nonzero(marks) % 2
        sides = np.stack([marks == own, marks == 3 - own], axis=2).astype(np.int8)
        observation = sides if game.gravity else np.ascontiguousarray(sides.transpose(1, 0, 2))
        cell_of = dict(sorted((_action(game, cell), cell) for cell in legal))
        mask = np.zeros(size, np.int8)
        mask[list(cell_of)] = 1
        if takes_two:
            answer = function(observation, mask)
        else:
            answer = function({"observation": observation, "action_mask": mask})
        return cell_of_answer(cell_of, answer)

    return choose


def _action(game: Game, cell: int) -> int:
    row, column = divmod(cell, game.columns)
    return column if game.gravity else row + game.rows * column
