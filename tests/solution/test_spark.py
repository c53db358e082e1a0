"""The engine on Apache Spark: the same bytes as the local one, stopped, damaged, used wrongly."""

import math
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias

import pytest

from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.judge.agents.confine import descendants
from marubatsu.judge.oracle import book
from marubatsu.judge.oracle.book import ThreadSearches, write_book
from marubatsu.pipeline.laboratory import kept_tables
from marubatsu.pipeline.solving import local_engine, spark_engine, spark_session
from marubatsu.pipeline.solving.journal import Journal, reached_file
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.tables import solution_parts
from marubatsu.pipeline.tables.data_set import DataSet, Solution, Unfinished
from marubatsu.pipeline.tables.solution_parts import part_file
from tests.helpers.data.data_sets import MEMORY, Solutions, contents
from tests.helpers.processes.commands import (
    PATIENCE,
    require_refused,
    run_here,
    run_marubatsu,
    running,
)
from tests.helpers.processes.disks import mounted
from tests.helpers.processes.watching import children_of, lives, wait_until
from tests.helpers.slow.plain_spark import PlainSpark

SMALL = ("3x3k3-misere", "3x3k3-gravity", "3x3k3-torus", "1x10k3-gravity", "5x2k3")
KEPT = Unfinished.after_failed_write
STOPPED = r"stopped \(forward, as far as ply \d+ of 12\): run the same command to go on\n"
RESUMING = r"resuming [\w-]+: (forward|backward), as far as ply [^\n]*\n"
Done: TypeAlias = "subprocess.CompletedProcess[str]"
Run: TypeAlias = Callable[[str, Path], Done]


QUICK = "-XX:+UseSerialGC"
"""Java that is made for runs of seconds."""


@pytest.fixture(scope="module")
def _spark() -> Iterator[None]:
    """Skip where Spark cannot run; let Java start quickly."""
    if find_spec("pyspark") is None:
        pytest.skip("there is no PySpark: the engine on Spark is not tested; make spark")
    if not shutil.which("java"):
        pytest.skip("there is no Java: the engine on Spark is not tested")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_TOOL_OPTIONS", QUICK)
        yield


OPTIONS = ("--engine", "spark", "--master", "local[2]", "--memory", "1GB")


@pytest.fixture(scope="module")
def started(_spark: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start one Spark for all tests that do not ask how Spark starts and ends."""
    log = tmp_path_factory.mktemp("spark") / "log"
    with spark_session.session("local[2]", 10**9, log, KEPT) as spark:
        yield spark


@pytest.fixture
def run_again(started: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command in this process, on the Spark that has been started."""

    @contextmanager
    def session(master: str | None, memory: int | None, log: Path, kept: str) -> Iterator[Any]:
        with spark_session._told(log, kept):  # noqa: SLF001, as a session of its own does
            yield started

    for user in (spark_engine, book):
        monkeypatch.setattr(user, "session", session)
    return lambda arguments, root: run_here(*arguments.split(), *OPTIONS, data=root)


def assert_right(
    done: Done, game: str, root: Path, expected: dict[str, bytes], message: str = ""
) -> None:
    """Assert that a run has solved a game, to the bytes that the local engine writes."""
    assert done.returncode == 0
    assert re.fullmatch(message, done.stderr), done.stderr
    assert contents(root / game) == expected


@pytest.mark.spark
def test_spark_writes_the_bytes_of_the_local_engine(
    run_again: Run, solutions: Solutions, tmp_path: Path
) -> None:
    game = "3x3k3-gravity"
    expected = solutions.contents(game)
    assert_right(run_again(f"solve {game}", tmp_path), game, tmp_path, expected)
    again = run_again(f"solve {game}", tmp_path)
    assert "everything was up to date, nothing was rewritten\n" in again.stdout


def stop(
    words: str, root: Path, number: signal.Signals, is_time: Callable[[int], object], message: str
) -> None:
    """Stop a command on a Spark of its own when it is time, by the number of its process."""
    with running(*words.split(), *OPTIONS, data=root) as process:
        wait_until(lambda: is_time(process.pid) or process.poll() is not None, pause=0.02)
        assert process.poll() is None, process.communicate()
        started = descendants(process.pid)
        process.send_signal(number)
        output, complaint = process.communicate(timeout=PATIENCE)
    code = 128 + number if number == signal.SIGINT else -number
    assert (process.returncode, output) == (code, "")
    assert re.fullmatch(message, complaint), complaint
    wait_until(lambda: not any(map(lives, started)))


@pytest.mark.spark
@pytest.mark.usefixtures("_spark", "_heard_sigint")
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_spark_goes_on_after_a_signal_and_makes_again_what_is_damaged_meanwhile(
    run_again: Run, solutions: Solutions, tmp_path: Path
) -> None:
    """The first Spark is stopped, the second one is killed, the third one finishes."""
    game = Game("4x3k3-gravity")
    root = tmp_path / "with space, {braces} and é"
    goal = Unfinished(root, game)
    solve, written = f"solve {game.name}", goal.path(reached_file(3))
    stop(solve, root, signal.SIGINT, lambda _: written.exists(), STOPPED)
    stopped = Journal.open(goal)
    assert (stopped.plies, stopped.backward) == (None, {})
    damaged = goal.path(reached_file(2))
    damaged.write_bytes(damaged.read_bytes()[::-1] + b"\0")
    assert len(Journal.open(goal).forward) == 2
    stop(solve, root, signal.SIGKILL, lambda _: goal.path(part_file(11, 0)).exists(), RESUMING)
    before = {name: goal.path(name).stat().st_mtime_ns for name in Journal.open(goal).files}
    done = run_again(solve, root)
    assert_right(done, game.name, root, solutions.contents(game.name), RESUMING)
    for name, time in before.items():
        assert (root / game.name / "solution" / name).stat().st_mtime_ns == time


@pytest.mark.spark
@pytest.mark.usefixtures("_spark")
def test_an_error_of_spark_is_a_sentence(tmp_path: Path) -> None:
    nonsense = ("--engine", "spark", "--master", "nonsense")
    done = run_marubatsu("solve", "2x2k2", *nonsense, data=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    expected = f"marubatsu: Spark failed: [^\n]*Master must [^\n]*; {KEPT}\n"
    assert re.fullmatch(expected, done.stderr), done.stderr


@pytest.mark.spark
@pytest.mark.usefixtures("_spark")
def test_a_run_resumes_after_a_full_disk(
    run_again: Run, solutions: Solutions, tmp_path: Path
) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    with mounted(small, "48k"):
        done = run_marubatsu("solve", "4x3k3", *OPTIONS, data=small)
        assert (done.returncode, done.stdout) == (1, "")
        reason = "(Spark failed: OSError: [^\n]*|cannot write [^\n]*: )No space left on device"
        assert re.fullmatch(f"marubatsu: {reason}; {KEPT}\n", done.stderr), done.stderr
        shutil.copytree(small, large)
    assert list(large.rglob("part-0000.parquet"))
    done = run_again("solve 4x3k3", large)
    assert_right(done, "4x3k3", large, solutions.contents("4x3k3"), RESUMING)


def answers_of(root: Path, game: Game) -> dict[Position, int]:
    kept = kept_tables.kept_answers(DataSet(root, game))
    return {position: found.value for position, found in kept.items()}


@pytest.mark.spark
@pytest.mark.usefixtures("_spark")
def test_a_book_on_spark_has_the_answers_of_a_local_one(run_again: Run, tmp_path: Path) -> None:
    game = Game("4x5k4-gravity")
    first = run_again(f"book {game.name} --plies 3 --time 0", tmp_path / "spark")
    left = re.search(r"searched now: \d; (\d+) are left: run the same command", first.stdout)
    assert left
    done = run_again(f"book {game.name} --plies 3", tmp_path / "spark")
    assert (done.returncode, done.stdout.split()[-1]) == (0, left[1])
    assert run_here("book", game.name, "--plies", "3", data=tmp_path / "local").returncode == 0
    spark, local = (answers_of(tmp_path / engine, game) for engine in ("spark", "local"))
    assert spark == local


@pytest.mark.spark
@pytest.mark.usefixtures("_spark", "_heard_sigint")
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_a_book_on_spark_ends_at_a_signal(tmp_path: Path) -> None:
    kept = rf"stopped; the answers are kept in {tmp_path}/7x7k4-gravity/answers\n"
    stop("book 7x7k4-gravity", tmp_path, signal.SIGINT, lambda it: count_of_workers(it) >= 2, kept)


def count_of_workers(process: int) -> int:
    """Return how many Pythons of Spark's tasks a process has started."""
    parents = [process, *descendants(process)]
    return sum(len(children_of(each, "pyspark.daemon")) for each in parents)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("book 6x6k4-gravity --engine local --master local", "--master is for --engine spark: "),
        ("book 6x6k4-gravity --engine spark --threads 2", "--threads is for --engine "),
        ("solve 2x2k2 --master local", "--master is for --engine spark: add that, or leave"),
        ("solve 2x2k2 --engine slow", "slow"),
    ],
)
def test_options_of_another_engine_are_refused(words: str, message: str, tmp_path: Path) -> None:
    require_refused(run_here(*words.split(), data=tmp_path), message)
    assert not list(tmp_path.iterdir())


def test_tasks_of_a_book_search_and_stop(tmp_path: Path) -> None:
    game = Game("4x4k3-gravity")
    searches = book.SparkSearches(PlainSpark(), game, memory=1)
    for engine, each in (("spark", searches), ("local", ThreadSearches(game, memory=1))):
        data_set = DataSet(tmp_path / engine, game)
        made = write_book(data_set, 3, each, seconds=60, progress=lambda *given: None)
        assert made.left == 0
    assert answers_of(tmp_path / "spark", game) == answers_of(tmp_path / "local", game)
    assert searches.search(EMPTY, None, ends=math.inf) is None  # The end of a book stops them.


def test_a_task_of_a_book_with_other_code_is_an_error() -> None:
    with pytest.raises(DataError, match="the executors have another version of marubatsu"):
        book.search_in_task("other", "4x3k3", 1, EMPTY, None, 1)


@pytest.mark.parametrize("variable", ["PATH", "JAVA_HOME"])
def test_missing_java_is_refused(
    variable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", ModuleType("pyspark"))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    with pytest.raises(UsageError, match=f"^the engine spark needs Java, and {variable} has none"):
        spark_session.require_spark()


def solve_plainly(root: Path, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve a game by the tasks of Spark, without Spark."""

    @contextmanager
    def session(*given: object) -> Iterator[PlainSpark]:
        yield PlainSpark()

    monkeypatch.setattr(spark_engine, "session", session)
    monkeypatch.setattr(spark_engine, "require_spark", lambda: None)
    spark_engine.solve(root, game)


@pytest.mark.parametrize("name", SMALL)
def test_tasks_write_the_bytes_of_the_local_engine(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Parts are so small that chunks have many, and that blocks are in two chunks.

    Both engines name the compact form that is there.
    """
    monkeypatch.setattr(solution_parts, "PART", 64)
    game = Game(name)
    compact = [Solution(tmp_path / engine, game).compact for engine in ("local", "spark")]
    for file in compact:
        file.parent.mkdir(parents=True)
        file.touch()
    local_engine.solve(tmp_path / "local", game, MEMORY)
    solve_plainly(tmp_path / "spark", game, monkeypatch)
    notes = capsys.readouterr().err
    assert all(f"{file} is there: " in notes for file in compact)
    local, spark = (tmp_path / engine / game.name for engine in ("local", "spark"))
    assert contents(spark) == contents(local)
    assert len(list(spark.rglob("*"))) == len(list(local.rglob("*")))


@pytest.mark.parametrize("name", ["4x3k3", "3x3k3-gravity"])
def test_an_engine_resumes_what_the_other_one_began(
    name: str, solutions: Solutions, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = Game(name)

    def progress(what: str, share: float, rows: int) -> None:
        if what.startswith("backward") and share > 0.9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        local_engine.solve(tmp_path, game, MEMORY, progress=progress)
    begun = Journal.open(Unfinished(tmp_path, game)).backward
    assert 0 < len(begun) < game.cells
    solve_plainly(tmp_path, game, monkeypatch)
    assert contents(tmp_path / game.name) == solutions.contents(name)


def test_a_game_whose_blocks_no_task_can_hold_is_refused(tmp_path: Path) -> None:
    message = "connect4 has blocks of 538,257,874,440 rows: expected at most 1,073,741,824 on Spark"
    with pytest.raises(GameError, match=message):
        spark_engine.solve(tmp_path, Game("connect4"))


def step(root: Path, version: str) -> spark_engine.PlyStep:
    return spark_engine.PlyStep(str(root), "4x3k3", known=2, wanted=1, version=version)


def test_an_executor_with_other_code_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the executors have another version of marubatsu"):
        list(step(tmp_path, "other").value(0, []))


def test_an_executor_that_does_not_see_the_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"not all executors see .*: name a folder with --data"):
        list(step(tmp_path, spark_session.INSTALLED).value(0, []))


OURS = """An exception was thrown from the Python worker:
  File x
marubatsu.pipeline.support.errors.DataError: cannot write a: No space left; the plies that are done
 SQLSTATE: 38000
"""
PYTHONS = """: org.apache.spark.api.python.PythonException: [X] An exception was thrown:
  File x
OSError: [Errno 28] No space left on device
 SQLSTATE: 38000
	at x
"""
JAVAS = """Job aborted.
Caused by: org.apache.spark.SparkException: failed
	at x
Caused by: java.io.IOException: No space left on device
	at y
"""


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (OURS, "cannot write a: No space left"),
        (OURS.replace("DataError", "DamagedError"), "cannot write a: No space left"),
        (PYTHONS, "Spark failed: OSError: [Errno 28] No space left on device"),
        (JAVAS, "Spark failed: No space left on device"),
        ("\n[X] Something else.", "Spark failed: [X] Something else."),
        ("", "Spark failed: ValueError"),
    ],
)
def test_the_cause_is_a_sentence(message: str, sentence: str, tmp_path: Path) -> None:
    assert spark_session.cause(ValueError(message), tmp_path) == sentence
