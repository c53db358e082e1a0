"""The rows of table ``techniques``: the nodes that searches visit, counted and as columns.

A fingerprint covers this module and what it uses of the engine: see `pipeline.stages.staleness`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from marubatsu.engine.kernels.tally import BitSearcher, NodeTypes, SearchTally
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.pipeline.laboratory.technique_grid import Setting
from marubatsu.pipeline.tables.columns import ColumnData, Columns, Labels, Nullable
from marubatsu.pipeline.tables.solved_schemas import TYPES


class Counted(NamedTuple):
    """The searches of one setting: of all positions, with the same limit."""

    limit: int
    tallies: tuple[SearchTally, ...]

    @property
    def is_finished(self) -> bool:
        """Whether no search was stopped at the limit."""
        return all(tally.score is not None for tally in self.tallies)


def count_nodes(searcher: BitSearcher, positions: Sequence[Position], limit: int) -> Counted:
    """Search some positions, each with the same limit."""
    return Counted(limit, tuple(searcher.count(position, limit) for position in positions))


def counted_of(
    game: Game, rows: Iterable[Mapping[str, Any]], positions: Sequence[Position]
) -> dict[str, Counted]:
    """Return the searches of some positions by the name of their setting.

    Settings whose rows show other positions are left out.
    """
    boards = [to_text(game, position) for position in positions]
    of: dict[str, dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        of.setdefault(row["setting"], {})[row["board"]] = row
    return {
        name: Counted(rows_of[boards[0]]["node_limit"], tuple(_tally(rows_of[b]) for b in boards))
        for name, rows_of in of.items()
        if rows_of.keys() == set(boards)
    }


def _tally(row: Mapping[str, Any]) -> SearchTally:
    types = None if row["leaves"] is None else NodeTypes(*(row[name] for name in TYPES))
    return SearchTally(row["score"], row["nodes"], types)


def columns_of(
    game: Game,
    settings: Iterable[Setting],
    positions: Sequence[Position],
    counted: Mapping[str, Counted],
) -> Columns:
    """Return the rows of those settings that were counted, sorted by name here."""
    counted_settings = sorted(
        (setting for setting in settings if setting.name in counted), key=lambda each: each.name
    )
    of = np.repeat(np.arange(len(counted_settings)), len(positions))
    at = np.tile(np.arange(len(positions)), len(counted_settings))
    options = [setting.options for setting in counted_settings]
    tallies = [tally for setting in counted_settings for tally in counted[setting.name].tallies]
    boards = [to_text(game, position) for position in positions]
    orderings = tuple(each.ordering.name if each.ordering else None for each in options)

    def nullable(values: Sequence[int | None]) -> Nullable:
        array = np.array([0 if value is None else value for value in values], np.int64)
        return Nullable(array, np.array([value is None for value in values], np.bool_))

    def each(values: Sequence[int | None]) -> Nullable:
        array = nullable(values)
        return Nullable(array.values[of], array.is_null[of])

    def flags(name: str) -> ColumnData:
        return np.array([getattr(option, name) for option in options], np.bool_)[of]

    types = {
        name: nullable([None if tally.types is None else tally.types[i] for tally in tallies])
        for i, name in enumerate(TYPES)
    }
    return {
        "setting": Labels(of, tuple(setting.name for setting in counted_settings)),
        "algorithm": Labels(of, tuple(str(each.algorithm) for each in options)),
        "ordering": Labels(of, orderings),
        "order_all": flags("order_all"),
        "init_window": flags("init_window"),
        "use_table": flags("use_table"),
        "seed": each([option.seed for option in options]),
        "techniques": Labels(of, tuple(option.written_techniques for option in options)),
        "step": each([setting.step for setting in counted_settings]),
        "board": Labels(np.argsort(np.argsort(boards))[at], tuple(sorted(boards))),
        "ply": np.array([position.ply for position in positions], np.int8)[at],
        "score": nullable([tally.score for tally in tallies]),
        "nodes": np.array([tally.nodes for tally in tallies], np.int64),
        **types,
        "node_limit": np.array(
            [counted[setting.name].limit for setting in counted_settings], np.int64
        )[of],
    }
