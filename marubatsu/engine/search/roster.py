"""All AIs by name; importing this module registers every family.

So what looks up names is imported from here: `find`, and `options_of` for the AIs of a search.
"""

from marubatsu.engine.ais import by_evaluation, by_rule, by_table  # noqa: F401, they register
from marubatsu.engine.ais.ai import AI, find, registered
from marubatsu.engine.search.by_search import options_of

__all__ = ["all_ais", "find", "options_of"]


def all_ais() -> tuple[AI, ...]:
    """List all AIs: by rule, by evaluation, by table, by search."""
    families = ("rule", "evaluation", "table", "search")
    return tuple(sorted(registered(), key=lambda ai: families.index(ai.family)))
