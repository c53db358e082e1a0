"""Every command takes its game as its first argument and as ``--game``."""

from pathlib import Path

from marubatsu.cli.command_help import HELP
from marubatsu.cli.commands import MODULES
from tests.helpers.data.data_sets import build_smallest
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import every_command, run_here

GAME = "2x2k2"
REST = {
    "show": "o...", "best": "o...", "query": "plies", "sql": "select||1", "audit": "ai2",
    "match": "ai1 ai2 --games 2", "play": "ai1", "search": "o...", "items": "--split all",
    "prove": "", "compare": "", "book": "--remove", "export": "--raw", "publish": "--out OUT",
    "site": "--out OUT", "check": "", "verify": "", "anchors": "", "ais": "", "views": "",
    "tree": "", "build": "", "solve": "", "gtp": "", "mcp": "",
}  # fmt: skip
"""Arguments besides the game. The others have no game, or need a program of their own."""

NO_GAME = {"games", "grade", "bench", "conform", "conform-env", "review", "explore"}


def test_each_command_is_tried_and_listed_once(tmp_path: Path) -> None:
    assert REST.keys() | NO_GAME == MODULES.keys()
    assert [name for group in HELP.values() for name in group] == list(MODULES)
    done = run_here("--help", data=tmp_path).stdout
    places = [done.index(f"\n{title}:") for title in HELP]
    assert places == sorted(places)


def test_a_game_is_an_argument_and_an_option() -> None:
    """However it is given, a command gets the same arguments."""
    commands = every_command()
    for name, line in REST.items():
        rest = [word.replace("||", " ") for word in line.split()]
        got = [
            commands[name].make_context(name, words).params
            for words in ([GAME, *rest], ["--game", GAME, *rest], [*rest, "-g", GAME],
                          [f"--game={GAME}", *rest])
        ]  # fmt: skip
        assert got == [got[0]] * 4, name
        given = got[0]["game"] if "game" in got[0] else [*got[0]["games"]]
        assert given in (GAME, [GAME]), name


def test_the_game_given_is_the_one_that_is_shown(shared: Shared) -> None:
    data = build_smallest(shared)
    shown = [
        run_here("show", *words, data=data)
        for words in ([GAME, "o..."], ["--game", GAME, "o..."], ["o...", "-g", GAME])
    ]
    assert {(done.returncode, done.stderr) for done in shown} == {(0, "")}
    assert len({done.stdout for done in shown}) == 1


def test_a_board_that_reads_as_a_game_stays_a_board(tmp_path: Path) -> None:
    """Run lengths: three empty cells on each side of a cross."""
    done = run_here("show", "3x3", "-g", "7x1k7", data=tmp_path)
    assert "given twice" not in done.stderr
    assert "7x1k7" in done.stdout + done.stderr
