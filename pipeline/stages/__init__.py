"""What makes each table, from which inputs, with which code.

A stage is a function from a `Workshop` to the columns of one table. Its code is the module it
stands in and the Parquet writer, with all that these import.
"""

from collections.abc import Callable
from dataclasses import dataclass

from engine.game import Game
from engine.tree import has_full_tree
from pipeline.columns import Columns
from pipeline.fingerprint import code_fingerprint
from pipeline.schemas import CLASSES, MOVES, POSITIONS, TREE_BFS, TREE_DFS, Table
from pipeline.stages import classes, moves, positions, trees
from pipeline.workshop import Workshop


def any_game(game: Game) -> bool:
    """Say that a stage makes its table for every game."""
    return True


@dataclass(frozen=True)
class Stage:
    """One table's making."""

    table: Table
    make: Callable[[Workshop], Columns]
    inputs: tuple[Table, ...] = ()  # the tables whose numbers it uses
    applies: Callable[[Game], bool] = any_game

    @property
    def modules(self) -> tuple[str, str]:
        """Name the modules that the bytes of the table come from."""
        return self.make.__module__, "pipeline.parquet"

    def code_fingerprint(self) -> str:
        """Hash everything that the bytes of the table depend on, inputs and game apart."""
        return code_fingerprint(*self.modules)


STAGES = (
    Stage(POSITIONS, positions.make),
    Stage(TREE_BFS, trees.make_breadth_first, (POSITIONS,), has_full_tree),
    Stage(TREE_DFS, trees.make_depth_first, (POSITIONS,), has_full_tree),
    Stage(CLASSES, classes.make, (POSITIONS,)),
    Stage(MOVES, moves.make, (POSITIONS,)),
)
"""All stages; a stage stands after its inputs, and the long ones early, so that while a tree
is encoded the next table is computed."""


def stages_of(game: Game) -> list[Stage]:
    """List the stages that make tables for a game."""
    return [stage for stage in STAGES if stage.applies(game)]
