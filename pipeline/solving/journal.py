"""The journal of an unfinished solution, from which a killed run resumes.

The journal is rewritten, under its own hash, whenever a ply is done. It holds the number of keys
and the hash of each file. A resumed run compares all hashes first. It repeats the ply of a damaged
file and every ply that was done after it.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from marubatsu.pipeline.solving.key_file import KeyFile
from marubatsu.pipeline.store.data_set import DataSet, file_sha256
from marubatsu.pipeline.store.manifest import Entry
from marubatsu.pipeline.store.solving_state import JOURNAL, describe
from marubatsu.pipeline.support.events import note, step

KEYS = "keys"
RUNS = "runs"


@dataclass
class Journal:
    """The plies that are done, forward by ply from 0, backward by ply from the last."""

    goal: DataSet
    version: str  # of format and rules
    forward: list[tuple[int, str]] = field(default_factory=list)  # keys of a ply, hash of its file
    is_complete: bool = False  # whether there is no further ply
    backward: dict[int, dict[str, Entry]] = field(default_factory=dict)  # by ply and file

    @classmethod
    def open(cls, goal: DataSet, version: str) -> Self:
        """Read the journal of an earlier run of this version, as far as its files are intact."""
        journal = cls(goal, version)
        try:
            sha256, _, text = goal.path(JOURNAL).read_bytes().partition(b"\n")
        except OSError:
            return journal
        if sha256.decode(errors="replace") == hashlib.sha256(text).hexdigest():
            content = json.loads(text)
            if content["game"] == goal.game.notation and content["version"] == version:
                journal._take(content)
        if journal.state:
            note("resumed", f"resuming {goal.game.name}: {journal.state}", state=journal.state)
        return journal

    @property
    def files(self) -> dict[str, Entry]:
        """The entries of all written parts for the manifest."""
        return {name: entry for ply in self.backward.values() for name, entry in ply.items()}

    def keys(self, ply: int) -> KeyFile:
        """Return the keys of a ply that is done forward."""
        return KeyFile(key_path(self.goal, ply), self.forward[ply][0])

    def hash_of_keys(self, ply: int, count: int) -> str:
        """Hash the keys of a ply. Raises OSError when they cannot be read."""
        return KeyFile(key_path(self.goal, ply), count).sha256()

    def forward_done(self, count: int, sha256: str) -> None:
        """Note that the keys of the next ply are written; no keys mean that there is none."""
        if count:
            self.forward.append((count, sha256))
            self._write()
            self._tell("forward", len(self.forward) - 1, count)
        else:
            self.is_complete = True
            self._write()

    def backward_done(self, ply: int, files: dict[str, Entry]) -> None:
        """Note that all parts of a ply are written."""
        self.backward[ply] = files
        self._write()
        self._tell("backward", ply, sum(entry.rows for entry in files.values()))

    def _tell(self, what: str, ply: int, classes: int) -> None:
        named = "class" if classes == 1 else "classes"
        message = f"{what}, ply {ply} done: {classes:,} {named}"
        step("ply", message, **{"pass": what, "ply": ply, "classes": classes})

    @property
    def state(self) -> str | None:
        """The plies that are done, in words; None when there are none."""
        return describe(self._content(), self.goal.game) if self.forward else None

    def _take(self, content: dict[str, Any]) -> None:
        forward = [(count, sha256) for count, sha256 in content["forward"]]
        backward: dict[int, dict[str, Entry]] = {}
        for ply in reversed(range(len(forward) if content["is_complete"] else 0)):
            files = {
                name: Entry(**entry)
                for name, entry in content["backward"].get(str(ply), {}).items()
            }
            if not files or not all(self._is_sound(*item) for item in files.items()):
                break
            backward[ply] = files
        # Keys are needed up to the ply that was written last; none when all are written.
        wanted = min(backward, default=len(forward) - 1) + 1 if 0 not in backward else 0
        for ply, (count, sha256) in enumerate(forward[:wanted]):
            try:
                if self.hash_of_keys(ply, count) != sha256:
                    return
            except OSError:
                return
            self.forward.append((count, sha256))
        self.forward = forward
        self.is_complete, self.backward = content["is_complete"], backward

    def _is_sound(self, file: str, entry: Entry) -> bool:
        try:
            return file_sha256(self.goal.path(file)) == (entry.bytes, entry.sha256)
        except OSError:
            return False

    def _content(self) -> dict[str, Any]:
        return {
            "game": self.goal.game.notation,
            "version": self.version,
            "forward": self.forward,
            "is_complete": self.is_complete,
            "backward": {
                ply: {name: asdict(entry) for name, entry in files.items()}
                for ply, files in self.backward.items()
            },
        }

    def _write(self) -> None:
        text = json.dumps(self._content()).encode()
        sha256 = hashlib.sha256(text).hexdigest().encode()
        self.goal.write(JOURNAL, memoryview(sha256 + b"\n" + text))


def key_path(goal: DataSet, ply: int) -> Path:
    """Return the path of the keys of a ply, which are kept until all is done."""
    return goal.path(KEYS) / f"{ply:02}.keys"
