"""Searches on bitboards by their options; their root, and an AI that orders their moves.

MTD(f), SSS* and DUAL* are null windows in a row (Plaat, Schaeffer, Pijls and de Bruin, *Best-first
fixed-depth minimax algorithms*, 1996). Aspiration windows are those of Marsland, *A review of
game-tree pruning* (1986): after a score outside of the window, another search begins there.
"""

from typing import Any, assert_never

import numpy as np

from marubatsu.engine.ais.ai import AI, AIError, Weighted
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.kernels import window_kernel
from marubatsu.engine.kernels.bit_rules import (
    FREE,
    NO_LIMIT,
    NO_RANKS,
    BitboardSearch,
    BitGame,
    NodeTypes,
    Ranks,
    SearchEnded,
    SearchTally,
    add_rows,
    key_of,
    row_of,
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
_FIRST_ROWS = 1 << 10
_MOST_ROWS = 1 << 23  # twice as many as positions that can be asked about; a gigabyte
_REPLACEMENTS = {
    Replacement.ALWAYS: window_kernel.ALWAYS,
    Replacement.DEPTH: window_kernel.DEPTH,
    Replacement.TWO_TIER: window_kernel.TWO_TIER,
}


class AIOrder:
    """The orders of an AI in the positions about which it was asked, each once.

    A kernel that meets a position without one returns; the AI is asked, and the kernel goes on.
    One order sorts all moves by the AI's scores, descending, and equal ones ascend. In the other
    one its first candidate and the first move change places.
    """

    def __init__(self, bits: BitGame, ai: AI) -> None:
        self._bits, self._chooser, self._board = bits, ai.on(bits.game), new_board(bits.game)
        self._keys = np.full(_FIRST_ROWS, FREE, np.int64)
        self._sorted = np.zeros((_FIRST_ROWS, bits.game.cells), np.int8)
        self._headed = np.zeros_like(self._sorted)
        self.asked = 0
        """Number of positions about which the AI was asked."""

    def ranks(self, *, order_all: bool) -> Ranks:
        """Return one of the orders, for a kernel; `ask` makes it stale."""
        return Ranks(self._keys, self._sorted if order_all else self._headed)

    def ask(self, position: Position) -> None:
        """Ask about a position without an order.

        Raises AIError for an AI that weighs its moves, and when it was asked about 4 million.
        """
        self._board.set_up(position)
        choice = self._chooser.choice(self._board)
        if isinstance(choice.candidates, Weighted):
            raise AIError(
                f"an AI weighs its moves on {self._board.text()}: only equal chances fit here"
            )
        scores, head = choice.ranks(), choice.legal.index(choice.candidates[0])
        by_score = sorted(range(len(scores)), key=lambda number: -scores[number])
        headed = list(range(len(scores)))
        headed[0], headed[head] = head, 0
        self.asked += 1
        if 2 * self.asked > len(self._keys):
            if len(self._keys) == _MOST_ROWS:
                raise AIError(
                    f"an ordering was asked about {_MOST_ROWS // 2:,} positions, as many as are "
                    "remembered: lower the limit, or search a later position"
                )
            self._grow()
        mover, other, _ = self._bits.masks(position)
        rules = self._bits.rules
        key, _ = key_of(mover, other, rules.images, rules.places_up, False)
        row = ~row_of(self._keys, key)
        self._keys[row] = key
        places = np.array([self._bits.places.index(cell) for cell in choice.legal])
        self._sorted[row, places[by_score]] = self._headed[row, places[headed]] = range(len(places))

    def _grow(self) -> None:
        used = np.flatnonzero(self._keys != FREE)
        keys = np.full(2 * len(self._keys), FREE, np.int64)
        rows = add_rows(keys, self._keys[used])
        for name in ("_sorted", "_headed"):
            larger = np.zeros((len(keys), self._bits.game.cells), np.int8)
            larger[rows] = getattr(self, name)[used]
            setattr(self, name, larger)
        self._keys = keys


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
    grows = options.table_size is None
    others: dict[str, Any] = {
        "prunes": options.traits.prunes,
        "scouts": options.traits.scouts,
        "replacement": window_kernel.GROWS if grows else _REPLACEMENTS[options.replacement],
        "most_places": MOST_PLACES,
    }
    names = [name for name in TechniqueSwitches._fields if name not in others]
    return TechniqueSwitches(**others, **{name: getattr(options, name) for name in names})


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
