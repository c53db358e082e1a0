"""The page and its documents as files, for any file host."""

import shutil
from collections.abc import Callable
from pathlib import Path

from engine.game import quote
from pipeline.catalog import open_catalog
from pipeline.errors import DataError, UsageError
from pipeline.store import DataSet
from pipeline.web.documents import Documents
from pipeline.web.page import files

_MARK = "api/v1/game.json"  # a folder with it is a site


def write_site(
    data_set: DataSet, out: Path, on_wait: Callable[[], None], progress: Callable[[float], None]
) -> tuple[int, int]:
    """Write the site, complete or not at all; return its number of files and bytes.

    Raises UsageError when the folder holds something else, DataError when it cannot be written or a
    table is not there.
    """
    if out.exists() and not (out / _MARK).is_file() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"{quote(str(out))} holds something that is no site: name another folder")
    partial = out.resolve().with_name(out.resolve().name + ".partial")
    try:
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        for name, file in files().items():
            shutil.copyfile(file.path, partial / name)
        with open_catalog(data_set, on_wait) as catalog:
            documents = Documents(catalog, has_sql=False)
            for number, path in enumerate(documents.paths):
                progress(number / len(documents.paths))
                goal = partial / "api" / "v1" / path
                goal.parent.mkdir(parents=True, exist_ok=True)
                goal.write_bytes(documents.get(path))
        sizes = [path.stat().st_size for path in partial.rglob("*") if path.is_file()]
        if out.exists():
            shutil.rmtree(out)
        partial.replace(out.resolve())
    except OSError as error:
        raise DataError(
            f"cannot write {error.filename or out}: {error.strerror or error}"
        ) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return len(sizes), sum(sizes)
