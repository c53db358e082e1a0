"""Compiled kernels are forgotten when a module changes that they have built in."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from marubatsu.engine.large.kernel_cache import ROOMS
from tests.helpers import CHECKOUT

ENGINE = CHECKOUT / "engine"

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
    assert "marubatsu.engine.large.tables" in found
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


def tried(engine: Path) -> str:
    """Run the kernel; return its result, and how many kinds of arguments it had kept code for."""
    done = subprocess.run(
        [sys.executable, "-m", "marubatsu.engine.large.tried"],
        env={**os.environ, "PYTHONPATH": str(engine.parents[1])},
        cwd=engine.parents[1], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_kernel_is_compiled_anew_when_what_it_has_built_in_changes(engine: Path) -> None:
    assert [tried(engine), tried(engine)] == ["7 0", "7 1"]
    used = engine / "large" / "used.py"
    used.write_text(USED.replace("HOW_MUCH = 1", "HOW_MUCH = 2"))
    assert [tried(engine), tried(engine)] == ["14 0", "14 1"]


def test_a_class_with_another_name_does_not_matter(engine: Path) -> None:
    """Numba's index of what is kept names the classes of arguments, and unpickles it first."""
    assert tried(engine) == "7 0"
    for name in ("used", "tried"):
        path = engine / "large" / f"{name}.py"
        path.write_text(path.read_text().replace("Pair", "Two"))
    assert [tried(engine), tried(engine)] == ["7 0", "7 1"]


def test_only_todays_code_is_kept(engine: Path) -> None:
    folder = engine / "large" / "__pycache__"
    tried(engine)
    kept = sorted(path.name for path in folder.glob("*.nbi"))
    assert kept
    (folder / "kernels-before").touch()
    (folder / "gone-1.py311.nbi").touch()
    (engine / "large" / "used.py").write_text(USED + "\n# a change\n")
    tried(engine)
    assert sorted(path.name for path in folder.glob("*.nbi")) == kept
    assert len(list(folder.glob("kernels-*"))) == 1
