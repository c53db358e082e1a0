"""Every command takes its game as its first argument and as ``--game``."""

from pathlib import Path

import pytest

from marubatsu.cli.commands import GROUPS, MODULES
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
    assert sum(len(group.commands) for group in GROUPS.values()) == len(MODULES)
    done = run_here("--help", data=tmp_path).stdout
    places = [done.index(f"\n{group.title}:") for group in GROUPS.values()]
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


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("tree 3x2k2 --game 2x2k2", "the game is given twice, as 3x2k2 and as --game 2x2k2"),
        ("show 3x2k2 o... --game 2x2k2", "the game is given twice, as 3x2k2 and as --game 2x2k2"),
        ("show 3x3 o........ extra", "unexpected extra argument"),
        ("show 9x9x9 o...", "unexpected extra argument"),
        ("search 2x2k2 o... --game 3x2k2", "unexpected extra argument"),
        ("audit ai1 connect4", "(connect4); name the game first, or as --game connect4"),
        ("audit ai1 ai2", "(ai2); name the second AI as --baseline AI"),
        (
            "query moves",
            "report 'moves', which is a table or a view: read it by the SQL 'from moves'",
        ),
        ("sql select 1", '(1); put quotes around the statement, as in sql "select 1"'),
        ("tree --game", "requires an argument"),
    ],
)
def test_two_games_are_refused(line: str, error: str, tmp_path: Path) -> None:
    done = run_here(*line.split(), data=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert error in done.stderr


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
