"""System calls that a foreign process may not make: a filter by libseccomp, where there is one.

A forbidden call fails with "operation not permitted". Names that an architecture or an older
libseccomp does not know are left out.
"""

import ctypes
import errno
import os
from collections.abc import Iterable
from functools import cache

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
"""What no player of a game needs, and what ways out of a box are made of."""

SHARED = (
    "mq_open", "mq_unlink", "msgctl", "msgget", "msgrcv", "msgsnd", "semctl", "semget", "semop",
    "semtimedop", "shmat", "shmctl", "shmdt", "shmget",
)  # fmt: skip
"""Memory and queues that outlive a process, and that others of the same user can reach."""

ATTRIBUTES = (
    "chmod", "chown", "fchmod", "fchmodat", "fchmodat2", "fchown", "fchownat", "fremovexattr",
    "fsetxattr", "futimesat", "lchown", "lremovexattr", "lsetxattr", "removexattr", "setxattr",
    "utime", "utimensat", "utimes",
)  # fmt: skip
"""Changes of the modes, owners, times and extended attributes of files."""

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


class _Argument(ctypes.Structure):
    _fields_ = (("number", ctypes.c_uint), ("compare", ctypes.c_int), ("a", ctypes.c_uint64),
                ("b", ctypes.c_uint64))  # fmt: skip


@cache
def library() -> ctypes.CDLL | None:
    """Return libseccomp, or None where there is none."""
    try:
        found = ctypes.CDLL(_LIBRARY)
    except OSError:
        return None
    found.seccomp_init.restype = ctypes.c_void_p
    return found


def forbid(names: Iterable[str], *, network: bool, others: bool, signals: bool) -> bool:
    """Refuse system calls to this process and its descendants; return whether that worked.

    Without ``network`` it can make no socket, not even a local one; without ``others`` it can
    change limits of no other process; without ``signals`` it can signal nobody but itself.
    """
    seccomp = library()
    if seccomp is None:
        return False
    rules = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(_ALLOW)))

    def refuse(name: str, *arguments: _Argument, error: int = errno.EPERM) -> None:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:
            checked = (_Argument * len(arguments))(*arguments)
            action = ctypes.c_uint32(_REFUSE | error)
            seccomp.seccomp_rule_add_array(rules, action, number, len(arguments), checked)

    for name in names:
        refuse(name)
    refuse("clone", _Argument(0, _MASKED_EQUAL, _NEW_USER, _NEW_USER))
    refuse("clone3", error=errno.ENOSYS)  # Its flags cannot be seen; the C library takes clone.
    refuse("ioctl", _Argument(1, _MASKED_EQUAL, 0xFFFFFFFF, _PUT_CHARACTER))
    if not network:
        refuse("socket")  # Pairs of sockets are left, which connect nobody else.
    for name, argument in () if others else OTHERS.items():
        refuse(name, _Argument(argument, _NOT_EQUAL, 0, 0))
    if not signals:
        for name in ("kill", "tgkill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
            refuse(name, _Argument(0, _NOT_EQUAL, os.getpid(), 0))
        refuse("pidfd_send_signal")
    loaded = bool(seccomp.seccomp_load(rules) == 0)
    seccomp.seccomp_release(rules)
    return loaded
