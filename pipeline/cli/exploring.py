"""Commands that show a game as a page."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from marubatsu.pipeline.cli.options.agent_options import chosen_limits
from marubatsu.pipeline.cli.options.shared import (
    ADDRESS_HELP,
    DEFAULT_GAME,
    DataOption,
    GameOption,
    app,
    data_set_of,
    outside_data,
)
from marubatsu.pipeline.support.errors import UsageError

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
    data: DataOption = None,
) -> None:
    """Show a built or solved game as a page, from a server on this machine; Ctrl-C ends it.

    It shows the data as it is when the server starts, and builds need not wait for it.

    Example: marubatsu explore --no-browser --port 0
    Example: marubatsu explore --ai examples/corners.py:choose
    """
    from marubatsu.pipeline.support.progress import say_waiting
    from marubatsu.pipeline.web.app import open_app
    from marubatsu.pipeline.web.serving import serve

    if not 0 <= port <= _GREATEST_PORT:
        raise UsageError(f"--port {port}: expected 0 to {_GREATEST_PORT}")
    data_set = data_set_of(game, data)
    with open_app(data_set, say_waiting, ai or (), chosen_limits()) as application:
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

    Example: marubatsu site --out site
    """
    from marubatsu.pipeline.support.progress import progress, say_waiting
    from marubatsu.pipeline.web.site import write_site

    with progress("site") as advance:
        files, size = write_site(data_set_of(game, data), out, say_waiting, advance)
    print(f"{files} files, {size:,} bytes in {out}; a file server shows it, such as")
    print(f"python3 -m http.server --bind 127.0.0.1 --directory {out}")
