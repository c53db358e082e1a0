"""The stages: which function makes each table, from which inputs, with which code.

A stage is a function from a `BuildContext`, in which the stages of one build share results, to the
columns of one table. It names the rooms and modules whose code decides the bytes of that table; a
test compares them with the imports of its module. A table is stale when that code differs in more
than comments and docstrings.
"""

import hashlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

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
    Columns,
    Table,
)

if TYPE_CHECKING:  # Where all is up to date, NumPy is not needed.
    from marubatsu.engine.tree.induction import PositionScores
    from marubatsu.engine.tree.positions import Classes, Positions
    from marubatsu.pipeline.support.background import WorkerProcesses

Result = TypeVar("Result")

_FEW_POSITIONS = 1000  # with fewer, starting processes takes longer than the work


class BuildContext:
    """The shared results of one game; the end of its block ends the processes that it started."""

    def __init__(self, game: Game, progress: Callable[[float], None] = lambda share: None) -> None:
        """Start with nothing computed; ``progress`` gets the share of what is being computed."""
        self.game = game
        self.progress = progress
        self._workers: WorkerProcesses | None = None
        self._made: dict[Callable[[BuildContext], Any], Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._workers:
            self._workers.close()

    def in_parallel(
        self, function: Callable[..., Result], tasks: Sequence[tuple[Any, ...]]
    ) -> list[Result]:
        """Call a function of a module with the arguments of each task, on all processors."""
        if len(self.positions) < _FEW_POSITIONS:
            return [function(*arguments) for arguments in tasks]
        if self._workers is None:
            # A tree needs no subprocesses.
            from marubatsu.pipeline.support.background import WorkerProcesses

            self._workers = WorkerProcesses()
        return self._workers.call(function, tasks, self.progress)

    @cached_property
    def positions(self) -> "Positions":
        """The game's positions. Raises TooLargeError when there are too many."""
        from marubatsu.engine.tree.positions import enumerate_positions

        return enumerate_positions(self.game, progress=self.progress)

    @cached_property
    def classes(self) -> "Classes":
        """The positions up to symmetry."""
        from marubatsu.engine.tree.positions import classify

        positions = self.positions
        self.progress(1.0)
        return classify(positions)

    @cached_property
    def scores(self) -> "PositionScores":
        """The positions' scores."""
        from marubatsu.engine.tree.induction import score_positions

        positions = self.positions
        self.progress(1.0)
        return score_positions(positions)

    def once(self, make: "Callable[[BuildContext], Result]") -> Result:
        """Return the result of a function of this context, computed only once."""
        if make not in self._made:
            self._made[make] = make(self)
        result: Result = self._made[make]
        return result


@dataclass(frozen=True)
class Lazy:
    """A function of this room whose module is imported at the call.

    So a build of trees imports no AIs, and to ask whether data is stale imports no stage.
    """

    module: str
    function: str = "make"

    def __call__(self, context: BuildContext) -> Columns:
        """Call the function."""
        home = import_module(f"marubatsu.pipeline.stages.{self.module}")
        columns: Columns = getattr(home, self.function)(context)
        return columns

    def __str__(self) -> str:
        """Write the function with its module, as in ``make_tree.make_depth_first``."""
        return f"{self.module}.{self.function}"


@dataclass(frozen=True)
class Stage:
    """The function that makes one table, its code and its inputs."""

    table: Table
    make: Callable[[BuildContext], Columns]
    rooms: tuple[str, ...]  # the rooms and modules that decide the bytes of the table
    inputs: tuple[Table, ...] = ()  # that its rows refer to: when they change, it is stale
    applies: Callable[[Game], bool] = lambda game: True
    effort: float = 1  # microseconds for each position, on two cores that do nothing else
    start: float = 0.02  # seconds besides, however few positions there are
    uncompiled: float = 0  # the effort without Numba, where that is another one

    def seconds(self, positions: float) -> float:
        """Return the time that it takes on that machine; see `pipeline.stages.plan`."""
        effort = self.effort if find_spec("numba") else max(self.effort, self.uncompiled)
        return self.start + effort * positions / 1e6

    @property
    def made_by(self) -> str:
        """The hash of what decides the bytes of the table, except inputs and game."""
        return code_of_bytes(*self.rooms)


_TREE = ("engine.rules", "engine.tree")
_OF_TREE = (*_TREE, "pipeline.stages.make_tree")
_OF_AIS = (
    *_TREE, "engine.boards", "engine.ais", "engine.search", "engine.large.compiled",
    "engine.kernels.batch", "engine.kernels.search_kernels", "pipeline.stages.make_ais",
)  # fmt: skip
_OF_SEARCHES = (*_OF_AIS, "pipeline.stages.make_searches")

TREE_STAGES = (
    Stage(POSITIONS, Lazy("make_tree", "make_positions"), _OF_TREE),
    Stage(MOVES, Lazy("make_tree", "make_moves"), _OF_TREE, (POSITIONS,)),
    Stage(TREE_BFS, Lazy("make_tree", "make_breadth_first"), _OF_TREE, (POSITIONS,),
          applies=has_full_tree, effort=30),
    Stage(TREE_DFS, Lazy("make_tree", "make_depth_first"), _OF_TREE, (POSITIONS,),
          applies=has_full_tree, effort=50),
    Stage(CLASSES, Lazy("make_tree", "make_classes"), _OF_TREE, (POSITIONS,)),
)  # fmt: skip
"""The stages of the game itself. Each comes after its inputs; long ones come early, so that the
next table is computed while a tree is encoded."""

STAGES = (
    *TREE_STAGES,
    Stage(SPLITS, Lazy("make_tree", "make_splits"), _OF_TREE, (POSITIONS, CLASSES)),
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
"""All stages: also of those who learn the game, and of its AIs and searches."""


def stages_of(game: Game, stages: Sequence[Stage] = STAGES) -> list[Stage]:
    """List the given stages, by default all, that make tables for a game."""
    return [stage for stage in stages if stage.applies(game)]


WRITER_CODE = ("pipeline.tables.parquet", "pipeline.tables.schemas")
"""The modules that write every table."""

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
def code_of_bytes(*names: str) -> str:
    """Return the hash of what decides the bytes of a table's file.

    It is the code of some modules, and of all modules in rooms such as ``engine.rules``; that of
    the modules which write every table; and the version of pyarrow, which writes the files.
    """
    version = getattr(sys.modules.get("pyarrow"), "__version__", None)
    if version is None:  # To import pyarrow takes ten times as long as to look it up.
        from importlib import metadata

        version = metadata.version("pyarrow")
    return _digest(version + code_of_rows(*names, *WRITER_CODE))


@cache
def code_of_rows(*names: str) -> str:
    """Return the hash of what decides the rows of a table, however a file stores them."""
    digests = {name: _digest_of(file) for name, file in modules_of(*names).items()}
    return _digest(repr(digests))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


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
