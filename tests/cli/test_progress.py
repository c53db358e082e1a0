"""Progress: on a terminal, and only when it lasts."""

import os
import pty
import subprocess
import sys
import time

import pytest

from marubatsu.pipeline.support.progress import progress

WAIT = "import time; from marubatsu.pipeline.support.progress import progress\n"
WAIT += "with progress('waiting') as advance:\n"


def on_a_terminal(code: str) -> str:
    """Run Python with a terminal as standard error; return what appears there."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", code], stderr=theirs, env={**os.environ, "TERM": "xterm"}
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:  # The other end is closed.
            pass
        finally:
            os.close(ours)
    assert process.returncode == 0
    return shown.decode()


def test_what_lasts_is_shown_with_the_time_left() -> None:
    shown = on_a_terminal(
        WAIT + "    for i in range(20):\n        time.sleep(0.1)\n        advance((i + 1) / 20)\n"
    )
    assert "waiting" in shown
    assert "left" in shown
    assert "0:00:0" in shown


def test_what_is_over_at_once_shows_nothing() -> None:
    assert on_a_terminal(WAIT + "    advance(0.5)\n") == ""


def test_without_a_terminal_nothing_is_shown(capfd: pytest.CaptureFixture[str]) -> None:
    with progress("waiting") as advance:
        time.sleep(1.2)
        advance(0.5)
    assert capfd.readouterr().err == ""
