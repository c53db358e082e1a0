"""A folder that appears complete or not at all, and replaces only what an earlier run wrote."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.tables.data_set import sync

_MANY = 500  # files and folders; to sync one takes milliseconds


@contextmanager
def whole_folder(out: Path, what: str, listed: Callable[[Path], Iterable[str]]) -> Iterator[Path]:
    """Yield an empty folder; at the end of the block it is synced and becomes ``out``.

    ``out`` is new, empty, or a folder of the same kind: ``what`` it is, as in ``site``, and
    ``listed`` names the files that belong to it, or raises OSError, ValueError or TypeError when it
    is none. Raises UsageError when ``out`` holds something else, DataError when it cannot be
    written.
    """
    out = Path(os.path.realpath(out))
    try:
        _require_ours(out, what, listed)
        out.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    except OSError as error:
        raise _refused(out, error) from None
    partial, replaced = beside / "new", beside / "old"
    try:
        partial.mkdir()
        yield partial
        _sync_all([*partial.rglob("*"), partial])
        _require_ours(out, what, listed)  # Somebody may have put a file there meanwhile.
        if out.exists():
            out.rename(replaced)
        try:
            partial.rename(out)
        except OSError:
            if replaced.exists():
                replaced.rename(out)
            raise
        sync(out.parent)
    except OSError as error:
        raise _refused(out, error) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _require_ours(out: Path, what: str, listed: Callable[[Path], Iterable[str]]) -> None:
    """Raise UsageError unless a folder is new, empty, or holds the listed files and no others."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    try:
        ours = {Path(name) for name in listed(out)}
    except (OSError, ValueError, TypeError):
        raise UsageError(
            f"{quote(str(out))} holds something that is no {what}: name another folder"
        ) from None
    ours |= {folder for path in ours for folder in path.parents}
    for path in sorted(out.rglob("*")):
        name = path.relative_to(out)
        if name not in ours:
            raise UsageError(
                f"{quote(str(out))} holds {quote(str(name))}, which is no part of a {what} and "
                "would be lost: move it away or name another folder"
            )


def _sync_all(paths: list[Path]) -> None:
    """Sync files and folders: each, or all disks at once, which many files do not make slower."""
    if len(paths) > _MANY:
        os.sync()
        return
    for path in paths:
        sync(path)


def _refused(out: Path, error: OSError) -> DataError:
    return DataError(f"cannot write {error.filename or out}: {error.strerror or error}")
