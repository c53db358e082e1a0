"""Any search on bitboards: by its options, with its best moves and a variation."""

from marubatsu.engine.kernels.proof_number import ProofNumberSearch
from marubatsu.engine.kernels.tally import BitSearcher, SearchEnded
from marubatsu.engine.kernels.uct import UpperConfidenceTree
from marubatsu.engine.kernels.window_kernel import Ranks
from marubatsu.engine.kernels.window_search import NO_RANKS, WindowSearch, ranks_of_options
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Status
from marubatsu.engine.search.options import Algorithm, Options, Result, SearchError
from marubatsu.engine.tree.positions import enumerate_positions

_EXACT = Options(Algorithm.ALPHABETA, init_window=True, use_table=True, by_lines=True, killers=True)


def searcher_of(game: Game, options: Options, ranks: Ranks = NO_RANKS) -> BitSearcher:
    """Prepare a search of a game; ``ranks`` is the order of the AI that the options name.

    Raises GameError for a game that is too large, SearchError for a search that values positions.
    """
    if options.algorithm in {Algorithm.PROOF_NUMBER, Algorithm.DF_PN}:
        return ProofNumberSearch(game, options)
    if options.algorithm is Algorithm.UCT:
        return UpperConfidenceTree(game, options)
    if options.evaluation is not None or options.algorithm is Algorithm.MONTE_CARLO:
        raise SearchError(f"{options.algorithm} values positions: expected a search to the end")
    return WindowSearch(game, options, ranks)


def make_ready(searcher: BitSearcher) -> None:
    """Compile what a search needs, the first time on a machine for some seconds.

    Whoever measures the time of a search calls this first.
    """
    searcher.count(EMPTY, limit=1)


def ranks_here(game: Game, options: Options) -> Ranks:
    """Return the order of the AI of a search, from all positions of the game.

    Raises TooLargeError when an AI orders and the game has more than a million positions.
    """
    if options.ordering is None:
        return NO_RANKS
    return ranks_of_options(enumerate_positions(game), options)


class BitSearch:
    """A search with its best moves, which another thread can end."""

    def __init__(self, game: Game, options: Options) -> None:
        """Prepare. Raises the errors of `searcher_of` and of `ranks_here`.

        >>> BitSearch(Game("4x4k4-gravity"), Options(use_table=True)).result(EMPTY).score
        0
        """
        self._game = game
        self._searcher = searcher_of(game, options, ranks_here(game, options))
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
        found = self._searcher.count(position)
        if found.score is None:
            if self._is_stopped:
                raise SearchEnded
            raise SearchError(
                f"{self._algorithm} keeps too many positions in memory, after {found.nodes:,} "
                "nodes: name a later position, or another algorithm"
            )
        entries = self._searcher.entries if isinstance(self._searcher, WindowSearch) else 0
        best, variation = self._follow(position)
        return Result(found.score, found.nodes, best, variation, entries)

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
