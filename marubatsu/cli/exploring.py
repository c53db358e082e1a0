"""Commands that show a game to others: as a page, and to programs that speak GTP."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from marubatsu.cli.options.agent_options import chosen_limits
from marubatsu.cli.options.shared import (
    ADDRESS_HELP,
    DEFAULT_FIRST,
    DEFAULT_GAME,
    DataOption,
    FirstOption,
    GameArgument,
    GameOption,
    TimeOption,
    ais_here,
    app,
    outside_data,
)
from marubatsu.judge.bridges.actions import Moves
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.search_limits import MOVE_SECONDS, checked_time

_GREATEST_PORT = 65_535


@app.command()
def explore(
    *,
    game: GameOption = DEFAULT_GAME,
    port: Annotated[
        int, typer.Option(metavar="PORT", help="Port on 127.0.0.1; 0 takes any free port.")
    ] = 8000,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    ai: Annotated[
        list[str] | None,
        typer.Option(
            metavar="AI",
            help=f"One more AI to play against and to ask; may be repeated. {ADDRESS_HELP}",
        ),
    ] = None,
    cors: Annotated[
        bool, typer.Option("--cors/--no-cors", help="Let pages of other sites read the API.")
    ] = False,
    first: FirstOption = DEFAULT_FIRST,
    data: DataOption = None,
) -> None:
    """Show games as a page, from a server on this machine; Ctrl-C ends it.

    It shows the data as it is when the server opens a game, and builds need not wait for it. A
    search answers about games without data; a small one is built first.

    Example: marubatsu explore --no-browser --port 0
    Example: marubatsu explore --ai examples/corners.py:choose
    Example: marubatsu explore --game connect4
    """
    from marubatsu.pipeline.stages.on_demand import data_on_demand, data_set_of
    from marubatsu.pipeline.support.progress import say_waiting
    from marubatsu.web.app import open_app
    from marubatsu.web.serving import serve

    if not 0 <= port <= _GREATEST_PORT:
        raise UsageError(f"--port {port}: expected 0 to {_GREATEST_PORT}")
    named = data_set_of(game, data)
    data_set = data_on_demand(named.game, named.root)
    opened = open_app(data_set, say_waiting, ai or (), chosen_limits(first), is_shared=cors)
    with opened as application:
        serve(application, data_set.game.name, port, opens_browser=browser, out=sys.stdout)


@app.command()
def site(
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR",
            help="Folder to write; an older site is replaced.",
            callback=outside_data,
        ),
    ],
    game: GameOption = DEFAULT_GAME,
    data: DataOption = None,
) -> None:
    """Write the page and its data as a static site, for any file host.

    The game needs its tables or its solution.

    Example: marubatsu site --out site
    """
    from marubatsu.pipeline.stages.on_demand import data_set_of
    from marubatsu.pipeline.support.progress import progress, say_waiting
    from marubatsu.web.site import write_site

    with progress("site") as advance:
        files, size = write_site(data_set_of(game, data), out, say_waiting, advance)
    print(f"{files} files, {size:,} bytes in {out}; a file server shows it, such as")
    print(f"python3 -m http.server --bind 127.0.0.1 --directory {out}")


@app.command()
def gtp(
    *,
    game: GameArgument = DEFAULT_GAME,
    ai: Annotated[
        str,
        typer.Option(
            metavar="AI", help=f"The AI that plays. {ADDRESS_HELP}", autocompletion=ais_here
        ),
    ] = "perfect",
    seed: Annotated[
        int | None, typer.Option(metavar="SEED", help="Seed of the AI's choices (default: random).")
    ] = None,
    moves: Annotated[
        Moves, typer.Option(help="How moves are written: a1, or as OpenSpiel does, x(2,0) or x0.")
    ] = Moves.VERTICES,
    time: TimeOption = MOVE_SECONDS,
    first: FirstOption = DEFAULT_FIRST,
    data: DataOption = None,
) -> None:
    """Play and answer as a GTP engine, on standard input and output, until quit or their end.

    Black moves first, and is circle. The command list_commands lists what the engine knows;
    marubatsu-answer tells the value of the position and of each move, as JSON.

    Example: marubatsu gtp tictactoe < session.gtp
    Example: marubatsu gtp connect4 --time 10
    Example: marubatsu gtp tictactoe --ai ai14s --seed 7 --moves openspiel
    """
    from functools import partial
    from random import Random

    from marubatsu.judge.agents.players import Players
    from marubatsu.judge.bridges.gtp import GtpEngine
    from marubatsu.judge.bridges.our_players import AIPlayer
    from marubatsu.judge.oracle.opening import oracle_on_demand
    from marubatsu.pipeline.stages.on_demand import data_set_of

    if seed is not None and seed < 0:
        raise UsageError(f"--seed {seed}: expected 0 or more")
    data_set, seconds = data_set_of(game, data), checked_time(time)
    with Players(data_set, chosen_limits(first), seconds) as players, suppress(KeyboardInterrupt):
        random = Random(seed)  # noqa: S311, it is a game
        player = AIPlayer(data_set.game, players.player(ai), random)
        engine = GtpEngine(player, partial(oracle_on_demand, data_set, seconds), moves)
        engine.serve(sys.stdin, sys.stdout)
