"""The answer key: the data that judges an AI, and our oracle over it. A box hides both.

What an AI computes is its own play, with a solver of its own or with our engine. So the engine and
our AIs stay visible.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from marubatsu.pipeline.store.data_folders import holds_data
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.resources import PACKAGE, REFERENCE, data_root

_ORACLE = PACKAGE / "judge" / "oracle"


def answer_key(data: Path | None, code: Iterable[Path]) -> list[Path]:
    """Return the files and folders that an AI may not see, as real paths.

    ``data`` is the folder of data that judges it; the default folders are part of the key too. A
    folder that contains the code of the AI, or what else it needs, is not hidden as a whole: the
    data of each game in it is.
    """
    needed = [Path(os.path.realpath(path)) for path in (*code, *_needed())]
    found = {_ORACLE, REFERENCE}
    for root in _roots(data):
        found.update(_hidden(Path(os.path.realpath(root)), needed))
    return sorted(path for path in found if path.exists())


def _needed() -> Iterator[Path]:
    with suppress(OSError):  # The working directory was deleted.
        yield Path.cwd()
    yield from map(Path, (sys.prefix, sys.base_prefix, sys.executable))
    yield PACKAGE


def _roots(data: Path | None) -> Iterator[Path]:
    """Yield the folder that judges, and those that commands read without the option data."""
    if data is not None:
        yield data
    environments: tuple[Mapping[str, str], ...] = (os.environ, {})
    for environment in environments:
        with suppress(UsageError):
            yield data_root(None, environment)


def _hidden(root: Path, needed: list[Path]) -> set[Path]:
    """Return a folder of data, or the folders of the games in it, and what their links lead to."""
    waiting = [root]
    if _contains(root, needed):
        waiting = [Path(os.path.realpath(path)) for path in root.iterdir() if holds_data(path)]
    found = set(waiting)
    while waiting:
        for folder, folders, files in os.walk(waiting.pop()):
            for name in (*folders, *files):
                entry = Path(folder, name)
                if not entry.is_symlink():
                    continue
                target = Path(os.path.realpath(entry))
                if target not in found and not _contains(target, needed):
                    found.add(target)
                    waiting.append(target)
    return found


def _contains(folder: Path, paths: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for path in paths)
