"""The server for language models: MCP over standard input and output."""

import functools
from collections.abc import Callable
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from marubatsu.engine.rules.input_error import InputError
from marubatsu.pipeline.support.errors import MarubatsuError, harmless
from marubatsu.pipeline.support.extras import not_installed
from marubatsu.version import __version__
from marubatsu.web.games import OpenGames, without_hint
from marubatsu.web.mcp_tools import McpTools

INSTRUCTIONS = (
    "Exact values of small board games such as tic-tac-toe and Connect Four. Ask instead of "
    "calculating: every score is proved, from circle's view unless its name says mover."
)


def serve(games: OpenGames) -> None:
    """Answer until standard input ends."""
    server_of(games).run("stdio")


def server_of(games: OpenGames) -> MCPServer:
    """Return the server with its tools."""
    server = MCPServer(
        "marubatsu", instructions=INSTRUCTIONS, version=__version__, log_level="ERROR"
    )
    tools = McpTools(games)
    for tool in (tools.games, tools.evaluate, tools.best_moves, tools.review, tools.sql):
        server.add_tool(_telling_errors(tool))
    return server


def _telling_errors(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Return a tool whose errors are sentences for the model, as those of a command are."""

    @functools.wraps(tool)
    def answering(*arguments: Any, **named: Any) -> dict[str, Any]:
        try:
            return tool(*arguments, **named)
        except (InputError, MarubatsuError) as error:
            raise ToolError(harmless(without_hint(error))) from None
        except ModuleNotFoundError as error:
            lacking = not_installed(error)
            if lacking is None:
                raise
            raise ToolError(str(lacking)) from None

    return answering
