"""A copy of the sources with a throw-away extension in it, and commands that run there."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.helpers import CHECKOUT
from tests.helpers.processes.commands import PATIENCE

RUN = """
import json, os, pathlib, sys
from tests.helpers.processes.commands import run_here
data, found = pathlib.Path(os.environ["MARUBATSU_DATA"]), []
for words in json.loads(sys.argv[1]):
    done = run_here(*words, data=data)
    found.append([done.returncode, done.stdout, done.stderr])
print(json.dumps(found))
"""
"""A program that runs commands, a list of lists in JSON, one after the other."""


class Change(NamedTuple):
    """One place: a file, the text there, and what is put before it; a new file has no place."""

    file: str
    place: str
    added: str
    replaces: bool = False  # whether the text there is replaced instead


class Extended:
    """A copy of the sources with an extension in it, and commands that run there."""

    def __init__(self, folder: Path, changes: Sequence[Change]) -> None:
        """Copy and change the sources; what Python made of the unchanged ones comes along."""
        self.folder = folder
        for name in ("marubatsu", "queries", "explorer"):
            shutil.copytree(CHECKOUT / name, folder / name)
        for change in changes:
            self.change(change)

    def change(self, change: Change) -> None:
        path = self.folder / change.file
        if not change.place:
            path.write_text(change.added, encoding="utf-8")
            return
        text = path.read_text(encoding="utf-8")
        assert text.count(change.place) == 1, change
        kept = "" if change.replaces else change.place
        path.write_text(text.replace(change.place, change.added + kept), "utf-8")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(map(str, (self.folder, CHECKOUT)))
        variables = {"PYTHONPATH": path, "MARUBATSU_DATA": str(self.folder / "data")}
        return subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env={**os.environ, **variables},
            capture_output=True, text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip

    def python(self, *arguments: str) -> str:
        """Run Python on the changed sources; return what it prints."""
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def marubatsu(self, *arguments: str) -> str:
        """Run a command of the changed sources; return what it prints."""
        return self.python("-m", "marubatsu", *arguments)

    def results(self, *lines: Sequence[str]) -> list[tuple[int, str, str]]:
        """Run commands in one process; return exit codes, outputs and complaints."""
        program = self.folder / "run_all.py"  # With `-c`, DuckDB takes us for a person.
        program.write_text(RUN)
        return [tuple(done) for done in json.loads(self.python(str(program), json.dumps(lines)))]

    def outputs(self, **lines: Sequence[str]) -> dict[str, str]:
        """Run commands that succeed in one process; return what each prints, by its name here."""
        done = self.results(*lines.values())
        assert [code for code, *_ in done] == [0] * len(lines), done
        return {name: message for name, (_, message, _) in zip(lines, done, strict=True)}
