"""A benchmark to run by hand, some minutes: the cost of solving on both engines.

``python -m tools.benchmarks.bench_spark [GAME …]`` solves games with the local engine and on Spark
on two cores, and prints the row of `MEASURED` in `tools/generators/cost_page.py` for each. A row
has the processor time of all processes (not wall time, because others may use the machine), the
disk that the work needs besides the solution, and what Spark shuffles.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.confine import descendants
from marubatsu.pipeline.solving.solution_files import read_value_counts
from marubatsu.pipeline.tables.data_set import Solution

_TICKS = os.sysconf("SC_CLK_TCK")


def processor_ticks(process: int) -> int:
    """Return the processor time of a live process, without its children."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(fields[11]) + int(fields[12])


def watch(command: list[str], folder: Path) -> tuple[float, int]:
    """Run a command; return its processor seconds, and the most bytes that a folder held."""
    ticks: dict[int, int] = {}
    most = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            for each in (process.pid, *descendants(process.pid)):
                ticks[each] = max(ticks.get(each, 0), processor_ticks(each))
            most = max(most, size(folder))
            time.sleep(0.1)
        assert not process.returncode
    return sum(ticks.values()) / _TICKS, most


def size(folder: Path) -> int:
    """Add up the sizes of the files below a folder, except those that disappear meanwhile."""
    total = 0
    for inside, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                total += Path(inside, name).stat().st_size
    return total


def shuffled(events: Path) -> int:
    """Add up what Spark's stages wrote for other stages, from its log of events."""
    total = 0
    for log in events.rglob("*"):
        for line in log.read_text().splitlines() if log.is_file() else ():
            event = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd":
                metrics = event.get("Task Metrics", {}).get("Shuffle Write Metrics", {})
                total += metrics.get("Shuffle Bytes Written", 0)
    return total


def measured(engine: str, game: str, folder: Path) -> float:
    """Solve a game with an engine, print its row, and return its processor seconds."""
    data, events = folder / game / engine, folder / "events"
    command = [sys.executable, "-m", "marubatsu", "solve", game, "--data", str(data),
               "--engine", engine, "--memory", "4GB"]  # fmt: skip
    if engine == "spark":
        command += ["--master", "local[2]"]
    shutil.rmtree(events, ignore_errors=True)
    events.mkdir()
    start = time.perf_counter()
    seconds, most = watch(command, data)
    clock = time.perf_counter() - start
    solution = Solution(data, Game(game))
    classes = sum(read_value_counts(solution)["classes"].to_pylist())
    kept = size(solution.folder)
    print(
        f'    Measured("{engine}", "{game}", {classes}, {seconds:.1f}, {kept}, {max(most, kept)}, '
        f"{shuffled(events)}),  # {clock:.0f} s",
        flush=True,
    )
    return seconds


def main(*games: str) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "spark-defaults.conf").write_text(
            "spark.eventLog.enabled true\n"
            "spark.eventLog.compress false\n"
            "spark.eventLog.rolling.enabled false\n"
            f"spark.eventLog.dir file://{folder}/events\n"
        )
        os.environ["SPARK_CONF_DIR"] = str(folder)
        for game in games:
            local, spark = (measured(engine, game, folder) for engine in ("local", "spark"))
            print(f"    # {game}: Spark takes {spark / local:.1f} times the processor time")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["tictactoe", "4x5k4"])
