"""Compiled kernels are forgotten when a module changes that they have built in."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from marubatsu.engine.large.compiled import ROOMS
from tests.helpers import CHECKOUT
from tests.helpers.processes.commands import PATIENCE, run_marubatsu

ENGINE = CHECKOUT / "marubatsu" / "engine"

USED = """
from typing import NamedTuple

HOW_MUCH = 1

class Pair(NamedTuple):
    one: int
    other: int
"""
KERNEL = """
from marubatsu.engine.large.compiled import compiled
from marubatsu.engine.large.used import HOW_MUCH, Pair

@compiled
def scaled(pair: Pair) -> int:
    return HOW_MUCH * (pair.one + pair.other)

print(scaled(Pair(3, 4)), len(scaled.stats.cache_hits))
"""


def built_in(path: Path) -> Iterator[str]:
    """Yield the modules of ours of which a compiled function of a module names something."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    source = {
        alias.asname or alias.name: node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("marubatsu.")
        for alias in node.names
    }
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            named = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
            yield from (source[name] or "" for name in named & source.keys())


def test_kernels_have_nothing_built_in_from_other_rooms() -> None:
    found = {
        module
        for path in ENGINE.glob("*/*.py")
        if "@compiled" in path.read_text(encoding="utf-8")
        for module in built_in(path)
    }
    assert "marubatsu.engine.large.arrays" in found
    assert {module.split(".")[2] for module in found} <= set(ROOMS)


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """Return a copy of the rules and of the large games, with a kernel to try."""
    copied = tmp_path / "marubatsu" / "engine"
    for room in ("rules", "large"):
        shutil.copytree(ENGINE / room, copied / room, ignore=shutil.ignore_patterns("__pycache__"))
    for package in (copied, copied.parent):
        (package / "__init__.py").touch()
    (copied / "large" / "used.py").write_text(USED)
    (copied / "large" / "tried.py").write_text(KERNEL)
    return copied


def home_of(engine: Path) -> Path:
    return engine.parents[1] / "home"


def code_kept(engine: Path) -> set[str]:
    """Return the names of the files of compiled code that are kept, all of them in the home."""
    everywhere = set(engine.parents[1].rglob("*.nb[ic]"))
    assert all(path.is_relative_to(home_of(engine)) for path in everywhere)
    return {path.name for path in everywhere}


def command_of(engine: Path, *more: str) -> dict[str, Any]:
    """Return what `subprocess` needs to run the kernel of the copy."""
    return {
        "args": [sys.executable, *(more or ("-m", "marubatsu.engine.large.tried"))],
        "env": {
            **{name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"},
            "PYTHONPATH": str(engine.parents[1]),
            "HOME": str(home_of(engine)),
            "XDG_CACHE_HOME": str(home_of(engine) / "cache"),
        },
        "cwd": engine.parents[1], "stdout": subprocess.PIPE, "text": True,
    }  # fmt: skip


def tried(engine: Path) -> str:
    """Run the kernel; return its result, and for how many kinds of arguments code was kept."""
    done = subprocess.run(**command_of(engine), check=True)
    return str(done.stdout).strip()


def test_a_kernel_is_recompiled_when_its_inlined_code_changes(engine: Path) -> None:
    """Only today's code is kept, and a process that runs older modules goes on.

    The class of the kernel's argument gets another name; Numba's index pickles it.
    """
    assert [tried(engine), tried(engine)] == ["7 0", "7 1"]
    first = code_kept(engine)
    waits = (
        "import io, sys, contextlib; shown = io.StringIO()\n"
        "with contextlib.redirect_stdout(shown):\n"
        "    from marubatsu.engine.large.tried import Pair, compiled, HOW_MUCH, scaled\n"
        "print('ready', flush=True); input()\n"
        "print(scaled(Pair(3.0, 4.0)))\n"  # other kinds of arguments are compiled now
    )
    with subprocess.Popen(**command_of(engine, "-c", waits), stdin=subprocess.PIPE) as older:
        assert older.stdout
        assert older.stdout.readline() == "ready\n"
        (engine / "large" / "used.py").write_text(
            USED.replace("HOW_MUCH = 1", "HOW_MUCH = 2").replace("Pair", "Two")
        )
        (engine / "large" / "tried.py").write_text(KERNEL.replace("Pair", "Two"))
        assert tried(engine) == "14 0"
        second = code_kept(engine)
        assert len(first) == len(second) > 0
        assert not first & second
        assert older.communicate("\n") == ("7.0\n", None)
        assert older.returncode == 0
    tried(engine)
    assert tried(engine) == "14 1"


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("NUMBA_DISABLE_JIT", "1", "NUMBA_DISABLE_JIT is set, and kernels run only as compiled"),
        ("NUMBA_NUM_THREADS", "0", "Numba refuses a variable NUMBA_… of the environment: Number"),
    ],
)
def test_a_variable_that_stops_numba_is_named(
    tmp_path: Path, variable: str, value: str, sentence: str
) -> None:
    done = run_marubatsu("solve", "2x2k2", data=tmp_path, environment={variable: value})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"marubatsu: {sentence}")


def test_a_kernel_runs_where_there_is_no_room_to_keep_it(engine: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
    run = command_of(engine, "-c", limit + "import marubatsu.engine.large.tried")
    done = subprocess.run(**run, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "7 0\n", "")
    assert code_kept(engine) == set()
