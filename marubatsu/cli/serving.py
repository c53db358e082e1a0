"""Commands that serve or write the page, and serve tools for language models."""

import sys
from contextlib import closing
from shlex import quote
from typing import Annotated

from marubatsu.cli.commands import app
from marubatsu.cli.options import (
    DEFAULT_GAME,
    DataOption,
    FolderOption,
    GameArgument,
    GameOption,
    flag,
    option,
)
from marubatsu.cli.search_options import ADDRESS_HELP, InterfaceOption, require_between
from marubatsu.judge.agents.agent_options import AgentOptions
from marubatsu.pipeline.stages.on_demand import built_if_quick, data_set_of
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.progress import progress

_GREATEST_PORT = 65_535


@app.command()
def explore(
    *,
    game: GameOption = DEFAULT_GAME,
    port: Annotated[int, option("PORT", "Port on 127.0.0.1; 0 takes any free port.")] = 8000,
    browser: Annotated[
        bool, flag("--browser/--no-browser", "Open the page in the browser.")
    ] = True,
    ai: Annotated[
        list[str] | None,
        option("AI", f"Another AI to play against and to ask; may be repeated. {ADDRESS_HELP}"),
    ] = None,
    cors: Annotated[
        bool, flag("--cors/--no-cors", "Let pages of other sites read the API.")
    ] = False,
    data: DataOption = None,
    interface: InterfaceOption = None,
    agents: AgentOptions,
) -> None:
    """Show games as a page, from a server on this machine; Ctrl-C ends it.

    It shows the data as it is when the server opens a game, and builds need not wait for it. A
    search answers about games without data; a small one is built first.

    Example: marubatsu explore --no-browser --port 0
    Example: marubatsu explore --ai examples/corners.py:choose
    Example: marubatsu explore --game connect4
    """
    from marubatsu.judge.agents.address import ais_at, settings_for
    from marubatsu.web.app import open_app, serve

    require_between("--port", port, 0, _GREATEST_PORT)
    if interface is not None and not ai:
        raise UsageError("--as is for a foreign AI: name it by --ai")
    data_set = built_if_quick(game, data)
    ais = ais_at(ai or (), data_set, interface)
    with open_app(data_set, ais, settings_for(ais, agents), is_shared=cors) as application:
        serve(application, data_set.game.name, port, opens_browser=browser, out=sys.stdout)


@app.command()
def mcp(game: GameArgument = DEFAULT_GAME, *, data: DataOption = None) -> None:
    """Serve values, reviews and SQL to a language model, as an MCP server.

    Its tools are games, evaluate, best_moves, review and sql, for any game. GAME is opened at once.
    Each request has the limits of one to `marubatsu explore`.

    Example: marubatsu mcp
    Example: marubatsu mcp connect4
    """
    from marubatsu.web.games import OpenGames, open_game
    from marubatsu.web.mcp_tools import add_tools, new_server

    server = new_server()
    data_set = built_if_quick(game, data)
    with open_game(data_set) as first, closing(OpenGames(first, data_set)) as games:
        add_tools(server, games)
        server.run("stdio")


@app.command()
def site(
    *,
    out: FolderOption,
    game: GameOption = DEFAULT_GAME,
    url: Annotated[
        str | None,
        option("URL", "Future address of the site; links to it then show a preview card."),
    ] = None,
    data: DataOption = None,
) -> None:
    """Write the page and its data as a static site, for any file host.

    The game needs its tables or its solution.

    Example: marubatsu site --out site
    """
    from marubatsu.pipeline.publishing.publication import checked_url
    from marubatsu.web.site import write_site

    address = checked_url(url)
    with progress("site") as advance:
        files, size = write_site(data_set_of(game, data), out, address, advance)
    print(f"{files} files, {size:,} bytes in {out}; a file server shows it, such as")
    print(f"python3 -m http.server --bind 127.0.0.1 --directory {quote(str(out))}")
