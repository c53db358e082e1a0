"""Several processes: builds at once, readers during builds, and the workers of a build."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import report
from marubatsu.pipeline.sql.sandbox import QueryLimits, Statement, run_sql
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.support import progress
from marubatsu.pipeline.support.background import WorkerProcesses
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.schemas import POSITIONS
from marubatsu.pipeline.tables.work_in_progress import holder_of
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import build_tree, contents, tree_stages, verified
from tests.helpers.processes.commands import PATIENCE, run_here, running
from tests.helpers.processes.rebuilding import GAME, older_stages
from tests.helpers.processes.watching import children_of, lives, wait_until
from tools.generators.run_pages import without_times


def waiting(process: int) -> str:
    """Return the start of what a process says that waits for another."""
    return f"waiting for process {process} ("


def test_one_of_concurrent_builds_builds_and_all_succeed(tmp_path: Path) -> None:
    data_set = DataSet(tmp_path, Game("tictactoe"))
    with ExitStack() as stack:
        builds = [stack.enter_context(running("tree", data=tmp_path)) for _ in range(3)]
        outputs = [build.communicate() for build in builds]
        assert [build.returncode for build in builds] == [0] * 3
    assert sum("nothing was rewritten" in output for output, _ in outputs) == 2
    messages = {f"{waiting(build.pid)}marubatsu tree" for build in builds}
    messages |= {"", "waiting for another process, which holds this data set\n"}  # It just ended.
    assert {errors.partition(" --data")[0] for _, errors in outputs} <= messages
    right = build_tree(tmp_path / "alone", "tictactoe")
    assert contents(data_set.folder) == contents(right.folder)
    assert verified(data_set) == []


@pytest.mark.parametrize(
    "command",
    [
        ["tree", "2x2k2"],
        ["verify", "2x2k2"],
        ["sql", "select count(*) from moves", "--game", "2x2k2"],
    ],
    ids=lambda command: command[0],
)
def test_a_command_that_waits_for_a_build_says_so_and_then_works(
    command: list[str], tmp_path: Path
) -> None:
    data_set = build_tree(tmp_path, "2x2k2")
    expected = run_here(*command, data=tmp_path)
    assert expected.returncode == 0
    with ExitStack() as stack:
        with data_set.lock(write=True, on_wait=pytest.fail):
            process = stack.enter_context(running(*command, data=tmp_path))
            assert process.stderr
            assert process.stderr.readline().startswith(waiting(os.getpid()))
            time.sleep(0.1)
            assert process.poll() is None
        output, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    assert without_times(output) == without_times(expected.stdout)


@pytest.mark.parametrize(
    "command",
    ["tree 2x2k2", "verify", "check 2x2k2", "query plies -g 2x2k2", "anchors 2x2k2", "solve 2x2k2"],
)
def test_without_waiting_a_command_fails_at_once_and_names_the_holder(
    command: str, tmp_path: Path
) -> None:
    with build_tree(tmp_path, "2x2k2").lock(write=True, on_wait=pytest.fail):
        done = run_here(*command.split(), "--no-wait", data=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(
        rf"marubatsu: process {os.getpid()} \(.*\) holds this data set: try again when it has "
        r"ended, or leave out --no-wait\n",
        done.stderr,
    )


def test_a_holder_that_was_killed_is_forgotten(tmp_path: Path) -> None:
    data_set = build_tree(tmp_path, "2x2k2")
    code = "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)"
    code += "; print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(data_set.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout
        process.stdout.readline()
        assert str(holder_of(data_set.folder)).startswith(f"process {process.pid} (")
        process.kill()
    assert holder_of(data_set.folder) is None


def test_readers_do_not_wait_for_each_other_but_a_build_waits_for_them(tmp_path: Path) -> None:
    data_set = build_tree(tmp_path, "2x2k2")
    with ExitStack() as stack:
        with data_set.lock(write=False, on_wait=pytest.fail):
            reader = stack.enter_context(running("query", "plies", "-g", "2x2k2", data=tmp_path))
            assert reader.communicate()[1] == ""
            builder = stack.enter_context(running("build", "2x2k2", data=tmp_path))
            assert builder.stderr
            assert builder.stderr.readline().startswith(waiting(os.getpid()))
        builder.communicate()
    assert (reader.returncode, builder.returncode) == (0, 0)


def test_a_build_does_not_wait_for_queries_that_run_already(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_waits", False)
    data_set, sql = DataSet(tmp_path, GAME), Statement("select count(*) from positions")
    build(data_set, older_stages())
    for stages in (tree_stages(GAME), older_stages()):
        positions = pq.read_metadata(data_set.path(POSITIONS.file)).num_rows
        with open_catalog(data_set) as catalog, run_sql(data_set, sql, QueryLimits()) as answer:
            expected = catalog.ask(report("plies")).rows
            build(data_set, stages)
            assert catalog.ask(report("plies")).rows == expected
            assert list(answer.rows) == [[positions]]
        with open_catalog(data_set) as catalog:
            assert catalog.ask(report("plies")).rows != expected


def test_readers_during_rebuilds_get_the_old_answer_or_the_new_one(tmp_path: Path) -> None:
    data_set = DataSet(tmp_path, GAME)

    def answer() -> str:
        with open_catalog(data_set) as catalog:
            return str(catalog.ask(report("plies")).rows)

    right = []
    for stages in (older_stages(), tree_stages(GAME)):
        build(data_set, stages)
        right.append(answer())
    assert right[0] != right[1]

    with subprocess.Popen(
        [sys.executable, "-m", "tests.helpers.processes.rebuilding", str(tmp_path)],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as rebuilder:
        assert rebuilder.stdin
        assert rebuilder.stdout
        for expected in 2 * right:
            rebuilder.stdin.write("build\n")
            rebuilder.stdin.flush()
            for _ in range(5):  # Readers that never pause may keep a build waiting for ever.
                assert answer() in right
            assert rebuilder.stdout.readline() == "rebuilt\n"
            assert answer() == expected
        rebuilder.communicate()
    assert rebuilder.returncode == 0


def square(number: int) -> int:
    if number == 13:
        raise ValueError("thirteen")
    if number == 99:
        os._exit(9)
    return number * number


def test_results_come_in_the_order_of_the_tasks() -> None:
    shares: list[float] = []
    with closing(WorkerProcesses()) as workers:
        results = workers.call(square, [(number,) for number in range(12)], shares.append)
        assert results == [number * number for number in range(12)]
        assert sorted({0, *shares}) == [number / 12 for number in range(13)]
        with pytest.raises(ValueError, match="thirteen"):
            workers.call(square, [(number,) for number in range(20)], shares.append)
        with pytest.raises(DataError, match="run the command again"):
            workers.call(square, [(99,)], shares.append)
    with closing(WorkerProcesses()) as workers, pytest.raises(ZeroDivisionError):
        workers.call(time.sleep, [(PATIENCE,)], lambda share: print(1 / share))  # Not at the end.
    assert children_of(os.getpid(), "support.background") == []


@pytest.mark.usefixtures("_heard_sigint")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_the_workers_of_a_build_end_with_it(number: int, code: int, tmp_path: Path) -> None:
    with running("build", data=tmp_path) as process:
        started = wait_for_workers(process.pid)
        process.send_signal(number)
        output, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, output, errors) == (code, "", "")
    wait_until(lambda: not any(map(lives, started)))
    left = [path.name for path in (tmp_path / "tictactoe").iterdir()]
    assert number == signal.SIGKILL or left == []
    assert all(name.endswith(".partial") for name in left)


def test_a_build_that_loses_a_worker_says_so(tmp_path: Path) -> None:
    with running("build", data=tmp_path) as process:
        os.kill(wait_for_workers(process.pid)[0], signal.SIGKILL)
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, output) == (1, "")
    assert "was ended, as too little memory does: nothing is changed" in errors
    assert "Traceback" not in errors
    assert list((tmp_path / "tictactoe").iterdir()) == []


def wait_for_workers(process: int) -> list[int]:
    """Wait until a build has started its workers."""
    wait_until(lambda: children_of(process, "support.background"))
    time.sleep(0.5)  # They are at work.
    return children_of(process, "support.background")


@pytest.mark.parametrize(
    ("command", "limit", "kilobytes", "allowed"),
    [
        ("prove 2x2k2", "v", 420_000, "430 MB"),  # OpenBLAS would ask for memory without end.
        ("query critical", "v", 1_280_000, "1.3 GB"),  # DuckDB would crash.
        ("show o........", "d", 100_000, "102 MB"),
    ],
)
def test_too_little_address_space_is_refused(
    command: str, limit: str, kilobytes: int, allowed: str, tmp_path: Path
) -> None:
    limited = f"ulimit -{limit} {kilobytes}; exec '{sys.executable}' -m marubatsu {command}"
    done = subprocess.run(
        ["sh", "-c", f"{limited} --data '{tmp_path}'"],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"marubatsu: a process may map {allowed} of memory here, and marubatsu needs 2.0 GB: "
        f"raise the limit of the system (ulimit -{limit})\n"
    )


def test_functions_refuse_too_little_address_space() -> None:
    """OpenBLAS would end the process."""
    code = (
        "import resource as r; r.setrlimit(r.RLIMIT_AS, (10**8,) * 2)\n"
        "import marubatsu as mb\n"
        "try: mb.solve('2x2k2')\n"
        "except mb.DataError as error: print(error)\n"
        "from marubatsu.frameworks import player"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    message = "raise the limit of the system (ulimit -v)\n"
    assert done.stdout.endswith(f"marubatsu needs 2.0 GB: {message}")
    assert done.stderr.endswith(message)
