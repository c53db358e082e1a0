"""What a language model may ask over MCP, and the server of these tools.

The docstrings of the tools are what the model reads. Each request has the limits of one to the
page's server: a search has `SECONDS`, a query the time, memory and rows of `web.games`.
"""

import json
import re
from typing import TYPE_CHECKING, Any

from anyio import from_thread

from marubatsu.engine.notations.reading import BoardLike
from marubatsu.engine.notations.signs import first_note
from marubatsu.engine.rules.input_error import InputError, expectation, one_of, quote
from marubatsu.engine.rules.numbering import cell_name, numbering_of
from marubatsu.engine.rules.position import Position, Side, Status
from marubatsu.judge.oracle.answer import Answer, BoundedAnswer
from marubatsu.judge.review.game_logs import RecordedGames, require_no_doubt
from marubatsu.judge.review.recorded_game import LogFile
from marubatsu.pipeline.support.errors import MarubatsuError, UsageError, harmless
from marubatsu.pipeline.support.importing import not_installed
from marubatsu.pipeline.support.json_text import json_text
from marubatsu.version import __version__
from marubatsu.web.games import MOST_BODY, OpenGames, ReadAs, RequireClient, sentence_for_clients

if TYPE_CHECKING:
    from mcp.server import MCPServer

INSTRUCTIONS = (
    "Exact values of small board games such as tic-tac-toe and Connect Four. Ask instead of "
    "calculating: every score is proved, from circle's view unless its name says mover."
)

_MOVES = "the moves"  # what errors call a list of moves, as the name of a file
_OTHER_OPTION = re.compile("[;:] [^;:]*the option (?:results|first|columns) .*")
"""The cure by an option of reviews that the tool does not have."""


_KINDS = {"string_type": "a text", "string_unicode": "a text", "list_type": "a list"}
"""What is expected, by the type of an error of pydantic."""


class McpTools:
    """The tools. Their errors are those of the package, each one sentence."""

    def __init__(self, games: OpenGames, require_client: RequireClient = lambda: None) -> None:
        self._games, self._require_client = games, require_client

    def games(self) -> dict[str, Any]:
        """List the games that can be asked about, and what answers: tables, a solution or a search.

        A game is named COLUMNSxROWSkRUN with optional rules, as in 3x3k3-misere or 5x4k4-gravity;
        tictactoe is 3x3k3, connect4 is 7x6k4-gravity. Other games than those listed may be asked
        about too. Only games with tables answer SQL.
        """
        return {"games": self._games.rows()}

    def evaluate(
        self,
        position: str | list[Any],
        game: str = "tictactoe",
        first: str = "o",
        numbering: str | None = None,
    ) -> dict[str, Any]:
        """Evaluate a position exactly: its value, and the value of every legal move, best first.

        position: the cells row by row from the top (. empty, o circle, x cross; as in o...x....),
        or the moves so far, as in "a3 b2"; or a list of either. Column a is the left one, row 1
        the bottom one. Circle moves first; first="x" if x begins on the board: then x is circle, o
        in the answer. numbering: how moves are numbered, such as columns-from-1; without it, cells
        from 0, or names.

        score: the result with best play from circle's view: 1 circle wins, 0 draw, -1 cross wins.
        distance: plies (single moves) to the end, with the fastest win and the slowest loss. loss
        of a move: how much it lowers the mover's score, 0, 1 or 2; 0 is a best move. A move is the
        number of the cell that it fills, from 0 at the top left; name is the same as b2. A large
        game is searched for 5 seconds; then at_least and at_most bound score_sv, which is positive
        where circle wins, and the greater the sooner.
        """
        answer = self._answer(game, position, ReadAs(first, numbering))
        position_values = answer.to_json()
        for move in position_values["moves"]:
            move["name"] = cell_name(answer.game, move["move"])
        return {**_note(first), "summary": answer.summary, **_plain(position_values)}

    def best_moves(
        self,
        position: str | list[Any],
        game: str = "tictactoe",
        first: str = "o",
        numbering: str | None = None,
    ) -> dict[str, Any]:
        """List all best moves of a position, and the result that they lead to.

        The parameters are those of evaluate. best_moves: names such as b2 (column a is the left
        one, row 1 the bottom one); cells: their numbers, from 0 at the top left, row by row.
        is_proved is false where the search of a large game was stopped after 5 seconds: the moves
        are then those that look best so far.
        """
        answer = self._answer(game, position, ReadAs(first, numbering))
        if answer.turn is None:
            raise UsageError(
                f"{quote(position)} is {answer.summary}: expected a position with moves"
            )
        moves = answer.promising if isinstance(answer, BoundedAnswer) else answer.best_moves
        return {
            **_note(first),
            "board": answer.board,
            "turn": answer.turn,
            "summary": answer.summary,
            "best_moves": [cell_name(answer.game, move) for move in moves],
            "cells": list(moves),
            "is_proved": bool(answer.best_moves),
        }

    def review(
        self, moves: str, game: str = "tictactoe", numbering: str | None = None
    ) -> dict[str, Any]:
        """Judge every move of one game, and name the mistakes of each side.

        moves: the moves from the empty board in one line, as in "b2 a3 c1" (column a is the left
        one, row 1 the bottom one) or in another numbering, such as columns-from-1 for "4 4 5".
        Names of players may come first, as in "ann - bob: b2 a3".

        score_mover: the value before the move for the side that moves: 1 it wins, 0 draw, -1 it
        loses. loss: how much the move lowers that, 0, 1 or 2; null where a search of 5 seconds for
        the whole game did not prove it. right of critical: best moves in positions where some
        legal move is not a best one. illegal: the number of the first illegal move, from 1; the
        moves from there on are not judged. after_the_end: how many moves follow the end of the
        game; they are not judged.
        """
        log = RecordedGames(game, None if numbering is None else numbering_of(numbering))
        try:
            log.read(LogFile(_MOVES, _short(moves, "moves").encode()), "moves")
        except UsageError as error:
            raise UsageError(_OTHER_OPTION.sub("; write only the moves", str(error))) from None
        (recorded,) = log.logs.values()
        if len(recorded) != 1:
            raise UsageError(f"moves holds {len(recorded):,} games: expected one, in one line")
        played = recorded.replay()
        require_no_doubt(recorded, played)
        boards = [
            Position(circle, cross)
            for circle, cross in zip(played.circle.tolist(), played.cross.tolist(), strict=True)
        ]
        with self._games.game(game) as opened:
            answers = opened.answer_all(boards, require_client=self._require_client)
        rows = [
            _judged(answer, cell)
            for answer, cell in zip(answers, played.cell.tolist(), strict=True)
        ]
        illegal, result = int(played.illegal[0]), int(played.result[0])
        return {
            "game": recorded.game.name,
            "result": None if result < 0 else Status(result).word,
            "illegal": None if illegal < 0 else illegal + 1,
            "after_the_end": int(played.beyond[0]),
            "sides": {side.word: _side(rows[side::2]) for side in Side},
            "moves": rows,
        }

    def sql(self, query: str, game: str = "tictactoe") -> dict[str, Any]:
        """Answer one SQL query (DuckDB's dialect) over the tables of a game; it can only read.

        "select * from catalog" does not exist: use "show tables" and "describe positions". Main
        views: positions (board, ply, turn, status, class, score, distance, best_moves, critical),
        moves (position, move, child, score, loss, is_best), classes, nodes, ais, ai_moves,
        splits. score is from circle's view; a move is a cell, from 0 at the top left.

        The query gets 10 seconds, 500 MB, and no file and no network; at most 1,000 rows come back,
        and more says whether there are others.
        """
        with self._games.game(game) as opened:
            if opened.data is None:
                raise UsageError(f"{opened.why_no_tables}; `games` lists those with tables")
            return _plain(opened.query(_short(query, "query"), self._require_client))

    def _answer(self, game: str, position: BoardLike, how: ReadAs) -> Answer | BoundedAnswer:
        _short(position if isinstance(position, str) else json.dumps(position), "position")
        with self._games.game(game) as opened:
            return opened.answer_all([position], how, self._require_client)[0]


def _short(text: str, what: str) -> str:
    if len(text) > MOST_BODY:
        raise UsageError(f"{what} has {len(text):,} characters: expected at most {MOST_BODY:,}")
    return text


def _note(first: str) -> dict[str, str]:
    note = first_note(first)
    return {} if note is None else {"note": note}


def _plain(content: dict[str, Any]) -> dict[str, Any]:
    """Return what JSON holds, as the page's server writes it."""
    plain: dict[str, Any] = json.loads(json_text(content, is_ascii=False))
    return plain


def _judged(answer: Answer | BoundedAnswer, cell: int) -> dict[str, Any]:
    (move,) = (each for each in answer.moves if each.move == cell)
    side = Side(answer.ply % 2)
    losses = [each.loss for each in answer.moves]
    return {
        "number": answer.ply + 1,
        "side": side.word,
        "move": cell_name(answer.game, cell),
        "board": answer.board,
        "score_mover": None if answer.score is None else side.sign * answer.score,
        "loss": move.loss,
        "best_moves": [cell_name(answer.game, best) for best in answer.best_moves],
        "critical": None if None in losses else any(losses),
    }


def _side(rows: list[dict[str, Any]]) -> dict[str, Any]:
    losses = [row["loss"] for row in rows if row["loss"] is not None]
    critical = [row for row in rows if row["critical"]]
    return {
        "moves": len(rows),
        "judged": len(losses),
        "critical": len(critical),
        "right": sum(row["loss"] == 0 for row in critical),
        "score_lost": sum(losses),
        "mistakes": [row["number"] for row in rows if row["loss"]],
    }


def new_server() -> "MCPServer":
    """Return a server without tools. Raises ModuleNotFoundError where MCP is not installed."""
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    class Server(MCPServer):  # type: ignore[misc]
        """A server whose errors are sentences; it refuses arguments that a tool does not have."""

        async def call_tool(self, name: str, arguments: dict[str, Any], *others: Any) -> Any:
            known = {each.name: each.input_schema["properties"] for each in await self.list_tools()}
            if name not in known:
                raise ToolError(harmless(f"no tool {quote(name)}: {expectation(name, known)}"))
            for unknown in (each for each in arguments if each not in known[name]):
                expected = expectation(unknown, known[name]) if known[name] else "expected none"
                raise ToolError(harmless(f"no argument {quote(unknown)}: {expected}"))
            try:
                return await super().call_tool(name, arguments, *others)
            except ToolError as error:
                if sentence := _sentence_of(error.__cause__):
                    raise ToolError(harmless(sentence)) from None
                raise

    return Server("marubatsu", instructions=INSTRUCTIONS, version=__version__, log_level="ERROR")


def _sentence_of(error: BaseException | None) -> str:
    """Say what a command says of an error; "" for a defect."""
    match error:
        case InputError() | MarubatsuError():
            return sentence_for_clients(error)
        case ModuleNotFoundError():
            return str(not_installed(error) or "")
    errors = getattr(error, "errors", None)  # of pydantic
    return "" if errors is None else _wrong_argument(errors())


def _wrong_argument(errors: list[dict[str, Any]]) -> str:
    """Return the sentence for errors of pydantic: what the first wrong argument should be."""
    name, given = errors[0]["loc"][0], errors[0]["input"]
    if errors[0]["type"] == "missing":
        return f"expected the argument {quote(name)}"
    expected = one_of(_KINDS[each["type"]] for each in errors if each["loc"][0] == name)
    return f"{name}={quote(given)}: expected {expected}"


def add_tools(server: "MCPServer", games: OpenGames) -> None:
    """Add the tools, about some games; ``server.run("stdio")`` answers until the input ends."""
    tools = McpTools(games, from_thread.check_cancelled)
    for tool in (tools.games, tools.evaluate, tools.best_moves, tools.review, tools.sql):
        server.add_tool(tool)
