"""The document that describes the tables of a game: schemas, rows, and the files to download."""

from collections.abc import Mapping
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.store.data_package import resource
from marubatsu.pipeline.store.integrity import Opened
from marubatsu.pipeline.store.listed_files import table_of
from marubatsu.pipeline.tables.schemas import TABLES
from marubatsu.pipeline.tables.solved_schemas import ANSWERS, PROOFS, SOLVED

_KNOWN = {**TABLES, **SOLVED, ANSWERS.name: ANSWERS, PROOFS.name: PROOFS}


def describe_tables(game: Game, opened: Mapping[str, Opened]) -> list[dict[str, Any]]:
    """Describe the tables in the open parts of a game as ``datapackage.json`` does.

    Instead of a path each has ``files``: path below ``tables/``, rows and bytes.
    """
    files: dict[str, list[dict[str, Any]]] = {}
    for part, (manifest, _) in opened.items():
        for name, entry in sorted(manifest.files.items()):
            table = table_of(name)
            path = f"{part}/{name}" if part else name
            file = {"path": path, "rows": entry.rows, "bytes": entry.bytes}
            files.setdefault(table, []).append(file)
    return [
        {"name": name, **_described(game, name), "files": files[name]}
        for name in _KNOWN
        if name in files
    ]


def _described(game: Game, name: str) -> dict[str, Any]:
    found = resource(game, _KNOWN[name], "")
    return {key: found[key] for key in ("description", "schema")}
