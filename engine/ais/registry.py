"""All AIs by name: importing this registers every family."""

from engine.ais.ai import AI, find, registered
from engine.ais.evaluations import evaluation
from engine.ais.rules import rule
from engine.ais.searches import options_of
from engine.ais.tables import SCORES

__all__ = ["SCORES", "all_ais", "evaluation", "find", "options_of", "rule"]


def all_ais() -> tuple[AI, ...]:
    """List all AIs: by rule, by evaluation, by table, by search."""
    families = ("rule", "evaluation", "table", "search")
    return tuple(sorted(registered(), key=lambda ai: families.index(ai.family)))
