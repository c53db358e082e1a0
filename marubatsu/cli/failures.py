"""How a command ends with exit code 1, because something that it looked for is wrong."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import typer

from marubatsu.pipeline.tables.formats import Format

if TYPE_CHECKING:
    from marubatsu.pipeline.checking.checks import Outcome


def fail(message: str) -> NoReturn:
    """Exit with 1, and say why."""
    print(f"marubatsu: {message}", file=sys.stderr)
    raise typer.Exit(1)


def exit_at_failures(outcomes: "Sequence[Outcome]", *, tells: bool = True) -> None:
    """End with exit code 1 when a check failed; tell its first counterexamples."""
    from marubatsu.pipeline.checking import checks
    from marubatsu.pipeline.tables.output import write

    failed = [outcome for outcome in outcomes if outcome.verdict == "fail"]
    for outcome in failed if tells else []:
        print(f"\n{checks.complaint(outcome)}", file=sys.stderr)
        rows = outcome.counterexamples
        if rows.rows:
            write(rows.columns, rows.rows[: checks.SHOWN], Format.TABLE, sys.stderr)
    if failed:
        raise typer.Exit(1)
