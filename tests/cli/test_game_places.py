"""Every command takes its game as its first argument and as ``--game``."""

import re
from pathlib import Path

import pytest

from marubatsu.cli.commands import GROUPS, MODULES
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import run_here, run_marubatsu

GAME = "2x2k2"
REST = {
    "show": "o...", "best": "o...", "query": "plies", "sql": "select||1", "audit": "ai2",
    "match": "ai1 ai2 --games 2", "play": "ai1", "search": "o...", "items": "--split all",
    "prove": "", "compare": "", "book": "--remove", "export": "--raw", "publish": "--out OUT",
    "site": "--out OUT", "check": "", "verify": "", "anchors": "", "ais": "", "views": "",
    "tree": "", "build": "", "solve": "", "gtp": "",
}  # fmt: skip
"""Arguments besides the game. The others have no game, or need a program of their own."""

CHANGING = {"book", "build", "compare", "play", "prove", "publish", "site", "solve", "tree"}
"""Commands that print times or paths, or whose first run makes something."""

NO_GAME = {"games", "grade", "bench", "conform", "conform-env", "review", "explore"}


def test_each_command_is_tried_and_listed_once() -> None:
    assert REST.keys() | NO_GAME == MODULES.keys()
    assert sum(len(group.commands) for group in GROUPS.values()) == len(MODULES)
    done = run_marubatsu("--help").stdout
    places = [done.index(f"\n{group.title}:") for group in GROUPS.values()]
    assert places == sorted(places)


@pytest.fixture(scope="module")
def root(shared: Shared, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all data of a game."""
    folder = tmp_path_factory.mktemp("data")
    for command in ("build", "solve"):
        assert run_here(command, GAME, data=folder).returncode == 0
    return folder


@pytest.mark.parametrize("command", sorted(REST))
def test_a_game_is_an_argument_and_an_option(command: str, root: Path, tmp_path: Path) -> None:
    rest = [word.replace("||", " ") for word in REST[command].split()]
    outputs = []
    for number, line in enumerate(
        ([GAME, *rest], ["--game", GAME, *rest], [*rest, "-g", GAME], [f"--game={GAME}", *rest])
    ):
        out = str(tmp_path / str(number))
        words = [out if word == "OUT" else word for word in line]
        done = run_here(command, *words, data=root, lines="quit\n")
        assert done.returncode == 0, (line, done.stderr)
        outputs.append(re.sub(r"[0-9.]+ s\b", "TIME", done.stdout.replace(out, "OUT")))
    assert [path.name for path in root.iterdir()] == [GAME]  # Nothing is of the default game.
    if command not in CHANGING:
        assert len({*outputs}) == 1


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("tree 3x2k2 --game 2x2k2", "the game is given twice, as 3x2k2 and as --game 2x2k2"),
        ("show 3x2k2 o... --game 2x2k2", "the game is given twice, as 3x2k2 and as --game 2x2k2"),
        ("show 3x3 o........ extra", "unexpected extra argument"),
        ("show 9x9x9 o...", "unexpected extra argument"),
        ("search 2x2k2 o... --game 3x2k2", "unexpected extra argument"),
        ("tree --game", "requires an argument"),
    ],
)
def test_two_games_are_refused(line: str, error: str, tmp_path: Path) -> None:
    done = run_here(*line.split(), data=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert error in done.stderr


def test_a_board_that_reads_as_a_game_stays_a_board(root: Path) -> None:
    """Run lengths: three empty cells on each side of a cross."""
    done = run_here("show", "3x3", "-g", "7x1k7", data=root)
    assert "given twice" not in done.stderr
    assert "7x1k7" in done.stdout + done.stderr
