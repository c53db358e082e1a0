"""The tables of a review: what the oracle says of recorded moves, and what each player did.

Shapes: P players, G games, M legal moves.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.ais.statistics import fit, percents
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.masks import Bools, Ints, Masks, distinct
from marubatsu.engine.rules.numbering import line_text
from marubatsu.engine.rules.position import EMPTY, Position, Side, Status, bits
from marubatsu.judge.oracle.answer import Answers, places_of
from marubatsu.judge.oracle.oracle import Oracle
from marubatsu.judge.review.game_logs import NO_RESULT, GameLog, Replayed
from marubatsu.judge.review.layouts import is_another_end, said_otherwise
from marubatsu.pipeline.support.errors import OutOfTimeError
from marubatsu.pipeline.tables.output import Rows

_BATCH = 100_000  # positions that are looked up at a time

LISTED = 100  # blunders of one player at most, the worst ones
WORST = 10  # games of one player at most, those in which it gave away most
_SHARES = ("right_percent", "at_least_percent", "at_most_percent")
LEADERBOARD_COLUMNS = ("player", "strength", "strength_error", "games", "won", "drawn", "lost",
                       "without_result", "moves", "critical", "right", *_SHARES, "mean_loss",
                       "mean_plies_lost", "blunders", "illegal_moves",
                       "moves_after_the_end")  # fmt: skip
BY_PLY_COLUMNS = ("player", "ply", "moves", "critical", "right", *_SHARES, "mean_loss",
                  "mean_plies_lost")  # fmt: skip
BLUNDER_COLUMNS = ("player", "times", "loss", "ply", "turn", "board", "score", "score_after",
                   "move", "best_moves", "line", "file", "file_line")  # fmt: skip
WORST_GAME_COLUMNS = ("player", "file", "file_line", "side", "opponent", "result", "loss",
                      "blunders", "line")  # fmt: skip
FINDING_COLUMNS = ("finding", "player", "times", "file", "file_line", "detail")


@dataclass(frozen=True, eq=False)
class JudgedMoves:
    """The truth about moves."""

    position: Ints  # [M] number of the position before the move
    is_known: Bools  # [M] whether somebody knew it in time
    critical: Bools  # [M] whether some move would have lost something there
    score_mover: NDArray[np.int8]  # [M] before the move
    loss: NDArray[np.int8]  # [M] how much the mover's score drops by the move
    plies_lost: NDArray[np.int8]  # [M] of a best move: how much later it wins, or sooner it loses
    best: Masks  # [M] mask of the best moves
    positions: int  # different ones that were looked up
    out_of_time: int  # those of them for which the search took too long


def judge(
    oracle: Oracle,
    moves: Replayed,
    is_asked: Bools,
    progress: Callable[[float], None],
    *,
    searched: bool,
) -> JudgedMoves:
    """Judge the moves ``is_asked``; others are not known. Equal positions are asked once.

    The last positions come first, because a search remembers what it found there. A position for
    which it takes too long is left out. Raises DataError for damaged data.
    """
    at = np.flatnonzero(is_asked)[::-1]  # Moves are ordered by ply.
    first, group = distinct(moves.circle[at], moves.cross[at], moves.game.cells)
    circle, cross = moves.circle[at][first], moves.cross[at][first]
    order = np.argsort(group, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(group, minlength=len(first)))])
    judged = JudgedMoves(
        position=np.full(len(is_asked), -1),
        is_known=np.zeros(len(is_asked), np.bool_),
        critical=np.zeros(len(is_asked), np.bool_),
        score_mover=np.zeros(len(is_asked), np.int8),
        loss=np.zeros(len(is_asked), np.int8),
        plies_lost=np.zeros(len(is_asked), np.int8),
        best=np.zeros(len(is_asked), moves.circle.dtype),
        positions=len(first),
        out_of_time=0,
    )
    judged.position[at] = group
    late, batch = 0, 1 if searched else _BATCH
    for start in range(0, len(first), batch):
        progress(start / len(first))
        these = slice(start, start + batch)
        try:
            truth = oracle.answer_masks(circle[these], cross[these])
        except OutOfTimeError:
            late += 1
            continue
        here = order[ends[start] : ends[start + len(truth)]]
        _fill(judged, truth, at[here], group[here] - start, moves.cell[at[here]])
    return replace(judged, out_of_time=late)


def _fill(
    judged: JudgedMoves, truth: Answers, at: Ints, place: Ints, cell: NDArray[np.int8]
) -> None:
    """Set what is known of the moves ``at``, made in the positions ``place`` of the answers."""
    sign = 1 - 2 * (truth.ply % 2)
    move, _ = places_of(truth, place, cell)
    marks = truth.circle.dtype.type(1) << truth.move
    best = np.add.reduceat(np.where(truth.is_best, marks, 0), truth.first_move[:-1])
    judged.is_known[at] = True
    judged.critical[at] = truth.critical[place]
    judged.score_mover[at] = (sign * truth.score)[place]
    judged.loss[at] = truth.loss[move]
    judged.plies_lost[at] = truth.plies_lost[move]
    judged.best[at] = best[place]


@dataclass(frozen=True)
class PlayerTables:
    """The tables of a review. Scores are circle's view; means are over judged moves.

    ``strength`` is that of the Bradley-Terry model in the units of Elo, null for the players who
    are ``not_compared``. A line is the moves from the empty board.
    """

    leaderboard: Rows  # a player; the strongest first
    by_ply: Rows  # a player and a ply
    blunders: Rows  # a player, a position and a move; by player, the worst first
    worst_games: Rows  # a game of a player; by player, the worst first
    findings: Rows  # a kind of finding about a player
    not_compared: Sequence[str]

    def rows(self) -> dict[str, Rows]:
        """Return the tables by their names."""
        return {name: each for name, each in vars(self).items() if isinstance(each, Rows)}


def tables_of(
    log: GameLog, players: Sequence[str], played: Replayed, judged: JudgedMoves
) -> PlayerTables:
    """Make the tables of games that were replayed and judged."""
    counted = _CountedGames(log, players, played, judged)
    leaderboard, not_compared = counted.leaderboard()
    order = {row[0]: place for place, row in enumerate(leaderboard)}

    def sorted_rows(columns: Sequence[str], rows: Iterator[list[Any]]) -> Rows:
        at = columns.index("player")
        return Rows(columns, sorted(rows, key=lambda row: order.get(row[at], len(order))))

    return PlayerTables(
        leaderboard=Rows(LEADERBOARD_COLUMNS, leaderboard),
        by_ply=sorted_rows(BY_PLY_COLUMNS, counted.by_ply()),
        blunders=sorted_rows(BLUNDER_COLUMNS, counted.blunders()),
        worst_games=sorted_rows(WORST_GAME_COLUMNS, counted.worst_games()),
        findings=sorted_rows(FINDING_COLUMNS, counted.findings()),
        not_compared=not_compared,
    )


class _CountedGames:
    """The games of one review, counted."""

    def __init__(
        self, log: GameLog, players: Sequence[str], played: Replayed, judged: JudgedMoves
    ) -> None:
        self.log, self.places = log, log.places
        self.names = players
        self.played, self.judged = played, judged
        self.present = np.unique(played.players).tolist()
        self.blundered: Bools = judged.is_known & (judged.loss > 0)
        best = judged.is_known & (judged.loss == 0)
        plies, is_known = played.game.cells, judged.is_known
        key, count = played.mover * plies + played.ply, len(players) * plies
        weights = (is_known, is_known & judged.critical, best & judged.critical, judged.loss, best,
                   judged.plies_lost)  # fmt: skip
        sums = np.array([np.bincount(key, each, minlength=count) for each in weights])
        self._counts = sums.reshape(len(weights), len(players), plies)  # [6, P, plies]

    @cached_property
    def _lines(self) -> tuple[Ints, Ints]:
        """The moves in the order of games, and where those of each game begin."""
        order = np.argsort(self.played.number, kind="stable")
        return order, np.concatenate([[0], np.cumsum(self._length)])

    def line(self, game: int, most: int | None = None) -> str:
        order, starts = self._lines
        moves = order[starts[game] : starts[game + 1]][:most]
        return line_text(self.played.game, self.played.cell[moves].tolist())

    def wins(self) -> NDArray[np.float64]:
        """Return how often each player won against each other, a draw being half a win: [P, P]."""
        wins: NDArray[np.float64] = np.zeros((len(self.names),) * 2)
        first, second = self.played.players
        result = self.played.result
        np.add.at(wins, (first, second), (result == Status.CIRCLE) + (result == Status.DRAW) / 2)
        np.add.at(wins, (second, first), (result == Status.CROSS) + (result == Status.DRAW) / 2)
        return wins

    def count(self, first: Any, second: Any) -> Ints:
        """Add up what players did as circle, and as cross: [G] each to [P]."""
        counts: Ints = np.bincount(
            self.played.players.ravel(), np.concatenate([first, second]), minlength=len(self.names)
        ).astype(np.int64)
        return counts

    def leaderboard(self) -> tuple[list[list[Any]], list[str]]:
        """Return the rows of players, and the names of those who are not compared."""
        present, result = self.present, self.played.result
        fitted = fit(self.wins()[np.ix_(present, present)])
        by_circle, by_cross = result == Status.CIRCLE, result == Status.CROSS
        drawn, none, games = result == Status.DRAW, result == NO_RESULT, np.ones(len(result))
        before = [
            self.count(games, games),
            self.count(by_circle, by_cross),
            self.count(drawn, drawn),
            self.count(by_cross, by_circle),
            self.count(none, none),
        ]
        blunders = np.bincount(self.played.mover, self.blundered, minlength=len(self.names))
        behind = [blunders, self.count(*self._illegal), self.count(*self._beyond)]
        rows = [
            [
                self.names[player],
                *(_number(each[place]) for each in (fitted.strength, fitted.error)),
                *(int(count[player]) for count in before),
                *self._share(self._counts[:, player].sum(axis=1)),
                *(int(count[player]) for count in behind),
            ]
            for place, player in enumerate(present)
        ]
        compared = {present[place] for place in fitted.compared}
        left_out = [self.names[player] for player in present if player not in compared]
        return sorted(rows, key=_rank), left_out

    def _share(self, counts: NDArray[np.float64]) -> list[Any]:
        """Return moves, critical ones, right ones, their share with an interval, and the means."""
        moves, critical, right, loss, kept, plies_lost = counts.tolist()
        means = [
            round(lost / count, 4) if count else None
            for lost, count in ((loss, moves), (plies_lost, kept))
        ]
        return [int(moves), int(critical), int(right), *percents(int(right), int(critical)), *means]

    def by_ply(self) -> Iterator[list[Any]]:
        for player in self.present:
            for ply in np.flatnonzero(self._counts[0, player]).tolist():
                yield [self.names[player], ply, *self._share(self._counts[:, player, ply])]

    def blunders(self) -> Iterator[list[Any]]:
        """Yield the worst blunders of each player; equal ones are one row, with their number."""
        played, judged = self.played, self.judged
        at = np.flatnonzero(self.blundered)
        position, cells = judged.position[at], played.game.cells
        key = (played.mover[at] * judged.positions + position) * cells + played.cell[at]
        _, first, times = np.unique(key, return_index=True, return_counts=True)
        at = at[first]
        mover = played.mover[at]
        order = np.lexsort((at, -times, -judged.loss[at], mover))
        rank = np.arange(len(order)) - np.searchsorted(mover[order], mover[order])
        for place in order[rank < LISTED].tolist():
            yield self._blunder(int(at[place]), int(times[place]))

    def _blunder(self, move: int, times: int) -> list[Any]:
        played, judged = self.played, self.judged
        game, number = played.game, int(played.number[move])
        position = Position(int(played.circle[move]), int(played.cross[move]))
        score_mover, loss = int(judged.score_mover[move]), int(judged.loss[move])
        sign = position.turn.sign
        return [
            self.names[int(played.mover[move])],
            times,
            loss,
            position.ply,
            position.turn.word,
            to_text(game, position),
            sign * score_mover,
            sign * (score_mover - loss),
            int(played.cell[move]),
            list(bits(int(judged.best[move]))),
            self.line(number, position.ply + 1),
            *self.places[number],
        ]

    def worst_games(self) -> Iterator[list[Any]]:
        """Yield the games in which each player gave away most."""
        played, judged = self.played, self.judged
        games, side = len(self.places), played.ply % 2
        key = played.number * 2 + side
        loss = np.bincount(key, judged.loss, minlength=2 * games).astype(np.int64)
        blunders = np.bincount(key, self.blundered, minlength=2 * games).astype(np.int64)
        player = played.players.T.ravel()
        at = np.flatnonzero(loss)
        at = at[np.lexsort((at, -blunders[at], -loss[at], player[at]))]
        rank = np.arange(len(at)) - np.searchsorted(player[at], player[at])
        for place in at[rank < WORST].tolist():
            game, side_of = divmod(place, 2)
            other = played.players[1 - side_of, game]
            result = int(played.result[game])
            yield [
                self.names[int(player[place])],
                *self.places[game],
                Side(side_of).word,
                self.names[int(other)],
                None if result == NO_RESULT else Status(result).word,
                int(loss[place]),
                int(blunders[place]),
                self.line(game),
            ]

    def findings(self) -> Iterator[list[Any]]:
        """Yield what players did that the rules do not allow, and results that cannot be."""
        played = self.played
        for finding, by_side, template, last in (
            ("illegal move", self._illegal, "move {} of the game", played.illegal + 1),
            ("move after the end", self._beyond, "the game ends with move {}", self._length),
        ):
            by_player = self.count(*by_side)
            for player in np.flatnonzero(by_player).tolist():
                mine = (played.players == player) & np.array(by_side, np.bool_)
                game = int(np.argmax(mine.any(axis=0)))
                name, times = self.names[player], int(by_player[player])
                yield [finding, name, times, *self.places[game], template.format(last[game])]
        wrong = np.flatnonzero(played.contradicts)
        if len(wrong):
            game = int(wrong[0])
            ends = [Status(int(codes[game])).word for codes in (played.stated, played.status)]
            detail = "the log says {}, the moves say {}".format(*ends)
            yield ["another result", None, len(wrong), *self.places[game], detail]
        for finding, details in (*self.log.contradictions.items(), ("another end", self._ends())):
            for game, detail in islice(details.items(), 1):
                yield [finding, None, len(details), *self.places[game], detail]

    def _ends(self) -> dict[int, str]:
        """Return by its number what the log says of another end than a game has."""
        played, lengths = self.played, self.log.lengths
        last = np.full(len(lengths), -1)
        last[played.number] = np.arange(len(played.number))  # Moves are ordered by ply.
        details = {}
        for game, said in self.log.ends.items():
            before = after = EMPTY
            if (move := last[game]) >= 0:
                before = Position(int(played.circle[move]), int(played.cross[move]))
                after = before.after(int(played.cell[move]))
            is_other = partial(is_another_end, played.game, before, after, int(lengths[game]))
            if detail := said_otherwise(is_other, said):
                details[game] = detail
        return details

    @property
    def _illegal(self) -> tuple[Bools, Bools]:
        """Whether each side breaks off a game by an illegal move: [G] each."""
        illegal = self.played.illegal
        happened = illegal >= 0
        return happened & (illegal % 2 == Side.CIRCLE), happened & (illegal % 2 == Side.CROSS)

    @property
    def _beyond(self) -> tuple[Ints, Ints]:
        """The moves of each side after the end of a game: [G] each."""
        beyond = self.played.beyond
        next_, other = (beyond + 1) // 2, beyond // 2
        is_circle = self._length % 2 == Side.CIRCLE
        return np.where(is_circle, next_, other), np.where(is_circle, other, next_)

    @cached_property
    def _length(self) -> Ints:
        """The number of legal moves of each game: [G]."""
        return np.bincount(self.played.number, minlength=len(self.places))


def _number(strength: float) -> float | None:
    return None if isnan(strength) else round(float(strength), 1) + 0.0  # no -0.0


def _rank(row: Sequence[Any]) -> tuple[Any, ...]:
    """Return what sorts players: the strongest first, then the most accurate."""
    values = dict(zip(LEADERBOARD_COLUMNS, row, strict=True))
    strength, right = values["strength"], values["right_percent"]
    return strength is None, -(strength or 0), right is None, -(right or 0), values["player"]
