"""Files of the keys of classes: ascending int64, little-endian, without a header."""

import hashlib
from pathlib import Path
from typing import Self

import numpy as np

from marubatsu.engine.large.kernels import Ints

_TYPE = np.dtype("<i8")


class KeyFile:
    """A file of keys, read piece by piece."""

    def __init__(self, path: Path, count: int) -> None:
        """Name a file and the number of its keys."""
        self.path = path
        self.count = count

    def read(self, first: int, last: int) -> Ints:
        """Return the keys of the rows from ``first`` up to ``last``, exclusive."""
        return np.fromfile(self.path, _TYPE, last - first, offset=first * _TYPE.itemsize)

    def sha256(self) -> str:
        """Hash the file. Raises OSError when it cannot be read."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


class KeyWriter:
    """A writer of a file of keys, which appends pieces and computes the hash."""

    def __init__(self, path: Path) -> None:
        """Name the file; `__enter__` creates it."""
        self._path = path
        self._digest = hashlib.sha256()
        self.count = 0

    def __enter__(self) -> Self:
        """Create the file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.unlink(missing_ok=True)  # It may be a link.
        self._file = self._path.open("xb")
        return self

    def __exit__(self, *error: object) -> None:
        """Close the file."""
        self._file.close()

    def append(self, keys: Ints) -> None:
        """Write keys, all greater than those before."""
        data = np.ascontiguousarray(keys, _TYPE).data.cast("B")
        self._file.write(data)
        self._digest.update(data)
        self.count += keys.size

    @property
    def file(self) -> KeyFile:
        """The file, as far as it is written."""
        return KeyFile(self._path, self.count)

    @property
    def sha256(self) -> str:
        """The hash of the keys written so far."""
        return self._digest.hexdigest()
