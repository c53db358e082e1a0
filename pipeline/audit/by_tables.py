"""An audit from beginning to end: data checked, AI asked, data checked again, verdicts."""

import numpy as np

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.players.roster import all_ais, find
from marubatsu.engine.rules.game import quote
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.audit.address import Foreign, parse, parse_command
from marubatsu.pipeline.audit.agent_process import Limits
from marubatsu.pipeline.audit.asking import of_foreign_ai, of_our_ai
from marubatsu.pipeline.audit.judge import Audit, judge
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import lookup
from marubatsu.pipeline.stages.stage import stages_of
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.integrity import require_intact
from marubatsu.pipeline.store.schemas import AIS
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.progress import progress, say_waiting


def subject(spec: str | None, command: str | None) -> Foreign | tuple[str, AI]:
    """Return who is to be judged. Raises UsageError or AIError, quoting what names nobody."""
    if command is not None:
        return parse_command(command)
    assert spec is not None
    name = spec.partition(":")[0]
    if spec.endswith(".py"):
        raise UsageError(f"{quote(spec)} names no function: expected one as in {spec}:choose")
    if ":" not in spec or any(ai.name == name for ai in all_ais()):
        return spec, find(spec)
    return parse(spec)


def has_tables_of_ais(data_set: DataSet) -> bool:
    """Tell whether a game is small enough for tables of what every AI makes of it."""
    return any(stage.table is AIS for stage in stages_of(data_set.game))


def run(data_set: DataSet, whom: Foreign | tuple[str, AI], limits: Limits, repeats: int) -> Audit:
    """Judge an AI by the tables of a game.

    Raises DataError when they are missing or damaged, before or after, or when the AI cannot even
    be loaded.
    """
    with open_catalog(data_set, say_waiting) as catalog:
        catalog.require("an audit", "ais", "ai_moves", "classes", "moves")
        positions = enumerate_positions(data_set.game)
        with progress("asking") as advance:
            if isinstance(whom, Foreign):
                critical = catalog.columns(lookup("critical_positions_of_classes"))
                again = np.asarray(critical["position"])
                answers = of_foreign_ai(whom, positions, again, limits, repeats, advance)
            else:
                answers = of_our_ai(whom[1], whom[0], positions)
        require_intact(data_set)  # Whatever the AI tried.
        return judge(catalog, positions, answers)
