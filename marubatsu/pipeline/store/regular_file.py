"""Files of a folder that somebody else may have filled, read only when they are regular files.

A pipe in place of a file would wait for its other end, and a device might never end. What is read
as a whole has a limit.
"""

import errno
import hashlib
import os
import stat
from pathlib import Path

MOST = 1 << 26
"""Bytes of a manifest, or of another document that is read as a whole."""


def opened(path: Path) -> int:
    """Open a file to read it, and return the handle. Raises OSError also when it is no file."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is no regular file")
    return handle


def read_whole(path: Path, most: int = MOST) -> bytes:
    """Read a file. Raises OSError also when it is no file, or larger than expected."""
    with os.fdopen(opened(path), "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
    return content


def file_sha256(path: Path) -> tuple[int, str]:
    """Return the size and the SHA-256 of a file. Raises OSError when it cannot be read."""
    with os.fdopen(opened(path), "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest
