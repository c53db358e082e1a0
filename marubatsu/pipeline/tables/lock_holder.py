"""The process that holds a lock, from the list of the Linux kernel.

The kernel's list is right also after a kill, because no file is left behind.
"""

import os
from pathlib import Path

UNKNOWN = "another process"

_LOCKS = Path("/proc/locks")
_LONGEST = 80  # characters of a command


def holder_of(folder: Path) -> str | None:
    """Name the process that holds a lock on a folder, and its command; None if there is none.

    It is ``another process`` when the system hides it, as from a container. Where the system has no
    list of locks, the answer is None.
    """
    try:
        status = folder.stat()
        lines = _LOCKS.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    file = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    for line in lines:
        # As in "1: FLOCK  ADVISORY  WRITE 2041 fe:00:2458843 0 EOF"; one who waits has a "->".
        words = line.split()
        if words[1:2] == ["FLOCK"] and words[5:6] == [file]:
            return _described(words[4])
    return None


def _described(process: str) -> str:
    if int(process) <= 0:  # It belongs to another container.
        return UNKNOWN
    try:
        words = Path("/proc", process, "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return f"process {process}"
    arguments = words.rstrip("\0").split("\0")
    names = [Path(word).name for word in arguments[:3]]
    start = names.index("marubatsu") + 1 if "marubatsu" in names else 0
    text = " ".join(["marubatsu", *arguments[start:]] if start else arguments)
    text = "".join(c if c.isprintable() else "?" for c in text)
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1] + "…"
    return f"process {process} ({text})" if text else f"process {process}"
