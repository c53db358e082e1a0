"""Commands that solve, and that prove and export what is solved."""

import os
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from marubatsu.cli.commands import app
from marubatsu.cli.options import (
    DEFAULT_GAME,
    DataOption,
    FormatOption,
    GameArgument,
    RequiredGame,
    flag,
    new_file,
    option,
)
from marubatsu.cli.output import print_rows, refuse_binary
from marubatsu.cli.search_options import (
    EngineOption,
    MasterOption,
    MemoryOption,
    given_besides,
    memory_of,
    require_engine,
    require_only_removal,
)
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.events import Interrupted, note
from marubatsu.pipeline.support.machine import checked_time
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import ProofsTable, Solution, Unfinished, checked_root
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import destination

if TYPE_CHECKING:
    from marubatsu.pipeline.laboratory.proof_graph import Claim


@app.command()
def solve(
    ctx: typer.Context,
    *,
    game: RequiredGame,
    memory: MemoryOption = None,
    engine: EngineOption = "local",
    master: MasterOption = None,
    estimate: Annotated[
        bool, flag("--estimate", "Print the time, disk and memory that solving takes, and exit.")
    ] = False,
    expand: Annotated[
        bool, flag("--expand", "Write the solution from its compact form, without solving.")
    ] = False,
    data: DataOption = None,
) -> None:
    """Store the value of every class of a larger game: up to 25 cells, more with gravity.

    A stopped run resumes. The estimate measures this machine for about a second. With Spark,
    --memory is the memory of the driver and of each executor.

    Example: marubatsu solve 5x5k4-gravity --memory 500MB
    Example: marubatsu solve 5x5k4-gravity --estimate
    Example: marubatsu solve 5x5k4-gravity --engine spark --master local[2]
    """
    from marubatsu.engine.large.index import Index
    from marubatsu.pipeline.solving import cost_estimate as estimates
    from marubatsu.pipeline.solving.solve_job import describe

    parsed, root = Game(game), checked_root(data)
    Index(parsed)  # Raises the error for a board that is too large.
    most = memory_of(memory)
    expected = estimates.estimate(parsed, most)
    require_engine("spark", engine, "--master", master)
    if expand and (others := given_besides(ctx, "game", "expand", "data")):
        raise UsageError(f"--expand does not solve: leave out {', '.join(others)}")
    if estimate:
        if engine == "spark":
            raise UsageError("--estimate measures this machine: leave out --engine spark")
        print(f"{parsed.name}: {estimates.calibrated(parsed, expected)}")
        return
    if expand:
        from marubatsu.pipeline.solving import solve_job

        run = partial(solve_job.expand, root, parsed)
    elif engine == "spark":
        from marubatsu.pipeline.solving import spark_engine

        limit = None if memory is None else most
        run = partial(spark_engine.solve, root, parsed, master=master, memory=limit)
    else:
        from marubatsu.pipeline.solving import local_engine

        run = partial(local_engine.solve, root, parsed, most, expected=expected)

    started = time.perf_counter()

    def advance_rows(name: str, share: float, rows: int) -> None:
        rate = rows / (time.perf_counter() - started)
        advance(share, f"{name}, {rate / 1e6:.1f} million rows/s")

    goal = Unfinished(root, parsed)
    try:
        with progress(f"solving {parsed.name}") as advance:
            solved = run(progress=advance_rows)
    except Interrupted:
        if goal.folder.exists():
            message = f"stopped ({goal.state}): run the same command to go on"
            note("stopped", message, state=goal.state)
        raise
    print(describe(solved))
    print(f"{time.perf_counter() - started:.2f} s")


@app.command()
def prove(
    ctx: typer.Context,
    *,
    game: GameArgument = DEFAULT_GAME,
    side: Annotated[
        Literal["circle", "cross"] | None,
        typer.Option(help="The side that proves (default: each that can)."),
    ] = None,
    strategy: Annotated[
        Literal["any", "best"] | None,
        typer.Option(
            help="any keeps the claim; best also keeps the score, so it takes every win "
            "(default: both)."
        ),
    ] = None,
    seconds: Annotated[float, option("SECONDS", "Time limit for one proof.", "--time")] = 60.0,
    remove: Annotated[bool, flag("--remove", "Remove all proofs of the game instead.")] = False,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
) -> None:
    """Find the smallest sets of classes that prove a game's value, and keep them.

    A proof has one move for each turn of the prover, and all moves of the opponent. The integer
    program gets all of --time. If it does not end, a relaxation takes at most as long again for a
    lower bound, and the smallest proof so far is kept; another run may improve it. With --time 0,
    no solver runs.

    Example: marubatsu prove 3x3k3-gravity
    Example: marubatsu prove 4x4k4-gravity --side circle --time 3600
    """
    from marubatsu.pipeline.laboratory.kept_tables import remove_rows
    from marubatsu.pipeline.laboratory.proving import Proving

    data_set = data_set_of(game, data)
    table, name = data_set.sibling(ProofsTable), data_set.game.name
    folder = near(table.folder)
    if remove:
        require_only_removal(ctx, "proofs")
        had_some = bool(remove_rows(table))
        print(f"{'removed the' if had_some else 'there are no'} proofs of {name}")
        return
    checked_time(seconds)
    with progress(f"proving {name}") as advance:
        proving = Proving(data_set, advance)
        claims = _claims_of(data_set.game, proving.claims, side, strategy)
        # A proof by best moves may also be the smallest proof by any moves.
        ordered = sorted(claims, key=lambda claim: claim.strategy == "any")
        proofs = {claim: proving.prove(claim, seconds, advance) for claim in ordered}
        tree, graph = proving.least()
    columns = ("proof", "nodes", "own_turns", "inner", "lower_bound", "is_optimal")
    print_rows(
        columns,
        [[claim.name, *(getattr(proofs[claim], each) for each in columns[1:])] for claim in claims],
        format_,
        after=f"\nleast alpha-beta tree: {tree:,} nodes; left-first minimal graph: {graph:,} "
        f"classes; the proofs are in {folder}\n",
    )


def _claims_of(
    game: Game, claims: "list[Claim]", side: str | None, strategy: str | None
) -> "list[Claim]":
    matching = [
        claim
        for claim in claims
        if side in (None, claim.prover.word) and strategy in (None, claim.strategy)
    ]
    if not matching:
        options = {"--side": side, "--strategy": strategy}
        named = " ".join(f"{option} {value}" for option, value in options.items() if value)
        winner = claims[0].prover.word
        raise UsageError(
            f"{named}: {winner} wins {game.name}, so expected --side {winner}, and --strategy any "
            "(each move that keeps the win is a best one)"
        )
    return matching


@app.command()
def export(
    *,
    game: RequiredGame,
    raw: Annotated[
        bool, flag("--raw", "Write a few lines of text, then a byte for each row.")
    ] = False,
    compact: Annotated[
        bool,
        flag(
            "--compact", "Leave out values that the rules show; lookups and --raw read this form."
        ),
    ] = False,
    output: Annotated[
        Path | None,
        option(
            "FILE",
            "Write to a file instead; zstd compresses it when its name ends in .zst.",
            "--output",
            "-o",
        ),
    ] = None,
    data: DataOption = None,
) -> None:
    """Write the values of a solved game as one file, for other programs or to save space.

    docs/large-games.md describes the files, and tools/checker/check.c checks a raw one. All
    commands but SQL can read the compact form instead of the folder of the solution.

    Example: marubatsu export 4x4k4 --raw --output 4x4k4.raw
    Example: marubatsu export 4x4k4 --compact --output data/4x4k4/solution.compact
    """
    from marubatsu.pipeline.solving.compact_file import open_intact, write_compact
    from marubatsu.pipeline.solving.solution_files import write_raw

    if raw == compact:
        raise UsageError("expected --raw or --compact: the form of the file")
    refuse_binary("raw" if raw else "compact", output or Path("-"))
    solution = Solution(checked_root(data), Game(game))
    if not (compact and output and os.path.realpath(output) == os.path.realpath(solution.compact)):
        new_file(output)
    rows, write = open_intact(solution), write_raw if raw else write_compact
    with progress(f"exporting {solution.game.name}") as advance, destination(output) as out:
        write(rows, out.buffer, advance)
