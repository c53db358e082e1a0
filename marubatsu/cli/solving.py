"""Commands that solve and prove: large games, books of first positions, smallest proofs."""

import time
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from marubatsu.cli.commands import refuse_binary
from marubatsu.cli.options.shared import (
    DEFAULT_GAME,
    GAME_HELP,
    DataOption,
    FormatOption,
    GameArgument,
    MemoryOption,
    SearchMemoryOption,
    app,
    games_here,
    memory_of,
    outside_data,
    print_rows,
    root_of,
)
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.events import note
from marubatsu.pipeline.support.search_limits import MEMORY, checked_time
from marubatsu.pipeline.tables.formats import Format

if TYPE_CHECKING:
    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.laboratory.proof_graph import Claim
    from marubatsu.pipeline.store.data_set import Unfinished


class EngineName(StrEnum):
    """An engine that computes a solution."""

    LOCAL = "local"
    SPARK = "spark"


@app.command()
def solve(
    *,
    game: Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, autocompletion=games_here)],
    memory: MemoryOption = None,
    engine: Annotated[
        EngineName, typer.Option("--engine", help="Solve on this machine, or on Apache Spark.")
    ] = EngineName.LOCAL,
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
    if engine is EngineName.LOCAL and master is not None:
        raise UsageError(
            "--master is the address of a Spark cluster: add --engine spark, or leave it out"
        )
    if estimate:
        if engine is EngineName.SPARK:
            raise UsageError("--estimate measures this machine: leave out --engine spark")
        print(f"{parsed.name}: {estimates.calibrated(parsed, expected)}")
        return
    if engine is EngineName.SPARK:
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


_ALL_TIME = 1e9  # seconds


@app.command()
def book(
    *,
    game: Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP, autocompletion=games_here)],
    plies: Annotated[
        int, typer.Option("--plies", metavar="N", help="Search all positions with N marks.")
    ] = 1,
    seconds: Annotated[
        float,
        typer.Option(
            "--time",
            metavar="SECONDS",
            help="Stop then (default: at the end).",
            show_default=False,
        ),
    ] = _ALL_TIME,
    memory: SearchMemoryOption = MEMORY,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove all answers of the game instead.")
    ] = False,
    data: DataOption = None,
) -> None:
    """Search the first positions of a game, and keep their answers for later.

    `show`, `best`, `play` and audits look there before they search. A stopped run resumes. What
    later searches find, where it takes some seconds, is kept there too.

    Example: marubatsu book 6x6k4-gravity --plies 8 --time 3600
    """
    from marubatsu.engine.kernels.exact_layout import require_searchable
    from marubatsu.engine.rules.game import Game
    from marubatsu.judge.oracle.book import write_book
    from marubatsu.judge.oracle.opening import is_searched
    from marubatsu.pipeline.laboratory.kept_table import remove_rows
    from marubatsu.pipeline.store.data_set import AnswersTable, DataSet
    from marubatsu.pipeline.support.interrupts import Interrupted
    from marubatsu.pipeline.support.machine import parse_memory
    from marubatsu.pipeline.support.progress import progress
    from marubatsu.pipeline.support.resources import near

    data_set = DataSet(root_of(data), Game(game))
    table = data_set.beside(AnswersTable)
    folder, name = table.folder, data_set.game.name
    if remove:
        print(f"removed {remove_rows(table):,} answers of {name}")
        return
    require_searchable(data_set.game)
    if not is_searched(data_set.game):
        raise UsageError(
            f"{name} is not searched: expected a game whose tables take longer to build"
        )
    if not 0 <= plies < data_set.game.cells:
        raise UsageError(f"--plies {plies}: expected 0 to {data_set.game.cells - 1}")
    if not 0 <= seconds <= _ALL_TIME:
        raise UsageError(f"--time {seconds:g}: expected 0 or more seconds")
    try:
        with progress(f"searching {name}") as advance:
            made = write_book(
                data_set, plies, memory=parse_memory(memory), seconds=seconds, advance=advance
            )
    except Interrupted as interrupted:
        note("stopped", f"stopped; what was found is kept in {near(folder)}")
        raise typer.Exit(128 + interrupted.number) from None
    print(f"{name} to ply {plies}: {made.classes:,} classes, in {near(folder)}")
    left = f"; {made.left:,} are left: run the same command again" if made.left else ""
    print(f"searched now: {made.searched:,}{left}")


class Prover(StrEnum):
    """The side that proves."""

    CIRCLE = "circle"
    CROSS = "cross"


class Strategy(StrEnum):
    """What the prover's moves keep."""

    ANY = "any"
    BEST = "best"


@app.command()
def prove(
    *,
    game: GameArgument = DEFAULT_GAME,
    side: Annotated[
        Prover | None, typer.Option("--side", help="The side that proves (default: each that can).")
    ] = None,
    strategy: Annotated[
        Strategy | None,
        typer.Option(
            "--strategy",
            help="any keeps the claim; best also keeps the score, so it takes every win "
            "(default: both).",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option("--time", metavar="SECONDS", help="Most time of the solver for one proof."),
    ] = 60.0,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove all proofs of the game instead.")
    ] = False,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Find the smallest sets of classes that prove a game's value, and keep them.

    A proof has one move in each turn of the prover, and all moves of the opponent. The integer
    program gets all of --time. Where that ends first, a relaxation takes as long again at most, and
    the smallest proof found is kept, with a lower bound; another run may improve it. With --time 0
    no solver runs.

    Example: marubatsu prove 3x3k3-gravity
    Example: marubatsu prove 4x4k4-gravity --side circle --time 3600
    """
    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.laboratory.kept_table import remove_rows
    from marubatsu.pipeline.laboratory.proving import Proving
    from marubatsu.pipeline.store.data_set import DataSet, ProofsTable
    from marubatsu.pipeline.support.progress import progress
    from marubatsu.pipeline.support.resources import near

    data_set = DataSet(root_of(data), Game(game))
    table = data_set.beside(ProofsTable)
    folder, name = near(table.folder), data_set.game.name
    if remove:
        had_some = bool(remove_rows(table))
        print(f"{'removed the' if had_some else 'there are no'} proofs of {name}")
        return
    checked_time(seconds)
    with progress(f"proving {name}") as advance:
        proving = Proving(data_set, advance)
        claims = _chosen(data_set.game, proving.claims, side, strategy)
        # What proves a claim by best moves may be the best that is known for any moves.
        ordered = sorted(claims, key=lambda claim: claim.strategy == Strategy.ANY)
        found = {claim: proving.prove(claim, seconds, advance) for claim in ordered}
        beside = proving.beside()
    columns = ("proof", "nodes", "own_turns", "inner", "lower_bound", "is_optimal")
    proofs = [found[claim] for claim in claims]
    rows = [[proof.claim.name, *(getattr(proof, each) for each in columns[1:])] for proof in proofs]
    print_rows(columns, rows, format_)
    if format_ is Format.TABLE:
        print(
            f"\nleast alpha-beta tree: {beside.least_tree:,} nodes; left-first minimal graph: "
            f"{beside.left_first_graph:,} classes; the proofs are in {folder}"
        )


def _chosen(
    game: "Game", claims: "list[Claim]", side: Prover | None, strategy: Strategy | None
) -> "list[Claim]":
    """Return the claims that the options name. Raises UsageError when there are none."""
    chosen = [
        claim
        for claim in claims
        if side in (None, claim.prover.word) and strategy in (None, claim.strategy)
    ]
    if not chosen:
        named = " ".join(
            f"--{option} {value}"
            for option, value in (("side", side), ("strategy", strategy))
            if value
        )
        winner = claims[0].prover.word
        raise UsageError(
            f"{named}: {winner} wins {game.name}, so expected --side {winner}, and --strategy any "
            "(each move that keeps the win is a best one)"
        )
    return chosen


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
    from marubatsu.pipeline.solving.raw_file import write_raw
    from marubatsu.pipeline.stages.staleness import require_current
    from marubatsu.pipeline.store.data_set import Solution, not_built
    from marubatsu.pipeline.support.progress import progress, say_waiting
    from marubatsu.pipeline.tables.output import destination

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
