"""All AIs by name, and every search as an AI; importing this module registers every family.

So what looks up names is imported from here: `find`, and `options_of` for the AIs of a search. A
search as an AI searches the position after each legal move, and takes the best ones.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from marubatsu.engine.ais import built_in  # noqa: F401, it registers
from marubatsu.engine.ais.ai import AI, Chooser, Number, Parameter, find, register, registered
from marubatsu.engine.boards.board import Board
from marubatsu.engine.rules.bounds import MAX_POSITIONS, TooLargeError
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size import describe, estimate_positions, is_large
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import AI_PLAYOUTS, Algorithm, Options

__all__ = ["all_ais", "find", "options_of", "require_within_reach"]


def all_ais() -> tuple[AI, ...]:
    """List all AIs: by rule, by evaluation, by table, by search."""
    families = ("rule", "evaluation", "table", "search")
    return tuple(sorted(registered(), key=lambda ai: families.index(ai.family)))


def options_of(
    algorithm: Algorithm,
    *,
    ordering: AI | str | None = None,
    evaluation: AI | str | None = None,
    **others: Any,
) -> Options:
    """Return the options of a search from its AIs or their names. Raises InputError."""
    orders, values = (
        ai if isinstance(ai, AI | None) else find(str(ai))  # A wrong name may be a number.
        for ai in (ordering, evaluation)
    )
    return Options(algorithm, ordering=orders, evaluation=values, **others)


def _register(algorithm: Algorithm, rule: str, **defaults: Parameter) -> None:
    """Register a search as an AI: ``defaults`` are the options that a user may change."""
    assert set(defaults) <= {field.name for field in fields(Options)}

    def build(game: Game, **parameters: Any) -> Chooser:
        options = options_of(algorithm, **parameters)
        if options.max_depth is None and not options.traits.plays_out:
            require_within_reach(game, algorithm)
        searches: dict[tuple[type, str], Search] = {}  # one for each kind of board

        def ai_scores(board: Board[Any], legal: Sequence[Any]) -> list[Number]:
            kind = (type(board), board.name)
            if kind not in searches:
                searches[kind] = Search(options, Graph(board.new()))
            return searches[kind].scores_mover(board.position())

        return Chooser.by_score(ai_scores)

    register(AI(algorithm.value, "search", rule, build, tuple(defaults.items())))


_INSTEAD = "use depth_limited, or an AI by rule or evaluation"


def require_within_reach(game: Game, algorithm: Algorithm, instead: str = _INSTEAD) -> None:
    """Raise TooLargeError, with an estimate, for a search to the end that is too large."""
    if is_large(game):
        raise TooLargeError(
            f"{algorithm} searches to the end, and {game.name} has "
            f"{describe(estimate_positions(game))} positions by estimate: expected at most "
            f"{MAX_POSITIONS:,}; {instead}"
        )


_ORDERED: dict[str, Parameter] = {"ordering": None, "order_all": False, "use_table": True}

_register(
    Algorithm.MINIMAX, "Search every move to the end.", shortest_victory=False, use_table=True
)
_register(
    Algorithm.ALPHABETA, "Search every move to the end, cutting what cannot matter.",
    **_ORDERED, shortest_victory=False, init_window=True,
)  # fmt: skip
_register(
    Algorithm.SCOUT, "Search every move to the end, expecting the first to be best.",
    **_ORDERED, shortest_victory=False, init_window=True,
)  # fmt: skip
_register(
    Algorithm.MTDF, "Search every move to the end by null windows around the last answer.",
    **_ORDERED, shortest_victory=False, init_window=True,
)  # fmt: skip
_register(
    Algorithm.NULLWINDOW, "Ask of every move only whether it wins, draws or loses.", **_ORDERED
)
_register(
    Algorithm.DEPTH_LIMITED, "Search some plies beyond every move, then evaluate.",
    **_ORDERED, max_depth=2, evaluation="ai14s",
)  # fmt: skip
_register(
    Algorithm.ITERATIVE_DEEPENING, "Search deeper and deeper beyond every move, then evaluate.",
    **_ORDERED, max_depth=4, evaluation="ai14s",
)  # fmt: skip
_register(
    Algorithm.PVS, "Search deeper and deeper by null windows beyond every move, then evaluate.",
    **_ORDERED, max_depth=None, evaluation="ai14s",
)  # fmt: skip
_register(
    Algorithm.MONTE_CARLO, "Follow every move by random games and compare the means.",
    playouts=AI_PLAYOUTS, seed=0,
)  # fmt: skip
