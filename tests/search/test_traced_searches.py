"""Traces of searches: complete for every algorithm, as in the table, and files for the page."""

import json
from pathlib import Path
from typing import Any

import pytest

import marubatsu as mb
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.layers import Event, EventKind
from marubatsu.engine.search.options import Algorithm, SearchError
from marubatsu.engine.search.roster import options_of
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.pipeline.laboratory import run_search
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.web.documents import Documents
from tests.helpers.processes.commands import Marubatsu, require_refused

LATE = "c1 d1 c2 d2 a1 b1 d3 c3 a2 b2 e1 f1"
"""Moves that leave 12 of 24 cells empty."""

TO_A_DEPTH = {"max_depth": 3, "evaluation": "ai14s"}
SEARCHES: list[tuple[str, dict[str, Any]]] = [
    ("minimax", {}),
    ("minimax", {"use_table": True}),
    ("alphabeta", {"ordering": "ai2s", "seed": 3}),
    ("alphabeta", {"ordering": lambda board, legal: legal[-1], "use_table": True}),
    ("scout", {"shortest_victory": True}),
    ("mtdf", {"use_table": True, "init_window": True}),
    ("nullwindow", {"ordering": "ai10s", "order_all": True}),
    ("depth_limited", TO_A_DEPTH),
    ("depth_limited", {**TO_A_DEPTH, "max_depth": 0}),
    ("iterative_deepening", {**TO_A_DEPTH, "use_table": True}),
    ("pvs", TO_A_DEPTH),
]


@pytest.mark.parametrize(("algorithm", "options"), SEARCHES)
@pytest.mark.parametrize("board", [None, "ox....", "oxo..x"])
def test_a_trace_enters_each_node_and_leaves_it(
    algorithm: str, options: dict[str, Any], board: str | None
) -> None:
    """It changes neither score nor nodes, and its events nest."""
    events: list[Event] = []
    found = mb.search(algorithm, board, game="3x2k2-misere", trace=events.append, **options)
    assert found == mb.search(algorithm, board, game="3x2k2-misere", **options)
    assert sum(event.kind is EventKind.ENTER for event in events) == found.nodes
    inside: list[tuple[int, ...]] = []
    for event in events:
        if event.kind is EventKind.ENTER:
            assert inside == [] or event.variation[:-1] == inside[-1]
            inside.append(event.variation)
        assert event.variation == inside[-1]
        if event.kind is EventKind.LEAVE:
            inside.pop()
    assert inside == []
    assert events[-1].score == found.score


def test_a_file_holds_the_events_of_the_table(root: Path, catalog: Catalog, tmp_path: Path) -> None:
    documents = Documents(open_oracle(DataSet(root, Game("tictactoe"))), catalog)
    traced = json.loads(documents.get("game.json"))["traces"]
    file = tmp_path / "trace.json"
    for about in traced:
        if about["entered"] > 300:
            continue
        names = ("ordering", "order_all", "shortest_victory", "init_window", "use_table",
                 "max_depth", "evaluation")  # fmt: skip
        options = {name: about[name] for name in names}
        found = mb.search(about["algorithm"], data=root, trace=file, **options)
        content = json.loads(file.read_text(encoding="utf-8"))
        document = json.loads(documents.get(f"traces/{about['search']}.json"))
        for name in ("algorithm", *names, "kinds", "codes", "cells"):
            assert content[name] == document[name], (about, name)
        assert (content["game"], content["board"]) == ("tictactoe", "." * 9)
        assert (content["score"], content["nodes"]) == (found.score, found.nodes)


def test_a_command_writes_the_trace_of_its_search(marubatsu: Marubatsu, tmp_path: Path) -> None:
    own, file = tmp_path / "mine.py", tmp_path / "trace.json"
    own.write_text("def choose(board, moves):\n    return moves[-1]\n", encoding="utf-8")
    options = ("--ordering", f"{own}:choose", "--format", "json", "--trace", str(file))
    done = marubatsu("search", "2x2k2", "o...", *options)
    rows = json.loads(done.stdout)
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["nodes"] == rows[0]["nodes"] == len(content["cells"])
    assert content["ordering"] == rows[0]["ordering"] == f"{own}:choose"
    assert content["board"] == "o..."
    assert len(rows) == 16


def test_searches_without_a_trace_are_refused(
    marubatsu: Marubatsu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_search, "MOST_EVENTS", 5)
    file = tmp_path / "trace.json"
    for options, message in (
        (["2x2k2"], "the search makes more than 5 events"),
        (["2x2k2", "--algorithm", "monte_carlo"], "monte_carlo has no window, and so no trace"),
        (["2x2k2", "--techniques", "killers"], "alphabeta on bitboards leaves no trace"),
    ):
        done = marubatsu("search", *options, "--trace", str(file))
        require_refused(done, message)
        assert done.stderr.count("\n") == 1
    with pytest.raises(mb.InputError, match=r"searches to the end.* the option time, name a later"):
        mb.search("alphabeta", game="connect4", trace=file)
    with pytest.raises(SearchError, match="more than 5 events"):
        mb.search(game="2x2k2", trace=file)
    assert list(tmp_path.iterdir()) == []


def test_a_search_into_a_file_goes_on_with_a_table_too(tmp_path: Path) -> None:
    options = options_of(Algorithm.ALPHABETA, use_table=True)
    graph = Graph(new_board(Game("3x2k2")))
    shared = Search(options, graph, goes_on=True)
    shared.count(EMPTY)
    file = tmp_path / "trace.json"
    assert run_search.run_search(graph, EMPTY, options, trace=file, shared=shared).nodes == 1
    assert len(json.loads(file.read_text(encoding="utf-8"))["cells"]) == 1


def test_a_late_position_of_a_large_game_is_searched_to_the_end() -> None:
    """With 12 empty cells or fewer; algorithms that cut differently agree."""
    found = [
        mb.search(algorithm, LATE, game="6x4k4-gravity", use_table=True)
        for algorithm in ("minimax", "alphabeta", "mtdf")
    ]
    assert len({(each.score, each.best_moves) for each in found}) == 1
    assert len({each.nodes for each in found}) == 3
    deepest: Any = {"max_depth": 99, "evaluation": "ai14s"}
    for algorithm, options in (("alphabeta", {}), ("depth_limited", deepest)):
        with pytest.raises(mb.InputError, match=f"{algorithm} searches to the end"):
            mb.search(algorithm, LATE[:-3], game="6x4k4-gravity", **options)


def test_an_exception_of_the_trace_function_ends_the_search() -> None:
    def enough(event: Event) -> None:
        raise StopIteration

    with pytest.raises(StopIteration):
        mb.search(trace=enough)
