"""The pinned packages with known vulnerabilities, by advisories that lie in a file; no network.

``python -m tools.scan_pins FILE`` (``make scan FILE=...``) compares every pin in
``requirements*.txt`` with records in the OSV format (https://ossf.github.io/osv-schema/). FILE is
a record, a list of records, a folder of ``.json`` files, or a zip archive of them, as OSV exports
for PyPI. It prints one line for each hit and exits with 1; for wrong input it exits with 2.
"""

import json
import re
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import NormalizedName, canonicalize_name
from packaging.version import InvalidVersion, Version

HOME = Path(__file__).parents[1]
ECOSYSTEM = "PyPI"
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
    id: str
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
        return f"{self.id}: {self.summary}; fixed in {', '.join(fixed) or 'no version'}"


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
    for name, text in _files(path):
        try:
            content = json.loads(text)
            for record in content if isinstance(content, list) else [content]:
                found += _of_record(record)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            told = f"{name} holds no OSV records ({error!r})"
            raise ScanError(f"{told}: expected one, a list, a folder or a zip archive") from error
    if not found:
        raise ScanError(f"{path} holds no record about a package on {ECOSYSTEM}")
    return found


def hits(pinned: Iterable[Pin], known: Iterable[Advisory]) -> list[tuple[Pin, Advisory]]:
    """List the pins that advisories affect, in their order."""
    by_name = defaultdict(list)
    for advisory in known:
        by_name[advisory.name].append(advisory)
    return [
        (pin, advisory)
        for pin in pinned
        for advisory in sorted(by_name[pin.name])
        if advisory.affects(pin.version)
    ]


def _files(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of the JSON files."""
    try:
        if path.is_dir():
            for file in sorted(path.rglob("*.json")):
                yield str(file), file.read_bytes()
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    if name.endswith(".json"):
                        yield f"{path}/{name}", archive.read(name)
        else:
            yield str(path), path.read_bytes()
    except OSError as error:
        raise ScanError(f"cannot read {path}: {error.strerror}") from error
    except zipfile.BadZipFile as error:
        raise ScanError(f"cannot read {path}: {error}") from error


def _of_record(record: dict[str, Any]) -> Iterator[Advisory]:
    told = record["id"], record.get("summary") or "see the record"
    for affected in record.get("affected", ()) if "withdrawn" not in record else ():
        package = affected.get("package", {})
        if package.get("ecosystem", "").partition(":")[0] == ECOSYSTEM:
            ranges = tuple(
                tuple(event for events in each["events"] for event in events.items())
                for each in affected.get("ranges", ())
                if each["type"] != "GIT"
            )
            versions = tuple(affected.get("versions", ()))
            yield Advisory(canonicalize_name(package["name"]), *told, versions, ranges)


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
        print(f"scan: {error}", file=sys.stderr)
        return 2
    found = hits(pinned, known)
    for (name, version, files), advisory in found:
        print(f"{name} {version} ({', '.join(files)}): {advisory}")
    if not found:
        print(f"no known vulnerability in {len(pinned)} pins, by {len(known):,} advisories")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
