"""A published folder, read and validated by packages of others, which are installed apart.

`make outside` runs this: it sets MARUBATSU_OUTSIDE.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.commands import run_here
from tests.helpers.data_sets import SMALLEST, build_smallest
from tests.helpers.shared import Shared

pytestmark = pytest.mark.skipif(
    "MARUBATSU_OUTSIDE" not in os.environ,
    reason="a published folder is read with other packages only by `make outside`",
)

PACKAGES = ("datasets", "duckdb", "frictionless", "mlcroissant", "pandas", "polars", "rocrate")

CROISSANT = """
import sys, mlcroissant
dataset = mlcroissant.Dataset(sys.argv[1])
print(dataset.metadata.ctx.issues.report(), end="")
for table in dataset.metadata.record_sets:
    print(table.name, sum(1 for row in dataset.records(table.id)))
"""
FRICTIONLESS = """
import sys, frictionless
report = frictionless.validate(sys.argv[1])
assert report.valid, report
for task in report.tasks:
    assert task.warnings == [], task.warnings
    print(task.name, task.stats["rows"])
"""
CRATE = """
import sys, rocrate.rocrate
crate = rocrate.rocrate.ROCrate(sys.argv[1])
print(crate.version, len(crate.data_entities))
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the packages apart; return an environment's Python."""
    folder = tmp_path_factory.mktemp("outside")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
    if subprocess.run(pip, capture_output=True, check=False).returncode != 0:
        pytest.skip(f"pip does not find {', '.join(PACKAGES)}: the folder is not tried with them")
    return python


@pytest.fixture(scope="module")
def published(shared: Shared, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("published") / "folder"
    done = run_here("publish", SMALLEST, "--out", str(out), data=build_smallest(shared))
    assert done.returncode == 0, done.stderr
    return out


def said(packages: Path, *words: str | Path) -> list[str]:
    """Run Python with the packages, without network; return the lines that it prints."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(packages.parents[1] / "cache")}
    done = subprocess.run([packages, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, **offline})  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return done.stdout.splitlines()


def test_four_readers_load_the_same(packages: Path, published: Path) -> None:
    readers = ("duckdb", "pandas", "polars", "datasets")
    first, *others = [said(packages, published / "load.py", reader) for reader in readers]
    assert len(first) == 13
    assert others == [first] * 3


def test_mlcroissant_reads_every_row_and_warns_of_nothing(packages: Path, published: Path) -> None:
    found = said(packages, "-c", CROISSANT, published / "croissant.json")
    assert found == said(packages, published / "load.py", "duckdb")


@pytest.mark.parametrize("folder", [".", SMALLEST])
def test_frictionless_validates_every_row(folder: str, packages: Path, published: Path) -> None:
    found = said(packages, "-c", FRICTIONLESS, published / folder / "datapackage.json")
    assert len(found) == len(list((published / folder).rglob("*.parquet"))) - 6 * (folder != ".")


def test_a_reader_of_crates_finds_every_file(packages: Path, published: Path) -> None:
    files = [path for path in published.rglob("*") if path.is_file()]
    assert said(packages, "-c", CRATE, published) == [f"1.2 {len(files) - 2}"]
