"""Odd replies of agents, and the action that each framework plays for them.

A row has a reply and the action that is played, None where the framework refuses the reply. Each
kind of board begins with the actions in `BEFORE`, so cell 4 is filled, or column 3 is full.

The actions are those of kaggle-environments 1.33.2 with jsonschema 4.26.0, pettingzoo 1.27.0 with
gymnasium 1.4.0, open_spiel 2.0.2 (also its GTPBot) and textarena 0.7.4. `framework_replies` plays
all rows in these packages; `tests/audit/test_odd_replies.py` gives them to our adapters.
"""

from collections.abc import Sequence
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any

import numpy as np

CELLS, MISERE, COLUMNS = "tictactoe", "3x3k3-misere", "connect4"

BEFORE = {CELLS: (4,), MISERE: (4,), COLUMNS: (3,) * 6}


class Bot:
    """An agent of any framework that has one answer."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def step(self, state: Any) -> Any:
        return self._answer

    def __call__(self, *arguments: Any) -> Any:
        return self._answer


class Two(IntEnum):
    """A whole number with a name."""

    TWO = 2


class Whole(int):
    """A whole number of another class."""


class Index:
    """An object that converts to an index."""

    def __index__(self) -> int:
        return 2


class Convertible:
    """An object that converts to a whole number."""

    def __int__(self) -> int:
        return 2


class Real:
    """An object that converts to a float only."""

    def __float__(self) -> float:
        return 2.0


TEXTARENA: list[tuple[Any, int | None, int | None, int | None]] = [
    # reply, cell of TicTacToe, cell of ReverseTicTacToe, column of ConnectFour
    ("[0] looks tempting, but I play [4]", 0, 0, 4), ("[8] or [0]", 8, 8, 0),
    ("[4] [0]", None, None, 0), ("[2] [3]", 2, 2, None), ("[3] [2]", 3, 3, 2),
    ("[9] [0]", None, None, 0), ("[1][2]", 1, 1, 2), ("[2]\n[1]", 2, 2, 2), ("\n[2]\n", 2, 2, 2),
    ("[2]\r\n[1]", 2, 2, 2), ("[2]\r[1]", 2, 2, 1), ("<think>[0] [1]</think>[2]", 0, 0, 2),
    ("<think>\n[0]\n</think>\n[2]", 0, 0, 0), ("4", None, None, 4), ("0", 0, 0, 0),
    (" 0 ", 0, None, None), ("0\n", 0, None, None), ("00", 0, 0, 0), ("3", 3, 3, None),
    ("7", 7, 7, None), ("[0]", 0, 0, 0), ("[ 0 ]", 0, None, None), ("[0 ]", 0, None, None),
    ("[\t0]", 0, None, None), ("[\n0\n]", 0, None, None), ("[\u00a02\u00a0]", 2, None, None),
    ("[\u30002]", 2, None, None), ("\u200b[2]", 2, 2, 2), ("[08]", 8, 8, None), ("[002]", 2, 2, 2),
    ("[\uff12]", 2, 2, 2), ("[\u0662]", 2, 2, 2), ("[[2]]", 2, 2, 2), ("[ [2] ]", 2, 2, 2),
    ("[col [2]", 2, 2, 2), ("```[2]```", 2, 2, 2), ("**[2]**", 2, 2, 2),
    ("[Player 0] [2]", 2, 2, 2), ("[x] [2]", 2, 2, 2), ("col 2", None, None, 2),
    ("Col 2", None, None, 2), ("[col 2]", None, None, 2), ("[col2]", None, None, 2),
    ("[COL 2]", None, None, 2), ("[Col  2]", None, None, 2), ("[col\t2]", None, None, 2),
    ("[col\n2]", None, None, 2), ("[col\n2] [1]", 1, 1, 2), ("[col 9] [col 2]", None, None, 2),
    ("[col 2].\n[col 9]", None, None, 2), ("no\n[col 1] or [col 2]\n[col 0]", None, None, 2),
    ("[2] [col 1]", 2, 2, 1), ("[1]\u2028[2]", 1, 1, 2), ("[2]\x0b[1]", 2, 2, 1),
    ("[2]\x0c[1]", 2, 2, 1), ("[\x1c2]", 2, None, None), ("[col\u00a02]", None, None, 2),
    ("[CoL2][5]", 5, 5, 5), ("[\u07c2]", 2, 2, 2), ("[\U0001d7d0]", 2, 2, 2),
    ("[4][2]", None, None, 2), ("[2][4]", 2, 2, 4), ("[3]\n[2]", 3, 3, None),
    ("> [2]\n> [3]", 2, 2, 2), ("[col 3]\n[1]", 1, 1, None),
    ("[Col 1], then [0]\nat last [6]", 0, 0, 0), ("[8]\t[col 0]", 8, 8, 0),
    (np.str_("[2]"), 2, 2, 2), ([2], 2, 2, 2), (["[2]"], 2, 2, 2),
    *((reply, None, None, None) for reply in (
        "-1", "", "   ", "the middle", "I play 2", "[]", "[ ]", "[\u200b2]", "[-2]", "[+2]",
        "[2.0]", "[2.]", "[2,]", "[0, 2]", "[2 3]", "[1_0]", "[0x2]", "[two]", "[a1]", "[\u00b2]",
        "\uff3b2\uff3d", "[9]", "[12]", "[" + "9" * 400 + "]", "[" + "0" * 4400 + "2]", "[2", "2]",
        "(2)", "{2}", "\\boxed{2}", "column 2", "[ col 2]", "[col 2 ]", "[col: 2]", "[column 2]",
        "[colcol 2]", "[col 2] [col 9]", "[\u180e2]", "[\uff23\uff2f\uff2c 2]", "[\u2461]",
        ["[", 2], (2,), {2: 1.0}, 2, None, True, b"[2]",
    )),
]  # fmt: skip

CONNECTX: list[tuple[Any, int | None]] = [
    (0, 0), (2, 2), (6, 6), (None, 0), (Whole(2), 2), (Two.TWO, 2),
    *((reply, None) for reply in (
        3, 7, -1, -7, 10**30, True, False, 2.0, 0.0, 2.5, 7.0, -1.0, 1e30, float("nan"),
        float("inf"), "2", "", "None", "col 2", "[2]", b"2", [], [2], [[2]], [None], (2,), (5, 2),
        {}, {2: 1.0}, {"action": 2}, {2}, range(3), [0.1, 0.1, 0.4, 0.1, 0.1, 0.1, 0.1],
        [0, 0, 1, 0, 0, 0, 0], np.int64(2), np.int8(2), np.uint8(2), np.uint64(2), np.float64(2),
        np.float32(2), np.bool_(True), np.str_("2"), np.array(2), np.array([2]),
        np.array([0, 0, 1.0]), Decimal(2), Fraction(2), 2 + 0j, Index(), Convertible(), Real(),
        ValueError("2"), StopIteration(2), int, object(), ..., NotImplemented, 2**63, float("-inf"),
        2.0000000001, Decimal("2.5"), bytearray(b"2"), frozenset({2}), {"column": 2}, iter([2]),
    )),
]  # fmt: skip

AEC: list[tuple[Any, int | None, int | None]] = [
    # action, cell of tictactoe_v3, column of connect_four_v3
    (0, 0, 0), (2, 2, 2), (6, 6, 6), (3, 3, None), (4, None, 4), (7, 7, None), (8, 8, None),
    (Whole(2), 2, 2), (Two.TWO, 2, 2), (np.int64(2), 2, 2), (np.int32(2), 2, 2), (np.int8(2), 2, 2),
    (np.uint8(2), 2, 2), (np.uint32(2), 2, 2), (np.int8(3), 3, None), (np.array(2), 2, 2),
    (np.array(2, np.int8), 2, 2), (np.array(4), None, 4),
    *((action, None, None) for action in (
        9, -1, -9, 10**30, -(10**30), True, False, np.uint64(2), np.int64(-1), np.int64(99),
        np.bool_(True), np.float64(2), np.float32(2), np.float16(2), np.array(2, np.uint64),
        np.array(2.0), np.array(True), np.array("2"), np.array([2]), np.array([[2]]), np.array([]),
        np.array([0, 2]), np.array([None]), 2.0, 0.0, 2.5, float("nan"), None, "2", "", b"2", [],
        [2], (2,), (2, None), {2: 1.0}, {"action": 2}, {2}, range(3), Decimal(2), Fraction(2),
        2 + 0j, Index(), Convertible(), Real(), int, object(), ...,
    )),
]  # fmt: skip

OPENSPIEL: list[tuple[Any, int | None, int | None]] = [
    # action, cell of tic_tac_toe, column of connect_four
    (0, 0, 0), (2, 2, 2), (6, 6, 6), (3, 3, None), (4, None, 4), (True, 1, 1), (False, 0, 0),
    (Whole(2), 2, 2), (Two.TWO, 2, 2), (Index(), 2, 2), (Convertible(), 2, 2), (Decimal(2), 2, 2),
    (Decimal("2.9"), 2, 2), (Fraction(2), 2, 2), (Fraction(5, 2), 2, 2), (Fraction(-1, 2), 0, 0),
    (np.int64(2), 2, 2), (np.int8(2), 2, 2), (np.uint8(2), 2, 2), (np.uint64(2), 2, 2),
    (np.int64(3), 3, None), (np.int64(4), None, 4), (np.bool_(True), 1, 1), (np.float32(2), 2, 2),
    (np.float32(2.7), 2, 2), (np.float16(2), 2, 2), (np.array(2), 2, 2), (np.array(2.0), 2, 2),
    (np.array(True), 1, 1),
    *((action, None, None) for action in (
        -1, 10**30, 2**64 + 2, -(2**64), Real(), 2.0, 0.0, 2.5, float("nan"), float("inf"), None,
        "2", "", "x(0,2)", "x2", b"2", bytearray(b"2"), [], [2], (2,), ([(2, 1.0)], 2), {2: 1.0},
        {2}, range(3), Decimal("nan"), Decimal("inf"), 2 + 0j, np.float64(2), np.float32("nan"),
        np.str_("2"), np.bytes_(b"2"), np.array([0, 0, 1.0]), np.array([]), int, object(), ...,
        NotImplemented,
    )),
]  # fmt: skip

GTP = [
    # the answer to genmove, where MOVE is cell 2; whether it is played
    ("= MOVE\n\n", True), ("=MOVE\n\n", True), ("=  MOVE  \n\n", True), ("=\tMOVE\n\n", True),
    ("=\nMOVE\n\n", True), ("= \n MOVE\n\n", True), ("\n\n= MOVE\n\n", True), ("= UPPER\n\n", True),
    ("= MOVE\t\n\n", True),
    *((answer, False) for answer in (
        "= MOVE\nMOVE\n\n", "= MOVE\n# sure\n\n", "= MOVE sure\n\n", "= sure MOVE\n\n",
        "= MOVE,\n\n", "= 'MOVE'\n\n", "= [MOVE]\n\n", "=1 MOVE\n\n", "== MOVE\n\n", "= = MOVE\n\n",
        "? MOVE\n\n", "?\n\n", "?MOVE\n\n", "? no\n= MOVE\n\n", "= ? MOVE\n\n", "=\n\n", "= \n\n",
        "= pass\n\n", "= PASS\n\n", "= resign\n\n", "= none\n\n", "= 2\n\n", "= 4\n\n", "= z9\n\n",
        "= TAKEN\n\n", "= black MOVE\n\n", "= MOVE.\n\n",
    )),
]  # fmt: skip

GTP_WORDS = {
    "vertices": {"MOVE": "c3", "UPPER": "C3", "TAKEN": "b2"},
    "openspiel": {"MOVE": "o(0,2)", "UPPER": "O(0,2)", "TAKEN": "o(1,1)"},
}
"""The words of `GTP`: as a program writes vertices, and as GTPBot of OpenSpiel reads moves."""


BOARDS: dict[str, tuple[tuple[str, ...], Sequence[tuple[Any, ...]]]] = {
    "textarena": ((CELLS, MISERE, COLUMNS), TEXTARENA),
    "connectx": ((COLUMNS,), CONNECTX),
    "aec": ((CELLS, COLUMNS), AEC),
    "openspiel": ((CELLS, COLUMNS), OPENSPIEL),
}
"""The boards of each interface, and its rows, with an action for each of the boards."""


def boards_of(interface: str) -> dict[str, list[tuple[Any, int | None]]]:
    """Return the replies to an interface, with their actions, for each kind of board."""
    names, rows = BOARDS[interface]
    return {name: [(reply, plays[at]) for reply, *plays in rows] for at, name in enumerate(names)}
