"""The data dictionary of one data set for programs: ``datapackage.json``.

It follows the Data Package standard, version 2 (https://datapackage.org): a resource for each
table, with its fields, its primary key and its foreign keys. Frictionless reads Parquet by way of
pandas, so the package says what pandas makes of a table: nulls among integers are ``nan``, and a
list is an array of NumPy, which the standard's types ``list`` and ``array`` refuse. ``arrowType``
is the exact type of each field. The hashes are in the manifest, because Frictionless 5.21 counts no
bytes of Parquet and would call every resource with ``bytes`` or ``hash`` wrong.
"""

import json
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.manifest import Manifest
from marubatsu.pipeline.tables.schemas import TABLES, Column, Table, described, resolve

FILE = "datapackage.json"

MEDIA_TYPE = "application/vnd.apache.parquet"
LICENSE = {
    "name": "CC0-1.0",
    "path": "https://creativecommons.org/publicdomain/zero/1.0/",
    "title": "CC0 1.0 Universal",
}
"""The license of the data."""

_STANDARD = "https://datapackage.org/profiles/2.0/datapackage.json"


def render(game: Game, manifest: Manifest) -> bytes:
    """Describe the tables of a manifest."""
    return package(
        game.name,
        f"The game {game.name}, solved",
        manifest.version,
        [
            resource(game, table, table.file)
            for table in TABLES.values()
            if table.file in manifest.files
        ],
    )


def package(name: str, title: str, version: str, resources: list[dict[str, Any]]) -> bytes:
    """Write a package of resources."""
    content = {
        "$schema": _STANDARD,
        "name": name,
        "title": title,
        "version": version,
        "licenses": [LICENSE],
        "resources": resources,
    }
    return document(content)


def document(content: dict[str, Any]) -> bytes:
    """Write what describes data as JSON."""
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


def resource(
    game: Game, table: Table, path: str, name: str = "", prefix: str = ""
) -> dict[str, Any]:
    """Describe one file of a table; ``prefix`` precedes the tables that it refers to."""
    schema: dict[str, Any] = {
        "fields": [_field(game, column) for column in table.columns],
        "missingValues": ["", "nan"],
    }
    if all(column.null for column in table.columns):
        # Frictionless refuses a row without any value, so nan is a value here.
        schema["missingValues"] = [""]
        schema["fields"] = [{**field, "type": "any"} for field in schema["fields"]]
    if table.key:
        schema["primaryKey"] = list(table.key)
    if keys := [_foreign_key(column, prefix) for column in table.columns if column.refers]:
        schema["foreignKeys"] = keys
    return {
        "name": name or prefix + table.name,
        "path": path,
        "format": "parquet",
        "mediatype": MEDIA_TYPE,
        "description": f"One row is {table.grain}.",
        "schema": schema,
    }


def _field(game: Game, column: Column) -> dict[str, Any]:
    type_ = resolve(game, column.type)
    required = {"constraints": {"required": True}} if not column.null else {}
    return {
        "name": column.name,
        "type": _kind(type_),
        "arrowType": type_,
        "description": described(column),
        **required,
    }


def _kind(type_: str) -> str:
    """Return the standard's word for a type of Arrow."""
    kinds = {"int": "integer", "float": "number", "bool": "boolean", "list": "any"}
    return next((kind for start, kind in kinds.items() if type_.startswith(start)), type_)


def _foreign_key(column: Column, prefix: str) -> dict[str, Any]:
    table, _, field = column.refers.partition(".")
    return {"fields": [column.name], "reference": {"resource": prefix + table, "fields": [field]}}
