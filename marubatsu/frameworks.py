"""Our AIs, values and games for OpenSpiel, ConnectX, PettingZoo and Gymnasium.

marubatsu installs none of these packages. A function imports the package that it needs, and raises
ModuleNotFoundError if it is not installed. An AI is the name of a built-in AI, as in
``marubatsu ais``, or a function as in `marubatsu.audit`; it runs in this process. In a game without
data, ``time`` limits the search for each move of ``perfect`` and for each value, in seconds.

>>> from marubatsu import frameworks
>>> agent = frameworks.connectx_agent("ai1")
>>> agent({"board": [0, 0, 0, 0, 1, 0], "mark": 2}, {"columns": 3, "rows": 2, "inarow": 2})
1
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from marubatsu.judge.bridges.our_environments import aec_env, gym_env
    from marubatsu.judge.bridges.our_players import connectx_agent, openspiel_bot, player

__all__ = ["aec_env", "connectx_agent", "gym_env", "openspiel_bot", "player"]

if not TYPE_CHECKING:
    _HOMES = {
        "aec_env": "marubatsu.judge.bridges.our_environments",
        "connectx_agent": "marubatsu.judge.bridges.our_players",
        "gym_env": "marubatsu.judge.bridges.our_environments",
        "openspiel_bot": "marubatsu.judge.bridges.our_players",
        "player": "marubatsu.judge.bridges.our_players",
    }

    def __getattr__(name: str) -> Any:
        """Import a function when it is first used, because importing this must stay quick."""
        if name not in _HOMES:
            raise AttributeError(f"module 'marubatsu.frameworks' has no attribute {name!r}")
        from importlib import import_module

        from marubatsu.pipeline.support.machine import require_address_space

        require_address_space()
        return getattr(import_module(_HOMES[name]), name)
