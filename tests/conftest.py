"""Data sets that many tests read, and the command line as a process."""

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.checking.verify import verify
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.stage import TREE_STAGES, Stage, stages_of
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.integrity import Problem
from tests.browser import browsing, executable, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TREE_GAMES = ("tictactoe", "3x3k3-misere", "3x3k3-gravity", "2x2k2", "2x4k2", "3x2k2", "1x9k3")
"""Games of at most nine cells, whose trees are built."""

AI_GAMES = ("tictactoe", "3x3k3-gravity", "3x2k2", "2x2k2")
"""Those of them whose tables of AIs and searches are built."""

LARGER_GAMES = ("4x3k3", "4x4k4-gravity", "8x4k2-gravity")
"""Games with positions, classes and moves only; the last one's masks need 64 bits."""

GAMES = TREE_GAMES + LARGER_GAMES

settings.register_profile("laws", deadline=None, max_examples=60, database=None)
settings.load_profile("laws")

Marubatsu = Callable[..., "subprocess.CompletedProcess[str]"]


def build_tree(root: Path, name: str) -> DataSet:
    """Build the tables of a game itself under a root."""
    data_set = DataSet(root, Game.parse(name))
    build(data_set, tree_stages(data_set.game))
    return data_set


def tree_stages(game: Game) -> list[Stage]:
    """List the stages of the tables of a game itself, without AIs and searches."""
    return stages_of(game, TREE_STAGES)


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with every one of GAMES built; nobody may write there."""
    folder = tmp_path_factory.mktemp("data")
    for name in GAMES:
        data_set = DataSet(folder, Game.parse(name))
        build(
            data_set, stages_of(data_set.game) if name in AI_GAMES else tree_stages(data_set.game)
        )
    return folder


def run_marubatsu(
    *arguments: str, data: Path | None = None, environment: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run a command in a process of its own."""
    variables = {**os.environ, **(environment or {})}
    variables.pop("MARUBATSU_DATA", None)
    if data is not None:
        variables["MARUBATSU_DATA"] = str(data)
    return subprocess.run(
        [sys.executable, "-m", "marubatsu", *arguments],
        capture_output=True,
        text=True,
        env=variables,
        timeout=120,
        check=False,
    )


@pytest.fixture
def marubatsu(root: Path) -> Marubatsu:
    """Return a function that runs a command over the shared data sets."""

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return run_marubatsu(*arguments, data=root)

    return run


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file of a folder, which may not be there, and of those in it."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@contextmanager
def running(*arguments: str, data: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start a command that does not outlive the test, nor a minute."""
    with subprocess.Popen(
        [sys.executable, "-m", "marubatsu", *arguments, "--data", str(data)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        watchdog = Timer(60, process.kill)
        watchdog.start()
        try:
            yield process
        finally:
            watchdog.cancel()
            process.kill()


@pytest.fixture
def _heard_sigint() -> Iterator[None]:
    """Let children hear Ctrl-C even where the tests run in the background."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


def verified(data_set: DataSet) -> list[Problem]:
    """Verify a data set that no living process holds."""
    with data_set.lock(write=False, on_wait=lambda: pytest.fail("somebody holds the lock")):
        return verify(data_set)


def pytest_unconfigure() -> None:
    """Drop Hypothesis's hook on the garbage collector.

    It outlives the modules it refers to; then DuckDB's binding finds objects that nobody let go
    of, and prints pages of warnings behind the result of the tests.
    """
    gc.callbacks.clear()


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """Return a headless browser; who wants one is skipped where there is none."""
    if executable() is None:
        pytest.skip("there is no chromium: the page is not tested in a browser")
    with browsing() as opened:
        yield opened


@pytest.fixture(scope="session")
def address(root: Path) -> Iterator[str]:
    """Return the address of the explorer over the shared data sets."""
    with serving(root) as port:
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="session")
def gravity(root: Path) -> Iterator[str]:
    """Return the address of an explorer of a game in which marks fall."""
    with serving(root, "3x3k3-gravity") as port:
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="module")
def catalog(root: Path) -> Iterator[Catalog]:
    """Return the tables of tictactoe, ready to be asked."""
    with open_catalog(DataSet(root, Game(3, 3, 3)), lambda: None) as opened:
        yield opened
