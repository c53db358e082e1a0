"""`make bench`, fifth part: large games solved, looked up and audited, each in its own process.

``make large`` runs the parts that take minutes: ``python -m tools.benchmarks.bench_solve large``.

Times are with warm kernels, without the start of Python; peaks are of the whole process.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.judge.oracle.solution_oracle import SolutionOracle
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.solving.solution_files import read_value_counts
from marubatsu.pipeline.tables.data_set import Solution
from tests.helpers.data.known import known_of
from tools.benchmarks.bench_tree import SHORT, Run, run

RUNS = (("4x4k4", 8000), ("4x4k4", 500), ("5x5k4-gravity", 8000), ("5x5k4-gravity", 500))
"""Games, and the megabytes of memory for solving each."""

SHORT_RUNS = (("4x4k4", 500),)  # the runs of the short benchmark

LARGE = "4x5k4"
LARGE_MILLIONS = (168.7, 674.8)
"""The classes and positions of LARGE, known from elsewhere in millions."""

MANY = 100_000 if SHORT else 1_000_000


def timed(root: Path, name: str, memory: int) -> None:
    """Solve a game in this process after a small one that warms the kernels; write the time."""
    solve(root / "warm", Game("2x2k2"), memory)
    solve(root / "warm", Game("2x2k2-gravity"), memory)
    start = time.perf_counter()
    found = solve(root, Game(name), memory)
    seconds = time.perf_counter() - start
    classes, _ = counted(found.solution)
    size = found.manifest.size
    listed = [row.count for row in known_of(name) if (row.quantity, row.ply) == ("classes", None)]
    assert listed == [classes] or name == LARGE
    (root / "report").write_text(
        f"{name:<16}{memory / 1e6:>6.0f} MB{seconds:>8.2f} s"
        f"{classes / seconds / 1e6:>8.1f} million classes/s{size / classes:>7.2f} bytes a class"
    )


def counted(solution: Solution) -> tuple[int, int]:
    """Return the numbers of classes and of positions in a solution."""
    value_counts = read_value_counts(solution)
    return sum(value_counts["classes"].to_pylist()), sum(value_counts["positions"].to_pylist())


def drawn(oracle: SolutionOracle, count: int) -> list[Position]:
    """Draw classes, of those that have moves."""
    circle, cross = oracle.masks(oracle.drawn(count, seed=0))
    return list(map(Position, circle.tolist(), cross.tolist()))


def look_up_many(root: Path, name: str) -> None:
    """Ask about many boards at once, and compare some of the answers with single ones."""
    game = Game(name)
    oracle = SolutionOracle(Solution(root, game))
    boards = [to_text(game, position) for position in drawn(oracle, MANY)]
    start = time.perf_counter()
    found = oracle.answer_many(boards)
    seconds = time.perf_counter() - start
    for number in range(0, MANY, MANY // 50):
        answer = oracle.answer(boards[number])
        assert (answer.score, answer.distance) == (found.score[number], found.distance[number])
        assert sum(move.loss for move in answer.moves) == found.loss[found.moves_of(number)].sum()
    print(
        f"{name}: {MANY:,} boards and their {len(found.move):,} moves in one call: {seconds:.2f} s"
    )


def solved(folder: str, name: str, memory: int) -> None:
    """Solve a game in a process of its own, with some megabytes of memory."""
    done = run(sys.executable, "-m", __spec__.name, folder, name, str(memory * 10**6))
    print(f"{(Path(folder) / 'report').read_text()}{done.peak:>8.0f} MB peak")
    assert done.peak < memory + 200


def total(folder: str, name: str) -> None:
    """Sum the orbits of all classes in SQL, in the sandbox."""
    classes, positions = counted(Solution(Path(folder), Game(name)))
    by_value = "select ply, score_mover, sum(orbit) as positions from solution group by all"
    answer = Path(folder) / "totals.json"
    arguments = ("sql", by_value, "--game", name, "--memory", "1GB", "--output", str(answer))
    done = command(folder, *arguments, "--timeout", "600")
    assert sum(row["positions"] for row in json.loads(answer.read_text())) == positions
    assert done.peak < 1000
    print(f"{classes / done.wall / 1e6:.1f} million classes a second")


def command(folder: str, *arguments: str) -> Run:
    """Run one of our commands, and print its time and memory."""
    done = run(sys.executable, "-m", "marubatsu", *arguments, "--data", folder)
    print(f"marubatsu {' '.join(arguments)}: {done.wall:.1f} s, {done.peak:.0f} MB peak")
    return done


def large() -> None:
    """Measure the parts that take minutes."""
    with tempfile.TemporaryDirectory() as folder:
        solved(folder, LARGE, 4000)
        classes, positions = counted(Solution(Path(folder), Game(LARGE)))
        print(f"{LARGE}: {classes:,} classes, {positions:,} positions")
        assert (round(classes / 1e6, 1), round(positions / 1e6, 1)) == LARGE_MILLIONS
        total(folder, LARGE)
    with tempfile.TemporaryDirectory() as folder:
        name, memory = RUNS[-1]
        solved(folder, name, memory)
        assert command(folder, "check", name, "--memory", f"{memory}MB").peak < memory + 200


def main() -> None:
    """Measure, print, assert."""
    if sys.argv[1:] == ["large"]:
        large()
        return
    if len(sys.argv) == 4:
        timed(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
        return
    print("\nsolving, kernels warm          peak memory is of the whole process")
    runs = SHORT_RUNS if SHORT else RUNS
    for name, memory in runs:
        with tempfile.TemporaryDirectory() as folder:
            solved(folder, name, memory)
            if (name, memory) == runs[-1]:
                look_up_many(Path(folder), name)
                sample = "1000" if SHORT else "10000"
                command(folder, "audit", "ai7", "--game", name, "--sample", sample)


if __name__ == "__main__":
    main()
