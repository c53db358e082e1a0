"""Adding a rule, an AI, a search option, a report or a column changes three places at most.

Each test adds a throw-away one to a copy of the sources, as docs/extending.md says, and uses it.
tests/docs/test_new_rules.py does so with rules of every kind.
"""

import re
from pathlib import Path

import pytest

from tests.helpers import CHECKOUT
from tests.helpers.processes.extended import Change, Extended
from tests.helpers.processes.throw_away_rules import STRAIGHT

MOST_PLACES = 3
GUIDE = (CHECKOUT / "docs" / "extending.md").read_text(encoding="utf-8")


AI_BY_RULE = [
    Change(
        "marubatsu/engine/ais/by_rule.py",
        "@rule\ndef ai1(",
        "@rule\n"
        "def last_cell(board: Board[Any]) -> Sequence[Any]:\n"
        '    """Take the last empty cell in row order."""\n'
        "    return board.legal_moves()[-1:]\n\n\n",
    ),
]
AI_BY_EVALUATION = [
    Change(
        "marubatsu/engine/ais/by_evaluation.py",
        "@evaluation\ndef ai1s(",
        "@evaluation\n"
        "def fewest_threats(state: Afterstate, *, weight: Number = -1) -> Number:\n"
        '    """Leave few lines that the opponent completes with one mark."""\n'
        "    return weight * state.threats\n\n\n",
    ),
]
SEARCH_OPTION = [  # Cells with even numbers first: on 3x3 the corners and the centre.
    Change(
        "marubatsu/engine/search/options.py",
        "    order_all: Annotated[",
        '    even_first: Annotated[bool, "Search the cells with even numbers first."]\n',
    ),
    Change(
        "marubatsu/engine/search/options.py",
        "    order_all: bool = False\n",
        "    even_first: bool = False\n",
    ),
    Change(
        "marubatsu/engine/search/driver.py",
        "        if self._choices is None:\n            return ascending\n",
        "        if self.options.even_first:\n"
        "            return lambda number, edges: sorted(edges, key=lambda edge: edge[0] % 2)\n",
    ),
]
REPORT = [
    Change(
        "queries/reports/centres.sql",
        "",
        "-- question: In how many positions does each side hold the centre?\n"
        "-- grain: one side\n"
        "-- needs: positions\n"
        "select board[5] as side, count(*) as positions\n"
        "from positions\n"
        "where board[5] <> '.'\n"
        "group by all\n"
        "order by all\n",
    ),
]
COLUMN = [
    Change(
        "marubatsu/pipeline/tables/schemas.py",
        '        _CRITICAL,\n        Column("random_circle"',
        '        Column("empty", INT8, "cells without a mark", unit="cells"),\n',
    ),
    Change(
        "marubatsu/pipeline/stages/make_positions.py",
        '        "critical": scores.critical,\n',
        '        "empty": (positions.game.cells - ply).astype(np.int8),\n',
    ),
    Change(
        "queries/checks/empty_cells.sql",
        "",
        "-- question: Does every position count its empty cells?\n"
        "-- grain: one position that does not\n"
        "-- needs: positions\n"
        "-- examines: positions\n"
        "select position, board, empty\n"
        "from positions\n"
        "where empty <> length(replace(replace(board, 'o', ''), 'x', ''))\n",
    ),
]
EXTENSIONS = {
    "rule": STRAIGHT,
    "AI by rule": AI_BY_RULE,
    "AI by evaluation": AI_BY_EVALUATION,
    "search option": SEARCH_OPTION,
    "report": REPORT,
    "column": COLUMN,
}


@pytest.fixture
def extended(request: pytest.FixtureRequest, tmp_path: Path) -> Extended:
    """Return the changed sources for the extension that the test names."""
    return Extended(tmp_path / "checkout", EXTENSIONS[request.param])


@pytest.mark.parametrize("name", EXTENSIONS)
def test_an_extension_changes_three_places_at_most(name: str) -> None:
    """The guide names each file, or the folder that holds it."""
    files = {change.file for change in EXTENSIONS[name]}
    assert len(files) <= MOST_PLACES
    for file in files:
        assert file in GUIDE or f"{Path(file).parent}/" in GUIDE


@pytest.mark.parametrize("extended", ["AI by rule"], indirect=True)
def test_a_new_ai_plays_is_audited_and_stands_in_the_tables(extended: Extended) -> None:
    extended.marubatsu("build", "2x2k2")
    found = extended.marubatsu(
        "sql",
        "select move from ai_moves where ai = 'last_cell' and position = 0 and is_candidate",
        "--game", "2x2k2", "--format", "csv",
    )  # fmt: skip
    assert found.split() == ["move", "3"]
    assert "last_cell" in extended.marubatsu("query", "strong", "--game", "2x2k2")
    assert "last_cell" in extended.marubatsu("match", "last_cell", "ai1", "--games", "10")
    assert "solves" in extended.marubatsu("audit", "last_cell", "--game", "2x2k2")


@pytest.mark.parametrize("extended", ["AI by evaluation"], indirect=True)
def test_a_new_evaluation_has_parameters_and_orders_searches(extended: Extended) -> None:
    assert "weight=-1" in extended.marubatsu("ais")
    played = extended.marubatsu("match", "fewest_threats:weight=1", "ai2", "--games", "10")
    assert "fewest_threats:weight=1" in played
    nodes = extended.python(
        "-c",
        "import marubatsu as mb\n"
        "found = mb.search('alphabeta', ordering='fewest_threats', order_all=True)\n"
        "print(found.score, found.nodes < 18297)",
    )
    assert nodes.split() == ["0", "True"]


@pytest.mark.parametrize("extended", ["search option"], indirect=True)
def test_a_new_search_option_visits_other_nodes(extended: Extended) -> None:
    """Python takes it as an argument, and the command line as an option that tells its meaning."""
    found = extended.python(
        "-c",
        "import marubatsu as mb\n"
        "for each in (False, True):\n"
        "    found = mb.search('alphabeta', even_first=each)\n"
        "    print(found.score, found.nodes)",
    )
    plain, other = (tuple(map(int, line.split())) for line in found.splitlines())
    assert plain == (0, 18297)
    assert other[0] == 0
    assert 1452 < other[1] < 18297
    told = extended.marubatsu("search", "--help")
    assert re.search(r"--even-first +Search the cells with even numbers first\.", told)
    searched = extended.marubatsu("search", "--even-first", "--format", "csv").splitlines()
    assert searched[1].startswith(f"none,0,{other[1]},")


@pytest.mark.parametrize("extended", ["report"], indirect=True)
def test_a_new_report_is_listed_and_answered(extended: Extended) -> None:
    extended.marubatsu("tree", "--order", "bfs")
    assert "centres" in extended.marubatsu("query")
    answer = extended.marubatsu("query", "centres", "--format", "csv").split()
    assert answer[0] == "side,positions"
    assert [line[0] for line in answer[1:]] == ["o", "x"]


@pytest.mark.parametrize("extended", ["column"], indirect=True)
def test_a_new_column_is_built_checked_and_asked(extended: Extended) -> None:
    extended.marubatsu("tree", "2x2k2")
    checked = extended.marubatsu("check", "2x2k2", "--only", "empty_cells", "--format", "csv")
    assert checked.splitlines()[1].startswith("empty_cells,pass,29,0")
    found = extended.marubatsu(
        "sql", "select max(empty) from positions", "--game", "2x2k2", "--format", "csv"
    )
    assert found.split()[-1] == "4"
