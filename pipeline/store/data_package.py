"""The data dictionary of one data set for programs: ``datapackage.json``.

It follows the Data Package standard, version 2 (https://datapackage.org): a resource for each
table, with its fields, its primary key and its foreign keys.
"""

import json
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.store.manifest import Manifest
from marubatsu.pipeline.store.schemas import TABLES, Column, Table, described, resolve

FILE = "datapackage.json"

_STANDARD = "https://datapackage.org/profiles/2.0/datapackage.json"
_LICENSE = {
    "name": "CC0-1.0",
    "path": "https://creativecommons.org/publicdomain/zero/1.0/",
    "title": "CC0 1.0 Universal",
}


def render(game: Game, manifest: Manifest) -> bytes:
    """Describe the tables of a manifest."""
    package = {
        "$schema": _STANDARD,
        "name": game.name,
        "title": f"The game {game.name}, solved",
        "version": manifest.version,
        "licenses": [_LICENSE],
        "resources": [_resource(game, table) for table in TABLES.values()
                      if table.file in manifest.files],
    }  # fmt: skip
    return (json.dumps(package, indent=1, ensure_ascii=False) + "\n").encode()


def _resource(game: Game, table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "path": table.file,
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "description": f"One row is {table.grain}.",
        "schema": {
            "fields": [_field(game, column) for column in table.columns],
            "primaryKey": list(table.key),
            "foreignKeys": [_foreign_key(column) for column in table.columns if column.refers],
        },
    }


def _field(game: Game, column: Column) -> dict[str, Any]:
    name = resolve(game, column.type)
    field: dict[str, Any] = {"name": column.name, "type": _type(name)}
    if field["type"] == "list":
        field["itemType"] = "integer"
    required = {"constraints": {"required": True}} if not column.null else {}
    return {**field, "description": described(column), **required}


def _type(name: str) -> str:
    """Return the standard's word for a type of Arrow."""
    kinds = {"int": "integer", "float": "number", "bool": "boolean", "list": "list"}
    return next((kind for start, kind in kinds.items() if name.startswith(start)), name)


def _foreign_key(column: Column) -> dict[str, Any]:
    table, _, field = column.refers.partition(".")
    return {"fields": [column.name], "reference": {"resource": table, "fields": [field]}}
