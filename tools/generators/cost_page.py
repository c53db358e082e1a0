"""The costs of both engines in ``docs/large-games.md``, from what was measured.

``python -m tools.generators.cost_page`` writes them. ``python -m tools.benchmarks.bench_spark``
prints the rows of `MEASURED`.
"""

from dataclasses import dataclass

from marubatsu.pipeline.tables.output import Rows, to_markdown
from tools.generators.run_pages import CHECKOUT, rewrite, with_parts

PAGE = CHECKOUT / "docs" / "large-games.md"

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


def render(page: str) -> str:
    """Return the page with the measured rates."""
    engines = {name: Rates.of(name) for name in ("local", "spark")}
    local, spark = engines.values()
    head = ("engine", "classes a core-second", "bytes kept", "bytes on disk", "bytes shuffled")
    rates = [
        [engine, f"{1 / of.core_seconds:,.0f}", f"{of.kept:.2f}", f"{of.disk:.1f}",
         f"{of.shuffled:.1f}"]
        for engine, of in engines.items()
    ]  # fmt: skip
    costs = f"""\
Measured with {LARGE} on {MACHINE}:

{to_markdown(Rows(head, rates))}
Bytes are per class: of the solution, of its folder during the run, and compressed between tasks. \
Spark takes {spark.core_seconds / local.core_seconds:.0f} times as many core-hours: use it for \
games that do not fit one machine.
"""
    return with_parts(page, costs=costs)


if __name__ == "__main__":
    rewrite(PAGE, render)
