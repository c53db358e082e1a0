"""The page and its documents as files, for any file host."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from marubatsu import __version__
from marubatsu.pipeline.api.documents import Documents, rules_of
from marubatsu.pipeline.oracle.opening import open_oracle
from marubatsu.pipeline.rows.whole_folder import whole_folder
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.stages.staleness import require_current
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.integrity import snapshot
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.web.json_responses import to_json
from marubatsu.pipeline.web.page_files import files

LIST = "api/v2/files.json"
"""The list of all files of a site; a folder with this file is a site."""

START = "api/v2/start.json"
"""What the page asks for first."""


def write_site(
    data_set: DataSet, out: Path, on_wait: Callable[[], None], progress: Callable[[float], None]
) -> tuple[int, int]:
    """Write the site, complete or not at all; return its number of files and bytes.

    Raises UsageError when the folder holds something else, DataError when it cannot be written or a
    table is missing.
    """
    with whole_folder(out, "site", _listed) as partial:
        for name, file in files().items():
            shutil.copyfile(file.path, partial / name)
        shown = snapshot(data_set, on_wait, require_current)
        with open_catalog(shown, on_wait) as catalog:
            documents = Documents(open_oracle(shown, on_wait), catalog)
            if not documents.has_positions:
                raise _no_positions(data_set)
            game = partial / "api" / "v2" / "games" / data_set.game.name
            for number, path in enumerate(documents.paths):
                progress(number / len(documents.paths))
                goal = game / path
                goal.parent.mkdir(parents=True, exist_ok=True)
                goal.write_bytes(documents.get(path))
        (partial / START).write_bytes(to_json(_start(data_set)))
        written = [path for path in partial.rglob("*") if path.is_file()]
        names = sorted(str(path.relative_to(partial)) for path in written)
        (partial / LIST).write_bytes(to_json(sorted([*names, LIST])))
        sizes = [path.stat().st_size for path in (*written, partial / LIST)]
    return len(sizes), sum(sizes)


def _start(data_set: DataSet) -> dict[str, object]:
    """Return what the page asks for first: the one game, and no server."""
    game = data_set.game
    games = [{**rules_of(game), "source": "tables"}]
    return {"version": __version__, "server": False, "game": game.name, "games": games}


def _listed(site: Path) -> list[str]:
    """Return the names of the files of a site. Raises OSError or ValueError when it is none."""
    names: list[str] = json.loads((site / LIST).read_bytes())
    return names


def _no_positions(data_set: DataSet) -> DataError:
    game = data_set.game.name
    return DataError(
        f"a static site needs the tables of all positions, which {game} does not have here: "
        f"`marubatsu explore --game {game}` shows its solution"
    )
