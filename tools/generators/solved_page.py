"""The generator of the tables of ``docs/solved.md``, from ``queries/reference/solved.csv``.

Run as ``python -m tools.generators.solved_page`` (``make solved``).
"""

import re
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from marubatsu.engine.large.index import rows_of_plies
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.cost_estimate import estimate
from marubatsu.pipeline.support.machine import amount
from marubatsu.pipeline.tables.output import Rows, to_markdown
from tools.generators.run_pages import CHECKOUT, rewrite, with_parts
from tools.solved_games import SolvedGame, comparable, from_elsewhere, quantity_of, read

PAGE = CHECKOUT / "docs" / "solved.md"

AHEAD = "connect4"
"""The game whose cost the page estimates, because it is not solved."""

_RESULTS = {1: "circle wins in {} plies", 0: "draw", -1: "cross wins in {} plies"}
"""The result of best play by its score."""

_MACHINE = "2 cores, 25 GB"
"""The machine of all rows of ``solved.csv``; ``, busy`` follows where others used it."""


def render(page: str) -> str:
    """Return the page with its tables."""
    solved = list(read().values())
    results = (
        "game", "best play", "positions", "classes", "circle wins", "draw", "cross wins",
        "checked by",
    )  # fmt: skip
    costs = ("game", "rows of the index", "bytes", "seconds", "megabytes")
    return with_parts(
        page,
        results=_table(results, [_result(row) for row in solved]),
        known=_table(("what agrees", "source", "games"), _known(solved)),
        games=_table(
            ("game", "games"),
            [(f"`{row.game}`", f"{int(row.games):,}") for row in solved if row.games],
        ),
        costs=_table(costs, [_cost(row) for row in solved if row.seconds >= 1]),
        ahead=_ahead(solved),
    )


def _result(row: SolvedGame) -> Sequence[str]:
    counts = (row.positions, row.classes, row.won_by_circle, row.drawn, row.won_by_cross)
    return [
        f"`{row.game}`",
        _RESULTS[row.score].format(row.distance),
        *(f"{count:,}" for count in counts),
        row.checked or "not yet",
    ]


def _known(solved: Sequence[SolvedGame]) -> list[Sequence[str]]:
    games: dict[tuple[str, str], list[str]] = {}
    by_source = attrgetter("source")
    for row in solved:
        known = from_elsewhere(comparable(Game(row.game)))
        for source, of in groupby(sorted(known, key=by_source), by_source):
            what = ", ".join(dict.fromkeys(map(quantity_of, of)))
            games.setdefault((what, source), []).append(f"`{row.game}`")
    return [(*agreed, ", ".join(names)) for agreed, names in games.items()]


def _cost(row: SolvedGame) -> Sequence[str]:
    return [
        f"`{row.game}`",
        f"{row.rows:,}",
        f"{row.bytes:,}",
        _seconds(row) + "\\*" * (row.machine == f"{_MACHINE}, busy"),
        f"{row.megabytes:,}",
    ]


def _ahead(solved: Sequence[SolvedGame]) -> str:
    game = Game(AHEAD)
    expected, rows = estimate(game), sum(rows_of_plies(game))
    largest = max((row for row in solved if Game(row.game).gravity), key=attrgetter("rows"))
    hours = rows / largest.rows * largest.seconds / 3600
    return f"""\
`{AHEAD}` has {rows:,} rows of the index. A machine that holds two plies in memory would
need {amount(expected.memory)} of memory and up to {amount(expected.disk)} of disk, with less memory
more disk and time. If a row takes as long as in `{largest.game}`, 2 cores would need {hours:.0f}
hours. [7x6 as a plan](seven-by-six.md) is about a cluster.
"""


def _seconds(row: SolvedGame) -> str:
    return f"{row.seconds:,.1f}" if row.seconds < 10 else f"{row.seconds:,.0f}"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table whose columns of numbers stand to the right."""
    head, _, *lines = to_markdown(Rows(columns, rows)).splitlines(keepends=True)
    are_numbers = [
        all(re.match(r"\d", cell) for cell in cells) for cells in zip(*rows, strict=True)
    ]
    rule = "|" + "|".join("---:" if numbers else "---" for numbers in are_numbers) + "|\n"
    return "".join([head, rule, *lines])


if __name__ == "__main__":
    rewrite(PAGE, render)
