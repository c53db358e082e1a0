"""The bytes of published tables: chunks that two versions share on a hub, and readers."""

import hashlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.publishing.publish import encode_for_others
from marubatsu.pipeline.tables.parquet import writer_options
from marubatsu.pipeline.tables.parquet_layout import _pages, require_layout
from marubatsu.pipeline.tables.schemas import TABLES
from tests.helpers.data.data_sets import build_one
from tests.helpers.data.shared import Shared

GAME = Game("tictactoe")
TABLE = TABLES["tree_dfs"]


@pytest.fixture(scope="module")
def built(shared: Shared) -> Path:
    """Return the file of the largest table of tictactoe, as it is built."""
    return build_one(shared, "tictactoe") / "tictactoe" / TABLE.file


class Encoded:
    """A file in memory, read as an open file is."""

    def __init__(self, rows: pa.Table) -> None:
        self.data: bytes = encode_for_others(TABLE, GAME, rows).to_pybytes()
        self.size = len(self.data)

    def read(self, count: int, at: int) -> bytes:
        return self.data[at : at + count]


def pages(data: bytes) -> dict[str, int]:
    """Return the bytes of each page of a file by the hash of the page."""
    found = {}
    metadata = pq.read_metadata(pa.BufferReader(data))
    file = Encoded.__new__(Encoded)
    file.data, file.size = data, len(data)
    for place in range(metadata.num_columns):
        column = metadata.row_group(0).column(place)
        start = column.dictionary_page_offset or column.data_page_offset
        end = start + column.total_compressed_size
        starts = [page.at for page in _pages(file, start, end)]
        for first, after in zip(starts, [*starts[1:], end], strict=True):
            page = data[first:after]
            found[hashlib.sha256(page).hexdigest()] = len(page)
    return found


def share_in_common(old: bytes, new: bytes) -> float:
    """Return the share of the bytes of a file that are in pages of another file too."""
    before, now = pages(old), pages(new)
    return sum(size for page, size in now.items() if page in before) / sum(now.values())


def test_two_versions_that_differ_in_a_row_share_most_chunks(built: Path) -> None:
    rows = pq.read_table(built)
    at = rows.num_rows // 2
    fewer = pa.concat_tables([rows.slice(0, at), rows.slice(at + 1)])
    assert share_in_common(Encoded(rows).data, Encoded(fewer).data) > 0.7
    as_built = pa.BufferOutputStream()
    pq.write_table(fewer, as_built, **writer_options(TABLE))
    assert share_in_common(built.read_bytes(), as_built.getvalue().to_pybytes()) < 0.1


def test_the_bytes_follow_from_the_rows_in_a_layout_that_readers_take(built: Path) -> None:
    rows = pq.read_table(built)
    first = Encoded(rows)
    assert Encoded(pq.read_table(pa.BufferReader(first.data))).data == first.data
    require_layout(TABLE, GAME, first, rows.num_rows)


def test_integers_are_plain_so_that_older_readers_take_them(built: Path) -> None:
    metadata = pq.read_metadata(pa.BufferReader(Encoded(pq.read_table(built)).data))
    encodings = [metadata.row_group(0).column(n).encodings for n in range(metadata.num_columns)]
    assert not any("BYTE_STREAM_SPLIT" in each for each in encodings)
