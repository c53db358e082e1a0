"""Each command once, on the smallest game, with a part of its output: a quick test of all."""

import sys
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest

import marubatsu
from marubatsu.cli.commands import NEVER_WAIT
from marubatsu.pipeline.laboratory import board_conformance
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.data.data_sets import SMALLEST as GAME
from tests.helpers.data.data_sets import build_smallest, copied
from tests.helpers.data.shared import Shared
from tests.helpers.frameworks.stand_ins import modules
from tests.helpers.page.browser import serving
from tests.helpers.page.pages import ask
from tests.helpers.processes.commands import every_command, run_here

pytestmark = pytest.mark.quick


class Example(NamedTuple):
    """Arguments of a command, a part of what it prints, and its input."""

    arguments: str
    output: str
    lines: str = ""


EXAMPLES = {
    "ais": Example(f"--game {GAME}", "mine"),
    "anchors": Example(GAME, "29 of 29 agree"),
    "audit": Example(f"ai2 --game {GAME}", "solves the game"),
    "bench": Example(
        f"boards --pairs 1 --repeats 1 --board BitBoard --game {GAME}", "one call in ns"
    ),
    "best": Example(f"o... --game {GAME}", "circle wins          1   yes"),
    "book": Example("4x4k4 --plies 1", "4x4k4 to ply 1: 4 classes, in "),
    "build": Example(GAME, "everything was up to date, nothing was rewritten"),
    "check": Example(GAME, "trees_equal             pass           82"),
    "compare": Example(GAME, "\n1 position each; the searches are in "),
    "conform": Example("tests.helpers.broken.broken_boards:CannotJudgeThree", "ZeroDivisionError"),
    "conform-env": Example(
        "tests.helpers.broken.broken_environments:Right --game 5x1k2", "agrees with 5x1k2"
    ),
    "export": Example(f"{GAME} --raw", f"marubatsu raw 1\ngame {GAME}\n"),
    "games": Example("", GAME),
    "gtp": Example(f"{GAME} --ai ai1", "=7 a2\n\n", "7 genmove b\n"),
    "grade": Example("ITEMS REPLIES", "grade of 1 reply to 1 item of 2x2k2"),
    "items": Example(f"{GAME} --split all --sample 1", '{"id": "2x2k2:board:'),
    "match": Example(f"ai2 ai1 --game {GAME} --games 10", "total         20    10     10      0"),
    "mcp": Example(GAME, "stdio games evaluate best_moves review sql"),
    "play": Example(f"ai1 --game {GAME} --seed 0", "the game is left unfinished"),
    "prove": Example(GAME, "circle-wins       5           3       4             5   yes"),
    "publish": Example(f"{GAME} --out SITE", "30 files, "),
    "query": Example(f"plies --game {GAME}", "41          29         6"),
    "review": Example(f"GAMES --game {GAME}", "3 of 3 moves are judged"),
    "search": Example(f"{GAME} --ordering ai14s", "ai14s"),
    "show": Example(f"o... --game {GAME}", "cross to move: circle wins in 2 plies"),
    "site": Example(f"--out SITE --game {GAME}", "a file server shows it"),
    "solve": Example(GAME, "circle wins in 3 plies with best play"),
    "sql": Example(f"from(positions)select(count(*)) --game {GAME}", "29"),
    "tree": Example(GAME, "41 nodes with the root, 40 made by a move"),
    "views": Example(f"--game {GAME}", "create or replace view positions as"),
    "verify": Example(GAME, f"every file is as its manifest says: {GAME}"),
}
"""Every command but the one that serves until it is stopped."""

ITEM = (
    '{"id": "x", "game": "2x2k2", "split": "test", "notation": "board", "form": "original", '
    '"ply": 2, "hardness": 0.5, "moves": ["a1", "b1"], "losses": [0, 2]}'
)
SERVES = "explore"
FAILS = {"conform": 1}
"""Commands whose example fails as it should."""


@pytest.fixture
def data(shared: Shared, tmp_path: Path) -> Path:
    """Return a root of one's own with the smallest game, built and solved."""
    return copied(build_smallest(shared), tmp_path / "data")


@pytest.mark.parametrize("command", sorted(every_command()))
def test_every_command_does_its_work(
    command: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command == SERVES:
        with serving(data, GAME) as port:
            assert ask(port, "/api/v2/games/2x2k2/positions/o...")[0] == 200
        return
    for name, module in modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    cases_of = board_conformance.cases_of
    monkeypatch.setattr(board_conformance, "cases_of", lambda game: cases_of(game)[::20])
    example = EXAMPLES[command]
    files = {"GAMES": "a1 b1 a2\n", "ITEMS": ITEM, "REPLIES": '{"id": "x", "reply": "move: a1"}'}
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    places = {name: tmp_path / name for name in ("SITE", *files)}
    arguments = [str(places.get(each, each)) for each in example.arguments.split()]
    if command == "ais":  # It reads the saved AIs of a game.
        marubatsu.audit(lambda board, legal: legal, GAME, data=data, save="mine")
    with mock.patch.object(DataSet, "lock", autospec=True, side_effect=DataSet.lock) as lock:
        done = run_here(*command.split(), *arguments, data=data, lines=example.lines)
    assert (done.returncode, done.stderr) == (FAILS.get(command, 0), ""), done.stderr
    assert example.output in done.stdout
    assert not (lock.called and NEVER_WAIT.intersection(command.split()))


def test_every_example_is_of_a_command() -> None:
    assert {*EXAMPLES, SERVES} == set(every_command())
