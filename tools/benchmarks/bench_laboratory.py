"""`make bench`: the compiled searches, and those on bitboards. All scores and nodes are asserted.

The nodes of tictactoe are published; those of larger games are what the recursion of
`engine.search` visits. Bitboards find them without any graph of the game; their other counts are in
``technique_ladder.csv``, or stand in docs/techniques.md.
"""

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.ais.policy import Policy, policy_of
from marubatsu.engine.kernels.batch import CompiledSearches
from marubatsu.engine.kernels.bit_rules import BitboardSearch
from marubatsu.engine.kernels.bitboard_searches import searcher_of
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.options import Algorithm, Options
from marubatsu.engine.tree.positions import Positions, classify, enumerate_positions
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


def compiled_searches(positions: Positions) -> CompiledSearches:
    """Prepare compiled searches."""

    def policy(ai: AI) -> Policy:
        return policy_of(ai.on(positions.game), positions)

    return CompiledSearches(positions, classify(positions), policy)


def label(game: str, options: Options) -> str:
    """Name a search in a line of the figures."""
    return f"{game}, {options.algorithm}{', table' * options.use_table}"


def measure(name: str, cases: list[Case]) -> None:
    """Measure nodes a second over searches from the empty board, the start of each included."""
    searches = compiled_searches(enumerate_positions(Game(name), limit=MOST_POSITIONS))
    for case in cases:
        roots = np.zeros(1 if SHORT else case.times, np.int32)

        def work(case: Case = case, roots: Ints = roots) -> None:
            found = searches.count(case.options, roots)
            assert (found.nodes == case.nodes).all(), found.nodes
            assert (found.scores == case.score).all()

        work()
        rates = [len(roots) * case.nodes / seconds / 1e6 for seconds in timed(work)]
        show(label(name, case.options), rates, "million nodes/s")


def search(technique: BitboardSearch, case: Case, times: int) -> None:
    """Search the empty board some times, and assert what is found."""
    for _ in range(times):
        found = technique.count(EMPTY)
        assert found[:2] == (case.score, case.nodes), found


def measure_bitboards(name: str, cases: list[Case]) -> None:
    """Measure the same on bitboards."""
    for case in cases:
        technique = searcher_of(Game(name), case.options)
        technique.count(EMPTY, limit=1)  # Compiles it, the first time on a machine.
        times = 1 if SHORT else case.times

        work = partial(search, technique, case, times)
        rates = [times * case.nodes / seconds / 1e6 for seconds in timed(work)]
        written = " ".join(filter(None, ("table" * case.options.use_table,
                                         case.options.written_techniques)))  # fmt: skip
        show(f"{name}, {case.options.algorithm} {written}".rstrip(), rates, "million nodes/s")


def main() -> None:
    """Measure, print, assert."""
    print(f"\n{'compiled searches':<34}{'least':>8}{'median':>8}{'most':>8}")
    for name, cases in (SMALL, MIDDLE) if SHORT else (SMALL, MIDDLE, LARGE):
        measure(name, cases)
    print(f"\n{'searches on bitboards':<34}{'least':>8}{'median':>8}{'most':>8}")
    for name, cases in (SMALL, MIDDLE, LARGE, TECHNIQUES, PROOFS):
        measure_bitboards(name, cases)


if __name__ == "__main__":
    main()
