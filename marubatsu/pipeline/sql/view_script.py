"""The files of a game by the names under which DuckDB opens them, and the script for their views.

The script is for our DuckDB and for any other.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from marubatsu.pipeline.stages.usable import files_of_tables
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.resources import REFERENCE, near
from marubatsu.pipeline.tables.data_set import Solution
from marubatsu.pipeline.tables.manifest import is_part
from marubatsu.pipeline.tables.open_file import Opened, OpenFile
from marubatsu.pipeline.tables.schemas import POSITIONS
from marubatsu.pipeline.tables.solution_parts import ply_of_part
from marubatsu.pipeline.tables.solved_schemas import SOLUTION

_DESCRIPTOR = re.compile(r"/(proc/self|dev)/fd/\d+")


class PartPlace(NamedTuple):
    """Where the rows of a part of a solution are: in a ply, from a row on, so many."""

    ply: int
    first: int
    rows: int


class FileNames(NamedTuple):
    """The files of a game by the names under which DuckDB opens them."""

    files: Mapping[str, list[str]]  # by table; ours first, then those of saved AIs
    parts: Mapping[str, PartPlace]  # the parts of a solution


def file_names(
    opened: Mapping[str, Opened], name_of: Callable[[OpenFile], str] = lambda file: file.name
) -> FileNames:
    """Name the files of the open parts of a game."""
    files = {table: [name_of(file) for file in of] for table, of in files_of_tables(opened).items()}
    return FileNames(files, {name_of(file): place for place, file in parts_of_solution(opened)})


def parts_of_solution(opened: Mapping[str, Opened]) -> Iterator[tuple[PartPlace, OpenFile]]:
    """Yield the parts of a solution, if there is one, each with its place."""
    if Solution.part in opened:
        manifest, files = opened[Solution.part]
        for name, place in places_of({name: manifest.files[name].rows for name in files}).items():
            yield place, files[name]


def places_of(rows: Mapping[str, int]) -> dict[str, PartPlace]:
    """Return the place of each part of a solution, from the rows of its files."""
    places: dict[str, PartPlace] = {}
    first: Counter[int] = Counter()  # row of the next part, by ply
    for name in sorted(filter(is_part, rows)):
        ply = ply_of_part(name)
        places[name] = PartPlace(ply, first[ply], rows[name])
        first[ply] += rows[name]
    return places


def with_paths(
    message: str,
    opened: Mapping[str, Opened],
    name_of: Callable[[OpenFile], str] = lambda file: file.name,
) -> str:
    """Write the paths of files in a message in place of the names of their descriptors."""
    files = (file for part in opened.values() for file in part.files.values())
    paths = {name_of(file): near(file.path) for file in files}
    return _DESCRIPTOR.sub(lambda name: str(paths.get(name[0], name[0])), message)


def view_script(names: FileNames) -> str:
    """Write the script that creates the views of a game: variables, and each view with its tables.

    Raises DataError for a file that DuckDB cannot name.
    """
    from marubatsu.pipeline.sql.query_files import views

    tables = tables_named(names)
    made = (view.creation for view in views() if tables.issuperset(view.needs))
    return "\n".join([variable_script(names), *made])


def variable_script(names: FileNames) -> str:
    """Write the statements that set the variables of the views.

    ``files`` are the files of each table, ``parts`` those of a solution, with the rows of each in
    ``places``; ``footer`` is a file whose footer names the game, ``reference`` a folder. No part of
    a name is a pattern or a column. Raises DataError for a file that DuckDB cannot name.
    """
    values = {
        **file_variables(names, lambda name: in_sql(_pattern(name))),
        "reference": in_sql(_pattern(str(REFERENCE))),
    }
    return "".join(map(set_variable, values, values.values()))


def tables_named(names: FileNames) -> set[str]:
    """Return the names of the tables whose files have names."""
    return {*names.files, *([SOLUTION.name] if names.parts else [])}


def set_variable(name: str, value: str) -> str:
    """Write a statement that sets a variable to a value in SQL."""
    return f"set variable {name} = {value};\n"


def file_variables(names: FileNames, pattern_of: Callable[[str], str]) -> dict[str, str]:
    """Write the variables of the files of a game; a function writes the pattern of a name."""
    some = next(iter(names.files.values()), list(names.parts))
    footer = names.files.get(POSITIONS.name, list(names.parts) or some)
    # DuckDB expects of every file the rows of the first one, so that is one of the largest.
    parts = sorted(names.parts.items(), key=lambda part: -part[1].rows)
    files = (f"{in_sql(t)}: {_list(map(pattern_of, of))}" for t, of in names.files.items())
    return {
        "files": f"map {{{', '.join(files)}}}",
        "parts": _list(pattern_of(name) for name, _ in parts),
        "places": _list(_place(number, place) for number, (_, place) in enumerate(parts)),
        "footer": pattern_of(footer[0]) if footer else in_sql(""),
    }


def _place(number: int, place: PartPlace) -> str:
    """Write the rows of the part that DuckDB counts as this one."""
    return (
        f"{{file_index: {number}, ply: {place.ply}, first_key: {place.first}, rows: {place.rows}}}"
    )


def _pattern(name: str) -> str:
    """Write the absolute name of a file as the pattern that fits no other.

    Raises DataError when DuckDB has no such pattern.
    """
    pattern = re.sub(r"[*?[]", r"[\g<0>]", name)
    if "\\" in name and pattern != name:
        raise DataError(
            f"DuckDB cannot read {near(Path(name))}, whose name has a backslash and one of *?[: "
            "expected a folder with another name"
        )
    return pattern


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"


def in_sql(value: str) -> str:
    """Quote a text for SQL, with every quote in it doubled. Raises DataError for no UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise DataError(
            f"DuckDB cannot read {value!a}, whose name is not UTF-8: "
            "expected a folder with another name"
        ) from None
    return "'" + value.replace("'", "''") + "'"
