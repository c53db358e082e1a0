"""The figures of ``docs/seven-by-six.md``: what a Spark cluster would need to solve 7x6.

``python -m tools.generators.plan_page`` writes them. A row of the index and a class have rates,
fitted to the games of ``solved.csv``; `cost_page` has what Spark adds. Rows, blocks and copies are
exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean

import numpy as np

from marubatsu.engine.large.arrays import Ply, Rules, ply_of, rules_of
from marubatsu.engine.large.index import Index
from marubatsu.engine.large.links import neighbours_of
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Longs
from marubatsu.engine.rules.size import estimate_positions_by_ply
from marubatsu.pipeline.solving.spark_engine import MOST_ROWS, rows_of_chunk, rows_of_group
from marubatsu.pipeline.support.machine import amount
from marubatsu.pipeline.tables.output import Rows, to_markdown
from marubatsu.pipeline.tables.solution_parts import MOST_PARTS
from tools.generators.cost_page import CORES, MACHINES, MEASURED, SYMMETRIES, figures
from tools.generators.run_pages import CHECKOUT, rewrite, with_parts
from tools.solved_games import SolvedGame, read

PAGE = CHECKOUT / "docs" / "seven-by-six.md"
GAME = Game("connect4")

POSITIONS = (
    1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683, 12236101, 30929111,
    75437595, 176541259, 394591391, 858218743, 1763883894, 3568259802, 6746155945, 12673345045,
    22010823988, 38263228189, 60830813459, 97266114959, 140728569039, 205289508055, 268057611944,
    352626845666, 410378505447, 479206477733, 488906447183, 496636890702, 433471730336,
    370947887723, 266313901222, 183615682381, 104004465349, 55156010773, 22695896495, 7811825938,
    1459332899,
)  # fmt: skip
"""The positions of 7x6 by ply. Source: Edelkamp and Kissmann 2008; OEIS A212693."""

PRICE = 0.05  # dollars for an hour of a core: an assumption
LIFE = 1000  # hours until a machine is lost: an assumption
CUT = 1 << 27  # rows of a chunk that is smaller than a block
MEMORY = 64 * 10**9  # bytes of a machine: an assumption
LARGEST_MESSAGE = (1 << 31) - 1  # bytes; PySpark writes the length as a signed number of 32 bits
SHOWN = (24, 33, 36, 42)  # plies in the table of the page
PIECES = 1 << 27  # rows of a file of `solving.journal.write_reached`


LARGE, SMALL = "5x6k4-gravity", "5x5k4-gravity"  # games that Spark solved
HASHING = 3.7e-10  # seconds of the driver for a row of the index, in LARGE
REACHED = (0.0068, 0.058)  # bytes on disk for a row and a class, in LARGE: which ones play reaches
LEAST = 2.0  # seconds of a solved game that tells rates


@cache
def solved() -> list[SolvedGame]:
    """List the games with gravity whose cost tells rates; two cores solved each."""
    games = [row for row in read().values() if row.seconds >= LEAST]
    return [row for row in games if Game(row.game).gravity and not Game(row.game).misere]


@cache
def rates(but: str = "") -> tuple[float, float]:
    """Return the seconds of a core for a row and for a class: the least squares of all but one."""
    known = [row for row in solved() if row.game != but]
    seconds = np.array([2 * row.seconds for row in known])
    counts = np.array([(row.rows, row.classes) for row in known]) / seconds[:, None]
    (row, of_class), *_ = np.linalg.lstsq(counts, np.ones(len(known)), rcond=None)
    return float(row), float(of_class)


def bytes_of_class(but: str = "") -> float:
    """Return the mean bytes that a solution keeps for a class, of all solved games but one."""
    return fmean(row.bytes / row.classes for row in solved() if row.game != but)


@dataclass(frozen=True)
class PlyPlan:
    """A ply of a game, with chunks of the rows that they have today or of `CUT` at most.

    Forward its tasks receive a bit for each row of the ply before, in each copy; backward one for
    each row of the ply after, and a value for each that play reaches.
    """

    ply: int
    blocks: int
    size: int  # rows of a block
    rows: int
    classes: float
    forward: float  # bytes that its tasks receive, not compressed
    backward: float
    chunk: int  # rows of a task

    @property
    def received(self) -> float:
        """All bytes that its tasks receive."""
        return self.forward + self.backward

    @property
    def chunks(self) -> int:
        """The number of tasks."""
        return -(-self.rows // self.chunk)

    @property
    def memory(self) -> float:
        """The bytes of a task in the greater of both passes."""
        return memory_of(self.chunk, max(self.forward, self.backward) / self.chunks)


def memory_of(rows: float, received: float) -> float:
    """Return the bytes of a task that values so many rows.

    It has a byte for each value, one for whether play reaches it, and a bit; what it received, the
    same joined, and as much again for the counts of bits.
    """
    return (2 + 1 / 8) * rows + 3 * received


@cache
def classes_of_plies(name: str) -> tuple[float, ...]:
    """Return the classes of each ply; those of a solved game are estimates that sum to its own."""
    game = Game(name)
    if game == GAME:
        return tuple(ways / SYMMETRIES for ways in POSITIONS)
    positions = list(estimate_positions_by_ply(game))
    return tuple(read()[name].classes * each / sum(positions) for each in positions)


@cache
def plies_of(name: str, *, is_cut: bool = False) -> tuple[PlyPlan, ...]:
    """Plan each ply: exact but for the classes; ``is_cut`` limits chunks to `CUT` rows."""
    game = Game(name)
    index, classes = Index(game), classes_of_plies(name)
    rules, plies = rules_of(index), []
    for number in range(game.cells + 1):
        of = ply_of(index, number)
        is_small = is_cut and rows_of_chunk(of) > CUT
        forward = backward = 0.0
        for known in {number - 1, number + 1} & {*range(game.cells + 1)}:
            there = ply_of(index, known)
            sent = _rows_sent(there, of, rules, by_block=is_small)
            if known < number:
                forward = sent / 8
            else:
                backward = sent * (1 / 8 + classes[known] / there.rows)
        chunk = CUT if is_small else min(of.rows, rows_of_chunk(of))
        plies.append(
            PlyPlan(
                number, len(of.blocks), of.size, of.rows, classes[number], forward, backward, chunk
            )
        )
    return tuple(plies)


def _rows_sent(known: Ply, wanted: Ply, rules: Rules, *, by_block: bool) -> int:
    """Return how many rows a ply sends to a neighbour, in all copies.

    Today a group of blocks goes to each chunk with a neighbour of them; ``by_block`` each block
    goes to each neighbour, as ranges of it do when chunks are smaller.
    """
    near = np.empty((len(known.blocks), rules.cells), np.int64)
    neighbours_of(known, 0, len(known.blocks), known.number < wanted.number, rules, near)
    block, _ = np.nonzero(near >= 0)
    goal = near[near >= 0]
    if by_block:
        return len(_distinct(block * len(wanted.blocks) + goal)) * known.size
    chunk, chunks = rows_of_chunk(wanted), -(-wanted.rows // rows_of_chunk(wanted))
    group, start = block * known.size // rows_of_group(known), goal * wanted.size
    pairs = [group * chunks + row // chunk for row in (start, start + wanted.size - 1)]
    groups = _distinct(np.concatenate(pairs)) // chunks
    rows = np.minimum(rows_of_group(known), known.rows - groups * rows_of_group(known))
    return int(rows.sum())


def _distinct(numbers: Longs) -> Longs:
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def work(rows: float, classes: float, but: str = "") -> float:
    """Predict the seconds of a core, without Spark."""
    row, of_class = rates(but)
    return row * rows + of_class * classes


@cache
def spark_of_byte() -> tuple[float, float]:
    """Return what Spark adds to LARGE for a byte that its tasks receive.

    Both are seconds of a core, and bytes that are shuffled.
    """
    runs = {(each.engine, each.game): each for each in MEASURED}
    spark, local = (
        runs[engine, LARGE].core_seconds - runs[engine, "tictactoe"].core_seconds
        for engine in ("spark", "local")
    )
    received = sum(ply.received for ply in plies_of(LARGE))
    return (spark - local) / received, runs["spark", LARGE].shuffled / received


def hours_of(ply: PlyPlan) -> float:
    """Predict the hours of a core, with Spark."""
    return (work(ply.rows, ply.classes) + spark_of_byte()[0] * ply.received) / 3600


def shuffled_by(ply: PlyPlan) -> float:
    """Predict the bytes that are shuffled."""
    return spark_of_byte()[1] * ply.received


def render(page: str) -> str:
    """Return the page with its figures."""
    plies, today = (plies_of(GAME.notation, is_cut=is_cut) for is_cut in (True, False))
    columns = ("ply", "blocks", "rows of a block", "classes", "shuffled", "core-hours")
    shown = [
        (ply.ply, f"{ply.blocks:,}", f"{ply.size:,}", f"{ply.classes:.2g}",
         amount(shuffled_by(ply)), figures(hours_of(ply)))
        for ply in map(plies.__getitem__, SHOWN)
    ]  # fmt: skip
    compared = [
        (row.game, f"{work(row.rows, row.classes, row.game) / 2:.0f} / {row.seconds:.0f}",
         f"{amount(bytes_of_class(row.game) * row.classes)} / {amount(row.bytes)}")
        for row in solved()
    ]  # fmt: skip
    total = sum(map(hours_of, plies))
    return with_parts(
        page,
        plan=_plan(plies, total),
        plies=to_markdown(Rows(columns, shown)),
        compared=to_markdown(Rows(("game", "seconds", "kept"), compared)),
        breaks=_breaks(today, total / MACHINES / CORES),
    )


def _plan(plies: Sequence[PlyPlan], total: float) -> str:
    hours, longest = total / MACHINES / CORES, max(plies, key=hours_of)
    rows, classes = (sum(ply.rows for ply in plies), sum(ply.classes for ply in plies))
    tasks, kept = work(rows, classes) / 3600, bytes_of_class() * classes
    disk = kept + REACHED[0] * rows + REACHED[1] * classes
    seconds = hours_of(longest) / MACHINES / CORES * 3600
    return f"""\
There are {sum(POSITIONS):,} positions, and {rows:,} rows of the index. We assume {MACHINES} \
machines of {CORES} cores, ${PRICE:.2f} for a core-hour, and that a machine fails once in {LIFE:,} \
hours. Blocks are cut into chunks of {CUT:,} rows.

- core-hours: tasks {figures(tasks)}, Spark itself {figures(total - tasks)}
- {figures(hours)} hours, {figures(total * PRICE)} dollars
- {amount(kept)} kept, {amount(disk)} of shared disk at once
- shuffled: {amount(sum(map(shuffled_by, plies)))}, of these {amount(shuffled_by(longest))} in the \
longest ply
- network into each machine: {amount(shuffled_by(longest) / MACHINES / seconds)} a second
- memory of an executor's tasks: {amount(CORES * max(ply.memory for ply in plies))}
- hours of the longest ply: {figures(seconds / 3600)}
- machines that fail in a run: {figures(MACHINES * hours / LIFE)}
"""


def _breaks(today: Sequence[PlyPlan], hours: float) -> str:
    refused = next(ply for ply in today if ply.size > MOST_ROWS)
    tight = next(ply for ply in today if ply.memory * CORES > MEMORY)
    long = next(ply for ply in today if ply.size / 8 > LARGEST_MESSAGE)
    few = next(ply.ply for ply in reversed(today) if ply.chunks >= MACHINES * CORES)
    alone = sum(hours_of(ply) / ply.chunks for ply in today[few + 1 :])
    hashing = HASHING * sum(ply.rows for ply in today) / 3600
    return f"""\
1. **Blocks**: A task takes at most {MOST_ROWS:,} rows. From ply {refused.ply} on, a block has \
more; the only one of ply {today[-1].ply} has {today[-1].size:,}.
2. **Memory**: Even without that limit, {CORES} tasks of ply {tight.ply} take \
{amount(CORES * tight.memory)}, but a machine has {amount(MEMORY)}; the last task takes \
{amount(today[-1].memory)}. Tasks grow, because a ply has at most {MOST_PARTS:,} parts.
3. **Messages**: PySpark sends at most 2 GB at once. From ply {long.ply} on, the bits of a block \
are more.
4. **Idle cores**: After ply {few} there are fewer tasks than cores, and those plies take \
{figures(alone)} hours.
5. **The driver** alone reads and hashes the reached rows: {figures(hashing)} hours, more than the \
{figures(hours)} of the plan, and again to resume.
6. **Files**: Each task lists the files of its ply, up to \
{max(ply.rows for ply in today) // PIECES:,}.
"""


if __name__ == "__main__":
    rewrite(PAGE, render)
