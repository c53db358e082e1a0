"""The format that a command writes: what ``--format`` says, or the end of ``--output``."""

import sys
from pathlib import Path
from typing import Any

from typer.core import TyperCommand

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.tables.formats import ENDINGS, ending_of, wrong_ending


def choose_format(command: TyperCommand, ctx: Any) -> None:
    """Set the format of a command whose arguments are parsed.

    Raises UsageError for two formats, for an ending that chooses none, and for a binary one on a
    terminal or compressed again.
    """
    output = Path(ctx.params.get("output") or "-")
    _choose(command, ctx, output)
    refuse_binary(ctx.params["format_"], output)


def _choose(command: TyperCommand, ctx: Any, output: Path) -> None:
    ending = ending_of(output)
    form = ENDINGS.get(ending)
    is_default = ctx.get_parameter_source("format_").name == "DEFAULT"
    (option,) = (each for each in command.params if each.name == "format_")
    choices = list(option.type.choices)  # type: ignore[attr-defined]
    if form is None:
        if ending and is_default:
            endings = [each for each, form in ENDINGS.items() if form in choices]
            raise wrong_ending(output, endings, ", or the option format")
        return
    if form not in choices:
        raise UsageError(
            f"--output {quote(str(output))}: {ctx.info_name} does not write {form}; expected "
            f"one of {', '.join(choices)}"
        )
    if is_default:
        ctx.params["format_"] = form
    elif ctx.params["format_"] != form:
        raise UsageError(
            f"--output {quote(str(output))} ends as {form}, --format says "
            f"{ctx.params['format_']}: leave one of them out"
        )


def refuse_binary(form: str, output: Path) -> None:
    """Raise UsageError for a binary format where it would be of no use."""
    if form not in ("parquet", "arrow", "raw", "compact"):
        return
    if form != "raw" and output.suffix == ".zst":
        raise UsageError(
            f"--output {quote(str(output))}: {form} compresses by itself; leave .zst out"
        )
    if str(output) == "-" and sys.stdout.isatty():
        raise UsageError(f"{form} is for programs: expected --output FILE, or a pipe")
