"""One SQL script that creates the views of a game, for our DuckDB and for any other."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.resources import REFERENCE, near
from marubatsu.pipeline.tables.integrity import FileNames, PartPlace
from marubatsu.pipeline.tables.schemas import POSITIONS
from marubatsu.pipeline.tables.solved_schemas import SOLUTION


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
