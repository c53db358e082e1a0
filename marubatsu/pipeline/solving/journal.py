"""The journal of an unfinished solution, from which a killed run resumes.

The journal grows by a line, under its own hash, whenever a file is written and synced. A resumed
run believes the lines up to the first that is torn or damaged. It compares hash, layout, rows and
values of all files that they name, and repeats what a damaged file holds and what was made from it.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import numpy as np

from marubatsu.engine.large.index import rows_of_plies
from marubatsu.engine.large.values import NULL
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.solving.parts import ValueCount, reached_sha256, values_of
from marubatsu.pipeline.support.errors import DamagedError
from marubatsu.pipeline.support.events import note, step
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.integrity import Problem, file_or_problem
from marubatsu.pipeline.tables.manifest import Entry, Manifest, part_file, parts
from marubatsu.pipeline.tables.solving_state import JOURNAL, SolvingState, lines_of


@dataclass
class WrittenPart:
    """A written part: its entry for the manifest, and its classes and positions by value."""

    entry: Entry
    value_counts: list[ValueCount]


@dataclass
class Journal:
    """What is done: forward by ply from 0, backward by ply from the last, and by part."""

    goal: DataSet
    version: str  # of format and rules
    forward: list[str] = field(default_factory=list)  # hash of the bits of each ply
    plies: int | None = None  # how many plies play reaches, when that is known
    backward: dict[int, dict[int, WrittenPart]] = field(default_factory=dict)  # by ply and number

    @classmethod
    def open(cls, goal: DataSet, version: str) -> Self:
        """Read the journal of an earlier run of this version, as far as its files are intact."""
        journal = cls(goal, version)
        lines = list(lines_of(goal.folder))
        if lines[:1] == [journal._head]:
            journal._take(lines[1:])
        if journal.state:
            note("resumed", f"resuming {goal.game.name}: {journal.state}", state=journal.state)
        journal._begin()
        return journal

    @property
    def state(self) -> str | None:
        """What is done, in words; None when nothing is."""
        is_new = not self.forward and not self.backward
        return None if is_new else str(SolvingState.of(self._lines(), self.goal.game))

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
        self._tell("forward", len(self.forward) - 1)

    def ends(self, plies: int) -> None:
        """Note that play reaches so many plies."""
        self.plies = plies
        self._add({"plies": plies})

    def part_done(self, ply: int, number: int, part: WrittenPart) -> None:
        """Note that a part of a ply is written."""
        self.backward.setdefault(ply, {})[number] = part
        self._add(_part_line(ply, number, part))

    def backward_done(self, ply: int) -> None:
        """Tell that all parts of a ply are written."""
        self._tell("backward", ply)

    def _tell(self, what: str, ply: int) -> None:
        step("ply", f"{what}, ply {ply} done", **{"pass": what, "ply": ply})

    @property
    def _head(self) -> dict[str, Any]:
        return {"game": self.goal.game.notation, "version": self.version}

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
        manifest = Manifest(self.goal.game.notation, self.version, {file: part.entry})
        opened = file_or_problem(self.goal, manifest, file, is_copied=False)
        if isinstance(opened, Problem):
            return False
        try:
            values = values_of(opened.rows()["value"].combine_chunks())
        except DamagedError:
            return False
        counts = np.bincount(values.view(np.uint8), minlength=256)
        counts[NULL] = 0
        classes_of = {value: int(counts[value % 256]) for value in range(-128, 128)}
        classes_of = {value: count for value, count in classes_of.items() if count}
        most = len(symmetries(self.goal.game))
        return classes_of == {value: classes for value, classes, _ in part.value_counts} and all(
            classes <= positions <= most * classes for _, classes, positions in part.value_counts
        )

    def _begin(self) -> None:
        """Write the journal with what is known."""
        self.goal.write(JOURNAL, memoryview(b"".join(map(_written, self._lines()))))

    def _add(self, line: dict[str, Any]) -> None:
        with self.goal.path(JOURNAL).open("ab") as file:
            file.write(_written(line))
            file.flush()
            os.fsync(file.fileno())


def _part_line(ply: int, number: int, part: WrittenPart) -> dict[str, Any]:
    return {"part": [ply, number], "entry": asdict(part.entry), "value_counts": part.value_counts}


def _written(line: dict[str, Any]) -> bytes:
    text = json.dumps(line).encode()
    return hashlib.sha256(text).hexdigest().encode() + b" " + text + b"\n"
