"""Run the checks: SQL that returns counterexamples, over relations that must not be empty."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from marubatsu.pipeline.sql.catalog import Catalog, QueryError, why_missing
from marubatsu.pipeline.sql.query_files import Query, lookup
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.output import Rows

COLUMNS = ("check", "result", "examined", "counterexamples", "note")
"""The fields of `Outcome.row`."""

SHOWN = 10
"""How many counterexamples of a failed check to show."""

MOST_CLASSES = 10**8
"""A solution with more classes is checked by a sample of its rows."""

_ROWS = 1 << 19
"""The rows of a ply in a sample, one after the other."""

_SEED = 0

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
        rows = [
            dict(zip(self.counterexamples.columns, row, strict=True))
            for row in self.counterexamples.rows
        ]
        return {**dict(zip(COLUMNS, self.row(), strict=True)), "rows": rows}


def run_check(
    catalog: Catalog, check: Query, progress: Callable[[float], None] = lambda share: None
) -> Outcome:
    """Run one check; a check that examined no rows does not pass.

    It fails, unless it says itself when there are none.
    Raises DataError when it needs more memory than there is.
    """
    nothing = Rows([], [])
    missing = catalog.missing(check)
    if missing:
        why = f"needs {' and '.join(missing)}: {why_missing(catalog.data_set, missing)}"
        return Outcome(check, "none", 0, nothing, why)
    sampled = _sampled_rows(catalog, check)
    examined = sum(rows.examined for rows in sampled) or catalog.count(check.examines)
    if examined == 0:
        why = f"there are no rows in {check.examines} for {catalog.data_set.game.name}"
        if check.empty_when:
            return Outcome(check, "none", 0, nothing, f"{why}: {check.empty_when}")
        return Outcome(check, "fail", 0, nothing, f"examined nothing: {why}")
    rows_of_plies = sum(rows.rows_of_ply for rows in sampled)
    text = f"A sample: {examined:,} of {rows_of_plies:,} rows." if sampled else ""
    try:
        counterexamples = _counterexamples(catalog, check, sampled, progress)
    except QueryError as error:  # Such as wrong numbers that overflow.
        return Outcome(check, "fail", examined, nothing, f"could not be run: {error}")
    return Outcome(
        check, "fail" if counterexamples.rows else "pass", examined, counterexamples, sample=text
    )


def require_known_rules(catalog: Catalog) -> None:
    """Raise DataError when the game has a rule that the SQL of the checks does not know."""
    (unknown,) = catalog.distinct("game", "unknown_rules")
    if unknown:
        raise DataError(
            f"nothing of {catalog.data_set.game.name} was checked: queries/views/game.sql does not "
            f'know the rule {" or ".join(unknown)}, see docs/extending.md, "A game rule"'
        )


class _SampledRows(NamedTuple):
    """The rows of a ply that a check examines."""

    ply: int
    rows_of_ply: int
    first_key: int
    last_key: int
    first_block: int
    last_block: int

    @property
    def examined(self) -> int:
        """How many there are."""
        return self.last_key - self.first_key + 1


def _sampled_rows(catalog: Catalog, check: Query) -> list[_SampledRows]:
    """Return the rows of each ply that a check examines; nothing for all rows."""
    if not check.sampled_by:
        return []
    sampled = catalog.ask(lookup("drawn_rows"), _ROWS, MOST_CLASSES, _SEED)
    return [_SampledRows(*rows) for rows in sampled.rows]


def _counterexamples(
    catalog: Catalog,
    check: Query,
    sampled: Sequence[_SampledRows],
    progress: Callable[[float], None],
) -> Rows:
    """Run a check over all rows at once, over each value of a column in turn, or over a sample."""
    if not check.each:
        return catalog.ask(check)
    turns: list[Any] = list(sampled) or catalog.distinct(check.examines, check.each)
    rows: list[Any] = []
    for number, turn in enumerate(turns):
        progress(number / len(turns))
        variables = (
            _variables(catalog, turn) if isinstance(turn, _SampledRows) else {check.each: turn}
        )
        with catalog.variables(variables):
            answer = catalog.ask(check)
        rows += answer.rows
    return Rows(answer.columns, rows)


def _variables(catalog: Catalog, rows: _SampledRows) -> dict[str, object]:
    """Name what a check of a sample examines, and the parts of the solution that it reads."""
    parts = catalog.ask(lookup("drawn_parts"), rows.ply, rows.first_block, rows.last_block)
    return {
        "ply": rows.ply,
        "first_key": rows.first_key,
        "last_key": rows.last_key,
        "drawn_places": [dict(zip(parts.columns, part, strict=True)) for part in parts.rows],
    }


def complaint(outcome: Outcome) -> str:
    """Describe the counterexamples of a failed check."""
    if outcome.why:
        return f"{outcome.check.name} {outcome.why}"
    count = len(outcome.counterexamples.rows)
    excerpt = f", the first {SHOWN}" if count > SHOWN else ""
    return f"{outcome.check.name}: {count} counterexamples{excerpt}; each is {outcome.check.grain}"
