"""The results of an audited AI against others: computed exactly, or from games."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import numpy as np

from marubatsu.engine.ais.ai import AI, AIError
from marubatsu.engine.ais.arena import Arena, Tally
from marubatsu.engine.ais.matches import on_both_sides
from marubatsu.engine.ais.policy import best_response, probabilities, require_chances
from marubatsu.engine.boards.kinds import new_board
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.judge.audit.drawn_positions import Drawn, Plan, is_new
from marubatsu.judge.audit.intervals import wilson
from marubatsu.judge.audit.interview import Choices, Interviewer
from marubatsu.judge.audit.verdicts import BEST_RESPONSE, GAMES, MATCHES, OPPONENTS, PERFECT_PLAY
from marubatsu.judge.audit.walk import Walked
from marubatsu.judge.oracle.answers import Answers
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import lookup
from marubatsu.pipeline.support.errors import OutOfTimeError
from marubatsu.pipeline.support.progress import progress
from marubatsu.pipeline.tables.output import Rows


class _Results(NamedTuple):
    """The chances of an AI to win, to draw and to lose; or the shares of some games."""

    chances: Sequence[Fraction | float]
    games: int | None = None  # None: the chances are exact


def exact_matches(truth: Answers, choices: Choices, ais: Catalog | None) -> Rows:
    """Compute the results by the choices in all positions of a game.

    The opponents are `BEST_RESPONSE` and the AIs of the tables, or `OPPONENTS` without such tables.
    """
    positions, mine = enumerate_positions(truth.game), choices.probability
    opponents = {BEST_RESPONSE: best_response(positions, mine).astype(np.float64)}
    if ais is None:
        candidates = (np.ones_like(truth.is_best), truth.is_best)
        chances = [probabilities(positions, each) for each in candidates]
        opponents |= zip(OPPONENTS, chances, strict=True)
    else:
        names = ais.ask(lookup("ais")).column("ai")
        probability = np.asarray(ais.columns(lookup("chances_of_moves"))["probability"])
        with ais.reading():
            theirs = probability.reshape(len(names), -1)
            require_chances(positions, theirs)
        opponents |= zip(names, theirs, strict=True)
    theirs = np.stack(list(opponents.values()))
    as_circle, as_cross = on_both_sides(positions, mine[None], theirs)
    rows: list[list[Any]] = []
    sides_of = zip(as_circle[0].tolist(), as_cross[:, 0, ::-1].tolist(), strict=True)
    for name, results in zip(opponents, sides_of, strict=True):
        sides = zip(("circle", "cross"), map(_Results, results), strict=True)
        rows += _rows(name, dict(sides))
    return Rows(MATCHES, rows)


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
    """Play some games against each opponent; no row where the AI fails in one of them."""
    rows: list[list[Any]] = []
    with progress("playing"), suppress(AIError):
        for name, opponent in opponents.items():
            arena = Arena(new_board(game), ai.on(game), opponent.on(game))
            match = arena.play(GAMES, Random(seed))  # noqa: S311, it is a game
            sides = {"circle": match.as_circle, "cross": match.as_cross}
            rows += _rows(name, {side: _counted(each) for side, each in sides.items()})
    return Rows(MATCHES, rows)


def _counted(tally: Tally) -> _Results:
    """Return the shares of won, drawn and lost games; there is one at least."""
    games = tally.games
    return _Results([tally.win / games, tally.draw / games, tally.lose / games], games)


_QUIET = 20  # rounds of games in a row without a new class, after which no more are played


class _One(list[Position]):
    """An unfinished position, as a list of positions without the truth about them."""

    def __init__(self, game: Game, position: Position) -> None:
        super().__init__([position])
        self.game, self.status = game, np.array([Status.PLAYING], np.int8)
        self.move = np.array(game.legal_moves(position), np.int8)
        self.first_move = np.array([0, len(self.move)])


_Mover = Callable[[Drawn, Random], int]
"""Chooses a move in a position."""


class _TooLateError(Exception):
    """The search for a move of perfect play ran out of time."""


class Games:
    """Games of an audited AI from any position; it is asked once about each position of them.

    ``lost`` holds, by side, the shortest game from the empty board that it lost; ``out_of_time``
    counts the games that ended early, because a search for a best move took too long.
    """

    def __init__(self, oracle: Oracle, interviewer: Interviewer) -> None:
        self._oracle, self._interviewer = oracle, interviewer
        self._chosen: dict[Position, tuple[list[int], list[float]]] = {}
        self._best: dict[Position, list[int]] = {}
        self.lost: dict[Side, Drawn] = {}
        self.out_of_time = 0

    def drawn(self, plan: Plan) -> list[Drawn]:
        """Return positions in which the AI has to move in its games from the empty board, by ply.

        It plays against random play, against perfect play (which moves at random before the first
        ply of the plan) and against itself. There are fewer than the plan wants when `_QUIET`
        rounds of such games bring no new class.
        """

        def perfect(here: Drawn, random: Random) -> int:
            is_early = len(here.line) < plan.first
            return (self._at_random if is_early else self._perfect)(here, random)

        ai = self._ai
        pairs = [(ai, self._at_random), (self._at_random, ai), (ai, perfect), (perfect, ai),
                 (ai, ai)]  # fmt: skip
        random = Random(f"{plan.seed}/own")  # noqa: S311, chance need not be unguessable
        positions: list[Drawn] = []
        seen: set[Position] = set()
        quiet = 0
        while len(positions) < plan.size and quiet < _QUIET:
            before = len(positions)
            for movers in pairs:
                line, here = self._play(Drawn(EMPTY), movers, random).line, EMPTY
                for ply, move in enumerate(line):
                    is_asked = plan.first <= ply <= plan.last and movers[ply % 2] is ai
                    if is_asked and is_new(self._oracle.game, here, seen):
                        positions.append(Drawn(here, line[:ply]))
                    here = here.after(move)
            quiet = 0 if len(positions) > before else quiet + 1
        return sorted(positions[: plan.size], key=lambda drawn: len(drawn.line))

    def matches(self, starts: Sequence[Drawn], seed: int) -> Rows:
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
        return Rows(MATCHES, rows)

    def walked(self, side: Side) -> Walked:
        """Return the shortest lost game of the AI on one side; without one, nothing is known."""
        lost = self.lost.get(side)
        if lost is None:
            return Walked(never_loses=None)
        return Walked(False, lost.line, to_text(self._oracle.game, lost.position))

    def _play(self, start: Drawn, movers: tuple[_Mover, _Mover], random: Random) -> Drawn:
        """Play a game of circle's and cross's ``movers``, and return its end.

        It is unfinished where the search for a best move took too long.
        """
        game, here = self._oracle.game, start
        while game.status(here.position) is Status.PLAYING:
            try:
                move = movers[here.position.turn](here, random)
            except _TooLateError:
                self.out_of_time += 1
                return here
            here = Drawn(here.position.after(move), (*here.line, move))
        status = game.status(here.position)
        lost = [side for side in Side if status is Status(side.other) and movers[side] == self._ai]
        for side in lost if start.position == EMPTY else ():
            shortest = self.lost.get(side)
            if shortest is None or len(here.line) < len(shortest.line):
                self.lost[side] = here
        return here

    def _ai(self, here: Drawn, random: Random) -> int:
        position = here.position
        if position not in self._chosen:
            one = _One(self._oracle.game, position)
            weights = self._interviewer.ask(one).probability.tolist()
            self._chosen[position] = one.move.tolist(), weights
        moves, weights = self._chosen[position]
        return random.choices(moves, weights)[0]

    def _at_random(self, here: Drawn, random: Random) -> int:
        return random.choice(self._oracle.game.legal_moves(here.position))

    def _perfect(self, here: Drawn, random: Random) -> int:
        """Return a best move. Raises _TooLateError: an audited AI may run out of time, too."""
        position = here.position
        if position not in self._best:
            try:
                truth = self._oracle.answer_many([position])
            except OutOfTimeError as error:
                raise _TooLateError from error
            self._best[position] = truth.best_moves(0)
        return random.choice(self._best[position])
