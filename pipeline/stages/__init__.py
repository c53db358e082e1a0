"""What makes each table, from which inputs, with which code.

A stage is a function from a `Workshop` to the columns of one table. Its code fingerprint
covers the module it stands in, the Parquet writer, and every module of ours that these
import, directly or not; nobody has to remember to name them.
"""

import hashlib
import importlib.util
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.game import Game
from engine.tree import MAX_CELLS
from pipeline.columns import Columns
from pipeline.schemas import CLASSES, MOVES, POSITIONS, TREE_BFS, TREE_DFS, Table
from pipeline.stages import classes, moves, positions, trees
from pipeline.workshop import Workshop

_OUR_IMPORT = re.compile(r"^\s*(?:from|import) ((?:engine|pipeline)[\w.]*)", re.MULTILINE)


def any_game(game: Game) -> bool:
    """Say that a stage makes its table for every game."""
    return True


def small_game(game: Game) -> bool:
    """Tell whether the full tree of a game fits in a table."""
    return game.cells <= MAX_CELLS


@dataclass(frozen=True)
class Stage:
    """One table's making."""

    table: Table
    make: Callable[[Workshop], Columns]
    inputs: tuple[Table, ...] = ()  # the tables whose numbers it uses
    applies: Callable[[Game], bool] = any_game

    def code_fingerprint(self) -> str:
        """Hash everything that the bytes of the table depend on, inputs and game apart."""
        return _fingerprint(self.make.__module__)


STAGES = (
    Stage(POSITIONS, positions.make),
    Stage(TREE_BFS, trees.make_breadth_first, (POSITIONS,), small_game),
    Stage(TREE_DFS, trees.make_depth_first, (POSITIONS,), small_game),
    Stage(CLASSES, classes.make, (POSITIONS,)),
    Stage(MOVES, moves.make, (POSITIONS,)),
)
"""All stages; a stage stands after its inputs."""


def stages_of(game: Game) -> list[Stage]:
    """List the stages that make tables for a game."""
    return [stage for stage in STAGES if stage.applies(game)]


@cache
def _fingerprint(module: str) -> str:
    from pipeline.parquet import WRITER

    digest = hashlib.sha256(WRITER.encode())
    for name in sorted(_closure(module, "pipeline.parquet")):
        digest.update(f"\n{name}\n".encode())
        digest.update(_source(name))
    return digest.hexdigest()[:16]


def _closure(*roots: str) -> set[str]:
    """Return modules and all modules of ours that they import, directly or not."""
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(_imports(name))
    return found


def _imports(name: str) -> Iterator[str]:
    for match in _OUR_IMPORT.finditer(_source(name).decode()):
        yield match[1]


@cache
def _source(name: str) -> bytes:
    spec = importlib.util.find_spec(name)
    assert spec
    assert spec.origin
    return Path(spec.origin).read_bytes()
