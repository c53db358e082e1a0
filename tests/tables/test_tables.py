"""The tables hold what their schemas declare, and the writer refuses anything else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.stages.context import BuildContext
from marubatsu.pipeline.stages.stage import STAGES
from marubatsu.pipeline.store.manifest import Manifest
from marubatsu.pipeline.tables.columns import Labels, Lists, Nullable
from marubatsu.pipeline.tables.parquet import SchemaError, content_hash, encode
from marubatsu.pipeline.tables.schemas import (
    MOVES,
    POSITIONS,
    SYMMETRY,
    TABLES,
    TREE_BFS,
    Table,
    described,
    resolve,
)
from marubatsu.pipeline.tables.solved_schemas import DECLARED, SOLUTION
from tests.helpers.data.data_sets import AI_GAMES, GAMES, LARGER_GAMES, shared_stages

TICTACTOE = Game(3, 3, 3)

Data = dict[str, Any]


def stored(root: Path, name: str, table: str) -> pa.Table:
    return pq.read_table(root / name / f"{table}.parquet")


@pytest.mark.parametrize("name", GAMES)
def test_files_hold_the_declared_columns(root: Path, name: str) -> None:
    game = Game(name)
    expected = {stage.table.name for stage in shared_stages(name)}
    assert expected == {path.stem for path in (root / name).glob("*.parquet")}
    assert (expected == set(TABLES)) == (name in AI_GAMES)
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
            assert column.null or rows[column.name].null_count == 0
        keys = rows.select(table.key)
        assert keys.equals(keys.sort_by([(key, "ascending") for key in table.key]))
        assert keys.group_by(table.key).aggregate([]).num_rows == keys.num_rows


def test_integers_are_as_small_as_the_game_allows() -> None:
    kinds = {name: [resolve(Game(name), c.type) for c in TREE_BFS.columns] for name in GAMES}
    assert kinds["tictactoe"] == ["int32", "int32", "int8", "int8", "int32", "int16", "int32"]
    assert kinds["2x2k2"] == ["int8", "int8", "int8", "int8", "int32", "int8", "int8"]
    masks = {name: resolve(Game(name), POSITIONS.columns[1].type) for name in LARGER_GAMES}
    assert masks == {"4x3k3": "int16", "4x4k4-gravity": "int32", "8x4k2-gravity": "int64"}
    orbits = {name: resolve(Game(name), SYMMETRY) for name in ("tictactoe", "1x63k1-torus")}
    assert orbits == {"tictactoe": "int8", "1x63k1-torus": "int16"}


@pytest.mark.parametrize("name", GAMES)
def test_content_hash_does_not_depend_on_the_writer(root: Path, name: str, tmp_path: Path) -> None:
    manifest = Manifest.parse((root / name / "manifest.json").read_bytes())
    for file, entry in manifest.files.items():
        rows = pq.read_table(root / name / file)
        assert content_hash(rows) == entry.content
        assert rows.num_rows == entry.rows
        pq.write_table(rows, tmp_path / file, row_group_size=10_000, compression="none")
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
    assert (empty["random_circle"], empty["random_draw"], empty["random_cross"]) == (
        737 / 1260,
        8 / 63,
        121 / 420,
    )
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


def test_lines_name_the_moves(root: Path) -> None:
    """51 is circle in the centre and cross at the top left."""
    tree = stored(root, "tictactoe", "tree_bfs")
    positions = stored(root, "tictactoe", "positions")
    at = tree["line"].to_pylist().index(51)
    board = positions["board"][tree["position"][at].as_py()].as_py()
    assert board == "x...o...."


def made(name: str) -> Data:
    stage = next(stage for stage in STAGES if stage.table.name == name)
    return dict(stage.make(BuildContext(Game(2, 2, 2))))


def without(data: Data) -> Data:
    return {name: column for name, column in data.items() if name != "score"}


def longer(data: Data) -> Data:
    return {**data, "score": np.append(data["score"], np.int8(0))}


def too_wide(data: Data) -> Data:
    return {**data, "ply": data["ply"].astype(np.int32) + 200}


def a_float(data: Data) -> Data:
    return {**data, "ply": data["ply"].astype(np.float64)}


def a_null(data: Data) -> Data:
    return {**data, "ply": Nullable(data["ply"], data["ply"] == 0)}


def a_null_label(data: Data) -> Data:
    return {**data, "status": Labels(np.zeros(len(data["ply"]), dtype=np.int8), (None,))}


def out_of_order(data: Data) -> Data:
    return {**data, "position": data["position"][::-1]}


def twice_the_same(data: Data) -> Data:
    return {**data, "position": np.maximum(data["position"], 1)}


def wrong_form(data: Data) -> Data:
    return {**data, "score": Lists(data["score"], np.ones(len(data["score"]), dtype=np.int64))}


def a_null_key(data: Data) -> Data:
    return {**data, "position": Nullable(data["position"], data["ply"] > 9)}


@pytest.mark.parametrize(
    "spoil",
    [without, longer, too_wide, a_float, a_null, a_null_label, out_of_order, twice_the_same,
     wrong_form, a_null_key],
)  # fmt: skip
def test_what_breaks_the_declaration_is_not_written(spoil: Callable[[Data], Data]) -> None:
    game = Game(2, 2, 2)
    data = made("positions")
    assert encode(POSITIONS, game, data).rows == 29
    with pytest.raises(SchemaError, match="table positions"):
        encode(POSITIONS, game, spoil(data))


def test_columns_in_another_order_are_not_written() -> None:
    data = made("moves")
    with pytest.raises(SchemaError, match="expected columns"):
        encode(MOVES, Game(2, 2, 2), dict(reversed(data.items())))


def test_a_file_names_its_game_and_table(root: Path) -> None:
    metadata = pq.read_metadata(root / "tictactoe" / "moves.parquet").metadata
    assert metadata[b"marubatsu.game"] == b"3x3k3"
    assert metadata[b"marubatsu.table"] == b"moves"


@pytest.mark.parametrize("table", [*TABLES.values(), SOLUTION], ids=lambda table: table.name)
def test_a_description_holds_the_whole_declaration(table: Table) -> None:
    for column in table.columns:
        parts = [column.meaning, column.unit, column.codes]
        parts += [f"null {column.null}"] if column.null else []
        assert described(column) == "; ".join(part for part in parts if part)
        assert len(column.meaning) > 5
        assert not column.meaning.startswith("the same")  # A field is read alone.


def test_every_field_of_a_file_carries_its_description(root: Path, tmp_path: Path) -> None:
    files = {TABLES[path.stem]: path for path in (root / "tictactoe").glob("*.parquet")}
    assert len(files) == len(TABLES)
    solve(tmp_path, Game(2, 2, 2), 10**9)
    files[SOLUTION] = tmp_path / "2x2k2" / "solution" / "ply=00" / "part-0000.parquet"
    for table, path in files.items():
        schema = pq.read_schema(path)
        found = [schema.field(column.name).metadata[b"description"] for column in table.columns]
        assert found == [described(column).encode() for column in table.columns]


def test_the_description_of_a_column_is_plain() -> None:
    turn = next(column for column in POSITIONS.columns if column.name == "turn")
    assert described(turn) == "side to move; circle, cross; null when the position is finished"
    ply = next(column for column in POSITIONS.columns if column.name == "ply")
    assert described(ply) == "marks on the board; marks"


def test_the_content_hash_does_not_cover_descriptions() -> None:
    encoded = encode(MOVES, Game(2, 2, 2), made("moves"))
    rows = pq.read_table(pa.BufferReader(encoded.data))
    bare = pa.table(rows.columns, pa.schema([f.remove_metadata() for f in rows.schema]))
    assert content_hash(bare) == encoded.content
