"""The dictionary for programs: its keys hold in the tables, and it is one of the files."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.store.data_package import FILE
from marubatsu.pipeline.store.data_set import DataSet
from tests.helpers.data.data_sets import LARGER_GAMES, contents, copied
from tests.helpers.processes.commands import run_here


def resources(root: Path, game: str) -> dict[str, Any]:
    package = json.loads((root / game / FILE).read_bytes())
    assert package["name"] == game
    return {resource["name"]: resource for resource in package["resources"]}


@pytest.mark.parametrize("game", ["tictactoe", "3x2k2"])
def test_the_keys_that_are_declared_hold(root: Path, game: str) -> None:
    found = resources(root, game)
    with open_catalog(DataSet(root, Game(game)), lambda: None) as catalog:
        for name, resource in found.items():
            schema = resource["schema"]
            assert count(catalog, name, schema["primaryKey"]) == catalog.count(name) > 0
            for each in schema.get("foreignKeys", ()):
                (field,), other = each["fields"], each["reference"]
                (known,) = other["fields"]
                sql = (
                    f'select "{field}" from {name} where "{field}" is not null except '  # noqa: S608
                    f'select "{known}" from {other["resource"]}'
                )
                assert catalog.run(sql).rows == [], each
                assert found[other["resource"]]["schema"]["primaryKey"] == [known]
    keys = sum(len(resource["schema"].get("foreignKeys", ())) for resource in found.values())
    assert keys == 17


def count(catalog: Catalog, table: str, key: list[str]) -> int:
    columns = ", ".join(f'"{column}"' for column in key)
    ((rows,),) = catalog.run(f"select count(*) from (select distinct {columns} from {table})").rows  # noqa: S608
    return int(rows)


@pytest.mark.parametrize("game", ["tictactoe", *LARGER_GAMES])
def test_every_table_is_described_as_its_file_is(root: Path, game: str) -> None:
    found = resources(root, game)
    assert {resource["path"] for resource in found.values()} == {
        path.name for path in (root / game).glob("*.parquet")
    }
    for resource in found.values():
        schema = pq.read_schema(root / game / resource["path"])
        for field, column in zip(resource["schema"]["fields"], schema, strict=True):
            assert field["name"] == column.name
            assert field["description"].encode() == column.metadata[b"description"]
            assert column.nullable != field.get("constraints", {}).get("required", False)
            assert field["type"] in ("integer", "number", "boolean", "string", "any")
            assert (field["type"] == "any") == (field["arrowType"] == "list<int8>")
            names = {"float": "float32", "double": "float64"}
            stored = str(column.type).replace("element: int8 not null", "int8")
            assert field["arrowType"] == names.get(stored, stored)


def test_it_is_verified_and_made_again(root: Path, tmp_path: Path) -> None:
    folder = copied(root / "2x2k2", tmp_path / "2x2k2")
    before = contents(folder)
    times = {path: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}
    for change, kind in ((Path.unlink, "missing"), (lambda p: p.write_text("{}"), "damaged")):
        change(folder / FILE)
        done = run_here("verify", "2x2k2", data=tmp_path)
        assert done.returncode == 1
        assert kind in done.stdout
        assert FILE in done.stdout
        assert "run `marubatsu build 2x2k2`" in done.stderr
        assert run_here("build", "2x2k2", data=tmp_path).returncode == 0
        assert contents(folder) == before
        assert {path: path.stat().st_mtime_ns for path in folder.glob("*.parquet")} == times
