"""A build that is killed, interrupted or refused at any step, and the build after it."""

import itertools
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from errno import ENOSPC
from pathlib import Path

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.manifest import DICTIONARY
from tests.helpers.data.data_sets import build_tree, contents, verified
from tests.helpers.processes.commands import PATIENCE, running
from tests.helpers.processes.rebuilding import GAME, older_stages
from tests.helpers.processes.stopping import stopped_at_every_step
from tests.helpers.processes.watching import wait_until


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the files of GAME as this version makes them."""
    return contents(build_tree(tmp_path_factory.mktemp("right"), GAME.name).folder)


@pytest.fixture(scope="module", params=["nothing", "older"])
def before(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    right: dict[str, bytes],
) -> Path:
    """Return a root with nothing in it, or with a data set of which every file is older."""
    root = tmp_path_factory.mktemp("before")
    if request.param == "older":
        data_set = DataSet(root, GAME)
        build(data_set, older_stages())
        old = contents(data_set.folder)
        assert old.keys() == right.keys()
        same = {file for file in right if old[file] == right[file]}
        assert same == {DICTIONARY}  # It describes the columns, not their origin.
    return root


def test_a_build_killed_at_any_step_leaves_old_new_or_detectably_damaged_data(
    before: Path, right: dict[str, bytes], tmp_path: Path
) -> None:
    old = contents(before / GAME.name)
    stride = 1 if old else 4
    *stops, last = stopped_at_every_step("build", GAME, before, tmp_path, "SIGKILL", stride)
    assert last.code == 0
    assert {stop.code for stop in stops} == {-signal.SIGKILL}
    if old:  # The tables' names are safe before the manifest's, and that one is safe at the end.
        renamed = ["before replace", "after replace"]
        synced = ["before fsync", "after fsync"]
        steps = renamed * (len(right) - 1) + synced + renamed + synced
        assert [stop.step for stop in stops[-len(steps) :]] == steps
    assert len(stops) * stride >= 9 * len(right)
    states = []
    for number, stop in enumerate(stops):
        data_set = DataSet(stop.root, GAME)
        found = contents(data_set.folder)
        files = {name: data for name, data in found.items() if not name.endswith(".partial")}
        kinds = set()
        if found:
            problems = [p for p in verified(data_set) if p.path.suffix != ".partial"]
            kinds = {problem.kind for problem in problems}
        if files == right:
            states.append("new")
            assert not kinds
        elif files == old:
            states.append("old")
            assert kinds <= ({"stale"} if old else {"missing"})
        else:
            states.append("mixed")
            assert kinds & {"missing", "damaged"}
        if number % 5 == 0:
            build_tree(data_set.root, GAME.name)
            assert contents(data_set.folder) == right
            assert verified(data_set) == []
    assert [state for state, _ in itertools.groupby(states)] == ["old", "mixed", "new"]


def test_a_build_interrupted_at_any_step_leaves_old_or_new_and_no_partial_file(
    before: Path, right: dict[str, bytes], tmp_path: Path
) -> None:
    old = contents(before / GAME.name)
    *stops, last = stopped_at_every_step("build", GAME, before, tmp_path, "SIGINT", 6)
    assert last.code == 0
    assert {stop.code for stop in stops} == {128 + signal.SIGINT}
    assert len(stops) >= 9 * len(right) // 6
    for stop in stops:
        found = contents(stop.root / GAME.name)
        assert not [name for name in found if name.endswith(".partial")], stop
        assert found in (old, right), stop


def test_a_build_refused_at_any_step_says_truly_what_became_of_the_data_set(
    before: Path, right: dict[str, bytes], tmp_path: Path
) -> None:
    old = contents(before / GAME.name)
    *stops, last = stopped_at_every_step("build", GAME, before, tmp_path, "ENOSPC", 5)
    assert (last.code, last.message) == (0, "")
    assert len(stops) >= len(right)
    for stop in stops:
        found = contents(stop.root / GAME.name)
        if stop.code == 0:
            assert (stop.step, found) == ("before mkdir", right)  # The folder was there.
            continue
        assert stop.code == 1
        assert re.fullmatch(f"cannot .*: {os.strerror(ENOSPC)}; .*", stop.message)
        assert not [name for name in found if name.endswith(".partial")]
        assert (found == old) == ("unchanged" in stop.message), stop


@pytest.mark.usefixtures("_heard_sigint")
@pytest.mark.parametrize(
    ("moment", "number", "times"),
    [
        ("waiting", signal.SIGTERM, 1),
        ("computing", signal.SIGINT, 4),
        ("writing", signal.SIGINT, 4),
        ("writing", signal.SIGTERM, 1),
    ],
)
def test_a_signal_ends_a_build_quietly_and_leaves_no_partial_file(
    moment: str, number: signal.Signals, times: int, root: Path, tmp_path: Path
) -> None:
    data_set = DataSet(tmp_path, Game("4x3k3"))
    folder = data_set.folder
    with ExitStack() as stack:
        if moment == "waiting":
            stack.enter_context(data_set.lock(write=True, on_wait=pytest.fail))
        process = stack.enter_context(running("build", "4x3k3", data=tmp_path))
        if moment == "waiting":
            assert process.stderr
            assert "waiting" in process.stderr.readline()
        else:
            pattern = "4x3k3/*.partial" if moment == "writing" else "4x3k3"
            wait_until(lambda: any(tmp_path.glob(pattern)) or process.poll() is not None, 0.001)
        for _ in range(times):
            process.send_signal(number)
            time.sleep(0.002)
        _, errors = process.communicate()
    finished = process.returncode == 0
    assert finished or process.returncode in (-number, 128 + number)
    assert errors == ""
    right = contents(root / "4x3k3")
    assert contents(folder) in ([right] if finished else [right, {}])


MANY = """
import sys
from marubatsu import __main__ as command
from marubatsu.cli import commands

def interrupted(*_):
    raise KeyboardInterrupt

commands.main = sys.exit = interrupted
command.main()
"""


def test_ctrl_c_again_while_the_process_ends_is_quiet() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MANY], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")
