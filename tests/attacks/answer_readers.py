"""Agents that read the answers of their judge: ways to read a file, and names of one file."""

from pathlib import Path

from marubatsu.judge.oracle import choose_oracle
from marubatsu.pipeline.support.resources import PACKAGE

READER = """
import ctypes, mmap, os, shutil, subprocess, sys
from pathlib import Path

libc = ctypes.CDLL(None, use_errno=True)
HERE = Path(__file__).parent
DATA, JUDGE = TARGETS
PIECE = 100
scratch = os.path.join(os.environ["TMPDIR"], "copy")
handle = lambda path, flags=os.O_RDONLY: libc.open(os.fsencode(path), flags)

def by_a_folder(path):
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    return os.read(os.open(os.path.basename(path), os.O_RDONLY, dir_fd=folder), PIECE)

def by_a_name_alone(path):
    alone = handle(path, os.O_PATH)
    return Path(f"/proc/self/fd/{alone}").read_bytes()

def by_a_mapping(path):
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as mapped:
        return mapped[:PIECE]

def by_copying(path):
    shutil.copyfile(path, scratch)
    return Path(scratch).read_bytes()

def by_the_kernel(path):
    out = os.open(scratch, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    return os.sendfile(out, handle(path), 0, PIECE) and os.pread(out, PIECE, 0)

def by_a_hard_link(path):
    name = scratch + "-hard"
    libc.link(os.fsencode(path), os.fsencode(name))
    return Path(name).read_bytes()

def by_a_link(path):
    name = scratch + "-link"
    libc.unlink(os.fsencode(name))
    libc.symlink(os.fsencode(os.path.abspath(path)), os.fsencode(name))
    return Path(name).read_bytes()

def by_a_new_call(path):
    how = (ctypes.c_uint64 * 3)(os.O_RDONLY, 0, 0)
    return os.read(libc.syscall(437, -100, os.fsencode(path), how, 24), PIECE)

def by_the_c_library(path):
    libc.fopen.restype = ctypes.c_void_p
    file, into = libc.fopen(os.fsencode(path), b"rb"), ctypes.create_string_buffer(PIECE)
    return file and libc.fread(into, 1, PIECE, ctypes.c_void_p(file))

def by_a_shell(path):
    return libc.system(b"grep -q . '" + os.fsencode(path) + b"' 2> /dev/null") == 0

def by_arrow(path):
    import pyarrow
    return pyarrow.OSFile(str(path)).read(PIECE)

def by_numpy(path):
    import numpy
    return len(numpy.fromfile(path, numpy.uint8, PIECE))

def by_duckdb(path):
    import duckdb
    return duckdb.sql(f"select content from read_blob('{path}')").fetchall()[0][0]

WAYS = {
    "open": lambda path: open(path, "rb").read(PIECE),
    "a system call": lambda path: os.read(handle(path), PIECE),
    "a folder": by_a_folder, "a name alone": by_a_name_alone, "a mapping": by_a_mapping,
    "copying": by_copying, "the kernel": by_the_kernel, "a hard link": by_a_hard_link,
    "a link": by_a_link, "a new call": by_a_new_call, "the C library": by_the_c_library,
    "a shell": by_a_shell, "Arrow": by_arrow, "NumPy": by_numpy, "DuckDB": by_duckdb,
}

def choose(board, moves):
    through = ""
    for way in WAYS.values():
        try:
            through += "yes " if way(str(PLACE)) else "no "
        except BaseException:
            through += "no "
    raise ValueError(f"got through: {through}")

if __name__ == "__main__":
    for line in sys.stdin:
        try:
            choose("", [])
        except ValueError as error:
            print(line.split()[0], error, flush=True)
"""
"""An agent that tries all ways to read one place, and returns those that got through."""

WAYS = ("open", "a system call", "a folder", "a name alone", "a mapping", "copying", "the kernel",
        "a hard link", "a link", "a new call", "the C library", "a shell", "Arrow", "NumPy",
        "DuckDB")  # fmt: skip
"""The names of the ways."""

TABLE = "2x2k2/positions.parquet"

ORACLE = Path(choose_oracle.__file__).relative_to(PACKAGE)

PLACES = {
    "its path": f"f'{{DATA}}/{TABLE}'",
    "the manifest": "f'{DATA}/2x2k2/manifest.json'",
    "a file next to the games": "f'{DATA}/notes.txt'",
    "its path through /proc": f"f'/proc/self/root{{DATA}}/{TABLE}'",
    "its path through another process": f"f'/proc/1/root{{DATA}}/{TABLE}'",
    "its path through the judge": f"f'/proc/{{JUDGE}}/root{{DATA}}/{TABLE}'",
    "the judge's working folder": f"f'/proc/{{JUDGE}}/cwd/' + os.path.relpath(f'{{DATA}}/{TABLE}')",
    "the working folder": f"'/proc/self/cwd/' + os.path.relpath(f'{{DATA}}/{TABLE}')",
    "a relative path": f"os.path.relpath(f'{{DATA}}/{TABLE}')",
    "a path that goes up": f"HERE / 'empty' / '..' / 'data' / '{TABLE}'",
    "a link in its folder": f"HERE / 'link' / '{TABLE}'",
    "its folder by another name": f"HERE.parent / 'alias' / 'data' / '{TABLE}'",
    "where a link in the data leads": "HERE / 'disk' / 'classes.parquet'",
    "where a linked folder leads": "HERE / 'disk' / '3x2k2' / 'positions.parquet'",
    "the data of the checkout": "__import__('marubatsu').__path__[0] + '/../data/README.md'",
    "known values": "__import__('marubatsu').__path__[0] + "
    "'/queries/reference/search_openings.csv'",
    "the oracle": f"__import__('marubatsu').__path__[0] + '/{ORACLE}'",
}
"""Expressions for files that no agent may read."""
