"""All AIs by name; importing this module registers every family."""

from marubatsu.engine.ais.ai import AI, find, registered
from marubatsu.engine.ais.by_evaluation import evaluation
from marubatsu.engine.ais.by_rule import rule
from marubatsu.engine.players.by_search import options_of
from marubatsu.engine.players.by_table import SCORES

__all__ = ["SCORES", "all_ais", "evaluation", "find", "options_of", "rule"]


def all_ais() -> tuple[AI, ...]:
    """List all AIs: by rule, by evaluation, by table, by search."""
    families = ("rule", "evaluation", "table", "search")
    return tuple(sorted(registered(), key=lambda ai: families.index(ai.family)))
