"""The architecture: which room imports which, what a fingerprint covers, which files hold SQL."""

import ast
import posixpath
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from marubatsu.pipeline.sql.query_files import views
from marubatsu.pipeline.stages.stage import STAGES, WRITER_CODE, Stage, modules_of, without_comments
from marubatsu.pipeline.stages.staleness import COUNTING
from marubatsu.pipeline.support.resources import PACKAGE, PAGE
from marubatsu.pipeline.tables.schemas import TABLES
from marubatsu.pipeline.tables.solved_schemas import SOLUTION
from tests.helpers import CHECKOUT

FLOORS = ("engine", "pipeline", "judge", "web", "cli")

PAGE_LADDER = (
    "words", "elements", "answers", "state", "charts", "tree", "board", "position", "search",
    "leaderboard", "sql", "proof",
)  # fmt: skip
"""The rooms of the page in the same order; its top is above them all."""

KERNEL_CACHE = "engine.large.compiled"
"""The one module of the engine that touches files; it decides no row of any table."""

SOURCES = sorted(path for floor in FLOORS for path in (PACKAGE / floor).rglob("*.py"))
MODULES = {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in SOURCES}
SCRIPTS = {path.relative_to(PAGE).as_posix(): path for path in sorted(PAGE.rglob("*.js"))}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path: Path) -> set[str]:
    """Return our modules that a file imports, at its start or later, as in engine.rules.game."""
    ours = {name.removeprefix("marubatsu.") for name in named(path)}
    return {name for name in ours if name in MODULES}


def named(path: Path) -> set[str]:
    """Return what a file imports: modules, and names in modules that may be modules."""
    found = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {f"{node.module}"}
    return found


_SCRIPT = re.compile(r"'(\.\.?/[^']+\.js)'")
_STATIC = re.compile(r"^(?:import|export)\b.*?'(\.\.?/[^']+)';$", re.MULTILINE)


def scripts_of(name: str, pattern: re.Pattern[str] = _SCRIPT) -> set[str]:
    """Return the modules of the page that a module imports, anywhere or at its start."""
    folder = posixpath.dirname(name)
    found = pattern.findall(SCRIPTS[name].read_text(encoding="utf-8"))
    return {posixpath.normpath(posixpath.join(folder, path)) for path in found}


def room_of(module: str) -> tuple[str, str]:
    """Return the floor and the room of a module; the floor itself has no room."""
    floor, _, rest = module.partition(".")
    return floor, rest.partition(".")[0] if "." in rest else ""


def ladders() -> dict[str, tuple[str, ...]]:
    """Return the rooms of each floor from the ground up, as import-linter keeps them."""
    contracts = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    return {
        contract["containers"][0].removeprefix("marubatsu."): tuple(contract["layers"][::-1])
        for contract in contracts["tool"]["importlinter"]["contracts"]
        if "containers" in contract
    }


def test_the_document_lists_the_ladders() -> None:
    document = (CHECKOUT / "docs" / "how-it-is-built.md").read_text(encoding="utf-8")
    text = document[document.index("## Floors") : document.index("## Which search runs when")]
    _, *lists = re.split(r"^The rooms of `(\w+)`:$", text, flags=re.MULTILINE)
    found = {}
    for floor, rooms in zip(lists[::2], lists[1::2], strict=True):
        found[floor] = tuple(re.findall(r"^- `(\w+)`:", rooms, re.MULTILINE))
    assert found == {**ladders(), "explorer": PAGE_LADDER}


def test_no_module_inside_imports_the_public_names() -> None:
    for module, path in MODULES.items():
        assert named(path).isdisjoint({"marubatsu", "marubatsu.frameworks"}), module


def test_no_arrow_of_the_page_runs_upward() -> None:
    ladder = (*PAGE_LADDER, "")
    for name in SCRIPTS:
        room = ladder.index(posixpath.dirname(name))
        for other in scripts_of(name):
            assert other in SCRIPTS, f"{name} imports {other}, which is no module"
            goal = ladder.index(posixpath.dirname(other))
            assert goal <= room, f"{name} imports {other}, which is above it"


def test_a_script_names_what_it_imports() -> None:
    """By a whole path in single quotes, so that the tests of the ladder see it."""
    for name, path in SCRIPTS.items():
        source = path.read_text(encoding="utf-8")
        assert not re.search(r"""\bimport\(?\s*["`]""", source), name
        statements = re.findall(r"^(?:import\b|export [*{])", source, re.MULTILINE)
        assert len(statements) == len(_STATIC.findall(source)), name


def test_the_page_loads_at_once_what_it_shows_first() -> None:
    """The browser then need not find one module after another."""
    first, waiting = set(), ["main.js", "position/moves-pane.js"]
    while waiting:
        if (name := waiting.pop()) not in first:
            first.add(name)
            waiting += scripts_of(name, _STATIC)
    index = (PAGE / "index.html").read_text(encoding="utf-8")
    preloaded = re.findall(r'<link rel="modulepreload" href="(.*?)">', index)
    assert preloaded == sorted(first - {"main.js"})


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Neither while they load nor later, when a function imports what it needs."""
    waiting = {module: imports(path) for module, path in MODULES.items()}
    waiting |= {name: scripts_of(name, _STATIC) for name in SCRIPTS}
    while waiting:
        free = [module for module, needs in waiting.items() if not needs & waiting.keys()]
        assert free, f"a circle among {sorted(waiting)}"
        for module in free:
            del waiting[module]


def test_the_engine_is_pure() -> None:
    for module, path in MODULES.items():
        if not module.startswith("engine"):
            continue
        compiles = {"hashlib", "llvmlite", "pathlib", "resource", "signal", "threading"}
        libraries = {name.partition(".")[0] for name in named(path)}
        assert libraries - (compiles if module == KERNEL_CACHE else set()) <= {
            "abc", "array", "bisect", "collections", "contextlib", "copy", "dataclasses", "difflib",
            "enum", "fractions", "functools", "itertools", "json", "marubatsu", "math", "mmap",
            "numba", "numpy", "operator", "random", "re", "scipy", "sys", "typing", "unicodedata",
        }, module  # fmt: skip
        assert "import random" not in path.read_text(encoding="utf-8")  # A generator is passed in.
        calls = {
            node.func.id
            for node in ast.walk(parsed(path))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert calls.isdisjoint({"print", "open", "input", "exec", "eval"}), module


def test_both_tree_builders_share_only_the_rules() -> None:
    first, second = (
        imports(MODULES[f"engine.tree.{order}_first"]) for order in ("breadth", "depth")
    )
    assert first & second == {
        "engine.rules.game", "engine.rules.masks", "engine.rules.position",
        "engine.rules.size_limits", "engine.tree.full_tree",
    }  # fmt: skip
    recursion = imports(CHECKOUT / "tests" / "helpers" / "slow" / "slow_scores.py")
    assert recursion == {"engine.rules.game", "engine.rules.position", "engine.rules.size_limits"}


def closure(*modules: str) -> set[str]:
    """Return modules with all modules of ours that they import, directly or not.

    The words of errors decide no row, though they say whether a game can be solved.
    """
    words = {"pipeline.support.cures"}
    found = set(words)
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += imports(MODULES[module])
    return found - words


SEARCHING = {"ais", "ai_moves", "matches", "search_trace", "searches"}
"""The tables that AIs and searches decide: no other fingerprint covers their rooms."""


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.table.name)
def test_a_stage_names_all_code_that_decides_its_bytes(stage: Stage) -> None:
    """All that it imports, except what orders the work: processes, errors, shared results."""
    own = [name for name in stage.rooms if name.startswith("pipeline.stages.")]
    assert own
    named = set(modules_of(*stage.rooms, *WRITER_CODE))
    apart = {"pipeline.stages.stage", KERNEL_CACHE, *modules_of("pipeline.support")}
    assert closure(*own, *WRITER_CODE) - apart <= named
    assert not {name for name in named if name.startswith(("cli", "pipeline.sql"))}
    assert ("engine.search.negamax" in named) == (stage.table.name in SEARCHING)


def test_the_code_that_counts_nodes_covers_all_that_decides_the_rows() -> None:
    """All imports of rows and searches; the manifest compares their columns by themselves."""
    named = set(modules_of(*COUNTING))
    kinds = ("schemas", "solved_schemas")
    apart = {KERNEL_CACHE, *(f"pipeline.tables.{kind}" for kind in kinds)}
    needed = closure("pipeline.laboratory.technique_grid")
    assert needed - apart <= named
    rooms = {room_of(module) for module in needed}
    assert {room_of(module) for module in named} <= rooms


class _Emptied(ast.NodeTransformer):
    """Replaces every string that is a statement by three dots."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return ast.Expr(ast.Constant(...))
        return self.generic_visit(node)


def test_code_without_comments_means_the_same() -> None:
    """By regular expression, against the language's own parser."""
    fingerprinted = {name for stage in STAGES for name in modules_of(*stage.rooms, *WRITER_CODE)}
    for module in fingerprinted | {*modules_of(*COUNTING)}:
        source = MODULES[module].read_text(encoding="utf-8")
        expected = _Emptied().visit(ast.parse(source))
        assert ast.dump(ast.parse(without_comments(source))) == ast.dump(expected), module


def test_comments_do_not_change_a_fingerprint() -> None:
    source = 'def f(x):\n    """Say something."""\n    return x + 1  # one more\n'
    for same in (
        source.replace("Say something", "Say something\n    else"),
        source.replace("  # one more", ""),
        "# A comment.\n" + source.replace("return", "# here\n    return"),
    ):
        assert without_comments(same) == without_comments(source)


def test_starting_imports_nothing_heavy() -> None:
    """Each import comes in the same process, after those above it."""
    code = "import sys\n" + "".join(
        f"import {module}\nprint(*(m for m in {libraries.split()} if m in sys.modules), end='')\n"
        for module, libraries in {
            "marubatsu": "numpy numba pyarrow duckdb starlette uvicorn rich typer pyspark",
            "marubatsu.frameworks": "numpy pyarrow duckdb pyspiel pettingzoo gymnasium",
            "marubatsu.cli.commands": "numpy pyarrow duckdb rich pydantic zstandard",
            "marubatsu.pipeline.stages.build": "numpy pyarrow duckdb",
        }.items()
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == ""


def test_the_links_at_the_top_lead_into_the_package() -> None:
    """They are for people: no code, tool or document needs them."""
    links = {path.name: path.resolve() for path in CHECKOUT.iterdir() if path.is_symlink()}
    assert links == {name: PACKAGE / name for name in ("engine", "pipeline")}
    assert not any(path.is_symlink() for path in PACKAGE.rglob("*"))


RELATIONS = sorted({*TABLES, SOLUTION.name, *(view.name for view in views())})
READS_OR_WRITES = re.compile(
    rf'\b(from|join|update|into)\s+"?({"|".join(RELATIONS)})\b', re.IGNORECASE
)
COLUMNS = {column.name for table in (*TABLES.values(), SOLUTION) for column in table.columns}
STATEMENT = re.compile(
    r"\s*((select|order by|group by|update|insert|delete)\b|where\b.*[=<>])", re.IGNORECASE
)
QUOTED = re.compile(r"'[^']*'")
NAMES_A_COLUMN = re.compile(rf"\b({'|'.join(sorted(COLUMNS))})\b", re.IGNORECASE)


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each text of a module with its line: no docstrings; an f-string with ? for values."""
    found = list(ast.walk(parsed(path)))
    apart = {id(node.value) for node in found if isinstance(node, ast.Expr)}
    apart |= {id(part) for node in found if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in (node for node in found if id(node) not in apart):
        if isinstance(node, ast.JoinedStr):
            parts = (str(p.value) if isinstance(p, ast.Constant) else "?" for p in node.values)
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def names_ours(text: str) -> bool:
    """Return whether a text looks like SQL that names a relation of ours, or a column."""
    if STATEMENT.match(text) and NAMES_A_COLUMN.search(QUOTED.sub("", text)):
        return True
    return READS_OR_WRITES.search(text) is not None


def test_no_literal_names_a_relation_or_a_column() -> None:
    texts = {
        (path, *found)
        for path in (CHECKOUT / "marubatsu").rglob("*.py")
        for found in literals(path)
    }
    assert len(texts) > 1000
    assert [each for each in texts if names_ours(each[-1])] == []
