"""Run the checks: SQL that returns counterexamples, over relations that must not be empty.

A build can check each table before the next stage uses it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from marubatsu.engine.rules.input_error import counted
from marubatsu.pipeline.sql.catalog import Catalog, QueryError, open_catalog
from marubatsu.pipeline.sql.query_files import Query, checks, lookup
from marubatsu.pipeline.stages.build import Built, build
from marubatsu.pipeline.stages.stage import STAGES, Stage
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.events import step
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.output import Rows

COLUMNS = ("check", "result", "examined", "counterexamples", "note")
"""The fields of `Outcome.row`."""

SHOWN = 10
"""How many counterexamples of a failed check to show."""

MOST_CLASSES = 10**8
"""Of a solution with more classes, checks sampled by key examine `_ROWS` rows of each ply."""

MOST_ROWS = 3 * 10**10
"""Of a solution with more rows, checks sampled by ply examine so many: its smallest plies."""

_ROWS = 1 << 19
"""The rows of a ply in a sample, one after the other."""

_SEED = 0

_KEYS = ("first_key", "last_key")

CheckVerdict: TypeAlias = Literal["pass", "fail", "none"]


@dataclass(frozen=True)
class Outcome:
    """The result of a check; ``none`` means that nothing was examined, for the reason ``why``.

    That is no failure: a table is missing, or the check says when it has no rows.
    """

    check: Query
    verdict: CheckVerdict
    examined: int
    counterexamples: Rows
    why: str = ""
    sample: str = ""  # what was examined, if not everything

    def row(self) -> tuple[str, str, int, int, str]:
        """Return the outcome as one row; see COLUMNS."""
        count = len(self.counterexamples.rows)
        text = self.why or " ".join(filter(None, (self.check.question, self.sample)))
        return (self.check.name, self.verdict, self.examined, count, text)

    def to_json(self) -> dict[str, Any]:
        """Return the outcome with all its counterexamples."""
        outcome = dict(zip(COLUMNS, self.row(), strict=True))
        return {**outcome, "rows": self.counterexamples.records()}


def run_check(
    catalog: Catalog, check: Query, progress: Callable[[float], None] = lambda share: None
) -> Outcome:
    """Run one check; one that examined no rows fails, unless its header says when there are none.

    Raises DataError when it needs more memory than there is.
    """
    nothing = Rows([], [])
    if lacks := catalog.lacking(check):
        return Outcome(check, "none", 0, nothing, f"needs {lacks}")
    sampled = _sampled(catalog, check)
    examined = sum(ply["rows_examined"] for ply in sampled) or catalog.count(check.examines)
    if examined == 0:
        why = f"there are no rows in {check.examines} for {catalog.data_set.game.name}"
        if check.empty_when:
            return Outcome(check, "none", 0, nothing, f"{why}: {check.empty_when}")
        return Outcome(check, "fail", 0, nothing, f"examined nothing: {why}")
    rows = sum(ply["rows_of_ply"] for ply in sampled)
    text = f"A sample: {examined:,} of {rows:,} rows." if examined < rows else ""
    try:
        counterexamples = _counterexamples(catalog, check, sampled, progress)
    except QueryError as error:  # Such as wrong numbers that overflow.
        return Outcome(check, "fail", examined, nothing, f"could not be run: {error}")
    return Outcome(
        check, "fail" if counterexamples.rows else "pass", examined, counterexamples, sample=text
    )


def run_checks(
    catalog: Catalog, queries: Sequence[Query], progress: Callable[[float, str], None]
) -> list[Outcome]:
    """Run checks one after the other, as `run_check` does; ``progress`` gets the name of each.

    Raises DataError when the game has a rule that SQL does not know.
    """
    require_known_rules(catalog)
    outcomes = []
    for number, check in enumerate(queries):

        def advance(share: float, before: int = number, name: str = check.name) -> None:
            progress((before + share) / len(queries), name)

        advance(0)
        outcome = run_check(catalog, check, advance)
        step("check", f"{check.name}: {outcome.verdict}", check=check.name, verdict=outcome.verdict)
        outcomes.append(outcome)
    return outcomes


def require_known_rules(catalog: Catalog) -> None:
    """Raise DataError when the game has a rule that the SQL of the checks does not know."""
    (unknown,) = catalog.distinct("game", "unknown_rules")
    if unknown:
        raise DataError(
            f"nothing of {catalog.data_set.game.name} was checked: queries/views/game.sql does not "
            f'know the rule {" or ".join(unknown)}, see docs/extending.md, "A game rule"'
        )


def _sampled(catalog: Catalog, check: Query) -> list[dict[str, Any]]:
    """Return what a check examines of each ply, see the look-ups; nothing for all rows."""
    match check.sampled_by:
        case "key":
            return catalog.ask(lookup("drawn_rows"), _ROWS, MOST_CLASSES, _SEED).records()
        case "ply":
            return catalog.ask(lookup("drawn_plies"), MOST_ROWS).records()
    return []


def _counterexamples(
    catalog: Catalog,
    check: Query,
    sampled: Sequence[dict[str, Any]],
    progress: Callable[[float], None],
) -> Rows:
    """Run a check over all rows at once, over each value of a column in turn, or over a sample."""
    if not check.each:
        return catalog.ask(check)
    turns = [ply for ply in sampled if ply["rows_examined"]] or [
        {check.each: value} for value in catalog.distinct(check.examines, check.each)
    ]
    rows: list[Any] = []
    for number, turn in enumerate(turns):
        progress(number / len(turns))
        variables = {name: turn[name] for name in (check.each, *_KEYS) if name in turn}
        if "first_block" in turn:
            variables |= _parts(catalog, turn)
        with catalog.variables(variables):
            answer = catalog.ask(check)
        rows += answer.rows
    return Rows(answer.columns, rows)


def _parts(catalog: Catalog, drawn: dict[str, Any]) -> dict[str, list[Any]]:
    """Name the parts of a solution that a check of some rows reads."""
    blocks = [drawn[name] for name in ("ply", "first_block", "last_block")]
    parts = catalog.ask(lookup("drawn_parts"), *blocks).rows
    return {
        "drawn_parts": [part for part, _ in parts],
        "drawn_places": [place for _, place in parts],
    }


def complaint(outcome: Outcome) -> str:
    """Describe the counterexamples of a failed check."""
    if outcome.why:
        return f"{outcome.check.name} {outcome.why}"
    count = len(outcome.counterexamples.rows)
    found = counted(count, "counterexample") + f", the first {SHOWN}" * (count > SHOWN)
    return f"{outcome.check.name}: {found}; each is {outcome.check.grain}"


def build_checked(
    data_set: DataSet, stages: Sequence[Stage], *, progress: Callable[[float], None]
) -> tuple[Built, list[Outcome]]:
    """Build stage by stage; run the checks of each table, and stop where one fails.

    Return what was built, and the outcomes of the checks.
    A table that is there already is checked too. The tables before the failure stay published, and
    that one as well, so that SQL can look at it. Raises the errors of `build` and `run_checks`.
    """
    outcomes: list[Outcome] = []
    made: list[str] = []
    rewritten = False
    for number, stage in enumerate(stages):

        def advance(share: float, before: int = number) -> None:
            progress((before + share) / len(stages))

        built = build(data_set, stages[: number + 1], progress=advance)
        made += built.made
        rewritten = rewritten or built.rewritten
        if queries := checks_after(stage, stages):
            with open_catalog(data_set) as catalog:
                outcomes += run_checks(catalog, queries, lambda share, name: None)
        if any(outcome.verdict == "fail" for outcome in outcomes):
            break
    kept = tuple(name for name in (*built.made, *built.kept) if name not in made)
    return Built(tuple(made), kept, built.manifest, rewritten), outcomes


def checks_after(stage: Stage, stages: Sequence[Stage] = STAGES) -> list[Query]:
    """List the checks that can run once a stage of these is done, and not before."""
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
