"""Keys of classes on disk: plain ascending int64, little-endian, without anything around them."""

import hashlib
from pathlib import Path
from typing import Self

import numpy as np

from marubatsu.engine.large.kernels import Ints

_TYPE = np.dtype("<i8")


class KeyFile:
    """A file of keys, read in stretches."""

    def __init__(self, path: Path, count: int) -> None:
        """Name a file and the number of its keys."""
        self.path = path
        self.count = count

    def read(self, first: int, last: int) -> Ints:
        """Return the keys of the rows from ``first`` up to ``last``, itself left out."""
        return np.fromfile(self.path, _TYPE, last - first, offset=first * _TYPE.itemsize)

    def sha256(self) -> str:
        """Hash the file. Raises OSError when it cannot be read."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


class KeyWriter:
    """Writes a file of keys, a stretch after the other, and knows its hash."""

    def __init__(self, path: Path) -> None:
        """Name the file; it is made when the writer is entered."""
        self._path = path
        self._digest = hashlib.sha256()
        self.count = 0

    def __enter__(self) -> Self:
        """Make the file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._path.open("wb")
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
        """The hash of what is written."""
        return self._digest.hexdigest()
