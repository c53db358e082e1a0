"""The results that the stages of one build share, each computed when first needed."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeVar

from marubatsu.engine.rules.game import Game

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
