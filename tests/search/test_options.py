"""The options of searches: what an algorithm declares to use changes it, all else is refused."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from itertools import product
from typing import Any

import pytest

from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.kernels.bitboard_searches import searcher_of
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position, Status
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.layers import Event
from marubatsu.engine.search.options import TRAITS, Algorithm, Options, Replacement, SearchError
from marubatsu.engine.search.roster import find
from marubatsu.engine.tree.positions import enumerate_positions

GAME = Game("3x3k3-gravity")
VALUES: Mapping[str, list[Any]] = {
    "ordering": [find("ai4s")],
    "evaluation": [find("ai6s")],
    "max_depth": [2],
    "seed": [1, 2],
    "playouts": [5],
    "symmetry": [False],
    "table_size": [16],
    "replacement": [Replacement.TWO_TIER, Replacement.DEPTH],
}
"""Values that are no defaults; of all other options it is true."""

_TABLES: list[dict[str, Any]] = [
    {}, {"use_table": True}, {"use_table": True, "table_move": True},
    {"use_table": True, "table_size": 16}, {"use_table": True, "deepening": True},
]  # fmt: skip
_ORDERINGS = [{}, {"ordering": find("ai4s")}, {"ordering": find("ai2s")}]
_EVALUATIONS: list[dict[str, Any]] = [{}, {"evaluation": find("ai14s"), "max_depth": 3}]
OTHERS = [
    {**table, **ordering, **evaluation}
    for table, ordering, evaluation in product(_TABLES, _ORDERINGS, _EVALUATIONS)
]
"""Options that others may need."""

NEEDED = {
    Algorithm.DEPTH_LIMITED: ("evaluation", "max_depth"),
    Algorithm.ITERATIVE_DEEPENING: ("evaluation",),
    Algorithm.PVS: ("evaluation",),
    Algorithm.SSS: ("use_table",),
    Algorithm.DUAL: ("use_table",),
    Algorithm.DF_PN: ("use_table",),
}


@cache
def positions() -> list[Position]:
    every = [each for each in enumerate_positions(GAME) if GAME.status(each) is Status.PLAYING]
    return every[:: len(every) // 12]


def run(options: Options) -> Iterator[tuple[list[float | None], object]]:
    """Search the positions; yield scores and nodes, and what else the search does.

    That is the events of the recursion, or what the kernels count.
    """
    searcher = searcher_of(GAME, options) if options.needs_bitboards else None
    for position in positions():
        if searcher:
            tally = searcher.count(position)
            yield [tally.score, tally.nodes], (tally, searcher.entries)
            continue
        events: list[Event] = []
        trace = None if options.algorithm is Algorithm.MONTE_CARLO else events.append
        found = Search(options, Graph(new_board(GAME))).result(position, trace=trace)
        yield [found.score, found.nodes], events


def made(algorithm: Algorithm, options: Mapping[str, Any]) -> Options | None:
    """Return options, None where the algorithm refuses them."""
    try:
        return Options(algorithm, **options)
    except SearchError:
        return None


def differ(first: Options, second: Options) -> bool:
    """Return whether two searches do anything otherwise."""
    is_alike = first.needs_bitboards == second.needs_bitboards
    return any(
        counted != other_counted or (is_alike and done != other_done)
        for (counted, done), (other_counted, other_done) in zip(
            run(first), run(second), strict=True
        )
    )


@pytest.mark.quick
@pytest.mark.parametrize(
    ("algorithm", "options", "message"),
    [
        ("depth_limited", {"max_depth": 2}, "needs the option evaluation"),
        ("depth_limited", {"evaluation": "ai14s"}, "needs the option max_depth"),
        ("depth_limited", {"evaluation": "ai2", "max_depth": 2}, "such as ai14s"),
        ("pvs", {"evaluation": "ai14s", "max_depth": -1}, "expected 0 or more"),
        ("alphabeta", {"max_depth": 3}, "the option max_depth, or choose depth_limited"),
        ("alphabeta", {"evaluation": "ai14s"}, "or choose depth_limited"),
        ("minimax", {"init_window": True}, "makes no use of the option init_window: leave"),
        ("nullwindow", {"shortest_victory": True}, "no use of the option shortest_victory: leave"),
        ("alphabeta", {"order_all": True}, "set the option ordering"),
        ("alphabeta", {"seed": 1}, "draws nothing"),
        ("alphabeta", {"seed": 1, "ordering": "ai2s", "order_all": True}, "draws"),
        ("monte_carlo", {"use_table": True}, "makes no use of the option use_table: leave"),
        ("monte_carlo", {"by_lines": True}, "no use of the technique by_lines"),
        ("df_pn", {"use_table": True, "ordering": "ai14s"}, "makes no use of the option ordering"),
        ("monte_carlo", {"playouts": 0}, "expected 1 to"),
        ("alphabeta", {"playouts": 5}, "makes no use of the option playouts: leave"),
        ("sss", {}, "sss needs a table: set"),
        ("alphabeta", {"table_move": True}, "alphabeta has no table for table_move"),
        ("alphabeta", {"use_table": True, "internal_deepening": True}, "the technique table_move"),
        ("alphabeta", {"use_table": True, "table_size": 3}, "a table of 3 places: expected"),
        ("alphabeta", {"use_table": True, "replacement": Replacement.DEPTH}, "set the technique"),
        ("mtdf", {"aspiration": True}, "no use of the technique a"),
        ("minimax", {"killers": True}, "no use of the technique k"),
        ("alphabeta", {"killers": True, "shortest_victory": True}, "finds no shortest victory"),
        ("proof_number", {"seed": 1}, "makes no use of the option seed: leave"),
    ],
)
def test_options_that_mean_nothing_are_refused(
    algorithm: str, options: dict[str, Any], message: str
) -> None:
    ais = {name: find(ai) for name, ai in options.items() if name in ("evaluation", "ordering")}
    with pytest.raises(SearchError, match=message):
        Options(Algorithm(algorithm), **{**options, **ais})


@pytest.mark.quick
@pytest.mark.parametrize("algorithm", Algorithm)
def test_an_option_changes_a_search_or_is_refused(algorithm: Algorithm) -> None:
    """Some are needed, so no search does without them."""
    for option in fields(Options)[1:]:
        changes = [
            (made(algorithm, {**others, option.name: option.default}), changed)
            for others, value in product(OTHERS, VALUES.get(option.name, [True]))
            if (changed := made(algorithm, {**others, option.name: value}))
        ]
        assert bool(changes) == (option.name in TRAITS[algorithm].used), option.name
        pairs = [(plain, changed) for plain, changed in changes if plain]
        is_needed = bool(changes) and not pairs
        assert is_needed == (option.name in NEEDED.get(algorithm, ())), option.name
        if pairs:
            assert any(differ(*pair) for pair in pairs), option.name
