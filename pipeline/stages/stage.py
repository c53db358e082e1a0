"""What makes each table, from which inputs, with which code.

A stage is a function from a `Workshop` to the columns of one table. Its code is the module it
stands in and the Parquet writer, with all that these import.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from marubatsu.engine.rules.game import Game
from marubatsu.engine.tree.full_tree import has_full_tree
from marubatsu.pipeline.stages import make_classes, make_moves, make_positions, make_trees
from marubatsu.pipeline.stages.context import Workshop
from marubatsu.pipeline.store.columns import Columns
from marubatsu.pipeline.store.fingerprint import code_fingerprint
from marubatsu.pipeline.store.schemas import (
    AI_MOVES,
    AIS,
    CLASSES,
    MATCHES,
    MOVES,
    POSITIONS,
    SEARCH_TRACE,
    SEARCHES,
    TREE_BFS,
    TREE_DFS,
    Table,
)


def later(module: str, function: str) -> Callable[[Workshop], Columns]:
    """Name a function whose module is imported when it is called: trees need no AIs."""

    def make(workshop: Workshop) -> Columns:
        columns: Columns = getattr(import_module(module), function)(workshop)
        return columns

    make.__module__ = module
    return make


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
    effort: float = 0.2  # time that it takes, as a share of what reaching the positions does

    @property
    def modules(self) -> tuple[str, str]:
        """Name the modules that the bytes of the table come from."""
        return self.make.__module__, "marubatsu.pipeline.store.parquet"

    def code_fingerprint(self) -> str:
        """Hash everything that the bytes of the table depend on, inputs and game apart."""
        return code_fingerprint(*self.modules)


_AIS, _SEARCHES = "marubatsu.pipeline.stages.make_ais", "marubatsu.pipeline.stages.make_searches"

TREE_STAGES = (
    Stage(POSITIONS, make_positions.make),
    Stage(TREE_BFS, make_trees.make_breadth_first, (POSITIONS,), has_full_tree),
    Stage(TREE_DFS, make_trees.make_depth_first, (POSITIONS,), has_full_tree),
    Stage(CLASSES, make_classes.make, (POSITIONS,)),
    Stage(MOVES, make_moves.make, (POSITIONS,)),
)
"""The stages of the game itself; a stage stands after its inputs, and the long ones early, so that
while a tree is encoded the next table is computed."""

AI_STAGES = (
    Stage(AIS, later(_AIS, "make"), (), has_full_tree),
    Stage(AI_MOVES, later(_AIS, "make_moves"), (POSITIONS,), has_full_tree, 100),
    Stage(MATCHES, later(_AIS, "make_matches"), (POSITIONS,), has_full_tree, 10),
    Stage(SEARCH_TRACE, later(_SEARCHES, "make_trace"), (POSITIONS,), has_full_tree, 50),
    Stage(SEARCHES, later(_SEARCHES, "make"), (POSITIONS, CLASSES), has_full_tree, 500),
)
"""The stages of what AIs and searches make of the game."""

STAGES = (*TREE_STAGES, *AI_STAGES)
"""All stages."""


def stages_of(game: Game, stages: Sequence[Stage] = STAGES) -> list[Stage]:
    """List the stages, or those of some, that make tables for a game."""
    return [stage for stage in stages if stage.applies(game)]
