"""``README.md``: the card of a published folder, as data hubs show it; and the short documents.

The front matter of the card is YAML by the rules of Hugging Face: each table is a configuration.
"""

from collections.abc import Mapping
from json import dumps
from pathlib import Path
from string import Template
from textwrap import fill

from marubatsu.pipeline.checking.verify import SUMS
from marubatsu.pipeline.publishing.ducklake import FILE as CATALOGUE
from marubatsu.pipeline.publishing.publication import AUTHORS, WORDS, Publication, PublishedTable
from marubatsu.pipeline.publishing.views_file import FILE as VIEWS
from marubatsu.pipeline.tables import data_package
from marubatsu.pipeline.tables.data_package import LICENSE
from marubatsu.pipeline.tables.schemas import described, resolve
from marubatsu.version import __version__

FILE = "README.md"

_SIZES = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")
"""The bounds of the classes of size, each ten times the one before."""


def render(published: Publication) -> bytes:
    """Write the card of a published folder."""
    first, games = published.tables[0], [game.game.name for game in published.games]
    card = Template(_document("card.txt").decode())
    text = card.substitute(
        front_matter=_front_matter(published),
        title=published.title,
        description=fill(published.description, 100),
        tables=_tables(published),
        script=SCRIPT,
        pattern=first.pattern,
        first=first.name,
        views=VIEWS,
        root=published.url or "https://host/folder",
        catalogue=CATALOGUE,
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


SCRIPT = "load.py"
"""The file that loads every table with DuckDB, pandas, Polars or `datasets`."""


def small_documents(published: Publication) -> Mapping[str, bytes]:
    """Write the short documents, by the names of their files."""
    return {
        "LICENSE": _document("CC0-1.0.txt"),
        SCRIPT: _document("load.txt"),
        "CITATION.cff": _citation(published),
        data_package.FILE: _dictionary(published),
    }


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
        f"license: {data_package.LICENSE['name']}",
        *([f"url: {dumps(published.url)}"] if published.url else []),
        "authors:",
        f"  - name: {dumps(AUTHORS)}",
        "keywords:",
        *(f"  - {dumps(word)}" for word in WORDS),
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def _dictionary(published: Publication) -> bytes:
    """Describe the tables of all games as `data_package` does, each file of a solution alone."""
    name = "marubatsu-" + "-".join(game.game.name for game in published.games)
    resources = [
        data_package.resource(
            table.game, table.table, file.name, _name(table, file.name), f"{table.game.name}."
        )
        for table in published.tables
        for file in table.files
    ]
    return data_package.package(name, published.title, __version__, resources)


def _name(table: PublishedTable, file: str) -> str:
    """Return the name of a table, or of one of its files: ``2x2k2.solution.ply=02.part-0000``."""
    if len(table.files) == 1:
        return table.name
    return file.removesuffix(".parquet").replace("/", ".")
