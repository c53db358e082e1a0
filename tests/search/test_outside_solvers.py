"""Values of 7x6 compared with those of third-party solvers, which are installed separately.

`make outside` runs this: it sets MARUBATSU_OUTSIDE to the number of positions. A solver runs in a
process of its own, and only its answers come here: scores as half the plies that would be left.
"""

import os
from functools import reduce
from random import Random

import pytest

from marubatsu.engine.kernels.exact_search import ExactSearch
from marubatsu.engine.large.values import FAR
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from tests.helpers.data.played import drawn
from tests.helpers.frameworks.installed_apart import Apart, outside, run_with

GAME = Game("7x6k4-gravity")
PLIES = range(12, 38)
COUNT = int(os.environ.get("MARUBATSU_OUTSIDE", "0"))

SOLVERS = {
    "bitbully": (
        "from bitbully.bitbully_core import BitBullyCore, BoardCore\n"
        "solver, board = BitBullyCore(), BoardCore()\n"
        "def score(columns):\n"
        "    assert board.setBoard([int(column) for column in columns])\n"
        "    return solver.mtdf(board, 0)\n"
    ),
    "connect-four-ai": (
        "from connect_four_ai import Position, Solver\n"
        "solver = Solver()\n"
        "def score(columns):\n"
        "    moves = ''.join(str(int(column) + 1) for column in columns)\n"
        "    return solver.solve(Position.from_moves(moves))\n"
    ),
}
"""Packages, and code that defines the score of a game: columns from 0, mover's view."""

_ANSWER = "import sys\nfor line in sys.stdin:\n    print(score(line.strip()))\n"


@outside
@pytest.mark.parametrize("package", SOLVERS)
def test_values_are_those_of_a_solver_that_others_wrote(package: str, apart: Apart) -> None:
    folder = apart.packages(package)
    random = Random(COUNT)
    games = [drawn(GAME, PLIES[number % len(PLIES)], random) for number in range(COUNT)]
    lines = "".join("".join(str(move % GAME.columns) for move in moves) + "\n" for moves in games)
    done = run_with(folder, "-c", SOLVERS[package] + _ANSWER, lines=lines, ours=False)
    assert done.returncode == 0, done.stderr
    search = ExactSearch(GAME, memory=1 << 27)
    for moves, line in zip(games, done.stdout.splitlines(), strict=True):
        position = reduce(Position.after, moves, EMPTY)
        assert search.value(position) == value_of(int(line), position), moves


def value_of(score: int, position: Position) -> int:
    """Return the value that a solver's score means: its size counts the winner's marks not set.

    The winner's marks are every second one, so the score gives the ply of the last mark.
    """
    if score == 0:
        return 0
    marks = 1 + GAME.cells // 2 - abs(score)
    winner_is_circle = (score > 0) == (position.ply % 2 == 0)
    last = 2 * marks - winner_is_circle
    size = FAR - (last - position.ply)
    return size if score > 0 else -size
