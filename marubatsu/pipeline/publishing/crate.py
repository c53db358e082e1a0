"""``ro-crate-metadata.json``: every file with its hash and what made it, by RO-Crate 1.2.

The standard demands an address of the program. Without one on the web, the document
names the package URL.
"""

from collections.abc import Iterable
from typing import Any

from marubatsu.pipeline.publishing.publication import (
    AUTHORS,
    WORDS,
    Publication,
    PublishedFile,
    PublishedGame,
)
from marubatsu.pipeline.tables.data_package import LICENSE, MEDIA_TYPE, document
from marubatsu.version import __version__

FILE = "ro-crate-metadata.json"

_SPECIFICATION = "https://w3id.org/ro/crate/1.2"
_AUTHORS = "#authors"
_OUR_LICENSE = "https://spdx.org/licenses/MIT"
_MEDIA_TYPES = {"cff": "text/yaml", "ducklake": "application/octet-stream",
                "json": "application/json", "md": "text/markdown", "parquet": MEDIA_TYPE,
                "py": "text/x-python", "sql": "application/sql"}  # fmt: skip
_DOCUMENTS = {
    "CITATION.cff": "How to cite the data.",
    "LICENSE": "The license of the data.",
    "catalogue.ducklake": "The tables as a frozen DuckLake: paths, types and statistics.",
    "README.md": "The card: tables, columns, use and origin.",
    "croissant.json": "The files and tables by Croissant, for machine learning.",
    "datapackage.json": "The tables with fields, primary and foreign keys, by Data Package.",
    "load.py": "Loads every table with DuckDB, pandas, Polars or datasets.",
    "manifest.json": "Rows, bytes and hashes of the files, and what they depend on.",
    "views.sql": "The views of marubatsu for DuckDB.",
}
"""What each document tells, by the name of its file."""


def render(published: Publication, files: Iterable[PublishedFile]) -> bytes:
    """Describe a folder that holds these files, besides this one and the list of checksums."""
    files = list(files)
    versions = sorted({__version__, *(v for game in published.games for v in game.versions)})
    made = [_made(game, files) for game in published.games]
    tables = {
        file.name: f"The table {table.name}. One row is {table.table.grain}."
        for table in published.tables
        for file in table.files
    }
    graph = [
        {
            "@id": FILE,
            "@type": "CreativeWork",
            "name": "Metadata of the crate",
            "description": "Every file of this folder with its hash, and what made it.",
            "about": {"@id": "./"},
            "conformsTo": {"@id": _SPECIFICATION},
        },
        {
            "@id": "./",
            "@type": "Dataset",
            "name": published.title,
            "description": published.description,
            "datePublished": published.date,
            "version": __version__,
            "license": {"@id": LICENSE["path"]},
            "author": {"@id": _AUTHORS},
            "publisher": {"@id": _AUTHORS},
            "keywords": ", ".join(WORDS),
            **({"url": published.url} if published.url else {}),
            "hasPart": [{"@id": file.name} for file in files],
            "mentions": _single([{"@id": action["@id"]} for action in made]),
        },
        {
            "@id": LICENSE["path"],
            "@type": "CreativeWork",
            "name": LICENSE["title"],
            "description": "The data is in the public domain.",
            "identifier": LICENSE["name"],
        },
        {
            "@id": _OUR_LICENSE,
            "@type": "CreativeWork",
            "name": "MIT License",
            "description": "The license of marubatsu, the program.",
            "identifier": "MIT",
        },
        {"@id": _AUTHORS, "@type": "Organization", "name": AUTHORS},
        *(_software(version) for version in versions),
        *made,
        *(_file(file, tables) for file in files),
    ]
    content = {"@context": f"{_SPECIFICATION}/context", "@graph": graph}
    return document(content)


def _single(values: list[dict[str, Any]]) -> Any:
    """Return a list, or its only value: the standard wants no list of one."""
    return values[0] if len(values) == 1 else values


def _software(version: str) -> dict[str, Any]:
    return {
        "@id": f"#marubatsu-{version}",
        "@type": "SoftwareApplication",
        "name": "marubatsu",
        "version": version,
        "url": f"pkg:generic/marubatsu@{version}",
        "description": "Solves small games completely, and publishes them as tables.",
        "license": {"@id": _OUR_LICENSE},
    }


def _made(game: PublishedGame, files: list[PublishedFile]) -> dict[str, Any]:
    folder = f"{game.game.name}/"
    return {
        "@id": f"#make-{game.game.name}",
        "@type": "CreateAction",
        "name": f"Solve {game.game.name}",
        "description": " && ".join(game.made_by),
        "instrument": _single([{"@id": f"#marubatsu-{version}"} for version in game.versions]),
        "result": [{"@id": file.name} for file in files if file.name.startswith(folder)],
    }


def _file(file: PublishedFile, tables: dict[str, str]) -> dict[str, Any]:
    ending = file.name.rpartition(".")[2]
    return {
        "@id": file.name,
        "@type": "File",
        "name": file.name,
        "description": tables.get(file.name) or _DOCUMENTS[file.name.rpartition("/")[2]],
        "contentSize": str(file.bytes),
        "encodingFormat": _MEDIA_TYPES.get(ending, "text/plain"),
        "sha256": file.sha256,
    }
