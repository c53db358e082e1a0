"""A private copy of a data set, for those who read for long: builds need not wait for them."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from marubatsu.pipeline.store.data_set import DataSet, not_built
from marubatsu.pipeline.store.integrity import parts_of, require_intact
from marubatsu.pipeline.store.manifest import FILE as MANIFEST

MOST = 500_000_000
"""The most bytes that are copied."""


@contextmanager
def snapshot(data_set: DataSet, on_wait: Callable[[], None]) -> Iterator[DataSet]:
    """Yield a data set that stays as it is, whatever is built, saved or damaged meanwhile.

    It is a copy of intact files; where they are too large for that, it is the data set itself,
    locked until the end of the block. Raises DataError when nothing is there, or a file is damaged.
    """
    with TemporaryDirectory(prefix="marubatsu-") as folder:
        root = Path(folder)
        with data_set.lock(write=False, on_wait=on_wait):
            parts = parts_of(data_set.root, data_set.game)
            parts = [part for part in parts if part.path(MANIFEST).exists()]
            if not parts:
                raise not_built(data_set)
            files = {part.path(MANIFEST) for part in parts}
            size = 0
            for part in parts:
                manifest = require_intact(part)
                files.update(map(part.path, manifest.files))
                size += sum(entry.bytes for entry in manifest.files.values())
            if size > MOST:
                yield data_set
                return
            for file in files:
                copy = root / file.relative_to(data_set.root)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)
        yield DataSet(root, data_set.game)
