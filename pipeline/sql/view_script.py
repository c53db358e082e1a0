"""One SQL script that creates the views of a game, for our DuckDB and for any other."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from marubatsu.pipeline.sql.query_files import Query, views
from marubatsu.pipeline.store.data_set import near
from marubatsu.pipeline.store.integrity import FileNames
from marubatsu.pipeline.store.schemas import POSITIONS
from marubatsu.pipeline.store.solved_schemas import SOLUTION
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.resources import REFERENCE


def view_script(names: FileNames, among: Iterable[Query] | None = None) -> str:
    """Write the script for the files of a game: all its views, or only those ``among`` some.

    First it sets variables: ``files`` are the files of each table, ``parts`` those of a solution,
    with the ply of each in ``plies``, and in ``first_keys`` the key of its first row; ``footer`` is
    a file whose footer names the game, ``reference`` a folder. Then it creates every view whose
    tables exist. No part of a name is a pattern or a column. Raises DataError for a file that
    DuckDB cannot name.
    """
    tables = {*names.files, *([SOLUTION.name] if names.parts else [])}
    some = next(iter(names.files.values()), list(names.parts))
    footer = names.files.get(POSITIONS.name, list(names.parts) or some)
    variables = {
        "files": _map({table: _list(map(_pattern, of)) for table, of in names.files.items()}),
        # DuckDB expects of every file the rows of the first one, so that is one of the largest.
        "parts": _list(
            map(_pattern, sorted(names.parts, key=lambda name: -names.parts[name].rows))
        ),
        "plies": _map({name: str(place.ply) for name, place in names.parts.items()}),
        "first_keys": _map({name: str(place.first) for name, place in names.parts.items()}),
        "footer": _text(_pattern(footer[0]) if footer else ""),
        "reference": _text(_pattern(str(REFERENCE))),
    }
    among = views() if among is None else among
    settings = [f"set variable {name} = {value};\n" for name, value in variables.items()]
    made = [view.sql for view in among if tables.issuperset(view.needs)]
    return "\n".join(["".join(settings), *made])


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


def _map(values: Mapping[str, str]) -> str:
    """Write a map from texts to values that are in SQL already."""
    return f"map {{{', '.join(f'{_text(key)}: {value}' for key, value in values.items())}}}"


def _list(values: Iterable[str]) -> str:
    """Write a list of texts in SQL."""
    return f"[{', '.join(map(_text, values))}]"


def _text(value: str) -> str:
    """Quote a text for SQL, with every quote in it doubled. Raises DataError for no UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise DataError(
            f"DuckDB cannot read {value!a}, whose name is not UTF-8: "
            "expected a folder with another name"
        ) from None
    return "'" + value.replace("'", "''") + "'"
