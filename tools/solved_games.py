"""The solved games, ``queries/reference/solved.csv``: the contents of each solution, and its cost.

Scores and winners are from circle's view. `counts_of` names the quantities of ``known_counts.csv``
and counts them from the table ``value_counts`` of a solution, without SQL. That table of the
largest games is kept in ``queries/reference/value_counts/``.
"""

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TypeVar, get_type_hints

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.checking.inventory import KnownCount, known_counts
from marubatsu.pipeline.checking.verify import verify
from marubatsu.pipeline.solving.node_counts import count_nodes
from marubatsu.pipeline.solving.solution_files import read_value_counts
from marubatsu.pipeline.stages.usable import require_intact
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.resources import REFERENCE, reference_rows
from marubatsu.pipeline.tables.data_set import Solution
from marubatsu.pipeline.tables.solved_schemas import BLOCKS, VALUE_COUNTS

Kind = TypeVar("Kind")

FILE = REFERENCE / "solved.csv"
VALUES = REFERENCE / "value_counts"

_KEPT = 20_000_000_000
"""Classes of a game whose table ``value_counts`` is kept in VALUES: few will solve it again."""

_SCORES = {1: "+1", 0: "0", -1: "-1"}
_RESULTS = {1: "won by circle", 0: "drawn", -1: "won by cross"}
_THINGS = ("classes", "positions")
_QUANTITIES = {"value"}.union(
    *(
        {
            things, f"finished {things}", f"unfinished {things}",
            *(f"{things} with score {score}" for score in _SCORES.values()),
            *(f"finished {things} {result}" for result in _RESULTS.values()),
        }
        for things in _THINGS
    )
)  # fmt: skip
"""The quantities in the counts of values of a solution."""

Counts = Counter[tuple[str, int | None]]
"""Counts by quantity and ply; the ply is None for all plies."""


@dataclass(frozen=True)
class SolvedGame:
    """A row of the file."""

    game: str
    rows: int  # of the index: classes, and rows that no class takes
    classes: int
    positions: int
    won_by_circle: int  # positions, with best play of both sides
    drawn: int
    won_by_cross: int
    score: int  # of the empty board
    distance: int  # plies of the whole game
    games: str  # how many can be played; empty where they are not counted
    bytes: int  # of all files
    seconds: float  # wall clock, of the whole process
    megabytes: int  # its peak memory, with the files that it maps
    machine: str
    checked: str  # the second derivation of the values; empty without one


def read() -> dict[str, SolvedGame]:
    """Read the file; return its rows by the names of their games."""
    return {row.game: row for row in records(FILE, SolvedGame)}


def records(path: Path, kind: Callable[..., Kind]) -> list[Kind]:
    """Read the rows of a file in ``queries/reference`` as a dataclass has them."""
    kinds = get_type_hints(kind)
    rows = reference_rows(path.stem)
    return [kind(**{name: kinds[name](text) for name, text in row.items()}) for row in rows]


def write(rows: Iterable[SolvedGame]) -> None:
    """Write the file: games of one kind together, the small ones first."""
    with FILE.open("w", encoding="utf-8", newline="") as file:
        names = [each.name for each in fields(SolvedGame)]
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in sorted(rows, key=_place))


def row_of(
    solution: Solution, *, seconds: float, megabytes: int, machine: str, checked: str
) -> SolvedGame:
    """Read the row of a solved game from its files.

    Raises DataError when they are missing, damaged or of another version, or when a number differs
    from a known one.
    """
    with solution.lock(write=False):
        for problem in verify(solution):  # It opens one file at a time, of any number.
            raise DataError(str(problem), solution.cure())
        manifest = solution.manifest()
        assert manifest
        value_counts = read_value_counts(solution).to_pylist()
        counts = counts_of(value_counts)
        if not solution.game.gravity:
            counts["games", None] = games_of(solution)
    require_agreement(solution.game, counts)
    tables = {BLOCKS.file, VALUE_COUNTS.file}
    return SolvedGame(
        game=solution.game.name,
        rows=sum(entry.rows for file, entry in manifest.files.items() if file not in tables),
        classes=counts["classes", None],
        positions=counts["positions", None],
        won_by_circle=counts["positions with score +1", None],
        drawn=counts["positions with score 0", None],
        won_by_cross=counts["positions with score -1", None],
        score=counts["value", None],
        distance=value_counts[0]["distance"],
        games=str(counts["games", None] or ""),
        bytes=manifest.size,
        seconds=round(seconds, 1),
        megabytes=megabytes,
        machine=machine,
        checked=checked,
    )


def keep_value_counts(solution: Solution, row: SolvedGame) -> None:
    """Write the table ``value_counts`` of a very large game into VALUES."""
    if row.classes < _KEPT:
        return
    VALUES.mkdir(exist_ok=True)
    with solution.lock(write=False):
        table = read_value_counts(solution)
    with (VALUES / f"{row.game}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.column_names)
        writer.writerows(each.values() for each in table.to_pylist())


def counts_of(value_counts: Iterable[Mapping[str, int]]) -> Counts:
    """Count classes and positions by score and result, at each ply and in all."""
    counts: Counts = Counter()
    for row in value_counts:
        ply, circle_moves = row["ply"], row["ply"] % 2 == 0
        score = row["score_mover"] if circle_moves else -row["score_mover"]
        if ply == 0:
            counts["value", None] = score
        for things in _THINGS:
            kinds = [things, f"{things} with score {_SCORES[score]}"]
            if row["distance"]:
                kinds.append(f"unfinished {things}")
            else:
                kinds += [f"finished {things}", f"finished {things} {_RESULTS[score]}"]
            for kind in kinds:
                counts[kind, ply] += row[things]
                counts[kind, None] += row[things]
    return counts


def games_of(solution: Solution) -> int:
    """Count the games without gravity that can be played, in one pass over the solution.

    The caller holds the lock. With gravity there would be many passes.
    """
    counts = count_nodes(solution, require_intact(solution), memory=0)
    return sum(count.nodes for count in counts if count.status != "playing")


def comparable(game: Game) -> list[KnownCount]:
    """List the known counts of a game that its row is compared with."""
    quantities = _QUANTITIES if game.gravity else {*_QUANTITIES, "games"}
    return [row for row in known_counts() if row.game == game and row.quantity in quantities]


def require_agreement(game: Game, counts: Counts) -> None:
    """Raise DataError when a count differs from a known one."""
    for row in comparable(game):
        found = counts[row.quantity, row.ply]
        if found != row.count:
            at = "" if row.ply is None else f" at ply {row.ply}"
            raise DataError(
                f"the solution of {game.name} has {row.quantity}{at}: {found:,}, expected "
                f"{row.count:,} ({row.source}): solve it again, and check it"
            )


def from_elsewhere(known: Iterable[KnownCount]) -> list[KnownCount]:
    """Leave out the counts that only this project has derived."""
    return [
        row
        for row in known
        if not all(part.startswith("recomputed") for part in row.source.split("; "))
    ]


def quantity_of(row: KnownCount) -> str:
    """Name the quantity of a known count."""
    return row.quantity if row.ply is None else f"{row.quantity} by ply"


def _place(row: SolvedGame) -> tuple[bool, bool, bool, int, str]:
    game = Game(row.game)
    return game.gravity, game.torus, game.misere, game.cells, game.notation
