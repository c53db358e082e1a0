"""Commands about large games: solve one, and write its values to a file."""

import time
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from marubatsu.pipeline.cli.commands import refuse_binary
from marubatsu.pipeline.cli.shared import (
    GAME_HELP,
    DataOption,
    MemoryOption,
    app,
    games_here,
    memory_of,
    outside_data,
    root_of,
)
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.events import note

if TYPE_CHECKING:
    from marubatsu.pipeline.store.data_set import Unfinished


class Engine(StrEnum):
    """An engine that computes a solution."""

    LOCAL = "local"
    SPARK = "spark"


@app.command()
def solve(
    *,
    game: Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, autocompletion=games_here)],
    memory: MemoryOption = None,
    engine: Annotated[
        Engine, typer.Option("--engine", help="Solve on this machine, or on Apache Spark.")
    ] = Engine.LOCAL,
    master: Annotated[
        str | None,
        typer.Option(
            "--master",
            metavar="URL",
            help="Spark's master, such as local[2] or spark://HOST:7077 (default: that of Spark's "
            "configuration, else all cores of this machine).",
        ),
    ] = None,
    estimate: Annotated[
        bool,
        typer.Option("--estimate", help="Print the time, disk and memory that it takes, and exit."),
    ] = False,
    data: DataOption = None,
) -> None:
    """Solve a game strongly, class by class, out of core: up to 25 cells, more with gravity.

    A stopped run resumes. The estimate measures this machine for about a second. With Spark,
    --memory is the memory of the driver and of each executor.

    Example: marubatsu solve 5x5k4-gravity --memory 500MB
    Example: marubatsu solve 5x5k4-gravity --estimate
    Example: marubatsu solve 5x5k4-gravity --engine spark --master local[2]
    """
    from marubatsu.engine.large.index import Index
    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.solving import cost_estimate as estimates
    from marubatsu.pipeline.support.interrupts import Interrupted
    from marubatsu.pipeline.support.progress import progress, say_waiting

    parsed, root = Game(game), root_of(data)
    Index(parsed)  # Raises the error for a board that is too large.
    given = memory_of(memory)
    expected = estimates.estimate(parsed)
    if engine is Engine.LOCAL and master is not None:
        raise UsageError("--master names a Spark: add --engine spark, or leave it out")
    if estimate:
        if engine is Engine.SPARK:
            raise UsageError("--estimate measures this machine: leave out --engine spark")
        print(f"{parsed.name}: {estimates.calibrated(parsed, expected)}")
        return
    if engine is Engine.SPARK:
        from marubatsu.pipeline.solving import spark_engine

        run = partial(
            spark_engine.solve,
            root,
            parsed,
            master=master,
            memory=None if memory is None else given,
        )
    else:
        from marubatsu.pipeline.solving import local_engine

        run = partial(local_engine.solve, root, parsed, given, expected=expected)

    from marubatsu.pipeline.solving.solve_job import describe
    from marubatsu.pipeline.store.data_set import Unfinished

    started = time.perf_counter()
    try:
        with progress(f"solving {parsed.name}") as advance:

            def reached(name: str, share: float, rows: int) -> None:
                rate = rows / (time.perf_counter() - started)
                advance(share, f"{name}, {rate / 1e6:.1f} million rows/s")

            solved = run(progress=reached, on_wait=say_waiting)
    except Interrupted as interrupted:
        _tell_stopped(Unfinished(root, parsed))
        raise typer.Exit(128 + interrupted.number) from None
    print(describe(solved))
    print(f"{time.perf_counter() - started:.2f} s")


@app.command()
def export(
    *,
    game: Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, autocompletion=games_here)],
    raw: Annotated[
        bool, typer.Option("--raw", help="As a few lines of text, then a byte for each row.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write to a file instead; zstd compresses it when its name ends in .zst.",
            callback=outside_data,
        ),
    ] = None,
    data: DataOption = None,
) -> None:
    """Write the values of a solved game as one file that needs no library to be read.

    docs/large-games.md describes the file, and tools/checker/check.c proves it.

    Example: marubatsu export 4x4k4 --raw --output 4x4k4.raw
    """
    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.rows.output import destination
    from marubatsu.pipeline.solution.raw_file import write_raw
    from marubatsu.pipeline.stages.staleness import require_current
    from marubatsu.pipeline.store.data_set import Solution, not_built
    from marubatsu.pipeline.support.progress import progress, say_waiting

    if not raw:
        raise UsageError("expected --raw: a solution is exported in no other form")
    refuse_binary("raw", output or Path("-"))
    solution = Solution(root_of(data), Game(game))
    if not solution.has_manifest:
        raise not_built(solution)
    with solution.lock(write=False, on_wait=say_waiting):
        opened = require_current(solution)
    with progress(f"exporting {solution.game.name}") as advance, destination(output) as out:
        write_raw(solution.game, opened, out.buffer, advance)


def _tell_stopped(goal: "Unfinished") -> None:
    """Say what a stopped run keeps, and how to go on."""
    if goal.folder.exists():
        note(
            "stopped",
            f"stopped ({goal.state}): these plies are kept, run the same command to go on",
            state=goal.state,
        )
