"""Matches of AIs: counted, or reviewed move by move by an oracle."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.ais.arena import Arena, Match, Tally
from marubatsu.engine.ais.matches import play_fast
from marubatsu.engine.ais.policy import policy_of
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.engine.tree.positions import Positions, enumerate_positions
from marubatsu.judge.agents.address import ais_at
from marubatsu.judge.agents.agent_limits import AgentOptions, limits_for
from marubatsu.judge.agents.players import Players
from marubatsu.judge.oracle.answer import Answer, BoundedAnswer, BoundedMove, Move, result
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.errors import whole
from marubatsu.pipeline.support.search_limits import checked_time

NOT_PROVED = "not proved in time"

_BOUNDS = {(0, 1): "draws or wins", (-1, 0): "loses or draws", (-1, 1): NOT_PROVED}
"""The words for a result between two bounds."""


@dataclass(frozen=True)
class JudgedMove:
    """A move that was made: its result for the mover, and what a best move would have led to.

    ``loss`` is None where the time was up before it was known; ``best_moves`` are those that are
    proved to lose nothing.
    """

    result: str
    loss: int | None
    best_moves: tuple[int, ...]
    best_result: str


def result_text(position: Position, of: Answer | BoundedAnswer | Move | BoundedMove) -> str:
    """Return the result of a position or a move for the mover: wins, draws or loses."""
    ends = (of.at_least, of.at_most) if isinstance(of, BoundedAnswer | BoundedMove) else [of.score]
    sign = position.turn.sign
    scores = sorted(sign * ((end > 0) - (end < 0)) for end in ends)
    low, high = scores[0], scores[-1]
    return result(low) if low == high else _BOUNDS[low, high]


def judge_moves(
    oracle: Oracle,
    made: Iterable[tuple[Position, int]],
    look: Callable[[float], None] = lambda share: None,
) -> list[JudgedMove]:
    """Judge the moves of a game, each given with the position before it.

    The last is judged first: a search remembers what it finds there. ``look`` is called with the
    share that is done.
    """
    moves = list(made)
    judgements = []
    for number, (position, move) in enumerate(reversed(moves)):
        look(number / len(moves))
        answer = oracle.within(position)
        (its,) = (each for each in answer.moves if each.move == move)
        best = result_text(position, answer)
        judgements.append(JudgedMove(result_text(position, its), its.loss, answer.best_moves, best))
    return judgements[::-1]


COLUMNS = (
    "first", "second", "first_is", "games", "win", "lose", "draw",
    "win_percent", "lose_percent", "draw_percent",
)  # fmt: skip

REVIEW = (
    "first", "second", "game", "first_is", "ply", "ai", "move", "board_after", "result", "loss",
    "best_moves",
)  # fmt: skip
"""One move: its number of the game, who made it, and to which result for the mover it leads.

Loss and best moves are null where a search proved none in its time.
"""

Named = tuple[str, AI]


def play_matches(
    game: Game,
    pairs: Sequence[tuple[Named, Named]],
    games: int,
    seed: int,
    *,
    fast: bool,
    progress: Callable[[float], None],
) -> list[list[object]]:
    """Play every pair; return three rows each: the first AI as circle, as cross, and in total.

    All matches share one generator; each fast match starts one with the same seed. Raises
    TooLargeError when a game has too many positions for the fast mode.
    """
    random = Random(seed)  # noqa: S311, chance need not be unguessable
    positions = enumerate_positions(game) if fast else None
    rows: list[list[object]] = []
    for number, (first, second) in enumerate(pairs):

        def advance(share: float, number: int = number) -> None:
            progress((number + share) / len(pairs))

        if positions:
            played = _fast(positions, first[1], second[1], games, seed)
        else:
            arena = Arena(new_board(game), first[1].on(game), second[1].on(game))
            played = arena.play(games, random, advance)
        for side, tally in (
            ("circle", played.as_circle), ("cross", played.as_cross), ("total", played.total)
        ):  # fmt: skip
            rows.append([first[0], second[0], side, *_numbers(tally)])
    return rows


def review_matches(
    oracle: Oracle,
    pairs: Sequence[tuple[Named, Named]],
    games: int,
    seed: int,
    progress: Callable[[float], None],
) -> list[list[object]]:
    """Play the same games as `play_matches`; return a row of `REVIEW` for each move."""
    random, game = Random(seed), oracle.game  # noqa: S311, chance need not be unguessable
    rows: list[list[object]] = []
    for pair, (first, second) in enumerate(pairs):
        arena = Arena(new_board(game), first[1].on(game), second[1].on(game))
        for number in range(2 * games):
            progress((pair + number / (2 * games)) / len(pairs))
            is_circle = number % 2 == 0
            movers = (first[0], second[0]) if is_circle else (second[0], first[0])
            what = [first[0], second[0], number + 1, "circle" if is_circle else "cross"]
            made, position = [], EMPTY
            for move in arena.play_one(random, first_is_circle=is_circle):
                made.append((position, move))
                position = game.play(position, move)
            for (before, move), judgement in zip(made, judge_moves(oracle, made), strict=True):
                after = to_text(game, game.play(before, move))
                best = list(judgement.best_moves) or None
                rows.append([*what, before.ply, movers[before.ply % 2], move, after,
                             judgement.result, judgement.loss, best])  # fmt: skip
    return rows


def _fast(positions: Positions, first: AI, second: AI, games: int, seed: int) -> Match:
    one, two = (policy_of(ai.on(positions.game), positions) for ai in (first, second))
    return play_fast(positions, one.is_candidate, two.is_candidate, games, seed)


def _numbers(tally: Tally) -> list[object]:
    counts = (tally.win, tally.lose, tally.draw)
    return [tally.games, *counts, *(round(100 * count / tally.games, 3) for count in counts)]


def play_match(
    first: Callable[..., Any] | str,
    second: Callable[..., Any] | str,
    interface: str | None,
    games: int,
    seed: int,
    game: Game | str,
    seconds: float,
    data: str | Path | None,
    confined: AgentOptions,
) -> Match:
    """Let two AIs play; see `marubatsu.match`. Raises InputError and UsageError."""
    pairs, start = whole("games", games, least=1), whole("seed", seed)
    data_set = data_set_of(game, data)
    ais = ais_at((first, second), data_set, interface)
    with Players(data_set, limits_for(ais, confined), checked_time(seconds)) as players:
        seats = (players.player(each).on(data_set.game) for each in ais)
        arena = Arena(new_board(data_set.game), *seats)
        return arena.play(pairs, Random(start))  # noqa: S311, it is a game
