"""A bot as OpenSpiel has them: the first legal action.

With the package it would be a subclass of pyspiel.Bot; nothing else would change.
Audit it: marubatsu audit examples/openspiel_bot.py:bot --as openspiel --game 4x4k3-gravity
"""

from typing import Any


class FirstBot:
    """It plays for both players."""

    def step(self, state: Any) -> int:
        """Return an action."""
        first: int = state.legal_actions()[0]
        return first


bot = FirstBot()
