"""One SQL script that creates the views of a game, for our DuckDB and for any other."""

from pathlib import Path

from marubatsu.pipeline.sql.query_files import views
from marubatsu.pipeline.store.data_set import Saved, Solution
from marubatsu.pipeline.store.manifest import FILE as MANIFEST
from marubatsu.pipeline.store.manifest import Manifest
from marubatsu.pipeline.store.schemas import POSITIONS, SOLUTION
from marubatsu.pipeline.support.resources import REFERENCE


def view_script(folder: Path, tables: frozenset[str]) -> str:
    """Write the script for the folder of a game and the tables in it.

    First it sets variables: ``data`` and ``reference`` are folders, ``folders_of_ais`` are those of
    the tables of AIs, ours and saved; ``footer`` is a file whose footer names the game, ``parts``
    are the files of a solution. Then it creates every view whose tables exist. All paths are
    absolute, so the views work from any working directory.
    """
    folder = folder.absolute()
    parts = parts_of_solution(folder) if SOLUTION.name in tables else []
    saved = [folder / Saved.part] if (folder / Saved.part / MANIFEST).exists() else []
    footer = str(folder / POSITIONS.file) if POSITIONS.name in tables else min(parts, default="")
    variables = {
        "data": _text(str(folder)),
        "folders_of_ais": _list([str(folder), *map(str, saved)]),
        "reference": _text(str(REFERENCE)),
        "footer": _text(footer),
        "parts": _list(parts),
    }
    settings = [f"set variable {name} = {value};\n" for name, value in variables.items()]
    made = [view.sql for view in views() if tables.issuperset(view.needs)]
    return "\n".join(["".join(settings), *made])


def parts_of_solution(folder: Path) -> list[str]:
    """Return the files of the solution in the folder of a game, as its manifest lists them."""
    solution = folder / Solution.part
    manifest = Manifest.parse((solution / MANIFEST).read_bytes())
    return [str(solution / file) for file in manifest.files]


def _list(values: list[str]) -> str:
    """Write a list of texts in SQL."""
    return f"[{', '.join(map(_text, values))}]"


def _text(value: str) -> str:
    """Quote a text for SQL, with every quote in it doubled."""
    return "'" + value.replace("'", "''") + "'"
