"""The documents of a published folder, for people and programs."""

from collections.abc import Iterator
from json import dumps
from pathlib import Path
from string import Template
from textwrap import fill

from marubatsu.pipeline.checking.verify import SUMS
from marubatsu.pipeline.publishing import ducklake
from marubatsu.pipeline.publishing.metadata import CROISSANT, croissant, dictionary
from marubatsu.pipeline.publishing.publication import (
    AUTHORS,
    WORDS,
    Publication,
    PublishedGame,
    PublishedTable,
)
from marubatsu.pipeline.sql.query_files import Query, views
from marubatsu.pipeline.sql.view_script import (
    FileNames,
    file_variables,
    in_sql,
    places_of,
    set_variable,
)
from marubatsu.pipeline.tables.manifest import DICTIONARY, LICENSE
from marubatsu.pipeline.tables.schemas import described, resolve
from marubatsu.pipeline.tables.solved_schemas import SOLUTION
from marubatsu.version import __version__

_CARD, _SCRIPT, _VIEWS = "README.md", "load.py", "views.sql"

_SIZES = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")
"""The bounds of the classes of size, each ten times the one before."""


def documents_of(published: Publication, folder: Path) -> dict[str, bytes]:
    """Write the documents that need no hash of another document, by the names of their files.

    ``folder`` has the data.
    """
    return {
        _CARD: _card(published),
        CROISSANT: croissant(published),
        _VIEWS: _views_sql(published),
        "LICENSE": _document("CC0-1.0.txt"),
        _SCRIPT: _document("load.txt"),
        "CITATION.cff": _citation(published),
        DICTIONARY: dictionary(published),
        ducklake.FILE: ducklake.render(published, folder),
    }


def _card(published: Publication) -> bytes:
    """Write the card of the folder, as data hubs show it.

    Its front matter is YAML by the rules of Hugging Face: each table is a configuration.
    """
    first, games = published.tables[0], [game.game.name for game in published.games]
    card = Template(_document("card.txt").decode())
    text = card.substitute(
        front_matter=_front_matter(published),
        title=published.title,
        description=fill(published.description, 100),
        tables=_tables(published),
        script=_SCRIPT,
        pattern=first.pattern,
        first=first.name,
        views=_VIEWS,
        root=published.url or "https://host/folder",
        catalogue=ducklake.FILE,
        game=first.game.name,
        table=first.table.name,
        version=__version__,
        made="\n".join(command for game in published.games for command in game.made_by),
        games=" ".join(games),
        checksums=SUMS,
        checks="\n".join(
            f"marubatsu check {name} --data .   # every row, derived again in SQL" for name in games
        ),
        citation=published.citation,
        license=f"{LICENSE['title']}, {LICENSE['path']}",
        columns=_columns(published).rstrip(),
    )
    return text.encode()


def size_category(rows: int) -> str:
    """Return the class of size of a number of rows.

    >>> size_category(999), size_category(1_000), size_category(2_831_460)
    ('n<1K', '1K<n<10K', '1M<n<10M')
    """
    above = len(str(rows)) - 3
    if above < 1:
        return f"n<{_SIZES[0]}"
    if above >= len(_SIZES):
        return f"n>{_SIZES[-1]}"
    return f"{_SIZES[above - 1]}<n<{_SIZES[above]}"


def _front_matter(published: Publication) -> str:
    lines = [
        f"license: {LICENSE['name'].lower()}",
        f"pretty_name: {dumps(published.title)}",
        "tags:",
        *(f"- {dumps(word)}" for word in WORDS),
        "size_categories:",
        f"- {size_category(sum(table.rows for table in published.tables))}",
        "configs:",
    ]
    for number, table in enumerate(published.tables):
        lines += [f"- config_name: {dumps(table.name)}", f"  data_files: {dumps(table.pattern)}"]
        lines += ["  default: true"] * (number == 0)
    return "\n".join(lines)


def _tables(published: Publication) -> str:
    rows = (
        f"| `{table.name}` | {table.rows:,} | {table.bytes:,} | `{table.pattern}` | "
        f"{table.table.grain} |"
        for table in published.tables
    )
    head = ["| table | rows | bytes | files | one row is |", "|---|---:|---:|---|---|"]
    return "\n".join([*head, *rows])


def _columns(published: Publication) -> str:
    of_name: dict[str, list[PublishedTable]] = {}
    for table in published.tables:
        of_name.setdefault(table.table.name, []).append(table)
    text = ""
    for name, tables in of_name.items():
        declared = tables[0].table
        ordered = f" Sorted by {', '.join(declared.key)}." if declared.key else ""
        games = " | ".join(table.game.name if len(tables) > 1 else "type" for table in tables)
        text += f"\n### {name}\n\nOne row is {declared.grain}.{ordered}\n\n"
        text += f"| column | {games} | meaning |\n|---|{'---|' * len(tables)}---|\n"
        for column in declared.columns:
            types = " | ".join(resolve(table.game, column.type) for table in tables)
            text += f"| `{column.name}` | {types} | {described(column)} |\n"
    return text


def _document(name: str) -> bytes:
    return Path(__file__).with_name(name).read_bytes()


def _citation(published: Publication) -> bytes:
    """Write the citation, in the Citation File Format 1.2. A text of JSON is one of YAML."""
    lines = [
        "cff-version: 1.2.0",
        'message: "If you use this data, please cite it as below."',
        "type: dataset",
        f"title: {dumps(published.title)}",
        f"abstract: {dumps(published.description)}",
        f"version: {__version__}",
        f"date-released: {published.date}",
        f"license: {LICENSE['name']}",
        *([f"url: {dumps(published.url)}"] if published.url else []),
        "authors:",
        f"  - name: {dumps(AUTHORS)}",
        "keywords:",
        *(f"  - {dumps(word)}" for word in WORDS),
    ]
    return "".join(f"{line}\n" for line in lines).encode()


_HEADER = """\
-- Views of {names} for DuckDB: in this folder, `duckdb -init views.sql`.
-- From elsewhere, or over HTTP, set the folder or its address before:
--   set variable root = '{root}';
-- Another game of the folder:
--   set variable game = '{last}';

"""


def _views_sql(published: Publication) -> bytes:
    """Write our views over the files of the folder, on a disk or over HTTP.

    Two variables of DuckDB choose what the views read: ``root`` (the folder or its address) and
    ``game``. A view is there when all games of the folder have the tables that it needs, because
    DuckDB opens the files of a view when it makes the view. The views of reference figures are left
    out, as those figures are not in the folder.
    """
    common = set.intersection(*({t.table.name for t in game.tables} for game in published.games))
    names = {game.game.name: _file_names(game, common) for game in published.games}
    first, last = next(iter(names)), next(reversed(names))
    values = {
        "root": "coalesce(getvariable('root'), '.')",
        "game": f"coalesce(getvariable('game'), {in_sql(first)})",
        **_chosen({game: file_variables(of, _below_root) for game, of in names.items()}),
    }
    root = published.url or f"/path/to/{first}"
    header = _HEADER.format(names=published.names, root=root.replace("'", "''"), last=last)
    settings = "".join(map(set_variable, values, values.values()))
    made = [view.creation for view in _readable() if common.issuperset(view.needs)]
    return (header + "\n".join([settings, *made])).encode()


def _file_names(published: PublishedGame, tables: set[str]) -> FileNames:
    """Name the files of some tables relative to the folder, and say where each part's rows are."""
    of = {each.table: each.files for each in published.tables if each.table.name in tables}
    solution, folder = of.pop(SOLUTION, ()), f"{published.game.name}/{SOLUTION.name}/"
    places = places_of({file.name.removeprefix(folder): file.rows for file in solution})
    return FileNames(
        {table.name: [file.name for file in files] for table, files in of.items()},
        {folder + name: place for name, place in places.items()},
    )


def _below_root(name: str) -> str:
    return f"getvariable('root') || {in_sql('/' + name)}"


def _chosen(values: dict[str, dict[str, str]]) -> dict[str, str]:
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
