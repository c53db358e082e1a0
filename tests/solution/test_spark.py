"""The engine on Apache Spark: the same bytes as the local one, stopped, damaged, used wrongly."""

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.large.kernels import LACKING, NO_CHILD, combine, edges, rules_of
from marubatsu.engine.large.values import distances, scores_mover, values
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving import spark_engine, spark_session
from marubatsu.pipeline.store.data_set import Unfinished
from marubatsu.pipeline.support.errors import DataError, UsageError
from tests.helpers.commands import PATIENCE, run_here, run_marubatsu
from tests.helpers.data_sets import Solutions, contents
from tests.helpers.disks import mounted
from tests.helpers.processes import descendants, lives, wait_until
from tests.helpers.slow_solution import SMALL, solution

KEPT = Unfinished.kept
STOPPED = r"stopped \([^\n]* done\): these plies are kept, run the same command to go on\n"
RESUMING = r"resuming \w+: [^\n]* done\n"
Done: TypeAlias = "subprocess.CompletedProcess[str]"
Run: TypeAlias = Callable[[str, Path], Done]
NEEDED = ("pyspark", "pandas")


QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Java that is made for runs of seconds: half the time to start, and to do a ply."""


@pytest.fixture(scope="module")
def _spark() -> Iterator[None]:
    """Skip where Spark cannot run; let Java start quickly."""
    for name in NEEDED:
        if find_spec(name) is None:
            pytest.skip(f"there is no {name}: the engine on Spark is not tested; make spark")
    if not shutil.which("java"):
        pytest.skip("there is no Java: the engine on Spark is not tested")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_TOOL_OPTIONS", QUICK)
        yield


OPTIONS = ("--engine", "spark", "--master", "local[2]", "--memory", "1GB")


def command(game: str, root: Path) -> list[str]:
    """Return the command that solves a game on a Spark of its own."""
    return [sys.executable, "-m", "marubatsu", "solve", game, "--data", str(root), *OPTIONS]


@pytest.fixture(scope="module")
def started(_spark: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start one Spark for all tests that do not ask how Spark starts and ends."""
    log = tmp_path_factory.mktemp("spark") / "log"
    with spark_session.session("local[2]", 10**9, log) as spark:
        yield spark


@pytest.fixture
def run_again(started: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that solves a game in this process, on the Spark that has been started."""

    @contextmanager
    def session(master: str | None, memory: int | None, log: Path) -> Iterator[Any]:
        with spark_session._told(log):  # noqa: SLF001, as a session of its own does
            yield started

    monkeypatch.setattr(spark_engine, "session", session)
    return lambda game, root: run_here("solve", game, *OPTIONS, data=root)


def assert_right(
    done: Done, game: str, root: Path, expected: dict[str, bytes], said: str = ""
) -> None:
    """Assert that a run has solved a game, to the bytes that the local engine writes."""
    assert done.returncode == 0
    assert re.fullmatch(said, done.stderr), done.stderr
    assert contents(root / game) == expected


@pytest.mark.spark
def test_spark_writes_the_bytes_of_the_local_engine(
    run_again: Run, solutions: Solutions, tmp_path: Path
) -> None:
    game = "3x3k3-gravity"
    expected = solutions.contents(game)
    done = run_again(game, tmp_path)
    assert_right(done, game, tmp_path, expected)
    classes = sum(
        e["rows"] for e in json.loads(expected["solution/manifest.json"])["files"].values()
    )
    assert f"{classes:,} classes" in done.stdout
    again = run_again(game, tmp_path)
    assert "everything was up to date, nothing was rewritten\n" in again.stdout


def stop(game: Game, root: Path, number: signal.Signals, said: str) -> tuple[Any, dict[str, int]]:
    """Stop a Spark of its own on its way back; return its journal, and when it wrote each ply."""
    folder = root / game.name / "solution.partial"

    def written() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in folder.glob("ply=*/part-????.parquet")}

    before = written()
    with subprocess.Popen(
        command(game.name, root), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            wait_until(
                lambda: written() != before or process.poll() is not None,
                pause=0.02,
            )
            assert process.poll() is None, process.communicate()
            started = descendants(process.pid)
            process.send_signal(number)
            told, complaint = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    code = 128 + number if number == signal.SIGINT else -number
    assert (process.returncode, told) == (code, "")
    assert re.fullmatch(said, complaint), complaint
    wait_until(lambda: not any(map(lives, started)))
    journal = json.loads((folder / "journal.json").read_bytes().partition(b"\n")[2])
    assert len(journal["forward"]) == len(list(folder.glob("keys/??"))) - 1
    return journal, {path.name: path.stat().st_mtime_ns for path in folder.glob("ply=*")}


@pytest.mark.spark
@pytest.mark.usefixtures("_spark", "_heard_sigint")
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_spark_goes_on_after_a_signal_and_makes_again_what_is_damaged_meanwhile(
    run_again: Run, solutions: Solutions, tmp_path: Path
) -> None:
    """The first Spark is stopped, the second one is killed, the third one finishes."""
    game = Game("2x2k2")
    root = tmp_path / "with space, {braces} and é"
    stop(game, root, signal.SIGINT, STOPPED)
    (damaged,) = (root / game.name / "solution.partial").glob("keys/02/part-*")
    damaged.write_bytes(damaged.read_bytes()[::-1])
    journal, before = stop(game, root, signal.SIGKILL, RESUMING)
    done = run_again(game.name, root)
    assert_right(done, game.name, root, solutions.contents(game.name), RESUMING)
    for ply in journal["backward"]:
        name = f"ply={int(ply):02}"
        assert (root / game.name / "solution" / name).stat().st_mtime_ns == before[name]


@pytest.mark.spark
@pytest.mark.usefixtures("_spark")
def test_what_spark_complains_of_is_a_sentence(tmp_path: Path) -> None:
    done = subprocess.run(
        [*command("2x2k2", tmp_path)[:-4], "--master", "nonsense"],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    expected = f"marubatsu: Spark failed: [^\n]*Master must [^\n]*; {KEPT}\n"
    assert re.fullmatch(expected, done.stderr), done.stderr


@pytest.mark.spark
@pytest.mark.usefixtures("_spark")
def test_a_full_disk_is_told_and_gone_on_from(
    run_again: Run, solutions: Solutions, tmp_path: Path
) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    with mounted(small, "160k"):
        done = subprocess.run(
            command("4x3k3", small), capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert (done.returncode, done.stdout) == (1, "")
        reason = "(Spark failed|cannot write [^\n]*): No space left on device"
        assert re.fullmatch(f"marubatsu: {reason}; {KEPT}\n", done.stderr), done.stderr
        shutil.copytree(small, large)
    assert len(list(large.rglob("keys/*/_SUCCESS"))) > 5
    done = run_again("4x3k3", large)
    assert_right(done, "4x3k3", large, solutions.contents("4x3k3"), RESUMING)


def test_a_master_without_spark_is_refused(tmp_path: Path) -> None:
    done = run_marubatsu("solve", "2x2k2", "--master", "local", data=tmp_path)
    said = "marubatsu: --master names a Spark: add --engine spark, or leave it out\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
    assert run_marubatsu("solve", "2x2k2", "--engine", "slow", data=tmp_path).returncode == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("variable", ["PATH", "JAVA_HOME"])
def test_java_that_is_not_there_is_told(
    variable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for needed in NEEDED:
        monkeypatch.setitem(sys.modules, needed, ModuleType(needed))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    with pytest.raises(UsageError, match=f"^the engine spark needs Java, and {variable} has none"):
        spark_session.require_spark()


@pytest.mark.parametrize("name", SMALL)
def test_edges_and_combine_give_the_slow_values(name: str) -> None:
    game = Game(name)
    rules, plies = rules_of(game), solution(game)
    after: dict[int, int] = {}
    for ply, rows in reversed(list(enumerate(plies))):
        keys = np.array(sorted(rows), np.int64)
        parents, children = (np.empty(keys.size * rules.most, np.int64) for _ in range(2))
        count = edges(keys, ply % 2, rules, parents, children)
        found = [
            [after[int(child)] for child in children[:count][parents[:count] == key]]
            for key in keys
        ]
        least = np.array([min(each, default=NO_CHILD) for each in found], np.int8)
        got, orbits = np.empty(keys.size, np.int8), np.empty(keys.size, np.int8)
        assert combine(keys, ply % 2, rules, least, got, orbits) == 0
        columns = (scores_mover(got), distances(got, game.cells - ply), orbits)
        assert rows == dict(
            zip(keys.tolist(), zip(*map(np.ndarray.tolist, columns), strict=True), strict=True)
        )
        after = dict(zip(keys.tolist(), values(*columns[:2]).tolist(), strict=True))
        for wrong in (NO_CHILD, LACKING):
            least[:] = wrong
            expected = sum(bool(each) if wrong == NO_CHILD else 1 for each in found)
            assert combine(keys, ply % 2, rules, least, got, orbits) == expected


def step(root: Path, ply: int) -> spark_engine.Step:
    return spark_engine.Step(str(root), "4x3k3", ply, spark_engine._SAME)  # noqa: SLF001


def test_parts_begin_where_their_ranks_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_engine, "PART", 100)
    keys = np.cumsum(np.random.default_rng(0).integers(1, 9, 730))
    cuts = [0, 3, 100, 130, 470, 470, 730]
    named: dict[str, list[Any]] = {"file": [], "rank": cuts[:-1]}
    for start, end in pairwise(cuts):
        file = tmp_path / f"{len(named['file'])}"
        pq.write_table(pa.table({"key": keys[start:end]}), file)
        named["file"].append(str(file))
    found = step(tmp_path, 0).first_keys([pa.RecordBatch.from_pydict(named)])
    first = np.concatenate([batch["key"].to_numpy() for batch in found])
    assert first.tolist() == keys[::100].tolist()
    (placed,) = spark_engine.part_of(first, [pa.RecordBatch.from_pydict({"key": keys})])
    assert placed["part"].to_pylist() == [row // 100 for row in range(730)]


def test_a_class_that_lacks_what_it_needs_is_an_error(tmp_path: Path) -> None:
    good = pa.table({"part": [0, 0], "key": [1, 4], "value": pa.array([0, 0], pa.int8())})
    step(tmp_path, 1).write(good, [2])
    assert Unfinished(tmp_path, Game("4x3k3")).path("ply=01/part-0000.parquet").exists()
    bad = good.set_column(2, "value", pa.array([0, LACKING], pa.int8()))
    for rows, counts in ((bad, [2]), (good, [3])):
        with pytest.raises(DataError, match="lack classes that the ply before leads to"):
            step(tmp_path, 1).write(rows, counts)


def test_an_executor_with_other_code_is_an_error(tmp_path: Path) -> None:
    other = spark_engine.Step(str(tmp_path), "4x3k3", 0, "other")
    with pytest.raises(DataError, match="the executors have another version of marubatsu"):
        list(other.expand([pa.RecordBatch.from_pydict({"key": [0]})]))


OURS = """An exception was thrown from the Python worker:
  File x
marubatsu.pipeline.support.errors.DataError: cannot write a: No space left; the plies that are done
 SQLSTATE: 38000
"""
JAVAS = """Job aborted.
Caused by: org.apache.spark.SparkException: failed
	at x
Caused by: java.io.IOException: No space left on device
	at y
"""


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (OURS, "cannot write a: No space left"),
        (JAVAS, "Spark failed: No space left on device"),
        ("\n[X] Something else.", "Spark failed: [X] Something else."),
        ("", "Spark failed: ValueError"),
    ],
)
def test_the_cause_is_told_in_a_sentence(told: str, sentence: str, tmp_path: Path) -> None:
    assert spark_session.cause(ValueError(told), tmp_path) == sentence
