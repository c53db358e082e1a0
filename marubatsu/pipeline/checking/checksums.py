"""The checksums of a published folder, which need no marubatsu to be compared."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from marubatsu.pipeline.support.cures import Cure
from marubatsu.pipeline.support.resources import file_sha256, read_whole
from marubatsu.pipeline.tables.integrity import Problem

SUMS = "SHA256SUMS"
"""The checksums of a published folder: ``sha256sum -c SHA256SUMS`` compares all files."""

CURE = Cure("publish")
"""What to do about the problems of a published folder."""

_LINE = re.compile(r"([0-9a-f]{64})  ([\w.=-]+(?:/[\w.=-]+)*)", re.ASCII)


def render_sums(sums: Mapping[str, str]) -> bytes:
    """Write the SHA-256 of files by their names, sorted."""
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums)).encode()


def read_sums(folder: Path) -> dict[str, str]:
    """Read the SHA-256 of the files of a published folder, by their names in it.

    Raises OSError when the list cannot be read, ValueError when it is none or leads elsewhere.
    """
    text = read_whole(folder / SUMS).decode("ascii")
    lines = [_LINE.fullmatch(line) for line in text.split("\n")[:-1]]
    sums = {line[2]: line[1] for line in lines if line}
    leads_elsewhere = any(".." in PurePosixPath(name).parts for name in sums)
    if leads_elsewhere or render_sums(sums) != text.encode():
        raise ValueError(f"it is not a list of checksums as {SUMS} has them")
    return sums


def listed_files(folder: Path) -> list[str]:
    """Return the names of all files of a published folder. Raises OSError or ValueError."""
    return [*read_sums(folder), SUMS]


def sum_problems(folder: Path) -> Iterator[Problem]:
    """Compare every listed file of a folder with its checksum; nothing if it has no list."""
    try:
        sums = read_sums(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        yield Problem("damaged", folder / SUMS, f"cannot be read: {error.strerror}")
        return
    except ValueError as error:
        yield Problem("damaged", folder / SUMS, str(error))
        return
    for name, expected in sums.items():
        path = folder / name
        try:
            _, actual = file_sha256(path)
        except FileNotFoundError:
            yield Problem("missing", path, f"{SUMS} lists it")
            continue
        except OSError as error:
            yield Problem("damaged", path, f"cannot be read: {error.strerror}")
            continue
        if actual != expected:
            reason = f"has sha256 {actual[:12]}…, {SUMS} says {expected[:12]}…"
            yield Problem("damaged", path, reason)
