"""The manifest of a data set: what was built, from which inputs, by which code.

It has no times and no machine names, so two builds of one version write the same bytes. It carries
the hash of its own content and has only one valid form, so a flipped byte is noticed, as in any
other file.
"""

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Self

from marubatsu.pipeline.store.listed_files import table_of

if TYPE_CHECKING:
    from marubatsu.pipeline.tables.parquet import Encoded

FORMAT = 1
FILE = "manifest.json"
START = b'{\n "format": '
"""The bytes with which every manifest starts, of any format."""

_TABLE_FILE = re.compile(r"[a-z_]+(\.[a-z0-9_]+){0,2}\.parquet|ply=\d\d/part-\d{4}\.parquet")


_HASH = re.compile("[0-9a-f]{64}")
_MOST = 1 << 63


class ManifestError(ValueError):
    """Bytes that are no manifest, with the reason."""


@dataclass(frozen=True)
class Entry:
    """The manifest's entry for one file."""

    rows: int
    bytes: int
    sha256: str  # of the file
    content: str  # of the rows, independent of the Parquet writer
    schema: str  # fingerprint of the table's columns
    made_by: str  # fingerprint of code, or versions: see `pipeline.stages.staleness`
    inputs: dict[str, str]  # content hash of each table the stage was made from

    @property
    def is_sound(self) -> bool:
        """Whether each value is of its type, and a number none below zero."""
        if not isinstance(self.inputs, dict):
            return False
        words = (self.schema, self.made_by, *self.inputs, *self.inputs.values())
        return (
            all(type(number) is int and 0 <= number < _MOST for number in (self.rows, self.bytes))
            and _are_words(*words)
            and all(_is_hash(of) for of in (self.sha256, self.content))
        )


def entry_of(encoded: "Encoded", made_by: str, inputs: dict[str, str]) -> Entry:
    """Return the entry for a file that holds these bytes."""
    return Entry(
        rows=encoded.rows,
        bytes=encoded.data.size,
        sha256=hashlib.sha256(encoded.data).hexdigest(),
        content=encoded.content,
        schema=encoded.table.version(encoded.game),
        made_by=made_by,
        inputs=inputs,
    )


@dataclass(frozen=True)
class Manifest:
    """The files of one game's data set."""

    game: str  # notation
    version: str  # of marubatsu
    files: dict[str, Entry]  # by file name
    code: dict[str, dict[str, str]] = field(default_factory=dict)
    """The code behind each fingerprint of `Entry.made_by`: the hash of each module, by its name."""

    @cached_property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(entry.bytes for entry in self.files.values())

    @property
    def tables(self) -> dict[str, Entry]:
        """The entries by the names of their tables."""
        return {table_of(file): entry for file, entry in self.files.items()}

    @property
    def data_hash(self) -> str:
        """One hash of all rows of all files, independent of the Parquet writer and of versions."""
        contents = {name: entry.content for name, entry in sorted(self.files.items())}
        return hashlib.sha256(_json(contents)).hexdigest()

    def with_files(
        self, version: str, files: dict[str, Entry], code: dict[str, dict[str, str]] | None = None
    ) -> Self:
        """Return the manifest with entries that a version of marubatsu added or replaced.

        Of the code it keeps what some file was made by.
        """
        files = {**self.files, **files}
        used = {entry.made_by for entry in files.values()}
        both = {**self.code, **(code or {})}
        kept = {made_by: both[made_by] for made_by in sorted(used & both.keys())}
        return replace(self, version=version, files=files, code=kept)

    def render(self) -> bytes:
        """Write the manifest, in the only form that `parse` accepts."""
        content: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game,
            "version": self.version,
            "files": {name: asdict(entry) for name, entry in sorted(self.files.items())},
        }
        if self.code:
            content["code"] = {name: dict(sorted(of.items())) for name, of in self.code.items()}
        content["sha256"] = hashlib.sha256(_json(content)).hexdigest()
        return _json(content)

    @classmethod
    def parse(cls, data: bytes) -> Self:
        """Read a manifest. Raises ManifestError when any byte of it has changed."""
        try:
            content = json.loads(data)
            if content["format"] != FORMAT:
                raise ManifestError(f"format {content['format']!r} is not {FORMAT}")
            manifest = cls(
                game=content["game"],
                version=content["version"],
                files={name: Entry(**entry) for name, entry in content["files"].items()},
                code=content.get("code", {}),
            )
            is_sound = (
                _are_words(manifest.game, manifest.version, *manifest.code)
                and all(_are_words(*code, *code.values()) for code in manifest.code.values())
                and all(
                    _TABLE_FILE.fullmatch(name) and entry.is_sound
                    for name, entry in manifest.files.items()
                )
            )
            intact = is_sound and manifest.render() == data
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            if isinstance(error, ManifestError):
                raise
            raise ManifestError("it is not a manifest") from error
        if not intact:
            raise ManifestError("its content does not fit its own sha256")
        return manifest


@lru_cache(maxsize=16)
def parsed(data: bytes) -> Manifest:
    """Read a manifest as `Manifest.parse` does, and remember those that were read of late.

    To read one takes as long as to answer a question with it.
    """
    return Manifest.parse(data)


def _is_hash(text: object) -> bool:
    return isinstance(text, str) and _HASH.fullmatch(text) is not None


def _are_words(*texts: object) -> bool:
    """Whether all are text of one line that a terminal shows as it is."""
    return all(isinstance(text, str) and text.isascii() and text.isprintable() for text in texts)


def _json(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, indent=1) + "\n").encode("ascii")
