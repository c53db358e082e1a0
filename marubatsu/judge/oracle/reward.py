"""Rewards: what a learner gets for a move, from the exact values of the position.

A dense reward is shaped by a potential Φ, the mover's value of a position; Φ of a finished position
is 0. A move is worth its result for the mover, if it ends the game, plus ``discount`` * Φ(after) -
Φ(before). Against perfect play, what earns most is a best move. The theorem of Ng, Harada, Russell
(1999) does not say so, because the opponent's moves change Φ, too. With ``discount`` 1 and the
potential ``score`` this is minus the score that the move gives away: 0, -1 or -2.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.notations.reading import BoardLike, without_array
from marubatsu.engine.rules.board_text import MARKS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import counted, expectation, is_one_of, quote
from marubatsu.engine.rules.masks import Bools, Ints, Masks
from marubatsu.engine.rules.numbering import goal_of, numbering_of, plain_move
from marubatsu.judge.oracle.answer import Answer, Answers, Move, places_of
from marubatsu.judge.oracle.choose_oracle import oracle
from marubatsu.pipeline.support.errors import OptionError, UsageError, is_number
from marubatsu.pipeline.support.events import note_once
from marubatsu.pipeline.support.machine import ANSWER_SECONDS

Potential: TypeAlias = Callable[[Any, Any, int], Any]
"""A function from scores for a side, distances to the end (both alike) and the cells of a board."""

POTENTIALS: dict[str, Potential] = {
    "score": lambda score, distance, cells: score,
    "speed": lambda score, distance, cells: score * (1 - distance / (2 * cells)),
}
"""The potentials: the score alone; or a win that counts more the sooner it comes."""

ILLEGAL = -2.0  # by default, an illegal move gives away a whole win
_NOWHERE = -1  # the cell of a move that is not legal
_OTHERS = "; the option numbering reads other moves, such as names"


@dataclass(frozen=True)
class Reward:
    """What one move is worth. For an illegal one, only ``is_legal`` and ``dense`` are known.

    A field is also None if a search ran out of time before its value was known.
    """

    is_legal: bool
    is_best: bool | None = None
    loss: int | None = None  # how much the mover's score drops: 0, 1 or 2
    plies_lost: int | None = None  # plies by which a best move wins later or loses sooner; else 0
    dense: float | None = None


@dataclass(frozen=True)
class Rewards:
    """What N moves are worth, as arrays."""

    is_legal: Bools  # [N]
    is_best: Bools  # [N] false for an illegal move
    loss: NDArray[np.int8]  # [N] how much the mover's score drops: 0, 1, 2; -1 for an illegal move
    plies_lost: NDArray[np.int8]  # [N] as in `Reward`; 0 for an illegal move
    dense: NDArray[np.float64]  # [N]


def reward(
    game: Game | str,
    board: BoardLike,
    move: int | str | Sequence[int],
    *,
    potential: str = "score",
    discount: float = 1.0,
    illegal: float = ILLEGAL,
    first: str = MARKS[0],
    numbering: str | None = None,
    time: float = ANSWER_SECONDS,
    data: str | Path | None = None,
) -> Reward:
    """Return what a move, the number of a cell, is worth in a position.

    ``potential`` is ``score``, or ``speed``: then a win counts more the sooner it comes. With a
    ``numbering``, such as ``columns``, move and board are read by it, as in `answer`. A game
    without data is searched for ``time`` seconds at most; what its bounds leave open is None.
    Raises UsageError for an unknown potential, for a move, a discount or a reward that is no
    number, and for a finished position; InputError for a move outside the numbering; and what
    `answer` raises, except OutOfTimeError.

    >>> reward("tictactoe", "o...x...o", 2)
    Reward(is_legal=True, is_best=False, loss=1, plies_lost=0, dense=-1.0)
    >>> reward("3x3k3-gravity", "0 1", 1, numbering="columns").is_legal
    True
    """
    phi, discount, illegal = _checked(potential, discount, illegal)
    if numbering is None and (isinstance(move, bool) or not isinstance(move, int | np.integer)):
        raise UsageError(f"move {quote(move)}: expected a cell, as a whole number{_OTHERS}")
    answer = oracle(game, time=time, data=data).within(board, first=first, numbering=numbering)
    if answer.turn is None:
        raise UsageError(f"{answer.board} is finished: it has no moves")
    if numbering is not None:
        goal = goal_of(answer.game, without_array(move), numbering_of(numbering))
        move = next((each.move for each in answer.moves if goal >> each.move & 1), _NOWHERE)
    played: Any = next((each for each in answer.moves if each.move == move), None)
    if played is None:
        if numbering is None:
            _note_columns(answer.game, np.array([move]))
        return Reward(is_legal=False, dense=illegal)
    if isinstance(answer, Answer):
        return _exact(answer, played, phi, discount)
    if played.loss is None:
        return Reward(is_legal=True)
    dense = float(-played.loss) if (potential, discount) == ("score", 1) else None
    return Reward(is_legal=True, is_best=played.loss == 0, loss=played.loss, dense=dense)


def _exact(answer: Answer, played: Move, phi: Potential, discount: float) -> Reward:
    sign = -1 if answer.ply % 2 else 1  # from circle's view to the mover's
    before, after = (sign * answer.score, answer.distance), (sign * played.score, played.distance)
    slower = played.distance + 1 - answer.distance
    return Reward(
        is_legal=True,
        is_best=played.is_best,
        loss=played.loss,
        plies_lost=sign * answer.score * slower if played.is_best else 0,
        dense=float(_dense(phi, discount, answer.game.cells, before, after)),
    )


def _dense(
    phi: Potential, discount: float, cells: int, before: tuple[Any, Any], after: tuple[Any, Any]
) -> Any:
    """Return the dense reward, given the mover's score and the distance before and after a move."""
    score, distance = after
    worth = np.where(distance == 0, score, discount * phi(*after, cells))
    return worth - phi(*before, cells) + 0.0  # no -0.0


def rewards(
    game: Game | str,
    boards: Sequence[BoardLike] | NDArray[Any] | tuple[Masks, Masks],
    moves: Sequence[int | str | Sequence[int]] | NDArray[Any],
    *,
    potential: str = "score",
    discount: float = 1.0,
    illegal: float = ILLEGAL,
    first: str = MARKS[0],
    numbering: str | None = None,
    time: float = ANSWER_SECONDS,
    data: str | Path | None = None,
) -> Rewards:
    """Return what a move, the number of a cell, is worth in each of many positions.

    ``boards`` are as in `Oracle.answer_many`, all else as in `reward`. Raises UsageError for
    another number of moves than of boards, OutOfTimeError when the time is up, and what `reward`
    and `Oracle.answer_many` raise.

    >>> rewards("tictactoe", ["o...x...o"] * 3, [1, 2, 4]).dense.tolist()
    [0.0, -1.0, -2.0]
    """
    phi, discount, illegal = _checked(potential, discount, illegal)
    opened = oracle(game, time=time, data=data)
    answers = opened.answer_many(boards, first=first, numbering=numbering)
    played = _cells(moves, len(answers)) if numbering is None else _read(moves, answers, numbering)
    if not answers.unfinished.all():
        number = int(np.argmin(answers.unfinished)) + 1
        raise UsageError(f"position {number} of {len(answers):,} is finished: it has no moves")
    place, is_legal = places_of(answers, np.arange(len(answers)), played)
    if numbering is None:
        _note_columns(answers.game, played[~is_legal])
    sign = 1 - 2 * (answers.ply % 2).astype(np.float64)  # from circle's view to the mover's
    before = sign * answers.score, answers.distance.astype(np.float64)
    after = sign * answers.move_score[place], answers.move_distance[place].astype(np.float64)
    dense = _dense(phi, discount, answers.game.cells, before, after)
    return Rewards(
        is_legal=is_legal,
        is_best=is_legal & answers.is_best[place],
        loss=np.where(is_legal, answers.loss[place], -1).astype(np.int8),
        plies_lost=np.where(is_legal, answers.plies_lost[place], 0).astype(np.int8),
        dense=np.where(is_legal, dense, illegal),
    )


def _note_columns(game: Game, illegal: NDArray[Any]) -> None:
    """Say once that illegal moves, which are cells, can be meant as columns."""
    columns = illegal[(illegal >= 0) & (illegal < game.columns)]
    if game.gravity and columns.size:
        note_once(
            "columns",
            game.name,
            f"move {columns[0]} is no legal cell of {game.name}, so its reward is that of an "
            "illegal move: if moves are columns, add the option numbering='columns'; the option "
            "numbering='cells' leaves this note out",
        )


def _cells(moves: object, count: int) -> NDArray[Any]:
    try:
        played = np.asarray(moves)
    except ValueError:  # lists of different lengths
        played = np.asarray(None)
    if not played.size:  # NumPy takes an empty list for floats.
        played = played.astype(np.int64)
    # NumPy takes bytearrays, and not bytes, for numbers, and hides what is missing in an array.
    is_none = isinstance(moves, bytearray) or np.ma.is_masked(moves)
    if is_none or played.shape != (count,) or played.dtype.kind not in "iu":
        raise UsageError(
            f"expected a cell for each of {counted(count, 'board')}, as a whole number, "
            f"got {quote(moves)}{_OTHERS}"
        )
    return played


def _read(moves: Any, answers: Answers, numbering: str) -> Ints:
    """Return the cells that moves fill, `_NOWHERE` for those that are not legal."""
    listed = without_array(moves)
    if not isinstance(listed, list | tuple | range) or len(listed) != len(answers):
        raise UsageError(f"expected {counted(len(answers), 'move')}, one for each board")
    game, by = answers.game, numbering_of(numbering)
    number_of: dict[str, int] = {}
    fills: list[list[bool]] = []
    numbers = np.zeros(len(listed), np.intp)
    for place, move in enumerate(map(without_array, listed)):
        text = plain_move(move)
        if text not in number_of:
            goal, number_of[text] = goal_of(game, move, by), len(fills)
            fills.append([bool(goal >> cell & 1) for cell in range(game.cells)])
        numbers[place] = number_of[text]
    played = np.full(len(listed), _NOWHERE, np.int64)
    if len(listed):
        is_played = np.array(fills)[numbers[answers.parent], answers.move]
        played[answers.parent[is_played]] = answers.move[is_played]
    return played


def _checked(potential: str, discount: Any, illegal: Any) -> tuple[Potential, float, float]:
    if not is_one_of(potential, POTENTIALS):
        raise UsageError(
            f"there is no potential {quote(potential)}: {expectation(potential, POTENTIALS)}"
        )
    return (
        POTENTIALS[potential],
        _number("discount", discount, 0, 1, "a number from 0 to 1"),
        _number("illegal", illegal, -inf, inf, "a finite number"),
    )


def _number(option: str, value: object, least: float, most: float, expected: str) -> float:
    with suppress(OverflowError):  # a whole number that no float holds
        if is_number(value) and isfinite(value) and least <= value <= most:
            return float(value)
    raise OptionError(option, value, f"expected {expected}")
