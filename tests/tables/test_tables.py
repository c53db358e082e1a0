"""The tables hold what their schemas declare, and the writer refuses anything else."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.engine.search.roster import all_ais
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.stages.build import Built, summary
from marubatsu.pipeline.stages.make_searches import settings
from marubatsu.pipeline.stages.stage import STAGES, BuildContext
from marubatsu.pipeline.tables import schemas
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.manifest import DICTIONARY
from marubatsu.pipeline.tables.parquet import SchemaError, content_hash, encode
from marubatsu.pipeline.tables.schemas import (
    POSITIONS,
    SYMMETRY,
    TABLES,
    TREE_BFS,
    Labels,
    Lists,
    Nullable,
    resolve,
)
from marubatsu.pipeline.tables.solved_schemas import DECLARED
from marubatsu.version import __version__
from tests.helpers.data import data_sets
from tests.helpers.processes.commands import run_here

Data = dict[str, Any]


def stored(root: Path, name: str, table: str) -> pa.Table:
    return pq.read_table(root / name / f"{table}.parquet")


@pytest.mark.parametrize("name", ["3x2k2", "3x2k3-torus", "8x4k2-gravity"])
def test_files_hold_the_declared_columns(root: Path, name: str) -> None:
    game = Game(name)
    expected = {stage.table.name for stage in data_sets.shared_stages(name)}
    assert expected == {path.stem for path in (root / name).glob("*.parquet")}
    assert (expected == set(TABLES)) == (name in data_sets.AI_GAMES)
    for table in (TABLES[table] for table in expected):
        rows = stored(root, name, table.name)
        assert rows.column_names == [column.name for column in table.columns]
        for column in table.columns:
            field = rows.schema.field(column.name)
            declared = resolve(game, column.type)
            if declared == "list<int8>":
                assert field.type == pa.list_(pa.field("element", pa.int8(), nullable=False))
            else:
                assert field.type == pa.type_for_alias(declared)
            assert field.nullable == bool(column.null)
            assert field.metadata == {b"description": schemas.described(column).encode()}
            assert column.null or rows[column.name].null_count == 0
        assert rows.schema.metadata[b"marubatsu.table"] == table.name.encode()
        keys = rows.select(table.key)
        assert keys.equals(keys.sort_by([(key, "ascending") for key in table.key]))
        assert keys.group_by(table.key).aggregate([]).num_rows == keys.num_rows


def test_integers_are_as_small_as_the_game_allows() -> None:
    kinds = {
        name: [resolve(Game(name), c.type) for c in TREE_BFS.columns] for name in data_sets.GAMES
    }
    assert kinds["tictactoe"] == ["int32", "int32", "int8", "int8", "int32", "int16", "int32"]
    assert kinds["2x2k2"] == ["int8", "int8", "int8", "int8", "int32", "int8", "int8"]
    masks = {
        name: resolve(Game(name), POSITIONS.columns[1].type) for name in data_sets.LARGER_GAMES
    }
    assert masks == {"4x3k3": "int16", "4x4k4-gravity": "int32", "8x4k2-gravity": "int64"}
    orbits = {name: resolve(Game(name), SYMMETRY) for name in ("tictactoe", "1x63k1-torus")}
    assert orbits == {"tictactoe": "int8", "1x63k1-torus": "int16"}


@pytest.mark.parametrize("name", ["3x2k2", "8x4k2-gravity"])
def test_content_hash_depends_neither_on_the_writer_nor_on_descriptions(
    root: Path, name: str, tmp_path: Path
) -> None:
    for file, entry in data_sets.manifest_of(DataSet(root, Game(name))).files.items():
        rows = pq.read_table(root / name / file)
        assert content_hash(rows) == entry.content
        assert rows.num_rows == entry.rows
        bare = pa.table(rows.columns, pa.schema([f.remove_metadata() for f in rows.schema]))
        pq.write_table(bare, tmp_path / file, row_group_size=10_000, compression="none")
        assert content_hash(pq.read_table(tmp_path / file)) == entry.content


def test_content_hash_sees_every_cell(root: Path) -> None:
    for table in TABLES:
        rows = stored(root, "2x2k2", table)
        known = content_hash(rows)
        for number, column in enumerate(rows.column_names):
            values = rows[column].to_pylist()
            values[-1] = values[0] if values[-1] != values[0] else values[1]
            if values[-1] == rows[column][-1].as_py():
                continue  # a column of one value
            field = rows.schema.field(column)
            changed = rows.set_column(number, field, pa.array(values, field.type))
            assert content_hash(changed) != known, column


def test_series_scores_of_tictactoe(root: Path) -> None:
    """The tutorial series' scores: 3, 2, 1 for circle, -2, -1 for cross; -0.5 at the root."""
    rows = stored(root, "tictactoe", "positions").to_pylist()
    wins = {(r["ply"], r["score_sv"]) for r in rows if r["status"] != "playing"}
    assert wins == {(5, 3), (7, 2), (9, 1), (6, -2), (8, -1), (9, 0)}
    empty = rows[0]
    assert (empty["score"], empty["score_sv"], empty["score_svrd"]) == (0, 0, -0.5)
    assert {r["score_svrd"] for r in rows} == {3, 2, 1, 0.5, 0, -0.5, -1, -2}
    random = [empty[f"random_{end}"] for end in ("circle", "draw", "cross")]
    assert random == [737 / 1260, 8 / 63, 121 / 420]
    assert empty["turn"] == "circle"
    assert {r["turn"] for r in rows if r["status"] != "playing"} == {None}
    assert all(r["best_moves"] == [] for r in rows if r["status"] != "playing")


def test_no_column_needs_quotes_in_sql() -> None:
    names = {column.name for table in DECLARED.values() for column in table.columns}
    reserved = duckdb.execute(
        "select keyword_name from duckdb_keywords() "
        "where keyword_category in ('reserved', 'type_function')"
    )
    assert names.isdisjoint(name for (name,) in reserved.fetchall())


def made(name: str) -> Data:
    stage = next(stage for stage in STAGES if stage.table.name == name)
    return dict(stage.make(BuildContext(Game(2, 2, 2))))


SPOILT: dict[str, Callable[[Data], Data]] = {
    "a longer column": lambda data: {"score": np.append(data["score"], np.int8(0))},
    "too wide": lambda data: {"ply": data["ply"].astype(np.int32) + 200},
    "a float": lambda data: {"ply": data["ply"].astype(np.float64)},
    "a null": lambda data: {"ply": Nullable(data["ply"], data["ply"] == 0)},
    "a null label": lambda data: {
        "status": Labels(np.zeros(len(data["ply"]), dtype=np.int8), (None,))
    },
    "out of order": lambda data: {"position": data["position"][::-1]},
    "twice the same": lambda data: {"position": np.maximum(data["position"], 1)},
    "another form": lambda data: {
        "score": Lists(data["score"], np.ones(len(data["score"]), dtype=np.int64))
    },
    "a null key": lambda data: {"position": Nullable(data["position"], data["ply"] > 9)},
}
"""Columns that break the declaration of positions, from the right ones."""


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_rows_that_break_the_declaration_are_not_written(spoil: Callable[[Data], Data]) -> None:
    game, data = Game(2, 2, 2), made("positions")
    assert encode(POSITIONS, game, data).rows == 29
    with pytest.raises(SchemaError, match="table positions"):
        encode(POSITIONS, game, {**data, **spoil(data)})
    without = {name: column for name, column in data.items() if name != "score"}
    for wrong in (without, dict(reversed(data.items()))):
        with pytest.raises(SchemaError, match="expected columns"):
            encode(POSITIONS, game, wrong)


def resources(root: Path, game: str) -> dict[str, Any]:
    package = json.loads((root / game / DICTIONARY).read_bytes())
    found = package.pop("resources")
    assert package == {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": game,
        "title": f"The game {game}, solved",
        "version": __version__,
        "licenses": [
            {"name": "CC0-1.0", "path": "https://creativecommons.org/publicdomain/zero/1.0/",
             "title": "CC0 1.0 Universal"},
        ],
    }  # fmt: skip
    return {resource["name"]: resource for resource in found}


@pytest.mark.parametrize("game", ["3x2k2"])
def test_the_keys_that_are_declared_hold(root: Path, game: str) -> None:
    found = resources(root, game)
    with open_catalog(DataSet(root, Game(game))) as catalog:
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


@pytest.mark.parametrize("game", ["3x2k2", "8x4k2-gravity"])
def test_every_table_is_described_as_its_file_is(root: Path, game: str) -> None:
    found = resources(root, game)
    assert found.keys() == {path.stem for path in (root / game).glob("*.parquet")}
    for name, resource in found.items():
        assert {key: value for key, value in resource.items() if key != "schema"} == {
            "name": name,
            "path": f"{name}.parquet",
            "format": "parquet",
            "mediatype": "application/vnd.apache.parquet",
            "description": f"One row is {TABLES[name].grain}.",
        }
        assert resource["schema"]["missingValues"] == ["", "nan"]
        schema = pq.read_schema(root / game / resource["path"])
        for field, column in zip(resource["schema"]["fields"], schema, strict=True):
            assert field["name"] == column.name
            assert field["description"].encode() == column.metadata[b"description"]
            assert column.nullable != field.get("constraints", {}).get("required", False)
            assert field["type"] in ("integer", "number", "boolean", "string", "any")
            assert (field["type"] == "any") == (field["arrowType"] == "list<int8>")
            if field["type"] != "any":
                assert column.type == pa.type_for_alias(field["arrowType"])


def test_the_data_dictionary_is_verified_and_rebuilt(root: Path, tmp_path: Path) -> None:
    folder = data_sets.copied(root / "2x2k2", tmp_path / "2x2k2")
    before = data_sets.contents(folder)
    times = {path: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}
    for change, kind in ((Path.unlink, "missing"), (lambda p: p.write_text("{}"), "damaged")):
        change(folder / DICTIONARY)
        done = run_here("verify", "2x2k2", data=tmp_path)
        assert done.returncode == 1
        assert kind in done.stdout
        assert DICTIONARY in done.stdout
        assert "run `marubatsu build 2x2k2`" in done.stderr
        assert run_here("build", "2x2k2", data=tmp_path).returncode == 0
        assert data_sets.contents(folder) == before
        assert {path: path.stat().st_mtime_ns for path in folder.glob("*.parquet")} == times


def test_ais_are_those_of_the_registry(root: Path) -> None:
    rows = stored(root, "tictactoe", "ais").to_pylist()
    assert [row["ai"] for row in rows] == sorted(ai.name for ai in all_ais())
    ours = {ai.name: ai for ai in all_ais()}
    for row in rows:
        ai = ours[row["ai"]]
        assert (row["family"], row["rule"]) == (ai.family, ai.rule)
        assert json.loads(row["parameters"]) == dict(ai.parameters)


def test_the_grid_is_that_of_the_series(root: Path) -> None:
    """Episode 164's grid for the empty board and all 627 classes, 30 seeds and depths 0 to 8."""
    rows = stored(root, "tictactoe", "searches")
    assert rows.num_rows == len(settings()) * 627
    assert len(set(settings())) == len(settings())

    def grid(algorithm: str) -> set[tuple[object, ...]]:
        return {
            (s.ordering, s.order_all, s.shortest_victory, s.init_window, s.use_table)
            for s in settings() if s.algorithm == algorithm and s.seed is None
        }  # fmt: skip

    assert len(grid("alphabeta")) == 11 * 8
    assert grid("alphabeta") == grid("scout") == grid("mtdf")
    drawn = {s[:6] for s in settings() if s.algorithm == "alphabeta" and s.seed is not None}
    assert len(drawn) == 4 * 8
    for setting in drawn:
        seeds = {s.seed for s in settings() if s[:6] == setting and s.seed is not None}
        assert len(seeds) >= 30
    depths = {(s.evaluation, s.max_depth) for s in settings() if s.algorithm == "depth_limited"}
    assert depths == {*product(("ai2s", "ai10s", "ai11s", "ai14s"), range(9))}


def test_a_trace_has_one_zero(root: Path) -> None:
    """Searches negate scores, and the content hash of -0.0 is not that of 0.0."""
    rows = stored(root, "tictactoe", "search_trace")
    for name in ("alpha", "beta", "score"):
        values = rows[name].to_numpy()
        assert not np.signbit(values[values == 0]).any(), name


@pytest.mark.parametrize(
    ("name", "message"), [("2x2k2", ["41 nodes with the root, 40 made by a move"]), ("4x3k3", [])]
)
def test_a_summary_counts_nodes_where_there_is_a_tree(
    root: Path, name: str, message: list[str]
) -> None:
    data_set = DataSet(root, Game(name))
    manifest = data_sets.manifest_of(data_set)
    built = Built((), tuple(manifest.tables), manifest, rewritten=True)
    assert [line for line in summary(data_set, built).splitlines() if "nodes" in line] == message
