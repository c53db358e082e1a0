"""A build that checks each table before the next stage uses it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from marubatsu.pipeline.checking.checks import Outcome, run_checks
from marubatsu.pipeline.checking.pipeline_graph import checks_after
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.stages.build import Built, build
from marubatsu.pipeline.stages.stage import Stage
from marubatsu.pipeline.store.data_set import DataSet


class CheckedBuild(NamedTuple):
    """What was built, and the outcomes of the checks; after a failure nothing more was built."""

    built: Built
    outcomes: list[Outcome]


def build_checked(
    data_set: DataSet,
    stages: Sequence[Stage],
    *,
    progress: Callable[[float], None],
    on_wait: Callable[[], None],
) -> CheckedBuild:
    """Build stage by stage; run the checks of each table, and stop where one fails.

    A table that is there already is checked too. The tables before the failure stay published, and
    that one as well, so that SQL can look at it. Raises the errors of `build` and `run_checks`.
    """
    outcomes: list[Outcome] = []
    made: list[str] = []
    rewritten = False
    for number, stage in enumerate(stages):

        def advance(share: float, before: int = number) -> None:
            progress((before + share) / len(stages))

        built = build(data_set, stages[: number + 1], progress=advance, on_wait=on_wait)
        made += built.made
        rewritten = rewritten or built.rewritten
        if queries := checks_after(stage, stages):
            with open_catalog(data_set, on_wait) as catalog:
                outcomes += run_checks(catalog, queries, lambda share, name: None)
        if any(outcome.verdict == "fail" for outcome in outcomes):
            break
    kept = tuple(name for name in (*built.made, *built.kept) if name not in made)
    return CheckedBuild(Built(tuple(made), kept, built.manifest, rewritten), outcomes)
