"""SQL from a user, run in a process of its own: see `pipeline.sql.sandbox_worker`.

The worker parses the statement and names the tables that it reads. It gets the open files of these
tables, copies them, and can only compute. Its time counts from the start of the query to the last
row, also while somebody reads the rows slowly.
"""

import json
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from marubatsu.pipeline.sql.frames import FIRST_FILE, HEAD, MOST_FILES, RowForm
from marubatsu.pipeline.sql.view_script import file_names, tables_named, variable_script, with_paths
from marubatsu.pipeline.stages.on_demand import why_missing
from marubatsu.pipeline.stages.usable import (
    open_parts,
    require_unchanged,
    require_usable,
    unreadable,
)
from marubatsu.pipeline.support.cures import Cure
from marubatsu.pipeline.support.errors import DamagedError, DataError, UsageError
from marubatsu.pipeline.support.machine import amount
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.open_file import Opened, OpenFile

if TYPE_CHECKING:
    import pyarrow as pa

_CHUNK = 1 << 20
_GLANCE = 0.1  # seconds between checks whether the answer is wanted


@dataclass(frozen=True)
class Statement:
    """SQL from a user, with values for its ``$name``; None where these cannot be given.

    Raises UsageError for what is no Unicode.
    """

    sql: str
    parameters: Mapping[str, Any] | None = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            json.dumps([self.sql, self.parameters], ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise UsageError("expected SQL and its values in UTF-8") from None


@dataclass(frozen=True)
class QueryLimits:
    """The limits of one query."""

    seconds: float = 30.0
    memory: int = 10**9  # bytes
    answer: int | None = None  # bytes

    def too_late(self) -> DataError:
        """Return the error for a query whose time is up."""
        return DataError(f"the query was stopped after {self.seconds:g} s", Cure("more time"))


@dataclass(frozen=True)
class QueryResult:
    """The columns of an answer, and its rows as they arrive."""

    columns: Sequence[str]
    rows: Iterator[list[Any]]


@dataclass(frozen=True)
class ArrowResult:
    """The types of an answer's columns, and its rows as they arrive."""

    schema: "pa.Schema"
    batches: "Iterator[pa.RecordBatch]"


class _Files:
    """The open files that a statement reads, and their names in the worker."""

    def __init__(self, opened: Mapping[str, Opened]) -> None:
        self.opened = opened
        files = (file for part in opened.values() for file in part.files.values())
        self.descriptors = dict(zip(files, count(FIRST_FILE)))

    def name_of(self, file: OpenFile) -> str:
        """Return the name under which the worker opens a file."""
        return f"{file.name.rpartition('/')[0]}/{self.descriptors[file]}"


class _Worker:
    """A process for one statement."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "marubatsu.pipeline.sql.sandbox_worker"],
                stdin=theirs.fileno(),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        assert self.process.stdout
        self._stdout = self.process.stdout
        self.answer = self._stdout.fileno()

    def send(self, message: Mapping[str, object], files: Collection[OpenFile] = ()) -> None:
        """Send an object and open files."""
        handles = [file.handle for file in files]
        with suppress(OSError):  # The worker has ended; who reads its answer raises the error.
            for start in range(0, len(handles), MOST_FILES):
                socket.send_fds(self._socket, [b" "], handles[start : start + MOST_FILES])
            self._socket.sendall(json.dumps(message).encode() + b"\n")

    def end(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.wait()
        self._stdout.close()
        self._socket.close()


class Spare:
    """A worker that has started already, for the next statement.

    A worker answers one statement and ends, so nothing of one is left for the next.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._ready: list[_Worker] = []
        self._is_closed = False

    def take(self) -> _Worker:
        """Return the worker that waits, or start one."""
        with self._lock:
            return self._ready.pop() if self._ready else _Worker()

    def renew(self) -> None:
        """Start a worker unless one waits."""
        with self._lock:
            if not self._ready and not self._is_closed:
                self._ready.append(_Worker())

    def close(self) -> None:
        """End the worker that waits."""
        with self._lock:
            self._is_closed = True
            while self._ready:
                self._ready.pop().end()


@contextmanager
def run_sql(
    data_set: DataSet,
    statement: Statement,
    limits: QueryLimits,
    require_wanted: Callable[[], None] = lambda: None,
    spare: Spare | None = None,
) -> Iterator[QueryResult]:
    """Run one reading statement over a data set, within limits; return rows of plain values.

    It runs in the worker of a ``spare``, which then starts another. Raises
    UsageError when the SQL is at fault, DataError when it runs out of time or memory, or the data
    set is missing or damaged, and what ``require_wanted`` raises, which is called several times a
    second. All may also come while the rows are read.
    """
    with _frames(data_set, statement, RowForm.JSON, limits, require_wanted, spare) as frames:
        parts = map(json.loads, frames)
        yield QueryResult(next(parts), (row for rows in parts for row in rows))


@contextmanager
def run_sql_to_arrow(
    data_set: DataSet, statement: Statement, limits: QueryLimits, form: RowForm
) -> Iterator[ArrowResult]:
    """Run one reading statement as `run_sql` does; return its rows in one of the Arrow forms."""
    import pyarrow as pa

    with _frames(data_set, statement, form, limits) as frames:
        streams = map(pa.ipc.open_stream, frames)
        schema = next(streams).schema
        yield ArrowResult(schema, (batch for stream in streams for batch in stream))


@contextmanager
def _frames(
    data_set: DataSet,
    statement: Statement,
    form: RowForm,
    limits: QueryLimits,
    require_wanted: Callable[[], None] = lambda: None,
    spare: Spare | None = None,
) -> Iterator[Iterator[bytes]]:
    """Run a statement in a worker; yield the frames of its answer but the last."""
    request = {
        "game": data_set.game.name,
        "sql": statement.sql,
        "parameters": statement.parameters,
        "form": form,
        "memory": limits.memory,
    }
    worker = spare.take() if spare else _Worker()
    try:
        worker.send(request)
        pipe = _Pipe(worker.answer, limits, require_wanted)
        tables = json.loads(_frame(data_set, pipe, _Files({})) or "[]")
        with data_set.lock(write=False):
            files = _Files(open_parts(data_set, partial(require_usable, tables=tables)))
        names = file_names(files.opened, files.name_of)
        message = {
            "tables": list(tables_named(names)),
            "there": sorted({t for part in files.opened.values() for t in part.manifest.tables}),
            "variables": variable_script(names),
            "parts": names.parts,
        }
        worker.send(message, files.descriptors)
        yield iter(partial(_frame, data_set, pipe, files), None)
    finally:
        worker.end()
        if spare:
            Thread(target=spare.renew).start()  # Nobody waits for that.


def _frame(data_set: DataSet, pipe: "_Pipe", files: _Files) -> bytes | None:
    """Read a frame; return None for the last, or raise the error in it.

    Raises DamagedError when the files change meanwhile, or the error names one of them.
    """
    with require_unchanged(files.opened):
        is_last, size = HEAD.unpack(pipe.read(HEAD.size))
        content = pipe.read(size)
        if is_last and (last := json.loads(content)):
            error = with_paths(last["error"], files.opened, files.name_of)
            if error != last["error"]:
                raise DamagedError(error)
            if last["may_be_data"] and (damage := unreadable(data_set, files.opened)):
                raise DamagedError(damage)
            if last["lacks"]:
                error += f"; {why_missing(data_set, last['lacks'])}"
            raise DataError(error, Cure(last["cure"])) if last["cure"] else UsageError(error)
    return None if is_last else content


class _Pipe:
    """What a worker sends, within limits."""

    def __init__(
        self, handle: int, limits: QueryLimits, require_wanted: Callable[[], None]
    ) -> None:
        self._handle, self._limits, self._require_wanted = handle, limits, require_wanted
        self._poll = select.poll()  # for any number of open files
        self._poll.register(handle, select.POLLIN)
        self._end = time.monotonic() + limits.seconds
        self._total = 0

    def read(self, size: int) -> bytes:
        """Read so many bytes. Raises DataError when that is too much, too late, or the end."""
        self._total += size
        if self._limits.answer is not None and self._total > self._limits.answer:
            most = amount(self._limits.answer)
            raise DataError(f"the answer has more than {most}: select fewer or shorter values")
        if size > self._limits.memory:
            raise DataError("the answer holds more than the query may have", Cure("more memory"))
        content = bytearray()
        while len(content) < size:
            left = self._end - time.monotonic()
            ready = self._poll.poll(1000 * min(_GLANCE, max(0.0, left)))
            self._require_wanted()
            if left <= 0:
                raise self._limits.too_late()
            if ready:
                chunk = os.read(self._handle, min(_CHUNK, size - len(content)))
                if not chunk:
                    raise DataError(
                        "the query ended its process, as too little memory does",
                        Cure("more memory"),
                    )
                content += chunk
        return bytes(content)
