"""Commands about boards and environments: check one against the rules, measure boards."""

from pathlib import Path
from typing import Annotated

import typer

from marubatsu.cli.commands import Command
from marubatsu.cli.options.shared import (
    DEFAULT_GAME,
    FormatOption,
    GameOption,
    OutputOption,
    app,
    outside_data,
)
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.tables.formats import Format

bench_app = typer.Typer(
    help="Measure speed and assert the answers.\n\nExample: marubatsu bench boards",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
app.add_typer(bench_app, name="bench")

_MOST = 1_000_000


@app.command()
def conform(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="MODULE:CLASS",
            help="file.py:Class, package.module:Class, or one of our boards by name.",
        ),
    ],
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Check a board class of your own against every law; exit 1 when it breaks one.

    It uses all 5,478 positions of 3x3 and samples of other boards. The class is a subclass of
    marubatsu.engine.boards.board.Board, takes a game, and runs in this process.

    Example: marubatsu conform examples/dict_board.py:DictBoard
    """
    from marubatsu.pipeline.checking.board_check import (
        COLUMNS,
        examine,
        find_board,
        rows,
        tell,
    )
    from marubatsu.pipeline.support.progress import progress
    from marubatsu.pipeline.tables.output import destination, write

    new = find_board(spec)
    with progress("conform") as advance:
        found = examine(new, advance)
    with destination(output) as out:
        write(COLUMNS, rows(found), format_, out)
        if format_ is Format.TABLE:
            out.write("\n" + tell(found))
    if not found.holds:
        raise typer.Exit(1)


@app.command("conform-env")
def conform_env(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="pettingzoo:tictactoe_v3, openspiel:mnk(m=4,n=3,k=3), pgx:connect_four, "
            "kaggle:connectx(columns=5,rows=4,inarow=3), file.py:Class or package.module:Class.",
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option(
            "--game", "-g", metavar="GAME", help="The game of a class (default: tictactoe)."
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Play N random games (default: every move of every position of a small game, "
            "100 games of a larger one).",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the random games.")] = 0,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND",
            help="Do not fail for this kind of difference, named as in the table; repeatable.",
        ),
    ] = None,
    format_: FormatOption = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Walk an environment of somebody else beside our rules; exit 1 when they differ.

    It compares legal moves, turn, end, winner, rewards, observations and the answers to illegal
    moves, and names the shortest line found to each difference. The package of the environment must
    be installed where marubatsu runs; a class answers the questions in docs/environments.md.

    Example: marubatsu conform-env pettingzoo:tictactoe_v3
    """
    from marubatsu.engine.rules.game import Game
    from marubatsu.engine.rules.input_error import quote
    from marubatsu.judge.bridges.conformance import COLUMNS, rows, tell, walk
    from marubatsu.judge.bridges.environment_walk import KINDS
    from marubatsu.judge.bridges.environments import find_environment
    from marubatsu.pipeline.support.progress import progress
    from marubatsu.pipeline.tables.output import destination, write

    if sample is not None and not 1 <= sample <= _MOST:
        raise UsageError(f"--sample {sample}: expected 1 to {_MOST:,} games")
    accepted = accept or []
    if unknown := [kind for kind in accepted if kind not in KINDS]:
        raise UsageError(f"--accept {quote(unknown[0])}: expected one of {', '.join(KINDS)}")
    environment = find_environment(spec, None if game is None else Game(game))
    with progress("conform-env") as advance:
        found = walk(environment, sample, seed, advance)
    with destination(output) as out:
        write(COLUMNS, rows(found), format_, out)
        if format_ is Format.TABLE:
            out.write("\n" + tell(environment, found, accepted))
    if not found.agrees(accepted):
        raise typer.Exit(1)


@bench_app.command(cls=Command)
def boards(
    board: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BOARD", help="Only this one, or one of your own as file.py:Class; repeatable."
        ),
    ] = None,
    game: GameOption = DEFAULT_GAME,
    pairs: Annotated[int, typer.Option(metavar="N", help="Pairs of games in a run.")] = 500,
    repeats: Annotated[int, typer.Option(metavar="N", help="Rounds that count.")] = 7,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw the figures: a name in .svg or .png.",
            callback=outside_data,
        ),
    ] = None,
    format_: Annotated[
        Format,
        typer.Option(
            "--format",
            "-f",
            help="How to write the figures: table, markdown and json tell all of them, the others "
            "one row for each board and measure.",
        ),
    ] = Format.TABLE,
    output: OutputOption = None,
) -> None:
    """Measure matches, searches and single calls on every board.

    The published figures stand beside ours.

    Example: marubatsu bench boards --pairs 2000 --plot boards.svg
    """
    from marubatsu.engine.boards.kinds import boards_of
    from marubatsu.engine.rules.game import Game
    from marubatsu.pipeline.checking.board_check import find_board
    from marubatsu.pipeline.laboratory import figures, measure
    from marubatsu.pipeline.laboratory.plot import plot as draw
    from marubatsu.pipeline.laboratory.plot import require_format
    from marubatsu.pipeline.support.progress import progress
    from marubatsu.pipeline.tables.output import destination, write

    for number, name in ((pairs, "pairs"), (repeats, "repeats")):
        if not 1 <= number <= _MOST:
            raise UsageError(f"--{name} {number}: expected 1 to {_MOST:,}")
    if plot is not None:
        require_format(plot)
    parsed = Game(game)
    chosen = {name: find_board(name) for name in board} if board else boards_of(parsed)
    with progress("bench") as advance:
        found = measure.bench(chosen, parsed, pairs=pairs, repeats=repeats, progress=advance)
    with destination(output) as out:
        match format_:
            case Format.JSON:
                figures.write_json(found, chosen, out)
            case Format.TABLE | Format.MARKDOWN:
                out.write(figures.render(found, chosen, format_))
            case _:
                write(measure.FIGURES, measure.rows(found), format_, out)
    if plot is not None:
        draw(found, plot)
