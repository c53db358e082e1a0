"""Whether an AI can lose a game: a walk over the positions that it can reach."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.masks import Bools, Ints, Masks, distinct, mask_dtype
from marubatsu.engine.rules.position import EMPTY, Side, Status
from marubatsu.judge.audit.interview import Choices
from marubatsu.judge.oracle.answers import Answers
from marubatsu.judge.oracle.oracle import Oracle

MOST = 100_000
"""The most positions in which a walk asks an AI, on each side."""

Ask = Callable[[Answers], Bools]
"""Asks an AI about positions; returns which of their moves it may play: [M]."""


def looks_up(truth: Answers, choices: Choices) -> Ask:
    """Return a function that looks up what the AI chose before, in every position of a game."""

    def ask(about: Answers) -> Bools:
        circle = np.concatenate([truth.circle, about.circle])
        cross = np.concatenate([truth.cross, about.cross])
        first, group = distinct(circle, cross, truth.game.cells)
        return choices.is_candidate[truth.moves_at(first[group[len(truth) :]])]

    return ask


class Walked(NamedTuple):
    """Whether an AI can lose on one side, and how."""

    never_loses: bool | None  # None: it can reach more positions than `MOST`, or was not asked
    line: tuple[int, ...] = ()  # moves by which it loses
    board: str = ""  # at the end of the line
    is_followed: bool = True  # false: it was not asked in all positions of the walk


class _Ply(NamedTuple):
    """The positions of one ply that the AI can reach, each with the move that led there."""

    circle: Masks  # [N]
    cross: Masks  # [N]
    parent: Ints  # [N] place in the ply before
    move: Ints  # [N]


def walk(oracle: Oracle, side: Side, ask: Ask, most: int | None = MOST) -> Walked:
    """Follow an AI on one side, against every reply, ply by ply, until it is lost.

    A position whose score is the opponent's win is lost: from there, the line goes on with best
    moves of the opponent and the AI's own. With ``most`` None, for questions that cost nothing, the
    walk follows the AI to the end of a lost game: the line is the first of the shortest ones.
    """
    game = oracle.game
    nothing = np.zeros(1, mask_dtype(game))
    plies = [_Ply(nothing, nothing, np.zeros(1, np.int64), np.zeros(1, np.int64))]
    asked = 0
    while True:
        here = plies[-1]
        truth = oracle.answer_many((here.circle, here.cross))
        ends = truth.status == side.other if most is None else truth.score == -side.sign
        lost = np.flatnonzero(ends)
        if lost.size:
            return _lost(oracle, side, ask, _line(plies, int(lost[0])))
        goes_on = truth.unfinished[truth.parent]
        if not goes_on.any():
            return Walked(never_loses=True)
        if len(plies) % 2 == 1 - side:  # The AI moves at this ply.
            asked += int(truth.unfinished.sum())
            if most is not None and asked > most:
                return Walked(never_loses=None)
            goes_on = ask(truth)
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


def _lost(oracle: Oracle, side: Side, ask: Ask, moves: list[int]) -> Walked:
    """Play a lost position to its end: the opponent's quickest wins, the AI's first candidates."""
    game, position = oracle.game, EMPTY
    for move in moves:
        position = game.play(position, move)
    while game.status(position) is Status.PLAYING:
        if position.turn is side:
            truth = oracle.answer_many([position])
            move = int(truth.move[ask(truth)][0])
        else:
            move = oracle.answer(position).moves[0].move
        moves.append(move)
        position = game.play(position, move)
    return Walked(False, tuple(moves), to_text(game, position))
