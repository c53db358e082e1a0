"""The data that is attacked; the numbers of all attacks at the end, also with several workers."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.stage import stages_of
from marubatsu.pipeline.tables.data_set import DataSet
from tests.attacks.readers import BUILT, READERS, SOLVED
from tests.attacks.tally import REPORTS
from tests.helpers.data.data_sets import Solutions

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter
    from xdist.workermanage import WorkerController


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the numbers of a worker to the main process."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["attacks"] = REPORTS


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: "WorkerController") -> None:
    """Take the numbers of a worker that has ended."""
    REPORTS.extend(getattr(node, "workeroutput", {}).get("attacks", []))


def pytest_terminal_summary(terminalreporter: "TerminalReporter") -> None:
    """Print the numbers of attempts and of those survived, by family."""
    if REPORTS:
        terminalreporter.section("attacks")
        terminalreporter.write_line("\n".join(sorted(REPORTS)))


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory, solutions: Solutions) -> Path:
    """Return a folder with both games; no one may write there."""
    root = tmp_path_factory.mktemp("attacked")
    build(DataSet(root, Game(BUILT)), stages_of(Game(BUILT)))
    solutions.copy(SOLVED, root)
    return root


@pytest.fixture(scope="session")
def right(data: Path) -> dict[str, str]:
    return {name: ask(data) for name, ask in READERS.items()}
