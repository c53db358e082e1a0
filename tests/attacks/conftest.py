"""The numbers of all attacks, at the end of a run, also of one with several workers."""

from typing import TYPE_CHECKING

import pytest

from tests.attacks.tally import REPORTS

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter
    from xdist.workermanage import WorkerController


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the numbers of a worker to who started it."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["attacks"] = REPORTS


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: "WorkerController") -> None:
    """Take the numbers of a worker that has ended."""
    REPORTS.extend(getattr(node, "workeroutput", {}).get("attacks", []))


def pytest_terminal_summary(terminalreporter: "TerminalReporter") -> None:
    """Print what was tried and survived, by family."""
    if REPORTS:
        terminalreporter.section("attacks")
        terminalreporter.write_line("\n".join(sorted(REPORTS)))
