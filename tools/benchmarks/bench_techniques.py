"""`make bench`: the searches on bitboards. Every score and node count is asserted.

The first counts are those of `bench_laboratory`, found here without any graph of the game. The
others are in ``technique_ladder.csv``, or stand in docs/techniques.md.
"""

from dataclasses import replace
from functools import partial

from marubatsu.engine.kernels.bitboard_searches import searcher_of
from marubatsu.engine.kernels.tally import BitSearcher
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.options import Algorithm, Options
from tools.benchmarks.bench_ais import timed
from tools.benchmarks.bench_laboratory import LARGE, MIDDLE, SMALL, Case
from tools.benchmarks.bench_tree import SHORT, show

_BY_LINES = Options(Algorithm.NULLWINDOW, use_table=True, by_lines=True)
TECHNIQUES = ("5x4k4-gravity", [
    Case(_BY_LINES, 20, 145_170),
    Case(replace(_BY_LINES, table_move=True, killers=True), 20, 131_171),
])  # fmt: skip
PROOFS = ("4x4k4-gravity", [
    Case(Options(Algorithm.DF_PN, use_table=True), 20, 41_971),
    Case(Options(Algorithm.PROOF_NUMBER), 20, 235_637),
])  # fmt: skip


def search(technique: BitSearcher, case: Case, times: int) -> None:
    """Search the empty board some times, and assert what is found."""
    for _ in range(times):
        found = technique.count(EMPTY)
        assert found[:2] == (case.score, case.nodes), found


def measure(name: str, cases: list[Case]) -> None:
    """Measure nodes a second over searches from the empty board, the start of each included."""
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
    print(f"\n{'searches on bitboards':<34}{'least':>8}{'median':>8}{'most':>8}")
    for name, cases in (SMALL, MIDDLE, LARGE, TECHNIQUES, PROOFS):
        measure(name, cases)


if __name__ == "__main__":
    main()
