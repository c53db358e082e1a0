"""A rule, an AI, a search, a board, a command, a report or a column works after few changes.

Tests add throw-away ones to a copy of the sources, and use them. The other steps of
docs/extending.md, such as a second way and words of the page, are those of other tests.
tests/docs/test_new_rules.py does so with rules of every kind.
"""

import json
import re
from pathlib import Path

import pytest

from tests.helpers import CHECKOUT
from tests.helpers.processes.extended import Change, Extended
from tests.helpers.processes.throw_away_rules import LASTCROSS, STRAIGHT

MOST_PLACES = 3
GUIDE = (CHECKOUT / "docs" / "extending.md").read_text(encoding="utf-8")

_OPTIONS, _DRIVER = "marubatsu/engine/search/options.py", "marubatsu/engine/search/driver.py"
_LAWS = "marubatsu/engine/boards/laws.py"

AI_BY_RULE = [
    Change("marubatsu/engine/ais/built_in.py", "@rule\ndef ai1(", """\
@rule
def last_cell(board: Board[Any]) -> Sequence[Any]:
    'Take the last empty cell in row order.'
    return board.legal_moves()[-1:]


"""),
]  # fmt: skip
AI_BY_EVALUATION = [
    Change("marubatsu/engine/ais/built_in.py", "@evaluation\ndef ai1s(", """\
@evaluation
def fewest_threats(state: Afterstate, *, weight: Number = -1) -> Number:
    'Leave few lines that the opponent completes with one mark.'
    return weight * state.threats


"""),
]  # fmt: skip
SEARCH_OPTION = [  # Cells with even numbers first: on 3x3 the corners and the centre.
    Change(_OPTIONS, "    order_all: Annotated[",
           '    even_first: Annotated[bool, "Search the cells with even numbers first."]\n'),
    Change(_OPTIONS, "    order_all: bool = False\n", "    even_first: bool = False\n"),
    Change(_OPTIONS, '"ordering", "order_all", "use_table"})', '"even_first", '),
    Change(_DRIVER, "        choices = self._choices\n",
           "        if self.options.even_first:\n"
           "            return lambda _, edges: sorted(edges, key=lambda edge: edge[0] % 2)\n"),
]  # fmt: skip
REPORT = [
    Change("queries/reports/centres.sql", "", """\
-- question: In how many positions does each side hold the centre?
-- grain: one side
select board[5] as side, count(*) as positions
from positions
where board[5] <> '.'
group by all
order by all
"""),
]  # fmt: skip
COLUMN = [
    Change("marubatsu/pipeline/tables/schemas.py",
           '        _CRITICAL,\n        Column("random_circle"',
           '        Column("empty", INT8, "cells without a mark", unit="cells"),\n'),
    Change("marubatsu/pipeline/stages/make_tree.py", '        "critical": scores.critical,\n',
           '        "empty": (positions.game.cells - ply).astype(np.int8),\n'),
    Change("queries/checks/empty_cells.sql", "", """\
-- question: Does every position count its empty cells?
-- grain: one position that does not
-- examines: positions
select position, board, empty
from positions
where empty <> length(replace(replace(board, 'o', ''), 'x', ''))
"""),
]  # fmt: skip
SEARCH_ALGORITHM = [  # Two questions instead of a score: whether circle wins, whether it loses.
    Change(_OPTIONS, '    NULLWINDOW = "nullwindow"', '    BISECTION = "bisection"\n'),
    Change(_OPTIONS, "    Algorithm.NULLWINDOW: Traits(",
           "    Algorithm.BISECTION: Traits(_COMMON),\n"),
    Change(
        _DRIVER,
        "            case Algorithm.NULLWINDOW:\n                return run.score(",
        "            case Algorithm.BISECTION:\n"
        "                wins = run.score(number, 0, 1) >= 1\n"
        "                return 1 if wins else min(0, run.score(number, -1, 0))\n",
    ),
]  # fmt: skip
BOARD = [
    Change(_LAWS, "from marubatsu.engine.boards.list_board import",
           "from marubatsu.engine.boards.history_board import HistoryBoard\n"),
    Change(_LAWS, "NumpyBoard):", "HistoryBoard, "),
    Change("marubatsu/engine/boards/history_board.py", "", """\
from marubatsu.engine.boards.board import PLAYING, Board
from marubatsu.engine.rules.position import EMPTY


class HistoryBoard(Board[int]):
    def __init__(self, game, *, count_lines=False):
        self._positions = [EMPTY]
        super().__init__(game)

    def cell_of(self, move):
        return move

    move_of = cell_of

    def legal_moves(self):
        return self.game.legal_moves(self.position())

    def make(self, move):
        if move not in self.legal_moves():
            raise self._refusal(move)
        self._positions.append(self.position().after(move))
        self.moves.append(move)
        self.ply, self.status = self.ply + 1, self.judge()

    def unmake(self):
        if not self.moves:
            raise self._nothing_made()
        self.moves.pop()
        self._positions.pop()
        self.ply, self.status = self.ply - 1, PLAYING

    def position(self):
        return self._positions[-1]

    def set_up(self, position):
        self._positions = [position]
        self._shown(position.occupied.bit_count())
"""),
]  # fmt: skip
INTERFACE = [  # Its agents choose one of the legal moves by its place in the list.
    Change("marubatsu/judge/bridges/by_place.py", "", """\
def chooser(agent, game):
    return lambda board, legal: legal[agent.place_of_move(board, len(legal))]
"""),
    Change("marubatsu/judge/agents/interfaces.py", '    "textarena": Interface(',
           '    "by-place": Interface("by_place", "by_place.py:agent"),\n'),
]  # fmt: skip
AUDIT_OPTION = [
    Change("marubatsu/judge/agents/agent_options.py", '    seed: Annotated[int, "Seed',
           '    answers_only: Annotated[bool, "Play no games against built-in AIs."]\n'),
    Change("marubatsu/judge/audit/draw_positions.py", "    seed: int = 0\n",
           "    answers_only: bool = False\n"),
    Change("marubatsu/judge/audit/run_audit.py", 'with_matches=options.get("matches", True),',
           'with_matches=not request.answers_only and options.get("matches", True),',
           replaces=True),
]  # fmt: skip
COMMAND = [
    Change("marubatsu/cli/commands.py", '"games")},', '"centre", '),
    Change("marubatsu/cli/making.py", "@app.command()\ndef build(", '''\
@app.command()
def centre(game: GameArgument = DEFAULT_GAME) -> None:
    """Print the cell in the middle of the board.

    Example: marubatsu centre 5x5k4
    """
    print(Game(game).centre)


'''),
]  # fmt: skip
EXTENSIONS = {
    "rule": STRAIGHT,
    "AI by rule": AI_BY_RULE,
    "AI by evaluation": AI_BY_EVALUATION,
    "search option": SEARCH_OPTION,
    "search algorithm": SEARCH_ALGORITHM,
    "board class": BOARD,
    "interface of agents": INTERFACE,
    "option of audits": AUDIT_OPTION,
    "command": COMMAND,
    "report": REPORT,
    "column": COLUMN,
}


@pytest.mark.quick
@pytest.mark.parametrize("name", EXTENSIONS)
def test_an_extension_changes_at_most_three_files(name: str) -> None:
    """The guide names each file, or the folder that holds it."""
    files = {change.file for change in EXTENSIONS[name]}
    assert len(files) <= MOST_PLACES
    for file in files:
        assert file in GUIDE or f"{Path(file).parent}/" in GUIDE
    for change in filter(lambda change: change.place, EXTENSIONS[name]):
        assert (CHECKOUT / change.file).read_text(encoding="utf-8").count(change.place) == 1


_NAMED = re.compile(r"((?:`\w+`(?:,| and| or)?\s+)+)of\s+(?:\[[^]]+\]\(\.\./([^)]+)\)|`([\w/.]+)`)")


@pytest.mark.quick
def test_the_guide_names_what_is_in_its_files() -> None:
    named = _NAMED.findall(GUIDE)
    assert len(named) > 20
    for names, linked, written in named:
        file = CHECKOUT / (linked or written)
        file = file if file.exists() else CHECKOUT / "marubatsu" / written
        text = file.read_text(encoding="utf-8")
        missing = [name for name in re.findall(r"`(\w+)`", names) if name not in text]
        assert missing == [], file


@pytest.mark.documents
def test_new_ais_play_by_a_new_rule_are_audited_and_order_searches(tmp_path: Path) -> None:
    """The tables have every AI and search; cross wins a full board."""
    name = "3x2k3-lastcross"
    game = ("--game", name)
    candidates = (
        "select move from ai_moves where ai = 'last_cell' and position = 0 and is_candidate"
    )
    searches = {"plain": (), "table": ("--use-table",), "minimax": ("--algorithm", "minimax"),
                "ordered": ("--ordering", "fewest_threats", "--order-all")}  # fmt: skip
    extended = Extended(tmp_path, [*LASTCROSS, *AI_BY_RULE, *AI_BY_EVALUATION])
    printed = extended.outputs(
        build=["build", name],
        check=["check", name],
        moves=["sql", candidates, *game, "--format", "csv"],
        strong=["query", "strong", *game],
        last_cell=["audit", "last_cell", *game],
        perfect=["audit", "perfect", *game],
        ais=["ais"],
        match=["match", "fewest_threats:weight=1", "last_cell", "--games", "10"],
        **{of: ["search", name, *options, "--format", "csv"] for of, options in searches.items()},
    )
    assert printed["moves"].split() == ["move", "5"]
    assert "last_cell" in printed["strong"]
    assert printed["last_cell"].startswith(f"audit of last_cell (rule) on {name}\n")
    assert "solves the game strongly" in printed["perfect"]
    assert "weight=-1" in printed["ais"]
    assert "fewest_threats:weight=1" in printed["match"]
    found = {of: printed[of].splitlines()[1].split(",") for of in searches}
    assert {score for _, score, *_ in found.values()} == {"-1"}
    nodes = {of: int(row[2]) for of, row in found.items()}
    assert nodes["table"] < nodes["plain"] < nodes["minimax"]
    assert nodes["ordered"] != nodes["plain"]


@pytest.mark.documents
def test_new_options_reports_and_columns_are_listed_and_used(tmp_path: Path) -> None:
    """Python takes an option of a search as an argument, the command line by its meaning."""
    game = ("--game", "2x2k2", "--format", "csv")
    extended = Extended(tmp_path, [*SEARCH_OPTION, *REPORT, *COLUMN])
    printed = extended.outputs(
        help=["search", "--help"],
        search=["search", "--even-first", "--format", "csv"],
        small=["tree", "2x2k2"],
        check=["check", "2x2k2", "--only", "empty_cells", "--format", "csv"],
        empty=["sql", "select max(empty) from positions", *game],
        tree=["tree", "--order", "bfs"],
        reports=["query"],
        centres=["query", "centres", "--format", "csv"],
    )
    assert re.search(r"--even-first +Search the cells with even numbers first\.", printed["help"])
    program = "import marubatsu as mb\nfound = mb.search('alphabeta', even_first=True)\n"
    found = extended.python("-c", f"{program}print(found.score, found.nodes)")
    score, nodes = map(int, found.split())
    assert score == 0
    assert 1452 < nodes < 18297
    assert printed["search"].splitlines()[1].startswith(f"none,0,{nodes},")
    assert printed["check"].splitlines()[1].startswith("empty_cells,pass,29,0")
    assert printed["empty"].split()[-1] == "4"
    assert "centres" in printed["reports"]
    assert [line[0] for line in printed["centres"].split()] == ["s", "o", "x"]


@pytest.mark.documents
def test_new_algorithms_boards_interfaces_options_and_commands_are_used(tmp_path: Path) -> None:
    (tmp_path / "by_place.py").write_text(
        "class Last:\n"
        "    def place_of_move(self, board, count):\n"
        "        return count - 1\n\n\n"
        "agent = Last()\n"
    )
    extended = Extended(
        tmp_path / "sources", [*SEARCH_ALGORITHM, *BOARD, *INTERFACE, *AUDIT_OPTION, *COMMAND]
    )
    agent = str(tmp_path / "by_place.py:agent")
    arguments = ("audit", agent, "--as", "by-place", "--game", "2x2k2", "--format", "json")
    printed = extended.outputs(
        search=["search", "--algorithm", "bisection", "--format", "csv"],
        bench=["bench", "boards", "--game", "2x2k2", "--board", "HistoryBoard", "--pairs", "1",
               "--repeats", "1"],
        build=["build", "2x2k2"],
        audit=arguments,
        alone=(*arguments, "--answers-only"),
        options=["audit", "--help"],
        centre=["centre", "--game", "5x5k4"],
        commands=["--help"],
    )  # fmt: skip
    row = printed["search"].splitlines()[1].split(",")
    assert row[:2] == ["none", "0"]
    program = "import marubatsu as mb\nprint(mb.search('bisection').nodes)\n"
    assert extended.python("-c", program) == f"{row[2]}\n"
    assert "HistoryBoard" in printed["bench"]
    both = [json.loads(printed[name]) for name in ("audit", "alone")]
    assert [report["findings"] for report in both] == [[], []]
    assert [bool(report["matches"]) for report in both] == [True, False]
    assert re.search(r"--answers-only +Play no games against built-in AIs\.", printed["options"])
    assert printed["centre"] == "12\n"
    assert "Print the cell in the middle of the board." in printed["commands"]
