"""The format of the file that ``--output`` names: by its ending, or as ``--format`` says."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import OptionError, UsageError

ENDINGS = {
    ".txt": "table", ".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson", ".csv": "csv",
    ".md": "markdown", ".html": "html", ".parquet": "parquet", ".arrow": "arrow",
}  # fmt: skip
"""The format that the end of a file's name chooses."""

JSON_LINES = (".jsonl", ".ndjson")
"""The endings of a file of JSON lines."""


def ending_of(output: Path) -> str:
    """Return the end of a file's name, in small letters, without the .zst that compresses it.

    >>> ending_of(Path("rows.CSV.zst")), ending_of(Path("rows"))
    ('.csv', '')
    """
    named = output.with_suffix("") if output.suffix == ".zst" else output
    return named.suffix.lower()


def wrong_ending(output: Path, endings: Iterable[str], instead: str = "") -> OptionError:
    """Return the error for an ending that chooses no format; ``instead`` is what else to do."""
    expected = f"expected the ending {', '.join(endings)} or none{instead}"
    return OptionError("output", str(output), f"{expected}; .zst after it compresses")


def chosen_format(
    output: Path, given: str, choices: Sequence[str], *, is_default: bool, command: str
) -> str:
    """Return the format that the ending of a file chooses for a command, else the given one.

    Raises UsageError where both differ, and for an ending that chooses none of the ``choices``.
    """
    ending = ending_of(output)
    form = ENDINGS.get(ending)
    if form is None:
        if ending and is_default:
            endings = [each for each, form in ENDINGS.items() if form in choices]
            raise wrong_ending(output, endings, ", or the option format")
        return given
    if form not in choices:
        raise UsageError(
            f"--output {quote(str(output))}: {command} does not write {form}; expected "
            f"one of {', '.join(choices)}"
        )
    if form != given and not is_default:
        raise UsageError(
            f"--output {quote(str(output))} ends as {form}, --format says {given}: leave one of "
            "them out"
        )
    return form


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
