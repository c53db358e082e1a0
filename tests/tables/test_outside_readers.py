"""A published folder, read and validated by packages of others, which are installed apart.

`make outside` runs this: it sets MARUBATSU_OUTSIDE.
"""

import shutil
from pathlib import Path

import pytest

from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import SMALLEST, build_one, build_smallest, copied
from tests.helpers.data.shared import Shared
from tests.helpers.frameworks.installed_apart import Apart, outside, run_with
from tests.helpers.processes.commands import run_here
from tests.helpers.processes.in_process import by_ranges

pytestmark = outside

PACKAGES = ("datasets", "duckdb", "frictionless", "mlcroissant", "pandas", "polars", "rocrate")
VALIDATORS = ("cffconvert", "roc-validator")  # they refuse some releases that the others want
GAMES = (SMALLEST, "tictactoe")

CROISSANT = """
import sys, mlcroissant
dataset = mlcroissant.Dataset(sys.argv[1])
print(dataset.metadata.ctx.issues.report(), end="")
for table in dataset.metadata.record_sets:
    print(table.name, sum(1 for row in dataset.records(table.id)))
"""
FRICTIONLESS = """
import sys, frictionless
from multiprocessing import Pool

def validated(name):
    (task,) = frictionless.Package(sys.argv[1]).get_resource(name).validate().tasks
    return name, task.valid, task.errors, task.warnings, task.stats["rows"]

names = [each.name for each in frictionless.Package(sys.argv[1]).resources]
with Pool() as pool:
    for name, is_valid, errors, warnings, rows in pool.imap(validated, names, chunksize=1):
        assert (is_valid, errors, warnings) == (True, [], []), (name, errors, warnings)
        print(name, rows)
"""
CRATE = """
import sys, rocrate.rocrate
crate = rocrate.rocrate.ROCrate(sys.argv[1])
print(crate.version, len(crate.data_entities))
"""

LAKE = """
import sys
from pathlib import Path
import duckdb
catalogue, root, extensions = sys.argv[1:]
connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
for path in sorted(Path(extensions).rglob("*.duckdb_extension")):
    connection.execute(f"load '{path}'")
connection.execute(
    f"attach 'ducklake:{catalogue}' as lake "
    f"(read_only, data_path '{root}', override_data_path true)")
tables = "select schema_name, table_name from duckdb_tables() where database_name = 'lake'"
for schema, table in sorted(connection.execute(tables).fetchall()):
    rows = connection.execute(
        f'select count(*), bit_xor(hash(t)) from lake."{schema}"."{table}" t').fetchone()
    print(f"{schema}.{table}", *rows)
"""
FILES = """
import sys
from pathlib import Path
import duckdb
folder = Path(sys.argv[1])
of = {}
for path in sorted(folder.rglob("*.parquet")):
    name = "solution" if path.parent.name.startswith("ply=") else path.stem
    of.setdefault(f"{path.relative_to(folder).parts[0]}.{name}", []).append(str(path))
for name in sorted(of):
    print(name, *duckdb.execute(
        "select count(*), bit_xor(hash(t)) from read_parquet(?, hive_partitioning = false) t",
        [of[name]]).fetchone())
"""


CRATE_RULES = """
import json, sys
from pathlib import Path
from types import SimpleNamespace
from rocrate_validator import models, services
from rocrate_validator.utils.http import HttpRequester

text = Path(sys.argv[2]).read_text()
HttpRequester.get = lambda *words, **options: SimpleNamespace(
    status_code=200, headers={"Content-Type": "application/ld+json"}, text=text,
    content=text.encode(), json=lambda: json.loads(text))
settings = services.ValidationSettings(
    rocrate_uri=sys.argv[1], profile_identifier="ro-crate-1.2",
    requirement_severity=models.Severity.RECOMMENDED)
for issue in services.validate(settings).get_issues():
    print(issue.check.name)
"""
"""The words of the standard are on the web; the package rocrate brings them."""

CITATION = "from cffconvert.cli.cli import cli; cli()"
NOT_KNOWN = {
    "Organization: RECOMMENDED url property",
    "Organization: SHOULD have ROR identifier",
    "Organization: RECOMMENDED contactPoint references ContactPoint entity",
    "Root Data Entity: at least one author/publisher SHOULD have contactPoint",
}
"""Facts about the authors that the standard recommends, and that we do not have."""


@pytest.fixture(scope="module")
def packages(apart: Apart) -> Path:
    return apart.packages(*PACKAGES, beside_ours=False)


@pytest.fixture(scope="module")
def published(shared: Shared, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return tictactoe, and the smallest game with its solution, in one published folder."""
    data = copied(build_smallest(shared), tmp_path_factory.mktemp("data") / "data")
    out = tmp_path_factory.mktemp("published") / "folder"
    shutil.copytree(build_one(shared, "tictactoe") / "tictactoe", data / "tictactoe")
    done = run_here("publish", *GAMES, "--out", str(out), data=data)
    assert done.returncode == 0, done.stderr
    return out


def lines_of(packages: Path, *words: str | Path) -> list[str]:
    """Run Python with the packages, without network; return the lines that it prints."""
    done = run_with(packages, *words, ours=False, HF_HUB_OFFLINE="1",
                    HF_HOME=str(packages.parent / "cache"))  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return done.stdout.splitlines()


def test_four_readers_load_the_same(packages: Path, published: Path) -> None:
    readers = ("duckdb", "pandas", "polars", "datasets")
    first, *others = [lines_of(packages, published / "load.py", reader) for reader in readers]
    assert len(first) == 14 + 11
    assert others == [first] * 3


def test_mlcroissant_reads_every_row_and_warns_of_nothing(packages: Path, published: Path) -> None:
    found = lines_of(packages, "-c", CROISSANT, published / "croissant.json")
    assert found == lines_of(packages, published / "load.py", "duckdb")


@pytest.mark.parametrize("folder", [".", SMALLEST])
def test_frictionless_validates_every_row(folder: str, packages: Path, published: Path) -> None:
    found = lines_of(packages, "-c", FRICTIONLESS, published / folder / "datapackage.json")
    assert len(found) == len(list((published / folder).rglob("*.parquet"))) - 6 * (folder != ".")


def test_a_reader_of_crates_finds_every_file(packages: Path, published: Path) -> None:
    files = [path for path in published.rglob("*") if path.is_file()]
    assert lines_of(packages, "-c", CRATE, published) == [f"1.2 {len(files) - 2}"]


def test_crate_and_citation_keep_the_rules_of_their_standards(
    packages: Path, apart: Apart, published: Path
) -> None:
    validators = apart.packages(*VALIDATORS, beside_ours=False)
    words = packages / "rocrate" / "data" / "ro-crate.jsonld"
    assert set(lines_of(validators, "-c", CRATE_RULES, published, words)) == NOT_KNOWN
    for citation in (published / "CITATION.cff", CHECKOUT / "CITATION.cff"):
        found = lines_of(validators, "-c", CITATION, "--validate", "-i", citation)
        assert found == ["Citation metadata are valid according to schema version 1.2.0."]


RELATION = """
import sys, marubatsu as mb, pandas as pd, polars as pl
plies = mb.tables("tictactoe", data=sys.argv[1]).plies
print(pl.DataFrame(plies)["positions"][-1], pd.DataFrame.from_arrow(plies)["positions"].iloc[-1])
"""


def test_relations_become_frames_by_the_stream_of_arrow(apart: Apart, published: Path) -> None:
    packages = apart.packages("pandas", "polars", beside_ours=True)
    done = run_with(packages, "-c", RELATION, published)
    assert (done.returncode, done.stdout) == (0, "5478 5478\n"), done.stderr


@pytest.fixture(scope="module")
def older_duckdb(apart: Apart) -> Path:
    """Return the folder of a DuckDB with the extensions for DuckLake and for HTTP."""
    names = ("duckdb", "duckdb-extension-ducklake", "duckdb-extension-httpfs")
    return apart.packages(*(f"{name}==1.5.5" for name in names), "pytz", beside_ours=False)


def test_the_catalogue_attaches_with_all_rows(older_duckdb: Path, published: Path) -> None:
    right = lines_of(older_duckdb, "-c", FILES, published)
    assert len(right) == 14 + 11
    catalogue = published / "catalogue.ducklake"
    assert lines_of(older_duckdb, "-c", LAKE, catalogue, f"{published}/", older_duckdb) == right
    with by_ranges(published) as address:
        catalogue_there = f"{address}catalogue.ducklake"
        assert lines_of(older_duckdb, "-c", LAKE, catalogue_there, address, older_duckdb) == right
