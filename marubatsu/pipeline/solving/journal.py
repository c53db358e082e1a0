"""What a killed run of a solver resumes from: the journal, and the rows that play reaches.

The journal grows by a line, under its own hash, whenever a file is written and synced. A resumed
run believes the lines up to the first that is torn or damaged. It compares hash, layout, rows and
values of all files that they name, and repeats what a damaged file holds and what was made from it.

In games with gravity, files say which rows of a ply play reaches. They have a bit for each row,
compressed to about a quarter. The files of a ply are named by their first row, so what one engine
wrote in its pieces, another one reads.
"""

import hashlib
import json
import math
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, Self

import numpy as np
import zstandard

from marubatsu.engine.large.arrays import Bytes, Words, bytes_of
from marubatsu.engine.large.index import rows_of_plies
from marubatsu.engine.large.values import NULL
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.solving.solution_files import ValueCount, values_of
from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.support.errors import DamagedError
from marubatsu.pipeline.support.events import note, step
from marubatsu.pipeline.support.resources import near, read_whole
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.integrity import Problem, file_or_problem
from marubatsu.pipeline.tables.manifest import Entry, Manifest
from marubatsu.pipeline.tables.solution_parts import part_file, parts
from marubatsu.pipeline.tables.work_in_progress import JOURNAL, lines_of, state_in


@dataclass
class WrittenPart:
    """A written part: its entry for the manifest, and its classes and positions by value."""

    entry: Entry
    value_counts: list[ValueCount]


@dataclass
class Journal:
    """What is done: forward by ply from 0, backward by ply from the last, and by part."""

    goal: DataSet
    forward: list[str] = field(default_factory=list)  # hash of the bits of each ply
    plies: int | None = None  # how many plies play reaches, when that is known
    backward: dict[int, dict[int, WrittenPart]] = field(default_factory=dict)  # by ply and number

    @classmethod
    def open(cls, goal: DataSet) -> Self:
        """Read the journal of an earlier run of this version, as far as its files are intact."""
        journal = cls(goal)
        lines = list(lines_of(goal.folder))
        if lines[:1] == [journal._head]:
            journal._take(lines[1:])
        if journal.state:
            note("resumed", f"resuming {goal.game.name}: {journal.state}", state=journal.state)
        goal.write(JOURNAL, memoryview(b"".join(map(_written, journal._lines()))))
        return journal

    @property
    def state(self) -> str | None:
        """What is done, in words; None when nothing is."""
        is_new = not self.forward and not self.backward
        return None if is_new else state_in(self._lines(), self.goal.game)

    @property
    def files(self) -> dict[str, Entry]:
        """The entries of all written parts for the manifest."""
        return {
            part_file(ply, number): part.entry
            for ply, of in self.backward.items()
            for number, part in of.items()
        }

    @property
    def value_counts(self) -> dict[int, list[ValueCount]]:
        """The classes and positions of each ply by value."""
        value_counts: dict[int, list[ValueCount]] = {}
        for ply, of in self.backward.items():
            counts: dict[int, tuple[int, int]] = {}
            rows = (row for part in of.values() for row in part.value_counts)
            for value, classes, positions in rows:
                before = counts.get(value, (0, 0))
                counts[value] = before[0] + classes, before[1] + positions
            value_counts[ply] = [(value, *count) for value, count in sorted(counts.items())]
        return value_counts

    def left(self, ply: int, rows: int) -> list[tuple[int, int, int]]:
        """List the parts of a ply that are not written: number, first row, row after the last."""
        done = self.backward.get(ply, {})
        return [part for part in parts(rows) if part[0] not in done]

    def forward_done(self, sha256: str) -> None:
        """Note that the rows of the next ply are known that play reaches."""
        self.forward.append(sha256)
        self._add({"forward": sha256})
        _note_ply("forward", len(self.forward) - 1)

    def ends(self, plies: int) -> None:
        """Note that play reaches so many plies."""
        self.plies = plies
        self._add({"plies": plies})

    def part_done(self, ply: int, number: int, part: WrittenPart) -> None:
        """Note that a part of a ply is written."""
        self.backward.setdefault(ply, {})[number] = part
        self._add(_part_line(ply, number, part))

    def backward_done(self, ply: int) -> None:
        """Note that all parts of a ply are written."""
        _note_ply("backward", ply)

    @property
    def _head(self) -> dict[str, Any]:
        return {"game": self.goal.game.notation, "version": VERSION}

    def _lines(self) -> Iterator[dict[str, Any]]:
        yield self._head
        for sha256 in self.forward:
            yield {"forward": sha256}
        if self.plies is not None:
            yield {"plies": self.plies}
        for ply, of in self.backward.items():
            for number, part in of.items():
                yield _part_line(ply, number, part)

    def _take(self, lines: list[dict[str, Any]]) -> None:
        """Take over what lines say, as far as their files are intact and fit the game."""
        rows = rows_of_plies(self.goal.game)
        forward = [line["forward"] for line in lines if "forward" in line]
        for ply, sha256 in enumerate(forward[: len(rows)]):
            if not self._is_reached(ply, rows[ply], sha256):
                return
            self.forward.append(sha256)
        self.plies = next((line["plies"] for line in lines if "plies" in line), None)
        if self.plies is not None and not 0 < self.plies <= len(self.forward or rows):
            self.plies = None
            return
        written = [line for line in lines if "part" in line]
        for ply in sorted({line["part"][0] for line in written}, reverse=True):
            here = rows[ply] if ply < len(rows) else 0
            sizes = {number: last - first for number, first, last in parts(here)}
            is_whole = True
            for line in (line for line in written if line["part"][0] == ply):
                number, entry = line["part"][1], Entry(**line["entry"])
                value_counts = [tuple(count) for count in line["value_counts"]]
                part = WrittenPart(entry, value_counts)
                if entry.rows == sizes.get(number) and self._is_sound(part_file(ply, number), part):
                    self.backward.setdefault(ply, {})[number] = part
                else:
                    is_whole = False
            if not is_whole:
                return

    def _is_reached(self, ply: int, rows: int, sha256: str) -> bool:
        """Whether the files have a bit for each row of a ply, and the hash in the journal."""
        try:
            return reached_sha256(self.goal, ply, rows) == sha256
        except DamagedError:
            return False

    def _is_sound(self, file: str, part: WrittenPart) -> bool:
        """Whether a part is laid out as declared, and has the values that the journal counts."""
        manifest = Manifest(self.goal.game.notation, VERSION, {file: part.entry})
        opened = file_or_problem(self.goal, manifest, file, is_copied=False)
        if isinstance(opened, Problem):
            return False
        try:
            values = values_of(opened.rows()["value"].combine_chunks())
        except DamagedError:
            return False
        present, counts = np.unique(values[values != NULL], return_counts=True)
        classes_of = dict(zip(present.tolist(), counts.tolist(), strict=True))
        most = len(symmetries(self.goal.game))
        return classes_of == {value: classes for value, classes, _ in part.value_counts} and all(
            classes <= positions <= most * classes for _, classes, positions in part.value_counts
        )

    def _add(self, line: dict[str, Any]) -> None:
        with self.goal.path(JOURNAL).open("ab") as file:
            file.write(_written(line))
            file.flush()
            os.fsync(file.fileno())


def _note_ply(direction: str, ply: int) -> None:
    step("ply", f"{direction}, ply {ply} done", **{"pass": direction, "ply": ply})


def _part_line(ply: int, number: int, part: WrittenPart) -> dict[str, Any]:
    return {"part": [ply, number], "entry": asdict(part.entry), "value_counts": part.value_counts}


def _written(line: dict[str, Any]) -> bytes:
    text = json.dumps(line).encode()
    return hashlib.sha256(text).hexdigest().encode() + b" " + text + b"\n"


REACHED = "reached"
"""The folder of the files that say which rows play reaches."""

_PIECE = 1 << 27  # rows of such a file, at most
_LEVEL = 1  # 2 billion rows a second; level 9 takes off a sixth more, and six times as long


def reached_file(ply: int, first: int = 0) -> str:
    """Name the file of the rows of a ply from ``first`` on, with which a byte begins."""
    return f"{REACHED}/{ply:02}/{first:019}.zst"


def write_reached(goal: DataSet, ply: int, words: Words, rows: int, first: int = 0) -> None:
    """Write the bits of so many rows of a ply from ``first`` on."""
    bits, compressor = bytes_of(words, rows), zstandard.ZstdCompressor(_LEVEL, write_checksum=True)
    for start in range(0, rows, _PIECE):
        piece = bits[start // 8 : (start + _PIECE) // 8]
        data = compressor.compress(piece.data)
        goal.write(reached_file(ply, first + start), memoryview(data))


def remove_reached(goal: DataSet, ply: int) -> None:
    """Remove what an earlier run wrote of a ply, perhaps in other pieces."""
    shutil.rmtree(goal.path(reached_file(ply)).parent, ignore_errors=True)


def read_reached(goal: DataSet, ply: int, words: Words, rows: int, first: int = 0) -> None:
    """Read the bits of so many rows of a ply from ``first`` on.

    Raises DamagedError when files of them are damaged or missing.
    """
    bits, begin = bytes_of(words, rows), first // 8
    end, read = begin + bits.size, 0
    for at, piece in _pieces(goal, ply, begin, end):
        low, high = max(begin, at), min(end, at + piece.size)
        if high <= low:
            break
        bits[low - begin : high - begin] = piece[low - at : high - at]
        read += high - low
    if read != bits.size:
        raise _damaged(goal, ply)


def reached_sha256(goal: DataSet, ply: int, rows: int) -> str:
    """Return the SHA-256 of the bits of all rows of a ply.

    Raises DamagedError when their files are damaged or missing, or have other rows.
    """
    size, digest = 0, hashlib.sha256()
    for at, piece in _pieces(goal, ply, 0, -(-rows // 8)):
        if at != size:
            raise _damaged(goal, ply)
        size += piece.size
        digest.update(piece.data)
    if size != -(-rows // 8):
        raise _damaged(goal, ply)
    return digest.hexdigest()


def _pieces(goal: DataSet, ply: int, begin: int, end: int) -> Iterator[tuple[int, Bytes]]:
    """Yield the files with some of the bytes of a ply, in order: their first byte, and all."""
    folder = goal.path(reached_file(ply)).parent
    names = [path.stem for path in folder.glob("*.zst")]
    starts: list[float] = sorted(int(name) // 8 for name in names if name.isdecimal())
    for start, stop in pairwise([*starts, math.inf]):
        if start < end and begin < stop:
            at = int(start)
            try:
                data = read_whole(goal.path(reached_file(ply, 8 * at)))
                if zstandard.frame_content_size(data) > _PIECE // 8:
                    raise _damaged(goal, ply)
                yield at, np.frombuffer(zstandard.ZstdDecompressor().decompress(data), np.uint8)
            except (OSError, zstandard.ZstdError):
                raise _damaged(goal, ply) from None


def _damaged(goal: DataSet, ply: int) -> DamagedError:
    return DamagedError(f"{near(goal.path(reached_file(ply)).parent)} is damaged")
