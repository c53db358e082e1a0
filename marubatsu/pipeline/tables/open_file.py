"""An open file that was compared with its manifest, and stays so whatever happens to its name.

Every reader opens a file once and hashes what it reads from that descriptor. DuckDB and Arrow get
the descriptor as a name, such as ``/proc/self/fd/7``: the same file, and nothing in that name is a
pattern or a column. Builds and solvers rename new files into place, so an open file stays what it
was. A small data set is copied into memory while it is hashed, so no write into the file reaches
its readers. A large one is not. Arrow reads it through Python, which compares what the system notes
about the file after every read. Callers that hand a file to DuckDB must call
`OpenFile.require_unchanged` before they use the result.
"""

import errno
import fcntl
import hashlib
import io
import os
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.support.errors import DamagedError, DataError
from marubatsu.pipeline.support.resources import near, opened
from marubatsu.pipeline.tables.manifest import Manifest
from marubatsu.pipeline.tables.schemas import Table

_NAMES = ("/proc/self/fd", "/dev/fd")  # folders in which a system shows the open files of a process

_CHUNK = 1 << 18
_MEMORY = "memfd_create"
"""Linux's call for a file without a name; elsewhere there are temporary files."""


class Declared(NamedTuple):
    """The table of a game that a file has to hold."""

    table: Table
    game: Game


class OpenFile:
    """An open file with the hash of its bytes; it is closed with the last reference to it."""

    def __init__(self, path: Path, *, is_copied: bool, declared: Declared | None = None) -> None:
        """Open and hash a file. Raises OSError when it cannot be read."""
        self.path, self.declared = path, declared
        self.handle = opened(path)
        close = weakref.finalize(self, os.close, self.handle)
        self._state = None if is_copied else self._now()
        if not is_copied:
            self.size, self.sha256 = _hashed(self.handle)
            return
        copy = _memory()
        weakref.finalize(self, os.close, copy)
        self.size, self.sha256 = _hashed(self.handle, copy)
        _seal(copy)
        close()
        self.handle = copy

    @property
    def name(self) -> str:
        """A name under which this process, and a child that inherits the handle, opens it.

        Raises DataError on a system without such names.
        """
        return f"{_names()}/{self.handle}"

    @property
    def is_copied(self) -> bool:
        """Whether it is a copy in memory."""
        return self._state is None

    def open(self) -> Any:
        """Open the file for Arrow; a read raises DamagedError when the bytes have changed."""
        import pyarrow as pa

        return pa.OSFile(self.name) if self.is_copied else pa.PythonFile(_Watched(self), "r")

    def read(self, count: int, at: int) -> bytes:
        """Return bytes from a place on, fewer at the end."""
        return os.pread(self.handle, count, at)

    def parquet(self) -> Any:
        """Open the rows for Arrow, as a ParquetFile.

        Raises DamagedError when its types for Arrow, which a file keeps in addition to those of
        Parquet, are not those of the declared table.
        """
        import pyarrow.parquet as pq

        from marubatsu.pipeline.tables.parquet import arrow_schema

        with self.reading():
            file = pq.ParquetFile(self.open())
            if self.declared and not file.schema_arrow.equals(arrow_schema(*self.declared)):
                raise ValueError("its types for Arrow are not those declared")
        return file

    def rows(self, columns: list[str] | None = None) -> Any:
        """Read an Arrow table. Raises DamagedError as `reading` does."""
        with self.reading():
            rows = self.parquet().read(columns)
            rows.validate(full=True)  # Text may be no UTF-8.
            return rows

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Raise DamagedError when rows cannot be read, mean nothing here, or have changed."""
        try:
            yield
        except (OSError, ValueError, TypeError, LookupError, ArithmeticError) as error:
            why = str(error) or type(error).__name__
            raise DamagedError(f"{near(self.path)} is damaged: {why}") from error

    def require_unchanged(self) -> None:
        """Raise DamagedError when the bytes may have changed since they were hashed.

        Raises it also without the right to read the file, because DuckDB opens it again by `name`.
        It costs microseconds, or another hash when only names or rights of the file are others.
        """
        if self._state is None or self._state == (now := self._now()):
            return
        is_written = self._state[:2] != now[:2]
        if is_written or _hashed(self.handle) != (self.size, self.sha256):
            from marubatsu.pipeline.support.cures import Cure  # Most runs need none.

            raise DamagedError(
                f"{near(self.path)} was changed while it was in use: expected the bytes that its "
                "manifest names until the end",
                Cure("verify"),
                path=self.path,
            )
        try:
            os.close(os.open(self.name, os.O_RDONLY | os.O_CLOEXEC))
        except OSError as error:
            raise DamagedError(
                f"{near(self.path)} cannot be read any more: {error.strerror}; its rights were "
                "changed while it was in use"
            ) from error
        self._state = now

    def _now(self) -> tuple[int, int, int]:
        """Return its size, and when it was written and changed, in nanoseconds.

        Another name, no name or other rights change only the last.
        """
        status = os.fstat(self.handle)
        return status.st_size, status.st_mtime_ns, status.st_ctime_ns


class _Watched(io.RawIOBase):
    """An open file, read by Python, which notices changes."""

    def __init__(self, file: OpenFile) -> None:
        self._file, self._at = file, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = (0, self._at, self._file.size)[whence]
        self._at = start + offset
        return self._at

    def readinto(self, buffer: Any) -> int:
        count = os.preadv(self._file.handle, [buffer], self._at)
        self._file.require_unchanged()
        self._at += count
        return count


def _hashed(source: int, copy: int | None = None) -> tuple[int, str]:
    """Return the size and the SHA-256 of an open file, and write its bytes into a copy."""
    digest, size = hashlib.sha256(), 0
    chunk = memoryview(bytearray(min(_CHUNK, os.fstat(source).st_size + 1)))
    while count := os.preadv(source, [chunk], size):
        digest.update(chunk[:count])
        if copy is not None and not _has_written(copy, chunk[:count], size):
            raise DataError(
                "there is no memory for a copy of the tables: free some, or raise the limit of "
                "the system on the size of files (ulimit -f)"
            )
        size += count
    return size, digest.hexdigest()


def _has_written(copy: int, data: memoryview, at: int) -> bool:
    with suppress(OSError):
        return os.pwrite(copy, data, at) == len(data)
    return False


def dataset_of(files: Iterable[Any]) -> Any:
    """Return an Arrow dataset over open files."""
    from pyarrow.dataset import FileSystemDataset, ParquetFileFormat

    form = ParquetFileFormat()
    fragments = [form.make_fragment(file) for file in files]
    return FileSystemDataset(fragments, fragments[0].physical_schema, form)


def _names() -> str:
    for folder in _NAMES:
        if Path(folder).is_dir():
            return folder
    raise DataError(
        f"this system does not show open files: expected {' or '.join(_NAMES)}; mount /proc"
    )


def _memory() -> int:
    if hasattr(os, _MEMORY):
        with suppress(OSError):  # The box of an agent refuses it.
            return os.memfd_create("marubatsu", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    from tempfile import TemporaryFile

    with TemporaryFile(prefix="marubatsu-") as file:
        return os.dup(file.fileno())


def _seal(copy: int) -> None:
    """Let no one change a copy in memory any more; a temporary file has no seals."""
    if hasattr(os, _MEMORY):
        seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
        try:
            fcntl.fcntl(copy, fcntl.F_ADD_SEALS, seals)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise


class Opened(NamedTuple):
    """A data set that readers use: its manifest, and those of its files that readers need."""

    manifest: Manifest
    files: Mapping[str, OpenFile]
