"""An agent for TextArena, where a language model may answer: the first move that the text lists.

Audit it: marubatsu audit examples/textarena_agent.py:agent --as textarena --game 4x4k3-gravity
"""


def agent(observation: str) -> str:
    """Return a text with a move in square brackets."""
    move = observation.rpartition("Available Moves: ")[2].split("'")[1]
    return f"Nothing keeps me from the first one. {move}"
