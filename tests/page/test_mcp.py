"""The tools for language models, without a transport: what they answer and refuse."""

import asyncio
import os
import re
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from errno import ENOSPC
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from anyio import move_on_after

from marubatsu.engine.rules.game import Game
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.pipeline.sql.sandbox import QueryLimits
from marubatsu.pipeline.support.errors import MarubatsuError
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.web import games
from marubatsu.web.games import MOST_ROWS
from marubatsu.web.mcp_tools import McpTools, add_tools, new_server
from tests.helpers.frameworks import stand_ins
from tests.helpers.frameworks.stand_ins import ToolError, modules
from tests.helpers.processes.commands import require_refused, run_here

ENDLESS = "select count(*) from range(1000000000) a, range(100000) b"


@pytest.fixture(scope="module")
def opened(root: Path) -> Iterator[games.OpenGames]:
    data_set = DataSet(root, Game("tictactoe"))
    with games.open_game(data_set) as first, closing(games.OpenGames(first, data_set)) as every:
        yield every


@pytest.fixture(scope="module")
def tools(opened: games.OpenGames) -> McpTools:
    return McpTools(opened)


@pytest.mark.parametrize(
    "position", ["o...x...o", "a3 b2 c1", ["o", "", "", "", "x", "", "", "", "o"], [0, 4, 8]]
)
def test_a_value_is_that_of_the_oracle(
    position: str | list[Any], tools: McpTools, root: Path
) -> None:
    document = tools.evaluate(position)
    oracle = open_oracle(DataSet(root, Game("tictactoe")))
    answer = oracle.answer("o...x...o")
    for name in ("summary", "score", "distance"):
        assert document[name] == getattr(answer, name)
    moves = [(each["move"], each["name"], each["loss"]) for each in document["moves"]]
    assert moves[:2] == [(1, "b3", 0), (3, "a2", 0)]
    assert [loss for _, _, loss in moves] == [each.loss for each in answer.moves]


def test_the_best_moves_have_names_and_cells(tools: McpTools) -> None:
    assert tools.best_moves("xo.......", first="x") == {
        "note": "x begins on your boards: it is o, circle, in what follows",
        "board": "ox.......",
        "turn": "circle",
        "summary": "circle to move: circle wins in 5 plies with best play",
        "best_moves": ["a2", "b2", "a1"],
        "cells": [3, 4, 6],
        "is_proved": True,
    }


def test_a_review_names_the_mistakes(tools: McpTools) -> None:
    answer = tools.review("ann - bob: b2 b3 a3 c1 a2 a1 c2")
    assert (answer["result"], answer["illegal"], len(answer["moves"])) == ("circle", None, 7)
    assert answer["sides"]["circle"] == {
        "moves": 4, "judged": 4, "critical": 3, "right": 3, "score_lost": 0, "mistakes": [],
    }  # fmt: skip
    assert answer["sides"]["cross"]["mistakes"] == [2]
    assert answer["moves"][1] == {
        "number": 2, "side": "cross", "move": "b3", "board": "....o....", "score_mover": 0,
        "loss": 1, "best_moves": ["a3", "c3", "a1", "c1"], "critical": True,
    }  # fmt: skip
    assert tools.review("1 9 1", numbering="cells-from-1")["illegal"] == 3
    assert answer["after_the_end"] == 0
    assert tools.review("b2 b3 a3 c1 a2 a1 c2 c3")["after_the_end"] == 1


@pytest.mark.parametrize("moves", ["4 0 8 resigns", "4 0 8 X wins", "first,second,moves", "4 0 e"])
def test_a_review_names_no_option_that_it_lacks(tools: McpTools, moves: str) -> None:
    with pytest.raises(MarubatsuError, match=r"; write only the moves$"):
        tools.review(moves)


def test_a_large_game_is_searched_within_its_time(
    tools: McpTools, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "SECONDS", 0.02)
    answer = tools.best_moves("d1", "6x6k4-gravity")
    assert (answer["is_proved"], len(answer["best_moves"])) == (False, 6)
    assert tools.evaluate("d1", "6x6k4-gravity")["score"] is None
    answer = tools.best_moves("." * 42, "connect4")
    assert (answer["is_proved"], answer["best_moves"]) == (True, ["d1"])
    assert {each["source"] for each in tools.games()["games"]} >= {"tables", "search"}


def test_the_model_reads_the_limits_that_hold(tools: McpTools) -> None:
    for tool in (tools.evaluate, tools.best_moves, tools.review):
        assert f"{games.SECONDS:g} seconds" in str(tool.__doc__)
    query = f"{games.LIMITS.seconds:g} seconds, {games.LIMITS.memory // 10**6} MB"
    assert query in str(tools.sql.__doc__)
    assert f"at most {MOST_ROWS:,} rows" in str(tools.sql.__doc__)


def test_sql_comes_with_its_limits(tools: McpTools, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = tools.sql("select board, score from positions order by position limit 2")
    rows = [[".........", 0], ["o........", 0]]
    assert answer == {"columns": ["board", "score"], "rows": rows, "more": False}
    many = tools.sql("from positions")
    assert (len(many["rows"]), many["more"]) == (MOST_ROWS, True)
    with pytest.raises(MarubatsuError, match="SQL reads no files here"):
        tools.sql("select * from read_csv('/etc/passwd')")
    monkeypatch.setattr(games, "LIMITS", QueryLimits(seconds=0.2))
    with pytest.raises(MarubatsuError, match=r"stopped after 0\.2 s"):
        tools.sql(ENDLESS)
    with pytest.raises(MarubatsuError, match="connect4 has no tables here"):
        tools.sql("select 1", "connect4")


@pytest.fixture
def server(opened: games.OpenGames, monkeypatch: pytest.MonkeyPatch) -> Any:
    for name, module in modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    made = new_server()
    add_tools(made, opened)
    return made


@pytest.mark.usefixtures("server")
def test_output_that_cannot_be_written_ends_the_server_with_a_sentence(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = ExceptionGroup("of tasks", [OSError(ENOSPC, os.strerror(ENOSPC))])
    monkeypatch.setattr(stand_ins.MCPServer, "run", mock.Mock(side_effect=full))
    done = run_here("mcp", data=root)
    require_refused(done, "marubatsu: cannot write the output: No space left on device\n", 1)


def call(server: Any, tool: str, arguments: dict[str, Any]) -> Any:
    """Call a tool in a thread of its own: a browser of other tests may have a loop in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(lambda: asyncio.run(server.call_tool(tool, arguments))).result()


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("evaluate", {"position": "a3", "time": 60},
         "no argument 'time': expected position, game, first, numbering"),
        ("review", {"moves": "a3", "first": "x"},
         "no argument 'first': expected moves, game, numbering"),
        ("sql", {"query": "select 1", "gane": "4x4k4"}, "no argument 'gane': did you mean game?"),
        ("games", {"game": "connect4"}, "no argument 'game': expected none"),
        ("evalute", {}, "no tool 'evalute': did you mean evaluate?"),
        ("evaluate", {}, "expected the argument 'position'"),
        ("evaluate", {"position": 4, "game": 3}, "position=4: expected a text or a list"),
        ("evaluate", {"position": "a3", "numbering": 1}, "numbering=1: expected a text"),
        ("review", {"moves": ["b2"]}, "moves=['b2']: expected a text"),
    ],
)  # fmt: skip
def test_an_argument_that_a_tool_does_not_take_is_refused(
    tool: str, arguments: dict[str, Any], sentence: str, server: Any
) -> None:
    with pytest.raises(ToolError, match=f"^{re.escape(sentence)}$"):
        call(server, tool, arguments)


WRONG: dict[str, list[dict[str, Any]]] = {
    "evaluate": [{"position": "oox"}, {"position": "a3", "game": "oops"},
                 {"position": "x" * 100_001}, {"position": ["o"] * 25_000}],
    "best_moves": [{"position": "ooo.xx..."}, {"position": "a3", "numbering": "oops"}],
    "review": [{"moves": ""}, {"moves": "b2\nb2"}, {"moves": "z9"}],
    "sql": [{"query": "selec"}, {"query": "select $a"}, {"query": "x" * 100_001}],
}  # fmt: skip


@pytest.mark.parametrize("tool", WRONG)
def test_every_error_is_a_sentence_for_the_model(tool: str, server: Any) -> None:
    for arguments in WRONG[tool]:
        with pytest.raises(ToolError) as raised:
            call(server, tool, arguments)
        assert 10 < len(str(raised.value)) < 500
        assert "--" not in str(raised.value)
        assert "option" not in str(raised.value)
        assert "tool" not in str(raised.value)


def test_a_cancelled_call_ends_its_query(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "LIMITS", QueryLimits(seconds=2))

    async def cancelled() -> None:
        with move_on_after(0.1):
            await server.call_tool("sql", {"query": ENDLESS})

    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, cancelled()).result()
