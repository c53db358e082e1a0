"""The box that a foreign process runs in, and what the box of this machine does not hold.

On Linux with bubblewrap, a process gets namespaces of its own: it sees a few folders, which it
cannot change, no other process, no network, and a folder of limited size to write to, which ends
with it. Landlock and libseccomp, which `confine` applies inside, hold most of that without
bubblewrap too. Elsewhere nothing but Python's own hooks holds Python code.
"""

import os
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

SCRATCH = Path("/marubatsu-scratch")
"""That folder, in a box of namespaces."""

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix", "/etc/alternatives",
           "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/ssl", "/etc/ca-certificates",
           "/etc/pki", "/etc/perl", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf",
           *map(str, Path("/etc").glob("java-*")))  # fmt: skip
_TO_CONNECT = ("/etc/hosts", "/etc/resolv.conf", "/run/systemd/resolve")
_WITHOUT_LANDLOCK = "its files (except by Python's own functions), the network and signals"
_PROGRAMS = {"bin", "sbin", "shims"}


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
        options = _namespaces(visible, network=self.network)
        return [self.bubblewrap, *options, "--chdir", str(Path.cwd()), *worker]

    def visible(self, arguments: Iterable[str]) -> list[Path]:
        """Return the files and folders that a process can see whose arguments name its code."""
        system = map(Path, (*_SYSTEM, *(_TO_CONNECT if self.network else ())))
        found = [*system, *_python(), *_of_agent(arguments)]
        return _distinct([*filter(_may_be_seen, found), *self.readable])


def best(readable: Iterable[Path] = (), *, network: bool = False) -> Box:
    """Return the strongest box that works on this machine."""
    return Box(tuple(path.resolve() for path in readable), network, _bubblewrap())


@cache
def _bubblewrap() -> str | None:
    """Return the program that makes namespaces, or None where it is not there or not allowed."""
    program = shutil.which("bwrap")
    if sys.platform != "linux" or program is None:
        return None
    tried = [program, *_namespaces(_distinct(map(Path, _SYSTEM)), network=False), "/usr/bin/true"]
    done = subprocess.run(tried, capture_output=True, check=False)  # noqa: S603, a fixed command
    return program if done.returncode == 0 else None


@cache
def _not_confined(bubblewrap: str | None) -> str | None:
    """Say what a box does not hold."""
    if not bubblewrap and not landlock.version():
        return _WITHOUT_LANDLOCK
    has_filter, is_boxed = system_calls.library() is not None, bubblewrap is not None
    is_confined = {
        "the modes and times of files": is_boxed or has_filter,
        "the network": is_boxed or has_filter,
        "local sockets": has_filter,
        "signals to other processes": is_boxed or has_filter or landlock.scopes_signals(),
        "the number and the list of processes": is_boxed,
        "the size of all its files together": is_boxed,
    }
    found = [what for what, is_so in is_confined.items() if not is_so]
    return ", ".join(found) or None


def _namespaces(visible: Iterable[Path], *, network: bool) -> list[str]:
    """Return bubblewrap's options for a box in which some paths can be seen."""
    options = ["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session",
               "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev",
               *_limited("/dev/shm"), *_limited(tempfile.gettempdir()),  # noqa: S108
               *_limited(str(SCRATCH))]  # fmt: skip
    if network:
        options.append("--share-net")
    for path in visible:
        if path.is_symlink():
            options += ["--symlink", str(path.readlink()), str(path)]
        else:
            options += ["--ro-bind-try", str(path), str(path)]
    return [*options, "--dir", str(Path.cwd()), "--remount-ro", "/"]


def _limited(folder: str) -> list[str]:
    return ["--size", str(SCRATCH_BYTES), "--tmpfs", folder]


def _python() -> Iterator[Path]:
    """Yield the folders of this Python, of its packages, and of this one."""
    yield from (Path(prefix) for prefix in (sys.prefix, sys.base_prefix, sys.executable))
    yield from (Path(path) for path in (sysconfig.get_path("stdlib"), site.getusersitepackages()))
    yield from (Path(path).absolute() for path in sys.path if path)
    for package in marubatsu.__path__:
        yield from (folder.resolve() for folder in Path(package).iterdir() if folder.is_dir())
        yield Path(package).absolute()


def _of_agent(arguments: Iterable[str]) -> Iterator[Path]:
    """Yield the current folder, and the folders of the agent's program and files."""
    yield from _parts_to_show(Path.cwd())
    for argument in arguments:
        program = shutil.which(argument)
        for path in (Path(argument), *([Path(program)] if program else [])):
            if path.is_file():
                for place in (path.absolute(), path.resolve()):
                    yield from (place, *_parts_to_show(place.parent))
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
    shared = [Path.home().resolve(), Path(tempfile.gettempdir()).resolve()]
    return not any(path.is_relative_to(folder.resolve()) for path in shared)


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


def _may_be_seen(path: Path) -> bool:
    return path.is_file() or _is_private(path)
