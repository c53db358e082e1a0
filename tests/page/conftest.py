"""The page of tic-tac-toe, opened in a browser."""

from pathlib import Path

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.page.browser import Browser, Visit, failing, watched


@pytest.fixture(scope="module")
def oracle(root: Path) -> Oracle:
    return open_oracle(DataSet(root, Game("tictactoe")))


@pytest.fixture(scope="session")
def visit(browser: Browser, address: str) -> Visit:
    """Return a function that opens the page, on which nothing may go wrong."""
    return lambda place="", **options: watched(browser, f"{address}#{place}", **options)


@pytest.fixture(scope="session")
def visit_failing(browser: Browser, address: str) -> Visit:
    """Return a function that opens the page, on which requests may fail."""
    return lambda place="", **options: failing(browser, f"{address}#{place}", **options)
