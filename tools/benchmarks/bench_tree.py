"""`make bench`: the build as a whole process next to its floor, its stages, its bytes.

The machine is noisy, so the build and its floor alternate; compare their ratio. Every answer is
asserted. With ``short`` as argument this and the other parts repeat as little as possible, and
assert the same answers.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.context import BuildContext
from marubatsu.pipeline.stages.stage import TREE_STAGES
from marubatsu.pipeline.store.manifest import Manifest
from marubatsu.pipeline.tables.parquet import content_hash, encode, writer_options
from tests.helpers.data.known import known_of

SHORT = sys.argv[1:] == ["short"]
"""Whether to measure with the fewest repetitions."""

RUNS = 1 if SHORT else 7
GAME = Game("tictactoe")
TREE_TABLES = [stage.table for stage in TREE_STAGES]


class Run(NamedTuple):
    """The operating system's figures for one finished process."""

    wall: float  # seconds
    cpu: float  # seconds, user and system
    peak: float  # megabytes


def run(*command: str) -> Run:
    """Run a process to its end; assert that it succeeds."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    assert status == 0, command
    kilobytes = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    return Run(wall, usage.ru_utime + usage.ru_stime, kilobytes / 1000)


def show(label: str, values: list[float], unit: str) -> float:
    """Print least, median and greatest of a figure; return the median."""
    median = statistics.median(values)
    print(f"{label:<34}{min(values):8.3f}{median:8.3f}{max(values):8.3f}  {unit}")
    return median


def assert_counts(manifest: Manifest) -> None:
    """Assert that the tables have the known numbers of rows."""
    known = {k.quantity: k.count for k in known_of(GAME.name) if k.ply is None}
    rows = {file.removesuffix(".parquet"): entry.rows for file, entry in manifest.files.items()}
    assert rows == {
        "tree_bfs": known["nodes"],
        "tree_dfs": known["nodes"],
        "positions": known["positions"],
        "classes": known["classes"],
        "moves": known["moves"],
    }
    assert known["nodes made by a move"] == known["nodes"] - 1


def make_ready(folder: Path, tables: Path) -> None:
    """Prepare the finished tables for the floor."""
    options = {}
    for table in TREE_TABLES:
        rows = pq.read_table(tables / table.file)
        with pa.ipc.new_file(folder / f"{table.name}.arrow", rows.schema) as writer:
            writer.write_table(rows)
        options[table.name] = {**writer_options(table), "row_group_size": table.row_group}
    (folder / "options.json").write_text(json.dumps(options))


def whole_process(folder: Path) -> Manifest:
    """Measure cold builds and their floor in alternation."""
    marubatsu = [sys.executable, "-m", "marubatsu"]
    ready = folder / "ready"
    ready.mkdir()
    builds, floors = [], []
    for number in range(RUNS + 1):
        data = folder / str(number)
        builds.append(run(*marubatsu, "tree", GAME.name, "--data", str(data)))
        manifest = Manifest.parse((data / GAME.name / "manifest.json").read_bytes())
        assert_counts(manifest)
        if number == 0:
            make_ready(ready, data / GAME.name)
        floors.append(run(sys.executable, str(Path(__file__).with_name("floor.py")), str(ready)))
    for table in TREE_TABLES:
        written = pq.read_table(ready / "written" / table.file)
        assert content_hash(written) == manifest.files[table.file].content
    builds, floors = builds[1:], floors[1:]  # the first of each warms the disk
    print(f"{f'{RUNS} cold processes each, in turn':<34}{'least':>8}{'median':>8}{'most':>8}")
    show("make tree, wall", [b.wall for b in builds], "s")
    show("make tree, cpu", [b.cpu for b in builds], "s")
    show("make tree, peak memory", [b.peak for b in builds], "MB")
    show("floor, wall", [f.wall for f in floors], "s")
    show("floor, cpu", [f.cpu for f in floors], "s")
    show(
        "make tree / floor, wall",
        [b.wall / f.wall for b, f in zip(builds, floors, strict=True)],
        "",
    )
    show("nothing to do, wall", [
        run(*marubatsu, "tree", GAME.name, "--data", str(folder / "1")).wall for _ in range(RUNS)
    ], "s")  # fmt: skip
    show("--help, wall", [run(*marubatsu, "--help").wall for _ in range(RUNS)], "s")
    return manifest


def stages() -> None:
    """Time each stage in this process: making its columns, and encoding and hashing them."""
    print(f"\n{'stage, median of ' + str(RUNS):<34}{'make':>8}{'encode':>8}  s")
    timings: dict[str, list[tuple[float, float]]] = {}
    for _ in range(RUNS):
        context = BuildContext(GAME)
        for stage in TREE_STAGES:
            start = time.perf_counter()
            columns = stage.make(context)
            made = time.perf_counter()
            encode(stage.table, GAME, columns)
            end = time.perf_counter()
            timings.setdefault(stage.table.name, []).append((made - start, end - made))
    for name, runs in timings.items():
        make, write = (statistics.median(column) for column in zip(*runs, strict=True))
        print(f"{name:<34}{make:8.3f}{write:8.3f}")


def main() -> None:
    """Measure, print, assert."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as folder:
        manifest = whole_process(Path(folder))
    stages()
    print(f"\n{'table':<34}{'rows':>9}{'bytes':>11}{'bytes a row':>13}")
    for file, entry in manifest.files.items():
        each = entry.bytes / entry.rows
        print(f"{file:<34}{entry.rows:>9,}{entry.bytes:>11,}{each:>13.2f}")


if __name__ == "__main__":
    main()
