"""What commands write: rows and reports in a format, cures, errors and their exit codes."""

import errno
import os
import re
import shlex
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias

import typer

from marubatsu.engine.rules.input_error import InputError, quote
from marubatsu.pipeline.support import events
from marubatsu.pipeline.support.errors import (
    DataError,
    MarubatsuError,
    OptionError,
    UsageError,
    harmless,
)
from marubatsu.pipeline.support.importing import not_installed
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.pipeline.support.resources import data_root
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import Rows, destination, write

if TYPE_CHECKING:
    from marubatsu.engine.rules.game import Game
    from marubatsu.judge.audit.audit_report import Audit
    from marubatsu.judge.items.grade import Grade
    from marubatsu.judge.review.review import Review
    from marubatsu.pipeline.checking.checks import Outcome
    from marubatsu.pipeline.support.cures import Cure


def print_rows(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    form: Format,
    output: Path | None = None,
    after: str = "",
) -> None:
    """Write rows to standard output or a file, and a text after a table."""
    with destination(output) as out:
        write(columns, rows, form, out)
        out.write(after * (form is Format.TABLE))


ENDINGS = {
    ".txt": "table", ".json": "json", ".ndjson": "ndjson", ".jsonl": "ndjson", ".csv": "csv",
    ".md": "markdown", ".html": "html", ".parquet": "parquet", ".arrow": "arrow",
}  # fmt: skip
"""The format that the end of a file's name chooses."""

JSON_LINES = (".jsonl", ".ndjson")  # the endings of a file of JSON lines


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
    if form not in ("raw", "compact", *(each for each in Format if each.is_binary)):
        return
    if form != "raw" and output.suffix == ".zst":
        raise UsageError(
            f"--output {quote(str(output))}: {form} compresses by itself; leave .zst out"
        )
    if str(output) == "-" and sys.stdout.isatty():
        raise UsageError(f"{form} is for programs: expected --output FILE, or a pipe")


ReportFormat: TypeAlias = Literal[
    "table", "json", "html", "ndjson", "csv", "markdown", "parquet", "arrow"
]
"""A format of audits, reviews and grades: all of it, or the main table as rows."""

WHOLE = {"table", "json", "html"}  # the formats of a whole report; the others hold its main table


def write_report(
    report: "Audit | Grade | Review", rows: Rows, form: ReportFormat, output: Path | None
) -> None:
    """Write a whole report as a text, a page or JSON; its main table in the other formats."""
    whole = {
        "table": lambda: as_typed(f"{report}\n"),
        "json": lambda: json_text(report.to_json(), indent=1) + "\n",
        "html": report._repr_html_,
    }
    if form not in WHOLE:
        print_rows(rows.columns, rows.rows, Format(form), output)
        return
    with destination(output) as out:
        out.write(whole[form]())


def exit_at_failures(outcomes: "Sequence[Outcome]", *, shows: bool = True) -> None:
    """End with exit code 1 when a check failed; show its first counterexamples."""
    from marubatsu.pipeline.checking import checks

    failed = [outcome for outcome in outcomes if outcome.verdict == "fail"]
    for outcome in failed if shows else []:
        rows = outcome.counterexamples
        first = Rows(rows.columns, rows.rows[: checks.SHOWN])
        complaint = checks.complaint(outcome)
        if events.writes_json:
            events.note("error", complaint, exit_code=1, rows=first.records())
            continue
        print(f"\n{complaint}", file=sys.stderr)
        if rows.rows:
            write(first.columns, first.rows, Format.TABLE, sys.stderr)
    if failed:
        raise typer.Exit(1)


_WORDS_FOR_COMMANDS = {
    "make": "run `marubatsu build {game}`",
    "make solution": "run `marubatsu solve {game}`",
    "make answers": "run `marubatsu book {game}`",
    "make proofs": "run `marubatsu prove {game}`",
    "make techniques": "run `marubatsu compare {game}`",
    "match saved": "run `marubatsu build {game}`",
    "remake": "run `marubatsu build {game}` to make it again",
    "remake solution": "run `marubatsu solve {game}` to make it again",
    "remake saved": "run `marubatsu build {game}` for matches, `marubatsu ais --remove NAME` for "
    "an AI",
    "remake answers": "run `marubatsu book {game} --remove`, and search again",
    "remake proofs": "run `marubatsu prove {game} --remove`, and prove it again",
    "remake techniques": "run `marubatsu compare {game} --remove`, and compare again",
    "renew techniques": "run `marubatsu compare {game}` to count again",
    "remake compact": "remove the file, and run `marubatsu solve {game}`",
    "expand solution": "run `marubatsu solve {game} --expand` to write the complete one",
    "resume solution": "run `marubatsu solve {game}` to go on",
    "replace saved": "put the right file back, or run `marubatsu ais --remove {ai} --game {game}`",
    "remove saved": "run `marubatsu ais --remove {ai} --game {game}`",
    "check": "run `marubatsu check {game}`",
    "verify": "`marubatsu verify` compares it again",
    "publish": "get the named files again, or run `marubatsu publish` into another folder",
    "not wait": "try again when it has ended, or leave out --no-wait",
    "data": "change --data or MARUBATSU_DATA",
    "known games": "`marubatsu games` lists those that are",
    "other folder": "name another folder by --data",
    "move away": "move away what is in its place",
    "more memory": "raise --memory",
    "more threads": "raise the limit of the system (ulimit -u)",
    "more time": "raise --timeout",
    "read boards": "`marubatsu show -` reads boards, one a line, without other columns",
    "search": "without data, `best`, `show`, `play`, `match`, `audit` and `explore` search",
}

_TYPED = {"interface": "as", "matches": "no-matches"}  # Python keeps the word as for itself.
_NAMED = re.compile(r"\bthe option (\w+)(?:='([\w-]+)')?")


def as_command(cure: "Cure") -> str:
    """Word a cure for users of the command line."""
    game = cure.game and game_words(cure.game, cure.root)
    return cure.words(_WORDS_FOR_COMMANDS).format(game=game, ai=cure.ai)


def game_words(game: "Game", root: Path) -> str:
    """Return a game as commands take it, with the folder of its data unless that is the default."""
    with suppress(UsageError):  # MARUBATSU_DATA cannot be a folder.
        if os.path.realpath(root) == os.path.realpath(data_root(None, os.environ)):
            return game.name
    return f"{game.name} --data {shlex.quote(str(root))}"


def typed(option: str) -> str:
    """Return an option as commands take it, by the name of the parameter of public functions.

    >>> typed("allow_read"), typed("interface")
    ('--allow-read', '--as')
    """
    return "--" + _TYPED.get(option, option).replace("_", "-")


def as_typed(sentence: str) -> str:
    """Return a sentence in which options have the names that users type.

    >>> as_typed("raise the option max_depth")
    'raise --max-depth'
    >>> as_typed("ask it by the option interface='connectx'")
    'ask it by --as connectx'
    """
    return _NAMED.sub(
        lambda option: " ".join(filter(None, (typed(option[1]), option[2]))), sentence
    )


def end_by(error: Exception) -> None:
    """End with one sentence and an exit code, unless no user can fix the error."""
    match error:
        case InputError():
            _complain(str(error), UsageError.exit_code)
        case OptionError():
            value = f"{error.value:g}" if isinstance(error.value, float) else quote(error.value)
            _complain(f"{typed(error.option)} {value}: {error.sentence}", error.exit_code)
        case DataError():
            facts = {name: str(fact) for name, fact in error.facts.items()}
            _complain(str(error), error.exit_code, kind=error.kind, **facts)
        case MarubatsuError():
            _complain(str(error), error.exit_code)
        case ModuleNotFoundError() if lacking := not_installed(error):
            _complain(str(lacking), lacking.exit_code)
        case _ if refusal := _refusal(error):
            events.drop_output()
            if isinstance(error, BrokenPipeError):  # The reader closed our output.
                sys.exit(128 + signal.SIGPIPE)
            try:
                _complain(refusal, 1)
            finally:
                if refusal == _STARVED:  # Libraries that are half loaded would crash at the end.
                    os._exit(1)


_STARVED = (
    "the system gives this process too little memory or too few threads: allow it more "
    "(ulimit -v, ulimit -u), or ask about a smaller game"
)


def _refusal(error: Exception) -> str:
    """Say what the system refuses; "" for an error of another kind.

    >>> _refusal(OSError(28, "No space left on device")), _refusal(ValueError("no"))
    ('cannot write the output: No space left on device', '')
    >>> _refusal(OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))) == _refusal(MemoryError())
    True
    """
    starved = (
        "Failed to launch worker thread", "can't start new thread", "failed to map segment",
        "Allocation failure", os.strerror(errno.EAGAIN), os.strerror(errno.ENOMEM),
    )  # fmt: skip
    if isinstance(error, MemoryError) or any(text in str(error) for text in starved):
        return _STARVED
    if not isinstance(error, OSError):
        return ""
    action = f"use {error.filename}" if error.filename else "write the output"
    return f"cannot {action}: {error.strerror}"


def _complain(sentence: str, code: int, **facts: str) -> NoReturn:
    events.note("error", f"marubatsu: {harmless(sentence)}", exit_code=code, **facts)
    sys.exit(code)
