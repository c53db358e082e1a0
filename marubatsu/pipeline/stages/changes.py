"""Why a stage makes its table again: what changed since its file was written."""

from collections.abc import Iterator, Mapping

from marubatsu.pipeline.stages.stage import Stage
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.manifest import Manifest
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.schemas import Table, resolve
from marubatsu.version import __version__


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
    from marubatsu.pipeline.store.integrity import Problem, file_or_problem  # reads layouts

    file = file_or_problem(data_set, old, stage.table.file, is_copied=False)
    if isinstance(file, Problem):
        return f"its file is {file.kind}: {file.reason}"
    if entry.schema != stage.table.version(data_set.game):
        return ", ".join(_changed_columns(data_set, stage.table)) or "its table is declared anew"
    if entry.made_by != stage.made_by:
        return _changed_code(old.code.get(entry.made_by), stage.code)
    return ""


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
    if old is None:
        return "other code made it"
    words = {name: "changed" for name in new.keys() & old.keys() if new[name] != old[name]}
    words |= dict.fromkeys(new.keys() - old.keys(), "is new")
    words |= dict.fromkeys(old.keys() - new.keys(), "is gone")
    return ", ".join(f"{name} {word}" for name, word in sorted(words.items()))
