"""The data that a program needs: built at once if that is quick, else why it is missing."""

from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from marubatsu.engine.rules.game import Game, game_of
from marubatsu.engine.rules.input_error import is_one_of
from marubatsu.pipeline.support.errors import DataError, OptionError
from marubatsu.pipeline.tables.data_set import PARTS, DataSet, Solution, checked_root

if TYPE_CHECKING:
    from marubatsu.pipeline.stages.stage import Stage
    from marubatsu.pipeline.tables.schemas import Table

QUICK = 200_000
"""Positions whose tables are built in less than two seconds; 4x3k3 with 111,973 takes 0.7."""


def data_set_of(game: Game | str, data: str | Path | None) -> DataSet:
    """Return a game's tables, built or not.

    Raises GameError for a name of no game, UsageError when the data is no folder of data sets.
    """
    if is_one_of(data, [""]) or not isinstance(data, str | Path | None):
        raise OptionError("data", data, "expected the name of a folder")
    return DataSet(checked_root(None if data is None else Path(data)), game_of(game))


def is_quick(game: Game) -> bool:
    """Return whether the tables of a game are built in less than two seconds."""
    from marubatsu.engine.rules.size import is_large

    return not is_large(game, QUICK)


def built_if_quick(game: Game | str, data: str | Path | None) -> DataSet:
    """Return a game's tables; build them first if they are missing and take under two seconds.

    Raises as `data_set_of` does, and DataError when they cannot be built.
    """
    data_set = data_set_of(game, data)
    is_there = data_set.has_manifest or data_set.sibling(Solution).is_solved
    if not is_there and is_quick(data_set.game):
        from marubatsu.pipeline.stages.stage import TREE_STAGES

        build_stages(data_set, TREE_STAGES)
    return data_set


def with_splits_if_quick(game: Game | str, data: str | Path | None) -> DataSet:
    """Return a game's tables; build what the splits lack first if all take under two seconds.

    A solution alone does not do. Raises as `built_if_quick` does.
    """
    from marubatsu.pipeline.tables.schemas import SPLITS

    data_set = data_set_of(game, data)
    if is_quick(data_set.game):
        _build_missing(data_set, SPLITS)
    return data_set


def with_ais_if_quick(game: Game | str, data: str | Path | None) -> DataSet:
    """Return a game's tables as `built_if_quick` does, with the AIs and their moves if it has them.

    Those take a few seconds more. A solution without tables stays alone.
    """
    from marubatsu.pipeline.tables.schemas import AI_MOVES, AIS

    data_set = built_if_quick(game, data)
    if is_quick(data_set.game) and data_set.has_manifest:
        _build_missing(data_set, AIS, AI_MOVES)
    return data_set


def _build_missing(data_set: DataSet, *tables: "Table") -> None:
    """Build the tables of the tree and some more, if one of these lacks and the game has it."""
    from marubatsu.pipeline.stages.stage import STAGES, TREE_STAGES, stages_of

    manifest = data_set.manifest()
    files = {} if manifest is None else manifest.files
    further = stages_of(data_set.game, [stage for stage in STAGES if stage.table in tables])
    if any(stage.table.file not in files for stage in further):
        build_stages(data_set, (*TREE_STAGES, *further))


def build_stages(data_set: DataSet, stages: "Sequence[Stage]") -> None:
    """Build the tables of some stages that a game has. Raises TooLargeError and DataError."""
    from marubatsu.pipeline.stages.build import build
    from marubatsu.pipeline.stages.stage import stages_of

    build(data_set, stages_of(data_set.game, stages))


def require_tables(data_set: DataSet, there: Container[str], reader: str, *tables: str) -> None:
    """Raise DataError, with the remedy, when tables that a reader needs are not ``there``."""
    if lacks := lacking(data_set, there, tables):
        raise DataError(f"{reader} needs {lacks}")


def lacking(data_set: DataSet, there: Container[str], tables: Iterable[str]) -> str:
    """Name the tables that are not ``there``, why, and what to do; "" where all are."""
    missing = [table for table in tables if table not in there]
    return f"{' and '.join(missing)}: {why_missing(data_set, missing)}" if missing else ""


def why_missing(data_set: DataSet, tables: list[str]) -> str:
    """Say why tables are missing, and what to do."""
    from marubatsu.engine.rules.size import is_large
    from marubatsu.pipeline.stages.stage import stages_of

    parts = {part.part: data_set.sibling(part) for part in PARTS}
    built = [table for table in tables if table not in parts]
    if not built:
        return ", and ".join(str(parts[table].cure("make")) for table in tables)
    made = {stage.table.name for stage in stages_of(data_set.game)}
    if is_large(data_set.game) or not made.issuperset(built):
        return f"{data_set.game.name} is too large for that"
    return str(data_set.cure("make"))
