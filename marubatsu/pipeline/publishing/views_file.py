"""``views.sql``: our views over the files of a published folder, on a disk or over HTTP.

Two variables of DuckDB choose what the views read: ``root`` (the folder or its address) and
``game``. A view is there when all games of the folder have the tables that it needs, because DuckDB
opens the files of a view when it makes the view. The views of reference figures are left out, as
those figures are not in the folder.
"""

from collections.abc import Iterator

from marubatsu.pipeline.publishing.publication import Publication, PublishedGame
from marubatsu.pipeline.sql.query_files import Query, views
from marubatsu.pipeline.sql.view_script import file_variables, in_sql, set_variable, tables_named
from marubatsu.pipeline.tables.integrity import FileNames, places_of
from marubatsu.pipeline.tables.solved_schemas import SOLUTION

FILE = "views.sql"

_HEADER = """\
-- Views of {names} for DuckDB: in this folder, `duckdb -init views.sql`.
-- From elsewhere, or over HTTP, set the folder or its address before:
--   set variable root = '{root}';
-- Another game of the folder:
--   set variable game = '{last}';

"""


def render(published: Publication) -> bytes:
    """Write the script of a published folder."""
    names = {game.game.name: _file_names(game) for game in published.games}
    common = set.intersection(*map(tables_named, names.values()))
    first, last = next(iter(names)), next(reversed(names))
    values = {
        "root": "coalesce(getvariable('root'), '.')",
        "game": f"coalesce(getvariable('game'), {in_sql(first)})",
        **_chosen(
            {game: file_variables(_only(of, common), _below_root) for game, of in names.items()}
        ),
    }
    root = published.url or f"/path/to/{first}"
    header = _HEADER.format(names=published.names, root=root.replace("'", "''"), last=last)
    settings = "".join(map(set_variable, values, values.values()))
    made = [view.creation for view in _readable() if common.issuperset(view.needs)]
    return (header + "\n".join([settings, *made])).encode()


def _file_names(published: PublishedGame) -> FileNames:
    """Name the files of a game relative to the folder, and say where the rows of each part are."""
    files = {
        table.table.name: [file.name for file in table.files]
        for table in published.tables
        if table.table is not SOLUTION
    }
    solutions = (table for table in published.tables if table.table is SOLUTION)
    folder = f"{published.game.name}/{SOLUTION.name}/"
    rows = {file.name.removeprefix(folder): file.rows for of in solutions for file in of.files}
    parts = {folder + name: place for name, place in places_of(rows).items()}
    return FileNames(files, parts)


def _only(names: FileNames, tables: set[str]) -> FileNames:
    """Leave out the files of other tables."""
    files = {table: of for table, of in names.files.items() if table in tables}
    return FileNames(files, names.parts if SOLUTION.name in tables else {})


def _below_root(name: str) -> str:
    return f"getvariable('root') || {in_sql('/' + name)}"


def _chosen(values: dict[str, dict[str, str]]) -> dict[str, str]:
    """Write each variable as the value of the chosen game."""
    wrong = in_sql(f"expected the variable game to be one of: {', '.join(values)}")
    variables = next(iter(values.values()))
    return {
        variable: "case getvariable('game') "
        + "".join(f"when {in_sql(game)} then {of[variable]} " for game, of in values.items())
        + f"else error({wrong}) end"
        for variable in variables
    }


def _readable() -> Iterator[Query]:
    """Yield our views but those of reference figures, and those that read them."""
    left_out = set[str]()
    for view in views():
        read = view.sources
        if "reference" in read.variables or left_out & read.views:
            left_out.add(view.name)
        else:
            yield view
