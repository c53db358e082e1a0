"""SQL from a user, run in a process of its own: see `pipeline.sql.sandbox_worker`.

The worker gets a copy of the tables and can only compute. Only the time spent waiting for the
worker counts, so a slow reader of the answer does not use up the limit.
"""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.integrity import require_intact, tables_of
from marubatsu.pipeline.support.errors import DataError, UsageError

_CHUNK = 1 << 20
_GLANCE = 0.1  # seconds between checks for cancellation


@dataclass(frozen=True)
class QueryLimits:
    """The limits of one query."""

    seconds: float = 30.0
    memory: int = 10**9  # bytes


@dataclass(frozen=True)
class QueryResult:
    """The columns of an answer, and its rows as they arrive."""

    columns: Sequence[str]
    rows: Iterator[list[Any]]


@contextmanager
def run_sql(
    data_set: DataSet,
    sql: str,
    limits: QueryLimits,
    on_wait: Callable[[], None],
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[QueryResult]:
    """Run one reading statement over a data set, within limits.

    Raises UsageError when the SQL is at fault, DataError when it runs out of time or memory, is
    cancelled, or the data set is missing or damaged. Both may also come while the rows are read.
    """
    with data_set.lock(write=False, on_wait=on_wait):
        request = {
            "folder": str(data_set.folder.resolve()),
            "tables": list(tables_of(data_set, require_intact)),
            "sql": sql,
            "memory": limits.memory,
        }
        worker = subprocess.Popen(
            [sys.executable, "-P", "-m", "marubatsu.pipeline.sql.sandbox_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert worker.stdin
        assert worker.stdout
        stdin, stdout = worker.stdin, worker.stdout
        try:
            with suppress(BrokenPipeError):  # The worker has ended; `_messages` raises the error.
                stdin.write(json.dumps(request).encode() + b"\n")
                stdin.flush()  # It stays open: its end tells the worker that we ended.
            messages = _messages(stdout.fileno(), limits, is_cancelled)
            yield QueryResult(next(messages)["columns"], _rows(messages))
        finally:
            worker.kill()
            worker.wait()
            stdout.close()
            with suppress(BrokenPipeError):
                stdin.close()


def _rows(messages: Iterator[dict[str, Any]]) -> Iterator[list[Any]]:
    for message in messages:
        if "done" in message:
            return
        yield from message["rows"]


def _messages(
    handle: int, limits: QueryLimits, is_cancelled: Callable[[], bool]
) -> Iterator[dict[str, Any]]:
    """Yield the worker's messages; raise the errors in them."""
    for line in _lines(handle, limits, is_cancelled):
        message: dict[str, Any] = json.loads(line)
        if "error" in message:
            raise (UsageError if message["usage"] else DataError)(message["error"])
        yield message
        if "done" in message:
            return
    raise DataError("the query ended its process, as too little memory does; raise --memory")


def _lines(handle: int, limits: QueryLimits, is_cancelled: Callable[[], bool]) -> Iterator[bytes]:
    """Yield the lines of a pipe; raise DataError past the limit of time or memory."""
    left = limits.seconds
    parts: list[bytes] = []  # of an unfinished line
    while True:
        start = time.monotonic()
        ready, _, _ = select.select([handle], [], [], min(_GLANCE, max(0.0, left)))
        left -= time.monotonic() - start
        if is_cancelled():
            raise DataError("the query was cancelled")
        if not ready and left > 0:
            continue
        if not ready:
            raise DataError(f"the query was stopped after {limits.seconds:g} s; raise --timeout")
        chunk = os.read(handle, _CHUNK)
        if not chunk:
            return
        first, *others = chunk.split(b"\n")
        parts.append(first)
        if sum(map(len, parts)) > limits.memory:
            raise DataError("the answer holds more than the query may have; raise --memory")
        if others:
            yield b"".join(parts)
            yield from others[:-1]
            parts = [others[-1]]
