"""Walk an environment, and report its differences."""

import sys
from collections.abc import Callable, Container, Iterable
from contextlib import redirect_stdout
from functools import reduce

from marubatsu.engine.rules.board_text import draw
from marubatsu.engine.rules.bounds import arrangements
from marubatsu.engine.rules.game import Game, game_of
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.judge.bridges.environment_walk import (
    ILLEGAL,
    KINDS,
    Difference,
    Walk,
    cells_text,
    every_move,
    random_games,
)
from marubatsu.judge.bridges.environments import WalkedEnvironment, find_environment
from marubatsu.pipeline.support.errors import harmless, whole

COLUMNS = ("compared", "agrees", "examined", "differences", "line", "expected", "found")

MOST_POSITIONS = 10_000
"""Games of at most so many positions are walked completely unless a sample is wanted."""

GAMES = 100
"""Random games of a larger game, by default."""


def walk(
    walked: WalkedEnvironment, games: int | None, seed: int, progress: Callable[[float], None]
) -> Walk:
    """Walk every move of every position, or random games; the environment prints to standard error.

    Without a number of games, the size of the game decides.
    """
    game = walked.game
    most = sum(arrangements(game))
    if games is None and most > MOST_POSITIONS:
        games = GAMES
    walk_ = Walk(game, walked.environment, every_illegal_move=games is None)
    lines = every_move(game) if games is None else random_games(game, games, seed)
    with redirect_stdout(sys.stderr):
        for number, line in enumerate(lines):
            walk_.follow(line)
            progress(len(walk_.positions) / most if games is None else number / games)
    return walk_


def conform_env(
    environment: object, game: Game | str | None = None, *, sample: int | None = None, seed: int = 0
) -> Walk:
    """Walk an environment alongside our rules; return the differences of each kind.

    ``environment`` is an object or a class of ``game`` (tictactoe) with the methods that
    docs/environments.md lists, or a name as in ``marubatsu conform-env``. The walk takes every move
    of a small game, and 100 random games of a larger one; ``sample`` is another number of games,
    which ``seed`` draws.

    The walk's ``agrees`` tells whether nothing differs, but for the kinds that it is given.
    ``differences`` has a `Difference` by the name of each kind: how often the walk ``examined`` it,
    how often it was ``differing``, and the shortest ``line`` of cells to one.

    Raises InputError for a name of no game, UsageError when this is no environment or the sample
    makes no sense, DataError when the environment fails.

    >>> class First:  # Whoever marks a cell first has won.
    ...     def reset(self): self.marks = 0
    ...     def play(self, cell): self.marks += 1
    ...     def legal_moves(self): return [] if self.marks else [0, 1]
    ...     def turn(self): return "cross" if self.marks else "circle"
    ...     def over(self): return self.marks > 0
    ...     def rewards(self): return (1, -1) if self.marks else (0, 0)
    >>> walk = conform_env(First, "2x1k1")
    >>> walk.agrees(), [kind for kind, found in walk.differences.items() if found.differing]
    (False, ['move outside the board'])
    """
    games = None if sample is None else whole("sample", sample, least=1)
    walked = find_environment(environment, None if game is None else game_of(game))
    return walk(walked, games, whole("seed", seed), lambda share: None)


def rows(walk: Walk) -> list[tuple[object, ...]]:
    """Return a row for each kind; line, expected and found are those of the shortest line."""
    listed: list[tuple[object, ...]] = []
    for each in walk.differences.values():
        first = (_line(walk.game, each.line), each.expected, each.found)
        shown = first if each.differing else (None, None, None)
        listed.append((each.kind, each.agrees, each.examined, each.differing, *shown))
    return listed


def tell(walked: WalkedEnvironment, walk: Walk, accepted: Container[str] = ()) -> str:
    """Describe each difference with its board, the answers to illegal moves, and the verdict."""
    parts = [_difference(walk, each) for each in walk.differences.values() if each.differing]
    answers = sorted(walk.answers.items())
    parts += [f"{kind}: {answer} ({count:,} times)\n" for (kind, answer), count in answers]
    release = f" of {walked.release}" if walked.release else ""
    verdict = "agrees with" if walk.agrees(accepted) else "differs from"
    waived = [each.kind for each in walk.differences.values()
              if each.differing and each.kind in accepted]  # fmt: skip
    but = f", but for: {', '.join(waived)}" if waived else ""
    positions = f"{len(walk.positions):,} positions"
    parts.append(f"{walked.name}{release} {verdict} {walk.game.name} in {positions}{but}\n")
    return harmless("\n".join(parts))


def _difference(walk: Walk, difference: Difference) -> str:
    game, line = walk.game, difference.line
    text = (
        f"{difference.kind}: {KINDS[difference.kind]}\n"
        f"after {_line(game, line)}: expected {difference.expected}, found {difference.found}\n"
    )
    if difference.kind == "observation" and walk.observed_as:
        text += f"every observation is the board under one symmetry: {walk.observed_as}\n"
    board = reduce(Position.after, line[:-1] if difference.kind in ILLEGAL else line, EMPTY)
    return f"{text}\n{draw(game, board)}\n"


def _line(game: Game, moves: Iterable[int]) -> str:
    return cells_text(game, moves) or "no move"
