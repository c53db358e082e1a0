"""The page, its documents and the Parquet files as a folder, for any file host.

A site reads a solution from files, a few values at a time:

::

    solution.json       what all rows of each ply have in common, and the parts of the ply
    blocks/PLY.json     the masks of its blocks in the order of places, ascending
    tables/solution/…   the parts: the same rows, with pages that every browser can decompress

`engine.large.index` explains blocks, places and rows.
"""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from html import escape
from importlib import metadata
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from marubatsu.engine.large.index import Index
from marubatsu.engine.rules.position import Position
from marubatsu.judge.oracle.choose_oracle import ValueSource, open_oracle
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.view_script import parts_of_solution
from marubatsu.pipeline.stages.usable import open_parts, require_intact, require_usable, snapshot
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.json_text import to_json
from marubatsu.pipeline.support.resources import PAGE, read_whole
from marubatsu.pipeline.tables.data_set import DataSet, Solution, not_built
from marubatsu.pipeline.tables.manifest import LICENSE
from marubatsu.pipeline.tables.open_file import OpenFile
from marubatsu.pipeline.tables.output import whole_folder
from marubatsu.pipeline.tables.parquet import writer_options
from marubatsu.pipeline.tables.solution_parts import rows_of_part
from marubatsu.pipeline.tables.solved_schemas import SOLUTION
from marubatsu.web.documents import RAW, Documents, is_checkable, raw_solution
from marubatsu.web.games import files_of, listed, source_of, start_of

MEDIA = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


@cache
def files() -> dict[str, Path]:
    """List the files of the page by their paths below its folder; the server has no others."""
    return {
        path.relative_to(PAGE).as_posix(): path
        for path in sorted(PAGE.rglob("*"))
        if path.suffix in MEDIA
    }


def solution_files(data_set: DataSet) -> Iterator[tuple[str, bytes]]:
    """Yield the path, below the folder of the game, and the bytes of each file.

    The data set is a snapshot. Raises DamagedError when a file has changed.
    """
    opened = open_parts(data_set, require_intact)
    names = {file: name for name, file in opened[Solution.part].files.items()}
    index = Index(data_set.game)
    plies: dict[int, list[dict[str, Any]]] = {}
    for place, file in parts_of_solution(opened):
        name, data = f"{Solution.part}/{names[file]}", _with_gzip(file)
        plies.setdefault(place.ply, []).append({"path": name, "bytes": len(data)})
        yield f"tables/{name}", data
    shapes = {ply: index.shape(ply) for ply in plies}
    for ply, shape in shapes.items():
        yield f"blocks/{ply}.json", _json(shape.blocks.tolist())
    by_ply = {
        ply: {
            "cells": shape.cells,
            "chosen": shape.chosen,
            "rows": rows_of_part(shape.rows),
            "parts": plies[ply],
        }
        for ply, shape in shapes.items()
    }
    content = {"order": index.order, "group": SOLUTION.row_group, "plies": by_ply}
    yield "solution.json", _json(content)


def _with_gzip(file: OpenFile) -> bytes:
    """Return a part with the same rows; no browser decompresses Zstandard for a script."""
    goal = BytesIO()
    options = {**writer_options(SOLUTION), "compression": "gzip", "compression_level": 9}
    pq.write_table(file.rows(), goal, row_group_size=SOLUTION.row_group, **options)
    return goal.getvalue()


def _json(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode()


LIST = "api/v2/files.json"  # all files of a site; a folder with this file is a site
START = "api/v2/start.json"  # what the page asks for first
MOST_ANSWERS = 10_000  # positions of a game of which each has a file of its own
_TABLES = "tables.json"

CARD = "card.png"  # the picture of a link to the page; `make screenshots` draws it
CARD_SIZE = (1200, 630)

_HEAD = "</head>"


def write_site(
    data_set: DataSet, out: Path, url: str | None, progress: Callable[[float], None]
) -> tuple[int, int]:
    """Write the site, complete or not at all; return its number of files and bytes.

    With ``url``, the address that it will have, its links have a card everywhere. Raises UsageError
    when the folder holds something else, DataError when it cannot be written, or when the game has
    neither tables nor a solution.
    """
    with whole_folder(out, "site", _listed) as partial:
        for name, source in files().items():
            (partial / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, partial / name)
        for name, content in front_files(url):
            (partial / name).write_bytes(content)
        copy = snapshot(data_set, require_usable)
        if source_of(copy) is ValueSource.SEARCH:
            raise _no_values(data_set)
        game = partial / "api" / "v2" / "games" / data_set.game.name
        for path, content in _contents(copy, progress):
            goal = game / path
            goal.parent.mkdir(parents=True, exist_ok=True)
            goal.write_bytes(content)
        games = [listed(data_set.game, source_of(data_set))]
        (partial / START).write_bytes(to_json(start_of(data_set.game, games, server=False)))
        written = [path for path in partial.rglob("*") if path.is_file()]
        names = sorted(str(path.relative_to(partial)) for path in written)
        (partial / LIST).write_bytes(to_json(sorted([*names, LIST])))
        sizes = [path.stat().st_size for path in (*written, partial / LIST)]
    return len(sizes), sum(sizes)


def _contents(data_set: DataSet, progress: Callable[[float], None]) -> Iterator[tuple[str, bytes]]:
    with open_catalog(data_set) as catalog:
        oracle = open_oracle(data_set)
        documents = Documents(oracle, catalog)
        data = _data(data_set, oracle)
        for number, path in enumerate(documents.paths):
            progress(number / len(documents.paths))
            if path != _TABLES:
                yield path, documents.get(path)
        sizes: dict[str, int] = {}
        for path, content in data:
            sizes[path] = len(content)
            yield path, content
        yield _TABLES, _with_sizes(documents.get(_TABLES), sizes)


def _data(data_set: DataSet, oracle: Oracle) -> Iterator[tuple[str, bytes]]:
    """Yield the tables and the single positions, which the API answers too."""
    for name, file in files_of(data_set):
        if oracle.positions is not None or not name.startswith(f"{Solution.part}/ply="):
            yield f"tables/{name}", file.open().read()
    parts = open_parts(data_set, require_intact)
    if is_checkable(data_set.game, parts):
        yield RAW, raw_solution(data_set.game, parts)
    if oracle.positions is None:
        yield from solution_files(data_set)
    elif len(oracle.positions.circle) <= MOST_ANSWERS:
        circle, cross = oracle.positions.circle.tolist(), oracle.positions.cross.tolist()
        for position in map(Position, circle, cross):
            answer = oracle.answer(position)
            board = answer.board
            name = board.replace(".", "_") if board in (".", "..") else board  # Those are folders.
            yield f"positions/{name}", to_json(answer.to_json())


def _with_sizes(document: bytes, sizes: Mapping[str, int]) -> bytes:
    tables = json.loads(document)
    for table in tables:
        for file in table["files"]:
            file["bytes"] = sizes[f"tables/{file['path']}"]
    return to_json(tables)


def _listed(site: Path) -> list[str]:
    try:
        names: list[str] = json.loads(read_whole(site / LIST))
    except RecursionError as error:
        raise ValueError("it is no list") from error
    return names


def _no_values(data_set: DataSet) -> DataError:
    game = data_set.game.name
    if data_set.sibling(Solution).is_compact:
        return not_built(data_set)
    return DataError(
        f"a static site needs the tables or the solution of {game}, which are not here: "
        f"`marubatsu explore --game {game}` shows what a search answers"
    )


def front_files(url: str | None) -> Iterator[tuple[str, bytes]]:
    """Yield the front, the licences and a mark for GitHub, for a site at an address if it is known.

    Social networks draw the card of a link from the tags in the head of ``index.html``. They want
    the whole address of the picture, so only a site that knows its own address has one everywhere.
    """
    page = (PAGE / "index.html").read_text(encoding="utf-8")
    yield "index.html", page.replace(_HEAD, _tags(url) + _HEAD).encode()
    yield "LICENSE", _licences().encode()
    yield ".nojekyll", b""  # GitHub Pages then serves the names of boards, which begin with a dot.


def _tags(url: str | None) -> str:
    wide, high = CARD_SIZE
    picture = escape(CARD if url is None else f"{url}/{CARD}")
    tags = {"image": picture, "image:width": wide, "image:height": high}
    if url is not None:
        tags["url"] = escape(f"{url}/")
    return "".join(f'<meta property="og:{name}" content="{tags[name]}">\n' for name in tags)


def _licences() -> str:
    try:
        ours = metadata.distribution("marubatsu").read_text("licenses/LICENSE")
    except metadata.PackageNotFoundError:  # It runs from its folder, without being installed.
        ours = None
    ours = ours or "Its licence comes with the package.\n"
    return (
        f"The data of this site, which is below api/, is in the public domain:\n"
        f"{LICENSE['title']}, {LICENSE['path']}\n\n"
        f"The page is a part of marubatsu:\n\n{ours}"
    )
