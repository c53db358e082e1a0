"""Commands about large games: solve one."""

import sys
import time
from typing import Annotated

import typer

from pipeline.cli.options import GAME_HELP, DataOption, app, root_of

_LONG = 2.0  # seconds: what takes longer is told before it begins


@app.command()
def solve(
    game: Annotated[str, typer.Argument(metavar="GAME", help=GAME_HELP)],
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory",
            metavar="AMOUNT",
            help="Memory for the data, such as 500MB or 2GB (default: half of the machine).",
        ),
    ] = None,
    data: DataOption = None,
) -> None:
    """Solve a game strongly, class by class, out of core: up to 31 cells, with gravity 7x6.

    What was stopped goes on where it was.

    Example: marubatsu solve 5x5k4-gravity --memory 500MB
    """
    from engine.game import Game
    from engine.keys import Keys
    from pipeline.interrupts import Interrupted
    from pipeline.progress import progress, say_waiting
    from pipeline.sandbox import parse_memory
    from pipeline.solution import estimate as estimates

    parsed, root = Game.parse(game), root_of(data)
    Keys(parsed)  # Says what is wrong with a board that is too large.
    given = parse_memory(memory) if memory else estimates.half_the_memory()
    expected = estimates.estimate(parsed)
    estimates.require_room(expected, parsed, root, given)
    if expected.seconds > _LONG:
        print(expected, file=sys.stderr)

    from pipeline.solution.local import solve
    from pipeline.solution.making import describe

    started = time.perf_counter()
    with progress(f"solving {parsed.name}") as advance:

        def reached(name: str, share: float, classes: int) -> None:
            rate = classes / (time.perf_counter() - started)
            advance(share, f"{name}, {rate / 1e6:.1f} million classes/s")

        try:
            solved = solve(
                root, parsed, given, expected=expected.classes, progress=reached,
                on_wait=say_waiting,
            )  # fmt: skip
        except Interrupted as interrupted:
            raise typer.Exit(128 + interrupted.number) from None
    print(describe(solved))
    print(f"{time.perf_counter() - started:.2f} s")
