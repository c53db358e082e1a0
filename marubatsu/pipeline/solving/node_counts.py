"""The node counts of a solved game's full tree: how many nodes show the positions of each kind.

There are as many nodes as lines of play, too many to store, and more than fit 64 bits. Without
gravity, those that lead to a position are so many orders of its marks, so one pass over the rows of
the index counts them. With gravity it takes one pass for each of some primes, from the empty board
on: it counts modulo that prime, and the counts follow from the remainders. The values are read
piece by piece.
"""

from collections.abc import Iterator
from functools import partial
from itertools import groupby, pairwise
from math import factorial, isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from marubatsu.engine.large.arrays import (
    NOTHING,
    Neighbours,
    Ply,
    Rules,
    first_rows_of,
    ply_of,
    rules_of,
)
from marubatsu.engine.large.index import Index
from marubatsu.engine.large.rows import count_lines, last_moves, show_again, sum_lines
from marubatsu.engine.large.values import FAR, NULL, Values
from marubatsu.engine.rules.bounds import lines_of_play
from marubatsu.engine.rules.masks import Longs
from marubatsu.engine.rules.position import Status
from marubatsu.pipeline.solving.solution_files import joined_rows, rows_of_blocks, values_of
from marubatsu.pipeline.support.background import WorkerThreads
from marubatsu.pipeline.support.cures import Cure
from marubatsu.pipeline.support.errors import NoRoomError
from marubatsu.pipeline.support.machine import amount
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.manifest import is_part
from marubatsu.pipeline.tables.open_file import Opened, OpenFile
from marubatsu.pipeline.tables.solution_parts import parts, ply_of_part

_BELOW = 1 << 16
"""The primes are smaller, so a remainder has two bytes, and those of a row's neighbours add up to
less than 2 ** 32."""

_AT_ONCE = 1 << 21
"""Rows that a core works on at a time."""


class PlyCount(NamedTuple):
    """The number of nodes of a ply with the same status and score, circle's view."""

    ply: int
    status: str
    score: int
    nodes: int


def count_nodes(solution: DataSet, opened: Opened, memory: int) -> Iterator[PlyCount]:
    """Count the nodes of every ply of an open solution.

    Raises NoRoomError when a game with gravity takes more than ``memory`` bytes for two plies.
    """
    index = Index(solution.game)
    plies = files_of_plies(opened)
    if solution.game.gravity:
        _require_memory(index, len(plies), memory)
    with WorkerThreads() as workers:
        by_value = (by_primes if solution.game.gravity else by_orders)(index, plies, workers)
        for ply, nodes_of in enumerate(by_value):
            counts: dict[tuple[str, int], int] = {}
            for value, nodes in nodes_of.items():
                kind = _kind(solution.game.cells, ply, value)
                counts[kind] = counts.get(kind, 0) + nodes
            for (status, score), nodes in sorted(counts.items()):
                yield PlyCount(ply, status, score, nodes)


def files_of_plies(opened: Opened) -> list[list[OpenFile]]:
    """Return the parts of each ply of a solution."""
    names = sorted(filter(is_part, opened.files))
    return [[opened.files[name] for name in of] for _, of in groupby(names, ply_of_part)]


# --- without gravity ------------------------------------------------------------------------------


def by_orders(
    index: Index, plies: list[list[OpenFile]], workers: WorkerThreads
) -> Iterator[dict[int, int]]:
    """Yield the nodes of each ply of a game without gravity, by value.

    A line that is there stays there. So the marks before the last one may be set in every order of
    each side, if neither side has a line without the last one.
    """
    rules = rules_of(index)
    for number, files in enumerate(plies):
        ply = ply_of(index, number)
        last_side, other = (number + 1) // 2, number // 2  # marks
        orders = factorial(last_side) * factorial(other)
        count = partial(_last_moves, ply, files, rules)
        sums = np.sum(list(workers.each(count, parts(ply.rows))), axis=0)
        yield {
            value: int(sums[128 + value]) * orders // (last_side if abs(value) == FAR else 1)
            for value in _values_in(sums)
        }


def _last_moves(ply: Ply, files: list[OpenFile], rules: Rules, part: tuple[int, int, int]) -> Longs:
    """Count the positions of a part by value, those that have ended once for each last move."""
    number, first, last = part
    values = _values_of(files[number])
    moves = np.empty(values.size, np.uint32)
    last_moves(ply, first, last, rules, values, moves)
    sums = np.zeros(256, np.int64)
    sum_lines(ply, first, last, rules, values, moves, sums)
    return sums


# --- with gravity ---------------------------------------------------------------------------------


def _require_memory(index: Index, plies: int, memory: int) -> None:
    """Raise NoRoomError when the remainders of two plies take more than ``memory`` bytes."""
    rows = [index.shape(ply).rows for ply in range(plies)] + [0]
    most = np.dtype(np.uint16).itemsize * max(map(sum, pairwise(rows)))
    if most > memory:
        raise NoRoomError(
            f"counting the nodes of {index.game.name} takes about {amount(most)} of memory, "
            f"more than the {amount(memory)} given",
            Cure("more memory"),
            game=index.game.name,
        )


def by_primes(
    index: Index, plies: list[list[OpenFile]], workers: WorkerThreads
) -> Iterator[dict[int, int]]:
    """Yield the nodes of each ply, by value, counted line by line; that works for every game."""
    primes = list(_primes(lines_of_play(index.game)))
    sums_by_prime = [list(_remainders(index, plies, prime, workers)) for prime in primes]
    for by_prime in zip(*sums_by_prime, strict=True):
        yield {
            value: joined([int(sums[128 + value]) for sums in by_prime], primes)
            for value in _values_in(np.any(by_prime, axis=0))
        }


def _remainders(
    index: Index, plies: list[list[OpenFile]], prime: int, workers: WorkerThreads
) -> Iterator[Longs]:
    """Yield the nodes of each ply modulo a prime, by value: [128 + value]."""
    rules = rules_of(index)
    before = NOTHING._replace(values=np.empty(0, np.uint16))
    for number, files in enumerate(plies):
        ply = ply_of(index, number)
        lines = np.empty(ply.rows, np.uint16)
        chunk = rows_of_blocks(ply.size, _AT_ONCE)
        sums = np.zeros(256, np.int64)
        count = partial(_count, ply, files, before, rules, prime, lines, chunk)
        for some in workers.each(count, range(0, ply.rows, chunk)):
            sums += some
        yield sums % prime
        before = Neighbours(lines, first_rows_of(ply))


def _count(
    ply: Ply,
    files: list[OpenFile],
    before: Neighbours,
    rules: Rules,
    prime: int,
    lines: NDArray[np.uint16],
    chunk: int,
    first: int,
) -> Longs:
    """Count the lines that lead to some rows; return how many they are by value.

    Write how many go on from there, 0 where the game has ended or play does not reach.
    """
    last = min(first + chunk, ply.rows)
    values = joined_rows(ply.rows, first, last, lambda part: _values_of(files[part]))
    counted = np.ones(last - first, np.uint32)
    if ply.number:
        count_lines(ply, first, last, rules, before, counted)
        counted %= np.uint32(prime)
    sums = np.zeros(256, np.int64)
    sum_lines(ply, first, last, rules, values, counted, sums)
    show_again(ply, first, last, rules, values)
    counted[(np.abs(values) == FAR) | (values == NULL)] = 0
    lines[first:last] = counted
    remainders: Longs = sums % prime
    return remainders


def _values_of(file: OpenFile) -> Values:
    return values_of(file.rows(["value"])["value"].combine_chunks())


def _values_in(sums: NDArray[Any]) -> list[int]:
    """Return the values for which there is a sum."""
    return (np.flatnonzero(sums) - 128).tolist()


def _kind(cells: int, ply: int, value: int) -> tuple[str, int]:
    """Return the status and the score, circle's view, of the positions with a value."""
    score = (value > 0) - (value < 0)
    score = -score if ply % 2 else score
    has_ended = abs(value) == FAR or (value == 0 and ply == cells)
    return (Status.of_score(score) if has_ended else Status.PLAYING).word, score


def _primes(bound: int) -> Iterator[int]:
    """Yield primes whose product exceeds a bound, from the greatest on."""
    number = _BELOW
    while bound:
        number -= 1
        if all(number % divisor for divisor in range(2, isqrt(number) + 1)):
            yield number
            bound //= number


def joined(remainders: list[int], primes: list[int]) -> int:
    """Return the least number with these remainders (Chinese remainder theorem)."""
    number, modulus = 0, 1
    for remainder, prime in zip(remainders, primes, strict=True):
        number += modulus * ((remainder - number) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return number
