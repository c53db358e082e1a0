"""An audit from beginning to end: check the data, ask the AI, check the data again, judge."""

import numpy as np

from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.agents.address import Subject
from marubatsu.pipeline.agents.agent_process import AgentLimits
from marubatsu.pipeline.agents.players import Players
from marubatsu.pipeline.audit import saved
from marubatsu.pipeline.audit.interview import Interviewer
from marubatsu.pipeline.audit.judge import judge
from marubatsu.pipeline.audit.verdicts import Audit
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import lookup
from marubatsu.pipeline.stages.stage import stages_of
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.integrity import require_intact
from marubatsu.pipeline.store.schemas import AIS
from marubatsu.pipeline.support.progress import progress, say_waiting


def has_tables_of_ais(data_set: DataSet) -> bool:
    """Return whether a game is small enough for the tables of AIs."""
    return any(stage.table is AIS for stage in stages_of(data_set.game))


def run(
    data_set: DataSet, whom: Subject, limits: AgentLimits, repeats: int, save_as: str | None = None
) -> Audit:
    """Judge an AI by the tables of a game; keep its answers under a name if one is given.

    Raises DataError when the tables are missing or damaged, before or after, or when the AI does
    not load; UsageError when it cannot be saved.
    """
    with open_catalog(data_set, say_waiting) as catalog:
        catalog.require("an audit", "ais", "ai_moves", "classes", "moves")
        positions = enumerate_positions(data_set.game)
        critical = catalog.columns(lookup("critical_positions_of_classes"))
        with Players(data_set, limits) as players, progress("asking") as advance:
            interviewer = Interviewer(whom, players, data_set.game, repeats)
            choices = interviewer.ask(positions, np.asarray(critical["position"]), advance)
        interview = interviewer.interview
        interview.count(positions, choices)
        manifest = require_intact(data_set)  # The AI may have damaged it.
        found = judge(catalog, positions, interview, choices, manifest.data_hash)
    if save_as is not None:
        saved.save(data_set, save_as, interview, choices)
    return found
