"""The page and its documents as files, for any file host."""

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.web.documents import Documents
from marubatsu.pipeline.web.page_files import MEDIA, files

_MARK = "api/v1/game.json"  # a folder with this file is a site


def write_site(
    data_set: DataSet, out: Path, on_wait: Callable[[], None], progress: Callable[[float], None]
) -> tuple[int, int]:
    """Write the site, complete or not at all; return its number of files and bytes.

    Raises UsageError when the folder holds something else, DataError when it cannot be written or a
    table is missing.
    """
    _require_site(out)
    out = out.resolve()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    except OSError as error:
        raise _refused(out, error) from None
    partial, replaced = beside / "new", beside / "old"
    try:
        partial.mkdir()
        for name, file in files().items():
            shutil.copyfile(file.path, partial / name)
        with open_catalog(data_set, on_wait) as catalog:
            documents = Documents(catalog)
            if not documents.has_positions:
                raise _no_positions(data_set)
            for number, path in enumerate(documents.paths):
                progress(number / len(documents.paths))
                goal = partial / "api" / "v1" / path
                goal.parent.mkdir(parents=True, exist_ok=True)
                goal.write_bytes(documents.get(path))
        sizes = [path.stat().st_size for path in partial.rglob("*") if path.is_file()]
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
    if not out.exists():
        return
    if not out.is_dir() or (any(out.iterdir()) and not (out / _MARK).is_file()):
        raise UsageError(f"{quote(str(out))} holds something that is no site: name another folder")
    for path in sorted(out.iterdir()):
        if path.name != "api" and path.suffix not in MEDIA:
            raise UsageError(
                f"{quote(str(out))} holds {quote(path.name)}, which is no part of a site and would "
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
