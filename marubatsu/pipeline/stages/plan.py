"""Why a table is made again, and the plan of a build.

`build` asks the same functions as `plan`, so a plan says what a build then does. Only one thing a
plan cannot know: whether an input that is made again comes out with the same rows.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from marubatsu.engine.rules.bounds import MAX_POSITIONS
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.stages.stage import Stage
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.manifest import Entry, Manifest
from marubatsu.pipeline.store.regular_file import file_sha256
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.schemas import Table, resolve
from marubatsu.version import __version__

Action: TypeAlias = Literal["keep", "make", "make if changed"]
"""What a build does with a table; the last: make it if an input that is made comes out changed."""

COLUMNS = ("table", "action", "why", "rows", "seconds")
"""The fields of `Planned.row`."""


@dataclass(frozen=True)
class Planned:
    """What a build does with one table, and why."""

    table: str
    action: Action
    why: str  # what changed since the file was written; "" for a table that is kept
    rows: int | None  # of the file that is there, else an estimate, None where there is none
    seconds: float  # that it takes to make, as slow as this machine is now

    def row(self) -> tuple[str, str, str, int | None, float]:
        """Return the plan of the table as one row; see COLUMNS."""
        seconds = 0.0 if self.action == "keep" else round(self.seconds, 2)
        return (self.table, self.action, self.why, self.rows, seconds)


def plan(
    data_set: DataSet, stages: Sequence[Stage], slowness: Callable[[], float] = lambda: 1.0
) -> list[Planned]:
    """Say what a build of some stages would do; change nothing.

    ``slowness`` measures this machine at this moment, as `pipeline.stages.pace` does; it is called
    only if something is to be made.

    Raises DataError when the folder cannot be read, TooLargeError for a game that is surely out of
    reach; a build may find that only while it counts.
    """
    from marubatsu.engine.tree.positions import require_few

    old = manifest_or_blank(data_set)
    positions = require_few(data_set.game)
    planned: dict[str, Planned] = {}
    for stage in stages:
        table = stage.table
        entry = old.files.get(table.file)
        action: Action = "make"
        why = changes(data_set, stage, old)
        if not why:
            unknown = [t.name for t in stage.inputs if planned[t.name].action != "keep"]
            contents = {
                t.name: old.files[t.file].content for t in stage.inputs if t.name not in unknown
            }
            why, action = changed_inputs(stage, old, contents), "make"
            if not why:
                action = "make if changed" if unknown else "keep"
                why = f"follows {' and '.join(unknown)}" if unknown else ""
        planned[table.name] = Planned(
            table.name, action, why,
            entry.rows if entry else _expected_rows(table, data_set.game),
            stage.seconds(min(positions, MAX_POSITIONS)),
        )  # fmt: skip
    if all(each.action == "keep" for each in planned.values()):
        return list(planned.values())
    slow = slowness()
    return [replace(each, seconds=each.seconds * slow) for each in planned.values()]


def manifest_or_blank(data_set: DataSet) -> Manifest:
    """Read the manifest; return an empty one when it is missing or damaged."""
    try:
        manifest = data_set.manifest()
    except DataError:
        manifest = None
    return manifest or Manifest(data_set.game.notation, __version__, {})


def changes(data_set: DataSet, stage: Stage, old: Manifest) -> str:
    """Say what is no longer as it was when the file of a stage was written, its inputs left out.

    That is the file itself, the columns of its table, or its code; "" when nothing is.
    """
    entry = old.files.get(stage.table.file)
    if entry is None:
        return "there is no such file yet"
    if problem := _problem(data_set.path(stage.table.file), entry):
        return problem
    if entry.schema != stage.table.version(data_set.game):
        return ", ".join(_changed_columns(data_set, stage.table)) or "its table is declared anew"
    if entry.made_by != stage.made_by:
        return _changed_code(old.code.get(entry.made_by), stage.code)
    return ""


def _problem(path: Path, entry: Entry) -> str:
    """Say how a file is not the one that the manifest describes; "" when it is."""
    try:
        intact = file_sha256(path) == (entry.bytes, entry.sha256)
    except FileNotFoundError:
        return "its file is missing"
    except OSError as error:
        return f"its file cannot be read: {error.strerror}"
    return "" if intact else "its file is damaged"


def changed_inputs(stage: Stage, old: Manifest, contents: Mapping[str, str]) -> str:
    """Say which of these inputs have other rows than those that a stage used; "" when none has."""
    used = old.files[stage.table.file].inputs
    others = [name for name, content in contents.items() if used.get(name) != content]
    return f"{' and '.join(others)} changed" if others else ""


def _changed_columns(data_set: DataSet, table: Table) -> Iterator[str]:
    """Say which columns of a file are not those that its table declares."""
    import pyarrow.parquet as pq

    schema = pq.read_schema(data_set.path(table.file))
    there = {field.name: str(field.type) for field in schema}
    declared = {column.name: resolve(data_set.game, column.type) for column in table.columns}
    for name, type_ in declared.items():
        if name not in there:
            yield f"column {name} is new"
        elif _plain(there[name]) != _plain(type_):
            yield f"column {name} is {_plain(type_)}, was {_plain(there[name])}"
    for name in there:
        if name not in declared:
            yield f"column {name} is gone"


def _plain(type_: str) -> str:
    """Return the name of a type as tables declare it: Arrow names floats and lists otherwise."""
    names = {"float": "float32", "double": "float64"}
    return "list<int8>" if type_.startswith("list") else names.get(type_, type_)


def _changed_code(old: Mapping[str, str] | None, new: Mapping[str, str]) -> str:
    """Say which modules changed."""
    if old is None:
        return "other code made it"
    words = {name: "changed" for name in new.keys() & old.keys() if new[name] != old[name]}
    words |= dict.fromkeys(new.keys() - old.keys(), "is new")
    words |= dict.fromkeys(old.keys() - new.keys(), "is gone")
    return ", ".join(f"{name} {word}" for name, word in sorted(words.items()))


def _expected_rows(table: Table, game: Game) -> int | None:
    """Estimate the rows of a table that is not built yet; None where nothing is known."""
    from marubatsu.engine.rules.size import estimate_nodes, estimate_positions
    from marubatsu.engine.rules.symmetry import symmetries

    estimates: dict[str, Callable[[], float]] = {
        "positions": lambda: estimate_positions(game),
        "classes": lambda: estimate_positions(game) / len(symmetries(game)),
        "tree_bfs": lambda: estimate_nodes(game),
        "tree_dfs": lambda: estimate_nodes(game),
    }
    return round(estimates[table.name]()) if table.name in estimates else None
