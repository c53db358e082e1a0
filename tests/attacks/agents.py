"""Attempts of hostile agents: each is an expression, true if it got through.

One that raises was refused. Their names are those at the beginning of `PROGRAM`.
"""

PROGRAM = '''
import array, ctypes, fcntl, mmap, os, resource, shutil, signal, socket, subprocess, sys, termios
import tempfile, threading, time
from pathlib import Path

libc = ctypes.CDLL(None, use_errno=True)
HERE, TMP = Path(__file__).parent, os.environ["TMPDIR"]
VICTIM, SECRET, TABLE, DATA, PORT, PIPE, JUDGE, WITNESS, IPC = TARGETS
tried = False

def call(name, *arguments):
    """Call the C library, past the hooks of Python; return whether it succeeded."""
    return getattr(libc, name)(*arguments) >= 0

def at(path):
    return os.fsencode(path)

def wrote(path):
    descriptor = libc.open(at(path), os.O_WRONLY | os.O_CREAT, 0o666)
    return descriptor >= 0 and libc.write(descriptor, b"x", 1) == 1

def reads(path):
    descriptor = libc.open(at(path), os.O_RDONLY)
    return descriptor >= 0 and bool(os.read(descriptor, 1))

def connects(kind, address):
    with socket.socket(kind, socket.SOCK_STREAM) as mine:
        mine.settimeout(5)
        return mine.connect_ex(address) == 0

def sends(address):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mine:
        return mine.sendto(b"secret", address) > 0

def fills(folder, count=200, size=4 << 20):
    """Fill a folder; return whether it takes all of it."""
    for number in range(count):
        handle = libc.open(at(os.path.join(folder, str(number))), os.O_WRONLY | os.O_CREAT, 0o666)
        if handle < 0 or libc.write(handle, bytes(size), size) < size:
            return False
        libc.close(handle)
    return True

def nests(depth=3000):
    os.chdir(TMP)
    for _ in range(depth):
        if libc.mkdir(b"d", 0o700) or libc.chdir(b"d"):
            return False
    libc.chmod(b".", 0)
    return False

def forks(times):
    for _ in range(times):
        if libc.fork() == 0:
            libc.setsid()
            libc.sleep(1000)
            os._exit(0)
    return False

def ours():
    import marubatsu
    return marubatsu

def python(*arguments):
    """Start another Python, past the hooks of this; return whether it succeeds."""
    command = " ".join([sys.executable, *map(repr, arguments), "> /dev/null 2>&1"])
    return libc.system(command.encode()) == 0

def past_the_finder():
    sys.meta_path[:] = [each for each in sys.meta_path if "marubatsu" not in type(each).__module__
                        and type(each).__module__ != "__main__"]
    from marubatsu.judge.oracle.choose_oracle import oracle
    return True

def detaches():
    if libc.fork() == 0:
        libc.setsid()
        if libc.fork() == 0:
            for number in range(1, 65):
                signal.signal(number, signal.SIG_IGN) if number not in (9, 19, 32, 33) else None
            libc.sleep(1000)
        os._exit(0)
    return False

def choose(board, moves):
    global tried
    if tried:
        return moves
    tried = True
    try:
        through = ATTACK
    except Exception:
        through = False
    if through:
        raise AssertionError("it got through")
    return moves
'''
"""A file with an agent that tries one thing when it is first asked, and then plays any move."""

CHANGES = {
    "chmod": "call('chmod', at(VICTIM), 0o777)", "chmod of a folder": "call('chmod', at(TABLE), 0)",
    "fchmodat": "call('fchmodat', -100, at(VICTIM), 0o777, 0)",
    "fchmod of what is open": "call('fchmod', libc.open(at(VICTIM), 0), 0o777)",
    "chown": "call('chown', at(VICTIM), 65534, 65534)",
    "lchown": "call('lchown', at(VICTIM), 65534, 65534)",
    "fchown of what is open": "call('fchown', libc.open(at(VICTIM), 0), 65534, 65534)",
    "utimes": "call('utimes', at(VICTIM), None)",
    "utime by Python": "os.utime(VICTIM, (0, 0)) is None",
    "futimes of what is open": "call('futimes', libc.open(at(VICTIM), 0), None)",
    "setxattr": "call('setxattr', at(VICTIM), b'user.mine', b'x', 1, 0)",
    "removexattr": "call('removexattr', at(VICTIM), b'user.known')",
    "write": "wrote(VICTIM)",
    "write through a link": "call('symlink', at(VICTIM), at(TMP + '/l')) and wrote(TMP + '/l')",
    "write through /proc": "wrote(f'/proc/self/root{VICTIM}')",
    "write through the working folder": "wrote(f'/proc/self/cwd/{os.path.relpath(VICTIM)}')",
    "truncate": "call('truncate', at(VICTIM), ctypes.c_long(0))",
    "unlink": "call('unlink', at(VICTIM))",
    "rename": "call('rename', at(VICTIM), at(VICTIM + '2'))",
    "rename over": "wrote(TMP + '/n') and call('rename', at(TMP + '/n'), at(VICTIM))",
    "hard link": "call('link', at(VICTIM), at(VICTIM + '2'))",
    "hard link into the scratch folder": "call('link', at(VICTIM), "
    "at(TMP + '/h')) and wrote(TMP + '/h')",
    "symbolic link": "call('symlink', b'/', at(VICTIM + '2'))",
    "mkdir": "call('mkdir', at(VICTIM + '2'), 0o700)", "rmdir": "call('rmdir', at(TABLE))",
    "mkfifo": "call('mkfifo', at(VICTIM + '2'), 0o600)",
    "device": "call('mknod', at(VICTIM + '2'), 0o020600, 0x103)", "its own file": "wrote(__file__)",
    "a module of the judge": "wrote(sys.modules['marubatsu'].__file__)",
    "a module of Python": "wrote(os.__file__)", "the interpreter": "wrote(sys.executable)",
    "a compiled module next to it": "wrote(HERE / '__pycache__' / 'x.pyc')",
    "a file in the home folder": "wrote(os.path.expanduser('~/marubatsu-was-here'))",
    "a file in the temporary folder": "wrote(Path(VICTIM).parents[1] / 'marubatsu-was-here')",
    "a file in /dev/shm": "wrote('/dev/shm/marubatsu-was-here')",
    "a file in /var/tmp": "wrote('/var/tmp/marubatsu-was-here')",
    "flags of a file": "fcntl.ioctl(os.open(VICTIM, os.O_RDONLY), 0x40086602, "
    "array.array('l', [0x40])) == 0",
    "setxattrat": "call('syscall', 463, -100, at(VICTIM), 0, b'user.mine', bytes(16), 16)",
    "file_setattr": "call('syscall', 469, -100, at(VICTIM), bytes(32), 32, 0)",
    "shared mapping": "mmap.mmap(os.open(VICTIM, os.O_RDWR), 1).write(b'x')",
    "a program that writes": "subprocess.run(['sh', '-c', f'echo x > {VICTIM}']).returncode == 0",
    "a C program's system call": "libc.syscall(257, -100, at(VICTIM), 0o1001, 0o666) >= 0",
}  # fmt: skip
"""Changes to a user's files and folders, and to those of the judge."""

READS = {
    "a user's file": "reads(SECRET)",
    "a user's file through a link": "call('symlink', at(SECRET), "
    "at(TMP + '/s')) and reads(TMP + '/s')",
    "a user's file through /proc": "reads(f'/proc/self/root{SECRET}')",
    "a user's file through the judge": "reads(f'/proc/{JUDGE}/root{SECRET}')",
    "the judge's environment": "reads(f'/proc/{JUDGE}/environ')",
    "its own environment": "'SECRET_OF_THE_USER' in os.environ",
    "the judge's memory": "reads(f'/proc/{JUDGE}/mem')",
    "the list of a user's folder": "bool(os.listdir(os.path.dirname(SECRET)))",
    "by a program": "bool(subprocess.run(['cat', SECRET], capture_output=True).stdout)",
    "process_vm_readv": "call('process_vm_readv', JUDGE, None, 0, None, 0, 0)",
    "a file by its handle": "call('open_by_handle_at', -100, bytes(128), 0)",
    "passwords": "reads('/etc/shadow')",
    "the kernel's memory": "reads('/dev/mem') or reads('/proc/kcore')",
    "a disk": "any(reads(f'/dev/{disk}') for disk in ('vda', 'sda', 'nvme0n1', 'mmcblk0'))",
}
"""Reading files of others."""

REACHES = {
    "TCP": "connects(socket.AF_INET, ('127.0.0.1', PORT))",
    "TCP by IPv6": "connects(socket.AF_INET6, ('::1', PORT))",
    "UDP": "sends(('127.0.0.1', PORT))",
    "a local socket": "connects(socket.AF_UNIX, PIPE)",
    "an abstract socket": "connects(socket.AF_UNIX, '\\0' + str(JUDGE))",
    "a raw socket": "bool(socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))",
    "packets": "bool(socket.socket(17, socket.SOCK_RAW))",
    "netlink": "bool(socket.socket(16, socket.SOCK_RAW).bind((0, 0)) is None) and "
    "len(socket.if_nameindex()) > 1",
    "a server of its own": "socket.create_server(('127.0.0.1', 0)) and "
    "connects(socket.AF_INET, ('127.0.0.1', PORT))",
    "a name": "bool(socket.gethostbyname('localhost.localdomain'))",
    "shared memory": "call('shmget', 4711, 4096, 0o1666) and os.path.exists('/proc/sysvipc') "
    "and os.readlink('/proc/self/ns/ipc') == IPC",
    "a semaphore": "call('semget', 4711, 1, 0o1666) and os.readlink('/proc/self/ns/ipc') == IPC",
    "a queue": "call('msgget', 4711, 0o1666) and os.readlink('/proc/self/ns/ipc') == IPC",
}
"""Reaching others: by the network, local sockets, shared memory."""

SIGNALS = {
    f"signal {number} to {whom.lower()}": f"call('kill', {whom}, {number})"
    for number in (1, 2, 9, 15, 19)
    for whom in ("JUDGE", "WITNESS", "-JUDGE")
} | {
    "signal to all processes": "call('kill', -1, 9) and False",
    "signal to its group": "call('kill', 0, 9) and False",
    "tgkill": "call('syscall', 234, JUDGE, JUDGE, 9)",
    "a signal by a descriptor": "signal.pidfd_send_signal(os.pidfd_open(JUDGE), 9) is None",
    "rt_sigqueueinfo": "call('syscall', 129, JUDGE, 9, bytes(128))",
    "ptrace": "call('ptrace', 16, JUDGE, None, None)",
    "limits of the judge": "resource.prlimit(JUDGE, resource.RLIMIT_AS, (1, 1)) is not None",
    "priority of the judge": "os.setpriority(os.PRIO_PROCESS, JUDGE, 19) is None",
    "priority of a user": "os.setpriority(os.PRIO_USER, 0, 19) is None",
    "an owner of signals": "fcntl.fcntl(0, 8, JUDGE) == 0 and fcntl.fcntl(0, 10, 9) == 0 and False",
    "its own priority": "os.setpriority(os.PRIO_PROCESS, 0, -20) is None",
    "real time": "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(99)) is None",
    "processor of the judge": "os.sched_setaffinity(JUDGE, {0}) is None",
    "its parents": "any(call('kill', pid, 9) for pid in (os.getppid(),) if pid > 2)",
    "input of the terminal": "fcntl.ioctl(0, termios.TIOCSTI, b'x') == 0",
    "killed last": "wrote(f'/proc/{JUDGE}/oom_score_adj')",
}
"""Signals to the judge and other processes of the user, and other ways to stop them."""

ESCAPES = {
    "a new user": "call('unshare', 0x10000000)", "new mounts": "call('unshare', 0x00020000)",
    "a clone in a new user": "call('syscall', 56, 0x10000011, 0, 0, 0, 0)",
    "setns": "call('setns', os.open(f'/proc/{JUDGE}/ns/mnt', 0), 0)",
    "mount": "call('mount', b'none', b'/tmp', b'tmpfs', 0, None)",
    "remount": "call('mount', None, b'/usr', None, 0x1020, None)",
    "umount": "call('umount2', b'/usr', 2)", "chroot": "call('chroot', b'/')",
    "pivot_root": "call('syscall', 155, b'/', b'/')", "fsopen": "call('syscall', 430, b'tmpfs', 0)",
    "bpf": "call('syscall', 321, 0, None, 0)", "io_uring": "call('syscall', 425, 1, bytes(120))",
    "userfaultfd": "call('syscall', 323, 1)",
    "perf_event_open": "call('syscall', 298, bytes(120), 0, -1, -1, 0)",
    "keyctl": "call('syscall', 250, 0, -3, 0)",
    "add_key": "call('syscall', 248, b'user', b'x', b'x', 1, -5)",
    "reboot": "call('reboot', 0)", "host name": "call('sethostname', b'mine', 4)",
    "the time": "time.clock_settime(time.CLOCK_REALTIME, 0) is None",
    "swap": "call('swapoff', b'/')",
    "a module of the kernel": "call('syscall', 175, b'', 0, b'')",
    "personality": "call('personality', 0x0040000)",
    "root": "call('setuid', 0) and os.getuid() == 0 and wrote(VICTIM)",
    "settings of the kernel": "wrote('/proc/sys/kernel/hostname')",
    "sysrq": "wrote('/proc/sysrq-trigger')", "groups": "wrote('/sys/fs/cgroup/mine')",
    "limits raised": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1)) is None and "
    "resource.getrlimit(resource.RLIMIT_AS)[0] == -1",
}  # fmt: skip
"""Ways out of a box. Numbers of system calls are those of x86-64; elsewhere they mean others."""

LEAVES = {
    "a process": "forks(1)",
    "thirty processes": "forks(30)",
    "a process that ignores signals": "detaches()",
    "a program in the background": "bool(os.system('sleep 1000 &') and False)",
    "nested folders": "nests()",
    "a folder without rights": "libc.mkdir(at(TMP + '/o'), 0) > 0",
    "files without end": "fills(TMP)",
    "a file of a gigabyte": "libc.posix_fallocate(libc.open(at(TMP + '/g'), "
    "os.O_RDWR | os.O_CREAT, 0o600), ctypes.c_long(0), ctypes.c_long(1 << 30)) == 0",
    "names of every kind": "any(wrote(TMP + '/' + n) for n in "
    "('\\n', '*', '-rf', ' ', '\\udcff')) and False",
    "threads": "any(threading.Thread(target=time.sleep, args=(1000,), daemon=True).start() "
    "for _ in range(50))",
    "memory of a file": "bool(os.ftruncate(os.memfd_create('x'), 1 << 40))",
    "three gigabytes in a file of memory": "[m := os.memfd_create('x')] and "
    "sum(os.write(m, bytes(1 << 20)) for _ in range(3000)) == 3000 << 20",
    "a file of memory past Python": "call('memfd_create', b'x', 0)",
    "open files": "len([os.open('/dev/null', 0) for _ in range(10**5)]) > 10**5",
    "a timer": "signal.setitimer(signal.ITIMER_REAL, 1000) is None",
    "closed pipes": "os.closerange(0, 3) is not None",
}
"""Attempts to leave something behind, or to use something up."""

ANSWERS = {
    "an answer": "bool(ours().answer('....', '2x2k2', data=DATA))",
    "an answer from tables of its own": "bool(ours().answer('....', '2x2k2', data=TMP))",
    "an answer by a search": "bool(ours().answer('', 'connect4', time=1))",
    "an oracle": "bool(ours().oracle('2x2k2', data=DATA))",
    "a table": "bool(ours().tables('2x2k2', data=DATA).positions.fetchall())",
    "SQL": "bool(ours().sql('from positions', '2x2k2', data=DATA).fetchall())",
    "an audit": "bool(ours().audit('ai1', '2x2k2', data=DATA))",
    "items": "bool(ours().items('2x2k2', data=DATA))",
    "another Python": "python('-c', 'import marubatsu; marubatsu.answer(\"....\", \"2x2k2\")')",
    "the command": "python('-m', 'marubatsu', 'best', '....', '--game', '2x2k2', '--data', DATA)",
    "the command with tables of its own": "python('-m', 'marubatsu', 'best', '....', '--game', "
    "'2x2k2', '--data', TMP)",
    "the command that queries": "python('-m', 'marubatsu', 'sql', 'from positions', '--game', "
    "'2x2k2', '--data', DATA)",
    "past what refuses it": "past_the_finder()",
    "files that it inherits": "any(os.path.exists(f'/proc/self/fd/{number}') and "
    "os.pread(number, 4, 0) == b'PAR1' for number in range(1000))",
    "files of the judge": "any(reads(f'/proc/{JUDGE}/fd/{number}') for number in range(1000))",
    "the name of the folder": "'MARUBATSU_DATA' in os.environ",
    "under what hides it": "call('umount2', at(DATA), 2)",
    "by a second mount": "call('mount', at(DATA), at(TMP), None, 0x1000, None)",
    "by moving it": "call('rename', at(DATA), at(TMP + '/data'))",
    "by moving what holds it": "call('rename', at(HERE), at(TMP + '/own'))",
}
"""Reading the answers of the judge, by marubatsu itself or by a search for tables."""

FAMILIES = {"changes": CHANGES, "reads": READS, "reaches": REACHES, "signals": SIGNALS,
            "escapes": ESCAPES, "leaves": LEAVES, "answers": ANSWERS}  # fmt: skip
