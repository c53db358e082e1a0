"""The generator of ``docs/seven-by-six.md``: what a Spark cluster would need to solve 7x6.

``python -m tools.generators.plan_page`` writes the page. The model has a rate for a row of the
index and one for a class, fitted to the plies of a solved game. ``python -m
tools.benchmarks.bench_tasks`` prints them as `MEASURED`, and `cost_page` has what Spark adds.
Rows, blocks and copies are exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

from marubatsu.engine.large.arrays import Ply, Rules, ply_of, rules_of
from marubatsu.engine.large.index import Index, rows_of_plies
from marubatsu.engine.large.links import neighbours_of
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Longs
from marubatsu.engine.rules.size import estimate_positions_by_ply
from marubatsu.pipeline.solving.spark_engine import MOST_ROWS, rows_of_chunk, rows_of_group
from marubatsu.pipeline.support.machine import amount
from marubatsu.pipeline.tables.output import Rows, to_markdown
from marubatsu.pipeline.tables.solution_parts import MOST_PARTS
from tools.generators.cost_page import CORES, MACHINES, SYMMETRIES, figures
from tools.generators.cost_page import MEASURED as RUNS
from tools.generators.cost_page import Measured as Run
from tools.generators.run_pages import CHECKOUT
from tools.solved_games import read

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


@dataclass(frozen=True)
class Rate:
    """The cost of a row of the index and of a class, and the sum that was measured."""

    row: float
    of_class: float
    total: float

    def of(self, rows: float, classes: float) -> float:
        """Return the cost of so many."""
        return self.row * rows + self.of_class * classes


@dataclass(frozen=True)
class Measured:
    """A row that the benchmark prints: seconds of a core, and bytes."""

    forward: Rate
    backward: Rate
    encoding: Rate
    driver: Rate  # the hash of the rows that play reaches, which the driver derives alone
    reached: Rate  # bytes of the files that list which rows play reaches
    kept: Rate  # bytes of the parts
    sent: int  # bytes between tasks, not compressed
    most: int  # bytes that one task received

    @property
    def seconds(self) -> float:
        """The processor time of the tasks."""
        return self.forward.total + self.backward.total + self.encoding.total


MEASURED = {
    "5x5k4-gravity": Measured(
        forward=Rate(7.99e-09, 0, total=0.839287),
        backward=Rate(1.05e-08, 4.78e-08, total=2.63132),
        encoding=Rate(1.13e-08, 2.62e-08, total=2.01539),
        reached=Rate(0.0155, 0.0574, total=3.39062e06),
        kept=Rate(0, 0.282, total=1.02627e07),
        driver=Rate(8.43e-10, 0, total=0.0805584),
        sent=113328780,
        most=6682650,
    ),
    "5x6k4-gravity": Measured(
        forward=Rate(8.62e-09, 0, total=24.7302),
        backward=Rate(4.7e-09, 6.83e-08, total=50.0224),
        encoding=Rate(1.07e-08, 2.23e-08, total=42.7902),
        reached=Rate(0.00681, 0.0582, total=4.96929e07),
        kept=Rate(0.003, 0.237, total=1.38799e08),
        driver=Rate(3.7e-10, 0, total=1.05988),
        sent=5853128963,
        most=40981985,
    ),
}

SMALL, LARGE = "5x5k4-gravity", "5x6k4-gravity"
TESTS = ((LARGE, SMALL), (SMALL, LARGE))  # games, and the game by whose rates each is predicted

SOLVED = (
    "7x4k4-gravity", "6x5k4-gravity", "5x7k4-gravity", "7x5k4-gravity", "6x6k4-gravity",
)  # fmt: skip
"""Games of ``solved.csv``, for the local engine by the rates of `LARGE`."""


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
    """Return the different ones of some numbers, none negative."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=-1) > 0]


@dataclass(frozen=True)
class Costs:
    """The costs of solving a game by the rates of another: hours of a core, and bytes."""

    forward: float
    backward: float
    encoding: float
    spark: float  # the overhead of Spark for its bytes
    driver: float  # one core alone
    kept: float
    reached: float
    shuffled: float

    @property
    def tasks(self) -> float:
        """Hours without Spark: those of the local engine."""
        return self.forward + self.backward + self.encoding

    @property
    def total(self) -> float:
        """Hours of all cores but the driver's."""
        return self.tasks + self.spark


def costs(rows: float, classes: float, received: float, rates_of: str) -> Costs:
    """Predict a game, or a ply of it, by the measured rates of another game."""
    by, started = MEASURED[rates_of], _run("spark", "tictactoe")
    run = _run("spark", rates_of)
    added = run.core_seconds - started.core_seconds - by.seconds
    return Costs(
        forward=by.forward.of(rows, classes) / 3600,
        backward=by.backward.of(rows, classes) / 3600,
        encoding=by.encoding.of(rows, classes) / 3600,
        spark=added / by.sent * received / 3600,
        driver=by.driver.of(rows, classes) / 3600,
        kept=by.kept.of(rows, classes),
        reached=by.reached.of(rows, classes),
        shuffled=run.shuffled / by.sent * received,
    )


def costs_of(name: str, rates_of: str, *, is_cut: bool = False) -> Costs:
    """Predict a whole game by the measured rates of another one."""
    plies = plies_of(name, is_cut=is_cut)
    received = sum(ply.received for ply in plies)
    return costs(sum(rows_of_plies(Game(name))), sum(classes_of_plies(name)), received, rates_of)


def _run(engine: str, game: str) -> Run:
    return next(each for each in RUNS if (each.engine, each.game) == (engine, game))


def render() -> str:
    """Write the page."""
    plies = plies_of(GAME.notation, is_cut=True)
    total = costs_of(GAME.notation, LARGE, is_cut=True)
    each = [costs(ply.rows, ply.classes, ply.received, LARGE) for ply in plies]
    cores, longest = MACHINES * CORES, max(each, key=lambda ply: ply.total)
    hours = total.total / cores
    rate = longest.shuffled / MACHINES / (longest.total / cores * 3600)
    memory = max(ply.memory for ply in plies)
    blocks = "\n".join(_shown(plies[number], each[number]) for number in SHOWN)
    return f"""\
# 7x6 as a plan

What would a Spark cluster need to solve `connect4`, with distances? Today the engine refuses it, \
because a task takes whole *blocks* of the index: all arrangements with the same column heights. \
The plan cuts blocks into [*chunks*](#what-would-have-to-change) of {CUT:,} rows. \
[plan_page.py](../tools/generators/plan_page.py) computes all numbers.

## The plan

There are {sum(POSITIONS):,} positions, and {sum(ply.rows for ply in plies):,} rows of the index. \
We assume {MACHINES} machines of {CORES} cores, ${PRICE:.2f} for a core-hour, and that a machine \
fails once in {LIFE:,} hours.

- core-hours: forward {figures(total.forward)}, backward {figures(total.backward)}, \
encoding {figures(total.encoding)}, Spark itself {figures(total.spark)}
- {figures(hours)} hours, {figures(total.total * PRICE)} dollars
- {amount(total.kept)} kept, {amount(total.kept + total.reached)} of shared disk at once
- shuffled: {amount(total.shuffled)}, of these {amount(longest.shuffled)} in the longest ply
- network into each machine: {amount(rate)} a second
- memory of an executor's tasks: {amount(CORES * memory)}
- hours of the longest ply: {figures(longest.total / cores)}
- machines that fail in a run: {figures(MACHINES * hours / LIFE)}

A slower network would be the limit. If a worker fails, its tasks and those whose output it held \
run again: 1/{MACHINES} of a ply. If the driver fails, the ply runs again, because the journal \
notes parts after it. Local disks must hold two shuffles.

| ply | blocks | rows of a block | classes | shuffled | core-hours |
|---|---|---|---|---|---|
{blocks}

{_evidence()}
## What breaks first

In the engine of today:

{_breaks(plies_of(GAME.notation), total, hours)}
## What would have to change

1. **Chunks smaller than a block.** The rows of a block with the same marks in the three centre \
columns are a range of at most {comb(24, 12):,} rows. Each move leads from a range to one range, \
also after mirroring, as a test shows on 3x3 and 4x3. So a chunk can be some ranges, and a task \
needs only theirs.
2. **Hashes** of reached rows by the tasks.
3. **More parts**, in folders of few files.
4. **A journal by chunk.**
"""


def _evidence() -> str:
    rows_of_class = sum(rows_of_plies(GAME)) * SYMMETRIES / sum(POSITIONS)
    large = read()[LARGE]
    columns = ("game", "task seconds", "with Spark", "shuffled", "kept")
    compared = to_markdown(Rows(columns, [_compared(game, by) for game, by in TESTS]))
    solved = to_markdown(Rows(("game", "seconds", "kept"), [*map(_compared_solved, SOLVED)]))
    return f"""\
## Prediction and measurement

`python -m tools.benchmarks.bench_tasks` runs driver and tasks without Spark, and fits the cost of \
a row and of a class. *Predicted / measured*, by the costs in the other game:

{compared}
The local engine by the costs in {LARGE}, and [solved.csv](solved.md#repeat-it):

{solved}
Here, predictions are off by a factor of up to 2. For 7x6 the factor may be greater: its index has \
{rows_of_class:.0f} rows for each class, that of {LARGE} {large.rows / large.classes:.1f}, and we \
did not measure a cluster of {MACHINES * CORES} cores.
"""


def _breaks(today: Sequence[PlyPlan], total: Costs, hours: float) -> str:
    refused = next(ply for ply in today if ply.size > MOST_ROWS)
    tight = next(ply for ply in today if ply.memory * CORES > MEMORY)
    long = next(ply for ply in today if ply.size / 8 > LARGEST_MESSAGE)
    few = next(ply.ply for ply in reversed(today) if ply.chunks >= MACHINES * CORES)
    alone = [
        costs(ply.rows, ply.classes, ply.received, LARGE).total / ply.chunks
        for ply in today[few + 1 :]
    ]
    return f"""\
1. **Blocks**: A task takes at most {MOST_ROWS:,} rows. From ply {refused.ply} on, a block has \
more; the only one of ply {today[-1].ply} has {today[-1].size:,}.
2. **Memory**: Even without that limit, {CORES} tasks of ply {tight.ply} take \
{amount(CORES * tight.memory)}, but a machine has {amount(MEMORY)}; the last task takes \
{amount(today[-1].memory)}. Tasks grow, because a ply has at most {MOST_PARTS:,} parts.
3. **Messages**: PySpark sends at most 2 GB at once. From ply {long.ply} on, the bits of a block \
are more.
4. **Idle cores**: After ply {few} there are fewer tasks than cores, and those plies take \
{figures(sum(alone))} hours.
5. **The driver** alone reads and hashes the reached rows: {figures(total.driver)} hours, more \
than the {figures(hours)} of the plan, and again to resume.
6. **Files**: Each task lists the files of its ply, up to \
{max(ply.rows for ply in today) // PIECES:,}.
"""


def _compared(name: str, rates_of: str) -> list[str]:
    expected, measured = costs_of(name, rates_of), MEASURED[name]
    run, start = _run("spark", name), _run("spark", "tictactoe")
    return [
        name,
        f"{expected.tasks * 3600:.1f} / {measured.seconds:.1f}",
        f"{expected.total * 3600 + start.core_seconds:.0f} / {run.core_seconds:.0f}",
        f"{amount(expected.shuffled)} / {amount(run.shuffled)}",
        f"{amount(expected.kept)} / {amount(measured.kept.total)}",
    ]


def _compared_solved(name: str) -> list[str]:
    solved = read()[name]
    expected = costs(solved.rows, solved.classes, 0, LARGE)
    return [
        name,
        f"{expected.tasks * 3600 / 2:.0f} / {solved.seconds:.0f}",  # on two cores
        f"{amount(expected.kept)} / {amount(solved.bytes)}",
    ]


def _shown(ply: PlyPlan, cost: Costs) -> str:
    return (
        f"| {ply.ply} | {ply.blocks:,} | {ply.size:,} | {ply.classes:.2g} | "
        f"{amount(cost.shuffled)} | {figures(cost.total)} |"
    )


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
