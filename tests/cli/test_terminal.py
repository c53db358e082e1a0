"""What a terminal is shown: tables of its width, help that is not cut, completion of words."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import write
from tests.helpers.processes.commands import run_here
from tests.helpers.processes.terminals import shown_on

COLUMNS = ("game", "state", "sentence")
ROWS = [("tictactoe", "built", "x" * 60), ("connect4", "too large", None)]


def on_a_terminal(width: int) -> str:
    """Write the rows as a table to a terminal of some width; return what appears there."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with os.fdopen(theirs, "w", encoding="utf-8") as out:
        write(COLUMNS, ROWS, Format.TABLE, out)
    return shown_on(ours).replace("\r\n", "\n")


@pytest.mark.parametrize(
    ("width", "left_out"),
    [(84, ""), (83, "sentence"), (21, "sentence"), (20, "state, sentence"), (3, "state, sentence")],
)
def test_a_narrow_terminal_is_told_which_columns_it_cannot_show(
    width: int, left_out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = on_a_terminal(width).splitlines()
    told = f"the terminal is too narrow for {left_out}: widen it, or add --format csv\n"
    assert capsys.readouterr().err == (told if left_out else "")
    assert shown[0].split() == [name for name in COLUMNS if name not in left_out.split(", ")]
    assert max(map(len, shown)) == {"": 84, "sentence": 21, "state, sentence": 9}[left_out]


def test_a_file_holds_all_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "rows").open("w+", encoding="utf-8") as out:
        write(COLUMNS, ROWS, Format.TABLE, out)
        out.seek(0)
        assert max(map(len, out.read().splitlines())) == 84
    assert capsys.readouterr().err == ""


def test_options_without_a_command_are_told(tmp_path: Path) -> None:
    for option in ("--verbose", "--log-json"):
        done = run_here(option, data=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "expected a command after the options" in done.stderr


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
    done = subprocess.run(
        [sys.executable, "-m", "marubatsu", "--show-completion", "zsh"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    )
    assert done.stdout.startswith("#compdef marubatsu\n")
