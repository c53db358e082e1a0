"""AIs that do what no AI should: each function is one of them, its docstring the findings.

``ends:`` comes before the kind of fault that ends the audit, ``refused:`` before a sentence's part.

The audit runs them in a process of their own; nothing here is ever imported by the tests.
"""

import ctypes
import os
import sys
import time
from typing import Any

number = 4
_asked: list[str] = []


def prints(board: str, moves: list[int]) -> Any:
    """prints"""
    print("thinking about", board)
    return moves[0]


def sleeps(board: str, moves: list[int]) -> Any:
    """ends: time-out"""
    while True:
        time.sleep(1)


def prints_without_end(board: str, moves: list[int]) -> Any:
    """ends: time-out"""
    while True:
        print("x" * 1000)


def allocates_without_end(board: str, moves: list[int]) -> Any:
    """ends: memory"""
    objects = []
    while True:
        objects.append(memoryview(ctypes.create_string_buffer(0)).cast("B"))
        objects.append(bytearray(10**9))  # type: ignore[arg-type]


def forks(board: str, moves: list[int]) -> Any:
    """ends: raises"""
    if os.fork() == 0:
        time.sleep(1000)
    return moves


def writes_to_the_data(board: str, moves: list[int]) -> Any:
    """ends: raises"""
    with open(os.path.join(os.environ["MARUBATSU_DATA"], "3x2k2", "stray"), "w") as out:
        out.write(board)
    return moves


def removes_data_quietly(board: str, moves: list[int]) -> Any:
    """writes"""
    try:
        os.remove(os.path.join(os.environ["MARUBATSU_DATA"], "3x2k2", "moves.parquet"))
    except OSError:
        pass
    return moves


def returns_weights_below_zero(board: str, moves: list[int]) -> Any:
    """refused: --answers (row-column, column-row, chances, weights or scores)"""
    return [(move, -1) for move in moves]


def returns_what_cannot_be_shown(board: str, moves: list[int]) -> Any:
    """ends: wrong answer"""

    class Hostile:
        def __repr__(self) -> str:
            raise RuntimeError

    return Hostile()


def raises(board: str, moves: list[int]) -> Any:
    """ends: raises"""
    return moves[100]


def raises_in_its_text(board: str, moves: list[int]) -> Any:
    """ends: raises"""

    class HostileError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    raise HostileError


def recurses(board: str, moves: list[int]) -> Any:
    """ends: raises"""
    return recurses(board, moves)


def ends(board: str, moves: list[int]) -> Any:
    """ends: crash"""
    os._exit(3)


def crashes(board: str, moves: list[int]) -> Any:
    """ends: crash"""
    ctypes.string_at(0)


def kills_itself_by_a_signal_without_a_name(board: str, moves: list[int]) -> Any:
    """ends: crash"""
    os.kill(os.getpid(), 40)


def forges_impossible_moves(board: str, moves: list[int]) -> Any:
    """ends: crash"""
    for handle in range(3, 20):
        try:
            os.write(handle, b'{"moves": [1e999], "weights": null}\n')
        except OSError:
            pass
    os._exit(1)


def closes_everything(board: str, moves: list[int]) -> Any:
    """ends: crash"""
    os.closerange(0, 100)
    return moves


def forges_long_answers(board: str, moves: list[int]) -> Any:
    """ends: flood"""
    for handle in range(3, 20):
        try:
            os.write(handle, b"x" * 100_000)
        except OSError:
            pass
    return moves


def changes_its_mind(board: str, moves: list[int]) -> Any:
    """inconsistent"""
    _asked.append(board)
    return moves[0 if _asked.count(board) == 1 else -1]
