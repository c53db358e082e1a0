"""What an answer in no form is told: what to return instead."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from marubatsu.engine.ais.reply import Fault
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.answer_reader import AnswerReader
from marubatsu.judge.agents.calling import plain

SOME = [0, 1, 4, 7]  # legal moves of a position


@dataclass
class Move:
    """A move as an object of somebody's program."""

    cell: int


@pytest.mark.parametrize(
    ("answer", "cure"),
    [
        (None, "does the function return one in every case?"),
        ("4", "as int(...) makes one of digits; agents that reply in sentences are asked by the"),
        (True, "expected the number of a move, not True or False"),
        (4.0, "expected a whole number, as int(...) makes one"),
        ({"move": 4}, "'move' is no move: return the move alone"),
        ([0.25, 0.25, 0.25, 0.25], "as many values as legal moves: return dict(zip(legal_moves"),
        (np.ones((3, 3)), "rows of values: return them as one list, row by row"),
        ((0, (1, 1)), "expected the move alone, without a score"),
        ([0.5, 0.25, 0.25], "or a value for each of the 9 cells"),
        (len, "expected the number of a move"),
        (Move(4), "expected the number of a move, or several of them"),
        *(
            ((0, other), "expected the move alone, without a score or other values")
            for other in ({"value": 1}, None, "because")
        ),
        (np.where(np.arange(9) > 4), "expected one list of moves, not lists in a list"),
        ("o........", "a board: return the move that leads to it"),
        (np.ones(9, bool), "expected an array of numbers, as array.astype(int) makes one"),
        ([4, 4, 0, 0], "expected each move once"),
    ],
)
def test_a_wrong_answer_comes_with_a_cure(answer: Any, cure: str) -> None:
    fault = AnswerReader("auto", Game("tictactoe")).moves(plain(answer), SOME)
    assert isinstance(fault, Fault)
    assert cure in fault.cure
