"""What others do with a data set: who holds its lock, and how far its solution has come.

Locks are in the list of the Linux kernel, which is right also after a kill, because no file is left
behind. How far an unfinished solution has come, its journal says.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.support.resources import read_whole
from marubatsu.pipeline.tables.manifest import MANIFEST, Entry
from marubatsu.pipeline.tables.solution_parts import MOST_PARTS

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
    text = re.sub(r"^.*?\bmarubatsu ", "marubatsu ", words.replace("\0", " ").strip())
    text = "".join(c if c.isprintable() else "?" for c in text)
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 1] + "…"
    return f"process {process} ({text})" if text else f"process {process}"


JOURNAL = "journal.jsonl"
"""The file in the folder of an unfinished solution: a line each of a hash, a space, JSON."""

_MOST_BYTES = 1 << 28
_MOST_PLIES = 64  # plies of any game at most, with that of the empty board


def state_in(lines: Iterable[dict[str, Any]], game: Game) -> str:
    """Say how far a solution has come by the lines of its journal."""
    all_lines = list(lines)
    backward = [line["part"][0] for line in all_lines if "part" in line]
    forward = sum("forward" in line for line in all_lines)
    if backward:
        return f"backward, as far as ply {min(backward)}"
    if any("plies" in line for line in all_lines):
        return "forward, all plies"
    return f"forward, as far as ply {forward - 1} of {game.cells}" if forward else "nothing yet"


def state_of(folder: Path, game: Game) -> str:
    """Say what is done in the folder of an unfinished solution, which need not exist."""
    if (folder / MANIFEST).exists():
        return "all plies, to be published"
    return state_in(lines_of(folder), game)


def lines_of(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a journal up to the first that is torn or damaged; none without one."""
    try:
        content = read_whole(folder / JOURNAL, _MOST_BYTES)
    except OSError:
        return
    for hashed in content.split(b"\n")[:-1]:
        sha256, _, text = hashed.partition(b" ")
        if hashlib.sha256(text).hexdigest().encode() != sha256:
            return
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            return
        if not _is_line(line):
            return
        yield line


def _is_line(line: Any) -> bool:
    match line:
        case {"game": str(), "version": str()} | {"forward": str()}:
            return len(line) == 2 - ("forward" in line)
        case {"plies": int(plies)}:
            return len(line) == 1 and 0 <= plies <= _MOST_PLIES
        case {"part": [int(ply), int(number)], "entry": dict(entry), "value_counts": list(counts)}:
            return (
                0 <= ply < _MOST_PLIES
                and 0 <= number < MOST_PARTS
                and entry.keys() == {field.name for field in fields(Entry)}
                and Entry(**entry).is_sound
                and all(isinstance(count, list) and [*map(type, count)] == [int] * 3
                        for count in counts)
            )  # fmt: skip
    return False
