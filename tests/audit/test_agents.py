"""An AI is an AI everywhere: functions, programs and ours, in matches, games and searches."""

from pathlib import Path
from typing import Any

import pytest

from marubatsu.engine.ais.reply import Reply
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents import box
from marubatsu.judge.agents.address import parse_function
from marubatsu.judge.agents.agent import BoardQuestion
from marubatsu.judge.agents.agent_settings import AgentSettings
from marubatsu.judge.agents.confine import children
from marubatsu.judge.agents.players import agent_of
from marubatsu.judge.agents.protocol import Channel
from tests.audit.conftest import Write
from tests.helpers.processes.commands import Marubatsu, json_of, without_box
from tools.generators.run_pages import CHECKOUT

pytestmark = pytest.mark.programs

VALUE = f"{CHECKOUT / 'examples' / 'minimax.py'}:value"


def output_of(marubatsu: Marubatsu, *arguments: str) -> Any:
    return json_of(marubatsu(*arguments, "--format", "json"))


@pytest.fixture
def first(tmp_path: Path, written: Write, program: Write) -> list[str]:
    """Return the rule of ai1 as a function, as a method of an object, and as a program.

    An argument of the program is longer than the name of a file may be.
    """
    function = written(
        "def choose(board, moves): return moves[0]\n"
        "class Player:\n    def choose(self, board, moves): return [moves[0]]\n"
        "player = Player()\n"
    )
    file = program('while read -r n board moves; do echo "$n ${moves%%,*}:2"; done')
    spaced = Path(file.removeprefix("command:")).rename(tmp_path / "first program.sh")
    command = f"command:'{spaced}' {'x' * 300}"
    return [function, function.replace(":choose", ":player.choose"), command]


def test_one_rule_at_four_addresses_is_the_same(marubatsu: Marubatsu, first: list[str]) -> None:
    """In matches, in games and in audits."""
    ours, known = children(), list[Any]()
    parts = ("findings", "verdicts", "blunders_by_ply", "blunders", "refutations", "matches")
    for address in ("ai1", *first):
        rows = output_of(marubatsu, "match", address, "ai1", "--games", "20")
        audit = output_of(marubatsu, "audit", address, "--game", "3x2k2")
        tallies = [(row["first_is"], row["win"], row["lose"], row["draw"]) for row in rows]
        known.append([tallies, *(audit[part] for part in parts)])
        assert known[-1] == known[0], address
        played = marubatsu("play", address, "--side", "cross", "--seed", "0")
        assert f"{address.removeprefix('command:')} plays 0\n" in played.stdout
    assert children() <= ours


def test_a_foreign_ordering_is_listed_next_to_ours(marubatsu: Marubatsu, first: list[str]) -> None:
    known = output_of(marubatsu, "search", "3x2k2", "--ordering", "ai10s")
    assert known[0]["ordering"] == "ai10s"
    nodes = {row["ordering"]: row["nodes"] for row in known}
    for address in (first[0], first[-1]):
        (own, *others) = output_of(marubatsu, "search", "3x2k2", "--ordering", address)
        assert own["nodes"] == nodes["none"]
        assert {row["ordering"]: row["nodes"] for row in others} == nodes


ALL = ("match", "play", "search")


@pytest.mark.parametrize(
    ("body", "commands", "sentence"),
    [
        ("return 99", ALL, "fails on .........: illegal move: 99; legal: 0, 1"),
        ("return []", ["play"], "fails on .........: no move: it returned no move"),
        # An ordering's scores may be negative.
        ("return {0: -1, 1: 1}", ["match", "play"], "answered {0: -1, 1: 1} on .........: its f"),
        ("return 1 / 0", ["search"], "raises: ZeroDivisionError: division by zero (mine.py, line"),
        ("import time; time.sleep(99)", ["match"], "time-out: no answer within 0.3 s, twice"),
        ("import os; os._exit(3)", ["search"], "crash: it ended with exit code 3"),
    ],
)
def test_an_ai_that_fails_ends_a_match_in_a_sentence(
    marubatsu: Marubatsu, written: Write, body: str, commands: list[str], sentence: str
) -> None:
    before, ai = children(), written(f"def choose(board, moves):\n    {body}\n")
    arguments = {"match": [ai, "ai2"], "play": [ai, "--side", "cross"],
                 "search": ["tictactoe", "--ordering", ai]}  # fmt: skip
    for command in commands:
        seconds = "0.3" if "time-out" in sentence else "60"
        done = marubatsu(command, *arguments[command], "--timeout", seconds)
        assert done.returncode == 2, done.stdout
        assert sentence in done.stderr
        assert without_box(done.stderr).count("\n") == 1
    assert children() <= before


def test_a_run_warns_once_of_missing_confinement(
    marubatsu: Marubatsu, first: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without bubblewrap, every machine confines less; two foreign AIs get one note."""
    monkeypatch.setattr(box, "_bubblewrap", lambda: None)
    function, _, program = first
    match = marubatsu("match", function, program, "--games", "1", "--game", "2x2k2")
    assert match.returncode == 0
    assert match.stderr.startswith("foreign AIs are not confined: ")
    assert match.stderr.count("\n") == 1
    for form, in_report in (("table", True), ("json", True), ("csv", False)):
        audit = marubatsu("audit", function, "--game", "2x2k2", "--format", form)
        assert audit.returncode == 0
        assert audit.stderr == ("" if in_report else match.stderr)
        assert (box.best().not_confined or "") in (audit.stdout if in_report else audit.stderr)


def test_one_late_answer_is_forgiven(
    tmp_path: Path, written: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An AI that is late only in its first process: there the file that it waits for is missing."""
    awake = tmp_path / "awake"
    body = f"import os, time\n    os.path.exists({str(awake)!r}) or time.sleep(99)\n    return 0"
    ai = written(f"def choose(board, moves):\n    {body}\n")
    close = Channel.close

    def close_and_wake(channel: Channel) -> None:
        close(channel)
        awake.touch()

    monkeypatch.setattr(Channel, "close", close_and_wake)
    with agent_of(parse_function(ai), Game("2x2k2"), AgentSettings(seconds=3)) as process:
        assert not awake.exists()
        (answered,) = process.answers([BoardQuestion("....", [0, 1, 2, 3])])
        assert awake.exists()
    assert isinstance(answered.answer, Reply)
    assert (answered.answer.moves, answered.faults) == ((0,), [])


def test_a_foreign_ai_plays_fast_matches(marubatsu: Marubatsu, first: list[str]) -> None:
    options = ("--fast", "--games", "100", "--game", "2x2k2")
    assert output_of(marubatsu, "match", first[0], "ai2", *options)[2]["games"] == 200


def test_a_program_gets_the_game_in_a_variable(marubatsu: Marubatsu, program: Write) -> None:
    ai = program(
        'echo "$MARUBATSU_GAME $MARUBATSU_PROTOCOL" >&2\n'
        'while read -r n board moves; do echo "$n ${moves%%,*}"; done'
    )
    (finding,) = output_of(marubatsu, "audit", ai, "--game", "3x2k2")["findings"]
    assert (finding["kind"], finding["detail"]) == ("prints", "'3x2k2 2'")
