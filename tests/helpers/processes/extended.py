"""A copy of the sources with a throw-away extension in it, and commands that run there."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.helpers import CHECKOUT


class Change(NamedTuple):
    """One place: a file, the text there, and what is put before it; a new file has no place."""

    file: str
    place: str
    added: str
    replaces: bool = False  # whether the text there is replaced instead


class Extended:
    """A copy of the sources with an extension in it, and commands that run there."""

    def __init__(self, folder: Path, changes: Sequence[Change]) -> None:
        """Copy and change the sources."""
        self.folder = folder
        for name in ("marubatsu", "queries", "explorer"):
            shutil.copytree(
                CHECKOUT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        for change in changes:
            self.change(change)

    def change(self, change: Change) -> None:
        """Change one place."""
        path = self.folder / change.file
        if not change.place:
            path.write_text(change.added, encoding="utf-8")
            return
        text = path.read_text(encoding="utf-8")
        assert text.count(change.place) == 1, change
        kept = "" if change.replaces else change.place
        path.write_text(text.replace(change.place, change.added + kept), "utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run Python on the changed sources."""
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={
                **os.environ,
                "PYTHONPATH": str(self.folder),
                "MARUBATSU_DATA": str(self.folder / "data"),
            },
            capture_output=True,
            text=True,
            check=False,
        )

    def python(self, *arguments: str) -> str:
        """Run Python on the changed sources; return what it prints."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def marubatsu(self, *arguments: str) -> str:
        """Run a command of the changed sources; return what it prints."""
        return self.python("-m", "marubatsu", *arguments)

    def refused(self, *arguments: str) -> tuple[int, str]:
        """Run a command of the changed sources; return its exit code and its message."""
        done = self.run("-m", "marubatsu", *arguments)
        return done.returncode, done.stderr
