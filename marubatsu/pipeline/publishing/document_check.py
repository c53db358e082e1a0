"""The documents of a published folder, compared with those that this version writes for its data.

Whoever changes ``load.py`` or ``views.sql`` can write fitting checksums too. The documents follow
from the data, the day and the address of the folder, so they are written again and compared. What
the folder lists besides data and documents is not ours.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import duckdb

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError
from marubatsu.pipeline.checking import checksums
from marubatsu.pipeline.checking.published_content import DIFFERENT
from marubatsu.pipeline.publishing import crate, croissant, ducklake
from marubatsu.pipeline.publishing.publication import (
    Publication,
    PublishedFile,
    PublishedGame,
    checked_date,
    checked_url,
)
from marubatsu.pipeline.publishing.publish import documents_of
from marubatsu.pipeline.store import data_package
from marubatsu.pipeline.store.data_set import DataSet, Solution
from marubatsu.pipeline.store.integrity import Problem
from marubatsu.pipeline.store.manifest import FILE as MANIFEST
from marubatsu.pipeline.store.regular_file import file_sha256, read_whole
from marubatsu.pipeline.support.errors import UsageError

_UNREADABLE = (
    InputError, UsageError, AttributeError, LookupError, OSError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip
"""Errors of reading a document that has another form."""

_WHY = "this version writes it otherwise for this data"


def document_problems(folder: Path) -> Iterator[Problem]:
    """Compare the documents of a published folder; nothing if it has no list of checksums.

    Its data and checksums have no problems.
    """
    try:
        sums = checksums.read(folder)
    except FileNotFoundError:
        return
    try:
        published = _publication(folder)
    except _UNREADABLE:
        reason = "it does not name the day, the address and the games as this version does"
        yield Problem(DIFFERENT, folder / croissant.FILE, reason)
        return
    rows = _rows(published)
    files = [
        PublishedFile(name, (folder / name).stat().st_size, sha256, rows.get(name, 0))
        for name, sha256 in sorted(sums.items())
    ]
    documents = documents_of(published, folder)
    ours = documents.keys() | rows.keys()
    documents[crate.FILE] = crate.render(published, [file for file in files if file.name in ours])
    for name, content in documents.items():
        if name not in sums:
            yield Problem("missing", folder / name, "every published folder has it")
        elif file_sha256(folder / name) != (len(content), hashlib.sha256(content).hexdigest()):
            how = f", with DuckDB {duckdb.__version__}" if name == ducklake.FILE else ""
            yield Problem(DIFFERENT, folder / name, _WHY + how)
    for name in sums.keys() - documents.keys() - rows.keys():
        yield Problem("foreign", folder / name, f"{checksums.FILE} lists it, and it is no data")


def _publication(folder: Path) -> Publication:
    """Return what a folder publishes: games in the order of its documents, day and address.

    Raises what Python or ours raises where a document has another form.
    """
    described = json.loads(read_whole(folder / croissant.FILE))
    names = dict.fromkeys(record["@id"].partition(".")[0] for record in described["recordSet"])
    games = tuple(_game(folder, Game(name)) for name in names)
    if not games or any(not game.manifests for game in games):
        raise ValueError("a game without data")
    return Publication(
        games, checked_date(described["datePublished"]), checked_url(described.get("url"))
    )


def _game(folder: Path, game: Game) -> PublishedGame:
    data_set = DataSet(folder, game)
    manifests = {part.part: part.manifest() for part in (data_set, data_set.sibling(Solution))}
    return PublishedGame(game, {part: each for part, each in manifests.items() if each})


def _rows(published: Publication) -> dict[str, int]:
    """Return the rows of all files of data by their names; manifests and packages have none."""
    rows = {file.name: file.rows for table in published.tables for file in table.files}
    for game in published.games:
        for part in game.manifests:
            rows[str(Path(game.game.name, part, MANIFEST))] = 0
        if "" in game.manifests:
            rows[str(Path(game.game.name, data_package.FILE))] = 0
    return rows
