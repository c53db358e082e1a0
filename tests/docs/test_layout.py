"""The architecture: who imports whom, and what a fingerprint covers."""

import ast
import importlib.util
import re
from pathlib import Path

import pytest

from marubatsu.pipeline.stages.stage import STAGES, Stage
from marubatsu.pipeline.store.fingerprint import closure
from tests.helpers import CHECKOUT

pytestmark = pytest.mark.quick


ENGINE = sorted((CHECKOUT / "engine").rglob("*.py"))
OURS = re.compile(r"marubatsu\.(engine|pipeline)")
SCRIPTS = sorted((CHECKOUT / "explorer").glob("*.js"))
SOURCES = sorted(p for room in ("engine", "pipeline") for p in (CHECKOUT / room).rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Return the modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in names if (CHECKOUT / name.replace(".", "/")).is_dir()}
            found |= {n for n in names if (CHECKOUT / f"{n.replace('.', '/')}.py").is_file()}
    return found


@pytest.mark.parametrize("path", ENGINE, ids=lambda p: str(p.relative_to(CHECKOUT)))
def test_the_engine_is_pure(path: Path) -> None:
    names = imports(path)
    ours = {name for name in names if name.startswith("marubatsu")}
    assert {name for name in ours if not name.startswith("marubatsu.engine")} == set()
    assert {name.split(".")[0] for name in names - ours} <= {
        "abc", "array", "collections", "copy", "dataclasses", "difflib", "enum", "fractions",
        "functools", "itertools", "math", "numba", "numpy", "operator", "random", "re", "sys",
        "typing",
    }  # fmt: skip
    assert "import random" not in path.read_text(encoding="utf-8")  # A generator is passed in.
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert calls.isdisjoint({"print", "open", "input", "exec", "eval"})


def test_both_tree_builders_share_only_the_rules() -> None:
    tree = CHECKOUT / "engine" / "tree"
    bfs, dfs = (imports(tree / f"{order}_first.py") for order in ("breadth", "depth"))
    ours = {name for name in bfs & dfs if name.startswith("marubatsu")}
    assert ours == {
        "marubatsu.engine.rules.game",
        "marubatsu.engine.rules.masks",
        "marubatsu.engine.tree.full_tree",
    }
    second_way = {n for n in imports(tree / "recursion.py") if n.startswith("marubatsu")}
    assert second_way == {"marubatsu.engine.rules.game", "marubatsu.engine.tree.full_tree"}


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.table.name)
def test_a_fingerprint_covers_all_code_of_ours_that_a_stage_imports(stage: Stage) -> None:
    """The closure by regular expression against one by the language's own parser."""
    expected: set[str] = set()
    waiting = list(stage.modules)
    while waiting:
        name = waiting.pop()
        if name not in expected and OURS.match(name):
            expected.add(name)
            spec = importlib.util.find_spec(name)
            assert spec
            assert spec.origin
            waiting += imports(Path(spec.origin))
    assert closure(*stage.modules) == tuple(sorted(expected))


def test_a_fingerprint_covers_no_more_than_it_must() -> None:
    covered = {stage.table.name: closure(*stage.modules) for stage in STAGES}
    assert "marubatsu.engine.tree.breadth_first" in covered["tree_bfs"]
    assert "marubatsu.engine.tree.breadth_first" not in covered["positions"]
    assert "marubatsu.pipeline.cli" not in covered["tree_bfs"]
    assert "marubatsu.pipeline.store.data_set" not in covered["moves"]


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(CHECKOUT)))
def test_a_module_says_what_it_is_and_stays_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text))
    assert len(text.splitlines()) <= 400


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda p: p.name)
def test_a_module_of_the_page_says_what_it_is_and_stays_short(path: Path) -> None:
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    assert first.startswith("// ")
    assert len(rest) < 300
