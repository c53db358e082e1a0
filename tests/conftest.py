"""Fixtures: data that all tests of a run share, the command line, a browser and its servers."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest
from hypothesis import settings

from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents import box
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.support.machine import cores
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.data.data_sets import Solutions, build_shared, make_kernels
from tests.helpers.data.shared import Shared
from tests.helpers.frameworks.installed_apart import Apart
from tests.helpers.page.browser import Browser, browsing, executable, file_server, serving
from tests.helpers.processes.commands import Marubatsu, run_here, run_marubatsu

if TYPE_CHECKING:
    import subprocess

    Config = dict[str, str | bool | int | float | list[str]]

os.environ["MARUBATSU_PROGRESS"] = "off"  # The progress on a slow machine must not fail a test.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # A thousand processes would compile all modules.
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # As the command does, for processes that are none.

gc.set_threshold(50_000, 20, 20)  # To look for garbage more often took a tenth of the time.

_connect = duckdb.connect


def _connect_one_thread(
    database: str | Path = ":memory:",
    read_only: bool = False,  # noqa: FBT001, FBT002, as DuckDB's
    config: "Config | None" = None,
) -> duckdb.DuckDBPyConnection:
    """Open a database with one thread: the other tests keep all cores busy."""
    return _connect(database, read_only, {"threads": 1, **(config or {})})


duckdb.connect = _connect_one_thread

LONG = (
    "tests/docs/test_documents.py", "tests/page/test_explorer_access.py",
    "tests/page/test_explorer.py", "tests/page/test_first_screen.py",
    "tests/solution/test_solution_sql.py", "tests/tables/test_checks.py",
    "tests/audit/test_audit.py", "tests/audit/test_saved_survive.py",
    "tests/tables/test_publishing.py", "tests/laws/test_boards.py",
    "tests/solution/test_solution.py",
    "tests/search/test_opening_book.py",
    "tests/docs/test_new_rules.py", "tests/page/test_explorer_answers.py",
    "tests/page/test_explorer_views.py",
)  # fmt: skip
"""The files that take longest. They begin, so that no worker is left with one at the end."""

settings.register_profile("laws", deadline=None, max_examples=60, database=None)
settings.load_profile("laws")


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """Return the folders that are made once for all workers of this run; no one may write there.

    Runs of the same code and packages may share them: MARUBATSU_SHARED then names their folder.
    """
    base = tmp_path_factory.getbasetemp()
    own = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folders = Shared(Path(os.environ.get("MARUBATSU_SHARED") or own) / "shared")
    yield folders
    assert folders.changed() == []


@pytest.fixture(scope="session")
def root(shared: Shared) -> Path:
    """Return a folder with every one of GAMES built; no one may write there."""
    return build_shared(shared)


@pytest.fixture(scope="session")
def kernels(shared: Shared) -> None:
    """Compile what is compiled."""
    make_kernels(shared)


@pytest.fixture(scope="session")
def solutions(shared: Shared, kernels: None) -> Solutions:
    """Return solutions of games, each made once; no one may write there."""
    return Solutions(shared)


@pytest.fixture(scope="session")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Apart:
    """Return what installs packages of others, each once in a run."""
    return Apart(tmp_path_factory.mktemp("apart"))


@pytest.fixture
def marubatsu(root: Path) -> Marubatsu:
    """Return a function that runs a command in this process over the shared data sets."""

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return run_here(*arguments, data=root)

    return run


@pytest.fixture(params=["namespaces", "kernel rules"])
def box_kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Use each kind of box; return its name."""
    name: str = request.param
    if name == "kernel rules":
        monkeypatch.setattr(box, "_bubblewrap", lambda: None)
    elif box._bubblewrap() is None:  # noqa: SLF001
        pytest.skip("bubblewrap is not installed, or may not make namespaces")
    return name


@pytest.fixture
def _heard_sigint() -> Iterator[None]:
    """Let children hear Ctrl-C even where the tests run in the background."""
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, previous)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Use one worker more than there are cores: tests wait for browsers, servers, deadlines."""
    return cores() + 1


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests that use a browser."""
    if "browser" in getattr(item, "fixturenames", ()):
        item.add_marker("programs")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let workers begin with what takes long; alone, the tests keep the order of their files."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        places = {file: place for place, file in enumerate(LONG)}
        items.sort(key=lambda item: places.get(item.nodeid.partition("::")[0], len(LONG)))


def pytest_collection_finish() -> None:
    """Look for no garbage in all that is loaded."""
    gc.freeze()


def pytest_unconfigure() -> None:
    """Let go of all objects: drop Hypothesis's hook on the garbage collector, and thaw.

    Else DuckDB's binding finds objects that were not released, and prints pages of warnings behind
    the result of the tests.
    """
    gc.callbacks.clear()
    gc.unfreeze()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return a headless browser; who wants one is skipped where there is none."""
    if executable() is None:
        pytest.skip("there is no chromium: the page is not tested in a browser")
    with browsing() as opened:
        yield opened


@pytest.fixture(scope="session")
def port(root: Path) -> Iterator[int]:
    """Return the port of the explorer over the shared data sets."""
    with serving(root) as found:
        yield found


@pytest.fixture(scope="session")
def address(port: int) -> str:
    """Return the address of that explorer."""
    return f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="session")
def gravity(root: Path) -> Iterator[str]:
    """Return the address of an explorer of a game in which marks fall."""
    with serving(root, "3x3k3-gravity") as port:
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="session")
def site(shared: Shared, root: Path) -> Path:
    """Return the page of tictactoe as a static site, written by the command."""

    def write(folder: Path) -> None:
        done = run_marubatsu("site", "--out", str(folder / "site"), data=root)
        assert done.returncode == 0, done.stderr

    return shared.make("site", write) / "site"


@pytest.fixture(scope="session")
def served_site(site: Path) -> Iterator[str]:
    """Return the address of that site on a plain file server."""
    with file_server(site) as found:
        yield found


@pytest.fixture(scope="module")
def catalog(root: Path) -> Iterator[Catalog]:
    """Return the tables of tictactoe, ready to be asked."""
    with open_catalog(DataSet(root, Game(3, 3, 3))) as opened:
        yield opened
