"""`make bench`: the compiled searches, and those on bitboards. All scores and nodes are asserted.

The nodes of tictactoe are published; those of larger games are what the recursion of
`engine.search` visits. Bitboards find them without any graph of the game; their other counts are in
``technique_ladder.csv``, or stand in docs/techniques.md.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.ais.policy import Policy, policy_of
from marubatsu.engine.kernels.batch import CompiledSearches
from marubatsu.engine.kernels.bitboard_searches import searcher_of
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.options import Algorithm, Options
from marubatsu.engine.tree.positions import classify, enumerate_positions
from tools.benchmarks.bench_ais import timed
from tools.benchmarks.bench_tree import SHORT, show

MOST_POSITIONS = 5_000_000


class Case(NamedTuple):
    """A search from the empty board, how often it runs, and what it finds."""

    options: Options
    times: int
    nodes: int
    score: int = 0


SMALL = ("tictactoe", [
    Case(Options(Algorithm.MINIMAX), 100, 549_946),
    Case(Options(), 10_000, 18_297),
    Case(Options(use_table=True), 10_000, 1_054),
])  # fmt: skip
MIDDLE = ("4x4k4-gravity", [
    Case(Options(use_table=True, init_window=True), 500, 9_155),
    Case(Options(Algorithm.MTDF, use_table=True, init_window=True), 500, 9_182),
])  # fmt: skip
LARGE = ("5x4k4-gravity", [
    Case(Options(use_table=True, init_window=True), 5, 473_723),
    Case(Options(Algorithm.MTDF, use_table=True, init_window=True), 5, 429_783),
])  # fmt: skip

_BY_LINES = Options(Algorithm.NULLWINDOW, use_table=True, by_lines=True)
TECHNIQUES = ("5x4k4-gravity", [
    Case(_BY_LINES, 20, 145_170),
    Case(replace(_BY_LINES, table_move=True, killers=True), 20, 131_171),
])  # fmt: skip
PROOFS = ("4x4k4-gravity", [
    Case(Options(Algorithm.DF_PN, use_table=True), 20, 41_971),
    Case(Options(Algorithm.PROOF_NUMBER), 20, 235_637),
])  # fmt: skip


Searches = Callable[[Case, int], None]
"""What searches the empty board of a game some times, and asserts what is found."""


def compiled(game: Game) -> Searches:
    """Prepare compiled searches."""
    positions = enumerate_positions(game, limit=MOST_POSITIONS)

    def policy(ai: AI) -> Policy:
        return policy_of(ai.on(game), positions)

    searches = CompiledSearches(positions, classify(positions), policy)

    def search(case: Case, times: int) -> None:
        found = searches.count(case.options, np.zeros(times, np.int32))
        assert (found.nodes == case.nodes).all(), found.nodes
        assert (found.scores == case.score).all()

    return search


def on_bitboards(game: Game) -> Searches:
    """Prepare the same on bitboards."""

    def search(case: Case, times: int) -> None:
        technique = searcher_of(game, case.options)
        for _ in range(times):
            found = technique.count(EMPTY)
            assert found[:2] == (case.score, case.nodes), found

    return search


def label(game: str, options: Options) -> str:
    """Name a search in a line of the figures."""
    words = ["table" * options.use_table, options.written_techniques]
    return f"{game}, {options.algorithm} {' '.join(filter(None, words))}".rstrip()


def main() -> None:
    """Measure nodes a second, print, assert."""
    of_arrays = (SMALL, MIDDLE) if SHORT else (SMALL, MIDDLE, LARGE)
    for title, prepare, games in (
        ("compiled searches", compiled, of_arrays),
        ("searches on bitboards", on_bitboards, (SMALL, MIDDLE, LARGE, TECHNIQUES, PROOFS)),
    ):
        print(f"\n{title:<34}{'least':>8}{'median':>8}{'most':>8}")
        for name, cases in games:
            search = prepare(Game(name))
            for case in cases:
                search(case, 1)  # Compiles it, the first time on a machine.
                times = 1 if SHORT else case.times
                seconds = timed(partial(search, case, times))
                rates = [times * case.nodes / each / 1e6 for each in seconds]
                show(label(name, case.options), rates, "million nodes/s")


if __name__ == "__main__":
    main()
