"""A policy for PettingZoo's AEC environments: the first action that the mask allows.

Audit it: marubatsu audit examples/aec_policy.py:policy --as aec --game 4x4k3-gravity
"""

from typing import Any


def policy(observation: Any, action_mask: Any) -> int:
    """Return an action; plane 0 of the observation has the own marks."""
    return int(action_mask.argmax())
