"""The short documents of a published folder: license, script, citation and dictionary."""

from collections.abc import Mapping
from json import dumps
from pathlib import Path

from marubatsu.pipeline.publishing.publication import AUTHORS, WORDS, Publication, PublishedTable
from marubatsu.pipeline.store import data_package
from marubatsu.version import __version__

SCRIPT = "load.py"
"""The file that loads every table with DuckDB, pandas, Polars or `datasets`."""


def small_documents(published: Publication) -> Mapping[str, bytes]:
    """Write the short documents, by the names of their files."""
    here = Path(__file__)
    return {
        "LICENSE": here.with_name("CC0-1.0.txt").read_bytes(),
        SCRIPT: here.with_name("load.txt").read_bytes(),
        "CITATION.cff": _citation(published),
        data_package.FILE: _dictionary(published),
    }


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
    """Describe the tables of all games as `pipeline.store.data_package` does.

    A resource of several files would be one stream of bytes, so each file of a solution is one.
    """
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
