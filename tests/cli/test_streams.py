"""Odd environments: closed and full streams, streams without Unicode, folders that cannot be."""

import fcntl
import io
import os
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from unittest import mock

import pytest

import marubatsu as mb
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.events import mend_streams
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import write
from tests.helpers.data.data_sets import SMALLEST, Solutions, build_smallest
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import PATIENCE, require_refused, run_here, run_marubatsu
from tests.helpers.processes.watching import wait_until

CANNOT = "marubatsu: cannot write the output: "
NO_INPUT = (
    "marubatsu: standard input holds no position: "
    "expected a board or a list of moves on each line\n"
)

STREAMS = {
    ">&-": (1, CANNOT + "Bad file descriptor\n"),
    ">/dev/full": (1, CANNOT + "No space left on device\n"),
    "2>&-": (0, ""),
    "--nosuch 2>/dev/full": (2, ""),
    "<&-": (2, NO_INPUT),
    "<&- >&- 2>&-": (2, ""),
    "| true": (0, ""),
}
"""Redirections of a shell, with the exit code and the complaint of a command."""


@pytest.mark.parametrize("redirection", STREAMS)
def test_closed_and_full_streams_cause_at_most_a_sentence(redirection: str, shared: Shared) -> None:
    command = [sys.executable, "-m", "marubatsu", "show", "-", "--game", SMALLEST]
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirection}', "sh", *command, "--data", build_smallest(shared)],
        input="....\n", capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == STREAMS[redirection]


def test_a_file_never_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """A build whose output is closed writes its tables, and what it prints goes nowhere."""
    command = [sys.executable, "-m", "marubatsu", "tree", SMALLEST, "--data", str(tmp_path)]
    for words in (command, [*command[:3], "verify", "--data", str(tmp_path)]):
        closed = subprocess.run(
            ["sh", "-c", '"$@" >&- 2>&- <&-', "sh", *words], timeout=PATIENCE, check=False
        )
        assert closed.returncode == 1  # Its output could not be written.
    assert run_here("verify", data=tmp_path).returncode == 0


def test_a_stream_without_unicode_gets_escape_sequences() -> None:
    done = run_marubatsu("query", environment={"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert done.stdout.splitlines()[1].strip("-") == ""
    done = run_marubatsu("béd", environment={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"})
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)


def test_a_byte_that_is_no_text_is_read_in_every_locale() -> None:
    given = io.TextIOWrapper(io.BytesIO(b"\xff\n"), encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    with mock.patch.multiple(sys, stdin=given, stdout=out, stderr=err):
        mend_streams()
        assert sys.stdin.readline() == "\udcff\n"


@pytest.mark.parametrize("form", [Format.JSON, Format.NDJSON])
@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_json_stays_json_in_every_encoding(form: Format, encoding: str) -> None:
    below = io.BytesIO()
    out = io.TextIOWrapper(below, encoding=encoding, errors="backslashreplace")
    write(["a"], [["あé😀"]], form, out)
    out.flush()
    text = below.getvalue().decode(encoding)
    escaped = '{"a": "あé😀"}' if encoding == "utf-8" else '{"a": "\\u3042\\u00e9\\ud83d\\ude00"}'
    assert text.replace("[\n ", "").replace("\n]", "") == escaped + "\n"


NO_ROOTS = {
    "~nosuchuser/data": "names the home folder of an unknown user",
    "s3://bucket/data": "is an address, expected a folder of this machine",
    "loop": "leads to no folder, expected one",
    "file": "leads to no folder, expected one",
    os.fsdecode(b"\xff/data"): "has a name that is not UTF-8",
    "link_to_bytes": "has a name that is not UTF-8",
}


@pytest.mark.parametrize("name", NO_ROOTS, ids=ascii)
def test_a_folder_that_cannot_hold_data_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    Path("file").touch()
    Path(os.fsdecode(b"\xff")).mkdir()
    Path("link_to_bytes").symlink_to(os.fsdecode(b"\xff"))
    before = sorted(tmp_path.rglob("*"))
    for command in ("tree 2x2k2", "show .... -g 2x2k2", "verify", "games", "sql from(moves)"):
        done = run_here(*command.split(), "--data", name, data=tmp_path)
        require_refused(done, f"{NO_ROOTS[name]}: change --data or MARUBATSU_DATA")
    assert sorted(tmp_path.rglob("*")) == before


def test_the_data_of_one_game_takes_no_other(tmp_path: Path) -> None:
    """As when the folder of a game is named instead of the one above it."""
    assert run_here("tree", "2x2k2", data=tmp_path).returncode == 0
    before = sorted(tmp_path.rglob("*"))
    for inside in ("", "new", "new/folder"):
        folder = tmp_path / "2x2k2" / inside
        message = f"' lies in the data of one game: expected the folder above that, {tmp_path}\n"
        for command in ("tree 2x1k2", "show .. -g 2x1k2", "verify", "games", "solve 2x1k2"):
            require_refused(run_here(*command.split(), data=folder), message)
    with pytest.raises(UsageError, match="lies in the data of one game"):
        mb.answer("..", "2x1k2", data=tmp_path / "2x2k2")
    assert sorted(tmp_path.rglob("*")) == before


def test_output_that_a_signal_interrupts_is_whole(solutions: Solutions) -> None:
    """Python loses the rest of a write to a full pipe, without a buffer by Ctrl-Z and fg."""
    root = solutions.of("4x4k4")
    export = [sys.executable, "-m", "marubatsu", "export", "4x4k4", "--raw", "--data", str(root)]
    unbuffered = {**os.environ, "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(export, env=unbuffered, capture_output=True, check=True, timeout=PATIENCE)
    with subprocess.Popen(export, env=unbuffered, stdout=subprocess.PIPE) as process:
        assert process.stdout
        pipe = process.stdout

        def waiting() -> int:
            return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)

        def is_full() -> bool:
            before = waiting()
            time.sleep(0.2)
            return before == waiting() > 1 << 14

        wait_until(is_full)
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        process.send_signal(signal.SIGCONT)
        assert pipe.read() == done.stdout
    assert process.returncode == 0
    reader, writer = os.pipe()
    os.set_blocking(writer, False)  # As Node.js leaves it to its children.
    with subprocess.Popen(export, stdout=writer) as process, os.fdopen(reader, "rb") as pipe:
        os.close(writer)
        wait_until(is_full)
        assert pipe.read() == done.stdout
    assert process.returncode == 0
