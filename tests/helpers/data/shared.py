"""Folders for all worker processes of a test run, each made by the first that needs it."""

import fcntl
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


class Shared:
    """Folders made once in a run. All tests read them; those that write take a copy."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: dict[Path, dict[Path, tuple[int, int]]] = {}

    def make(self, name: str, make: Callable[[Path], None]) -> Path:
        """Return a folder by its name; when it is not there yet, make it or wait for it."""
        found = self.try_to_make(name, make, wait=True)
        assert found
        return found

    def make_all(self, makers: Mapping[str, Callable[[Path], None]]) -> list[Path]:
        """Return folders by their names; leave to others what they are making already."""
        for name, make in makers.items():
            self.try_to_make(name, make, wait=False)
        return [self.make(name, make) for name, make in makers.items()]

    def try_to_make(self, name: str, make: Callable[[Path], None], *, wait: bool) -> Path | None:
        """Return a folder by its name; without waiting, None while another worker makes it.

        A folder appears under its name when it is complete.
        """
        goal = self.folder / name
        with self._locked(name, wait=wait) as is_ours:
            if not is_ours:
                return None
            if not goal.exists():
                partial = self.folder / "unfinished" / name
                shutil.rmtree(partial, ignore_errors=True)  # of a worker that was killed
                partial.mkdir(parents=True)
                make(partial)
                goal.parent.mkdir(parents=True, exist_ok=True)
                partial.rename(goal)
        self.made.setdefault(goal, states(goal))
        return goal

    @contextmanager
    def _locked(self, name: str, *, wait: bool) -> Iterator[bool]:
        path = self.folder / "locks" / name.replace("/", "+")
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
            else:
                yield True

    def changed(self) -> list[Path]:
        """Return the files of shared folders that a test has written, made or removed."""
        return sorted(
            path
            for folder, before in self.made.items()
            for path, _ in before.items() ^ states(folder).items()
        )


def states(folder: Path) -> dict[Path, tuple[int, int]]:
    """Return size and time of change of every file in a folder."""
    return {
        path: (path.stat().st_size, path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def linked(folder: Path, into: Path) -> None:
    """Put a shared folder into another shared folder, by hard links: no one writes to either."""
    shutil.copytree(folder, into, copy_function=_link, dirs_exist_ok=True)


def _link(source: str, goal: str) -> None:
    Path(goal).hardlink_to(source)
