"""The layout of files: what their footers and the headers of their pages contain."""

from collections.abc import Callable
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.large.index import rows_of_plies
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables import manifest, parquet_layout, solution_parts
from marubatsu.pipeline.tables import parquet_records as parquet
from marubatsu.pipeline.tables.manifest import wrong_kept, wrong_saved
from marubatsu.pipeline.tables.open_file import OpenFile
from marubatsu.pipeline.tables.parquet import encode, writer_options
from marubatsu.pipeline.tables.parquet_layout import LayoutError, Leaf, has_its_pages
from marubatsu.pipeline.tables.parquet_records import BINARY, BOOL, I8, I16, I32, I64, Record
from marubatsu.pipeline.tables.schemas import MOVES, Table
from marubatsu.pipeline.tables.solution_parts import part_file
from marubatsu.pipeline.tables.solved_schemas import ANSWERS, BLOCKS, DECLARED, SOLUTION
from tests.attacks.mutated import other_footer, written

GAME = Game("3x2k2")
BY_VALUE = {"column": 0, "descending": False, "nulls": False}


def refusal(table: Table, data: bytes, folder: Path, rows: int) -> str:
    """Return what is other in the layout of a file, nothing when it is ours."""
    path = folder / "file.parquet"
    path.write_bytes(data)
    try:
        parquet_layout.require_layout(table, GAME, OpenFile(path, is_copied=True), rows)
    except LayoutError as error:
        return str(error)
    return ""


def values(count: int) -> dict[str, np.ndarray[tuple[int], np.dtype[np.int8]]]:
    return {"value": np.zeros(count, np.int8)}


@pytest.mark.parametrize("rows", [0, 1, 9, SOLUTION.row_group, SOLUTION.row_group + 1])
def test_a_part_of_any_size_is_laid_out_as_declared(rows: int, tmp_path: Path) -> None:
    data = encode(SOLUTION, GAME, values(rows)).data
    assert refusal(SOLUTION, data, tmp_path, rows) == ""
    assert refusal(SOLUTION, data, tmp_path, rows + 1) == (
        f"it has {rows:,} rows, the manifest says {rows + 1:,}"
    )


def test_every_built_table_is_laid_out_as_declared(root: Path, tmp_path: Path) -> None:
    names = []
    for path in (root / GAME.name).glob("*.parquet"):
        rows = pq.ParquetFile(path).metadata.num_rows
        assert refusal(DECLARED[path.stem], path.read_bytes(), tmp_path, rows) == ""
        names.append(path.stem)
    assert {"positions", "classes", "moves", "tree_bfs", "searches", "ai_moves"} < {*names}


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"write_statistics": True}, "a column has field 12, which we do not write"),
        ({"write_page_index": True}, "which we do not write"),
        ({"compression": "gzip"}, "its column value is stored otherwise than this version does"),
        ({"row_group_size": 100}, "it has 2 row groups for 150 rows"),
        ({"use_dictionary": False, "column_encoding": {"value": "BYTE_STREAM_SPLIT"}},
         "its column value is stored otherwise than this version does"),
    ],
)  # fmt: skip
def test_other_parquet_options_are_named(
    options: dict[str, object], error: str, tmp_path: Path
) -> None:
    rows, goal = pa.table({"value": pa.array([1] * 150, pa.int8())}), BytesIO()
    pq.write_table(rows, goal, **{**writer_options(SOLUTION), **options})
    assert error in refusal(SOLUTION, goal.getvalue(), tmp_path, 150)


def test_a_footer_grows_with_the_row_groups_and_columns(tmp_path: Path) -> None:
    for table, leaves in ((SOLUTION, 1), (BLOCKS, 3)):
        for groups in (1, 4):
            most = 100_000 + 1_000 * leaves * groups
            rows = (groups - 1) * table.row_group + 1
            for size, error in (
                (most, "its records cannot be read: a footer has no version"),
                (most + 1, f"its footer has {most + 1:,} bytes"),
            ):
                data = b"PAR1" + bytes(size) + size.to_bytes(4, "little") + b"PAR1"
                assert refusal(table, data, tmp_path, rows) == error


def test_another_root_of_the_columns_is_named(tmp_path: Path) -> None:
    data = bytes(encode(SOLUTION, GAME, values(9)).data)
    assert data.count(b"\x06schema") == 1
    renamed = data.replace(b"\x06schema", b"\x06scheme")
    assert refusal(SOLUTION, renamed, tmp_path, 9) == "its column scheme is not declared so"
    assert refusal(BLOCKS, data, tmp_path, 9) == "it has another number of columns"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda footer: footer["words"].append({"key": b"geo", "value": b""}), "its footer is not"),
        (lambda footer: footer["row groups"][0]["columns"].clear(), "its row group 0 has 0 column"),
        (lambda footer: footer["row groups"][0].update(order=[BY_VALUE]), "is not in the order of"),
    ],
)
def test_another_value_of_a_footer_is_named(
    change: Callable[[Record], None], error: str, tmp_path: Path
) -> None:
    data = bytes(encode(SOLUTION, GAME, values(9)).data)
    assert error in refusal(SOLUTION, other_footer(data, change), tmp_path, 9)


def test_row_groups_of_other_sizes_are_named(tmp_path: Path) -> None:
    goal, size = BytesIO(), SOLUTION.row_group
    rows = pa.table({"value": pa.array([1] * (size + 9), pa.int8())})
    with pq.ParquetWriter(goal, rows.schema, **writer_options(SOLUTION)) as writer:
        writer.write_table(rows.slice(0, size - 1))
        writer.write_table(rows.slice(size - 1))
    assert refusal(SOLUTION, goal.getvalue(), tmp_path, size + 9) == (
        "its row group 0 has 131,071 rows, expected 131,072"
    )


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "it is no Parquet file"),
        (b"PAR1", "it is no Parquet file"),
        (b"PAR1\x00\x00\x00\x00PAR1", "its records cannot be read: it ends too early"),
        (b"PAR1\xff\xff\xff\xffPAR1", "it is no Parquet file"),
        (b"PAR1\x00\x01\x00\x00\x00PAR1", "its records cannot be read: a footer has no version"),
        (b"PAR1\x29\xfc\xff\xff\xff\xff\x0f\x07\x00\x00\x00PAR1",
         "its records cannot be read: it ends too early"),
    ],
)  # fmt: skip
def test_a_file_that_is_not_parquet_is_named(data: bytes, error: str, tmp_path: Path) -> None:
    assert refusal(MOVES, data, tmp_path, 0) == error


def test_more_rows_than_a_file_can_hold_are_refused(root: Path, tmp_path: Path) -> None:
    """They would fill the memory of a reader."""
    path = root / GAME.name / MOVES.file
    rows = pq.ParquetFile(path).read()
    many, goal = rows.slice(0, 1).take(pa.array([0] * 9_000_000)), BytesIO()
    pq.write_table(many, goal, row_group_size=MOVES.row_group, **writer_options(MOVES))
    size = len(goal.getvalue())
    assert size < 9_000_000 / 20
    assert refusal(MOVES, goal.getvalue(), tmp_path, len(many)).startswith(
        "it has 9,000,000 rows in"
    )


_INNER = parquet.Structure("inner record", {1: ("bits", I8), 2: ("signed", BOOL)})
_OUTER = parquet.Structure(
    "record",
    {1: ("small", I16), 2: ("number", I32), 3: ("texts", parquet.ListOf(BINARY)),
     6: ("large", I64), 20: ("inner", _INNER)},
    ("small", "number", "texts", "large", "inner"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("data", "found", "size"),
    [
        (b"\x00", {}, 1),
        (b"\x14\x01\x15\x03\x00more", {"small": -1, "number": -2}, 5),
        (b"\x66" + b"\xff" * 9 + b"\x01\x00", {"large": -(2**63)}, 12),
        (b"\x66\xfe" + b"\xff" * 8 + b"\x01\x00", {"large": 2**63 - 1}, 12),
        (b"\x39\x28\x01a\x00\x00", {"texts": [b"a", b""]}, 6),
        (b"\x0c\x28\x13\xfe\x11\x00\x00", {"inner": {"bits": -2, "signed": True}}, 7),
    ],
)
def test_a_record_has_its_values_by_names(data: bytes, found: dict[str, object], size: int) -> None:
    assert parquet.record_of(data, _OUTER) == (found, size)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"\x14", "it ends too early"),
        (b"\x25\xff\xff\xff\xff\x1f\x00", "a number of more than 32 bits"),
        (b"\x25\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "a number of more than 64 bits"),
        (b"\x26\x02\x00", "a record has number of another kind"),
        (b"\x14\x02\x04\x02\x02\x00", "a record has small twice"),
        (b"\x0c\x28\x13\xfe\x00\x00", "a inner record has no signed"),
        (b"\x45\x02\x00", "a record has field 4, which we do not write"),
        (b"\x39\x25\x02\x04\x00", "a list of another kind"),
        (b"\x39\xf8\xff\xff\xff\xff\x0f\x00", "it ends too early"),
        (b"\x39\x18\x09a\x00", "it ends too early"),
    ],
)
def test_bytes_that_are_no_record_are_refused(data: bytes, error: str) -> None:
    with pytest.raises(parquet.ThriftError, match=error):
        parquet.record_of(data, _OUTER)


def test_the_files_of_a_solution_are_those_of_whole_plies() -> None:
    game = Game("3x3")
    wrong = partial(solution_parts.wrong_solution, game)
    files = {
        "blocks.parquet": 3,
        "value_counts.parquet": 3,
        **{
            part_file(ply, number): last - first
            for ply, rows in enumerate(rows_of_plies(game))
            for number, first, last in solution_parts.parts(rows)
        },
    }
    assert wrong(files) == ""
    last, third = part_file(9, 0), part_file(3, 0)

    def without(name: str) -> dict[str, int]:
        return {other: rows for other, rows in files.items() if other != name}

    assert wrong(without(last)) == ""
    assert wrong(without(third)) == f"it does not list {third}"
    assert wrong(without("blocks.parquet")) == "it does not list blocks.parquet"
    assert wrong({**files, third: 47}) == f"{third} has 47 rows, expected 56"
    more, table = part_file(3, 1), "positions.parquet"
    assert wrong({**files, more: 9}) == f"it lists {more}"
    assert wrong({**files, table: 9}) == f"it lists {table}"
    assert wrong({"blocks.parquet": 3, "value_counts.parquet": 3}) == (
        f"it does not list {part_file(0, 0)}"
    )
    assert wrong({}) == "it lists no file"


def test_a_part_of_the_data_lists_its_own_files_only() -> None:
    assert manifest.wrong_tables({"positions.parquet", "moves.parquet"}) == ""
    for name in ("positions.0.parquet", "answers.0.parquet", "blocks.parquet", part_file(0, 0)):
        assert manifest.wrong_tables({"moves.parquet", name}) == f"it lists {name}"
    for number in range(2):
        assert wrong_kept({f"answers.{number}.parquet"}, ANSWERS) == ""
    for name in ("answers.2.parquet", "answers.parquet", "positions.parquet", "proofs.0.parquet"):
        assert wrong_kept({"answers.0.parquet", name}, ANSWERS) == f"it lists {name}"
    assert wrong_kept({"answers.0.parquet", "answers.1.parquet"}, ANSWERS) == "it lists two files"
    assert wrong_kept((), ANSWERS) == "it lists no file"


def test_saved_ais_have_two_files_each() -> None:
    mine = {"ais.me.00000000.parquet", "ai_moves.me.00000000.parquet"}
    matches = "matches.00000000.parquet"
    assert wrong_saved({*mine, matches}) == ""
    assert wrong_saved(()) == ""
    for name in (
        "positions.parquet", "positions.me.00000000.parquet", "matches.me.00000000.parquet",
        "ais.00000000.parquet", "ais.me.0000000.parquet", "ais.0me.00000000.parquet",
    ):  # fmt: skip
        assert wrong_saved({*mine, name}) == f"it lists {name}"
    assert wrong_saved({"ais.me.00000000.parquet"}) == "it lists ais of me alone"
    twice = {"ais.me.00000001.parquet", "matches.00000001.parquet"}
    for name in twice:
        assert wrong_saved({*mine, matches, name}) == f"it lists {name}"


NUMBERS = Leaf([b"number"], 1, {parquet.PLAIN}, 1, is_plain=True)
LISTS = Leaf([b"list"], 1, {parquet.PLAIN}, 9, is_plain=False)
TEXTS = Leaf([b"text"], parquet.BYTE_ARRAY, {parquet.PLAIN}, 1, is_plain=True)

ROWS, OTHER = 5, 99
"""The rows of the column, and an encoding that is not one of its own."""


class File(NamedTuple):
    """A file in memory."""

    data: bytes

    @property
    def size(self) -> int:
        return len(self.data)

    def read(self, count: int, at: int) -> bytes:
        return self.data[at : at + count]


def old(values: int = ROWS, encoding: int = parquet.PLAIN, **levels: int) -> Record:
    """Return the head of a data page of the first version."""
    content = {"nulls": parquet.RLE, "levels": parquet.RLE, **levels}
    return {"type": parquet.DATA_PAGE, "data": {"values": values, "encoding": encoding, **content}}


def new(
    values: int = ROWS, null: int = 0, rows: int = ROWS, encoding: int = parquet.PLAIN,
    nulls: int = 0, levels: int = 0,
) -> Record:  # fmt: skip
    """Return the head of a data page of the second version."""
    content = {"values": values, "null values": null, "rows": rows, "encoding": encoding,
               "nulls": nulls, "levels": levels}  # fmt: skip
    return {"type": parquet.DATA_PAGE_V2, "data of version 2": content}


def dictionary(values: int = 3, encoding: int = parquet.PLAIN) -> Record:
    content = {"values": values, "encoding": encoding}
    return {"type": parquet.DICTIONARY_PAGE, "dictionary": content}


def is_accepted(leaf: Leaf, *pages: tuple[Record, int]) -> bool:
    """Whether a column of these pages and unpacked sizes is ours, when the footer agrees."""
    heads = [
        written(parquet.PAGE_HEAD, {"packed": 0, **head, "unpacked": size}) for head, size in pages
    ]
    starts = [sum(map(len, heads[:number])) for number in range(len(heads))]
    data = [number for number, (head, _) in enumerate(pages) if "dictionary" not in head]
    names = ("data", "data of version 2")
    column = {
        "packed": sum(map(len, heads)),
        "unpacked": sum(map(len, heads)) + sum(size for _, size in pages),
        "values": sum(head[name]["values"] for head, _ in pages for name in names if name in head),
        "first page": starts[data[0]],
        **({"dictionary": 0} if len(data) < len(pages) else {}),
    }
    return has_its_pages(File(b"".join(heads)), leaf, column, 0, ROWS)


@pytest.mark.parametrize(
    ("leaf", "pages"),
    [
        (NUMBERS, [(old(), 20)]), (NUMBERS, [(new(), 20)]), (NUMBERS, [(new(), 16 * ROWS + 4096)]),
        (NUMBERS, [(new(0, rows=0), 0), (new(), 20)]), (NUMBERS, [(dictionary(), 12), (old(), 20)]),
        (LISTS, [(new(9, 4, 5, nulls=2, levels=2), 30)]),
        (LISTS, [(new(9, 9, 5, nulls=2, levels=2), 4)]),
        (TEXTS, [(dictionary(), 256 * 3 + 4096), (new(), 256 * ROWS + (1 << 20))]),
    ],
)  # fmt: skip
def test_pages_that_we_write_are_accepted(leaf: Leaf, pages: list[tuple[Record, int]]) -> None:
    assert is_accepted(leaf, *pages)


@pytest.mark.parametrize(
    ("leaf", "pages"),
    [
        (NUMBERS, [(old(encoding=OTHER), 20)]), (NUMBERS, [(old(nulls=0), 20)]),
        (NUMBERS, [(old(levels=0), 20)]), (NUMBERS, [(new(encoding=OTHER), 20)]),
        (NUMBERS, [(new(null=1), 20)]), (NUMBERS, [(new(rows=4), 20)]),
        (NUMBERS, [(new(levels=1), 20)]), (NUMBERS, [(new(), 16 * ROWS + 4097)]),
        (NUMBERS, [(dictionary(encoding=OTHER), 12), (old(), 20)]),
        (NUMBERS, [(dictionary(), 13), (old(), 20)]), (LISTS, [(new(9, 10, 5), 30)]),
        (LISTS, [(new(9, -1, 5), 30)]), (LISTS, [(new(9, 0, 10), 30)]),
        (LISTS, [(new(9, 0, -1), 30)]), (LISTS, [(new(9, 0, 5, nulls=-1, levels=2), 30)]),
        (LISTS, [(new(9, 0, 5, nulls=2, levels=-1), 30)]),
        (LISTS, [(new(9, 0, 5, nulls=16, levels=15), 30)]), (LISTS, [(new(46), 30)]),
        (LISTS, [(old(-1), 0), (old(6), 24)]),
        (TEXTS, [(dictionary(), 256 * 3 + 4097), (new(), 20)]),
        (TEXTS, [(new(), 256 * ROWS + (1 << 20) + 1)]),
    ],
)  # fmt: skip
def test_other_pages_are_refused(leaf: Leaf, pages: list[tuple[Record, int]]) -> None:
    assert not is_accepted(leaf, *pages)


@pytest.mark.parametrize(("packed", "unpacked"), [(1, 20), (-1, 20), (0, -1)])
def test_a_page_ends_in_its_column(packed: int, unpacked: int) -> None:
    with pytest.raises(parquet.ThriftError, match="a page does not end where its column ends"):
        is_accepted(NUMBERS, ({**old(), "packed": packed}, unpacked))
