"""The nodes that search techniques visited, kept in the table ``techniques``."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.position import Position
from marubatsu.engine.techniques.tally import NodeTypes, SearchTally
from marubatsu.pipeline.kept.kept_table import read_rows, remove_rows, replace_rows
from marubatsu.pipeline.kept.technique_grid import Setting
from marubatsu.pipeline.store.columns import ColumnData, Columns, Labels, Nullable
from marubatsu.pipeline.store.data_set import Compared, DataSet
from marubatsu.pipeline.store.solved_schemas import TECHNIQUES, TYPES
from marubatsu.pipeline.support.progress import say_waiting


class Counted(NamedTuple):
    """The searches of one setting: of all positions, with the same limit."""

    limit: int
    tallies: tuple[SearchTally, ...]

    @property
    def is_finished(self) -> bool:
        """Whether no search was stopped at the limit."""
        return all(tally.score is not None for tally in self.tallies)


Kept = Mapping[str, Counted]
"""What is kept of a game, by the name of the setting."""


def read(data_set: DataSet, positions: Sequence[Position]) -> dict[str, Counted]:
    """Read what is kept of a game for some positions; settings with others are left out.

    Raises DataError when it is damaged or of another version.
    """
    compared = data_set.beside(Compared)
    if not compared.has_manifest:
        return {}
    with compared.lock(write=False, on_wait=say_waiting):
        rows = read_rows(compared)
    boards = [to_text(data_set.game, position) for position in positions]
    of: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows.to_pylist() if rows is not None else ():
        of.setdefault(row["setting"], {})[row["board"]] = row
    return {
        name: Counted(found[boards[0]]["node_limit"], tuple(_tally(found[b]) for b in boards))
        for name, found in of.items()
        if found.keys() == set(boards)
    }


def write(
    data_set: DataSet, settings: Iterable[Setting], positions: Sequence[Position], kept: Kept
) -> None:
    """Keep the searches of settings, and no others. Raises DataError when that fails."""
    compared = Compared(data_set.root, data_set.game)
    chosen = sorted(
        (setting for setting in settings if setting.name in kept), key=lambda each: each.name
    )
    with compared.lock(write=True, on_wait=say_waiting):
        replace_rows(compared, TECHNIQUES, _columns(data_set, chosen, positions, kept))


def remove(data_set: DataSet) -> int:
    """Remove all rows of a game, and return how many there were; damaged ones count as none."""
    compared = Compared(data_set.root, data_set.game)
    with compared.lock(write=True, on_wait=say_waiting):
        return remove_rows(compared)


def _tally(row: Mapping[str, Any]) -> SearchTally:
    types = None if row["leaves"] is None else NodeTypes(*(row[name] for name in TYPES))
    return SearchTally(row["score"], row["nodes"], types)


def _columns(
    data_set: DataSet, chosen: Sequence[Setting], positions: Sequence[Position], kept: Kept
) -> Columns:
    of = np.repeat(np.arange(len(chosen)), len(positions))
    at = np.tile(np.arange(len(positions)), len(chosen))
    options = [setting.options for setting in chosen]
    tallies = [tally for setting in chosen for tally in kept[setting.name].tallies]
    boards = [to_text(data_set.game, position) for position in positions]
    orderings = tuple(each.ordering.name if each.ordering else None for each in options)

    def nullable(values: Sequence[int | None]) -> Nullable:
        array = np.array([0 if value is None else value for value in values], np.int64)
        return Nullable(array, np.array([value is None for value in values], np.bool_))

    def each(values: Sequence[int | None]) -> Nullable:
        found = nullable(values)
        return Nullable(found.values[of], found.is_null[of])

    def flags(name: str) -> ColumnData:
        return np.array([getattr(option, name) for option in options], np.bool_)[of]

    types = {
        name: nullable([None if tally.types is None else tally.types[i] for tally in tallies])
        for i, name in enumerate(TYPES)
    }
    return {
        "setting": Labels(of, tuple(setting.name for setting in chosen)),
        "algorithm": Labels(of, tuple(str(each.algorithm) for each in options)),
        "ordering": Labels(of, orderings),
        "order_all": flags("order_all"),
        "init_window": flags("init_window"),
        "use_table": flags("use_table"),
        "seed": each([option.seed for option in options]),
        "techniques": Labels(of, tuple(option.written_techniques for option in options)),
        "step": each([setting.step for setting in chosen]),
        "board": Labels(np.argsort(np.argsort(boards))[at], tuple(sorted(boards))),
        "ply": np.array([position.ply for position in positions], np.int8)[at],
        "score": nullable([tally.score for tally in tallies]),
        "nodes": np.array([tally.nodes for tally in tallies], np.int64),
        **types,
        "node_limit": np.array([kept[setting.name].limit for setting in chosen], np.int64)[of],
    }
