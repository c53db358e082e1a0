"""The errors that users see: one sentence and an exit code."""

from collections.abc import Callable
from math import inf
from numbers import Real
from typing import Any, TypeGuard

from marubatsu.engine.rules.input_error import is_truth_value, quote, whole_number

cure_words: Callable[[Any], str] | None = None
"""Writes a `Cure` in other words than its own; the command line sets it while it runs."""


def harmless(text: str) -> str:
    r"""Escape characters that control a terminal; line feeds separate lines.

    >>> print(harmless(chr(27) + "[2J"))
    \x1b[2J
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in text)


class MarubatsuError(Exception):
    """An error that a user can understand and fix; ``exit_code`` goes to the shell."""

    exit_code = 1


class UsageError(MarubatsuError):
    """Arguments that do not fit each other, the data, or the files that they name."""

    exit_code = 2


class OptionError(UsageError):
    """A value that makes no sense for an option.

    A program wrote ``option=value``. The command line writes the option as its users do, also where
    any error says "the option" before the name of one.

    >>> str(OptionError("allow_read", "/", "expected less than everything"))
    "allow_read='/': expected less than everything"
    """

    def __init__(self, option: str, value: object, sentence: str) -> None:
        super().__init__(option, value, sentence)
        self.option, self.value, self.sentence = option, value, sentence

    def __str__(self) -> str:
        return f"{self.option}={quote(self.value)}: {self.sentence}"


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a real number, also one of NumPy, and no truth value.

    >>> is_number(2.5), is_number(True), is_number("2")
    (True, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool)


def whole(option: str, value: object, least: int = 0, most: float = inf) -> int:
    """Return the whole number that an option is. Raises OptionError, also out of its range.

    >>> whole("seed", 3)
    3
    """
    extent = f"{least} or more" if most == inf else f"{least} to {most:,}"
    try:
        number = whole_number(value)
    except TypeError:
        raise OptionError(option, value, f"expected a whole number, {extent}") from None
    if not least <= number <= most:
        raise OptionError(option, value, f"expected {extent}")
    return number


def checked_flag(option: str, value: object) -> bool:
    """Return whether an option is on. Raises OptionError for another value, such as a text."""
    if not is_truth_value(value):
        raise OptionError(option, value, "expected True or False")
    return bool(value)


class DataError(MarubatsuError):
    """The data set is missing, damaged, or cannot be read or written.

    ``problem`` says what is wrong, ``cure`` what to do, and ``facts`` what programs may want: the
    ``game``, the ``path`` and others. ``str`` joins problem and cure.
    """

    kind, joint = "data", "; "

    def __init__(self, problem: str, cure: object = "", **facts: object) -> None:
        super().__init__(problem)
        self.problem, self.cure, self.facts = problem, cure, facts

    def __str__(self) -> str:
        return f"{self.problem}{self.joint}{self.cure}" if self.cure else self.problem


class MissingError(DataError):
    """A data set is not built, not solved, or not finished."""

    kind, joint = "missing", ": "


class DamagedError(DataError):
    """A file of the data set is not what its manifest says, or cannot be read."""

    kind = "damaged"


class StaleError(DataError):
    """A file has other columns, versions or inputs than this version uses."""

    kind = "stale"


class NoRoomError(DataError):
    """The disk or the memory cannot hold what a command makes."""

    kind, joint = "no room", ": "


class OutOfTimeError(DataError):
    """The time was up before a search had a value."""


class BusyError(DataError):
    """Another process holds the data set, and the user does not want to wait."""

    kind, joint = "busy", ": "
