"""The pipes of a foreign process: every read and write of them ends in time, and is bounded."""

import os
import select
import subprocess
import time
from contextlib import suppress

_CHUNK = 1 << 16
_MOST = 1 << 16
"""Bytes that one question may be answered with; valid answers are shorter."""

_SHOWN = 500  # characters that are kept of what it prints


class FloodError(Exception):
    """More bytes than an answer may have."""


class EndedError(Exception):
    """The process has closed its output, which ends it for us."""


class Channel:
    """The lines of a process that was started with three pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Take the pipes over."""
        assert process.stdin
        assert process.stdout
        assert process.stderr
        self._pipes = (process.stdin, process.stdout, process.stderr)
        self._asks, self._answers, self._prints = (pipe.fileno() for pipe in self._pipes)
        for handle in (self._asks, self._answers, self._prints):
            os.set_blocking(handle, False)
        self._reading, self._answering = select.poll(), select.poll()  # Any number of descriptors.
        self._answering.register(self._answers, select.POLLIN)
        for handle in (self._answers, self._prints):
            self._reading.register(handle, select.POLLIN)
        self._pending = b""
        self._taken = 0  # bytes since the last question
        self.printed = ""  # the beginning of what it printed

    def stray(self) -> bytes:
        """Take what it wrote before it is asked; wait for nothing."""
        self._taken = 0
        while self._answering.poll(0) and self._take():
            pass
        found, self._pending, self._taken = self._pending, b"", 0
        return found

    def send(self, line: bytes, until: float) -> None:
        """Write a question, reading what it prints meanwhile. Raises as `receive` does."""
        while line:
            with suppress(BlockingIOError):
                line = line[os.write(self._asks, line) :]
            if line:
                self._reading.register(self._asks, select.POLLOUT)
                self._wait(until)
                self._reading.unregister(self._asks)

    def receive(self, until: float) -> bytes:
        """Return the next line of the answers, without its end.

        Raises TimeoutError at the time ``until`` of the monotonic clock, FloodError for too many
        bytes, EndedError when it has closed its output, OSError when nobody reads our questions.
        """
        while b"\n" not in self._pending:
            self._wait(until)
        line, _, self._pending = self._pending.partition(b"\n")
        return line

    def close(self) -> None:
        """Close the pipes."""
        for pipe in self._pipes:
            with suppress(OSError):
                pipe.close()

    def _wait(self, until: float) -> None:
        """Read what there is, or wait until there is something, or a question can be written."""
        left = until - time.monotonic()
        ready = dict(self._reading.poll(1000 * left)) if left > 0 else {}
        if not ready:
            raise TimeoutError
        if self._prints in ready:
            text = os.read(self._prints, _CHUNK)
            if not text:
                self._reading.unregister(self._prints)
            self.printed += text.decode(errors="replace")[: _SHOWN - len(self.printed)]
        if self._answers in ready and not self._take():
            raise EndedError

    def _take(self) -> bool:
        """Read a part of the answers; return whether there was any."""
        part = os.read(self._answers, _CHUNK)
        self._pending += part
        self._taken += len(part)
        if self._taken > _MOST:
            raise FloodError
        return bool(part)
