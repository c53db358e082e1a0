"""Policies of PettingZoo's AEC environments: from observation and action mask to an action.

A policy may also return a chance for every action, as masked stochastic policies do; its
environments would then refuse it.
"""

from collections.abc import Mapping
from inspect import signature
from typing import Any

import numpy as np

from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.rules.game import Game
from marubatsu.judge.bridges.actions import marks_of
from marubatsu.judge.bridges.aec_form import (
    TAKES,
    aec_action,
    aec_observation,
    count_of_actions,
    read_action,
)
from marubatsu.judge.bridges.interfaces import (
    accepts,
    cell_of_answer,
    chances_of,
    require_function,
)

_TAKES = f"{TAKES}; a chance for every action is read, too"


def chooser(agent: Any, game: Game) -> Choose:
    """Return a policy as a function of ours.

    It takes observation and mask, or, with one argument, the dictionary of both that an
    environment's ``observe`` returns.
    """
    function = require_function(
        agent, "f(observation, action_mask), or f of the dictionary that observe returns"
    )
    takes_two = not accepts(function, 1) or "action_mask" in signature(function).parameters

    def choose(board: str, legal: list[int]) -> int | list[tuple[int, float]]:
        marks = np.array(marks_of(board), np.int8)
        own = 1 + np.count_nonzero(marks) % 2
        seen = aec_observation(game, marks == own, marks == 3 - own, legal)
        answer = function(*seen.values()) if takes_two else function(seen)
        cell_of = dict(sorted((aec_action(game, cell), cell) for cell in legal))
        vector = _vector(answer, count_of_actions(game))
        if vector is not None:
            return chances_of(cell_of, list(enumerate(vector)))
        return cell_of_answer(cell_of, answer, read_action(answer), _TAKES)

    return choose


def _vector(answer: Any, count: int) -> list[float] | None:
    """Return an answer as a number for every action, None when it is something else."""
    if not hasattr(answer, "__len__") or isinstance(answer, str | bytes | Mapping):
        return None
    try:
        numbers = np.asarray(answer)
    except (TypeError, ValueError):
        return None
    is_vector = numbers.shape == (count,) and numbers.dtype.kind in "iuf"
    return numbers.astype(np.float64).tolist() if is_vector else None
