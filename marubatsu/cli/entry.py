"""The entry point: it knows every command, and turns errors into one sentence and an exit code."""

import signal
import sys
from typing import NoReturn

from marubatsu.cli.commands import app
from marubatsu.cli.cures import as_command, as_typed, typed
from marubatsu.engine.rules.input_error import InputError, quote
from marubatsu.pipeline.support import errors, events
from marubatsu.pipeline.support.errors import (
    DataError,
    MarubatsuError,
    OptionError,
    UsageError,
    harmless,
)
from marubatsu.pipeline.support.events import drop_output


def main() -> None:
    """Run a command; turn an error that a user can fix into one sentence and an exit code."""
    errors.words_by = as_command
    try:
        try:
            app(prog_name="marubatsu")
        finally:
            sys.stdout.flush()  # Here a full disk or a closed pipe can still be reported.
    except InputError as error:
        _complain(str(error), UsageError.exit_code)
    except OptionError as error:
        message = f"{typed(error.option)} {_value(error.value)}: {error.sentence}"
        _complain(message, error.exit_code)
    except MarubatsuError as error:
        _complain(str(error), error.exit_code, **_facts(error))
    except ModuleNotFoundError as error:
        from marubatsu.pipeline.support.importing import not_installed

        lacking = not_installed(error)
        if lacking is None:
            raise
        _complain(str(lacking), lacking.exit_code)
    except OSError as error:
        drop_output()
        if isinstance(error, BrokenPipeError):  # The reader closed our output.
            sys.exit(128 + signal.SIGPIPE)
        what = f"use {error.filename}" if error.filename else "write the output"
        _complain(f"cannot {what}: {error.strerror}", 1)
    except Exception as error:
        if not _is_starved(error):
            raise
        drop_output()
        message = (
            "the system gives this process too little memory or too few threads: allow it more "
            "(ulimit -v, ulimit -u), or ask about a smaller game"
        )
        _complain(message, 1)


def _is_starved(error: Exception) -> bool:
    """Return whether an error says that the system refuses memory or threads.

    >>> _is_starved(MemoryError()), _is_starved(ValueError("no"))
    (True, False)
    """
    refusals = ("Failed to launch worker thread", "can't start new thread", "failed to map segment")
    return isinstance(error, MemoryError) or any(text in str(error) for text in refusals)


def _value(value: object) -> str:
    """Return the value of an option as a user may have typed it."""
    return f"{value:g}" if isinstance(value, float) else quote(value)


def _facts(error: MarubatsuError) -> dict[str, str]:
    """Return what --log-json tells of an error besides its sentence."""
    if not isinstance(error, DataError):
        return {}
    return {"kind": error.kind, **{name: str(fact) for name, fact in error.facts.items()}}


def _complain(sentence: str, code: int, **facts: str) -> NoReturn:
    events.note("error", f"marubatsu: {harmless(as_typed(sentence))}", exit_code=code, **facts)
    sys.exit(code)
