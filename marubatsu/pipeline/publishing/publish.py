"""Data sets as a folder that is ready for a data hub: their rows, and the documents.

Tables are encoded again, for other programs and for hubs; the parts of a solution are copied. A
game has the same folder as among the data, so the published folder is itself a folder of data for
every command.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.checking.verify import (
    SUMS,
    differences,
    listed_files,
    render_sums,
    require_sound,
    verify,
)
from marubatsu.pipeline.publishing.documents import documents_of
from marubatsu.pipeline.publishing.metadata import CRATE, crate
from marubatsu.pipeline.publishing.publication import Publication, PublishedFile, PublishedGame
from marubatsu.pipeline.support.errors import DamagedError
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import DataSet, Solution, not_built
from marubatsu.pipeline.tables.manifest import DICTIONARY, MANIFEST, Manifest, dictionary_of
from marubatsu.pipeline.tables.open_file import Opened, OpenFile
from marubatsu.pipeline.tables.output import whole_folder
from marubatsu.pipeline.tables.parquet import arrow_schema, write_rows, writer_options
from marubatsu.pipeline.tables.schemas import PLAIN, SPLIT, Table, resolve
from marubatsu.pipeline.tables.solved_schemas import SOLUTION

_HARMLESS = {"unknown", "unfinished"}
"""The kinds of problems that concern no file that is published."""
_CHUNK = 1 << 20


def publish(
    root: Path,
    games: Iterable[Game],
    out: Path,
    date: str,
    url: str | None,
    progress: Callable[[float], None],
) -> list[PublishedFile]:
    """Write the folder, complete or not at all; return its files.

    Raises UsageError when ``out`` holds something else, DataError when it cannot be written, or
    when a data set is missing, damaged, stale or different, naming each bad file.
    """
    games = list(dict.fromkeys(games))
    written: list[PublishedFile] = []
    described = []
    with whole_folder(out, "published folder", listed_files) as folder:
        for number, game in enumerate(games):
            progress(number / len(games))
            opened = _open(DataSet(root, game))
            manifests = {}
            for part, of in opened.items():
                place = Path(game.name, part)
                manifests[part], files = _copied(game, of, folder, place)
                written += files
            described.append(PublishedGame(game, manifests))
        published = Publication(tuple(described), date, url)
        for name, content in documents_of(published, folder).items():
            written.append(_write(folder, name, [content]))
        written.sort(key=lambda file: file.name)
        written.append(_write(folder, CRATE, [crate(published, written)]))
        sums = render_sums({file.name: file.sha256 for file in written})
        written.append(_write(folder, SUMS, [sums]))
    return written


def _open(data_set: DataSet) -> dict[str, Opened]:
    """Open the tables and the solution of a game, where they are there, and let go of the lock.

    Raises DataError, naming every bad file, when they have problems, or when neither is there.
    """
    with data_set.lock(write=False):
        parts = [part for part in (data_set, data_set.sibling(Solution)) if part.has_manifest]
        if not parts:
            raise not_built(data_set)
        return {part.part: _sound(part) for part in parts}


def _sound(part: DataSet) -> Opened:
    problems = [problem for problem in verify(part) if problem.kind not in _HARMLESS]
    return require_sound(part, [*problems, *differences(part, problems)])


def _copied(
    game: Game, opened: Opened, folder: Path, place: Path
) -> tuple[Manifest, list[PublishedFile]]:
    written, entries = [], {}
    for name, source in sorted(opened.files.items()):
        entry = opened.manifest.files[name]
        if source.declared is None or source.declared.table is SOLUTION:
            file = _write(folder, str(place / name), _chunks(source), entry.rows)
            if file.sha256 != entry.sha256:
                raise DamagedError(
                    f"{near(source.path)} was changed while it was copied: try again"
                )
        else:
            data = encode_for_others(*source.declared, source.rows())
            file = _write(folder, str(place / name), [data], entry.rows)
        written.append(file)
        entries[name] = replace(entry, bytes=file.bytes, sha256=file.sha256)
    manifest = replace(opened.manifest, files=entries)
    written.append(_write(folder, str(place / MANIFEST), [manifest.render()]))
    if place == Path(game.name):
        package = dictionary_of(game, manifest)
        written.append(_write(folder, str(place / DICTIONARY), [package]))
    return manifest, written


def encode_for_others(table: Table, game: Game, rows: pa.Table) -> pa.Buffer:
    """Encode the rows of a table for programs and hubs of others; the same rows, the same bytes.

    Pages end where the content says so (content-defined chunking). Two versions of a table then
    have most pages in common, and a hub that stores chunks by their hash stores those once.
    Integers are plain where our own files split their bytes, which DuckDB reads from 2.0 on only.
    """
    options = writer_options(table) | {"use_content_defined_chunking": True}
    for column in table.columns:
        if column.encoding == SPLIT and not resolve(game, column.type).startswith("float"):
            options["column_encoding"][column.name] = PLAIN
    whole = pa.table(rows.combine_chunks().columns, schema=arrow_schema(table, game))
    return write_rows(table, whole, options)


def _chunks(source: OpenFile) -> Iterator[bytes]:
    for at in range(0, source.size, _CHUNK):
        yield source.read(_CHUNK, at)


def _write(folder: Path, name: str, chunks: Iterable[bytes], rows: int = 0) -> PublishedFile:
    goal, digest, size = folder / name, hashlib.sha256(), 0
    goal.parent.mkdir(parents=True, exist_ok=True)
    with goal.open("xb") as out:
        for chunk in chunks:
            digest.update(chunk)
            size += out.write(chunk)
    return PublishedFile(name, size, digest.hexdigest(), rows)
