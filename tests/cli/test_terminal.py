"""Output on a terminal: tables of its width, completion, progress, steps with --verbose."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from marubatsu.pipeline.support import progress as progress_module
from marubatsu.pipeline.support.progress import BAR_AFTER, LINE_EVERY, progress
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import write
from tests.helpers.processes.commands import PATIENCE, require_refused, run_here, run_marubatsu
from tests.helpers.processes.watching import shown_on, wait_until

COLUMNS = ("game", "state", "sentence")
ROWS = [("tictactoe", "built", "x" * 60), ("connect4", "too large", None)]


def table_on_a_terminal(width: int) -> str:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with os.fdopen(theirs, "w", encoding="utf-8") as out:
        write(COLUMNS, ROWS, Format.TABLE, out)
    return shown_on(ours).replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("width", "left_out"),
    [(84, ""), (83, "sentence"), (21, "sentence"), (20, "state, sentence"), (3, "state, sentence")],
)
def test_a_message_names_the_columns_that_a_narrow_terminal_lacks(
    width: int, left_out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = table_on_a_terminal(width).splitlines()
    message = f"the terminal is too narrow for {left_out}: widen it, or add --format csv\n"
    assert capsys.readouterr().err == (message if left_out else "")
    assert shown[0].split() == [name for name in COLUMNS if name not in left_out.split(", ")]
    assert max(map(len, shown)) == {"": 84, "sentence": 21, "state, sentence": 9}[left_out]


def test_a_file_holds_all_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "rows").open("w+", encoding="utf-8") as out:
        write(COLUMNS, ROWS, Format.TABLE, out)
        out.seek(0)
        assert max(map(len, out.read().splitlines())) == 84
    assert capsys.readouterr().err == ""


def test_options_without_a_command_are_refused(tmp_path: Path) -> None:
    for option in ("--verbose", "--log-json"):
        done = run_here(option, data=tmp_path)
        require_refused(done, "expected a command after the options")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("so", ["solve"]),
        ("verify ", ["tictactoe", "connect4", "2x2k2"]),
        ("show -g 2", ["2x2k2"]),
        ("query pl", ["plies"]),
        ("audit ai1", ["ai1", "ai1s", "ai10s", "ai11s", "ai12s", "ai13s", "ai14s"]),
        ("solve --engine ", ["local", "spark"]),
        ("build --no", ["--no-wait"]),
    ],
)
def test_the_shell_completes_words(
    typed: str, offered: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "2x2k2").mkdir()
    monkeypatch.setenv("_MARUBATSU_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"marubatsu {typed}")
    monkeypatch.setenv("COMP_CWORD", str(f"marubatsu {typed}".count(" ")))
    done = run_here(data=tmp_path)
    assert (done.returncode, done.stdout.split()) == (0, offered)


def test_the_script_for_the_shell_is_of_our_command() -> None:
    tested = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = run_marubatsu("--show-completion", "zsh", environment=tested)
    assert (done.returncode, done.stdout.startswith("#compdef marubatsu\n")) == (0, True)


WAITS = """
import sys, time
from marubatsu.pipeline.support import progress
progress._Bar.period = float(sys.argv[1])
with progress.progress('waiting') as advance:
    for step in range(20):
        time.sleep(float(sys.argv[2]))
        advance((step + 1) / 20)
"""
"""A program that shows a bar after some seconds, and takes some for each step."""


@pytest.mark.parametrize(
    ("after", "step", "words"), [(0.1, 0.1, "waiting left"), (PATIENCE, 0, "")]
)
def test_a_long_task_shows_the_time_left(after: float, step: float, words: str) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", WAITS]
    environment = {**os.environ, "TERM": "xterm", "MARUBATSU_PROGRESS": "on"}
    with subprocess.Popen(
        [*command, str(after), str(step)], stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        shown = shown_on(ours)
    assert process.returncode == 0
    assert all(word in shown for word in words.split())
    assert bool(re.search(r"\d:\d\d:\d\d", shown)) == bool(shown) == bool(words)


def lines(capsys: pytest.CaptureFixture[str], count: int) -> list[str]:
    """Wait until standard error has some lines, and return them."""
    shown = ""

    def are_there() -> bool:
        nonlocal shown
        shown += capsys.readouterr().err
        return shown.count("\n") >= count

    wait_until(are_there, 0.001)
    return shown.splitlines()


@pytest.mark.parametrize(("turned", "every"), [("off", 0.001), ("on", PATIENCE)])
def test_progress_that_is_turned_off_or_short_shows_nothing(
    turned: str, every: float, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARUBATSU_PROGRESS", turned)
    monkeypatch.setattr(progress_module, "LINE_EVERY", every)
    monkeypatch.setattr("marubatsu.pipeline.support.progress._Bar.period", 0.001)
    with progress("waiting") as advance:
        time.sleep(0.1)
        advance(0.5)
    assert capsys.readouterr().err == ""


def test_without_a_terminal_lines_are_shown_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARUBATSU_PROGRESS", "on")
    monkeypatch.setattr(progress_module, "LINE_EVERY", 0.01)
    now = 0.0
    monkeypatch.setattr(progress_module, "monotonic", lambda: now)
    with progress("waiting") as advance:
        assert lines(capsys, 2)[-1] == "waiting: in progress"
        advance(0.25)
        assert lines(capsys, 2)[-1] == "waiting: 25 %"  # How fast it goes is not known yet,
        advance(0.254)
        assert lines(capsys, 2)[-1] == "waiting: 25 %"  # and too little is done to say so.
        now = 100.0
        advance(0.5, "half of it")
        assert lines(capsys, 2)[-1] == "waiting: 50 %, about 3 min left, half of it"
        advance(0.85)
        assert lines(capsys, 2)[-1] == "waiting: 85 %, about 25 s left"
    assert (LINE_EVERY, BAR_AFTER) == (10.0, 1.0)


def test_verbose_and_json_report_the_same_steps(tmp_path: Path) -> None:
    verbose = run_here("solve", "2x2k2-gravity", "-v", data=tmp_path / "first")
    logged = run_here("--log-json", "solve", "2x2k2-gravity", data=tmp_path / "second")
    quiet = run_here("solve", "2x2k2-gravity", data=tmp_path / "third")
    events = [json.loads(line) for line in logged.stderr.splitlines()]
    assert [event["message"].replace("second", "first") for event in events] == [
        line.partition(" s  ")[2] for line in verbose.stderr.splitlines()
    ]
    assert all(type(event["seconds"]) is float for event in events)
    plies = [event for event in events if event["event"] == "ply"]
    assert [(event["pass"], event["ply"]) for event in plies] == [
        *(("forward", ply) for ply in range(4)), *(("backward", ply) for ply in (3, 2, 1, 0)),
    ]  # fmt: skip
    assert plies[-1] == {
        "seconds": plies[-1]["seconds"], "event": "ply", "ply": 0,
        "message": "backward, ply 0 done", "pass": "backward",
    }  # fmt: skip
    assert quiet.stderr == ""


@pytest.mark.parametrize(
    ("line", "is_json"),
    [
        ("-v show -g 2x2k2 ....", False),
        ("show -g 2x2k2 .... --verbose", False),
        ("show --log-json -g 2x2k2 ....", True),
        ("-v show -g 2x2k2 .... --log-json", True),
        ("--log-json show -g 2x2k2 .... -v", True),
    ],
)
def test_steps_are_printed_wherever_the_option_is(
    line: str, tmp_path: Path, *, is_json: bool
) -> None:
    done = run_here(*line.split(), data=tmp_path)
    require_refused(done, "2x2k2 is not built in", code=1)
    if is_json:
        event = json.loads(done.stderr.splitlines()[-1])
        assert (event["event"], event["exit_code"]) == ("error", 1)
        assert event["message"].startswith("marubatsu: ")
    else:
        assert re.fullmatch(r" +\d+\.\d\d s  marubatsu: 2x2k2 is not built in .*\n", done.stderr)


def test_steps_are_printed_only_with_the_option(tmp_path: Path) -> None:
    done = run_here("show", "-g", "2x2k2", "....", data=tmp_path)
    assert done.stderr.startswith("marubatsu: 2x2k2 is not built in")
    done = run_here("bench", "boards", "--pairs", "0", "-v", data=tmp_path)
    assert done.stderr.endswith(" s  marubatsu: --pairs 0: expected 1 to 1,000,000\n")
