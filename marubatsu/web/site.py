"""The page, its documents and the Parquet files as a folder, for any file host."""

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from marubatsu.engine.rules.position import Position
from marubatsu.judge.oracle.opening import open_oracle
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.stages.staleness import require_usable
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.integrity import snapshot
from marubatsu.pipeline.store.regular_file import read_whole
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.whole_folder import whole_folder
from marubatsu.version import __version__
from marubatsu.web.documents import Documents, rules_of
from marubatsu.web.page_files import files
from marubatsu.web.responses import to_json
from marubatsu.web.shown_game import files_of, source_of
from marubatsu.web.solution_files import is_solution_part, solution_files

LIST = "api/v2/files.json"
"""The list of all files of a site; a folder with this file is a site."""

START = "api/v2/start.json"
"""What the page asks for first."""

MOST_ANSWERS = 10_000
"""Positions of a game of which each has a file of its own, at most."""

_TABLES = "tables.json"


def write_site(
    data_set: DataSet, out: Path, on_wait: Callable[[], None], progress: Callable[[float], None]
) -> tuple[int, int]:
    """Write the site, complete or not at all; return its number of files and bytes.

    Raises UsageError when the folder holds something else, DataError when it cannot be written, or
    when the game has neither tables nor a solution.
    """
    with whole_folder(out, "site", _listed) as partial:
        for name, file in files().items():
            (partial / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.path, partial / name)
        shown = snapshot(data_set, on_wait, require_usable)
        if source_of(shown) == "search":
            raise _no_values(data_set)
        game = partial / "api" / "v2" / "games" / data_set.game.name
        for path, content in _contents(shown, on_wait, progress):
            goal = game / path
            goal.parent.mkdir(parents=True, exist_ok=True)
            goal.write_bytes(content)
        (partial / START).write_bytes(to_json(_start(data_set)))
        written = [path for path in partial.rglob("*") if path.is_file()]
        names = sorted(str(path.relative_to(partial)) for path in written)
        (partial / LIST).write_bytes(to_json(sorted([*names, LIST])))
        sizes = [path.stat().st_size for path in (*written, partial / LIST)]
    return len(sizes), sum(sizes)


def _contents(
    shown: DataSet, on_wait: Callable[[], None], progress: Callable[[float], None]
) -> Iterator[tuple[str, bytes]]:
    """Yield the path of each file of a game, below its folder, and its bytes."""
    with open_catalog(shown, on_wait) as catalog:
        oracle = open_oracle(shown, on_wait)
        documents = Documents(oracle, catalog)
        data = _data(shown, oracle)
        for number, path in enumerate(documents.paths):
            progress(number / len(documents.paths))
            if path != _TABLES:
                yield path, documents.get(path)
        sizes: dict[str, int] = {}
        for path, content in data:
            sizes[path] = len(content)
            yield path, content
        yield _TABLES, _with_sizes(documents.get(_TABLES), sizes)


def _data(shown: DataSet, oracle: Oracle) -> Iterator[tuple[str, bytes]]:
    """Yield what the API answers beside documents: tables, and single positions."""
    for name, held in files_of(shown):
        if oracle.positions is not None or not is_solution_part(name):
            yield f"tables/{name}", held.open().read()
    if oracle.positions is None:
        yield from solution_files(shown)
    elif len(oracle.positions.circle) <= MOST_ANSWERS:
        circle, cross = oracle.positions.circle.tolist(), oracle.positions.cross.tolist()
        for position in map(Position, circle, cross):
            answer = oracle.answer(position)
            yield f"positions/{answer.board}", to_json(answer.to_json())


def _with_sizes(document: bytes, sizes: Mapping[str, int]) -> bytes:
    """Return the document of the tables with the bytes that the files of the site have."""
    tables = json.loads(document)
    for table in tables:
        for file in table["files"]:
            file["bytes"] = sizes[f"tables/{file['path']}"]
    return to_json(tables)


def _start(data_set: DataSet) -> dict[str, object]:
    """Return what the page asks for first: the one game, and no server."""
    game = data_set.game
    games = [{**rules_of(game), "source": source_of(data_set)}]
    return {"version": __version__, "server": False, "game": game.name, "games": games}


def _listed(site: Path) -> list[str]:
    """Return the names of the files of a site. Raises OSError or ValueError when it is none."""
    try:
        names: list[str] = json.loads(read_whole(site / LIST))
    except RecursionError as error:
        raise ValueError("it is no list") from error
    return names


def _no_values(data_set: DataSet) -> DataError:
    game = data_set.game.name
    return DataError(
        f"a static site needs the tables or the solution of {game}, which are not here: "
        f"`marubatsu explore --game {game}` shows what a search answers"
    )
