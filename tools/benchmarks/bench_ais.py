"""`make bench`, second part: everything built, searches, matches and audits.

Every answer is asserted: node counts and results of games by equality.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from marubatsu.engine.ais.matches import Arena, Match, Tally, exact, play_fast
from marubatsu.engine.ais.policy import policy_of
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import Options
from marubatsu.engine.search.roster import all_ais, find
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.tables.manifest import Manifest
from tests.helpers.data.published import published_nodes
from tools.benchmarks.bench_tree import SHORT, run, show
from tools.generators.run_pages import CHECKOUT

GAME = Game("tictactoe")
RUNS = 1 if SHORT else 5


def timed(work: Callable[[], None], runs: int = RUNS) -> list[float]:
    """Return the seconds of each run of a piece of work."""
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return seconds


def everything(folder: Path) -> None:
    """Build every table in a cold process; measure time and memory."""
    builds = []
    for number in range(1 if SHORT else 2):
        data = folder / str(number)
        build = ("-m", "marubatsu", "build", GAME.name, "--data", str(data))
        builds.append(run(sys.executable, *build))
        manifest = Manifest.parse((data / GAME.name / "manifest.json").read_bytes())
        assert manifest.tables["ai_moves"].rows == 16_167 * len(all_ais())
        assert manifest.tables["matches"].rows == len(all_ais()) ** 2
    show("make data, wall", [each.wall for each in builds], "s")
    show("make data, its largest process", [each.peak for each in builds], "MB")


def foreign(data: Path) -> None:
    """Audit a foreign AI in a cold process; measure the time."""
    command = [sys.executable, "-m", "marubatsu", "audit",
               f"{CHECKOUT / 'examples' / 'minimax.py'}:choose", "--data", str(data)]  # fmt: skip

    def audit() -> None:
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert "right in 431 of 431 critical classes, 3,191 of 3,191 critical positions" in text

    show("audit of a foreign AI, wall", timed(audit), "s")


def searches() -> None:
    """Search from the empty board repeatedly; assert the published node counts."""
    for published in published_nodes():
        if published.scope != "empty board" or published.shortest_victory or published.is_random:
            continue
        if published.ordering not in (None, "ai14s") or published.init_window:
            continue
        ordering = find(published.ordering) if published.ordering else None
        options = Options(
            ordering=ordering, order_all=published.order_all, use_table=published.use_table
        )
        search = Search(options, Graph(new_board(GAME)))
        times = 1 if SHORT else max(1, 100_000 // published.nodes)

        def work(search: Search = search, times: int = times, nodes: int = published.nodes) -> None:
            for _ in range(times):
                assert search.count(EMPTY).nodes == nodes

        work()
        label = f"alpha-beta, {published.ordering or 'no order'}{', table' * published.use_table}"
        rates = [times * published.nodes / seconds / 1e6 for seconds in timed(work)]
        show(label, rates, "million nodes/s")


def matches() -> None:
    """Play all pairs exactly, and two AIs many times."""
    positions = enumerate_positions(GAME)
    names = [ai.name for ai in all_ais() if ai.family != "search"]
    candidates = {name: policy_of(find(name).on(GAME), positions).is_candidate for name in names}
    stack = np.stack([candidates[name] for name in names])

    def all_pairs() -> None:
        chances, denominator = exact(positions, stack, stack)
        ai2 = names.index("ai2")
        assert [int(n) * 1260 // denominator for n in chances[ai2, ai2]] == [737, 160, 363]

    show(f"exact matches of {len(names)} x {len(names)} AIs", timed(all_pairs), "s")
    ai2, pairs = find("ai2").on(GAME), 50_000

    def series() -> None:
        played = Arena(new_board(GAME), ai2, ai2).play(pairs, Random(0))
        assert played == Match(Tally(29454, 14352, 6194), Tally(14208, 29592, 6200))

    rates = [2 * pairs / seconds / 1e6 for seconds in timed(series)]
    show("random games, Python's generator", rates, "million games/s")
    many = 1_000_000
    first = play_fast(positions, candidates["ai2"], candidates["ai2"], many, 0)

    def fast() -> None:
        assert play_fast(positions, candidates["ai2"], candidates["ai2"], many, 0) == first

    assert abs(first.as_circle.win / many - 737 / 1260) < 0.003
    show("random games, fast", [2 * many / s / 1e6 for s in timed(fast)], "million games/s")


def main() -> None:
    """Measure, print, assert."""
    print(f"\n{'AIs and searches':<34}{'least':>8}{'median':>8}{'most':>8}")
    with tempfile.TemporaryDirectory() as folder:
        everything(Path(folder))
        foreign(Path(folder) / "0")
    searches()
    matches()


if __name__ == "__main__":
    main()
