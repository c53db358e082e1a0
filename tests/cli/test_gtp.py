"""The GTP engine: every command, every error, and clients that vanish."""

import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import marubatsu
from marubatsu.engine.rules.game import Game
from marubatsu.engine.search.roster import find
from marubatsu.judge.bridges.gtp import LONGEST_LINE, GtpEngine
from marubatsu.judge.bridges.our_players import AIPlayer
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.support.errors import DataError
from tests.helpers.data.data_sets import SMALLEST, build_smallest
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import PATIENCE, run_here

GAME = Game("3x2k2")


def no_oracle() -> Oracle:
    raise DataError("the disk is gone:\nlook for it")


def engine(game: Game = GAME, ai: str = "ai1", **options: bool) -> GtpEngine:
    return GtpEngine(AIPlayer(game, find(ai), Random(0)), no_oracle, **options)


SESSION = {
    "protocol_version": "= 2",
    "name": "= marubatsu",
    "7 version": f"=7 {marubatsu.__version__}",
    "known_command genmove": "= true",
    "known_command komi": "= false",
    "rectangular_boardsize 3 2": "=",
    "0 PLAY b b1": "?0 unknown command 'PLAY': list_commands lists those there are",
    "1 play b b1": "=1",
    "2 play B a1": "?2 illegal move: it is the turn of white",
    "3 play white b1": "?3 illegal move 'b1': expected one of a2, b2, c2, a1, c1",
    "play white pass": "? illegal move 'pass': expected one of a2, b2, c2, a1, c1",
    "genmove WHITE": "= a2",
    "showboard": "= black (circle) to move\n 2 x  .  .\n 1 .  o  .\n   a  b  c",
    "genmove b": "= b2",
    "genmove w": "? illegal move: the game is over, black (circle) has won; expected undo or "
    "clear_board",
    "play w a1": "? illegal move: the game is over, black (circle) has won; expected undo or "
    "clear_board",
    "undo": "=",
    "play black\tC1\r # the bottom right": "=",
    " # a comment": "",
    "\t\r\n": "",
    "clear_board": "=",
    "4 undo": "?4 cannot undo: the board is empty",
    "boardsize 3": "? unacceptable size: expected rectangular_boardsize 3 2, as of 3x2k2",
    "boardsize x": "? unacceptable size: expected rectangular_boardsize 3 2, as of 3x2k2",
    "play b": "? syntax error: play has 1 arguments, expected 2",
    "boardsize": "? syntax error: boardsize has 0 arguments, expected 1",
    "genmove green": "? syntax error: 'green' is no color; expected b or black, which moves first "
    "and is circle, or w or white",
    "12": "?12 syntax error: expected a command after the id",
    "5 \x1b[2J": "?5 unknown command '[2J': list_commands lists those there are",
    "6 name" + " x" * LONGEST_LINE: "?6 syntax error: expected at most 10,000 characters a line",
    "marubatsu-answer": "? the disk is gone: look for it",
    "8 quit": "=8",
}
"""Lines of a client, one after the other, and the answers."""


def test_a_session_of_every_command_and_error() -> None:
    out = io.StringIO()
    served = engine()
    known = served.answer("list_commands").removeprefix("= ").splitlines()
    served.serve(io.StringIO("\n".join([*SESSION, "name"])), out)
    expected = [answer for answer in SESSION.values() if answer]
    assert out.getvalue().split("\n\n") == [*expected, ""]
    tried = {word for line in SESSION for word in line.split()}
    assert set(known) - {"list_commands"} <= tried
    assert all(served.answer(f"known_command {name}") == "= true" for name in known)


def test_openspiels_moves_are_taken_and_given() -> None:
    for game, first, second in (("3x2k2", "x(0,0)", "o(0,1)"), ("3x2k2-gravity", "x0", "o0")):
        served = engine(Game(game), as_openspiel=True)
        assert served.answer("genmove b") == f"= {first}"
        assert served.answer(f"play w {second}") == "="
        assert served.answer("undo") == "="
        assert served.answer("play w a1").startswith("? illegal move 'a1': expected one of o")


def test_a_draw_is_reported_and_a_square_board_has_one_size() -> None:
    served = engine(Game("1x2k2"))
    for line in ("genmove b", "genmove w"):
        assert served.answer(line).startswith("= a")
    assert served.answer("showboard").startswith("= a draw\n")
    assert served.answer("genmove b").startswith("? illegal move: the game is over, a draw;")
    assert engine(Game("2x2k2")).answer("boardsize 2") == "="


def test_the_answer_is_the_object_that_show_prints(shared: Shared) -> None:
    data = build_smallest(shared)
    lines = "play b a2\n9 marubatsu-answer\n"
    done = run_here("gtp", SMALLEST, data=data, lines=lines)
    assert (done.returncode, done.stderr) == (0, "")
    _, answer, end = done.stdout.split("\n\n")
    shown = run_here("show", "o...", "--game", SMALLEST, "--format", "json", data=data)
    assert json.loads(answer.removeprefix("=9 ")) == json.loads(shown.stdout)
    assert end == ""


def test_the_seed_decides_among_the_candidates(shared: Shared) -> None:
    lines, data = "genmove b\ngenmove w\ngenmove b\ngenmove w\n", build_smallest(shared)
    first, again, other = (
        run_here("gtp", "3x3k3", "--ai", "ai2", "--seed", seed, data=data, lines=lines).stdout
        for seed in ("1", "1", "2")
    )
    assert first == again != other


def test_a_failing_ai_is_an_error_of_the_protocol(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def choose(board, legal):\n    return 99\n")
    arguments = ("gtp", SMALLEST, "--ai", f"{tmp_path / 'mine.py'}:choose")
    done = run_here(*arguments, data=tmp_path, lines="genmove b\nplay b a1\n")
    answers, played, _ = done.stdout.split("\n\n")
    assert answers.startswith("? ")
    assert "illegal move" in answers
    assert played == "="


@pytest.mark.usefixtures("_heard_sigint")
def test_ctrl_c_and_a_closed_pipe_end_it_quietly(shared: Shared) -> None:
    command = [sys.executable, "-m", "marubatsu", "gtp", SMALLEST, "--ai", "ai1"]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **streams) as process:  # type: ignore[call-overload]
        process.stdin.write("name\n")
        process.stdin.flush()
        assert process.stdout.readline() == "= marubatsu\n"
        process.send_signal(signal.SIGINT)
        assert (process.wait(PATIENCE), process.stderr.read()) == (0, "")
    shell = ["bash", "-c", f"yes name | {' '.join(command)} | head -1"]
    done = subprocess.run(shell, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert (done.stdout, done.stderr) == ("= marubatsu\n", "")
