"""The catalogue of a published folder, by its own tables: everything that a DuckLake client asks.

`test_outside_readers` attaches it with the extension of DuckDB.
"""

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.publishing.ducklake import FILE, render
from marubatsu.pipeline.publishing.publication import RELEASED, Publication
from marubatsu.pipeline.publishing.publish import publish
from tests.helpers.data.data_sets import SMALLEST, build_smallest, build_tree, copied
from tests.helpers.data.shared import Shared

OTHER = "1x3k2"
NAMES = {"bool": "boolean", "string": "varchar", "float": "float32", "double": "float64",
         "list<element: int8 not null>": "list"}  # fmt: skip


@pytest.fixture(scope="module")
def folder(shared: Shared, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return two games, one of them solved, in one published folder."""
    data = copied(build_smallest(shared), tmp_path_factory.mktemp("data") / "data")
    build_tree(data, OTHER)
    return write(data, tmp_path_factory.mktemp("published") / "folder")


def write(data: Path, out: Path, url: str | None = None) -> Path:
    games = [Game(OTHER), Game(SMALLEST)]
    publish(data, games, out, RELEASED, url, lambda share: None)
    return out


@pytest.fixture(scope="module")
def catalogue(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(folder / FILE), read_only=True) as connection:
        yield connection


def rows_of(
    catalogue: duckdb.DuckDBPyConnection, sql: str, *values: object
) -> list[tuple[Any, ...]]:
    return catalogue.execute(sql, list(values)).fetchall()


def test_every_file_has_its_table_its_rows_and_its_footer(
    catalogue: duckdb.DuckDBPyConnection, folder: Path
) -> None:
    files = rows_of(catalogue, """
        select schema_name, table_name, s.path || t.path || f.path, record_count, file_size_bytes,
               footer_size, row_id_start
        from ducklake_data_file f join ducklake_table t using (table_id)
        join ducklake_schema s using (schema_id) order by data_file_id""")  # fmt: skip
    paths = {str(path.relative_to(folder)) for path in folder.rglob("*.parquet")}
    assert {path for _, _, path, *_ in files} == paths
    assert len(files) == len(paths)
    rows: dict[tuple[str, str], int] = {}
    for schema, table, path, count, size, footer, first in files:
        assert path.startswith((f"{schema}/{table}.parquet", f"{schema}/solution/"))
        found = pq.read_metadata(folder / path)
        assert (count, size) == (found.num_rows, (folder / path).stat().st_size)
        assert footer == found.serialized_size
        assert first == rows.get((schema, table), 0)
        rows[schema, table] = first + count
    totals = rows_of(catalogue, """
        select schema_name, table_name, record_count from ducklake_table_stats
        join ducklake_table using (table_id) join ducklake_schema using (schema_id)""")  # fmt: skip
    assert {(schema, table): count for schema, table, count in totals} == rows


def test_every_column_has_its_type_its_nulls_and_its_name_in_the_file(
    catalogue: duckdb.DuckDBPyConnection, folder: Path
) -> None:
    files = """
        select table_id, s.path || f.path from ducklake_data_file f
        join ducklake_table t using (table_id) join ducklake_schema s using (schema_id)"""
    columns = """
        select column_name, column_type, nulls_allowed from ducklake_column
        where table_id = ? and parent_column is null order by column_order"""
    names = """
        select source_name, column_name, c.column_id from ducklake_name_mapping m
        join ducklake_column c on target_field_id = c.column_id and table_id = mapping_id
        where mapping_id = ? order by m.column_id"""
    for table, path in rows_of(catalogue, files):
        schema = pq.read_schema(folder / path)
        assert rows_of(catalogue, columns, table) == [
            (each.name, NAMES.get(str(each.type), str(each.type)), each.nullable) for each in schema
        ]
        mapped = rows_of(catalogue, names, table)
        assert all(source == name for source, name, _ in mapped)
        assert [number for *_, number in mapped] == [*range(1, len(mapped) + 1)]
        assert [name for name, *_ in mapped if name != "element"] == schema.names


def test_statistics_are_those_of_the_rows(
    catalogue: duckdb.DuckDBPyConnection, folder: Path
) -> None:
    """Those of a file, and those of a table, which may have several."""
    message = rows_of(catalogue, """
        select s.path || f.path, column_name, table_id, column_id, value_count, null_count,
               min_value, max_value
        from ducklake_file_column_stats
        join ducklake_data_file f using (data_file_id, table_id)
        join ducklake_column c using (table_id, column_id)
        join ducklake_table t using (table_id) join ducklake_schema s using (schema_id)
        where parent_column is null""")  # fmt: skip
    assert len(message) > 100
    compared: list[tuple[list[Any], list[str | None]]] = []
    whole: dict[tuple[int, int], list[Any]] = {}
    for path, name, table, number, values, nulls, *bounds in message:
        column = pq.read_table(folder / path, columns=[name]).column(0)
        right = [value for value in column.to_pylist() if value is not None]
        assert (values, nulls) == (len(right), column.null_count)
        compared.append((right, bounds))
        whole.setdefault((table, number), []).extend(right)
    totals = rows_of(catalogue, """
        select table_id, column_id, min_value, max_value from ducklake_table_column_stats
        join ducklake_column using (table_id, column_id)
        where parent_column is null""")  # fmt: skip
    assert len(totals) == len(whole)
    compared += [(whole[table, number], bounds) for table, number, *bounds in totals]
    for right, texts in compared:
        as_read = [
            None if text is None else type(right[0])(int(text) if text.isdigit() else text)
            for text in texts
        ]
        assert as_read == ([min(right), max(right)] if right else [None, None])


def test_one_snapshot_has_all_tables_and_files(catalogue: duckdb.DuckDBPyConnection) -> None:
    assert rows_of(catalogue, "select snapshot_id, snapshot_time::text from ducklake_snapshot") == [
        (0, f"{RELEASED} 00:00:00+00")
    ]
    for table in ("schema", "table", "column", "data_file"):
        sql = "select distinct begin_snapshot, end_snapshot from query_table(?)"
        assert rows_of(catalogue, sql, f"ducklake_{table}") == [(0, None)]
    assert rows_of(catalogue, "select value from ducklake_metadata where key = 'data_path'") == [
        ("./",)
    ]


def test_the_bytes_follow_from_the_data_and_the_address(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "it's temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "it's temporary"))
    again = write(folder, tmp_path / "again")
    assert (again / FILE).read_bytes() == (folder / FILE).read_bytes()
    url = "https://example.org/d"
    elsewhere = write(folder, tmp_path / "elsewhere", url)
    with duckdb.connect(str(elsewhere / FILE), read_only=True) as catalogue:
        sql = "select value from ducklake_metadata where key = 'data_path'"
        assert rows_of(catalogue, sql) == [(f"{url}/",)]


def test_ctrl_c_is_no_error_of_duckdb(tmp_path: Path) -> None:
    def render_till_ctrl_c(seconds: float) -> None:
        Timer(seconds, os.kill, [os.getpid(), signal.SIGINT]).start()
        while True:
            render(Publication((), RELEASED, None), tmp_path)

    # A job in the background ignores Ctrl-C.
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for part in range(1, 11):
            with pytest.raises(KeyboardInterrupt):
                render_till_ctrl_c(part / 40)
    finally:
        signal.signal(signal.SIGINT, previous)
