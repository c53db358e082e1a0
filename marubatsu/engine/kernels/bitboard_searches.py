"""Any search on bitboards: by its options, with its best moves and a variation."""

from marubatsu.engine.kernels.ai_order import AIOrder
from marubatsu.engine.kernels.proof_number import ProofNumberSearch
from marubatsu.engine.kernels.tally import BitSearcher, SearchEnded
from marubatsu.engine.kernels.uct import UpperConfidenceTree
from marubatsu.engine.kernels.window_search import WindowSearch
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.search.options import Algorithm, Options, Result, SearchError

_EXACT = Options(Algorithm.ALPHABETA, init_window=True, use_table=True, by_lines=True, killers=True)


def searcher_of(game: Game, options: Options, order: AIOrder | None = None) -> BitSearcher:
    """Prepare a search of a game; ``order`` is what the AI that the options name has answered.

    Raises GameError for a game that is too large, SearchError for a search that values positions.
    """
    if options.algorithm in {Algorithm.PROOF_NUMBER, Algorithm.DF_PN}:
        return ProofNumberSearch(game, options)
    if options.algorithm is Algorithm.UCT:
        return UpperConfidenceTree(game, options)
    if options.evaluation is not None or options.algorithm is Algorithm.MONTE_CARLO:
        raise SearchError(f"{options.algorithm} values positions: expected a search to the end")
    return WindowSearch(game, options, order)


class BitSearch:
    """A search with its best moves, which another thread can end."""

    def __init__(self, game: Game, options: Options) -> None:
        """Prepare. Raises the errors of `searcher_of`.

        >>> BitSearch(Game("4x4k4-gravity"), Options(use_table=True)).result(Position(0, 0)).score
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
        entries = self._searcher.entries if isinstance(self._searcher, WindowSearch) else 0
        best, variation = self._follow(position)
        return Result(tally.score, tally.nodes, best, variation, entries)

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
