"""AIs that are tables of answers: they name the positions that an audit asks about."""

from collections.abc import Collection
from dataclasses import replace

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.judge.agents.addressed_ai import AddressedAI, TableAI
from marubatsu.judge.agents.agent_limits import AgentLimits
from marubatsu.pipeline.support.errors import UsageError


def read_table(
    ai: AddressedAI, game: Game, limits: AgentLimits, numbering: str | None
) -> tuple[AddressedAI, Collection[Position] | None]:
    """Return an AI, and its positions where it is a table, which is read. Raises UsageError."""
    if not isinstance(ai, TableAI):
        return ai, None
    from marubatsu.judge.agents.answer_table import AnswerTable

    ai = replace(ai, numbering=numbering)
    table = AnswerTable(ai, game, limits)
    return replace(ai, opened=table), table.positions


def in_both(
    some: Collection[Position] | None, others: Collection[Position] | None
) -> Collection[Position] | None:
    """Return the positions of one table, or of both. Raises UsageError where there is none."""
    if some is None or others is None:
        return others if some is None else some
    common = [position for position in some if position in others]
    if not common:
        raise UsageError("the two tables have no board in common, so nothing can be compared")
    return common
