"""Solve games, measure the costs, and write both into ``queries/reference/solved.csv``.

``python -m tools.benchmarks.solve_results GAME... --data DIR`` prints the estimate of each game,
solves it in a process of its own, and compares its numbers with ``known_counts.csv``. ``--read``
reads solutions that are there already. `make solved` writes the documents from the file.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from marubatsu.engine.rules.game import Game, GameError
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.support.machine import cores, half_the_memory, parse_memory
from marubatsu.pipeline.support.resources import data_root, near
from marubatsu.pipeline.tables.data_set import Solution, Unfinished
from tools.benchmarks.bench_tree import Run, run
from tools.solved_games import FILE, SolvedGame, keep_value_counts, read, row_of, write

SOLVE = (sys.executable, "-m", "marubatsu", "solve")

WARM = ("2x2k2", "2x2k2-gravity")  # games whose solving compiles the kernels
COST = ("seconds", "megabytes", "machine", "checked")  # the columns that no solution has
BUSY = 0.25  # a larger share of the cores at work, before the measurement begins, counts as busy


def require_none(solution: Solution) -> None:
    """Raise UsageError when a solution, or a part of one, is there: no time would be right."""
    for there in (solution, Unfinished(solution.root, solution.game)):
        if there.folder.exists():
            raise UsageError(
                f"{near(there.folder)} exists: add --read for the numbers of a solution, or name a "
                "folder without it with --data"
            )


def warm_up() -> None:
    """Compile the kernels and keep them, as any earlier run would have done."""
    with tempfile.TemporaryDirectory() as folder:
        for name in WARM:
            run(*SOLVE, name, "--data", folder)


def solve(solution: Solution, memory: str) -> Run:
    """Print the estimate of a game, and measure its solving."""
    name = solution.game.name
    subprocess.run([*SOLVE, name, "--estimate"], check=True)
    return run(*SOLVE, name, "--data", str(solution.root), "--memory", memory)


def here() -> str:
    """Describe this machine."""
    gigabytes = round(2 * half_the_memory() / 1e9)
    busy = ", busy" if os.getloadavg()[0] > BUSY * cores() else ""
    return f"{cores()} cores, {gigabytes} GB{busy}"


def row(solution: Solution, options: argparse.Namespace, machine: str) -> SolvedGame:
    """Solve a game on this machine, or read its solution and keep the cost that the file has.

    Options take the place of either.
    """
    cost: dict[str, Any]
    if options.read:
        old = read().get(solution.game.name)
        cost = {name: getattr(old, name) for name in COST} if old else {"checked": ""}
    else:
        done = solve(solution, options.memory)
        cost = dict(zip(COST, (done.wall, round(done.peak), machine, ""), strict=True))
    given = {name: getattr(options, name) for name in COST}
    cost |= {name: value for name, value in given.items() if value is not None}
    if len(cost) < len(COST):
        raise UsageError(
            f"{FILE.name} has no row of {solution.game.name} yet: add --seconds, --megabytes and "
            "--machine"
        )
    return row_of(solution, **cost)


def arguments(given: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser("solve_results", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--data", type=Path, help="the folder of the solutions")
    parser.add_argument("--memory", default=f"{half_the_memory() // 10**9}GB", help="of `solve`")
    parser.add_argument("--read", action="store_true", help="read solutions that are there")
    parser.add_argument("--seconds", type=float, help="what solving took, with --read")
    parser.add_argument("--megabytes", type=int, help="its peak memory, with --read")
    parser.add_argument("--machine", help='such as "2 cores, 24 GB"')
    parser.add_argument("--checked", help='what has derived the values again, such as "SQL"')
    options = parser.parse_args(given)
    if not options.read and (options.seconds, options.megabytes) != (None, None):
        parser.error("--seconds and --megabytes are for --read: leave them out, they are measured")
    return options


def main(given: list[str]) -> int:
    """Write the rows of some games, each as soon as it is there; return the exit code."""
    options, machine = arguments(given), here()
    try:
        root = data_root(options.data, os.environ)
        parse_memory(options.memory)
        solutions = [Solution(root, Game(name)) for name in options.games]
        if not options.read:
            for solution in solutions:
                require_none(solution)
            warm_up()
        for solution in solutions:
            found = row(solution, options, machine)
            write({**read(), found.game: found}.values())
            keep_value_counts(solution, found)
            print(found, flush=True)
    except (GameError, UsageError) as error:
        print(f"solve_results: {error}", file=sys.stderr)
        return 2
    except DataError as error:
        print(f"solve_results: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
