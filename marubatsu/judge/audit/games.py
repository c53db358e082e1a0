"""The games of an audited AI: whether it can lose one, and its results against others.

A walk over the positions that it can reach finds a game that it loses. Results are computed exactly
from its choices in all positions, or counted in games.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import numpy as np

from marubatsu.engine.ais.ai import AI, AIError
from marubatsu.engine.ais.matches import Arena, Tally, on_both_sides
from marubatsu.engine.ais.policy import best_response, probabilities
from marubatsu.engine.ais.statistics import wilson
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Bools, Ints, Masks, distinct, mask_dtype
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.judge.agents.agent import SpentError
from marubatsu.judge.agents.saved_ais import chances_by_ai
from marubatsu.judge.audit.draw_positions import Plan, Reached, add_if_new
from marubatsu.judge.audit.interview import Choices
from marubatsu.judge.audit.interviewer import Interviewer
from marubatsu.judge.audit.verdicts import (
    BEST_RESPONSE,
    GAMES,
    MATCH_COLUMNS,
    OPPONENTS,
    PERFECT_PLAY,
)
from marubatsu.judge.oracle.answer import Answers
from marubatsu.judge.oracle.oracle import Numbered, Oracle
from marubatsu.pipeline.support.errors import OutOfTimeError
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.tables.open_file import OpenFile
from marubatsu.pipeline.tables.output import Rows

MOST_ASKED = 100_000
"""The most positions in which a walk asks an AI, on each side."""

AskAll = Callable[[Answers], Choices]
"""Asks an AI about positions."""


def looks_up(positions: Numbered, truth: Answers, choices: Choices) -> AskAll:
    """Return a function that looks up what the AI chose before, in all positions of a game."""

    def ask(about: Answers) -> Choices:
        numbers, _ = positions.find(about.circle, about.cross)
        moves = truth.moves_at(numbers)
        of_moves = (choices.is_candidate[moves], choices.probability[moves])
        of_positions = (choices.answered, choices.unjudged, choices.forfeits)
        return Choices(*of_moves, *(each[numbers] for each in of_positions))

    return ask


class Walked(NamedTuple):
    """Whether an AI can lose on one side, and how."""

    never_loses: bool | None  # None: not asked in all that it can reach; an illegal move loses
    line: tuple[int, ...] = ()  # moves by which it loses, unless the questions ran out in them
    board: str = ""  # at the end of the line


class _Ply(NamedTuple):
    """The positions of one ply that the AI can reach, each with the move that led there."""

    circle: Masks  # [N]
    cross: Masks  # [N]
    parent: Ints  # [N] place in the ply before
    move: Ints  # [N]


def walk(oracle: Oracle, side: Side, ask: AskAll, *, is_free: bool) -> Walked:
    """Follow an AI on one side, against every reply, ply by ply, until it is lost.

    It asks about at most `MOST_ASKED` positions, and saves some: a position with the score of the
    opponent's win is lost, and the line goes on with best moves of the opponent and the AI's own.
    Where questions are free, only a game at its end is lost: the line is the first of the shortest
    ones. Where the AI gives no legal move, it loses without a line, and any move follows.
    """
    nothing = np.zeros(1, mask_dtype(oracle.game))
    plies = [_Ply(nothing, nothing, np.zeros(1, np.int64), np.zeros(1, np.int64))]
    asked, forfeits = 0, False
    while True:
        here = plies[-1]
        truth = oracle.answer_masks(here.circle, here.cross)
        lost = np.flatnonzero(truth.status == side.other if is_free else truth.score == -side.sign)
        if lost.size:
            return _lost(oracle, side, ask, _line(plies, int(lost[0])))
        goes_on = truth.unfinished[truth.parent]
        if not goes_on.any():
            return Walked(never_loses=not forfeits)
        if len(plies) % 2 == 1 - side:  # The AI moves at this ply.
            asked += int(truth.unfinished.sum())
            if not is_free and asked > MOST_ASKED:
                return Walked(never_loses=False if forfeits else None)
            choices = ask(truth)
            forfeits |= bool(choices.forfeits.any())
            goes_on = choices.is_candidate
        plies.append(_next(truth, goes_on))


def _next(truth: Answers, goes_on: Bools) -> _Ply:
    """Return the positions after some moves, each once."""
    parent, move = truth.parent[goes_on], truth.move[goes_on].astype(np.int64)
    circle, cross = (masks[goes_on] for masks in truth.children)
    first, _ = distinct(circle, cross, truth.game.cells)
    return _Ply(circle[first], cross[first], parent[first], move[first])


def _line(plies: list[_Ply], place: int) -> list[int]:
    """Return the moves that led to a position of the last ply."""
    moves = []
    for ply in reversed(plies[1:]):
        moves.append(int(ply.move[place]))
        place = int(ply.parent[place])
    return moves[::-1]


def _lost(oracle: Oracle, side: Side, ask: AskAll, moves: list[int]) -> Walked:
    """Play a lost position to its end: the opponent's quickest wins, the AI's first candidates.

    It stays lost where the AI may be asked no more.
    """
    game, position = oracle.game, EMPTY
    for move in moves:
        position = game.play(position, move)
    while game.status(position) is Status.PLAYING:
        if position.turn is side:
            truth = oracle.answer_many([position])
            try:
                move = int(truth.move[ask(truth).is_candidate][0])
            except SpentError:
                return Walked(never_loses=False)
        else:
            move = oracle.answer(position).moves[0].move
        moves.append(move)
        position = game.play(position, move)
    return Walked(False, tuple(moves), to_text(game, position))


class _Results(NamedTuple):
    """The chances of an AI to win, to draw and to lose; or the shares of some games."""

    chances: Sequence[Fraction | float]
    games: int | None = None  # None: the chances are exact


def exact_matches(truth: Answers, choices: Choices, ais: Sequence[OpenFile]) -> Rows:
    """Compute the results by the choices in all positions of a game.

    The opponents are `BEST_RESPONSE` and the AIs of some files of table ``ai_moves``, or
    `OPPONENTS` without any.
    """
    positions, mine = enumerate_positions(truth.game), choices.probability
    opponents = {BEST_RESPONSE: best_response(positions, mine).astype(np.float64)}
    of_tables = [each for file in ais for each in chances_by_ai(file, positions).items()]
    opponents |= sorted(of_tables, key=lambda each: each[0])
    if not of_tables:
        candidates = (np.ones_like(truth.is_best), truth.is_best)
        chances = [probabilities(positions, each) for each in candidates]
        opponents |= zip(OPPONENTS, chances, strict=True)
    theirs = np.stack(list(opponents.values()))
    as_circle, as_cross = on_both_sides(positions, mine[None], theirs)
    rows: list[list[Any]] = []
    sides_of = zip(as_circle[0].tolist(), as_cross[:, 0, ::-1].tolist(), strict=True)
    for name, results in zip(opponents, sides_of, strict=True):
        sides = zip(("circle", "cross"), map(_Results, results), strict=True)
        rows += _rows(name, dict(sides))
    return Rows(MATCH_COLUMNS, rows)


def exploitability(matches: Rows) -> tuple[float | None, float | None]:
    """Return the exploitability of an AI that has these matches from the empty board, and a bound.

    They are those of `Verdicts`. No opponent does better than a best response, so the results of
    perfect play are a lower bound.
    """
    total = {row["opponent"]: row for row in matches.records() if row["side"] == "total"}
    if BEST_RESPONSE in total:
        most = max(0.0, -total[BEST_RESPONSE]["mean"])
        return most, most
    if PERFECT_PLAY in total:
        return None, max(0.0, -total[PERFECT_PLAY]["mean_at_most"])
    return None, None


def _rows(name: str, sides: dict[str, _Results]) -> Iterator[list[Any]]:
    """Yield the results against an opponent on each side, and in total where both are known."""
    yield from (_row(name, side, results) for side, results in sides.items())
    if len(sides) == len(Side):
        circle, cross = sides.values()
        pairs = zip(circle.chances, cross.chances, strict=True)
        games = circle.games and cross.games and circle.games + cross.games
        yield _row(name, "total", _Results([(one + other) / 2 for one, other in pairs], games))


def _row(name: str, side: str, results: _Results) -> list[Any]:
    """Return win, draw and lose in percent, and as fractions where the chances are exact."""
    chances, games = results
    percent = [round(100 * float(chance), 3) for chance in chances]
    fractions = [str(c) if isinstance(c, Fraction) else None for c in chances]
    mean = round(float(chances[0] - chances[2]), 12) + 0.0
    return [name, side, *percent, *fractions, mean, *_bounds(mean, games)]


def _bounds(mean: float, games: int | None) -> tuple[float, float]:
    """Return a 95 % confidence interval for the mean result of games; exactly, the mean itself.

    It is Wilson's for the share of points, of which a draw is half a one: cautious, because draws
    only narrow the spread.
    """
    if games is None:
        return mean, mean
    least, most = wilson(games * (1 + mean) / 2, games)
    return 2 * least - 1, 2 * most - 1


def played_matches(game: Game, ai: AI, opponents: Mapping[str, AI], seed: int) -> Rows:
    """Play games from the empty board against each opponent; no row where the AI fails in one."""
    rows: list[list[Any]] = []
    with progress("playing"), suppress(AIError):
        for name, opponent in opponents.items():
            arena = Arena(new_board(game), ai.on(game), opponent.on(game))
            match = arena.play(GAMES, Random(seed))  # noqa: S311, it is a game
            sides = {"circle": match.as_circle, "cross": match.as_cross}
            rows += _rows(name, {side: _counted(each) for side, each in sides.items()})
    return Rows(MATCH_COLUMNS, rows)


def _counted(tally: Tally) -> _Results:
    """Return the shares of won, drawn and lost games; there is one at least."""
    games = tally.games
    return _Results([tally.win / games, tally.draw / games, tally.lose / games], games)


_QUIET = 20  # rounds of games in a row without a new class, after which no more are played


class _SinglePosition(list[Position]):
    """An unfinished position, as a list of positions without the truth about them."""

    def __init__(self, game: Game, position: Position) -> None:
        super().__init__([position])
        self.game, self.status = game, np.array([Status.PLAYING], np.int8)
        self.move = np.array(game.legal_moves(position), np.int8)
        self.first_move = np.array([0, len(self.move)])


_Mover = Callable[[Reached, Random], int | None]
"""Chooses a move in a position; None where the search for a best move ran out of time."""


class Games:
    """Games of an audited AI from any position; it is asked once about each position of them.

    ``lost`` holds, by side, the shortest game from the empty board that it lost; ``out_of_time``
    counts the games that ended early, because a search for a best move took too long.
    """

    def __init__(self, oracle: Oracle, interviewer: Interviewer) -> None:
        self._oracle, self._interviewer = oracle, interviewer
        self._chosen: dict[Position, tuple[list[int], list[float]]] = {}
        self._best: dict[Position, list[int]] = {}
        self.lost: dict[Side, Reached] = {}
        self.out_of_time = 0

    def drawn(self, plan: Plan) -> list[Reached]:
        """Return positions in which the AI has to move in its games from the empty board.

        It plays against random play, against perfect play (which moves at random before the first
        ply of the plan) and against itself. There are fewer than the plan wants when `_QUIET`
        rounds of such games bring no new class.
        """

        def perfect(here: Reached, random: Random) -> int | None:
            is_early = len(here.line) < plan.first_ply
            return (self._at_random if is_early else self._perfect)(here, random)

        ai = self._ai
        pairs = [(ai, self._at_random), (self._at_random, ai), (ai, perfect), (perfect, ai),
                 (ai, ai)]  # fmt: skip
        random = Random(f"{plan.seed}/own")  # noqa: S311, chance need not be unguessable
        positions: list[Reached] = []
        seen: set[Position] = set()
        quiet = 0
        while len(positions) < plan.size and quiet < _QUIET:
            before = len(positions)
            for movers in pairs:
                line, here = self._play(Reached(EMPTY), movers, random).line, EMPTY
                for ply, move in enumerate(line):
                    is_asked = plan.first_ply <= ply <= plan.last_ply and movers[ply % 2] is ai
                    if is_asked and add_if_new(self._oracle.game, here, seen):
                        positions.append(Reached(here, line[:ply]))
                    here = here.after(move)
            quiet = 0 if len(positions) > before else quiet + 1
        return positions[: plan.size]

    def matches(self, starts: Sequence[Reached], seed: int) -> Rows:
        """Play from each of some positions: on each side, against random and perfect play.

        Games in which the search for a perfect move took too long are left out, and an opponent
        during whose games the AI has answered as many questions as it may.
        """
        random = Random(f"{seed}/games")  # noqa: S311, chance need not be unguessable
        rows: list[list[Any]] = []
        with progress("playing") as advance, suppress(AIError):
            for name, opponent in zip(OPPONENTS, (self._at_random, self._perfect), strict=True):
                sides: dict[str, _Results] = {}
                for side in Side:
                    movers = (self._ai, opponent) if side is Side.CIRCLE else (opponent, self._ai)
                    counts: Counter[Status] = Counter()
                    before = OPPONENTS.index(name) + side / 2
                    for number, start in enumerate(starts):
                        advance((before + number / len(starts) / 2) / len(OPPONENTS))
                        end = self._play(start, movers, random)
                        counts[self._oracle.game.status(end.position)] += 1
                    results = (Status(side), Status(side.other), Status.DRAW)
                    tally = Tally(*(counts[each] for each in results))
                    if tally.games:
                        sides[side.word] = _counted(tally)
                rows += _rows(name, sides)
        return Rows(MATCH_COLUMNS, rows)

    def walked(self, side: Side) -> Walked:
        """Return the shortest lost game of the AI on one side; without one, nothing is known."""
        lost = self.lost.get(side)
        if lost is None:
            return Walked(never_loses=None)
        return Walked(False, lost.line, to_text(self._oracle.game, lost.position))

    def _play(self, start: Reached, movers: tuple[_Mover, _Mover], random: Random) -> Reached:
        """Play a game of circle's and cross's ``movers``, and return its end.

        It is unfinished where the search for a best move took too long.
        """
        game, here = self._oracle.game, start
        while game.status(here.position) is Status.PLAYING:
            move = movers[here.position.turn](here, random)
            if move is None:
                self.out_of_time += 1
                return here
            here = Reached(here.position.after(move), (*here.line, move))
        status = game.status(here.position)
        lost = [side for side in Side if status is Status(side.other) and movers[side] == self._ai]
        for side in lost if start.position == EMPTY else ():
            shortest = self.lost.get(side)
            if shortest is None or len(here.line) < len(shortest.line):
                self.lost[side] = here
        return here

    def _ai(self, here: Reached, random: Random) -> int:
        position = here.position
        if position not in self._chosen:
            one = _SinglePosition(self._oracle.game, position)
            weights = self._interviewer.ask(one).probability.tolist()
            self._chosen[position] = one.move.tolist(), weights
        moves, weights = self._chosen[position]
        return random.choices(moves, weights)[0]

    def _at_random(self, here: Reached, random: Random) -> int:
        return random.choice(self._oracle.game.legal_moves(here.position))

    def _perfect(self, here: Reached, random: Random) -> int | None:
        position = here.position
        if position not in self._best:
            try:
                truth = self._oracle.answer_many([position])
            except OutOfTimeError:
                return None
            self._best[position] = truth.best_moves(0)
        return random.choice(self._best[position])
