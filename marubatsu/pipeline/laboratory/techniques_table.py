"""The nodes that search techniques visited on a game, kept in the table ``techniques``."""

from collections.abc import Iterable, Mapping, Sequence

from marubatsu.engine.rules.position import Position
from marubatsu.pipeline.laboratory.kept_table import read_rows, remove_rows, replace_rows
from marubatsu.pipeline.laboratory.technique_grid import Setting
from marubatsu.pipeline.laboratory.technique_rows import Counted, columns_of, counted_of
from marubatsu.pipeline.store.data_set import DataSet, TechniquesTable
from marubatsu.pipeline.support.progress import say_waiting


def read(data_set: DataSet, positions: Sequence[Position]) -> dict[str, Counted]:
    """Read what is kept of a game for some positions; settings with others are left out.

    What other code has counted is left out too, and a warning says so. Raises DataError when the
    file is damaged.
    """
    table = data_set.beside(TechniquesTable)
    if not table.has_manifest:
        return {}
    with table.lock(write=False, on_wait=say_waiting):
        counted = read_rows(
            table,
            lambda rows: counted_of(data_set.game, rows.to_pylist(), positions),
            renewed="its searches are counted anew; what this run does not reach is dropped",
        )
    return counted or {}


def write(
    data_set: DataSet,
    settings: Iterable[Setting],
    positions: Sequence[Position],
    counted: Mapping[str, Counted],
) -> None:
    """Keep the searches of settings, and no others. Raises DataError when that fails."""
    table = TechniquesTable(data_set.root, data_set.game)
    columns = columns_of(data_set.game, settings, positions, counted)
    with table.lock(write=True, on_wait=say_waiting):
        replace_rows(table, columns)


def remove(data_set: DataSet) -> int:
    """Remove all rows of a game, and return how many there were; damaged ones count as none."""
    table = TechniquesTable(data_set.root, data_set.game)
    with table.lock(write=True, on_wait=say_waiting):
        return remove_rows(table)
