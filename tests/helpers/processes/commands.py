"""The command line as a process of its own, and in this one."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Any
from unittest import mock

import typer.main

from marubatsu.cli.commands import app, main
from marubatsu.pipeline.support import errors, events
from marubatsu.pipeline.support.progress import refuse_waiting

Marubatsu = Callable[..., "subprocess.CompletedProcess[str]"]

PATIENCE = 600
"""Seconds after which a process counts as hanging, even on a loaded machine."""

_command = cache(typer.main.get_command)
"""Our commands as Typer makes them: a process makes them once, and runs one."""


def run_marubatsu(
    *arguments: str, data: Path | None = None, environment: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    variables = {**os.environ, **(environment or {})}
    variables.pop("MARUBATSU_DATA", None)
    if data is not None:
        variables["MARUBATSU_DATA"] = str(data)
    return subprocess.run(
        [sys.executable, "-m", "marubatsu", *arguments], capture_output=True, text=True,
        env=variables, timeout=PATIENCE, check=False,
    )  # fmt: skip


def run_here(
    *arguments: str, data: Path, lines: str | bytes = ""
) -> "subprocess.CompletedProcess[str]":
    """Run a command in this process, as `python -m marubatsu` does, with lines as its input."""
    bytes_in = lines if isinstance(lines, bytes) else lines.encode()
    given = io.TextIOWrapper(io.BytesIO(bytes_in), encoding="utf-8")
    out, err = (
        io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace", newline="")
        for _ in range(2)
    )
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    with (
        mock.patch.multiple(sys, argv=["marubatsu", *arguments], stdin=given),
        mock.patch.multiple(sys, stdout=out, stderr=err),
        mock.patch.dict(os.environ, MARUBATSU_DATA=str(data)),
        mock.patch.object(typer.main, "get_command", _command),
        mock.patch.object(errors, "cure_words", None),
        mock.patch.object(events, "note_words", str),
    ):
        try:
            main()
            code: object = 0
        except SystemExit as ended:
            code = ended.code or 0
        finally:
            # Settings by options end with the process.
            events.choose_by(verbose=False, log_json=False)
            refuse_waiting(refused=False)
    assert isinstance(code, int), code
    for number, handler in handlers.items():
        assert signal.getsignal(number) is handler
    message, complaint = (_read(stream) for stream in (out, err))
    return subprocess.CompletedProcess(arguments, code, message, complaint)


def require_refused(done: "subprocess.CompletedProcess[str]", message: str, code: int = 2) -> None:
    """Assert that a command printed nothing but a sentence with a given part."""
    assert (done.returncode, done.stdout) == (code, ""), done
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def json_of(done: "subprocess.CompletedProcess[str]") -> Any:
    """Return the JSON that a command has printed; it must have succeeded."""
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def raw_file(root: Path, game: str) -> bytes:
    """Return what `export --raw` writes about a solved game."""
    done = run_here("export", game, "--raw", data=root)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.encode("utf-8", "surrogateescape")


def without_box(complaint: str) -> str:
    """Return standard error without the note of what this machine does not confine."""
    lines = complaint.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("foreign AIs are not confined: "))


def _read(stream: io.TextIOWrapper) -> str:
    """Return what was written; a byte that is no text stays, as a character of its own."""
    stream.flush()
    stream.seek(0)
    return bytes(stream.buffer.read()).decode("utf-8", "surrogateescape")


def running(*arguments: str, data: Path) -> AbstractContextManager["subprocess.Popen[str]"]:
    """Start a command that does not outlive the test, even if it hangs."""
    return watched(sys.executable, "-m", "marubatsu", *arguments, "--data", str(data))


@contextmanager
def watched(*command: str) -> Iterator["subprocess.Popen[str]"]:
    """Start a process that does not outlive the test, even if it hangs."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        watchdog = Timer(PATIENCE, process.kill)
        watchdog.start()
        try:
            yield process
        finally:
            watchdog.cancel()
            process.kill()


def every_command() -> dict[str, Any]:
    """Return every command by its name."""
    group: Any = typer.main.get_command(app)
    return {name: group.get_command(None, name) for name in group.list_commands(None)}
