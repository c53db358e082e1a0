"""The cost of solving, calculated from measured rates: the last section of docs/large-games.md.

``python -m tools.generators.cost_page`` prints the section. ``python -m
tools.benchmarks.bench_spark`` prints the rates in `MEASURED`.
"""

from dataclasses import dataclass

from marubatsu.engine.rules.bounds import arrangements
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.support.machine import amount
from marubatsu.pipeline.tables.output import Rows, to_markdown
from tools.solved_games import read

MACHINE = "a virtual machine with 2 cores of an AMD EPYC, 25 GB, Java 17 and Spark 4.3.0"


@dataclass(frozen=True)
class Measured:
    """The cost of one run."""

    engine: str
    game: str
    classes: int
    core_seconds: float  # processor time of all its processes
    kept: int  # bytes of the solution
    disk: int  # most bytes of the unfinished solution
    shuffled: int  # bytes that Spark's tasks wrote for other tasks


MEASURED = (
    Measured("local", "tictactoe", 765, 1.7, 18713, 18713, 0),
    Measured("local", "5x5k4-gravity", 34888367, 5.4, 10289764, 13639421, 0),
    Measured("local", "5x6k4-gravity", 522196933, 86.3, 139051890, 187599327, 0),
    Measured("spark", "tictactoe", 765, 12.6, 18713, 18713, 1464),
    Measured("spark", "5x5k4-gravity", 34888367, 23.2, 10289764, 13680374, 44148738),
    Measured("spark", "5x6k4-gravity", 522196933, 207.7, 139051890, 189116761, 1630782142),
)
"""For each engine, a small game for the fixed cost of a run, and larger games."""

LARGE = max(MEASURED, key=lambda each: each.classes).game
POSITIONS = (10**12,)
SYMMETRIES = 2  # with gravity; without it up to 8, which divides the number of classes
MACHINES, CORES = 16, 16  # of the cluster in the table
LARGER = "5x7k4-gravity"  # a solved game with more rows of the index for each class


@dataclass(frozen=True)
class Rates:
    """The cost of a class on an engine."""

    core_seconds: float
    kept: float
    disk: float
    shuffled: float

    @classmethod
    def of(cls, engine: str) -> "Rates":
        """Take the measured rates of an engine: a large run minus a small one."""
        small, *_, large = sorted(
            (each for each in MEASURED if each.engine == engine), key=lambda each: each.classes
        )
        more = large.classes - small.classes
        return cls(
            core_seconds=(large.core_seconds - small.core_seconds) / more,
            kept=(large.kept - small.kept) / more,
            disk=(large.disk - small.disk) / more,
            shuffled=(large.shuffled - small.shuffled) / more,
        )


def rows_of_a_class(game: str) -> float:
    """Return how many rows of the index there are for each class of a solved game."""
    solved = read()[game]
    return solved.rows / solved.classes


def memory_of_a_class(game: str) -> float:
    """Return the bytes of memory for two plies, for each class of the longest ply."""
    return 2 * (rows_of_a_class(game) / 4 + 1)


def render() -> str:
    """Return the section."""
    engines = {name: Rates.of(name) for name in ("local", "spark")}
    local, spark = engines.values()
    head = ("engine", "classes a core-second", "bytes kept", "bytes on disk", "bytes shuffled")
    rates = [
        [engine, f"{1 / of.core_seconds:,.0f}", f"{of.kept:.2f}", f"{of.disk:.1f}",
         f"{of.shuffled:.1f}"]
        for engine, of in engines.items()
    ]  # fmt: skip
    columns = (
        "positions", "engine", "core-hours", "hours", "kept", "disk", "shuffled", "at once",
        "memory",
    )  # fmt: skip
    costs = [_cost(positions, *engine) for positions in POSITIONS for engine in engines.items()]
    return f"""\
## What it costs

Measured with {LARGE} on {MACHINE}:

{to_markdown(Rows(head, rates))}
Bytes are per class: of the solution, of its folder during the run, and compressed between tasks. \
The next table applies these rates to larger games: `local` on {CORES} cores, `spark` on \
{MACHINES} times as many. It assumes {SYMMETRIES} symmetries and {rows_of_a_class(LARGE):.1f} rows \
of the index for each class. With more rows, a game takes longer: {LARGER} has \
{rows_of_a_class(LARGER):.0f} ([measured](solved.md#repeat-it)).

{to_markdown(Rows(columns, costs))}
*At once* is what the longest ply shuffles, {100 * _longest():.0f} % of all, its share of the \
arrangements of connect4. \
*Memory* is two such plies, {memory_of_a_class(LARGE):.1f} bytes for each class of one. Spark \
takes {spark.core_seconds / local.core_seconds:.0f} times as many core-hours: use it for games \
that do not fit one machine. [7x6 as a plan](seven-by-six.md) \
also counts rows, of which 7x6 has many, and so finds more than twice the core-hours for it.
"""


def _cost(positions: int, engine: str, rates: Rates) -> list[str]:
    classes = positions / SYMMETRIES
    hours = classes * rates.core_seconds / 3600
    machines = MACHINES if engine == "spark" else 1
    longest = classes * _longest()
    return [
        f"{positions:.0e}".replace("e+", "e").replace("e0", "e"),
        engine,
        figures(hours),
        figures(hours / CORES / machines),
        amount(classes * rates.kept),
        amount(classes * rates.disk),
        amount(classes * rates.shuffled) if engine == "spark" else "",
        amount(longest * rates.shuffled) if engine == "spark" else "",
        amount(longest * memory_of_a_class(LARGE)) if engine == "local" else "",
    ]


def figures(number: float) -> str:
    """Write a number with two digits; an estimate has no more."""
    return f"{float(f'{number:.2g}'):,.15g}"


def _longest() -> float:
    ways = arrangements(Game("connect4"))
    return max(ways) / sum(ways)


if __name__ == "__main__":
    print(render(), end="")
