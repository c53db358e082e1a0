"""The options of a search, and its result."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import inf

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError, quote

MAX_PLAYOUTS = 1_000_000


class SearchError(InputError):
    """Invalid options of a search; the message names them and says what is expected."""


class Algorithm(StrEnum):
    """The algorithm of a search (tutorial series, episodes 100 to 237)."""

    MINIMAX = "minimax"  # visit everything
    ALPHABETA = "alphabeta"  # cut when the score leaves the window, fail-soft
    SCOUT = "scout"  # null window for all but the first move, searched again when it fails high
    MTDF = "mtdf"  # null windows at the root only, around the last score
    NULLWINDOW = "nullwindow"  # one window that separates wins, draws and losses: (-0.5, 0.5)
    DEPTH_LIMITED = "depth_limited"  # alpha-beta that evaluates positions at max_depth
    ITERATIVE_DEEPENING = "iterative_deepening"  # the same, deeper and deeper
    PVS = "pvs"  # the same with scout's null windows
    MONTE_CARLO = "monte_carlo"  # random games


def algorithm_of(name: str) -> Algorithm:
    """Return an algorithm by its name. Raises SearchError, quoting it, when there is none."""
    if name not in set(Algorithm):
        names = ", ".join(Algorithm)
        raise SearchError(f"there is no algorithm {quote(name)}: expected one of {names}")
    return Algorithm(name)


DEEPENING = {Algorithm.ITERATIVE_DEEPENING, Algorithm.PVS}
"""The algorithms that search repeatedly, one ply deeper each time."""

EVALUATING = {Algorithm.DEPTH_LIMITED, *DEEPENING}
"""The algorithms whose leaves an AI evaluates."""

WINDOWED = {Algorithm.ALPHABETA, Algorithm.SCOUT, Algorithm.MTDF}
"""The algorithms that accept ``init_window``."""


@dataclass(frozen=True)
class Options:
    """The options of one search; those that its algorithm does not use keep their defaults.

    ordering          the AI that orders the moves; None: ascending
    order_all         sort all moves by AI score, descending; else swap its choice to the front
    shortest_victory  score quick wins higher: score_sv
    init_window       start with the range of scores instead of everything; in MTD(f), the bounds
    use_table         store bounds for a position and all of its images
    max_depth         plies to search; None: to the end
    evaluation        the AI that evaluates positions at max_depth, and finished ones
    seed              draw the AI's choice at random, or the moves of playouts; None: first best
    playouts          random games after each move
    """

    algorithm: Algorithm = Algorithm.ALPHABETA
    ordering: AI | None = None
    order_all: bool = False
    shortest_victory: bool = False
    init_window: bool = False
    use_table: bool = False
    max_depth: int | None = None
    evaluation: AI | None = None
    seed: int | None = None
    playouts: int = 100

    def __post_init__(self) -> None:
        """Raise SearchError for options that the algorithm lacks or would ignore."""
        for wrong, sentence in self._faults():
            if wrong:
                raise SearchError(f"{self.algorithm} {sentence}")

    def _faults(self) -> Iterator[tuple[bool, str]]:
        algorithm = self.algorithm
        evaluates, plays = algorithm in EVALUATING, algorithm is Algorithm.MONTE_CARLO
        evaluator, depth = self.evaluation, self.max_depth
        yield evaluates and evaluator is None, "needs evaluation: an AI that values positions"
        yield not evaluates and evaluator is not None, "values no positions: leave out evaluation"
        yield (
            evaluator is not None and evaluator.evaluate is None,
            "needs an AI that values positions as evaluation, such as ai14s",
        )
        yield (
            algorithm is Algorithm.DEPTH_LIMITED and depth is None,
            "needs max_depth: a number of plies",
        )
        yield not evaluates and depth is not None, "searches to the end: leave out max_depth"
        yield depth is not None and depth < 0, f"cannot search {depth} plies: expected 0 or more"
        yield (
            self.shortest_victory and (evaluates or plays or algorithm is Algorithm.NULLWINDOW),
            "knows no shortest_victory: leave it out",
        )
        yield (
            self.init_window and algorithm not in WINDOWED,
            "has no window to choose: leave out init_window",
        )
        yield self.order_all and self.ordering is None, "orders by an AI: set ordering"
        yield (
            plays and (self.ordering is not None or self.use_table),
            "orders and remembers nothing",
        )
        yield (
            not 1 <= self.playouts <= MAX_PLAYOUTS,
            f"cannot play {self.playouts} games a move: expected 1 to {MAX_PLAYOUTS:,}",
        )
        heads = self.ordering is not None and not self.order_all
        yield (
            self.seed is not None and not (plays or (heads and algorithm not in DEEPENING)),
            "draws nothing: seed is for the head of an ordering, or for playouts",
        )


@dataclass(frozen=True)
class Result:
    """The result of a search.

    score           of the position, circle's view
    nodes           entries into the recursive function, the position itself included
    best_moves      legal moves whose child has the best score for the mover, ascending
    principal_variation  one variation of best moves, up to the depth of the search
    table_size      boards in the table at the end, counting all images
    """

    score: float
    nodes: int
    best_moves: tuple[int, ...]
    principal_variation: tuple[int, ...]
    table_size: int


def score_range(game: Game, *, shortest_victory: bool) -> tuple[int, int]:
    """Return the least and the greatest score of a game: (-1, 1), or (-2, 3) by score_sv on 3x3."""
    if not shortest_victory:
        return -1, 1
    first_line, second_line = (game.size_of_win(2 * game.run - odd) for odd in (1, 0))
    return (-first_line, second_line) if game.misere else (-second_line, first_line)


EVERYTHING = -inf, inf
"""The window that never cuts."""

Stop = Callable[[], bool]
"""Returns whether time is up; the search calls it between nodes."""
