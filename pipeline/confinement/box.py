"""The box that a foreign process runs in, and what the box of this machine does not hold.

On Linux with bubblewrap, a process gets namespaces of its own: it sees a few folders, which it
cannot change, no other process, no network, and a folder of limited size to write to, which ends
with it. Landlock and libseccomp, which `confine` applies inside, hold most of that without
bubblewrap too. Elsewhere nothing but Python's own hooks holds Python code.
"""

import shutil
import site
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import marubatsu
from marubatsu.pipeline.confinement import landlock, system_calls

SCRATCH_BYTES = 64 << 20
"""Size of the folder that a foreign process may write to; without bubblewrap, of each file."""

SCRATCH = Path(tempfile.gettempdir(), "scratch")
"""That folder, in a box of namespaces."""

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/etc/alternatives",
           "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/ssl", "/etc/ca-certificates",
           "/etc/passwd", "/etc/group", "/etc/nsswitch.conf")  # fmt: skip
_TO_CONNECT = ("/etc/hosts", "/etc/resolv.conf", "/run/systemd/resolve")
_NOTHING = "everything but what Python's hooks see: its files, its network, its signals"


@dataclass(frozen=True)
class Box:
    """What a foreign process may see and do."""

    readable: tuple[Path, ...] = ()  # besides what it needs to start
    network: bool = False
    bubblewrap: str | None = None  # the program; None for the weaker box

    @property
    def not_confined(self) -> str | None:
        """What the box does not hold, as the end of a sentence; None when it holds all."""
        return _not_confined(self.bubblewrap)

    def command(self, worker: Sequence[str], visible: Iterable[Path]) -> list[str]:
        """Return the command that runs a worker in the box, where it sees some paths."""
        if self.bubblewrap is None:
            return [*worker]
        visible, here = [*visible], Path.cwd()
        stays = any(here.is_relative_to(path) or path.is_relative_to(here) for path in visible)
        options = _namespaces(visible, network=self.network)
        return [self.bubblewrap, *options, "--chdir", str(here) if stays else "/", *worker]

    def visible(self, arguments: Iterable[str]) -> list[Path]:
        """Return the files and folders that a process can see whose arguments name its code."""
        paths = [Path(path) for path in (*_SYSTEM, *(_TO_CONNECT if self.network else ()))]
        return [*paths, *_distinct([*_python(), *_its_own(arguments), *self.readable])]


def best(readable: Iterable[Path] = (), *, network: bool = False) -> Box:
    """Return the strongest box that works on this machine."""
    return Box(tuple(path.absolute() for path in readable), network, _bubblewrap())


@cache
def _bubblewrap() -> str | None:
    """Return the program that makes namespaces, or None where it is not there or not allowed."""
    program = shutil.which("bwrap")
    if sys.platform != "linux" or program is None:
        return None
    tried = [program, *_namespaces(map(Path, _SYSTEM), network=False), "/usr/bin/true"]
    done = subprocess.run(tried, capture_output=True, check=False)  # noqa: S603, a fixed command
    return program if done.returncode == 0 else None


@cache
def _not_confined(bubblewrap: str | None) -> str | None:
    """Say what a box does not hold."""
    has_filter = system_calls.library() is not None
    held = {
        "the files it reads and changes": landlock.version() > 0,
        "the modes and times of files": has_filter,
        "the network": has_filter,
        "signals to other processes": has_filter or landlock.scopes_signals(),
        "the list of processes": False,
        "the size of all its files together": False,
    }
    if bubblewrap:
        return None
    if sys.platform != "linux" or not landlock.version():
        return _NOTHING
    *others, last = [what for what, is_held in held.items() if not is_held]
    return f"{', '.join(others)} and {last}"


def _namespaces(visible: Iterable[Path], *, network: bool) -> list[str]:
    """Return bubblewrap's options for a box in which some paths can be seen."""
    options = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session",
               "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev",
               *_limited("/dev/shm"), *_limited(str(SCRATCH.parent)),  # noqa: S108
               "--dir", str(SCRATCH)]  # fmt: skip
    if network:
        options.append("--share-net")
    for path in visible:
        if path.is_symlink():
            options += ["--symlink", str(path.readlink()), str(path)]
        else:
            options += ["--ro-bind-try", str(path), str(path)]
    return [*options, "--remount-ro", "/"]


def _limited(folder: str) -> list[str]:
    return ["--size", str(SCRATCH_BYTES), "--tmpfs", folder]


def _python() -> Iterator[Path]:
    """Yield the folders of this Python, of its packages, and of this one."""
    yield from (Path(prefix) for prefix in (sys.prefix, sys.base_prefix))
    yield from (Path(path) for path in (sysconfig.get_path("stdlib"), site.getusersitepackages()))
    yield from (Path(path).absolute() for path in sys.path if path)
    for package in marubatsu.__path__:
        yield from (house.resolve() for house in Path(package).iterdir() if house.is_dir())
        yield Path(package).absolute()


def _its_own(arguments: Iterable[str]) -> Iterator[Path]:
    """Yield the folder in which it was named, and those of its programs and files."""
    yield from _shown(Path.cwd())
    for argument in arguments:
        program = shutil.which(argument)
        for path in (Path(argument), *([Path(program)] if program else [])):
            if path.is_file():
                for place in (path.absolute(), path.resolve()):
                    yield from (place, *_shown(place.parent))
        if program:
            yield Path(program).resolve().parent.parent  # What is installed beside it.


def _shown(folder: Path) -> Iterator[Path]:
    """Yield a folder, or the Python code in it when more than code is there, as in a home."""
    if _is_its_own(folder):
        yield folder
    else:
        yield from folder.glob("*.py")
        yield from (package.parent for package in folder.glob("*/__init__.py"))


def _is_its_own(folder: Path) -> bool:
    """Return whether a folder holds an AI's files, and not everybody's, as a home does."""
    everybodys = [Path.home(), Path(tempfile.gettempdir()).resolve()]
    return not any(path.is_relative_to(folder) for path in everybodys)


def _distinct(paths: Iterable[Path]) -> list[Path]:
    """Return the paths that are there, and what they link to, without those inside of others."""
    there = {place for path in paths if path.exists() for place in (path, path.resolve())}
    kept: list[Path] = []
    for path in sorted(filter(_may_be_seen, there)):
        if not kept or not path.is_relative_to(kept[-1]):
            kept.append(path)
    return kept


def _may_be_seen(path: Path) -> bool:
    return path.is_file() or _is_its_own(path)
