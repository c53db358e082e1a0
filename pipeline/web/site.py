"""The page and its documents as files, for any file host."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.oracle.opening import open_oracle
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.stages.staleness import require_current
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.integrity import snapshot
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.web.documents import Documents
from marubatsu.pipeline.web.json_responses import to_json
from marubatsu.pipeline.web.page_files import files

LIST = "api/v1/files.json"
"""The list of all files of a site; a folder with this file is a site."""


def write_site(
    data_set: DataSet, out: Path, on_wait: Callable[[], None], progress: Callable[[float], None]
) -> tuple[int, int]:
    """Write the site, complete or not at all; return its number of files and bytes.

    Raises UsageError when the folder holds something else, DataError when it cannot be written or a
    table is missing.
    """
    out = Path(os.path.realpath(out))
    try:
        _require_site(out)
        out.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    except OSError as error:
        raise _refused(out, error) from None
    partial, replaced = beside / "new", beside / "old"
    try:
        partial.mkdir()
        for name, file in files().items():
            shutil.copyfile(file.path, partial / name)
        shown = snapshot(data_set, on_wait, require_current)
        with open_catalog(shown, on_wait) as catalog:
            documents = Documents(catalog, open_oracle(shown, on_wait))
            if not documents.has_positions:
                raise _no_positions(data_set)
            for number, path in enumerate(documents.paths):
                progress(number / len(documents.paths))
                goal = partial / "api" / "v1" / path
                goal.parent.mkdir(parents=True, exist_ok=True)
                goal.write_bytes(documents.get(path))
        written = [path for path in partial.rglob("*") if path.is_file()]
        names = sorted(str(path.relative_to(partial)) for path in written)
        (partial / LIST).write_bytes(to_json(sorted([*names, LIST])))
        sizes = [path.stat().st_size for path in (*written, partial / LIST)]
        _require_site(out)  # Somebody may have put a file there meanwhile.
        if out.exists():
            out.rename(replaced)
        partial.rename(out)
    except OSError as error:
        raise _refused(out, error) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return len(sizes), sum(sizes)


def _require_site(out: Path) -> None:
    """Raise UsageError unless a folder is new, empty, or holds a site and nothing else."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    try:
        ours = {Path(name) for name in json.loads((out / LIST).read_bytes())}
    except (OSError, ValueError, TypeError):
        raise UsageError(
            f"{quote(str(out))} holds something that is no site: name another folder"
        ) from None
    ours |= {folder for path in ours for folder in path.parents}
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out)
        if name not in ours:
            raise UsageError(
                f"{quote(str(out))} holds {quote(str(name))}, which is no part of a site and would "
                "be lost: move it away or name another folder"
            )


def _no_positions(data_set: DataSet) -> DataError:
    game = data_set.game.name
    return DataError(
        f"a static site needs the tables of all positions, which {game} does not have here: "
        f"`marubatsu explore --game {game}` shows its solution"
    )


def _refused(out: Path, error: OSError) -> DataError:
    return DataError(f"cannot write {error.filename or out}: {error.strerror or error}")
