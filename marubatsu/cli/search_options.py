"""Options of commands that name AIs, read positions, search, or compute for long."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from marubatsu.cli.options import DEFAULT_GAME, option, root_in
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError, quote
from marubatsu.judge.agents.interfaces import INTERFACES
from marubatsu.pipeline.support import events
from marubatsu.pipeline.support.errors import MarubatsuError, UsageError
from marubatsu.pipeline.support.json_text import NoTextError, bytes_of, text_of
from marubatsu.pipeline.support.machine import checked_threads, cores, half_the_memory, parse_memory
from marubatsu.pipeline.tables.data_set import DataSet

if TYPE_CHECKING:
    from marubatsu.engine.rules.position import Position

DEFAULT_FIRST = "o"
FirstOption = Annotated[
    str,
    option(
        "o|x",
        "The mark of the side that begins, on your boards and for your AIs: o, or x as in CS50, "
        "UCI and OpenSpiel.",
    ),
]
NumberingOption = Annotated[
    str | None,
    option(
        "NAME",
        "How moves are numbered: cells, cells-from-1, cells-by-column, columns, row-column "
        "and others; docs/numberings.md draws them.",
    ),
]
PliesOption = Annotated[
    str | None,
    option(
        "FIRST-LAST",
        "The plies to judge, as in 12- or 12-20 (default: all; where only a search knows the "
        "game, those where it is quick, from ply 12 for connect4).",
    ),
]
SeedOption = Annotated[int, option("SEED", "Seed of the random choices.")]
MemoryOption = Annotated[
    str | None,
    option("AMOUNT", "Memory for the data, such as 500MB or 2GB (default: half of the machine)."),
]
TimeOption = Annotated[float, option("SECONDS", "Time limit of the search for one answer.")]
ThreadsOption = Annotated[
    int | None, option("N", "Threads of the search (default: one for each core).")
]
SearchMemoryOption = Annotated[str, option("SIZE", "Table of the search, as in 500MB or 2GB.")]
EngineOption = Annotated[
    Literal["local", "spark"],
    typer.Option("--engine", help="Work on this machine, or on Apache Spark."),
]
MasterOption = Annotated[
    str | None,
    option(
        "URL",
        "Spark's master, such as local[2] or spark://HOST:7077 (default: that of Spark's "
        "configuration, else all cores of this machine).",
        "--master",
    ),
]

ADDRESS_HELP = (
    "An AI is a name as in `marubatsu ais`, with parameters as in ai14s:score_201=3; "
    "file.py:function; package.module:object.attribute; evaluation:file.py:function, which values "
    "boards; 'command:PROGRAM ARGUMENTS'; or answers:FILE, a table with a reply for each board."
)

AnySeedOption = Annotated[int | None, option("SEED", "Seed of the AI's choices (default: random).")]
InterfaceOption = Annotated[
    str | None,
    option(
        "INTERFACE", f"Ask a foreign AI as another framework does: {', '.join(INTERFACES)}.", "--as"
    ),
]


def complete_ai(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of an AI: a built-in one, or one that an audit has saved."""
    from marubatsu.engine.search.roster import all_ais
    from marubatsu.judge.agents.saved_ais import saved_choices

    names = [ai.name for ai in all_ais()]
    with suppress(InputError, MarubatsuError):
        game = Game(ctx.params.get("game") or DEFAULT_GAME)
        names += saved_choices(DataSet(root_in(ctx), game))
    return [name for name in names if name.startswith(incomplete)]


def ai_option(meaning: str) -> Any:
    """Return an option that names an AI."""
    return option("AI", meaning, autocompletion=complete_ai)


def input_text(file: Path | None, most: int) -> str:
    """Return the text of a file or of standard input. Raises UsageError."""
    where = "standard input" if file is None else quote(str(file))
    try:
        return text_of(bytes_of(file or sys.stdin.buffer, most))
    except NoTextError as error:
        raise UsageError(f"cannot read {where}: {error}") from None


def position_of(game: Game, board: str | None, first: str, numbering: str | None) -> "Position":
    """Read a position, by default the empty board, and note which of its marks is circle.

    Raises BoardError and InputError.
    """
    from marubatsu.engine.notations.reading import read_position
    from marubatsu.engine.rules.board_text import to_text
    from marubatsu.engine.rules.position import EMPTY

    if board is None:
        board = to_text(game, EMPTY)
    position = read_position(game, board, first=first, numbering=numbering)
    note_first(first)
    return position


def note_first(first: str) -> None:
    """Note which mark of the user's boards is circle, where it is not ``o``."""
    from marubatsu.engine.notations.signs import first_mark, first_note

    message = first_note(first)
    if message is not None:
        events.note("first", message, first=first_mark(first))


def memory_of(amount: str | None) -> int:
    """Return an amount of memory in bytes. Raises UsageError."""
    return half_the_memory() if amount is None else parse_memory(amount)


def threads_of(number: int | None) -> int:
    """Return how many threads a search gets. Raises OptionError."""
    return cores() if number is None else checked_threads(number)


def require_between(
    option: str, value: float | None, least: int, most: float = inf, unit: str = ""
) -> None:
    """Raise UsageError for a value of an option outside of its range."""
    if value is not None and not least <= value <= most:
        expected = f"{least} or more" if most == inf else f"{least} to {most:,}"
        raise UsageError(f"{option} {value:.15g}: expected {expected}{unit}")


@contextmanager
def noting_a_stop(message: str) -> Iterator[None]:
    """Note what a stopped run keeps, when a signal ends the block."""
    try:
        yield
    except KeyboardInterrupt:  # also Interrupted
        events.note("stopped", message)
        raise


def given_besides(ctx: typer.Context, *used: str) -> list[str]:
    """Return, as typed, the options that the user gave besides those that this run uses.

    Such options are refused: they would change nothing, and the user would not notice.
    """
    return [
        parameter.opts[0]
        for parameter in ctx.command.params
        if (source := ctx.get_parameter_source(parameter.name or ""))
        and source.name == "COMMANDLINE"
        and getattr(parameter, "expose_value", True)  # Not --no-wait, which acts by itself.
        and parameter.name not in used
    ]


def require_only_removal(ctx: typer.Context, rows: str) -> None:
    """Raise UsageError for options that seem to choose some of what ``--remove`` removes."""
    if others := given_besides(ctx, "game", "remove", "data", "format_"):
        raise UsageError(f"--remove removes all {rows} of the game: leave out {', '.join(others)}")


def require_engine(name: str, engine: str, option_: str, given: object) -> None:
    """Refuse an option of one engine with another one."""
    if given is not None and engine != name:
        raise UsageError(f"{option_} is for --engine {name}: add that, or leave {option_} out")
