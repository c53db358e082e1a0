"""Commands about numbers known from elsewhere."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from marubatsu.pipeline.cli.options.shared import (
    GAME_HELP,
    DataOption,
    FormatOption,
    MemoryOption,
    OutputOption,
    app,
    games_here,
    memory_of,
    root_of,
)
from marubatsu.pipeline.oracle.search_limits import LONGEST
from marubatsu.pipeline.rows.formats import Format
from marubatsu.pipeline.support.errors import DataError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from marubatsu.engine.rules.game import Game


@app.command()
def anchors(
    *,
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME]...", help=GAME_HELP + " Default: all.", autocompletion=games_here
        ),
    ] = None,
    make: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="First build small games, and solve games up to this time, by estimate.",
        ),
    ] = None,
    memory: MemoryOption = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Compare every number known from elsewhere with ours; exit 1 when one differs.

    Positions and classes per ply, values, wins, draws and losses, lines of play; all with sources.

    Example: marubatsu anchors tictactoe 4x4k4
    """
    from marubatsu.pipeline.checking import anchors as registry
    from marubatsu.pipeline.rows.output import destination, write
    from marubatsu.pipeline.support.progress import progress, say_waiting

    if make is not None and not 0 < make <= LONGEST:
        raise UsageError(f"--make {make:g}: expected more than 0, at most {LONGEST} seconds")
    root, given, chosen = root_of(data), memory_of(memory), registry.games_of(games or [])
    made = [_make(root, game, make, given) for game in chosen] if make is not None else []
    with progress("comparing") as advance:
        found = registry.compare(root, chosen, given, progress=advance, on_wait=say_waiting)
    with destination(output) as out:
        write(registry.Anchor._fields, found, format_, out)
        if format_ is Format.TABLE:
            out.write(f"\n{registry.tell(found)}\n")
    agreements = {anchor.agreement for anchor in found}
    if not all(made) or agreements & {registry.DIFFERS, registry.FAILED}:
        raise typer.Exit(1)
    if agreements == {registry.NOT_THERE}:
        raise DataError("no number was compared, so none agrees")


def _make(root: "Path", game: "Game", seconds: float, memory: int) -> bool:
    """Build the tables of a game and solve it, as far as its size and the time allow.

    Print what cannot be done; return whether everything was done.
    """
    from marubatsu.engine.rules.bounds import MAX_POSITIONS
    from marubatsu.engine.rules.size import estimate_positions
    from marubatsu.pipeline.solving.cost_estimate import estimate
    from marubatsu.pipeline.solving.local_engine import solve
    from marubatsu.pipeline.stages.build import build
    from marubatsu.pipeline.stages.stage import TREE_STAGES, stages_of
    from marubatsu.pipeline.store.data_set import DataSet
    from marubatsu.pipeline.support.interrupts import Interrupted
    from marubatsu.pipeline.support.progress import progress, say_waiting

    expected = estimate(game)
    try:
        with progress(f"making {game.name}") as advance:
            if estimate_positions(game) <= MAX_POSITIONS:
                stages = stages_of(game, TREE_STAGES)
                build(DataSet(root, game), stages, progress=advance, on_wait=say_waiting)
            if expected.seconds <= seconds:
                solve(
                    root, game, memory, expected=expected, on_wait=say_waiting,
                    progress=lambda what, share, classes: advance(share, what),
                )  # fmt: skip
    except Interrupted as interrupted:
        raise typer.Exit(128 + interrupted.number) from None
    except DataError as error:
        print(f"marubatsu: {error}", file=sys.stderr)
        return False
    return True
