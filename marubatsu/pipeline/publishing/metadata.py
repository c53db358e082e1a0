"""The documents of a published folder for programs, each by its standard.

``croissant.json``, by Croissant 1.1 of MLCommons: each Parquet file is a FileObject with its
SHA-256, each table a RecordSet with its fields. The files of a solution are also one FileSet, from
which its RecordSet reads. Foreign keys are in ``datapackage.json`` only: readers of Croissant would
join the tables.

``ro-crate-metadata.json``, by RO-Crate 1.2: every file with its hash and what made it. The standard
demands an address of the program. Without one on the web, the document names the package URL.
"""

from collections.abc import Iterable
from typing import Any

from marubatsu.pipeline.publishing.publication import (
    AUTHORS,
    WORDS,
    Publication,
    PublishedFile,
    PublishedGame,
    PublishedTable,
)
from marubatsu.pipeline.tables.manifest import LICENSE, MEDIA_TYPE, document, package, resource
from marubatsu.pipeline.tables.schemas import Column, described, resolve
from marubatsu.pipeline.tables.solved_schemas import SOLUTION
from marubatsu.version import __version__

CROISSANT, CRATE = "croissant.json", "ro-crate-metadata.json"

_OURS = ("column", "dataType", "extract", "field", "fileObject", "fileProperty", "fileSet",
         "arrayShape", "citeAs", "containedIn", "equivalentProperty", "format", "includes",
         "isArray", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet",
         "references", "regex", "repeated", "replace", "samplingRate", "separator", "source",
         "subField", "transform")  # fmt: skip
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "name": {"@container": "@language"},
    "description": {"@container": "@language"},
    "data": {"@id": "cr:data", "@type": "@json"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{word: f"cr:{word}" for word in _OURS},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
}
"""The words of the standard, as it lists them."""

_FORMATS = [MEDIA_TYPE, "application/x-parquet"]
"""The registered type, and the one by which mlcroissant 1.1 knows a reader."""

_TYPES = {"bool": "sc:Boolean", "string": "sc:Text", "float32": "cr:Float32",
          "float64": "cr:Float64", "int8": "cr:Int8", "int16": "cr:Int16", "int32": "cr:Int32",
          "int64": "cr:Int64"}  # fmt: skip


def croissant(published: Publication) -> bytes:
    """Describe a published folder for machine learning."""
    content = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": published.title,
        "description": published.description,
        "license": LICENSE["path"],
        "version": __version__,
        "datePublished": published.date,
        **({"url": published.url} if published.url else {}),
        "citeAs": published.citation,
        "keywords": list(WORDS),
        "creator": {"@type": "sc:Organization", "name": AUTHORS},
        "distribution": [
            *(_file_object(file) for table in published.tables for file in table.files),
            *(_file_set(table) for table in published.tables if table.table is SOLUTION),
        ],
        "recordSet": [_record_set(table) for table in published.tables],
    }
    return document(content)


def _file_object(file: PublishedFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "contentUrl": file.name,
        "contentSize": f"{file.bytes} B",
        "encodingFormat": _FORMATS,
        "sha256": file.sha256,
    }


def _file_set(table: PublishedTable) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": table.pattern,
        "name": table.pattern,
        "encodingFormat": _FORMATS,
        "includes": table.pattern,
    }


def _record_set(table: PublishedTable) -> dict[str, Any]:
    key = [{"@id": f"{table.name}/{name}"} for name in table.table.key]
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": f"One row is {table.table.grain}.",
        **({"key": key} if key else {}),
        "field": [_field(table, column) for column in table.table.columns],
    }


def _field(table: PublishedTable, column: Column) -> dict[str, Any]:
    type_ = resolve(table.game, column.type)
    inner = type_.removeprefix("list<").removesuffix(">")
    kind = "fileSet" if table.table is SOLUTION else "fileObject"
    return {
        "@type": "cr:Field",
        "@id": f"{table.name}/{column.name}",
        "name": column.name,
        "description": described(column),
        "dataType": _TYPES[inner],
        **({"isArray": True, "arrayShape": "-1"} if inner != type_ else {}),
        "source": {kind: {"@id": table.pattern}, "extract": {"column": column.name}},
    }


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
"""What each document contains, by the name of its file."""


def crate(published: Publication, files: Iterable[PublishedFile]) -> bytes:
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
            "@id": CRATE,
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


def dictionary(published: Publication) -> bytes:
    """Describe the tables of all games in ``datapackage.json``, each file of a solution alone."""
    name = "marubatsu-" + "-".join(game.game.name for game in published.games)
    resources = [
        resource(table.game, table.table, file.name, _name(table, file.name), f"{table.game.name}.")
        for table in published.tables
        for file in table.files
    ]
    return package(name, published.title, __version__, resources)


def _name(table: PublishedTable, file: str) -> str:
    """Return the name of a table, or of one of its files: ``2x2k2.solution.ply=02.part-0000``."""
    if len(table.files) == 1:
        return table.name
    return file.removesuffix(".parquet").replace("/", ".")
