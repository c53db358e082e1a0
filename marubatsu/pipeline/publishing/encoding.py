"""The bytes of a published table: encoded for programs and hubs of others.

Pages end where the content says so (content-defined chunking). Two versions of a table then have
most pages in common, and a hub that stores chunks by their hash stores those once. Integers are
plain where our own files split their bytes, which DuckDB reads from 2.0 on only.
"""

import pyarrow as pa
import pyarrow.parquet as pq

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.parquet import arrow_schema, writer_options
from marubatsu.pipeline.tables.schemas import PLAIN, SPLIT, Table, resolve


def encode_for_others(table: Table, game: Game, rows: pa.Table) -> pa.Buffer:
    """Encode the rows of a table; the same rows give the same bytes."""
    options = writer_options(table)
    for column in table.columns:
        if column.encoding == SPLIT and not resolve(game, column.type).startswith("float"):
            options["column_encoding"][column.name] = PLAIN
    order = [(name, "ascending") for name in table.key]
    whole = pa.table(rows.combine_chunks().columns, schema=arrow_schema(table, game))
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(
        sink,
        whole.schema,
        sorting_columns=pq.SortingColumn.from_ordering(whole.schema, order) or None,
        use_content_defined_chunking=True,
        **options,
    ) as writer:
        writer.write_table(whole, row_group_size=table.row_group)
    return sink.getvalue()
