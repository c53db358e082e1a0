"""System calls that a foreign process may not make: a filter by libseccomp, where there is one.

A forbidden call fails with "operation not permitted". Names that an architecture or an older
libseccomp does not know are left out.
"""

import ctypes
import errno
import os
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

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
def library() -> ctypes.CDLL | None:
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
    seccomp = library()
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
    """Yield the rules of `forbid`."""
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
