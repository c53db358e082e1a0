"""Which check runs after which stage, and the drawing of the whole pipeline."""

from collections.abc import Iterator, Sequence

from marubatsu.pipeline.sql.query_files import Query, checks
from marubatsu.pipeline.stages.stage import STAGES, Stage


def checks_after(stage: Stage, stages: Sequence[Stage] = STAGES) -> list[Query]:
    """List the checks that can run once a stage has run: it makes the last table that they need.

    Checks that need more than the stages make, as a solution, belong to none.
    """
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
    return "\n".join(_lines(stages, details=details)) + "\n"


def _lines(stages: Sequence[Stage], *, details: bool) -> Iterator[str]:
    yield "flowchart LR"
    made: dict[str, list[str]] = {}  # tables by what they are made from
    for stage in stages:
        inputs = " & ".join(table.name for table in stage.inputs)
        made.setdefault(inputs or "rules([rules of the game])", []).append(stage.table.name)
    for inputs, tables in made.items():
        yield f"    {inputs} --> {' & '.join(tables)}"
    for stage in stages if details else ():
        name = stage.table.name
        yield f'    {name}["<b>{name}</b><br>{stage.make}"]'
        if names := [check.name for check in checks_after(stage, stages)]:
            yield f'    {name} -.- {name}_checks("{"<br>".join(names)}")'
