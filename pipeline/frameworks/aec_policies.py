"""Policies of PettingZoo's AEC environments: from observation and action mask to an action."""

from inspect import signature
from typing import Any

import numpy as np

from marubatsu.engine.players.by_function import Choose
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.frameworks.actions import marks_of
from marubatsu.pipeline.frameworks.aec_form import TAKES, aec_action, aec_observation, read_action
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

    def choose(board: str, legal: list[int]) -> int:
        marks = np.array(marks_of(board), np.int8)
        own = 1 + np.count_nonzero(marks) % 2
        seen = aec_observation(game, marks == own, marks == 3 - own, legal)
        answer = function(*seen.values()) if takes_two else function(seen)
        cell_of = dict(sorted((aec_action(game, cell), cell) for cell in legal))
        return cell_of_answer(cell_of, answer, read_action(answer), TAKES)

    return choose
