"""The rows of parts, as DuckDB reads them through Arrow: numbered, and only those that it needs."""

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from marubatsu.pipeline.sql.solution_rows import PartRows
from marubatsu.pipeline.sql.view_script import PartPlace

PLACES = [PartPlace(3, 0, 25), PartPlace(3, 25, 5), PartPlace(4, 0, 7)]
NAMES = [f"part {number}" for number in range(len(PLACES))]

Rows = list[tuple[int, int, int | None]]


def value(ply: int, key: int) -> int | None:
    return None if key % 4 == 1 else ply * key % 50


ROWS: Rows = [
    (place.ply, key, value(place.ply, key))
    for place in PLACES
    for key in range(place.first, place.first + place.rows)
]


@pytest.fixture
def sources(tmp_path: Path) -> list[pa.Buffer]:
    """Write the parts with row groups of ten rows."""
    found = []
    for number, place in enumerate(PLACES):
        keys = range(place.first, place.first + place.rows)
        values = pa.array([value(place.ply, key) for key in keys], pa.int8())
        path = tmp_path / f"{number}.parquet"
        pq.write_table(pa.table({"value": values}), path, row_group_size=10)
        found.append(pa.py_buffer(path.read_bytes()))
    return found


@pytest.mark.parametrize(
    ("condition", "parts"),
    [
        ("true", {0, 1, 2}),
        ("ply = 3 and key = 12", {0}),
        ("ply = 3 and key >= 25", {1}),
        ("ply = 3 and key in (2, 27)", {0, 1}),
        ("ply > 3", {2}),
        ("key = 6 and value is not null", {0, 2}),
        ("value is null", {0, 1, 2}),
        ("ply = 5", set()),
    ],
)
def test_only_parts_that_may_hold_the_rows_are_read(
    sources: list[pa.Buffer], condition: str, parts: set[int]
) -> None:
    nothing = pa.py_buffer(b"no Parquet")
    read = [source if n in parts else nothing for n, source in enumerate(sources)]
    with duckdb.connect() as connection:
        connection.execute("create table rows (ply tinyint, key bigint, value tinyint)")
        connection.executemany("insert into rows values (?, ?, ?)", ROWS)
        connection.register("parts", PartRows(zip(PLACES, read, NAMES, strict=True)))
        for columns in ("*", "value", "key, ply", "count(*)"):
            found, expected = (
                connection.execute(
                    f"select {columns} from {table} where {condition} order by all"  # noqa: S608
                ).fetchall()
                for table in ("parts", "rows")
            )
            assert found == expected


def test_only_row_groups_that_may_hold_the_rows_are_read(
    sources: list[pa.Buffer], monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = []
    read = pq.ParquetFile.read_row_group

    def noted(file: pq.ParquetFile, number: int, columns: list[str]) -> pa.Table:
        groups.append(number)
        return read(file, number, columns)

    monkeypatch.setattr(pq.ParquetFile, "read_row_group", noted)
    with duckdb.connect() as connection:
        connection.register("parts", PartRows(zip(PLACES, sources, NAMES, strict=True)))
        sql = "select value from parts where ply = 3 and key between 12 and 14"
        assert connection.execute(sql).fetchall() == [(36,), (None,), (42,)]
    assert groups == [1]


def test_a_part_that_cannot_be_read_is_named(sources: list[pa.Buffer]) -> None:
    spoilt = [bytearray(source.to_pybytes()) for source in sources]
    spoilt[1][4:40] = bytes(36)
    with duckdb.connect() as connection:
        read = [pa.py_buffer(bytes(source)) for source in spoilt]
        connection.register("parts", PartRows(zip(PLACES, read, NAMES, strict=True)))
        with pytest.raises(duckdb.Error, match="part 1 is damaged"):
            connection.execute("select sum(value) from parts").fetchall()
