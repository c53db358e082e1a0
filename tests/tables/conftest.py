"""Fixtures: the smallest game, and the folder in which it is published."""

from pathlib import Path

import pytest

from tests.helpers.data.data_sets import SMALLEST, build_smallest
from tests.helpers.data.published_folder import write
from tests.helpers.data.shared import Shared


@pytest.fixture(scope="module")
def data(shared: Shared) -> Path:
    return build_smallest(shared)


@pytest.fixture(scope="module")
def published(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the smallest game as a published folder, for reading only."""
    return write(data, tmp_path_factory.mktemp("published") / "folder", SMALLEST)
