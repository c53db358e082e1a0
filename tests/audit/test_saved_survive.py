"""Saved AIs outlive releases, damage and kills: what cannot be used is left out, and stays."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.engine.tree.positions import Positions
from marubatsu.judge.agents import saved_ais as saved_rows
from marubatsu.judge.agents.saved_ais import SavedChoices
from marubatsu.pipeline.stages.staleness import RULES, SAVED
from marubatsu.pipeline.store.data_set import DataSet, Saved
from marubatsu.pipeline.store.manifest import Entry
from marubatsu.pipeline.tables.columns import Columns
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import contents
from tests.helpers.processes.commands import run_here, without_box
from tests.helpers.processes.extended import Change, Extended

GAME = "3x2k2"
FIRST, LAST = "first.py:choose", "last.py:choose"
USES = (
    ["sql", "select count(*) from ai_moves", "--game", GAME],
    ["query", "strong", "--game", GAME],
    ["audit", "ai2", "--game", GAME],
    ["match", "last", "ai2", "--games", "10", "--game", GAME],
    ["ais", "--game", GAME],
)


@pytest.fixture
def data(root: Path, tmp_path: Path) -> Path:
    """Return tables with two saved AIs, first and last."""
    shutil.copytree(root / GAME, tmp_path / "data" / GAME)
    for name, place in (("first", 0), ("last", -1)):
        (tmp_path / f"{name}.py").write_text(
            f"def choose(board, legal):\n    return legal[{place}]\n"
        )
        save(tmp_path / "data", name)
    return tmp_path / "data"


def save(data: Path, name: str, file: str = "") -> None:
    address = f"{data.parent / (file or name)}.py:choose"
    run(data, "audit", address, "--save", name, "--game", GAME)


def run(data: Path, *arguments: str) -> tuple[str, str]:
    """Run a command that must work; return what it prints, and its notes."""
    done = run_here(*arguments, data=data)
    assert done.returncode == 0, done.stderr
    return done.stdout, without_box(done.stderr)


def saved_names(data: Path) -> list[str]:
    told, _ = run(data, "ais", "--game", GAME, "--format", "json")
    return [row["ai"] for row in json.loads(told) if row["family"] == "foreign"]


def matches(data: Path) -> int:
    told, _ = run(
        data, "sql", "select count(*) from matches", "--game", GAME, "--format", "csv"
    )  # fmt: skip
    return int(told.split()[1])


def file_of(data: Path, start: str) -> Path:
    (file,) = (data / GAME / "saved").glob(f"{start}.*")
    return file


def aged(data: Path, start: str, change: Callable[[Entry], Entry]) -> None:
    """Change the entries of some files in the manifest of the saved AIs, as if made so."""
    saved = Saved(data, Game(GAME))
    manifest = saved.manifest()
    assert manifest
    files = {
        name: change(entry) if name.startswith(start) else entry
        for name, entry in manifest.files.items()
    }
    assert files != manifest.files
    saved.publish([], replace(manifest, files=files))


def damage(file: Path) -> None:
    good = file.read_bytes()
    file.write_bytes(good[:-5] + bytes([good[-5] ^ 1]) + good[-4:])


def shorten(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:40])


def test_each_ai_has_files_of_its_own_and_all_are_matched(data: Path) -> None:
    names = sorted(path.name.split(".")[0] for path in (data / GAME / "saved").iterdir())
    assert names == ["ai_moves", "ai_moves", "ais", "ais", "manifest", "matches"]
    assert saved_names(data) == ["first", "last"]
    assert matches(data) == 35 * 35


@pytest.mark.parametrize("start", ["ais.first", "ai_moves.first"])
@pytest.mark.parametrize("harm", [damage, shorten, Path.unlink])
def test_a_bad_file_costs_one_ai_and_one_note(
    data: Path, start: str, harm: Callable[[Path], None]
) -> None:
    file = file_of(data, start)
    good = file.read_bytes()
    harm(file)
    for use in USES:
        _, told = run(data, *use)
        assert told.count("the saved AI first is left out: ") == 1
        assert file.name in told
        assert f"or run `marubatsu ais --remove first --game {GAME}" in told
        assert "the matches of the saved AIs in" in told
    assert saved_names(data) == ["last"]
    done = run_here("match", "first", "ai2", "--game", GAME, data=data)
    assert "there is no AI 'first'" in done.stderr
    told, _ = run(data, "build", GAME)
    assert "the matches of saved AIs were computed again" in told
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


def test_a_row_that_means_nothing_costs_one_ai(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = saved_rows._ai_moves  # noqa: SLF001

    def halved(positions: Positions, name: str, choices: SavedChoices) -> Columns:
        return {**whole(positions, name, choices), "probability": choices.probability / 2}

    with monkeypatch.context() as patched:
        patched.setattr(saved_rows, "_ai_moves", halved)
        save(data, "first")
    assert saved_names(data) == ["last"]
    for use in USES:
        run(data, *use)
    _, told = run(data, "match", "last", "ai2", "--games", "10", "--game", GAME)
    assert told.count("the saved AI first is left out: ") == 1
    assert f"or run `marubatsu ais --remove first --game {GAME}" in told
    assert (
        "there is no AI 'first'" in run_here("match", "first", "ai2", "-g", GAME, data=data).stderr
    )
    run(data, "ais", "--remove", "first", "--game", GAME)
    assert run(data, "ais", "--game", GAME)[1] == ""


def test_bad_matches_are_computed_again(data: Path) -> None:
    right = contents(data)
    damage(file_of(data, "matches"))
    for use in USES:
        _, told = run(data, *use)
        assert told.count("left out") == 1
        assert f"run `marubatsu build {GAME}" in told
    assert saved_names(data) == ["first", "last"]
    run(data, "build", GAME)
    assert contents(data) == right


@pytest.mark.parametrize("text", [b"", b"{}", b'{\n "format": 99\n}\n'])
def test_a_damaged_manifest_keeps_the_files(data: Path, text: bytes) -> None:
    manifest = data / GAME / "saved" / "manifest.json"
    manifest.write_bytes(text)
    kept = {path.name: path.read_bytes() for path in manifest.parent.glob("ai*.parquet")}
    for use in (USES[0], USES[1], USES[2], USES[4]):
        _, told = run(data, *use)
        assert told.count("all saved AIs are left out: ") == 1
        assert "manifest.json is damaged" in told
    (data.parent / "third.py").write_text(
        "def choose(board, legal):\n    return legal[1:] or legal\n"
    )
    done = run_here(
        "audit", f"{data.parent}/third.py:choose", "--save", "third", "--game", GAME, data=data
    )
    assert done.returncode == 0
    assert "it is " in done.stderr
    assert "manifest.damaged now, its files stay" in done.stderr
    assert saved_names(data) == ["third"]
    assert {name: (manifest.parent / name).read_bytes() for name in kept} == kept
    run(data, "ais", "--remove", "first", "--game", GAME)
    left = {name: each for name, each in kept.items() if ".first." not in name}
    assert {name: (manifest.parent / name).read_bytes() for name in left} == left
    assert saved_names(data) == ["third"]
    manifest.write_bytes(text)
    for name in ("third", "last"):
        run(data, "ais", "--remove", name, "--game", GAME)
    assert not manifest.parent.exists()


def test_an_older_version_is_left_out_and_stays(data: Path) -> None:
    aged(data, "ai_moves.first", lambda entry: replace(entry, made_by="saved 0, rules 1"))
    for use in USES:
        _, told = run(data, *use)
        assert told.count("the saved AI first is left out: ") == 1
        assert f"is of saved 0, rules 1, expected saved {SAVED}, rules {RULES}" in told
    kept = {p.name: p.read_bytes() for p in (data / GAME / "saved").glob("*.first.*")}
    run(data, "build", GAME)
    assert matches(data) == 34 * 34
    save(data, "more", "first")
    assert {p.name: p.read_bytes() for p in (data / GAME / "saved").glob("*.first.*")} == kept
    assert len(kept) == 2
    run(data, "ais", "--remove", "first", "--game", GAME)
    assert saved_names(data) == ["last", "more"]


def test_other_columns_are_left_out(data: Path) -> None:
    aged(data, "ais.last", lambda entry: replace(entry, schema="0" * 12))
    _, told = run(data, *USES[1])
    assert "the saved AI last is left out: " in told
    assert "has other columns than this version declares" in told
    assert saved_names(data) == ["first"]


NEW_AI = Change(
    "marubatsu/engine/ais/by_rule.py",
    "@rule\ndef ai1(",
    "@rule\n"
    "def last_cell(board: Board[Any]) -> Sequence[Any]:\n"
    '    """Take the last empty cell in row order."""\n'
    "    return board.legal_moves()[-1:]\n\n\n",
)
NEW_TEXT = Change(
    "marubatsu/engine/ais/by_rule.py",
    '    """Take the first empty cell',
    '    """Always take the first',
    True,
)


def test_a_release_with_one_more_ai_keeps_saved_ones(data: Path, tmp_path: Path) -> None:
    copy = Extended(tmp_path / "checkout", [NEW_AI])
    shutil.copytree(data / GAME, copy.folder / "data" / GAME)
    kept = {p.name: p.read_bytes() for p in (data / GAME / "saved").glob("ai*.parquet")}
    assert "\nlast " in copy.marubatsu("ais", "--game", GAME)  # The tables are stale.
    copy.marubatsu("query", "strong", "--game", GAME)
    built = copy.run("-m", "marubatsu", "build", GAME)
    assert (built.returncode, built.stderr) == (0, "")
    assert "the matches of saved AIs were computed again" in built.stdout
    strong = copy.marubatsu("query", "strong", "--game", GAME)
    assert {"first", "last", "last_cell"} <= {
        line.split()[0] for line in strong.splitlines() if line
    }
    found = copy.marubatsu("sql", "select count(*) from matches", "--game", GAME, "--format", "csv")
    assert int(found.split()[1]) == 36 * 36
    copy.marubatsu("check", GAME)
    folder = copy.folder / "data" / GAME / "saved"
    assert {p.name: p.read_bytes() for p in folder.glob("ai*.parquet")} == kept
    assert "were computed again" not in copy.marubatsu("build", GAME)
    copy.marubatsu("ais", "--remove", "last", "--game", GAME)


def test_a_changed_rule_text_changes_nothing_of_them(data: Path, tmp_path: Path) -> None:
    copy = Extended(tmp_path / "checkout", [NEW_TEXT])
    shutil.copytree(data / GAME, copy.folder / "data" / GAME)
    before = contents(copy.folder / "data" / GAME / "saved")
    assert "were computed again" not in copy.marubatsu("build", GAME)
    assert contents(copy.folder / "data" / GAME / "saved") == before
    assert copy.run("-m", "marubatsu", "query", "strong", "--game", GAME).stderr == ""


def test_ours_takes_the_name_of_a_saved_one(data: Path, tmp_path: Path) -> None:
    save(data, "last_cell", "last")
    copy = Extended(tmp_path / "checkout", [NEW_AI])
    shutil.copytree(data / GAME, copy.folder / "data" / GAME)
    copy.marubatsu("build", GAME)
    done = copy.run("-m", "marubatsu", "query", "strong", "--game", GAME)
    assert done.returncode == 0
    assert "the saved AI last_cell is left out: " in done.stderr
    assert "has the name of one of ours" in done.stderr
    copy.marubatsu("ais", "--remove", "last_cell", "--game", GAME)
    assert copy.run("-m", "marubatsu", "query", "strong", "--game", GAME).stderr == ""


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
from marubatsu.cli.entry import main
main()
"""


@pytest.mark.parametrize("renames", range(6))
@pytest.mark.parametrize("name", ["new", "first"])
def test_a_kill_in_the_middle_of_a_save_costs_nothing(data: Path, renames: int, name: str) -> None:
    """The old choices, or the new ones, are there afterwards, and the others in any case."""
    old = hashlib.sha256(file_of(data, "ai_moves.first").read_bytes()).hexdigest()
    address = f"{data.parent}/last.py:choose"
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(renames),
         "audit", address, "--save", name, "--game", GAME],
        env={**os.environ, "MARUBATSU_DATA": str(data), "PYTHONPATH": str(CHECKOUT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == (9 if renames < 5 else 0), done.stderr
    names = saved_names(data)
    assert names in (["first", "last"], ["first", "last", "new"])
    if name == "new":
        found = hashlib.sha256(file_of(data, "ai_moves.first").read_bytes()).hexdigest()
        assert found == old
        assert ("new" in names) == (renames >= 3)
    for use in USES:
        run(data, *use)
    save(data, name, "last")
    assert matches(data) == (36 if name == "new" else 35) ** 2
    assert run_here("verify", GAME, data=data).returncode == 0
    assert DataSet(data, Game(GAME)).manifest() is not None
