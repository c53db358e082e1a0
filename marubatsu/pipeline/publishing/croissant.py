"""``croissant.json``: the tables for machine learning, by Croissant 1.1 of MLCommons.

Each Parquet file is a FileObject with its SHA-256, each table a RecordSet with its fields. The
files of a solution are also one FileSet, from which its RecordSet reads. Foreign keys are in
``datapackage.json`` only: readers of Croissant would join the tables.
"""

from typing import Any

from marubatsu.pipeline.publishing.publication import (
    AUTHORS,
    WORDS,
    Publication,
    PublishedFile,
    PublishedTable,
)
from marubatsu.pipeline.tables.data_package import LICENSE, MEDIA_TYPE, document
from marubatsu.pipeline.tables.schemas import Column, described, resolve
from marubatsu.pipeline.tables.solved_schemas import SOLUTION
from marubatsu.version import __version__

FILE = "croissant.json"

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


def render(published: Publication) -> bytes:
    """Describe a published folder."""
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
            *(_file(file) for table in published.tables for file in table.files),
            *(_file_set(table) for table in published.tables if table.table is SOLUTION),
        ],
        "recordSet": [_record_set(table) for table in published.tables],
    }
    return document(content)


def _file(file: PublishedFile) -> dict[str, Any]:
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
