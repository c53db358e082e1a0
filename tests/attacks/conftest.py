"""The numbers of all attacks, at the end of a run."""

from typing import TYPE_CHECKING

from tests.attacks.tally import REPORTS

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter


def pytest_terminal_summary(terminalreporter: "TerminalReporter") -> None:
    """Print what was tried and survived, by family."""
    if REPORTS:
        terminalreporter.section("attacks")
        terminalreporter.write_line("\n".join(REPORTS))
