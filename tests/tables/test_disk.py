"""A full disk and a read-only folder: one sentence, and the data set as it was."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from errno import EACCES, EFBIG, EMFILE, ENOSPC, EROFS
from pathlib import Path
from typing import NamedTuple

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.data import data_sets
from tests.helpers.processes.commands import PATIENCE
from tests.helpers.processes.disks import mounted


class Disk(NamedTuple):
    """A root that cannot be written, for commands that start in a certain way."""

    root: Path
    errno: int
    prefix: tuple[str, ...] = ()

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "marubatsu", *arguments, "--data", str(self.root)]
        return subprocess.run(
            [*self.prefix, *command], capture_output=True, text=True, timeout=PATIENCE, check=False
        )

    def refuses(self, game: str, action: str, path: str) -> None:
        """Assert that a build fails, and names the path and the reason in one sentence."""
        run = self.run("tree", game)
        assert (run.returncode, run.stdout) == (1, "")
        where = re.escape(f"{self.root / game}") + path
        reason = re.escape(os.strerror(self.errno))
        message = f"marubatsu: cannot {action} {where}: {reason}(; [^\n]*)?\n"
        assert re.fullmatch(message, run.stderr), run.stderr


def build_without(table: str, root: Path, game: str) -> DataSet:
    """Build every table of a game but one."""
    data_set = DataSet(root, Game(game))
    stages = [stage for stage in data_sets.tree_stages(data_set.game) if stage.table.name != table]
    build(data_set, stages)
    return data_set


LIMITED = """
import os, resource, sys
resource.setrlimit(resource.{limit}, ({most}, {most}))
os.execv(sys.argv[1], sys.argv[1:])
"""
"""A program that runs a command with a limit of the system."""


@pytest.fixture(params=["a full disk", "a limit on files"])
def full(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """Return a root with room for tictactoe without its depth-first tree, but not with it."""
    if request.param == "a limit on files":
        limited = LIMITED.format(limit="RLIMIT_FSIZE", most=1_000_000)
        yield Disk(tmp_path, EFBIG, (sys.executable, "-c", limited))
    else:
        with mounted(tmp_path / "small", "1500k"):
            yield Disk(tmp_path / "small", ENOSPC)


def test_a_build_without_room_leaves_no_file_and_the_old_data_set(full: Disk) -> None:
    full.refuses("tictactoe", "write", r"/\w+\.parquet\.partial")
    assert data_sets.contents(full.root / "tictactoe") == {}
    data_set = build_without("tree_dfs", full.root, "tictactoe")
    old = data_sets.contents(data_set.folder)
    full.refuses("tictactoe", "write", r"/tree_dfs\.parquet\.partial")
    assert data_sets.contents(data_set.folder) == old
    assert data_sets.verified(data_set) == []


def test_a_kept_table_without_room_leaves_no_folder(tmp_path: Path) -> None:
    disk = Disk(
        tmp_path, EFBIG, (sys.executable, "-c", LIMITED.format(limit="RLIMIT_FSIZE", most=0))
    )
    run = disk.run("prove", "2x2k2")
    assert (run.returncode, os.strerror(EFBIG) in run.stderr) == (1, True)
    assert [*tmp_path.rglob("*")] == [tmp_path / "2x2k2"]


@pytest.mark.parametrize(
    ("most", "command", "message"),
    [
        (2_000, "sql from(moves)", "there is no memory for a copy of the tables: free some"),
        (8_192, "site --out {}/site", r"cannot write \S+/\.site\.marubatsu/new/\S+: .*; name"),
        (20_000, "publish --out {}/hub", r"cannot write \S+catalogue\.ducklake: "),
    ],
)
def test_no_room_is_no_damage_and_the_goal_is_named(
    most: int, command: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # Python leaves half of a module's file.
    data_sets.build_tree(tmp_path, "2x2k2")
    limited = LIMITED.format(limit="RLIMIT_FSIZE", most=most)
    run = Disk(tmp_path, EFBIG, (sys.executable, "-c", limited)).run(
        *command.format(tmp_path).split(), "--game", "2x2k2"
    )
    assert (run.returncode, run.stdout) == (1, "")
    assert re.match(f"marubatsu: {message.format(tmp_path)}", run.stderr), run.stderr


def test_more_files_than_a_process_may_open_are_no_damage(tmp_path: Path) -> None:
    data_set = data_sets.build_tree(tmp_path, "2x2k2")
    manifest = data_sets.manifest_of(data_set)
    most = 63 + len(manifest.files)  # One less than it needs.
    limited = LIMITED.format(limit="RLIMIT_NOFILE", most=most)
    disk = Disk(tmp_path, EMFILE, (sys.executable, "-c", limited))
    tables = ", ".join(name.removesuffix(".parquet") for name in manifest.files)
    sql = ("sql", f"from {tables} limit 0", "--game", "2x2k2")
    run = disk.run(*sql)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr == (
        f"marubatsu: {data_set.folder} has {len(manifest.files)} files, and a process may open "
        f"{most} here: raise the limit of the system (ulimit -Hn)\n"
    )
    raised = Disk(tmp_path, EMFILE, ("sh", "-c", f'ulimit -Sn {most} && exec "$@"', "sh"))
    assert raised.run(*sql).returncode == 0


WITHOUT_RIGHTS = (
    "setpriv",
    "--bounding-set=-dac_override,-dac_read_search",
    "--inh-caps=-dac_override,-dac_read_search",
)
"""Starts a command for which permissions count, even if root runs it."""


@pytest.fixture(params=["permissions", "a read-only disk"])
def read_only(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """Return a root that cannot be written: 3x2k2 is complete, 2x2k2 lacks a table."""
    root = tmp_path / "root"
    if request.param == "a read-only disk":
        with mounted(root, "8m"):
            fill(root)
            subprocess.run(["mount", "-o", "remount,ro", str(root)], check=True)
            yield Disk(root, EROFS)
        return
    prefix = WITHOUT_RIGHTS if os.geteuid() == 0 else ()
    if prefix and not shutil.which(prefix[0]):
        pytest.skip("root may write everywhere, and there is no setpriv to stop it")
    fill(root)
    folders = [root, *root.iterdir()]
    for folder in folders:
        folder.chmod(0o555)
    try:
        if subprocess.run([*prefix, "test", "-w", str(root)], check=False).returncode != 1:
            pytest.skip("permissions are not enforced here")
        yield Disk(root, EACCES, prefix)
    finally:
        for folder in folders:
            folder.chmod(0o755)


def fill(root: Path) -> None:
    data_sets.build_tree(root, "3x2k2")
    solve(root, Game("3x2k2"), data_sets.MEMORY)
    build_without("tree_dfs", root, "2x2k2")


def test_a_read_only_root_refuses_builds_and_answers_readers(read_only: Disk) -> None:
    def everything() -> dict[Path, bytes | None]:
        paths = read_only.root.rglob("*")
        return {path: path.read_bytes() if path.is_file() else None for path in paths}

    old = everything()
    read_only.refuses("2x2k2", "write", r"/tree_dfs\.parquet\.partial")
    read_only.refuses("2x4k2", "create", "")
    for reader in ("verify", "sql from(moves) --game 3x2k2", "tree 3x2k2", "solve 3x2k2"):
        run = read_only.run(*reader.split())
        assert (run.returncode, run.stderr) == (0, ""), reader
        assert run.stdout
    for command in ("solve 2x2k2", "tree 2x4k2", "tree 2x2k2"):
        run = read_only.run(*command.split())
        assert run.returncode == 1
        assert run.stderr.endswith("; name another folder by --data\n"), command
    assert everything() == old


def test_solving_is_refused_where_the_disk_cannot_hold_it(tmp_path: Path) -> None:
    small = tmp_path / "small"
    with mounted(small, "2m"):
        run = Disk(small, ENOSPC).run("solve", "4x5k4")
        assert (run.returncode, run.stdout) == (1, "")
        assert re.fullmatch(
            r"marubatsu: solving 4x5k4 takes [^\n]* of disk for 185 million rows, and [^\n]* has "
            r"2\.1 MB left: [^\n]*\n",
            run.stderr,
        )
        assert data_sets.contents(small) == {}
