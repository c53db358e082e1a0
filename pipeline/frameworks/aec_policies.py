"""Policies of PettingZoo's AEC environments: from observation and action mask to an action.

An action is checked as the environments of PettingZoo 1.27.0 do, in a space of Gymnasium 1.4.0.
"""

from inspect import signature
from typing import Any

import numpy as np

from marubatsu.engine.players.by_function import Choose
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.frameworks.actions import marks_of
from marubatsu.pipeline.frameworks.aec_form import aec_action, aec_observation
from marubatsu.pipeline.frameworks.interfaces import accepts, cell_of_answer, require_function

_TAKES = "PettingZoo takes an int, or an integer of NumPy without dimensions"


def chooser(agent: Any, game: Game) -> Choose:
    """Return a policy as a function of ours.

    It takes observation and mask, or, with one argument, the dictionary of both that an
    environment's ``observe`` returns.
    """
    function = require_function(
        agent, "f(observation, action_mask), or f of the dictionary that observe returns"
    )
    takes_two = not accepts(function, 1) or "action_mask" in signature(function).parameters

    def choose(board: str, legal: list[int]) -> int:
        marks = np.array(marks_of(board), np.int8)
        own = 1 + np.count_nonzero(marks) % 2
        seen = aec_observation(game, marks == own, marks == 3 - own, legal)
        answer = function(*seen.values()) if takes_two else function(seen)
        cell_of = dict(sorted((aec_action(game, cell), cell) for cell in legal))
        return cell_of_answer(cell_of, answer, _action(answer), _TAKES)

    return choose


def _action(answer: Any) -> int | None:
    """Return the action that PettingZoo reads in an answer, None when it refuses the answer.

    It is an int, or a number or array of NumPy that has no dimension and fits int64. True is in the
    space of actions, but fails as an index of the mask.
    """
    if isinstance(answer, int):
        return None if isinstance(answer, bool) else answer
    if not isinstance(answer, np.generic | np.ndarray) or answer.shape != ():
        return None
    is_whole = np.issubdtype(answer.dtype, np.integer) and np.can_cast(answer.dtype, np.int64)
    return int(answer) if is_whole else None
