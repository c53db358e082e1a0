"""`make bench`: the compiled searches. Every score and node count is asserted.

The nodes of tictactoe are published; those of larger games are what the recursion of
`engine.search` visits.
"""

from typing import NamedTuple

import numpy as np

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.ais.policy import Policy, policy_of
from marubatsu.engine.kernels.batch import CompiledSearches
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints
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


def main() -> None:
    """Measure, print, assert."""
    print(f"\n{'compiled searches':<34}{'least':>8}{'median':>8}{'most':>8}")
    for name, cases in (SMALL, MIDDLE) if SHORT else (SMALL, MIDDLE, LARGE):
        measure(name, cases)


if __name__ == "__main__":
    main()
