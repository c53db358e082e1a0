"""The page of tic-tac-toe, opened in a browser."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.helpers.page.browser import Visit, failing, watched

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")
def visit(browser: "Browser", address: str) -> Visit:
    """Return a function that opens the page, on which nothing may go wrong."""

    def opened(place: str = "", **options: Any) -> "AbstractContextManager[Page]":
        return watched(browser, f"{address}#{place}", **options)

    return opened


@pytest.fixture(scope="session")
def visit_failing(browser: "Browser", address: str) -> Visit:
    """Return a function that opens the page, on which requests may fail."""

    def opened(place: str = "", **options: Any) -> "AbstractContextManager[Page]":
        return failing(browser, f"{address}#{place}", **options)

    return opened
