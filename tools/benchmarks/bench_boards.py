"""`make bench`, third part: every board next to the last version of the tutorial series.

`pipeline.laboratory` asserts the answers; this part compares them with the published node counts.
"""

from marubatsu.engine.boards.kinds import all_boards
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.laboratory.figures import orders, published
from marubatsu.pipeline.laboratory.measure import bench
from tools.benchmarks.bench_tree import SHORT

GAME = Game("tictactoe")
PAIRS, ROUNDS = (2, 1) if SHORT else (500, 7)


def main() -> None:
    """Measure, print, assert."""
    found = bench(all_boards(), GAME, pairs=PAIRS, repeats=ROUNDS, progress=lambda share: None)
    beside = published(found)
    print(f"\n{'boards, median':<24}{'measure':<16}{'ours':>12}{'theirs':>12}{'times as fast':>16}")
    for row in beside.rows:
        board, measure, unit, ours, theirs, ratio = row[:6]
        if "2 cores" in row[8]:
            print(f"{board:<24}{measure:<16}{ours:>12,.2f}{theirs:>12,.2f}{ratio:>16.2f}  {unit}")
    counts = orders(GAME, all_boards())
    assert {tuple(row[2:4]) for row in counts.rows} == {(18297, 17723)}


if __name__ == "__main__":
    main()
