"""The box that a foreign process runs in, and the answers that it hides.

On Linux with bubblewrap, a process gets namespaces of its own: it sees a few folders, which it
cannot change, no other process, no network, and a folder of limited size to write to, which ends
with it. Landlock and libseccomp, which `confine` applies inside, cover most of that without
bubblewrap too. Elsewhere only Python's own hooks confine Python code.

The answer key is the data that judges an AI, and our oracle over it. The engine and the built-in
AIs stay visible: an AI may compute its play with them.
"""

import os
import shutil
import site
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import filterfalse
from pathlib import Path

from marubatsu.judge.agents import confine
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.support.importing import is_file
from marubatsu.pipeline.support.resources import PACKAGE, PAGE, QUERIES, REFERENCE, data_root
from marubatsu.pipeline.tables.data_set import holds_data

SCRATCH_BYTES = 64 << 20  # of the folder to write to; without bubblewrap, of each file
SCRATCH = Path("/marubatsu-scratch")  # that folder, in a box of namespaces
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix", "/etc/alternatives",
           "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/ssl", "/etc/ca-certificates",
           "/etc/pki", "/etc/perl", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf",
           *map(str, Path("/etc").glob("java-*")))  # fmt: skip
_TO_CONNECT = ("/etc/hosts", "/etc/resolv.conf", "/run/systemd/resolve")
_WITHOUT_LANDLOCK = "its files (except by Python's own functions), the network and signals"
_ELSEWHERE = "its files (except by Python's own functions), the network, signals and memory"
NETWORK = "the network"
_PROGRAMS = {"bin", "sbin", "shims"}

_ORACLE = PACKAGE / "judge" / "oracle"


@dataclass(frozen=True)
class Box:
    """What a foreign process may see and do; its paths are real ones."""

    readable: tuple[Path, ...] = ()  # besides what it needs to start, also of what is hidden
    hidden: tuple[Path, ...] = ()
    network: bool = False
    bubblewrap: str | None = None  # the program; None for the weaker box

    @property
    def not_confined(self) -> str | None:
        """What the box does not confine, as the end of a sentence; None when it confines all."""
        return _not_confined(self.bubblewrap)

    @property
    def shows_hidden(self) -> str | None:
        """Why a process may see what should be hidden; None when the box hides it."""
        if not self.bubblewrap and not confine.landlock_version():
            return "no box of this machine hides files"
        if self._readable_hidden:
            return f"the option allow_read shows it {', '.join(map(str, self._readable_hidden))}"
        if self.network:
            return "the option allow_network lets it ask servers"
        if NETWORK in (self.not_confined or "").split(", "):
            return "no box of this machine keeps it from servers"
        return None

    def command(self, worker: Sequence[str], visible: Iterable[Path]) -> list[str]:
        """Return the command that runs a worker in the box, where it sees some paths."""
        if self.bubblewrap is None:
            return [*worker]
        options = _namespaces(visible, self.holes, network=self.network)
        return [self.bubblewrap, *options, "--chdir", *map(str, _here() or [Path("/")]), *worker]

    @property
    def holes(self) -> list[Path]:
        """The hidden paths that are not readable all the same."""
        return [path for path in self.hidden if self.hides(path)]

    def visible(self, arguments: Sequence[str]) -> list[Path]:
        """Return the files and folders that a process can see whose arguments name its code."""
        system = map(Path, (*_SYSTEM, *(_TO_CONNECT if self.network else ())))
        paths = {*system, *_python(), *_of_agent(arguments)}
        seen = (path for path in paths if path.is_file() or _is_private(path))
        return [
            *filterfalse(self._is_hidden, _distinct([*seen, *self.readable])),
            *self._readable_hidden,
        ]

    @property
    def _readable_hidden(self) -> list[Path]:
        """What is readable although it is hidden; a wider folder shows nothing of that."""
        return [*filter(self._is_hidden, self.readable)]

    def hides(self, path: Path) -> bool:
        """Return whether a path is in what is hidden, and not in what is readable all the same."""
        return self._is_hidden(path) and not _is_in(path, self._readable_hidden)

    def _is_hidden(self, path: Path) -> bool:
        return _is_in(path, self.hidden)


def best(
    readable: Iterable[Path] = (), hidden: Iterable[Path] = (), *, network: bool = False
) -> Box:
    """Return the strongest box that works on this machine."""
    real = tuple(path.resolve() for path in readable)
    return Box(real, tuple(hidden), network, _bubblewrap())


def _is_in(path: Path, folders: Iterable[Path]) -> bool:
    real = f"{path.resolve()}/"
    return any(real.startswith(f"{folder}/") for folder in folders)


@cache
def _bubblewrap() -> str | None:
    """Return the program that makes namespaces, or None where it is not there or not allowed."""
    program = shutil.which("bwrap")
    if sys.platform != "linux" or program is None:
        return None
    options = _namespaces(_distinct(map(Path, _SYSTEM)), (), network=False)
    tried = [program, *options, "/usr/bin/true"]
    done = subprocess.run(tried, capture_output=True, check=False)  # noqa: S603, a fixed command
    return program if done.returncode == 0 else None


@cache
def _not_confined(bubblewrap: str | None) -> str | None:
    if not bubblewrap and not confine.landlock_version():
        return _WITHOUT_LANDLOCK if sys.platform == "linux" else _ELSEWHERE
    has_filter, is_boxed = confine.seccomp_library() is not None, bubblewrap is not None
    is_confined = {
        "the modes and times of files": is_boxed or has_filter,
        NETWORK: is_boxed or has_filter,
        "local sockets": has_filter,
        "signals to other processes": is_boxed or has_filter or confine.scopes_signals(),
        "the number and the list of processes": is_boxed,
        "the size of all its files together": is_boxed,
        "the memory of all its processes together": confine.can_be_watched(),
    }
    gaps = [what for what, is_so in is_confined.items() if not is_so]
    return ", ".join(gaps) or None


def _namespaces(visible: Iterable[Path], hidden: Sequence[Path], *, network: bool) -> list[str]:
    """Return bubblewrap's options for a box in which some paths can be seen, others inside not."""
    options = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session",
               "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev",
               *_limited("/dev/shm"), *_limited(tempfile.gettempdir()),  # noqa: S108
               *_limited(str(SCRATCH))]  # fmt: skip
    if network:
        options.append("--share-net")
    paths = [*visible]
    holes = {hole for path in paths if not path.is_symlink() for hole in _holes(path, hidden)}
    for path in sorted({*paths, *holes}):  # Folders come before what is inside.
        if path in holes and path.is_dir():
            options += _limited(str(path))
        elif path in holes:
            options += ["--ro-bind-try", os.devnull, str(path)]
        elif path.is_symlink():
            options += ["--symlink", str(path.readlink()), str(path)]
        else:
            options += ["--ro-bind-try", str(path), str(path)]
    for path in holes:
        options += ["--remount-ro", str(path)] if path.is_dir() else []
    here = [word for folder in _here() for word in ("--dir", str(folder))]
    return [*options, *here, "--remount-ro", "/"]


def _holes(path: Path, hidden: Iterable[Path]) -> Iterator[Path]:
    """Yield the hidden paths inside of one, as names below it."""
    real = path.resolve()
    for each in hidden:
        if each.is_relative_to(real):
            yield path / each.relative_to(real)


def _limited(folder: str) -> list[str]:
    return ["--size", str(SCRATCH_BYTES), "--tmpfs", folder]


def _python() -> Iterator[Path]:
    yield from (Path(prefix) for prefix in (sys.prefix, sys.base_prefix, sys.executable))
    yield from (Path(path) for path in (sysconfig.get_path("stdlib"), site.getusersitepackages()))
    yield from (Path(path).absolute() for path in sys.path if path)
    yield from (PACKAGE, QUERIES, PAGE)


def files_of(arguments: Iterable[str]) -> list[Path]:
    """Return the files that arguments name, and the programs."""
    paths = [Path(path) for each in arguments for path in (each, shutil.which(each)) if path]
    return [*filter(is_file, paths)]


def _of_agent(arguments: Sequence[str]) -> Iterator[Path]:
    for folder in _here():
        yield from _parts_to_show(folder)
    for path in files_of(arguments):
        for place in (path.absolute(), path.resolve()):
            yield from (place, *_parts_to_show(place.parent))
    for argument in arguments:
        program = shutil.which(argument)
        if program and Path(program).resolve().parent.name in _PROGRAMS:
            yield from _installed_with(Path(program).resolve())


def _installed_with(program: Path) -> Iterator[Path]:
    """Yield what is installed with a program, where its folder is part of an installation.

    In a home, the folder above ``bin`` may hold anything else: of ``~/.local``, only libraries are
    shown, and those only if they are Python's or of Node.js.
    """
    prefix, libraries = program.parent.parent, program.parent.parent / "lib"
    if program.parent.name == "shims":  # pyenv and the like keep all versions there.
        yield from (path for path in (prefix / "versions", prefix / "libexec") if path.is_dir())
    if (prefix / "pyvenv.cfg").is_file():
        yield from (prefix / "pyvenv.cfg", program.parent, libraries, prefix / "lib64")
    if any(libraries.glob("python3*/os.py")):
        yield from (program.parent, libraries)
    if (libraries / "node_modules").is_dir():
        yield libraries / "node_modules"
    if (prefix / "package.json").is_file():  # A package of Node.js with a program.
        yield prefix


def _parts_to_show(folder: Path) -> Iterator[Path]:
    """Yield a folder, or the Python code in it when more than code is there, as in a home."""
    if _is_private(folder):
        yield folder
    else:
        yield from folder.glob("*.py")
        yield from (package.parent for package in folder.glob("*/__init__.py"))


def _is_private(folder: Path) -> bool:
    """Return whether a folder may hold one AI, unlike the home, the temporary one and above."""
    real = folder.resolve()
    shared = (_real(Path.home()), _real(Path(tempfile.gettempdir())))
    return not any(path.is_relative_to(real) for path in shared)


@cache
def _real(path: Path) -> Path:
    return path.resolve()


def _distinct(paths: Iterable[Path]) -> list[Path]:
    """Return the paths that are there, and what they link to, without those inside of others."""
    there = {step for path in paths if path.exists() for step in _steps(path)}
    kept: list[Path] = []
    for path in sorted(there):
        if not kept or not path.is_relative_to(kept[-1]):
            kept.append(path)
    return kept


def _steps(path: Path) -> Iterator[Path]:
    """Yield a path, and each that it links to, up to what is no link."""
    while path.is_symlink():
        yield path
        path = Path(os.path.normpath(path.parent / path.readlink()))
    yield from (path, path.resolve())


def _here() -> list[Path]:
    try:
        return [Path.cwd()]
    except OSError:
        return []


def answer_key(data: Path | None, code: Iterable[Path]) -> list[Path]:
    """Return the files and folders that an AI may not see, as real paths.

    ``data`` is the folder of data that judges it; the default folders are part of the key too. A
    folder that contains the code of the AI, or what else it needs, is not hidden as a whole: the
    data of each game in it is.
    """
    needed = [*code, *map(Path, (sys.prefix, sys.base_prefix, sys.executable)), PACKAGE, *_here()]
    needed = [Path(os.path.realpath(path)) for path in needed]
    key = {_ORACLE, REFERENCE}
    for root in _roots(data):
        key.update(_hidden(Path(os.path.realpath(root)), needed))
    return sorted(path for path in key if path.exists())


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
    hidden = set(waiting)
    while waiting:
        for folder, folders, files in os.walk(waiting.pop()):
            for name in (*folders, *files):
                entry = Path(folder, name)
                if not entry.is_symlink():
                    continue
                target = Path(os.path.realpath(entry))
                if target not in hidden and not _contains(target, needed):
                    hidden.add(target)
                    waiting.append(target)
    return hidden


def _contains(folder: Path, paths: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for path in paths)
