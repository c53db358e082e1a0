"""The results of an audited AI against others: computed exactly, or from games."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.boards.fastest import new_board
from marubatsu.engine.players.arena import Arena
from marubatsu.engine.players.matches import exact, weighted
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints, mask_dtype
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.pipeline.agents.address import Subject
from marubatsu.pipeline.agents.players import Players
from marubatsu.pipeline.audit.drawing import Drawn, Plan, is_new
from marubatsu.pipeline.audit.interview import Choices, Interview, Interviewer
from marubatsu.pipeline.audit.verdicts import GAMES, MATCHES
from marubatsu.pipeline.audit.walk import Walked
from marubatsu.pipeline.oracle.oracle import Oracle
from marubatsu.pipeline.rows.output import Rows
from marubatsu.pipeline.sql.catalog import Catalog
from marubatsu.pipeline.sql.query_files import lookup
from marubatsu.pipeline.support.progress import progress

OPPONENTS = ("ai2", "perfect")
"""Random and perfect play: the AIs against which games are played."""


def computed(ais: Catalog, interview: Interview, choices: Choices) -> Rows:
    """Compute the results against each AI of the tables, by the choices in all positions."""
    positions = enumerate_positions(ais.data_set.game)
    ours = ais.ask(lookup("ais")).column("ai")
    chosen = ais.columns(lookup("chances_of_moves"))
    shape = (len(ours), len(positions.move))
    rows = []
    if interview.uniform:
        theirs = np.asarray(chosen["is_candidate"]).reshape(shape)
        mine = choices.is_candidate[None]
        as_circle, denominator = exact(positions, mine, theirs)
        as_cross, below = exact(positions, theirs, mine)
        parts = zip(ours, as_circle[0].tolist(), as_cross[:, 0].tolist(), strict=True)
        for name, circle, cross in parts:
            rows.append(_row(name, "circle", [Fraction(n, denominator) for n in circle]))
            rows.append(_row(name, "cross", [Fraction(n, below) for n in reversed(cross)]))
    else:
        chances = np.asarray(chosen["probability"]).reshape(shape)
        weights: NDArray[np.float64] = choices.probability[None]
        as_circle_ = weighted(positions, weights, chances)[0]
        as_cross_ = weighted(positions, chances, weights)[:, 0]
        for name, won, lost in zip(ours, as_circle_.tolist(), as_cross_.tolist(), strict=True):
            rows.append(_row(name, "circle", won))
            rows.append(_row(name, "cross", lost[::-1]))
    return Rows(MATCHES, rows)


def _row(name: str, side: str, chances: list[Any]) -> list[Any]:
    """Return win, draw and lose in percent, and as fractions where the chances are exact."""
    percent = [round(100 * float(chance), 3) for chance in chances]
    fractions = [str(c) if isinstance(c, Fraction) else None for c in chances]
    return [name, side, *percent, *fractions]


def played(game: Game, players: Players, whom: Subject, seed: int) -> Rows:
    """Play some games against each of `OPPONENTS`; no row where the AI fails in one of them."""
    rows: list[list[Any]] = []
    with progress("playing"), suppress(AIError):
        for name in OPPONENTS:
            seats = (ai.on(game) for ai in (players.seated(whom), players.player(name)))
            found = Arena(new_board(game), *seats).play(GAMES, Random(seed))  # noqa: S311, a game
            for side, tally in (("circle", found.as_circle), ("cross", found.as_cross)):
                counts = (tally.win, tally.draw, tally.lose)
                percent = (round(100 * count / GAMES, 3) for count in counts)
                rows.append([name, side, *percent, None, None, None])
    return Rows(MATCHES, rows)


_QUIET = 20  # rounds of games in a row without a new class, after which no more are played


@dataclass(frozen=True, eq=False)
class _One:
    """An unfinished position, as a list of positions of which nobody knows the truth."""

    game: Game
    position: Position

    @property
    def status(self) -> NDArray[np.int8]:
        return np.array([Status.PLAYING], np.int8)

    @property
    def move(self) -> NDArray[np.int8]:
        return np.array(self.game.legal_moves(self.position), np.int8)

    @property
    def first_move(self) -> Ints:
        return np.array([0, len(self.move)])

    def __len__(self) -> int:
        return 1

    def __getitem__(self, number: int, /) -> Position:
        return (self.position,)[number]

    def __iter__(self) -> Iterator[Position]:
        yield self.position


_Mover = Callable[[Drawn, Random], int]
"""Chooses a move in a position."""


class _TooLateError(Exception):
    """The search for a move of perfect play ran out of time."""


class Played(NamedTuple):
    """The end of a game; its status is PLAYING where the search for a best move took too long."""

    end: Drawn
    status: Status


class Games:
    """Games of an audited AI from any position; it is asked once about each position of them.

    ``lost`` holds, by side, the shortest game from the empty board that it lost; ``out_of_time``
    counts the games that ended early, because a search for a best move took too long.
    """

    def __init__(self, oracle: Oracle, interviewer: Interviewer) -> None:
        """Take whom to ask for best moves, and who asks the AI."""
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
        ai, perfect = self._ai, self._perfect_from(plan.first)
        pairs = [(ai, self._at_random), (self._at_random, ai), (ai, perfect), (perfect, ai),
                 (ai, ai)]  # fmt: skip
        random = Random(f"{plan.seed}/own")  # noqa: S311, chance need not be unguessable
        found: list[Drawn] = []
        seen: set[Position] = set()
        quiet = 0
        while len(found) < plan.size and quiet < _QUIET:
            before = len(found)
            for movers in pairs:
                line, here = self._play(Drawn(EMPTY), movers, random).end.line, EMPTY
                for ply, move in enumerate(line):
                    is_asked = plan.first <= ply <= plan.last and movers[ply % 2] is ai
                    if is_asked and is_new(self._oracle.game, here, seen):
                        found.append(Drawn(here, line[:ply]))
                    here = here.after(move)
            quiet = 0 if len(found) > before else quiet + 1
        return sorted(found[: plan.size], key=lambda drawn: len(drawn.line))

    def matches(self, starts: Sequence[Drawn], seed: int) -> Rows:
        """Play from each of some positions: on each side, against random and perfect play.

        Games in which the search for a perfect move took too long are left out.
        """
        random = Random(f"{seed}/games")  # noqa: S311, chance need not be unguessable
        rows: list[list[Any]] = []
        with progress("playing") as advance:
            for name, opponent in zip(OPPONENTS, (self._at_random, self._perfect), strict=True):
                for side in Side:
                    movers = (self._ai, opponent) if side is Side.CIRCLE else (opponent, self._ai)
                    counts: Counter[Status] = Counter()
                    for number, start in enumerate(starts):
                        advance((len(rows) + number / len(starts)) / (2 * len(OPPONENTS)))
                        counts[self._play(start, movers, random).status] += 1
                    results = (Status(side), Status.DRAW, Status(side.other))
                    ended = sum(counts[result] for result in results)
                    if ended:
                        percent = (round(100 * counts[each] / ended, 3) for each in results)
                        rows.append([name, side.word, *percent, None, None, None])
        return Rows(MATCHES, rows)

    def walked(self, side: Side) -> Walked:
        """Return what the games tell of an AI on one side: it loses, or nothing."""
        lost = self.lost.get(side)
        if lost is None:
            return Walked(never_loses=None)
        return Walked(False, lost.line, to_text(self._oracle.game, lost.position))

    def _play(self, start: Drawn, movers: tuple[_Mover, _Mover], random: Random) -> Played:
        """Play a game; ``movers`` are circle's and cross's."""
        game, here = self._oracle.game, start
        while game.status(here.position) is Status.PLAYING:
            try:
                move = movers[here.position.turn](here, random)
            except _TooLateError:
                self.out_of_time += 1
                return Played(here, Status.PLAYING)
            here = Drawn(here.position.after(move), (*here.line, move))
        status = game.status(here.position)
        for side in Side:
            is_lost = (
                status is Status(side.other)
                and movers[side] == self._ai
                and start.position == EMPTY
            )
            known = self.lost.get(side)
            if is_lost and (known is None or len(here.line) < len(known.line)):
                self.lost[side] = here
        return Played(here, status)

    def _ai(self, here: Drawn, random: Random) -> int:
        position = here.position
        if position not in self._chosen:
            one = _One(self._oracle.game, position)
            self._chosen[position] = (
                one.move.tolist(),
                self._interviewer.ask(one).probability.tolist(),
            )
        moves, weights = self._chosen[position]
        return random.choices(moves, weights)[0]

    def _at_random(self, here: Drawn, random: Random) -> int:
        return random.choice(self._oracle.game.legal_moves(here.position))

    def _perfect(self, here: Drawn, random: Random) -> int:
        """Return a best move. Raises _TooLateError: an audited AI may run out of time, too."""
        from marubatsu.pipeline.oracle.search_oracle import OutOfTimeError

        position = here.position
        if position not in self._best:
            circle, cross = np.array([position], mask_dtype(self._oracle.game)).T
            try:
                found = self._oracle.answer_many((circle, cross))
            except OutOfTimeError as error:
                raise _TooLateError from error
            self._best[position] = found.move[found.is_best].tolist()
        return random.choice(self._best[position])

    def _perfect_from(self, first: int) -> _Mover:
        """Return perfect play that moves at random before a ply."""

        def mover(here: Drawn, random: Random) -> int:
            is_early = len(here.line) < first
            return (self._at_random if is_early else self._perfect)(here, random)

        return mover
