"""``README.md``: the card of a published folder, as data hubs read and show it.

Its front matter is YAML by the rules of Hugging Face: each table is a configuration.
"""

from collections.abc import Iterator
from json import dumps
from textwrap import fill

from marubatsu.pipeline.checking.checksums import FILE as CHECKSUMS
from marubatsu.pipeline.publishing.ducklake import FILE as CATALOGUE
from marubatsu.pipeline.publishing.publication import WORDS, Publication, PublishedTable
from marubatsu.pipeline.publishing.small_documents import SCRIPT
from marubatsu.pipeline.publishing.views_file import FILE as VIEWS
from marubatsu.pipeline.store.data_package import LICENSE
from marubatsu.pipeline.tables.schemas import described, resolve
from marubatsu.version import __version__

FILE = "README.md"

_SIZES = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")
"""The bounds of the classes of size, each ten times the one before."""


def render(published: Publication) -> bytes:
    """Write the card of a published folder."""
    return "".join(f"{line}\n" for line in _lines(published)).encode()


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


def _lines(published: Publication) -> Iterator[str]:
    yield from _front_matter(published)
    yield ""
    yield f"# {published.title}"
    yield ""
    yield fill(published.description, 100)
    yield ""
    yield from _tables(published)
    yield ""
    yield from _use(published)
    yield ""
    yield from _provenance(published)
    yield ""
    yield from _columns(published)


def _front_matter(published: Publication) -> Iterator[str]:
    yield "---"
    yield f"license: {LICENSE['name'].lower()}"
    yield f"pretty_name: {dumps(published.title)}"
    yield "tags:"
    for word in WORDS:
        yield f"- {dumps(word)}"
    yield "size_categories:"
    yield f"- {size_category(sum(table.rows for table in published.tables))}"
    yield "configs:"
    for number, table in enumerate(published.tables):
        yield f"- config_name: {dumps(table.name)}"
        yield f"  data_files: {dumps(table.pattern)}"
        if number == 0:
            yield "  default: true"
    yield "---"


def _tables(published: Publication) -> Iterator[str]:
    yield "| table | rows | bytes | files | one row is |"
    yield "|---|---:|---:|---|---|"
    for table in published.tables:
        text = f"{table.rows:,} | {table.bytes:,} | `{table.pattern}` | {table.table.grain}"
        yield f"| `{table.name}` | {text} |"


def _use(published: Publication) -> Iterator[str]:
    first = published.tables[0]
    yield "## Use it"
    yield ""
    yield f"`{SCRIPT}` loads every table with DuckDB, pandas, Polars or `datasets`. One table:"
    yield ""
    yield "```python"
    yield f'duckdb.read_parquet("{first.pattern}")'
    yield f'pandas.read_parquet("{first.pattern}")'
    yield f'polars.read_parquet("{first.pattern}")'
    yield f'datasets.load_dataset(".", "{first.name}", split="train")'
    yield "```"
    yield ""
    yield f"`{VIEWS}` makes the views of marubatsu in a DuckDB of your own. In this folder, run"
    yield f"`duckdb -init {VIEWS}`. From elsewhere, or over HTTP, set the folder or its address:"
    yield ""
    yield "```sql"
    yield f"set variable root = '{published.url or 'https://host/folder'}';"
    yield f".read {VIEWS}"
    yield "```"
    yield ""
    yield f"`{CATALOGUE}` has every table for DuckDB with its extension `ducklake`. In this folder:"
    yield ""
    yield "```sql"
    yield f"attach 'ducklake:{CATALOGUE}' as lake (read_only);"
    yield f'from lake."{first.game.name}".{first.table.name};'
    yield "```"
    yield ""
    yield "marubatsu itself works on this folder: `marubatsu show --data .`"


def _provenance(published: Publication) -> Iterator[str]:
    yield "## How it was made"
    yield ""
    yield f"marubatsu {__version__} made this folder. The same commands make the same bytes again:"
    yield ""
    yield "```sh"
    for game in published.games:
        yield from game.made_by
    names = " ".join(game.game.name for game in published.games)
    yield f"marubatsu publish {names} --out FOLDER"
    yield "```"
    yield ""
    yield "## Verify it"
    yield ""
    yield "```sh"
    yield f"sha256sum -c {CHECKSUMS}      # the bytes of every file"
    yield "marubatsu verify --data .     # the same, and the rows by their published hashes"
    for game in published.games:
        yield f"marubatsu check {game.game.name} --data .   # every row, derived again in SQL"
    yield "```"
    yield ""
    yield "## Cite it"
    yield ""
    yield "```bibtex"
    yield published.citation
    yield "```"
    yield ""
    text = f"The data is in the public domain ({LICENSE['title']}, {LICENSE['path']})."
    yield f"{text} Use it without asking; a citation is welcome."


def _columns(published: Publication) -> Iterator[str]:
    yield "## Columns"
    yield ""
    yield "Scores are from circle's view. A cell is x + columns * y, row by row, 0 at the top left."
    of_name: dict[str, list[PublishedTable]] = {}
    for table in published.tables:
        of_name.setdefault(table.table.name, []).append(table)
    for name, tables in of_name.items():
        declared = tables[0].table
        yield ""
        yield f"### {name}"
        yield ""
        ordered = f" Sorted by {', '.join(declared.key)}." if declared.key else ""
        yield f"One row is {declared.grain}.{ordered}"
        yield ""
        types = " | ".join(table.game.name if len(tables) > 1 else "type" for table in tables)
        yield f"| column | {types} | meaning |"
        yield "|---|" + "---|" * len(tables) + "---|"
        for column in declared.columns:
            types = " | ".join(resolve(table.game, column.type) for table in tables)
            yield f"| `{column.name}` | {types} | {described(column)} |"
