"""The stages: which function makes each table, from which inputs, with which code.

A stage is a function from a `BuildContext` to the columns of one table. It names the rooms and
modules whose code decides the bytes of that table; a test compares them with the imports of its
module. A table is stale when that code differs in more than comments and docstrings: a
fingerprint hashes exactly those modules without them.
"""

import hashlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from marubatsu.engine.rules.bounds import has_full_tree
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.support.resources import PACKAGE
from marubatsu.pipeline.tables.schemas import (
    AI_MOVES,
    AIS,
    CLASSES,
    MATCHES,
    MOVES,
    POSITIONS,
    SEARCH_TRACE,
    SEARCHES,
    SPLITS,
    TREE_BFS,
    TREE_DFS,
    Table,
)

if TYPE_CHECKING:
    from marubatsu.pipeline.stages.context import BuildContext
    from marubatsu.pipeline.tables.columns import Columns

_Make = Callable[["BuildContext"], "Columns"]


@dataclass(frozen=True)
class Lazy:
    """A function of this room whose module is imported at the call.

    So a build of trees imports no AIs, and to ask whether data is stale imports no stage.
    """

    module: str
    function: str = "make"

    def __call__(self, context: "BuildContext") -> "Columns":
        """Call the function."""
        home = import_module(f"marubatsu.pipeline.stages.{self.module}")
        columns: Columns = getattr(home, self.function)(context)
        return columns

    def __str__(self) -> str:
        """Write the function with its module, as in ``make_trees.make_depth_first``."""
        return f"{self.module}.{self.function}"


@dataclass(frozen=True)
class Stage:
    """The function that makes one table, its code and its inputs."""

    table: Table
    make: _Make
    rooms: tuple[str, ...]  # the rooms and modules that decide the bytes of the table
    inputs: tuple[Table, ...] = ()  # the tables whose numbers it uses
    applies: Callable[[Game], bool] = lambda game: True
    effort: float = 1  # microseconds for each position, on two cores that do nothing else
    start: float = 0.02  # seconds besides, however few positions there are
    uncompiled: float = 0  # the effort without Numba, where that is another one

    def seconds(self, positions: float) -> float:
        """Return the time that it takes on that machine; see `pipeline.stages.plan`."""
        effort = self.effort if find_spec("numba") else max(self.effort, self.uncompiled)
        return self.start + effort * positions / 1e6

    @property
    def code(self) -> Mapping[str, str]:
        """What decides the bytes of the table, except inputs and game: see `code_of_file`."""
        return code_of_file(*self.rooms)

    @property
    def made_by(self) -> str:
        """The hash of that code."""
        return fingerprint(self.code)


WRITER_CODE = ("pipeline.tables.parquet", "pipeline.tables.columns", "pipeline.tables.schemas")
"""The modules that write every table."""

PYARROW = "pyarrow"
"""The name of the library among the modules."""

_TEXT = r'"{3}(?:\\.|(?!"{3})[^\\])*"{3}'
_SAYS_NOTHING = re.compile(
    rf"""
    (?P<indent>^[ ]*) r?{_TEXT} [ ]*$       # a docstring: a string that is a statement
    | (?P<kept>{_TEXT}|"(?:\\.|[^"\\\n])*")  # any other string, in which a # begins no comment
    | ^[ ]*\#[^\n]*\n                        # a line that is a comment
    | [ ]*\#[^\n]*                           # a comment at the end of a line
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)


@cache
def code_of_file(*names: str) -> Mapping[str, str]:
    """Return what decides the bytes of a table: modules by name, each with a hash of its code.

    These are the modules, those in rooms, with names as in ``engine.rules``, and the modules that
    write every table. The version of pyarrow, which writes the files, is among them.
    """
    version = getattr(sys.modules.get(PYARROW), "__version__", None)
    if version is None:  # To import pyarrow takes ten times as long as to look it up.
        from importlib import metadata

        version = metadata.version(PYARROW)
    return {PYARROW: version, **code_of_rows(*names, *WRITER_CODE)}


@cache
def code_of_rows(*names: str) -> Mapping[str, str]:
    """Return what decides the rows of a table, however a file stores them: code alone."""
    return {name: _digest_of(file) for name, file in modules_of(*names).items()}


def fingerprint(code: Mapping[str, str]) -> str:
    """Hash the code of a table."""
    return _digest(repr(sorted(code.items())))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def modules_of(*names: str) -> Mapping[str, Path]:
    """Return the files of modules, and of all modules in rooms, by the names of the modules."""
    modules: dict[str, Path] = {}
    for name in names:
        path = PACKAGE.joinpath(*name.split("."))
        for file in path.glob("*.py") if path.is_dir() else [path.with_suffix(".py")]:
            modules[".".join(file.relative_to(PACKAGE).with_suffix("").parts)] = file
    return dict(sorted(modules.items()))


@cache
def _digest_of(file: Path) -> str:
    return _digest(without_comments(file.read_text(encoding="utf-8")))


def without_comments(source: str) -> str:
    """Return Python code without comments, each docstring replaced by three dots.

    >>> without_comments('x = "# no comment"  # a comment')
    'x = "# no comment"'
    """

    def kept(match: re.Match[str]) -> str:
        return match["kept"] or "" if match["indent"] is None else match["indent"] + "..."

    return _SAYS_NOTHING.sub(kept, source)


_TREE = ("engine.rules", "engine.tree")
_CODE_OF_AIS = (
    *_TREE, "engine.boards", "engine.ais", "engine.search",
    "engine.large.compiled", "engine.kernels.batch", "engine.kernels.search_kernels",
)  # fmt: skip

_OF_POSITIONS = (*_TREE, "pipeline.stages.make_positions")
_OF_TREES = (*_TREE, "pipeline.stages.make_trees")
_OF_AIS = (*_CODE_OF_AIS, "pipeline.stages.make_ais")
_OF_SEARCHES = (*_OF_AIS, "pipeline.stages.make_searches")

TREE_STAGES = (
    Stage(POSITIONS, Lazy("make_positions"), _OF_POSITIONS),
    Stage(MOVES, Lazy("make_positions", "make_moves"), _OF_POSITIONS, (POSITIONS,)),
    Stage(TREE_BFS, Lazy("make_trees", "make_breadth_first"), _OF_TREES, (POSITIONS,),
          applies=has_full_tree, effort=30),
    Stage(TREE_DFS, Lazy("make_trees", "make_depth_first"), _OF_TREES, (POSITIONS,),
          applies=has_full_tree, effort=50),
    Stage(CLASSES, Lazy("make_positions", "make_classes"), _OF_POSITIONS, (POSITIONS,)),
)  # fmt: skip
"""The stages of the game itself. Each comes after its inputs; long ones come early, so that the
next table is computed while a tree is encoded."""

LEARNING_STAGES = (
    Stage(SPLITS, Lazy("make_positions", "make_splits"), _OF_POSITIONS, (POSITIONS, CLASSES)),
)
"""The stages for those who learn the game."""

AI_STAGES = (
    Stage(AIS, Lazy("make_ais"), _OF_AIS, applies=has_full_tree, effort=0, start=0.1),
    Stage(AI_MOVES, Lazy("make_ais", "make_ai_moves"), _OF_AIS, (POSITIONS,),
          applies=has_full_tree, effort=800, uncompiled=2300),
    Stage(MATCHES, Lazy("make_ais", "make_matches"), _OF_AIS, (POSITIONS,),
          applies=has_full_tree, effort=180),
    Stage(SEARCH_TRACE, Lazy("make_searches", "make_trace"), _OF_SEARCHES, (POSITIONS,),
          applies=has_full_tree, effort=450),
    Stage(SEARCHES, Lazy("make_searches"), _OF_SEARCHES, (POSITIONS, CLASSES),
          applies=has_full_tree, effort=500, start=0.4, uncompiled=7900),
)  # fmt: skip
"""The stages of the AIs and searches of the game."""

STAGES = (*TREE_STAGES, *LEARNING_STAGES, *AI_STAGES)
"""All stages."""


def stages_of(game: Game, stages: Sequence[Stage] = STAGES) -> list[Stage]:
    """List the given stages, by default all, that make tables for a game."""
    return [stage for stage in stages if stage.applies(game)]
