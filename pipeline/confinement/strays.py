"""What foreign processes leave behind: processes without parents, folders of any depth."""

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

_ADOPT_ORPHANS = 36  # prctl


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, so that `end_all` reaches it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)


def children() -> set[int]:
    """Return the ids of our child processes; none on a system without ``/proc``."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            # The name of the program, in brackets, may contain any character.
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                found.add(int(stat.parent.name))
    return found


def end_all(spared: set[int]) -> None:
    """Kill our children except the spared ones, and the orphans we adopt, until none is left."""
    while strays := children() - spared:
        for stray in strays:
            with suppress(ProcessLookupError):
                os.kill(stray, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(stray, 0)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder that is removed at the end of the block, whatever was put there."""
    folder = Path(mkdtemp())
    try:
        yield folder
    finally:
        empty(folder)
        folder.rmdir()


def empty(folder: Path) -> None:
    """Remove all that is in a folder, however deep: what its folders hold moves up first."""
    free = (folder / f"{number}" for number in count())
    while entries := list(os.scandir(folder)):
        for entry in entries:
            if not _is_folder(entry):
                Path(entry).unlink()
                continue
            Path(entry).chmod(0o700)
            for inner in list(os.scandir(entry.path)):
                if _is_folder(inner):
                    Path(inner).chmod(0o700)  # Else it cannot move.
                Path(inner).rename(next(path for path in free if not os.path.lexists(path)))
            Path(entry).rmdir()


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)
