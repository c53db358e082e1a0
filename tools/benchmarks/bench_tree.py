"""`make bench`: the build as a whole process, and its bytes.

Every answer is asserted. With ``short`` as argument this and the other parts repeat as little as
possible, and assert the same answers.
"""

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.manifest import Manifest
from tests.helpers.data.known import known_of

SHORT = sys.argv[1:] == ["short"]  # whether to measure with the fewest repetitions

RUNS = 1 if SHORT else 7
GAME = Game("tictactoe")


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
    expected = {k.quantity: k.count for k in known_of(GAME.name) if k.ply is None}
    rows = {file.removesuffix(".parquet"): entry.rows for file, entry in manifest.files.items()}
    assert rows == {
        "tree_bfs": expected["nodes"],
        "tree_dfs": expected["nodes"],
        "positions": expected["positions"],
        "classes": expected["classes"],
        "moves": expected["moves"],
    }
    assert expected["nodes made by a move"] == expected["nodes"] - 1


def whole_process(folder: Path) -> Manifest:
    """Measure cold builds; the first one warms the disk."""
    marubatsu = [sys.executable, "-m", "marubatsu"]
    builds = []
    for number in range(RUNS + 1):
        data = folder / str(number)
        builds.append(run(*marubatsu, "tree", GAME.name, "--data", str(data)))
        manifest = Manifest.parse((data / GAME.name / "manifest.json").read_bytes())
        assert_counts(manifest)
    again = [run(*marubatsu, "tree", GAME.name, "--data", str(data)).wall for _ in range(RUNS)]
    print(f"{f'{RUNS} cold processes each':<34}{'least':>8}{'median':>8}{'most':>8}")
    show("make tree, wall", [b.wall for b in builds[1:]], "s")
    show("make tree, cpu", [b.cpu for b in builds[1:]], "s")
    show("make tree, peak memory", [b.peak for b in builds[1:]], "MB")
    show("nothing to do, wall", again, "s")
    show("--help, wall", [run(*marubatsu, "--help").wall for _ in range(RUNS)], "s")
    return manifest


def main() -> None:
    """Measure, print, assert."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as folder:
        manifest = whole_process(Path(folder))
    print(f"\n{'table':<34}{'rows':>9}{'bytes':>11}{'bytes a row':>13}")
    for file, entry in manifest.files.items():
        each = entry.bytes / entry.rows
        print(f"{file:<34}{entry.rows:>9,}{entry.bytes:>11,}{each:>13.2f}")


if __name__ == "__main__":
    main()
