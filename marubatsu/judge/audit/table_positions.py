"""AIs that are tables of answers: they name the positions that an audit asks about."""

from collections.abc import Collection, KeysView, Sequence
from dataclasses import replace

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import quote
from marubatsu.engine.rules.position import Position
from marubatsu.judge.agents.addressed_ai import AddressedAI, TableAI
from marubatsu.judge.agents.agent_limits import AgentLimits
from marubatsu.pipeline.support.errors import OptionError, UsageError


def require_no_positions(tables: Sequence[str], **options: object) -> None:
    """Raise UsageError for options that draw positions besides those of tables."""
    for name, value in options.items():
        if tables and value is not None:
            raise OptionError(
                name, value, f"{quote(tables[0])} names the positions itself; leave this out"
            )


def read_table(
    ai: AddressedAI, game: Game, limits: AgentLimits, numbering: str | None
) -> tuple[AddressedAI, KeysView[Position] | None]:
    """Return an AI, and its positions where it is a table, which is read. Raises UsageError."""
    if not isinstance(ai, TableAI):
        return ai, None
    from marubatsu.judge.agents.answer_table import AnswerTable

    ai = replace(ai, numbering=numbering)
    table = AnswerTable(ai, game, limits)
    return replace(ai, opened=table), table.positions


def in_both(
    some: KeysView[Position] | None, others: KeysView[Position] | None
) -> Collection[Position] | None:
    """Return the positions of one table, or of both. Raises UsageError where there is none."""
    if some is None or others is None:
        return others if some is None else some
    common = [position for position in some if position in others]
    if not common:
        raise UsageError("the two tables have no board in common, so nothing can be compared")
    return common
