"""The generator of ``docs/solved.md`` and of the short table in both READMEs, from ``solved.csv``.

Run as ``python -m tools.generators.solved_page`` (``make solved``).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size import describe
from marubatsu.pipeline.checking.inventory import KnownCount
from marubatsu.pipeline.solving.cost_estimate import estimate
from marubatsu.pipeline.support.machine import amount
from marubatsu.pipeline.tables.output import Rows, to_markdown
from tools.generators.run_pages import CHECKOUT, JAPANESE, README
from tools.solved_games import SolvedGame, comparable, from_elsewhere, quantity_of, read

PAGE = CHECKOUT / "docs" / "solved.md"

AHEAD = (
    "5x5k3", "5x5k4", "5x5k5", "6x4k3", "6x4k4", "5x6k4-gravity", "7x4k4-gravity",
    "6x5k4-gravity", "5x7k4-gravity", "7x5k4-gravity", "6x6k4-gravity", "connect4",
)  # fmt: skip
"""Larger games whose cost the page estimates as long as they are not solved."""

LEAST_CLASSES = 100_000_000
"""The classes of the smallest game in the READMEs."""

_INTRODUCTION = """\
# What is solved here

`marubatsu solve` has solved these games strongly: it found the value of every position that play
can reach, and how many plies the game lasts from there.
[solved.csv](../queries/reference/solved.csv) has these numbers for programs, and `make solved`
writes this page from it.

The columns *circle wins*, *draw* and *cross wins* count positions by their value: both sides play
their best moves from there. *Checked by* names what derived values a second time. *SQL* is
`marubatsu check`, and the *C checker* is a program that shares no code with the engine: they derive
all values. *Search* derives those of some positions, drawn at random, and of all their moves.
"""

_KNOWN = """\
## KnownCount before

These numbers come from elsewhere, and the solutions agree with each of them.
[known_counts.csv](../queries/reference/known_counts.csv) holds them. We found the other counts of
positions and classes nowhere else. Some other results of best play, such as the draw of 5x5k5, are
known from the literature; the list does not have them.
"""

_GAMES = """\
## How many games can be played

Two orders of the same moves are two games. Without gravity, one pass over a solution counts them:
until a side completes its run, each side may have set its marks in any order. With gravity the
columns restrict the orders, so `marubatsu anchors` counts move by move, and only for small games.
"""

_REPEAT = """\
## Repeat it

```sh
marubatsu solve GAME --estimate                   # time, disk and memory on your machine
marubatsu solve GAME --data FOLDER --memory 4GB   # with less memory, files take its place
marubatsu check GAME --data FOLDER                # derive every value again in SQL
cc -O2 -o check tools/checker/check.c             # the C checker, in a checkout
marubatsu export GAME --raw --data FOLDER | ./check -
python -m tools.checker.search_sample GAME --data FOLDER --sample 300
```

In a checkout, `python -m tools.benchmarks.solve_results GAME --data FOLDER` prints the estimate,
solves the game, measures the run, and writes the row of the game in `solved.csv`.

The *index* is the formula that gives each class a row ([Large games](large-games.md)). *Disk* and
*memory* are the estimate before the start. *Bytes* is the size of the files that stay, *megabytes*
the peak memory of the process, with the files that it maps. *Seconds* are wall-clock time. *Busy*
means that other programs used the cores too.
"""

_AHEAD = """\
## Larger games

The engine takes these games too. `make solved` calculates the hours for the machine of the table
above. It takes the speed of the largest solved game of the same kind, with gravity or without. The
estimate of a misère game is that of its normal form. When the disk has too little room, `solve`
refuses: it says how much the game takes and how much is left.
"""


@dataclass(frozen=True)
class Words:
    """The words of the short table in one language."""

    columns: tuple[str, ...]
    results: Mapping[int, str]  # by the score; ``{}`` stands for the plies


ENGLISH = Words(
    ("larger game", "best play", "positions", "classes", "seconds to solve it on 2 cores"),
    {1: "circle wins in {} plies", 0: "draw", -1: "cross wins in {} plies"},
)
IN_JAPANESE = Words(
    ("大きなゲーム", "双方が最善を尽くした結果", "局面の数", "対称形のグループの数",
     "2 コアで解くのにかかる秒数"),
    {1: "{} 手で〇の勝ち", 0: "引き分け", -1: "{} 手で×の勝ち"},  # noqa: RUF001, the sign of the game
)  # fmt: skip


def render() -> str:
    """Write the page."""
    solved = list(read().values())
    return "\n".join(_parts(solved))


def short_table(words: Words) -> str:
    """Write the table of the READMEs."""
    rows = [
        (
            f"`{row.game}`",
            words.results[row.score].format(row.distance),
            f"{row.positions:,}",
            f"{row.classes:,}",
            _seconds(row),
        )
        for row in read().values()
        if row.classes >= LEAST_CLASSES
    ]
    return _table(words.columns, rows)


def with_table(readme: str, words: Words) -> str:
    """Return a README with the short table in the place of the one that it has."""
    old = re.compile(rf"^\| {re.escape(words.columns[0])} \|.*\n(?:\|.*\n)+", re.MULTILINE)
    return old.sub(lambda _: short_table(words), readme)


def _parts(solved: Sequence[SolvedGame]) -> Iterator[str]:
    yield _INTRODUCTION
    results = (
        "game", "best play", "positions", "classes", "circle wins", "draw", "cross wins",
        "checked by",
    )  # fmt: skip
    yield _table(results, [_result(row) for row in solved])
    yield _KNOWN
    yield _table(("game", "what agrees", "source"), _known(solved))
    yield _GAMES
    yield _table(
        ("game", "games"), [(f"`{row.game}`", f"{int(row.games):,}") for row in solved if row.games]
    )
    yield _REPEAT
    costs = (
        "game", "rows of the index", "disk", "memory", "bytes", "bytes a class", "seconds",
        "megabytes", "machine",
    )  # fmt: skip
    yield _table(costs, [_cost(row) for row in solved])
    yield _AHEAD
    yield _table(("game", "rows of the index", "disk", "memory", "hours"), _ahead(solved))


def _result(row: SolvedGame) -> Sequence[str]:
    counts = (row.positions, row.classes, row.won_by_circle, row.drawn, row.won_by_cross)
    return [
        f"`{row.game}`",
        ENGLISH.results[row.score].format(row.distance),
        *(f"{count:,}" for count in counts),
        row.checked or "not yet",
    ]


def _known(solved: Sequence[SolvedGame]) -> list[Sequence[str]]:
    """List what agrees with each source, game by game."""
    rows: list[Sequence[str]] = []
    for row in solved:
        known = from_elsewhere(comparable(Game(row.game)))
        for source, of in groupby(sorted(known, key=_source), _source):
            rows.append((f"`{row.game}`", ", ".join(dict.fromkeys(map(quantity_of, of))), source))
    return rows


def _source(known: KnownCount) -> str:
    return known.source


def _cost(row: SolvedGame) -> Sequence[str]:
    expected = estimate(Game(row.game))
    return [
        f"`{row.game}`",
        f"{row.rows:,}",
        amount(expected.disk),
        amount(expected.memory),
        f"{row.bytes:,}",
        f"{row.bytes / row.classes:.2f}",
        _seconds(row),
        f"{row.megabytes:,}",
        row.machine,
    ]


def _ahead(solved: Sequence[SolvedGame]) -> list[Sequence[str]]:
    """Estimate the games that are not solved."""
    rows: list[Sequence[str]] = []
    for name in AHEAD:
        game = Game(name)
        if name in {row.game for row in solved}:
            continue
        alike = (row for row in solved if Game(row.game).gravity == game.gravity)
        largest = max(alike, key=lambda row: row.rows)
        expected = estimate(game)
        hours = expected.rows / largest.rows * largest.seconds / 3600
        rows.append((
            f"`{name}`", describe(expected.rows).removeprefix("about "), amount(expected.disk),
            amount(expected.memory), f"{hours:,.1f}",
        ))  # fmt: skip
    return rows


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
    PAGE.write_text(render(), encoding="utf-8")
    for path, words in ((README, ENGLISH), (JAPANESE, IN_JAPANESE)):
        text = path.read_text(encoding="utf-8")
        path.write_text(with_table(text, words), encoding="utf-8")
