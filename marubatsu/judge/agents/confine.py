"""What holds code of others: limits of its process, and the watch over all that it starts.

Landlock is a part of the kernel of Linux: a process may use only some folders, and signal only its
own. A filter of libseccomp, where there is one, refuses system calls: a forbidden call fails with
"operation not permitted". Names that an architecture or an older libseccomp does not know are left
out.

The kernel limits the address space of each process, not their sum. So the judge adds up what they
use, ten times a second, and ends them when that is too much.
"""

import ctypes
import errno
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

# linux/landlock.h, the same numbers on every architecture
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ABI_VERSION = 1
_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE_SINCE, _TRUNCATE = 3, 1 << 14  # from which version on it can forbid to truncate files
_READ = _EXECUTE | _READ_FILE | _READ_FOLDER
_CHANGE = {  # rights to change files, by the interface version that introduced them
    1: _WRITE_FILE | sum(1 << bit for bit in range(4, 13)),  # remove and make entries of all kinds
    2: 1 << 13,  # link or rename across folders
    TRUNCATE_SINCE: _TRUNCATE,
}
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE  # the others are rights on folders
_NETWORK_SINCE, _NETWORK = 4, 0b11  # bind and connect by TCP
_SCOPE_SINCE, _SCOPE = 6, 0b11  # abstract sockets and signals to processes outside
_NO_NEW_PRIVILEGES = 38  # prctl


class _LandlockRules(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64),
                ("scope", ctypes.c_uint64))  # fmt: skip


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("access", ctypes.c_uint64), ("parent", ctypes.c_int32))


@cache
def landlock_version() -> int:
    """Return the version of the kernel's interface, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    number = ctypes.CDLL(None).syscall(_CREATE_RULESET, None, 0, _ABI_VERSION)
    return max(0, int(number))


def scopes_signals() -> bool:
    """Return whether the kernel keeps signals inside."""
    return landlock_version() >= _SCOPE_SINCE


def restrict(
    readable: Iterable[str], writable: Iterable[str], hidden: Iterable[str], *, network: bool
) -> bool:
    """Restrict this process and its descendants to some paths; return whether that worked.

    A writable path is readable too. Of what is hidden inside of them, real paths, only names can be
    read.
    """
    since = landlock_version()
    if since < 1:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    change = sum(rights for first, rights in _CHANGE.items() if first <= since)
    asked = _LandlockRules(
        _READ | change,
        _NETWORK if since >= _NETWORK_SINCE and not network else 0,
        _SCOPE if since >= _SCOPE_SINCE else 0,
    )
    size = 8 if since < _NETWORK_SINCE else 16 if since < _SCOPE_SINCE else 24
    rules = libc.syscall(_CREATE_RULESET, ctypes.byref(asked), size, 0)
    if rules < 0:
        return False
    allowed = [each for path in readable for each in _around(os.path.realpath(path), hidden)]
    for path, rights in (*allowed, *((path, _READ | change) for path in writable)):
        with suppress(OSError):  # A path that is not there needs no right.
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
            is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
            rule = _Beneath(rights if is_folder else rights & _OF_FILES, handle)
            added = libc.syscall(_ADD_RULE, rules, _BENEATH, ctypes.byref(rule), 0)
            os.close(handle)
            if added < 0:
                return False
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    restricted = libc.syscall(_RESTRICT_SELF, rules, 0) == 0
    os.close(rules)
    return bool(restricted)


def _around(path: str, hidden: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield the rights to read a path, all but what is hidden inside of it.

    A right holds for all that is below. So a folder around hidden ones gives no right to read its
    files, but to list them; where its links lead to is no part of it.
    """
    inside = {each[len(path) :] for each in hidden if f"{each}/".startswith(f"{path}/")}
    if not inside:
        yield path, _READ
    elif "" not in inside:
        yield path, _READ_FOLDER
        first = {each.split("/")[1] for each in inside}
        with suppress(OSError):
            for entry in os.scandir(path):
                if entry.name in first:
                    yield from _around(entry.path, hidden)
                elif not entry.is_symlink():
                    yield entry.path, _READ


_LIBRARY = "libseccomp.so.2"

KERNEL = (
    "acct", "add_key", "bpf", "chroot", "clock_adjtime", "clock_settime", "delete_module",
    "finit_module", "fsconfig", "fsmount", "fsopen", "fspick", "init_module", "io_uring_enter",
    "io_uring_register", "io_uring_setup", "ioperm", "iopl", "kexec_file_load", "kexec_load",
    "keyctl", "mount", "mount_setattr", "move_mount", "open_by_handle_at", "open_tree",
    "perf_event_open", "personality", "pivot_root", "process_vm_readv", "process_vm_writev",
    "ptrace", "quotactl", "reboot", "request_key", "sethostname", "setns", "settimeofday",
    "swapoff", "swapon", "syslog", "umount2", "unshare", "userfaultfd", "vhangup",
)  # fmt: skip
"""Calls that no AI needs and that escapes from a box use."""

SHARED = (
    "mq_open", "mq_unlink", "msgctl", "msgget", "msgrcv", "msgsnd", "semctl", "semget", "semop",
    "semtimedop", "shmat", "shmctl", "shmdt", "shmget",
)  # fmt: skip
"""Memory and queues that outlive a process, and that others of the same user can reach."""

ATTRIBUTES = (
    "chmod", "chown", "fchmod", "fchmodat", "fchmodat2", "fchown", "fchownat", "fremovexattr",
    "file_setattr", "fsetxattr", "futimesat", "lchown", "lremovexattr", "lsetxattr", "removexattr",
    "removexattrat", "setxattr", "setxattrat", "utime", "utimensat", "utimes",
)  # fmt: skip
"""Changes of the modes, owners, times and extended attributes of files."""

_NUMBERS = {"fchmodat2": 452, "file_setattr": 469, "removexattrat": 466, "setxattrat": 463}
"""Calls younger than some versions of libseccomp; their numbers are those of all architectures."""

OTHERS = {
    "ioprio_set": 1, "migrate_pages": 0, "move_pages": 0, "prlimit64": 0, "sched_setaffinity": 0,
    "sched_setattr": 0, "sched_setparam": 0, "sched_setscheduler": 0, "setpriority": 1,
}  # fmt: skip
"""Changes of limits and priorities, and which argument names the process; 0 is the caller."""

_ALLOW = 0x7FFF0000  # libseccomp: SCMP_ACT_ALLOW
_REFUSE = 0x00050000  # SCMP_ACT_ERRNO
_NOT_EQUAL, _MASKED_EQUAL = 1, 7  # enum scmp_compare
_NEW_USER = 0x10000000  # CLONE_NEWUSER
_PUT_CHARACTER = 0x5412  # TIOCSTI
_SET_FLAGS = (0x40086602, 0x401C5820)  # FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR
_OF_PROCESS = {"setpriority": 0, "ioprio_set": 1}  # the first argument for one process
_SET_OWNER = (8, 10, 15)  # fcntl: F_SETOWN, F_SETSIG, F_SETOWN_EX


class _Argument(ctypes.Structure):
    _fields_ = (("number", ctypes.c_uint), ("compare", ctypes.c_int), ("a", ctypes.c_uint64),
                ("b", ctypes.c_uint64))  # fmt: skip


@cache
def seccomp_library() -> ctypes.CDLL | None:
    """Return libseccomp, or None where there is none."""
    try:
        seccomp = ctypes.CDLL(_LIBRARY)
    except OSError:
        return None
    seccomp.seccomp_init.restype = ctypes.c_void_p
    return seccomp


class _Rule(NamedTuple):
    """A call that is refused, if its argument is what is compared."""

    name: str
    argument: _Argument | None = None
    error: int = errno.EPERM


def forbid(names: Iterable[str], *, network: bool, others: bool, signals: bool) -> bool:
    """Refuse system calls to this process and its descendants; return whether that worked.

    Without ``network`` it can make no socket, not even a local one; without ``others`` it can
    change limits of no other process; without ``signals`` it can signal only itself.
    """
    seccomp = seccomp_library()
    if seccomp is None:
        return False
    filter_ = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(_ALLOW)))
    works = True
    for name, argument, error in _rules(names, network=network, others=others, signals=signals):
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        number = _NUMBERS.get(name, number) if number < 0 else number
        if number >= 0:
            checked = (_Argument * 1)(argument) if argument else None
            action = ctypes.c_uint32(_REFUSE | error)
            added = seccomp.seccomp_rule_add_array(
                filter_, action, number, 1 if argument else 0, checked
            )
            works = works and added == 0
    works = works and seccomp.seccomp_load(filter_) == 0
    seccomp.seccomp_release(filter_)
    return works


def _rules(names: Iterable[str], *, network: bool, others: bool, signals: bool) -> Iterator[_Rule]:
    yield from map(_Rule, names)
    yield _Rule("clone", _Argument(0, _MASKED_EQUAL, _NEW_USER, _NEW_USER))
    yield _Rule("clone3", error=errno.ENOSYS)  # Its flags are hidden; the C library takes clone.
    yield _Rule("memfd_create", error=errno.ENOSYS)  # No limit counts the memory of such a file.
    yield _Rule("memfd_secret", error=errno.ENOSYS)
    for request in (_PUT_CHARACTER, *_SET_FLAGS):
        yield _Rule("ioctl", _Argument(1, _MASKED_EQUAL, 0xFFFFFFFF, request))
    for name, kind in _OF_PROCESS.items():
        yield _Rule(name, _Argument(0, _NOT_EQUAL, kind, 0))  # Else it means a group or a user.
    if not network:
        yield _Rule("socket")  # It keeps pairs of sockets, which reach no other process.
    if not others:
        for name, argument in OTHERS.items():
            yield _Rule(name, _Argument(argument, _NOT_EQUAL, 0, 0))
    if not signals:
        for name in ("kill", "tgkill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
            yield _Rule(name, _Argument(0, _NOT_EQUAL, os.getpid(), 0))
        yield _Rule("pidfd_send_signal")
        for command in _SET_OWNER:
            yield _Rule("fcntl", _Argument(1, _MASKED_EQUAL, 0xFFFFFFFF, command))


_PROCESSES = 256  # processes and threads of a user in a box; root has no limit
_TRUNCATE_CALLS = ["truncate", "truncate64"]
_DIE_WITH_PARENT = 1  # prctl
_CAPABILITIES_VERSION = 0x20080522
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_ABOUT = ("/proc", "/sys/fs/cgroup")  # DuckDB aborts where it sees limits that it may not read.


@dataclass(frozen=True)
class Confinement:
    """What a foreign process may use."""

    scratch: str  # the folder that it may write to
    scratch_bytes: int  # of each file in it
    memory: int  # bytes of address space
    readable: list[str]  # files and folders; the root where its namespaces hide all others
    hidden: list[str]  # files and folders inside of those, as real paths
    network: bool
    is_boxed: bool  # in namespaces of its own


class WeakerError(OSError):
    """A layer of the confinement is there, and could not be used."""


def confine(to: Confinement) -> None:
    """Confine this process and all that it starts, as far as the system can.

    Raises WeakerError when that is less than `box` says.
    """
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, to.scratch_bytes),
        (resource.RLIMIT_AS, to.memory),
        *([(resource.RLIMIT_NPROC, _PROCESSES)] if to.is_boxed else ()),  # Else it counts others.
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (value, value))
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    with suppress(OSError):  # Where memory ends, it ends first.
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    readable = (*to.readable, *_DEVICES, *_ABOUT)
    writable = (to.scratch, os.devnull)
    is_confined = restrict(readable, writable, to.hidden, network=to.network)
    if not is_confined and landlock_version():
        raise WeakerError("Landlock is there, and cannot be used")
    # In namespaces files are read-only, and other processes cannot be seen.
    forbidden = [*KERNEL, *SHARED]
    if not to.is_boxed:
        _drop_capabilities()
        holds_truncate = landlock_version() >= TRUNCATE_SINCE
        forbidden += [*ATTRIBUTES, *([] if holds_truncate else _TRUNCATE_CALLS)]
    signals = to.is_boxed or scopes_signals()
    is_confined = forbid(forbidden, network=to.network, others=to.is_boxed, signals=signals)
    if not is_confined and seccomp_library():
        raise WeakerError("libseccomp is there, and cannot be used")


def _drop_capabilities() -> None:
    header, none = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0), (ctypes.c_uint32 * 6)()
    ctypes.CDLL(None).capset(header, none)


_EVERY = 0.1  # seconds
_KIB = 1 << 10

_ENDING = 5.0  # seconds to end processes that start others meanwhile


class MemoryWatch:
    """Ends a process when all that it has started use more memory than they may."""

    def __init__(self, process: "subprocess.Popen[bytes]", most: int, end: int) -> None:
        """Name the process, the bytes, and the signal that ends it with all that it started."""
        self._process, self._most, self._signal = process, most, end
        self.is_over = False
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        """Watch from now on. Raises RuntimeError when the system starts no more threads."""
        self._thread.start()

    def stop(self) -> None:
        """Watch no more."""
        self._stopped.set()
        if self._thread.ident:
            self._thread.join()

    def _watch(self) -> None:
        while not self._stopped.wait(_EVERY):
            family = descendants(self._process.pid)
            # What they share counts only once; that sum takes longer.
            if sum(map(_each_used, family)) > self._most and used(family) > self._most:
                self.is_over = True
                self._process.send_signal(self._signal)
                return


@cache
def can_be_watched() -> bool:
    """Return whether this system lists the processes that a process has started."""
    return Path(f"/proc/self/task/{os.getpid()}/children").exists()


def used(processes: list[int]) -> int:
    """Return the bytes that processes use together, in memory and swapped out."""
    return sum(
        _used(process, "smaps_rollup", "Pss:", "SwapPss:") or _each_used(process)
        for process in processes
    )


def _each_used(process: int) -> int:
    return _used(process, "status", "VmRSS:", "VmSwap:")


def descendants(process: int) -> list[int]:
    """Return the processes that one has started, and those that they have started."""
    started_ids: list[int] = []
    waiting = [process]
    while waiting:
        threads: list[Path] = []
        with suppress(OSError):  # The process has ended.
            threads = [*Path(f"/proc/{waiting.pop()}/task").iterdir()]
        for thread in threads:
            with suppress(OSError):  # The thread has ended; the others are still read.
                started = thread.joinpath("children").read_text(encoding="ascii").split()
                waiting += map(int, started)
                started_ids += map(int, started)
    return started_ids


def _used(process: int, file: str, *names: str) -> int:
    """Return the sum of some lines of a file about a process; 0 when it has ended."""
    total = 0
    with suppress(OSError):
        for line in Path(f"/proc/{process}/{file}").read_text(errors="replace").splitlines():
            if line.startswith(names):
                total += int(line.split()[1]) * _KIB
    return total


_TOLD_OF_PARENT, _ADOPT_ORPHANS = 1, 36  # prctl


def supervise() -> None:
    """Fork, and return in the child.

    The parent adopts what the child leaves behind, ends it when the child ends or when it is
    terminated itself, and ends as the child did. Only Linux has orphans that can be adopted.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    libc.prctl(_ADOPT_ORPHANS, 1, 0, 0, 0)
    libc.prctl(_TOLD_OF_PARENT, signal.SIGTERM, 0, 0, 0)
    child = os.fork()
    if child == 0:
        return

    def end(*_: Any) -> None:
        end_all(children())
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    for handle in range(3):
        os.close(handle)  # The judge waits for the ends of the child's pipes.
    _, status = os.waitpid(child, 0)
    end_all(children())
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


def children() -> set[int]:
    """Return the ids of our child processes; none on a system without ``/proc``."""
    ids = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            # The name of the program, in brackets, may contain any character.
            fields = status.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[1]) == os.getpid():
                ids.add(int(status.parent.name))
    return ids


def end_all(strays: set[int]) -> None:
    """Kill processes, and the orphans that we adopt from them, for some seconds at most."""
    until = time.monotonic() + _ENDING
    while strays and time.monotonic() < until:
        for number in (signal.SIGSTOP, signal.SIGKILL):  # Who is stopped starts no others.
            for stray in strays:
                with suppress(ProcessLookupError):
                    os.kill(stray, number)
        for stray in strays:
            with suppress(ChildProcessError):
                os.waitpid(stray, 0)
        strays = children()


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder that is removed at the end of the block, whatever was put there."""
    folder = Path(mkdtemp())
    try:
        yield folder
    finally:
        empty(folder)
        folder.rmdir()


def empty(folder: Path) -> None:
    """Remove all that is in a folder, however deep: what its folders hold moves up first."""
    free = (folder / f"{number}" for number in count())
    folder.chmod(0o700)
    while entries := list(os.scandir(folder)):
        for entry in entries:
            if not _is_folder(entry):
                Path(entry).unlink()
                continue
            Path(entry).chmod(0o700)
            for inner in list(os.scandir(entry.path)):
                if _is_folder(inner):
                    Path(inner).chmod(0o700)  # Else it cannot move.
                Path(inner).rename(next(path for path in free if not os.path.lexists(path)))
            Path(entry).rmdir()


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)
