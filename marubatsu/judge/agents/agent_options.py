"""The options of audits, and of all commands and functions that run and ask a foreign AI.

Each option is declared once, as a keyword of public functions and an option of commands. Its
annotation has its meaning, then the placeholder of its value, if any. Commands import this module
for their help, so it imports nothing large.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict, TypeVar, get_type_hints

from marubatsu.engine.rules.input_error import expectation, quote
from marubatsu.pipeline.support.errors import UsageError, checked_flag
from marubatsu.pipeline.support.machine import AUDIT_SECONDS

_Options = TypeVar("_Options", bound=type)


def described(options: _Options) -> _Options:
    """Add the meanings of the options to the docstring of a TypedDict."""
    annotations = get_type_hints(options, include_extras=True)
    meanings = (f"``{name}``\n    {each.__metadata__[0]}" for name, each in annotations.items())
    options.__doc__ = "\n".join([inspect.cleandoc(options.__doc__ or ""), "", *meanings])
    return options


@described
class AgentOptions(TypedDict, total=False):
    """How to run and ask a foreign AI."""

    answers: Annotated[
        str,
        "Form of a foreign AI's answers: moves, row-column, column-row (x, y), column, move-score, "
        "score-move, chances, weights or scores; auto finds the form, and refuses an answer that "
        "can be read in two ways (default: auto).",
        "FORM",
    ]
    timeout: Annotated[float, "Time limit of a foreign AI for one move (default: 1).", "SECONDS"]
    agent_memory: Annotated[
        str, "Limit of a foreign AI's address space, such as 500MB or 8GB (default: 2GB).", "SIZE"
    ]
    allow_network: Annotated[bool, "Let a foreign AI use the network."]
    allow_read: Annotated[
        str | Path | Iterable[str | Path],
        "Let a foreign AI read a file or folder in addition to its own; may be repeated.",
        "PATH",
    ]
    allow_env: Annotated[
        str | Iterable[str],
        "Let a foreign AI see an environment variable; may be repeated.",
        "NAME",
    ]
    confinement: Annotated[
        Literal["best", "strict"],
        "best confines a foreign AI as far as this machine can; strict refuses it if a protection "
        "is missing (default: best).",
        "best|strict",
    ]
    first: Annotated[
        str,
        "The mark of the side that begins, on your boards and for your AIs: o, or x as in CS50, "
        "UCI and OpenSpiel (default: o).",
        "o|x",
    ]


CONFINING = AgentOptions.__annotations__.keys() - {"answers", "first"}
"""The options that confine a process; a function of the program that asks has no such limits."""


@described
class QuestionOptions(TypedDict, total=False):
    """How an audit saves questions to a foreign AI that costs money or time."""

    most_questions: Annotated[
        int,
        "Ask a foreign AI at most N questions, including those in games; if these are too few for "
        "all positions, about random ones, which the seed fixes (default: no limit).",
        "N",
    ]
    jobs: Annotated[
        int, "Processes of a foreign AI that answer at the same time (default: 1).", "N"
    ]
    retries: Annotated[
        int,
        "Ask up to N times again if a service fails, after pauses of 1, 2, 4 … 30 seconds "
        "(default: 0; in any case once more at the end).",
        "N",
    ]
    resume: Annotated[
        str | Path,
        "Keep each answer of a foreign AI in a file, and ask only questions without an answer "
        "there, so that a stopped audit can continue.",
        "FILE",
    ]


@described
class PositionOptions(TypedDict, total=False):
    """Which positions an audit asks about and how often, how they are drawn and searched."""

    repeat: Annotated[
        int, "Ask N times about each position and join the answers (default: 1).", "N"
    ]
    sample: Annotated[
        int | str | None,
        "Ask about one position of each of N random classes, or of all classes (default for "
        "solved games without tables of AIs: 10,000). Of random or listed positions, at most N "
        "(default: 1,000; of a file, all).",
        "N|all",
    ]
    positions: Annotated[
        str | Path | None,
        "Take the positions from random games, equally many of each ply (default for games "
        "without data), from the AI's own games, or from a file of boards or moves, one a line.",
        "random|own|FILE",
    ]
    plies: Annotated[
        str | None,
        "The plies of the positions, such as 12- or 12-20 (default: all; in games without data, "
        "those where a search is quick, from ply 12 in connect4).",
        "FIRST-LAST",
    ]
    numbering: Annotated[
        str | None,
        "The numbering of the moves in a file of positions or a table of answers: cells, columns, "
        "row-column and others; docs/numberings.md draws them.",
        "NAME",
    ]
    time: Annotated[
        float, f"Time limit of the search for one position (default: {AUDIT_SECONDS:g}).", "SECONDS"
    ]
    seed: Annotated[int, "Seed of the random choices (default: 0).", "SEED"]


@described
class AuditOptions(PositionOptions, AgentOptions, QuestionOptions, total=False):
    """What an audit asks about, and how it runs and asks a foreign AI.

    `audit` has ``interface``, ``baseline`` and ``save``, too. Only the command has ``--require``,
    ``--fail-under`` and ``--max-exploitability``, which check verdicts, and ``--badge``: in Python,
    an audit has ``verdicts`` and ``badge()``.
    """

    matches: Annotated[
        bool, "Also play games, and follow the AI from the empty board (default: true)."
    ]


def of_group(options: Mapping[str, Any], group: type) -> Any:
    """Return the options that belong to a group."""
    return {name: value for name, value in options.items() if name in group.__annotations__}


def require_keywords(
    function: Callable[..., Any], given: Mapping[str, object], options: type[Any]
) -> None:
    """Raise UsageError for a keyword of no parameter and of no option, and for a flag that is none.

    Python refuses a wrong keyword itself, but not where a function takes ``**options``.
    ``options`` is the TypedDict that lists them.
    """
    keywords = options.__annotations__
    for name, value in given.items():
        if name not in keywords:
            named = [
                each.name
                for each in inspect.signature(function).parameters.values()
                if each.kind is not each.VAR_KEYWORD
            ]
            expected = expectation(name, [*named, *keywords])
            raise UsageError(f"{function.__name__} has no keyword {quote(name)}: {expected}")
        if keywords[name].__origin__ is bool:
            checked_flag(name, value)
