"""The command that searches a position, with orderings and evaluations of one's own."""

from typing import Annotated

import typer

from marubatsu.pipeline.cli.agent_options import chosen_limits
from marubatsu.pipeline.cli.shared import (
    DEFAULT_GAME,
    DataOption,
    FormatOption,
    GameArgument,
    OutputOption,
    ais_here,
    app,
    data_set_of,
)
from marubatsu.pipeline.rows.formats import Format


@app.command()
def search(
    game: GameArgument = DEFAULT_GAME,
    board: Annotated[
        str | None,
        typer.Argument(
            metavar="[BOARD]", help="Cells row by row, or moves; without it, the empty board."
        ),
    ] = None,
    *,
    algorithm: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="minimax, alphabeta, scout, mtdf, nullwindow, depth_limited, "
            "iterative_deepening, pvs or monte_carlo.",
        ),
    ] = "alphabeta",
    ordering: Annotated[
        str | None,
        typer.Option(
            metavar="AI",
            help="Search its moves first: a name as in `marubatsu ais`, or file.py:function.",
            autocompletion=ais_here,
        ),
    ] = None,
    order_all: Annotated[
        bool, typer.Option("--order-all", help="Sort all moves by the ordering's scores.")
    ] = False,
    evaluation: Annotated[
        str | None,
        typer.Option(
            metavar="AI",
            help="Value positions at the depth: ai14s, or file.py:function.",
            autocompletion=ais_here,
        ),
    ] = None,
    depth: Annotated[
        int | None, typer.Option(metavar="PLIES", help="Search so many plies, then evaluate.")
    ] = None,
    table: Annotated[
        bool, typer.Option("--table", help="Remember the bounds of positions and their images.")
    ] = False,
    shortest_victory: Annotated[
        bool, typer.Option("--shortest-victory", help="Score quick wins higher.")
    ] = False,
    init_window: Annotated[
        bool, typer.Option("--init-window", help="Start with the range of scores.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option(metavar="SEED", help="Draw among equal heads, or playouts.")
    ] = None,
    data: DataOption = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Search a position, and compare the nodes with those of our orderings.

    An ordering is a function of a board and its legal moves; it returns the moves to search first,
    or a mapping from moves to scores. An evaluation is a function of a board; it returns its value
    for the side to move.

    Example: marubatsu search tictactoe o...x...o --ordering ai14s --table
    Example: marubatsu search tictactoe --ordering examples/corners.py:choose
    Example: marubatsu search 4x4k4 --algorithm depth_limited --depth 2 --evaluation ai10s
    """
    from marubatsu.engine.rules.position import EMPTY
    from marubatsu.engine.rules.reading import read_position
    from marubatsu.engine.search.options import algorithm_of
    from marubatsu.pipeline.agents.players import Players
    from marubatsu.pipeline.playing.searches_compared import COLUMNS, compared
    from marubatsu.pipeline.rows.output import destination, write
    from marubatsu.pipeline.support.progress import progress

    data_set = data_set_of(game, data)
    position = EMPTY if board is None else read_position(data_set.game, board)
    with Players(data_set, chosen_limits()) as players, progress("searching") as advance:
        rows = compared(
            data_set.game,
            position,
            algorithm_of(algorithm),
            ordering=None if ordering is None else players.ordering(ordering),
            evaluation=None if evaluation is None else players.evaluation(evaluation),
            progress=advance,
            order_all=order_all,
            max_depth=depth,
            use_table=table,
            shortest_victory=shortest_victory,
            init_window=init_window,
            seed=seed,
        )
    with destination(output) as out:
        write(COLUMNS, rows, format_, out)
