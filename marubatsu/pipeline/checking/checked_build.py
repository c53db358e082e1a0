"""A build that checks each table before the next stage uses it, and the drawing of all of that."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from marubatsu.pipeline.checking.checks import Outcome, run_checks
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import Query, checks
from marubatsu.pipeline.stages.build import Built, build
from marubatsu.pipeline.stages.stage import STAGES, Stage
from marubatsu.pipeline.tables.data_set import DataSet


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


def checks_after(stage: Stage, stages: Sequence[Stage] = STAGES) -> list[Query]:
    """List the checks for which a stage, the last of these, makes the last table that they need."""
    names = [each.table.name for each in stages]
    before = set(names[: names.index(stage.table.name)])
    return [
        check
        for check in checks().values()
        if stage.table.name in check.needs and set(check.needs) <= before | {stage.table.name}
    ]


def mermaid(stages: Sequence[Stage] = STAGES, *, details: bool = True) -> str:
    """Draw the stages as a flowchart in Mermaid's language.

    A box is a table, an arrow leads from an input to what is made from it. With ``details``, a box
    names the function that makes its table, and the rounded box behind it lists the checks that
    run once it is there.
    """
    lines = ["flowchart LR"]
    made: dict[str, list[str]] = {}  # tables by what they are made from
    for stage in stages:
        inputs = " & ".join(table.name for table in stage.inputs)
        made.setdefault(inputs or "rules([rules of the game])", []).append(stage.table.name)
    lines += [f"    {inputs} --> {' & '.join(tables)}" for inputs, tables in made.items()]
    for stage in stages if details else ():
        name = stage.table.name
        lines.append(f'    {name}["<b>{name}</b><br>{stage.make}"]')
        if names := [check.name for check in checks_after(stage, stages)]:
            lines.append(f'    {name} -.- {name}_checks("{"<br>".join(names)}")')
    return "\n".join(lines) + "\n"
