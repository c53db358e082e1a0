"""Run the checks: SQL that returns counterexamples, over relations that must not be empty."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import duckdb

from marubatsu.pipeline.rows.output import Rows
from marubatsu.pipeline.sql.catalog import Catalog, why_missing
from marubatsu.pipeline.sql.query_files import Query, lookup

COLUMNS = ("check", "result", "examined", "counterexamples", "note")
"""The fields of `Outcome.row`."""

SHOWN = 10
"""How many counterexamples of a failed check to show."""

MOST_CLASSES = 10**8
"""A solution with more classes is checked by a sample of its rows."""

_ROWS = 1 << 19
"""The rows of a ply in a sample, one after the other."""

_SEED = 0

Verdict: TypeAlias = Literal["pass", "fail", "none"]


@dataclass(frozen=True)
class Outcome:
    """The result of a check; ``none`` means that nothing was examined, for the reason ``why``."""

    check: Query
    verdict: Verdict
    examined: int
    counterexamples: Rows
    why: str = ""
    sample: str = ""  # what was examined, if not everything

    def row(self) -> tuple[str, str, int, int, str]:
        """Return the outcome as one row; see COLUMNS."""
        found = len(self.counterexamples.rows)
        told = self.why or " ".join(filter(None, (self.check.question, self.sample)))
        return (self.check.name, self.verdict, self.examined, found, told)

    def to_json(self) -> dict[str, Any]:
        """Return the outcome with all its counterexamples."""
        found = [
            dict(zip(self.counterexamples.columns, row, strict=True))
            for row in self.counterexamples.rows
        ]
        return {**dict(zip(COLUMNS, self.row(), strict=True)), "rows": found}


def run_check(
    catalog: Catalog, check: Query, progress: Callable[[float], None] = lambda share: None
) -> Outcome:
    """Run one check; a check that examined no rows does not pass.

    Raises DataError when it needs more memory than there is.
    """
    nothing = Rows([], [])
    missing = catalog.missing(check)
    if missing:
        why = f"needs {' and '.join(missing)}: {why_missing(catalog.data_set, missing)}"
        return Outcome(check, "none", 0, nothing, why)
    examined = catalog.count(check.examines)
    if examined == 0:
        why = f"there are no rows in {check.examines} for {catalog.data_set.game.name}"
        return Outcome(check, "none", 0, nothing, why)
    drawn, told = _drawn(catalog, check), ""
    if drawn:
        sample = sum(last - first + 1 for first, last in drawn.values())
        told = f"A sample: {sample:,} of {examined:,} rows."
        examined = sample
    try:
        found = _counterexamples(catalog, check, drawn, progress)
    except duckdb.Error as error:  # Such as wrong numbers that overflow.
        return Outcome(check, "fail", examined, nothing, f"could not be run: {error}")
    return Outcome(check, "fail" if found.rows else "pass", examined, found, sample=told)


def _drawn(catalog: Catalog, check: Query) -> dict[int, tuple[int, int]]:
    """Return the first and the last row that a check examines, by ply; nothing for all rows."""
    if not check.sampled_by:
        return {}
    drawn = catalog.ask(lookup("drawn_rows"), _ROWS, MOST_CLASSES, _SEED).rows
    return {ply: (first, last) for ply, first, last in drawn}


def _counterexamples(
    catalog: Catalog,
    check: Query,
    drawn: Mapping[int, tuple[int, int]],
    progress: Callable[[float], None],
) -> Rows:
    """Run a check over all rows at once, or over each value of a column in turn."""
    if not check.each:
        return catalog.ask(check)
    values = catalog.distinct(check.examines, check.each)
    rows: list[Any] = []
    for number, value in enumerate(values):
        progress(number / len(values))
        catalog.set_variable(check.each, value)
        for name, key in zip(
            ("first_key", "last_key"), drawn.get(value, (None, None)), strict=True
        ):
            catalog.set_variable(name, key)
        found = catalog.ask(check)
        rows += found.rows
    return Rows(found.columns, rows)


def complaint(outcome: Outcome) -> str:
    """Describe the counterexamples of a failed check."""
    if outcome.why:
        return f"{outcome.check.name} {outcome.why}"
    found = len(outcome.counterexamples.rows)
    shown = f", the first {SHOWN}" if found > SHOWN else ""
    return f"{outcome.check.name}: {found} counterexamples{shown}; each is {outcome.check.grain}"
