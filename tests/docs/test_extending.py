"""Adding a rule, an AI, a search option, a report or a column: what works changes few places.

Each test adds a throw-away one to a copy of the sources, as docs/extending.md says, and uses it.
tests/docs/test_new_rules.py does so with rules of every kind.
"""

import re
from pathlib import Path

import pytest

from tests.helpers import CHECKOUT
from tests.helpers.processes.extended import Change, Extended
from tests.helpers.processes.throw_away_rules import LASTCROSS, STRAIGHT

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
    )
]
AI_BY_EVALUATION = [
    Change(
        "marubatsu/engine/ais/by_evaluation.py",
        "@evaluation\ndef ai1s(",
        "@evaluation\n"
        "def fewest_threats(state: Afterstate, *, weight: Number = -1) -> Number:\n"
        '    """Leave few lines that the opponent completes with one mark."""\n'
        "    return weight * state.threats\n\n\n",
    )
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
        "marubatsu/engine/search/options.py",
        '"ordering", "order_all", "use_table"})',
        '"even_first", ',
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
        "select board[5] as side, count(*) as positions\n"
        "from positions\n"
        "where board[5] <> '.'\n"
        "group by all\n"
        "order by all\n",
    )
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


@pytest.mark.quick
@pytest.mark.parametrize("name", EXTENSIONS)
def test_an_extension_changes_three_places_at_most(name: str) -> None:
    """The guide names each file, or the folder that holds it."""
    files = {change.file for change in EXTENSIONS[name]}
    assert len(files) <= MOST_PLACES
    for file in files:
        assert file in GUIDE or f"{Path(file).parent}/" in GUIDE
    for change in filter(lambda change: change.place, EXTENSIONS[name]):
        assert (CHECKOUT / change.file).read_text(encoding="utf-8").count(change.place) == 1


@pytest.mark.documents
def test_new_ais_play_by_a_new_rule_are_audited_and_order_searches(tmp_path: Path) -> None:
    """The tables have every AI and search; cross wins a full board."""
    name = "3x2k3-lastcross"
    game = ("--game", name)
    candidates = (
        "select move from ai_moves where ai = 'last_cell' and position = 0 and is_candidate"
    )
    searches = ((), ("--use-table",), ("--algorithm", "minimax"),
                ("--ordering", "fewest_threats", "--order-all"))  # fmt: skip
    extended = Extended(tmp_path, [*LASTCROSS, *AI_BY_RULE, *AI_BY_EVALUATION])
    _, _, moves, strong, audited, perfect, ais, played, *searched = extended.outputs(
        ["build", name],
        ["check", name],
        ["sql", candidates, *game, "--format", "csv"],
        ["query", "strong", *game],
        ["audit", "last_cell", *game],
        ["audit", "perfect", *game],
        ["ais"],
        ["match", "fewest_threats:weight=1", "last_cell", "--games", "10"],
        *(["search", name, *options, "--format", "csv"] for options in searches),
    )
    assert moves.split() == ["move", "5"]
    assert "last_cell" in strong
    assert audited.startswith(f"audit of last_cell (rule) on {name}\n")
    assert "solves the game strongly" in perfect
    assert "weight=-1" in ais
    assert "fewest_threats:weight=1" in played
    found = [told.splitlines()[1].split(",") for told in searched]
    assert {score for _, score, *_ in found} == {"-1"}
    nodes = [int(row[2]) for row in found]
    assert nodes[1] < nodes[0] < nodes[2]
    assert nodes[3] != nodes[0]


@pytest.mark.documents
def test_new_options_reports_and_columns_are_told_and_used(tmp_path: Path) -> None:
    """Python takes an option of a search as an argument, the command line by its meaning."""
    game = ("--game", "2x2k2", "--format", "csv")
    extended = Extended(tmp_path, [*SEARCH_OPTION, *REPORT, *COLUMN])
    told, searched, _, checked, empty, _, reports, centres = extended.outputs(
        ["search", "--help"],
        ["search", "--even-first", "--format", "csv"],
        ["tree", "2x2k2"],
        ["check", "2x2k2", "--only", "empty_cells", "--format", "csv"],
        ["sql", "select max(empty) from positions", *game],
        ["tree", "--order", "bfs"],
        ["query"],
        ["query", "centres", "--format", "csv"],
    )
    assert re.search(r"--even-first +Search the cells with even numbers first\.", told)
    program = "import marubatsu as mb\nfound = mb.search('alphabeta', even_first=True)\n"
    found = extended.python("-c", f"{program}print(found.score, found.nodes)")
    score, nodes = map(int, found.split())
    assert score == 0
    assert 1452 < nodes < 18297
    assert searched.splitlines()[1].startswith(f"none,0,{nodes},")
    assert checked.splitlines()[1].startswith("empty_cells,pass,29,0")
    assert empty.split()[-1] == "4"
    assert "centres" in reports
    assert [line[0] for line in centres.split()] == ["s", "o", "x"]
