"""Searches on bitboards by their options; what happens at the root of a search with windows.

MTD(f), SSS* and DUAL* are null windows in a row (Plaat, Schaeffer, Pijls and de Bruin, *Best-first
fixed-depth minimax algorithms*, 1996). Aspiration windows are those of Marsland, *A review of
game-tree pruning* (1986): after a score outside of the window, another search begins there.
"""

from typing import assert_never

import numpy as np

from marubatsu.engine.kernels import window_kernel
from marubatsu.engine.kernels.ai_order import AIOrder
from marubatsu.engine.kernels.bit_rules import (
    NO_LIMIT,
    NO_RANKS,
    BitboardSearch,
    NodeTypes,
    SearchEnded,
    SearchTally,
)
from marubatsu.engine.kernels.tree_searches import ProofNumberSearch, UpperConfidenceTree
from marubatsu.engine.kernels.window_kernel import OPEN, WIN, TechniqueSwitches
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.search.options import (
    MOST_PLACES,
    Algorithm,
    Options,
    Replacement,
    Result,
    SearchError,
)

_FIRST_PLACES = 1 << 10
_REPLACEMENTS = {
    Replacement.ALWAYS: window_kernel.ALWAYS,
    Replacement.DEPTH: window_kernel.DEPTH,
    Replacement.TWO_TIER: window_kernel.TWO_TIER,
}


class WindowSearch(BitboardSearch):
    """A depth-first search of a game with its techniques."""

    def __init__(self, game: Game, options: Options, order: AIOrder | None = None) -> None:
        """Prepare. Raises GameError for a game that is too large.

        ``order`` is that of the AI which the options name, with what it has answered so far; an AI
        that fails raises its error out of the searches.
        """
        super().__init__(game, options)
        if order is None and options.ordering is not None:
            order = AIOrder(self._bits, options.ordering)
        self._order = order
        self._arrays = window_kernel.new_arrays(game.cells)
        window_kernel.forget(self._arrays)
        self._table = np.zeros((options.table_size or _FIRST_PLACES, 2), np.int64)
        self._switches = _switches(options)
        self._masks = 0, 0, 0
        self._ply = 0

    def count(self, position: Position, limit: int = NO_LIMIT) -> SearchTally:
        """Search a position; after more than ``limit`` nodes there is no score."""
        self._allow(limit)
        window_kernel.forget(self._arrays)
        try:
            score: int | None = self.score(position)
        except SearchEnded:
            score = None
        if self._bits.game.status(position) is not Status.PLAYING:
            return SearchTally(score, 1, NodeTypes(1, 0, 0, 0, 0, 0))
        nodes, *types = self._arrays.counts[: window_kernel.FIRST_CUT + 1].tolist()
        return SearchTally(score, nodes, NodeTypes(*types))

    @property
    def entries(self) -> int:
        """Number of entries in the table."""
        return int(self._arrays.counts[window_kernel.ENTRIES])

    def score(self, position: Position) -> int:
        """Return the score, circle's view; what the searches before have remembered is used.

        Raises SearchEnded at the limit of nodes, and when another thread stops it.
        """
        game = self._bits.game
        status = game.status(position)
        if status is not Status.PLAYING:
            return status.score
        self._masks, self._ply = self._bits.masks(position), position.ply
        left = game.cells - position.ply
        score = 0
        for remaining in range(1, left + 1) if self._options.deepening else (left,):
            score = self._score(remaining, score)
            if score:  # Draws stand at the last ply, so a win there is a win.
                break
        return score

    def _score(self, remaining: int, guess: int) -> int:
        """Return the score, circle's view, of a search so many plies deep."""
        options = self._options
        bound = WIN if options.init_window else OPEN
        if options.traits.closes_in:
            return self._close_in(remaining, WIN * guess, bound) // WIN
        if options.algorithm is Algorithm.NULLWINDOW:
            score = self._search(-WIN // 2, WIN // 2, remaining)
            return (score > 0) - (score < 0)
        if not options.aspiration:
            return self._search(-bound, bound, remaining) // WIN
        alpha, beta = WIN * (guess - 1), WIN * (guess + 1)
        score = self._search(alpha, beta, remaining)
        if score >= beta and score < bound:
            score = max(score, self._search(score, bound, remaining))
        elif score <= alpha and score > -bound:
            score = min(score, self._search(-bound, score, remaining))
        return score // WIN

    def _close_in(self, remaining: int, guess: int, bound: int) -> int:
        """Search null windows until the bounds meet, from a guess, from above or from below."""
        lower, upper, algorithm = -bound, bound, self._options.algorithm
        if algorithm is not Algorithm.MTDF:  # Above and below are the mover's.
            guess = (bound if algorithm is Algorithm.SSS else -bound) * (-1) ** self._ply
        score = guess
        while lower != upper:
            beta = score + WIN if lower == score else score
            score = self._search(beta - WIN, beta, remaining)
            lower, upper = (score, upper) if score >= beta else (lower, score)
        return score

    def _search(self, alpha: int, beta: int, remaining: int) -> int:
        """Search with a window in circle's view. Raises SearchEnded."""
        turned = self._ply % 2
        window = (-beta, -alpha) if turned else (alpha, beta)
        window_kernel.begin(self._arrays, self._masks, self._ply, remaining, window)
        score = self._go_on()
        while self._arrays.counts[window_kernel.REASON] == window_kernel.UNORDERED:
            assert self._order is not None
            self._order.ask(self._bits.position(*window_kernel.unordered(self._arrays)))
            score = self._go_on()
        if self._arrays.counts[window_kernel.REASON] == window_kernel.AT_LIMIT:
            raise SearchEnded
        return -score if turned else score

    def _go_on(self) -> int:
        """Run the kernel, from where it is, until it returns; return its score."""
        order, options = self._order, self._options
        score, self._table = window_kernel.search(
            self._limit,
            self._bits.rules,
            self._switches,
            NO_RANKS if order is None else order.ranks(order_all=options.order_all),
            self._arrays,
            self._table,
        )
        return score


def _switches(options: Options) -> TechniqueSwitches:
    return TechniqueSwitches(
        prunes=options.traits.prunes,
        scouts=options.traits.scouts,
        fail_hard=options.fail_hard,
        use_table=options.use_table,
        symmetry=options.symmetry,
        table_move=options.table_move,
        internal_deepening=options.internal_deepening,
        enhanced_cutoffs=options.enhanced_cutoffs,
        killers=options.killers,
        counter_moves=options.counter_moves,
        history=options.history,
        replacement=(
            window_kernel.GROWS
            if options.table_size is None
            else _REPLACEMENTS[options.replacement]
        ),
        most_places=MOST_PLACES,
    )


_EXACT = Options(Algorithm.ALPHABETA, init_window=True, use_table=True, by_lines=True, killers=True)


def searcher_of(game: Game, options: Options, order: AIOrder | None = None) -> BitboardSearch:
    """Prepare a search of a game; ``order`` is what the AI that the options name has answered.

    Raises GameError for a game that is too large, SearchError for a search that values positions.
    """
    match options.algorithm:
        case Algorithm.PROOF_NUMBER | Algorithm.DF_PN:
            return ProofNumberSearch(game, options)
        case Algorithm.UCT:
            return UpperConfidenceTree(game, options)
        case (
            Algorithm.DEPTH_LIMITED | Algorithm.ITERATIVE_DEEPENING | Algorithm.PVS
            | Algorithm.MONTE_CARLO
        ):  # fmt: skip
            raise SearchError(f"{options.algorithm} values positions: expected a search to the end")
        case (
            Algorithm.MINIMAX | Algorithm.ALPHABETA | Algorithm.SCOUT | Algorithm.NULLWINDOW
            | Algorithm.MTDF | Algorithm.SSS | Algorithm.DUAL
        ):  # fmt: skip
            return WindowSearch(game, options, order)
        case _:
            assert_never(options.algorithm)


class SearchWithBestMoves:
    """A search with its best moves, which another thread can end."""

    def __init__(self, game: Game, options: Options) -> None:
        """Prepare. Raises the errors of `searcher_of`.

        >>> search = SearchWithBestMoves(Game("4x4k4-gravity"), Options(use_table=True))
        >>> search.result(Position(0, 0)).score
        0
        """
        self._game = game
        self._searcher = searcher_of(game, options)
        self._exact = WindowSearch(game, _EXACT)
        self._algorithm, self._is_stopped = options.algorithm, False

    def stop(self) -> None:
        """End the search of another thread."""
        self._is_stopped = True
        self._searcher.stop()
        self._exact.stop()

    def result(self, position: Position) -> Result:
        """Search a position; then look for its best moves without counting those nodes.

        Raises SearchEnded when it is ended, SearchError when it needs too much memory.
        """
        tally = self._searcher.count(position)
        if tally.score is None:
            if self._is_stopped:
                raise SearchEnded
            raise SearchError(
                f"{self._algorithm} keeps too many positions in memory, after {tally.nodes:,} "
                "nodes: name a later position, or another algorithm"
            )
        best, variation = self._follow(position)
        return Result(tally.score, tally.nodes, best, variation, self._searcher.entries)

    def _follow(self, position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the best moves of a position, and the first best moves from there to the end."""
        game, score = self._game, self._exact.score
        best: tuple[int, ...] = ()
        variation: list[int] = []
        while game.status(position) is Status.PLAYING:
            sign = position.turn.sign
            values = {
                move: sign * score(position.after(move)) for move in game.legal_moves(position)
            }
            good = tuple(move for move, value in values.items() if value == max(values.values()))
            best = best or good
            variation.append(good[0])
            position = position.after(good[0])
        return best, tuple(variation)
