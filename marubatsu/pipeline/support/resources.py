"""Where things are: the files that come with the code, the folder of the data, and what is in it.

Somebody else may have filled a folder, so files are read only when they are regular files. A pipe
would wait for its other end, and a device might never end.
"""

import csv
import errno
import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from marubatsu.engine.rules.input_error import quote
from marubatsu.pipeline.support.errors import UsageError

PACKAGE = Path(__file__).resolve().parents[2]
"""The folder of the import package."""


def _shipped(name: str) -> Path:
    """Return a folder that a wheel has in the package, and a checkout next to it."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


QUERIES = _shipped("queries")
REFERENCE = QUERIES / "reference"
PAGE = _shipped("explorer")


def reference_rows(name: str) -> list[dict[str, str]]:
    """Read a table of numbers from elsewhere, each with its source; lines with # are remarks."""
    with (REFERENCE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def is_checkout() -> bool:
    """Return whether the code runs from a checkout, which has its own ``data/``."""
    return (PACKAGE.parent / "pyproject.toml").is_file()


def data_root(option: Path | None, environment: Mapping[str, str]) -> Path:
    """Return the folder of the data: the option, else MARUBATSU_DATA, else the default.

    Raises UsageError when it cannot be a folder.
    """
    named = environment.get("MARUBATSU_DATA")
    root = option or (Path(named) if named else _default_root())
    with suppress(RuntimeError):  # There is no such user.
        root = root.expanduser()
    try:
        wrong = _why_no_root(root)
    except (OSError, ValueError):  # The name is too long, or has a null character.
        wrong = "cannot be opened, expected a folder"
    if wrong:
        from marubatsu.pipeline.support.cures import Cure

        raise UsageError(f"{quote(str(root))} {wrong}: {Cure('data')}")
    return root


def _why_no_root(root: Path) -> str | None:
    """Say why a path cannot be the folder of the data; None when it can."""
    if str(root).startswith("~"):
        return "names the home folder of an unknown user"
    if re.match(r"[a-z][a-z0-9]+:/", str(root)):
        return "is an address, expected a folder of this machine"
    if (root.exists() or root.is_symlink()) and not root.is_dir():
        return "leads to no folder, expected one"
    try:
        os.path.realpath(root).encode()
    except UnicodeEncodeError:  # DuckDB and Arrow cannot open its files.
        return "has a name that is not UTF-8"
    return None


def _default_root() -> Path:
    if is_checkout():
        return PACKAGE.parent / "data"
    from platformdirs import user_data_path

    return user_data_path("marubatsu", appauthor=False)


def near(path: Path) -> Path:
    """Return a path as people write it: relative when it is below the working directory."""
    try:
        here = Path.cwd()
    except OSError:  # The working directory was deleted.
        return path
    return path.relative_to(here) if path.is_relative_to(here) else path


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
    import hashlib  # Help does without it: it takes milliseconds to load.

    with os.fdopen(opened(path), "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest


def sync(path: Path) -> None:
    """Sync a file, or the names in a folder, so that they survive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
