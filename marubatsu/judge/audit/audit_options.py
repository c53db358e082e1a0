"""The options of audits: which positions they ask about, and how they run and ask a foreign AI.

Commands import this module for their help: it imports nothing large.
"""

from pathlib import Path
from typing import Annotated, TypedDict

from marubatsu.judge.agents.agent_options import AgentOptions, QuestionOptions
from marubatsu.pipeline.support.keywords import described
from marubatsu.pipeline.support.machine import AUDIT_SECONDS


@described
class PositionOptions(TypedDict, total=False):
    """Which positions an audit asks about, and how often."""

    repeat: Annotated[
        int, "Ask N times about each position and join the answers (default: 1).", "N"
    ]
    sample: Annotated[
        int | str | None,
        "Ask about one position of each of N classes drawn with the seed, or of all (default "
        "for solved games without tables of AIs: 10,000). Of drawn positions: at most N "
        "(default: 1,000, of a file all).",
        "N|all",
    ]
    positions: Annotated[
        str | Path | None,
        "Draw positions: of random games, as many of each ply (default for games that only a "
        "search knows); of the AI's own games; or a file of boards or moves, one a line.",
        "random|own|FILE",
    ]
    plies: Annotated[
        str | None,
        "The plies of drawn positions, as in 12- or 12-20 (default: all; where only a search knows "
        "the game, those where it is quick, from ply 12 for connect4).",
        "FIRST-LAST",
    ]
    numbering: Annotated[
        str | None,
        "Which numbering the moves in a file of positions or a table of answers have: cells, "
        "columns, row-column and others; docs/numberings.md draws them.",
        "NAME",
    ]
    time: Annotated[
        float, f"Most time of the search for one position (default: {AUDIT_SECONDS:g}).", "SECONDS"
    ]
    seed: Annotated[int, "Seed of the random choices (default: 0).", "SEED"]


@described
class AuditOptions(PositionOptions, AgentOptions, QuestionOptions, total=False):
    """What an audit asks about, and how it runs and asks a foreign AI."""
