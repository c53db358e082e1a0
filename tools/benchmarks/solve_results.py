"""Solve games, measure the costs, and write both into ``queries/reference/solved.csv``.

``python -m tools.benchmarks.solve_results GAME... --data DIR`` prints the estimate of each game,
solves it in a process of its own, and compares its numbers with ``known_counts.csv``. ``--read``
reads a solution that is there already, and keeps the costs in the file. `make solved` writes the
documents from the file.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.support.machine import cores, half_the_memory
from marubatsu.pipeline.support.resources import data_root, near
from marubatsu.pipeline.tables.data_set import Solution, Unfinished
from tools.benchmarks.bench_tree import run
from tools.solved_games import SolvedGame, keep_value_counts, read, row_of, write

SOLVE = (sys.executable, "-m", "marubatsu", "solve")

WARM = ("2x2k2", "2x2k2-gravity")  # games whose solving compiles the kernels
BUSY = 0.25  # a larger share of the cores at work, before the measurement begins, counts as busy


def require_none(solution: Solution) -> None:
    """End when a solution, or a part of one, is there: no time would be right."""
    for there in (solution, Unfinished(solution.root, solution.game)):
        if there.folder.exists():
            sys.exit(f"{near(there.folder)} exists: add --read, or name another folder by --data")


def warm_up() -> None:
    """Compile the kernels and keep them, as any earlier run would have done."""
    with tempfile.TemporaryDirectory() as folder:
        for name in WARM:
            run(*SOLVE, name, "--data", folder)


def here() -> str:
    """Describe this machine."""
    gigabytes = round(2 * half_the_memory() / 1e9)
    busy = ", busy" if os.getloadavg()[0] > BUSY * cores() else ""
    return f"{cores()} cores, {gigabytes} GB{busy}"


def solved(solution: Solution, memory: str, machine: str) -> SolvedGame:
    """Print the estimate of a game, solve it on this machine, and return its row."""
    name = solution.game.name
    subprocess.run([*SOLVE, name, "--estimate"], check=True)
    done = run(*SOLVE, name, "--data", str(solution.root), "--memory", memory)
    return row_of(
        solution, seconds=done.wall, megabytes=round(done.peak), machine=machine, checked=""
    )


def read_again(solution: Solution) -> SolvedGame:
    """Read a solution, and return its row with the costs in the file."""
    old = read()[solution.game.name]
    return row_of(
        solution, seconds=old.seconds, megabytes=old.megabytes, machine=old.machine,
        checked=old.checked,
    )  # fmt: skip


def main() -> None:
    """Write the rows of some games, each as soon as it is there."""
    parser = argparse.ArgumentParser("solve_results", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="+", metavar="GAME", type=Game)
    parser.add_argument("--data", type=Path, help="the folder of the solutions")
    parser.add_argument("--memory", default=f"{half_the_memory() // 10**9}GB", help="of `solve`")
    parser.add_argument("--read", action="store_true", help="read solutions that are there")
    parser.add_argument("--checked", help='what has derived the values again, such as "SQL"')
    options, machine = parser.parse_args(), here()
    root = data_root(options.data, os.environ)
    solutions = [Solution(root, game) for game in options.games]
    if not options.read:
        for solution in solutions:
            require_none(solution)
        warm_up()
    for solution in solutions:
        row = read_again(solution) if options.read else solved(solution, options.memory, machine)
        if options.checked is not None:
            row = replace(row, checked=options.checked)
        write({**read(), row.game: row}.values())
        keep_value_counts(solution, row)
        print(row, flush=True)


if __name__ == "__main__":
    main()
