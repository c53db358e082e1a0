"""Compare a solution with a search that shares no kernel with the engine, in drawn positions.

``python -m tools.checker.search_sample GAME --data DIR`` draws unfinished positions by random
play, from ply 6 on, and asks both for the values of each and of all its moves. Exit code 1 says
that they differ.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.judge.oracle.answer import Answer
from marubatsu.judge.oracle.search_oracle import SearchOracle
from marubatsu.judge.oracle.solution_oracle import SolutionOracle
from marubatsu.pipeline.support.machine import MEMORY, parse_memory
from marubatsu.pipeline.tables.data_set import Solution

FIRST_PLY = 6  # earlier positions of the largest games take a search too long


def drawn(game: Game, random: Random) -> Iterator[Position]:
    """Yield unfinished positions that random play reaches, at plies that are drawn."""
    while True:
        position, goal = EMPTY, random.randrange(min(FIRST_PLY, game.cells - 1), game.cells)
        while position.ply < goal and game.legal_moves(position):
            position = game.play(position, random.choice(game.legal_moves(position)))
        if game.legal_moves(position):
            yield position


def facts(answer: Answer) -> tuple[object, ...]:
    """Return what both say of a position."""
    return answer.score, answer.distance, answer.moves


def main(arguments: list[str] | None = None) -> int:
    """Compare, print a sentence, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", type=Game)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    solution = SolutionOracle(Solution(given.data, given.game))
    search = SearchOracle(given.game, memory=parse_memory(MEMORY))
    for position in islice(drawn(given.game, Random(given.seed)), given.sample):
        if facts(solution.answer(position)) != facts(search.answer(position)):
            print(f"{given.game.name}: they differ at {to_text(given.game, position)}")
            return 1
    print(f"{given.game.name}: the same values in {given.sample:,} unfinished positions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
