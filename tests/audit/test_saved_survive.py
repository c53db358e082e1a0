"""Saved AIs outlive releases, damage and kills: unusable ones are left out, and kept."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import marubatsu as mb
from marubatsu.engine.rules.game import Game
from marubatsu.engine.tree.positions import Positions
from marubatsu.judge.agents import saved_ais as saved_rows
from marubatsu.judge.agents.saved_ais import SavedChoices
from marubatsu.pipeline.stages.staleness import RULES, SAVED_VERSION
from marubatsu.pipeline.tables.data_set import DataSet, Saved
from marubatsu.pipeline.tables.schemas import Columns
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import contents, damage, manifest_of
from tests.helpers.processes.commands import run_here, without_box
from tests.helpers.processes.extended import Change, Extended

GAME = "3x2k2"
USES = (
    ["sql", "select count(*) from ai_moves", "--game", GAME],
    ["query", "strong", "--game", GAME],
    ["audit", "ai2", "--game", GAME],
    ["match", "last", "ai2", "--games", "10", "--game", GAME],
    ["ais", "--game", GAME],
)


@pytest.fixture(scope="module")
def saved(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return tables with two saved AIs, first and last, next to the files of these AIs."""
    folder = tmp_path_factory.mktemp("saved")
    shutil.copytree(root / GAME, folder / "data" / GAME)
    for name, place in (("first", "0"), ("last", "-1"), ("third", "len(legal) // 2")):
        text = f"def choose(board, legal):\n    return legal[{place}]\n"
        (folder / f"{name}.py").write_text(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        for name in ("first", "last"):
            save(folder / "data", name)
    return folder


@pytest.fixture
def data(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(saved, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def save(data: Path, name: str, file: str = "") -> None:
    """Save the AI of a file in the current folder, by default that of its name."""
    run(data, "audit", f"{file or name}.py:choose", "--save", name, "--game", GAME)


def run(data: Path, *arguments: str) -> tuple[str, str]:
    """Run a command that must work; return what it prints, and its notes."""
    done = run_here(*arguments, data=data)
    assert done.returncode == 0, done.stderr
    return done.stdout, without_box(done.stderr)


def saved_names(data: Path) -> list[str]:
    output, _ = run(data, "ais", "--game", GAME, "--format", "json")
    return [row["ai"] for row in json.loads(output) if row["family"] == "foreign"]


COUNT = ["sql", "select count(*) from matches", "--game", GAME, "--format", "csv"]


def matches(data: Path) -> int:
    output, _ = run(data, *COUNT)
    return int(output.split()[1])


def file_of(data: Path, start: str) -> Path:
    (file,) = (data / GAME / "saved").glob(f"{start}.*")
    return file


@pytest.mark.parametrize(
    ("start", "harm"),
    [("ais.first", lambda file: damage(file, 1 / 2)), ("ai_moves.first", Path.unlink)],
)
def test_a_bad_file_costs_one_ai_and_one_note(
    data: Path, start: str, harm: Callable[[Path], None]
) -> None:
    file = file_of(data, start)
    good = file.read_bytes()
    assert matches(data) == 35 * 35
    harm(file)
    for use in USES:
        _, output = run(data, *use)
        assert output.count("the saved AI first is left out: ") == 1
        assert file.name in output
        assert f"or run `marubatsu ais --remove first --game {GAME}" in output
        assert "the matches of the saved AIs in" in output
    assert saved_names(data) == ["last"]
    done = run_here("match", "first", "ai2", "--game", GAME, data=data)
    assert "'first' names no AI" in done.stderr
    output, _ = run(data, "build", GAME)
    assert "the matches of saved AIs were computed again" in output
    assert matches(data) == 34 * 34
    file.write_bytes(good)  # The right file comes back.
    assert saved_names(data) == ["first", "last"]
    run(data, "build", GAME)
    assert matches(data) == 35 * 35
    harm(file)
    run(data, "ais", "--remove", "first", "--game", GAME)
    assert run(data, "ais", "--game", GAME)[1] == ""
    assert matches(data) == 34 * 34
    assert run_here("verify", GAME, data=data).returncode == 0


def test_an_invalid_saved_row_excludes_one_ai(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = saved_rows._ai_moves  # noqa: SLF001

    def halved(positions: Positions, name: str, choices: SavedChoices) -> Columns:
        return {**whole(positions, name, choices), "probability": choices.probability / 2}

    with monkeypatch.context() as patched:
        patched.setattr(saved_rows, "_ai_moves", halved)
        save(data, "first")
    assert saved_names(data) == ["last"]
    _, output = run(data, "match", "last", "ai2", "--games", "10", "--game", GAME)
    assert output.count("the saved AI first is left out: ") == 1
    run(data, "ais", "--remove", "first", "--game", GAME)
    assert run(data, "ais", "--game", GAME)[1] == ""


def test_bad_matches_are_computed_again(data: Path) -> None:
    right = contents(data)
    damage(file_of(data, "matches"), 1 / 2)
    for use in USES:
        _, output = run(data, *use)
        assert output.count("left out") == 1
        assert f"run `marubatsu build {GAME}" in output
    assert saved_names(data) == ["first", "last"]
    mb.build(GAME, data=data)
    assert contents(data) == right


def test_a_damaged_manifest_keeps_the_files(data: Path) -> None:
    manifest = data / GAME / "saved" / "manifest.json"
    kept = contents_of(manifest.parent, "ai*.parquet")
    manifest.unlink()
    assert (
        "manifest.json lists none; put the right file back" in run(data, "ais", "--game", GAME)[1]
    )
    for text in ("", "{}", '{\n "format": 99\n}\n'):
        manifest.write_text(text)
        _, output = run(data, "ais", "--game", GAME)
        assert output.count("all saved AIs are left out: ") == 1
        assert "manifest.json is damaged" in output
    address = f"{data.parent}/third.py:choose"
    done = run_here("audit", address, "--save", "third", "--game", GAME, data=data)
    assert done.returncode == 0
    assert "it is " in done.stderr
    assert "manifest.damaged now, its files stay" in done.stderr
    assert saved_names(data) == ["third"]
    assert contents_of(manifest.parent, "ai*.parquet").items() >= kept.items()
    run(data, "ais", "--remove", "first", "--game", GAME)
    left = {name: content for name, content in kept.items() if ".first." not in name}
    assert contents_of(manifest.parent, "ai*.parquet").items() >= left.items()
    assert saved_names(data) == ["third"]
    manifest.write_text(text)
    for name in ("third", "last"):
        run(data, "ais", "--remove", name, "--game", GAME)
    assert not manifest.parent.exists()


def contents_of(folder: Path, pattern: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob(pattern)}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"made_by": "saved 0, rules 1"},
         f"is of saved 0, rules 1, expected saved {SAVED_VERSION}, rules {RULES}"),
        ({"schema": "0" * 12}, "is stale: its table is declared otherwise now"),
    ],
)  # fmt: skip
def test_an_older_version_is_left_out_and_stays(data: Path, changed: Any, why: str) -> None:
    """As if the entries of an AI in the manifest had been made so."""
    saved = Saved(data, Game(GAME))
    manifest = manifest_of(saved)
    entries = {
        name: replace(entry, **changed) if name.startswith("ai_moves.first") else entry
        for name, entry in manifest.files.items()
    }
    saved.publish([], replace(manifest, files=entries))
    _, output = run(data, "query", "strong", "--game", GAME)
    assert output.count("the saved AI first is left out: ") == 1
    assert why in output
    kept = contents_of(data / GAME / "saved", "*.first.*")
    run(data, "build", GAME)
    assert matches(data) == 34 * 34
    save(data, "more", "first")
    assert contents_of(data / GAME / "saved", "*.first.*") == kept
    assert len(kept) == 2
    run(data, "ais", "--remove", "first", "--game", GAME)
    assert saved_names(data) == ["last", "more"]


NEW_AI = Change(
    "marubatsu/engine/ais/built_in.py",
    "@rule\ndef ai1(",
    "@rule\n"
    "def last_cell(board: Board[Any]) -> Sequence[Any]:\n"
    '    """Take the last empty cell in row order."""\n'
    "    return board.legal_moves()[-1:]\n\n\n",
)
NEW_TEXT = Change(
    "marubatsu/engine/ais/built_in.py",
    '    """Take the first empty cell in row order.',
    '    """Always take the first in row order.',
    True,
)


def test_another_release_keeps_saved_ones(data: Path, tmp_path: Path) -> None:
    """One with another rule text changes nothing, one with another AI lets all meet again.

    The new AI takes the name of a saved one, which is left out until it is removed.
    """
    save(data, "last_cell", "last")
    copy = Extended(tmp_path / "checkout", [NEW_TEXT])
    folder = copy.folder / "data" / GAME / "saved"
    shutil.copytree(data / GAME, folder.parent)
    before, kept = contents(folder), contents_of(folder, "ai*.parquet")
    assert "were computed again" not in copy.marubatsu("build", GAME)
    assert contents(folder) == before
    copy.change(NEW_AI)
    remove = ["ais", "--remove", "last_cell", "--game", GAME]
    (_, built, _), with_it, _, without_it = copy.results(["build", GAME], COUNT, remove, COUNT)
    assert "the matches of saved AIs were computed again" in built
    assert with_it[1] == without_it[1] == f"count_star()\n{36 * 36}\n"
    assert re.search("the saved AI last_cell is left out: .* the name of a built-in AI", with_it[2])
    assert without_it[2] == ""
    left = {name: content for name, content in kept.items() if ".last_cell." not in name}
    assert contents_of(folder, "ai*.parquet") == left


def test_without_tables_they_are_kept_and_matched_later(data: Path) -> None:
    for file in (data / GAME).iterdir():
        if file.is_file():
            file.unlink()
    assert saved_names(data) == ["first", "last"]
    run(data, "match", "first", "last", "--games", "10", "--game", GAME)
    before = contents(data / GAME / "saved")
    run(data, "tree", GAME)
    run(data, "build", GAME)
    assert contents(data / GAME / "saved") == before
    assert matches(data) == 35 * 35


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_clean_keeps_what_they_answered(data: Path) -> None:
    before = contents(data / GAME / "saved")
    make = ["make", "-f", str(CHECKOUT / "Makefile"), "clean"]
    subprocess.run(make, cwd=data.parent, check=True, capture_output=True)
    assert [path.name for path in (data / GAME).iterdir()] == ["saved"]
    assert contents(data / GAME / "saved") == before
    assert saved_names(data) == ["first", "last"]


KILLED = """
import os, sys, pathlib
left, rename = int(sys.argv.pop(1)), pathlib.Path.replace
def replace(self, target):
    global left
    if "saved" in self.parts:
        left -= 1
        if left < 0:
            os._exit(9)
    return rename(self, target)
pathlib.Path.replace = replace
from marubatsu.cli.commands import main
main()
"""


@pytest.mark.parametrize(
    ("name", "renames"), [("new", 1), ("new", 2), ("new", 3), ("new", 4), ("first", 2)]
)
def test_a_kill_in_the_middle_of_a_save_costs_nothing(data: Path, renames: int, name: str) -> None:
    """The old choices, or the new ones, are there afterwards, and the others in any case."""
    old = file_of(data, "ai_moves.first").read_bytes()
    shutil.copy(data.parent / "last.py", data.parent / f"{name}.py")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(renames),
         "audit", f"{name}.py:choose", "--save", name, "--game", GAME],
        env={**os.environ, "MARUBATSU_DATA": str(data), "PYTHONPATH": str(CHECKOUT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 9, done.stderr
    is_new = name == "new" and renames >= 3
    assert saved_names(data) == ["first", "last", *["new"] * is_new]
    if name == "new":
        assert file_of(data, "ai_moves.first").read_bytes() == old
    run(data, "query", "strong", "--game", GAME)
    save(data, name)
    assert matches(data) == (36 if name == "new" else 35) ** 2
    assert run_here("verify", GAME, data=data).returncode == 0
    assert DataSet(data, Game(GAME)).manifest() is not None
