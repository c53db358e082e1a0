"""How tests are distributed: the tests of one file run on one worker."""

import os
from pathlib import Path

import pytest

from tests.helpers.data.shared import Shared
from tests.helpers.scheduling import LONG, place_of, unit_of
from tools.generators.run_pages import CHECKOUT


@pytest.mark.parametrize("number", range(8))
def test_one_worker_runs_the_tests_of_a_file(shared: Shared, number: int) -> None:
    """The first of these tests leaves the name of its worker."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")

    def sign(folder: Path) -> None:
        (folder / "name").write_text(worker, encoding="utf-8")

    assert (shared.make("worker", sign) / "name").read_text(encoding="utf-8") == worker


def test_the_browser_is_started_by_one_worker() -> None:
    files = sorted((CHECKOUT / "tests" / "page").glob("test_*.py"))
    assert len(files) > 5
    names = [f"{file.relative_to(CHECKOUT).as_posix()}::test_it[a::b]" for file in files]
    assert {unit_of(name) for name in names} == {"tests/page/"}


def test_what_takes_long_is_there_and_begins() -> None:
    for place, unit in enumerate(LONG):
        assert (CHECKOUT / unit).exists()
        assert place_of(f"{unit}test_it.py::test_it" if unit.endswith("/") else unit) == place
    assert place_of("tests/docs/test_units.py::test_it") == len(LONG)
