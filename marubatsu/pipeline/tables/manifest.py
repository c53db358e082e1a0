"""The documents of a data set: its manifest, and its data dictionary for programs.

The manifest says which files were built, from which inputs, by which code. It has no times and no
machine names, so two builds of one version write the same bytes. It carries the hash of its own
content and has only one valid form, so a flipped byte is noticed, as in any other file.

A table has a file of its own name. `pipeline.tables.solution_parts` names those of a solution. A
saved AI has ``ais.NAME.HASH.parquet`` and ``ai_moves.NAME.HASH.parquet``, and all of them together
``matches.HASH.parquet``. A kept table has one of two names in turn.

A manifest that lists anything else was written by somebody else: a table that is listed twice
would have its rows twice.

The dictionary follows the Data Package standard, version 2 (https://datapackage.org): a resource
for each table, with its fields, its primary key and its foreign keys. Frictionless reads Parquet by
way of pandas, so the package says what pandas makes of a table: nulls among integers are ``nan``,
and a list is an array of NumPy, which the standard's types ``list`` and ``array`` refuse.
``arrowType`` is the exact type of each field. The hashes are in the manifest, because Frictionless
5.21 counts no bytes of Parquet and would call every resource with ``bytes`` or ``hash`` wrong.
"""

import hashlib
import json
import re
from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Self

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.tables.schemas import (
    AI_MOVES,
    AIS,
    TABLES,
    Column,
    Table,
    described,
    resolve,
)

if TYPE_CHECKING:
    from marubatsu.pipeline.tables.parquet import Encoded

FORMAT = 1
MANIFEST, DICTIONARY = "manifest.json", "datapackage.json"
START = b'{\n "format": '
"""The bytes with which every manifest starts, of any format."""

_TABLE_FILE = re.compile(r"[a-z_]+(\.[a-z0-9_]+){0,2}\.parquet|ply=\d\d/part-\d{4}\.parquet")
_HASH = re.compile("[0-9a-f]{64}")
_MOST = 1 << 63


class ManifestError(ValueError):
    """Bytes that are no manifest, with the reason."""


@dataclass(frozen=True)
class Entry:
    """The manifest's entry for one file."""

    rows: int
    bytes: int
    sha256: str  # of the file
    content: str  # of the rows, independent of the Parquet writer
    schema: str  # fingerprint of the table's columns
    made_by: str  # fingerprint of code, or versions: see `pipeline.stages.staleness`
    inputs: dict[str, str]  # content hash of each table the stage was made from

    @property
    def is_sound(self) -> bool:
        """Whether each value is of its type, and a number none below zero."""
        if not isinstance(self.inputs, dict):
            return False
        words = (self.schema, self.made_by, *self.inputs, *self.inputs.values())
        return (
            all(type(number) is int and 0 <= number < _MOST for number in (self.rows, self.bytes))
            and _are_words(*words, self.sha256, self.content)
            and all(map(_HASH.fullmatch, (self.sha256, self.content)))
        )


def entry_of(encoded: "Encoded", made_by: str, inputs: dict[str, str]) -> Entry:
    """Return the entry for a file that holds these bytes."""
    return Entry(
        rows=encoded.rows,
        bytes=encoded.data.size,
        sha256=hashlib.sha256(encoded.data).hexdigest(),
        content=encoded.content,
        schema=encoded.table.version(encoded.game),
        made_by=made_by,
        inputs=inputs,
    )


@dataclass(frozen=True)
class Manifest:
    """The files of one game's data set."""

    game: str  # notation
    version: str  # of marubatsu
    files: dict[str, Entry]  # by file name

    @cached_property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(entry.bytes for entry in self.files.values())

    @property
    def tables(self) -> dict[str, Entry]:
        """The entries by the names of their tables."""
        return {table_of(file): entry for file, entry in self.files.items()}

    @property
    def data_hash(self) -> str:
        """One hash of all rows of all files, independent of the Parquet writer and of versions."""
        contents = {name: entry.content for name, entry in sorted(self.files.items())}
        return hashlib.sha256(_json(contents)).hexdigest()

    def with_files(self, version: str, files: dict[str, Entry]) -> Self:
        """Return the manifest with entries that a version of marubatsu added or replaced."""
        return replace(self, version=version, files={**self.files, **files})

    def render(self) -> bytes:
        """Write the manifest."""
        content: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game,
            "version": self.version,
            "files": {name: asdict(entry) for name, entry in sorted(self.files.items())},
        }
        return _signed(content)

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """Read a manifest. Raises ManifestError when any byte of it has changed."""
        try:
            content = json.loads(data)
            if content["format"] != FORMAT:
                raise ManifestError(f"format {content['format']!r} is not {FORMAT}")
            manifest = cls(
                game=content["game"],
                version=content["version"],
                files={name: Entry(**entry) for name, entry in content["files"].items()},
            )
            is_sound = _are_words(manifest.game, manifest.version) and all(
                _TABLE_FILE.fullmatch(name) and entry.is_sound
                for name, entry in manifest.files.items()
            )
            del content["sha256"]
            intact = is_sound and _signed(content) == data
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            if isinstance(error, ManifestError):
                raise
            raise ManifestError("it is not a manifest") from error
        if not intact:
            raise ManifestError("its content does not fit its own sha256")
        return manifest


@lru_cache(maxsize=16)
def parsed(data: bytes) -> Manifest:
    """Read a manifest, and remember it: to read one takes as long as to answer a question."""
    return Manifest.parse(data)


def _are_words(*texts: object) -> bool:
    """Whether all are text of one line that a terminal shows as it is."""
    return all(isinstance(text, str) and text.isascii() and text.isprintable() for text in texts)


def _signed(content: dict[str, Any]) -> bytes:
    return _json({**content, "sha256": hashlib.sha256(_json(content)).hexdigest()})


def _json(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, indent=1) + "\n").encode("ascii")


SOLUTION = "solution"
"""The table whose rows are in parts."""

_SAVED = re.compile(
    r"(ais|ai_moves)\.[a-z][a-z0-9_]*\.[0-9a-f]{8}\.parquet|matches\.[0-9a-f]{8}\.parquet"
)


def is_part(file: str) -> bool:
    """Whether a file has a part of a solution, not a whole table."""
    return "/" in file


def table_of(file: str) -> str:
    """Return the table of a file; more may follow its name, as in ``answers.0.parquet``."""
    return SOLUTION if is_part(file) else file.partition(".")[0]


def ai_of(file: str) -> str:
    """Return the saved AI whose rows a file has; "" for the matches of all."""
    parts = file.split(".")
    return parts[1] if len(parts) == 4 else ""


def kept_files(table: Table) -> tuple[str, str]:
    """Return the two names that the file of a kept table has in turn."""
    return f"{table.name}.0.parquet", f"{table.name}.1.parquet"


def wrong_tables(names: Collection[str]) -> str:
    """Name a file that is no table of a game, "" for none."""
    return unknown(names, {table.file for table in TABLES.values()})


def wrong_kept(names: Collection[str], table: Table) -> str:
    """Say how files are not the one of a kept table, "" when they are."""
    if other := unknown(names, kept_files(table)):
        return other
    return {0: "it lists no file", 1: ""}.get(len(names), "it lists two files")


def wrong_saved(names: Collection[str]) -> str:
    """Say how files are not those of saved AIs, "" when they are."""
    found: set[tuple[str, str]] = set()
    for name in sorted(names):
        table, ai = table_of(name), ai_of(name)
        if not _SAVED.fullmatch(name) or (table, ai) in found:
            return f"it lists {name}"
        found.add((table, ai))
    for table, ai in sorted(found):
        if ai and not {(AIS.name, ai), (AI_MOVES.name, ai)} <= found:
            return f"it lists {table} of {ai} alone"
    return ""


def unknown(names: Collection[str], allowed: Collection[str]) -> str:
    """Name a file that is not among the allowed ones, "" for none."""
    other = min({*names} - {*allowed}, default="")
    return f"it lists {other}" if other else ""


MEDIA_TYPE = "application/vnd.apache.parquet"
LICENSE = {
    "name": "CC0-1.0",
    "path": "https://creativecommons.org/publicdomain/zero/1.0/",
    "title": "CC0 1.0 Universal",
}
"""The license of the data."""

_STANDARD = "https://datapackage.org/profiles/2.0/datapackage.json"


def dictionary_of(game: Game, manifest: Manifest) -> bytes:
    """Describe the tables of a manifest, for `DICTIONARY`."""
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
