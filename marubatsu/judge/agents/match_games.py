"""Matches of AIs: counted, or reviewed move by move by an oracle."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Unpack

from marubatsu.engine.ais.ai import AI, FailedError
from marubatsu.engine.ais.by_function import Choose
from marubatsu.engine.ais.matches import Arena, Match, play_fast
from marubatsu.engine.ais.policy import policy_of
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.judge.agents.address import ais_at
from marubatsu.judge.agents.agent_options import AgentOptions, require_keywords
from marubatsu.judge.agents.agent_settings import settings_for
from marubatsu.judge.agents.faults import INFRASTRUCTURE
from marubatsu.judge.agents.players import Players
from marubatsu.judge.oracle.answer import Answer, BoundedAnswer, BoundedMove, Move, result
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.stages.on_demand import data_set_of
from marubatsu.pipeline.support.errors import checked_flag, whole
from marubatsu.pipeline.support.events import note_once
from marubatsu.pipeline.support.machine import MOVE_SECONDS, checked_time

_MOST_GAMES = 1_000_000_000  # on each side
NOT_PROVED = "not proved in time"

_BOUNDS = {(0, 1): "draws or wins", (-1, 0): "loses or draws", (-1, 1): NOT_PROVED}
"""The words for a result between two bounds."""


@dataclass(frozen=True)
class ReviewedMove:
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
    progress: Callable[[float], None] = lambda share: None,
) -> list[ReviewedMove]:
    """Judge the moves of a game, each given with the position before it.

    The last is judged first: a search remembers what it finds there. ``progress`` is called with
    the share that is done.
    """
    moves = list(made)
    judgements = []
    for number, (position, move) in enumerate(reversed(moves)):
        progress(number / len(moves))
        answer = oracle.within(position)
        (its,) = (each for each in answer.moves if each.move == move)
        reached, best = (result_text(position, each) for each in (its, answer))
        judgements.append(ReviewedMove(reached, its.loss, answer.best_moves, best))
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
    forfeits: bool,
) -> list[list[object]]:
    """Play every pair; return three rows each: the first AI as circle, as cross, and in total.

    With ``forfeits``, an AI that fails loses the game.

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
            one, two = (policy_of(ai.on(game), positions) for _, ai in (first, second))
            played = play_fast(positions, one.is_candidate, two.is_candidate, games, seed)
        else:
            arena = Arena(
                new_board(game), first[1].on(game), second[1].on(game),
                forfeit=count_as_lost if forfeits else None,
            )  # fmt: skip
            played = arena.play(games, random, advance)
        for side, tally in (
            ("circle", played.as_circle), ("cross", played.as_cross), ("total", played.total)
        ):  # fmt: skip
            counts = (tally.win, tally.lose, tally.draw)
            percents = (round(100 * count / tally.games, 3) for count in counts)
            rows.append([first[0], second[0], side, tally.games, *counts, *percents])
    return rows


def count_as_lost(error: FailedError) -> None:
    """Say once of each AI that a failure counts as a lost game; raise it if a service failed."""
    if error.fault.kind == INFRASTRUCTURE:
        raise error
    note_once("forfeit", error.name, f"{error}; each game in which it fails counts as lost")


def review_matches(
    oracle: Oracle,
    pairs: Sequence[tuple[Named, Named]],
    games: int,
    seed: int,
    progress: Callable[[float], None],
) -> list[list[object]]:
    """Play the games of `play_matches`, move by move; return a row of `REVIEW` for each move."""
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


def checked_games(games: object) -> int:
    """Return a number of games on each side. Raises OptionError."""
    return whole("games", games, least=1, most=_MOST_GAMES)


def match(
    ai: Choose | str,
    opponent: Choose | str,
    game: Game | str = "tictactoe",
    *,
    interface: str | None = None,
    games: int = 10_000,
    seed: int = 0,
    time: float = MOVE_SECONDS,
    forfeit: bool = False,
    data: str | Path | None = None,
    **agents: "Unpack[AgentOptions]",
) -> Match:
    """Let two AIs play ``games`` games with the first as circle, and as many with it as cross.

    An AI is a function, or an address as in ``marubatsu match``: ``ai14s``, ``file.py:function``.
    It plays one of its candidates, chosen by one ``random.choice`` of ``random.Random(seed)``, or
    by their chances. If ``perfect`` must search, it takes at most ``time`` seconds for a move, and
    may play a move that is not proved best. The `AgentOptions`, such as ``timeout=``, ``answers=``
    and ``first=``, and ``interface`` say how foreign AIs are run and asked, as in `audit`.

    The results are those of the first AI: ``as_circle`` and ``as_cross`` are tallies of its games
    on that side, and ``total`` is their sum. ``win`` of a `Tally` counts the games that the first
    AI won, ``lose`` those that the second one won. With ``forfeit``, an AI that fails, as by an
    illegal move, an exception or a time-out, loses that game, and the match goes on.

    Raises InputError for an address of no AI, and for an AI that fails or names an illegal move;
    UsageError for values and keywords that make no sense, and as `audit` does for what cannot be
    confined; DataError where ``perfect`` needs data that is damaged or not there.

    >>> match("ai14s", "ai2", games=1000).as_circle
    Tally(win=995, lose=0, draw=5)
    """
    require_keywords(match, agents, AgentOptions)
    pairs, first_seed = checked_games(games), whole("seed", seed)
    data_set = data_set_of(game, data)
    ais = ais_at((ai, opponent), data_set, interface)
    with Players(data_set, settings_for(ais, agents), checked_time(time)) as players:
        seats = (players.player(each).on(data_set.game) for each in ais)
        lost = count_as_lost if checked_flag("forfeit", forfeit) else None
        arena = Arena(new_board(data_set.game), *seats, forfeit=lost)
        return arena.play(pairs, Random(first_seed))  # noqa: S311, it is a game
