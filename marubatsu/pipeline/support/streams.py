"""The standard streams of a command, as odd callers leave them: closed, or without Unicode."""

import codecs
import io
import os
import sys
from contextlib import suppress
from typing import TextIO


def mend_streams() -> None:
    """Open the standard streams that are closed, and let no character fail to be written.

    Otherwise the next file that is opened takes the number of a closed stream, and what is printed
    goes there. A closed input is empty, a closed output refuses what is written, and closed errors
    are lost. A character that the encoding of a stream lacks is written as an escape sequence. A
    byte that the encoding of the input lacks is read as half a surrogate pair.
    """
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)  # It takes the lowest number.
    sys.stdin = sys.stdin or os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="surrogateescape")
    for stream in (sys.stdout, sys.stderr):
        is_own_choice = stream.errors not in ("strict", "surrogateescape")
        if isinstance(stream, io.TextIOWrapper) and not is_own_choice:
            stream.reconfigure(errors="backslashreplace")


def drop_output() -> None:
    """Let standard output lead nowhere, so that what it still holds is not written.

    Where it is no file, somebody in this process reads it.
    """
    with suppress(io.UnsupportedOperation):
        output = sys.stdout.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), output)


def has_unicode(out: TextIO) -> bool:
    """Whether every character can be written to a stream."""
    return codecs.lookup(out.encoding or "utf-8").name.startswith("utf")
