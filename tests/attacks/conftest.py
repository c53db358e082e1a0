"""The data that is attacked, and what is right about it."""

from pathlib import Path

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.stage import stages_of
from marubatsu.pipeline.tables.data_set import DataSet
from tests.attacks.readers import BUILT, READERS, SOLVED
from tests.helpers.data.data_sets import Solutions


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
