"""The examples in the docstrings of every module of the package do what they show."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import marubatsu

pytestmark = pytest.mark.quick

OPTIONAL = ("pyspark", "matplotlib", "mcp")
"""Packages that a module may need and an installation may lack."""

MODULES = sorted(
    {"marubatsu", *(each.name for each in pkgutil.walk_packages(marubatsu.__path__, "marubatsu."))}
)


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the data sets that examples build, shared by the modules."""
    return tmp_path_factory.mktemp("doctests")


@pytest.mark.parametrize("name", MODULES)
def test_examples_do_what_they_show(
    name: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARUBATSU_DATA", str(data))
    monkeypatch.chdir(tmp_path)
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in OPTIONAL:
            raise
        pytest.skip(f"there is no {error.name}: the examples of {name} are not run")
    assert doctest.testmod(module).failed == 0


def test_modules_have_doctests() -> None:
    assert {"marubatsu.engine.rules.game", "marubatsu.cli.commands"} <= set(MODULES)
    examples = doctest.DocTestFinder().find(importlib.import_module("marubatsu.engine.rules.game"))
    assert sum(len(each.examples) for each in examples) > 0
