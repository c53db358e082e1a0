"""`make bench`, fifth part: large games solved, each in a process of its own, and looked up.

Times are of solving with warm kernels, without the start of Python; peaks are of the whole process.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import pyarrow.parquet as pq

from engine.game import Game
from engine.keys import Keys
from pipeline.solution.local import solve
from pipeline.solution.lookup import Lookup, open_lookup
from pipeline.store import Solution
from tests.bench import run
from tests.known import known_of

RUNS = (("4x4k4", 8000), ("4x4k4", 500), ("5x5k4-gravity", 8000), ("5x5k4-gravity", 500))
"""Games, and the megabytes of memory that each is solved in."""

LOOKUPS = 2000


def timed(root: Path, name: str, memory: int) -> None:
    """Solve a game in this process, whose kernels are warmed with a small one; print the time."""
    solve(root / "warm", Game.parse("2x2k2"), memory)
    solve(root / "warm", Game.parse("2x2k2-gravity"), memory)
    start = time.perf_counter()
    solved = solve(root, Game.parse(name), memory)
    seconds = time.perf_counter() - start
    classes = sum(entry.rows for entry in solved.manifest.files.values())
    size = sum(entry.bytes for entry in solved.manifest.files.values())
    (known,) = (row.count for row in known_of(name) if row.quantity == "classes" and not row.ply)
    assert classes == known
    (root / "told").write_text(
        f"{name:<16}{memory / 1e6:>6.0f} MB{seconds:>8.2f} s"
        f"{classes / seconds / 1e6:>8.1f} million classes/s{size / classes:>7.2f} bytes a class"
    )


def look_up(root: Path, name: str) -> None:
    """Look random classes up, each with all its moves, and hold each against its best move."""
    game, random = Game.parse(name), Random(0)
    solution = Solution(root, game)
    keys = [
        key
        for path in sorted(solution.folder.rglob("*.parquet"))
        for key in pq.read_table(path, columns=["key"], partitioning=None)["key"].to_numpy()[::1000]
    ]
    chosen = [Keys(game).masks(int(key)) for key in random.sample(keys, LOOKUPS)]
    with open_lookup(solution, lambda: None) as lookup:
        start = time.perf_counter()
        waits = sorted(_looked_up(lookup, *masks) for masks in chosen)
        seconds = time.perf_counter() - start
    median, most = statistics.median(waits), waits[len(waits) * 95 // 100]
    print(
        f"{name}: {LOOKUPS / seconds:,.0f} random classes a second, each with its moves; "
        f"median {1e3 * median:.2f} ms, 95 % within {1e3 * most:.2f} ms"
    )


def _looked_up(lookup: Lookup, circle: int, cross: int) -> float:
    start = time.perf_counter()
    row = lookup.row(circle, cross)
    moves = lookup.moves(circle, cross)
    seconds = time.perf_counter() - start
    assert (row.distance == 0) == (not moves)
    if moves:
        assert moves[0].is_fastest
        assert (moves[0].score, moves[0].distance + 1) == (row.score, row.distance)
    return seconds


def main() -> None:
    """Measure, print, assert."""
    if len(sys.argv) > 1:
        timed(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
        return
    print("\nsolving, kernels warm          peak memory is of the whole process")
    for name, memory in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            done = run(sys.executable, "-m", __spec__.name, folder, name, str(memory * 10**6))
            print(f"{(Path(folder) / 'told').read_text()}{done.peak:>8.0f} MB peak")
            assert done.peak < memory + 200
            if (name, memory) == RUNS[-1]:
                look_up(Path(folder), name)


if __name__ == "__main__":
    main()
