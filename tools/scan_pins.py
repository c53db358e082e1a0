"""The pinned packages with known vulnerabilities, by advisories that lie in a file; no network.

``python -m tools.scan_pins FILE`` (``make scan FILE=...``) compares every pin in
``requirements*.txt`` with records in the OSV format (https://ossf.github.io/osv-schema/). FILE is
a record, a list of records, a record on each line, a folder of ``.json`` files, or a zip archive of
them, as OSV exports for PyPI. It prints one line for each vulnerability of a pin, also when several
databases have a record of it, and exits with 1; for wrong input it exits with 2.
"""

import json
import lzma
import re
import sys
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name
from packaging.version import InvalidVersion, Version

from marubatsu.pipeline.support.errors import harmless

HOME = Path(__file__).parents[1]
ECOSYSTEM = "PyPI"
_MOST = 64_000_000  # bytes of JSON in one piece
_SUMMARY = 100  # characters
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError)
_NO_RECORD = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
_USAGE = "expected the path of OSV records: make scan FILE=all.zip"


class ScanError(ValueError):
    """An input that cannot be compared; the message says why."""


class Pin(NamedTuple):
    """A version that requirement files pin."""

    name: NormalizedName
    version: Version
    files: tuple[str, ...]


class Advisory(NamedTuple):
    """What a record says about one package on PyPI."""

    name: NormalizedName
    ids: tuple[str, ...]  # of the record, then of the same vulnerability elsewhere
    summary: str
    versions: tuple[str, ...]  # the affected ones, listed one by one
    ranges: tuple[tuple[tuple[str, str], ...], ...]  # of each range its events: kind, version

    def affects(self, version: Version) -> bool:
        """Whether a version is listed or in a range; a range that cannot be read counts."""
        if any(_is_version(listed, version) for listed in self.versions):
            return True
        try:
            return any(_is_within(events, version) for events in self.ranges)
        except InvalidVersion:
            return True

    def __str__(self) -> str:
        """Write the advisory as one line."""
        fixed = dict.fromkeys(at for each in self.ranges for kind, at in each if kind == "fixed")
        return f"{', '.join(self.ids)}: {self.summary}; fixed in {', '.join(fixed) or 'no version'}"


def pins(folder: Path) -> list[Pin]:
    """Read the pins of all requirement files of a folder. Raises ScanError when there are none."""
    found: dict[tuple[NormalizedName, Version], list[str]] = defaultdict(list)
    for path in sorted(folder.glob("requirements*.txt")):
        for line in re.findall(r"^\w[^\\\n]*", path.read_text(encoding="utf-8"), re.MULTILINE):
            required = Requirement(line)
            (pinned,) = required.specifier
            found[canonicalize_name(required.name), Version(pinned.version)].append(path.name)
    if not found:
        raise ScanError(f"{folder} pins no package: expected requirements*.txt with name==version")
    return [Pin(name, version, tuple(files)) for (name, version), files in sorted(found.items())]


def advisories(path: Path) -> list[Advisory]:
    """Read the records about packages on PyPI that nobody has withdrawn.

    Raises ScanError when a file cannot be read, holds something else, or no such record.
    """
    found: list[Advisory] = []
    try:
        for name, file in _files(path):
            with file:
                found += _of_file(name, file)
    except OSError as error:
        raise ScanError(f"cannot read {path}: {error.strerror or error}") from error
    except _DAMAGED as error:
        raise ScanError(f"cannot read the archive {path}: {error}") from error
    if not found:
        raise ScanError(f"{path} holds no record about a package on {ECOSYSTEM}")
    return found


def hits(pinned: Iterable[Pin], known: Iterable[Advisory]) -> list[tuple[Pin, Advisory]]:
    """List the pins that advisories affect, in their order; each vulnerability once."""
    by_name = defaultdict(list)
    for advisory in known:
        by_name[advisory.name].append(advisory)
    found = []
    for pin in pinned:
        told: set[str] = set()
        for advisory in sorted(by_name[pin.name]):
            if told.isdisjoint(advisory.ids) and advisory.affects(pin.version):
                told.update(advisory.ids)
                found.append((pin, advisory))
    return found


def _files(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield names and contents of the JSON files."""
    if path.is_dir():
        for file in sorted(path.rglob("*.json")):
            yield str(file), file.open("rb")
        return
    with path.open("rb") as opened:
        if opened.peek(2).startswith(b"PK"):
            with zipfile.ZipFile(opened) as archive:
                for name in archive.namelist():
                    if name.endswith(".json"):
                        yield f"{path}/{name}", archive.open(name)
        else:
            yield str(path), opened


def _of_file(name: str, file: IO[bytes]) -> Iterator[Advisory]:
    """Yield what the records of a file say. Raises ScanError when it holds something else."""
    try:
        for value in _values(file):
            for record in value if isinstance(value, list) else [value]:
                yield from _of_record(record)
    except _NO_RECORD as error:
        raise ScanError(
            f"{name} holds no OSV records ({type(error).__name__}: {error}): expected one, a list, "
            "one a line, a folder or a zip archive"
        ) from error


def _values(file: IO[bytes]) -> Iterator[Any]:
    """Yield the JSON of a file: one value, or one on each line."""
    line = file.readline(_MOST)
    try:
        first = json.loads(line)
    except ValueError:
        line += file.read(_MOST + 1 - len(line))
        if len(line) > _MOST:
            raise ValueError(f"more than {_MOST:,} bytes in one piece") from None
        yield json.loads(line)
        return
    yield first
    for line in iter(lambda: file.readline(_MOST), b""):
        if line.strip():
            yield json.loads(line)


def _of_record(record: dict[str, Any]) -> Iterator[Advisory]:
    ids = tuple(map(_text, [record["id"], *(record.get("aliases") or ())]))
    for affected in () if record.get("withdrawn") else record.get("affected") or ():
        package = affected.get("package") or {}
        if package.get("ecosystem", "").partition(":")[0] == ECOSYSTEM:
            ranges = tuple(
                tuple((kind, _text(at)) for event in each["events"] for kind, at in event.items())
                for each in affected.get("ranges") or ()
                if each["type"] != "GIT"  # Its versions are commits.
            )
            versions = tuple(map(_text, affected.get("versions") or ()))
            name = canonicalize_name(package["name"])
            yield Advisory(name, ids, _summary(record), versions, ranges)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"expected a text, got {value!r}")
    return value


def _summary(record: dict[str, Any]) -> str:
    """Return what a record is about, on one line; many have only the long text."""
    text = " ".join((record.get("summary") or record.get("details") or "see the record").split())
    return text if len(text) <= _SUMMARY else text[:_SUMMARY] + "…"


def _is_version(listed: str, version: Version) -> bool:
    try:
        return Version(listed) == version
    except InvalidVersion:  # Nobody can pin it.
        return False


def _is_within(events: tuple[tuple[str, str], ...], version: Version) -> bool:
    """Walk through the events of a range in the order of their versions."""
    limits = [at for kind, at in events if kind == "limit"]
    if limits and not any(at == "*" or version < _bound(at) for at in limits):
        return False
    is_within = False
    for at, kind in sorted((_bound(at), kind) for kind, at in events if kind != "limit"):
        if kind == "introduced":
            is_within |= version >= at
        elif version > at or (kind == "fixed" and version == at):
            is_within = False
    return is_within


def _bound(at: str) -> Version:
    """Return the version of an event; 0 comes before all others."""
    return Version("0.dev0" if at == "0" else at)


def main(arguments: list[str], folder: Path = HOME) -> int:
    """Scan the pins of a folder; return the exit code."""
    if len(arguments) != 1 or not arguments[0]:
        print(f"scan: {_USAGE}", file=sys.stderr)
        return 2
    try:
        pinned, known = pins(folder), advisories(Path(arguments[0]))
    except ScanError as error:
        print(f"scan: {harmless(str(error))}", file=sys.stderr)
        return 2
    found = hits(pinned, known)
    for (name, version, files), advisory in found:
        print(harmless(f"{name} {version} ({', '.join(files)}): {advisory}"))
    if not found:
        print(f"no known vulnerability in {len(pinned)} pins, by {len(known):,} advisories")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
