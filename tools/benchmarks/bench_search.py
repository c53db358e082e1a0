"""`make bench-search`: positions of 7x6 searched without tables, and many values against solutions.

``search_positions.csv`` holds sets of positions from random play with a seed, none of which is won
at once: by ply, and by the plies until the end. Each is searched with an empty table; its value and
the number of nodes are asserted. ``search_ladder.csv`` holds the nodes of a set while one technique
after another is switched on. ``python -m tools.benchmarks.bench_search write`` writes both again.
``search_openings.csv`` holds the first moves of Connect Four and other searches of minutes;
``python -m tools.benchmarks.bench_search openings`` writes it again.
"""

import csv
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, fields
from functools import reduce
from pathlib import Path
from random import Random

import numpy as np

from marubatsu.engine.kernels.exact_layout import ExactTechniques
from marubatsu.engine.kernels.exact_search import ALL, ExactSearch
from marubatsu.engine.large.values import FAR
from marubatsu.engine.rules.board_text import from_text, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.judge.oracle.solution_oracle import SolutionOracle
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.support.resources import REFERENCE
from marubatsu.pipeline.tables.data_set import Solution
from tests.helpers.data.played import drawn as moves_drawn
from tests.helpers.data.static_bounds import looked
from tools.benchmarks.bench_solve import drawn
from tools.benchmarks.bench_tree import SHORT
from tools.solved_games import records

GAME = Game("7x6k4-gravity")
POSITIONS, LADDER = REFERENCE / "search_positions.csv", REFERENCE / "search_ladder.csv"
OPENINGS = REFERENCE / "search_openings.csv"
HEADER = "# Written by python -m tools.benchmarks.bench_search {}.\n"
SEED = 0
DRAWN = f"write: random play, seed {SEED}"

PLIES = (28, 24, 20, 16, 12)
HARDNESS = {"ends soon": range(3, 11), "ends later": range(11, 21), "ends late": range(21, 43)}
"""Sets of ply 16, by the plies that are left with best play of both sides."""
HARDNESS_PLY, EACH = 16, 20

RUNGS = (
    ("24 plies", range(len(ExactTechniques._fields) + 1)),
    ("5x4k4-gravity, empty", range(2, len(ExactTechniques._fields) + 1)),
)
"""Sets of the ladder, and numbers of techniques. Only an empty board is symmetric."""
WITHOUT = "20 plies"  # the set that is also searched without each technique

COMPARED = ("4x4k4-misere", "4x5k4", "5x5k4-gravity")
"""Games of which values are compared with their solutions."""
LOOKED_AT = (
    "5x4k4-gravity", "5x4k4-gravity-misere", "6x4k4-gravity", "5x5k4-gravity", "5x6k4-gravity",
)  # fmt: skip
"""Games of which every class is looked at without a search; the last takes ten minutes."""
SAMPLE, SOLVING, BATCH = 10_000, 3 * 10**9, 500_000
MEMORY = 1 << 24
"""Bytes of a table: few, because the first use of a page takes longer than many nodes."""

OPENING_MEMORY = 1 << 30  # bytes of the table of a search of minutes
TOGETHER = 10  # positions that one thread and two threads search

LIGHT = 100_000
"""The short benchmark searches the positions that take fewer nodes, and does no more."""


@dataclass(frozen=True)
class Row:
    """A position, and what a search finds: the mover's value, as in `engine.large.values`."""

    set: str
    board: str
    value: int
    nodes: int


@dataclass(frozen=True)
class Rung:
    """The nodes of all positions of a set, with a technique and all before it."""

    set: str
    technique: str
    nodes: int


@dataclass(frozen=True)
class Opening:
    """A position with few marks, its value for the mover, and the nodes of its search."""

    game: str
    board: str
    value: int
    nodes: int


def searched(
    name: str, position: Position, use: ExactTechniques = ALL, memory: int = MEMORY
) -> tuple[int, int]:
    """Search with an empty table; return the value and the number of nodes."""
    search = ExactSearch(Game(name), memory=memory, use=use)
    return search.value(position), search.nodes


def played(ply: int, random: Random) -> Position:
    """Draw a position that is not won at once."""
    return reduce(Position.after, moves_drawn(GAME, ply, random), EMPTY)


def positions() -> Iterator[Row]:
    """Make the sets of positions."""
    for ply in PLIES:
        random = Random(SEED + ply)
        for _ in range(EACH):
            yield row(f"{ply} plies", played(ply, random))
    random = Random(SEED)
    wanted = dict.fromkeys(HARDNESS, EACH)
    while any(wanted.values()):
        found = row("", played(HARDNESS_PLY, random))
        left = FAR - abs(found.value) if found.value else GAME.cells - HARDNESS_PLY
        for name, lefts in HARDNESS.items():
            if left in lefts and wanted[name]:
                wanted[name] -= 1
                yield Row(name, found.board, found.value, found.nodes)


def row(name: str, position: Position) -> Row:
    """Search a position of a set."""
    return Row(name, to_text(GAME, position), *searched(GAME.name, position))


def rungs(rows: Iterable[Row]) -> Iterator[Rung]:
    """Climb the ladder; assert that no technique changes a value. Then leave out each one alone."""
    rows = list(rows)
    for name, numbers in RUNGS:
        game = name.partition(",")[0]
        sample = [
            (GAME.name, from_text(GAME, each.board), each.value)
            for each in rows
            if each.set == name
        ] or [(game, EMPTY, searched(game, EMPTY)[0])]
        for number in numbers:
            use = ExactTechniques(
                *(place < number for place in range(len(ExactTechniques._fields)))
            )
            found = [searched(each, position, use) for each, position, _ in sample]
            assert [value for value, _ in found] == [value for *_, value in sample]
            technique = ExactTechniques._fields[number - 1] if number else "none"
            yield Rung(name, technique, sum(nodes for _, nodes in found))
    boards = [from_text(GAME, each.board) for each in rows if each.set == WITHOUT]
    for technique in ExactTechniques._fields:
        use = ALL._replace(**{technique: False})
        nodes = sum(searched(GAME.name, board, use)[1] for board in boards)
        yield Rung(f"{WITHOUT}, all but one", technique, nodes)


def openings() -> Iterator[Opening]:
    """Search the first moves of Connect Four up to symmetry, and empty boards."""
    first_moves = [EMPTY.after(move) for move in GAME.legal_moves(EMPTY)[: GAME.columns // 2 + 1]]
    for game, position in [
        *((GAME, each) for each in [*first_moves, EMPTY]),
        *((Game(name), EMPTY) for name in ("6x6k4-gravity", "7x5k4-gravity")),
    ]:
        start = time.perf_counter()
        found = searched(game.name, position, memory=OPENING_MEMORY)
        opening = Opening(game.name, to_text(game, position), *found)
        print(f"{opening} in {time.perf_counter() - start:.0f} s", flush=True)
        yield opening


def write(path: Path, how: str, rows: Iterable[Row | Rung | Opening]) -> None:
    """Write a file with a line about where it is from."""
    listed = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(HEADER.format(how))
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(each.name for each in fields(listed[0]))
        writer.writerows(map(astuple, listed))


def sets(rows: list[Row]) -> None:
    """Search each set; print nodes and time a position."""
    print(f"\n{'7x6, an empty table each':<26}{'positions':>9}{'nodes':>12}{'median':>11}"
          f"{'ms':>9}{'most':>9}{'million/s':>11}")  # fmt: skip
    for name in dict.fromkeys(each.set for each in rows):
        members = [each for each in rows if each.set == name]
        times = []
        for each in members:
            position = from_text(GAME, each.board)
            start = time.perf_counter()
            found = searched(GAME.name, position)
            times.append(1e3 * (time.perf_counter() - start))
            assert found == (each.value, each.nodes), (each, found)
        nodes = [each.nodes for each in members]
        print(
            f"{name:<26}{len(members):>9}{statistics.mean(nodes):>12,.0f}"
            f"{statistics.median(nodes):>11,.0f}{statistics.mean(times):>9.2f}{max(times):>9.2f}"
            f"{sum(nodes) / sum(times) / 1e3:>11.1f}"
        )


def threads(rows: list[Row]) -> None:
    """Search the positions that take longest in one thread and in two; print the times."""
    hardest = sorted(rows, key=lambda each: each.nodes)[-TOGETHER:]
    for number in (1, 2):
        start = time.perf_counter()
        with ThreadPoolExecutor(number) as pool:
            for each in hardest:
                search = ExactSearch(GAME, memory=OPENING_MEMORY, threads=number, run=pool.map)
                assert search.value(from_text(GAME, each.board)) == each.value, each
        seconds = time.perf_counter() - start
        print(f"the {TOGETHER} hardest positions, threads {number}: {seconds:.1f} s")


def ladder(rows: list[Row]) -> None:
    """Climb the ladder, and compare its nodes with the known ones."""
    found = list(rungs(rows))
    assert found == records(LADDER, Rung)
    print(f"\n{'nodes, techniques added':<26}{'with':<12}{'nodes':>12}{'of before':>11}")
    before = None
    for rung in found:
        share = f"{rung.nodes / before.nodes:.2f}" if before and before.set == rung.set else ""
        print(f"{rung.set:<26}{rung.technique:<12}{rung.nodes:>12,}{share:>11}")
        before = rung


def compare(name: str) -> None:
    """Compare the values of many classes with those of a solution."""
    game = Game(name)
    with tempfile.TemporaryDirectory() as folder:
        solve(Path(folder), game, SOLVING)
        oracle = SolutionOracle(Solution(Path(folder), game))
        sample = drawn(oracle, SAMPLE)
        circle, cross = (np.array(masks) for masks in zip(*sample, strict=True))
        known = oracle.values(circle, cross)
    search = ExactSearch(game, memory=MEMORY)
    start = time.perf_counter()
    found = [search.value(position) for position in sample]
    seconds = time.perf_counter() - start
    expected = known.score_mover.astype(int) * (FAR - known.distance)
    assert found == expected.tolist()
    print(f"{name}: {SAMPLE:,} values are those of its solution; searched in {seconds:.1f} s")


def look_at_all(name: str) -> None:
    """Compare the bounds of a look with the values of all unfinished classes of a solution."""
    game = Game(name)
    with tempfile.TemporaryDirectory() as folder:
        solve(Path(folder), game, SOLVING)
        oracle = SolutionOracle(Solution(Path(folder), game))
        looks = closer = 0
        for classes in oracle.unfinished(BATCH):
            circle, cross = oracle.masks(classes)
            known = oracle.values(circle, cross)
            ends = np.bitwise_count(circle | cross).astype(int) + known.distance
            found = looked(game, circle, cross, known.score_mover * (game.cells + 1 - ends))
            wrong = Position(int(circle[found.wrong]), int(cross[found.wrong]))
            assert found.wrong < 0, to_text(game, wrong)
            looks += found.looks
            closer += found.never_wins + found.loses + found.never_loses
    print(f"{name}: {looks:,} looks hold the value, {closer:,} with a bound that needs no search")


def main() -> None:
    """Measure, print, assert; or write the files again."""
    if sys.argv[1:] == ["write"]:
        rows = list(positions())
        write(POSITIONS, DRAWN, rows)
        write(LADDER, DRAWN, rungs(rows))
        return
    if sys.argv[1:] == ["openings"]:
        write(OPENINGS, "openings", openings())
        return
    rows = records(POSITIONS, Row)
    searched(GAME.name, from_text(GAME, rows[0].board))  # compiles
    sets([each for each in rows if each.nodes < LIGHT] if SHORT else rows)
    if not SHORT:
        threads(rows)
        ladder(rows)
        print()
        for name in COMPARED:
            compare(name)
        for name in LOOKED_AT:
            look_at_all(name)
        assert list(openings()) == records(OPENINGS, Opening)


if __name__ == "__main__":
    main()
