"""Compare every number known from elsewhere with what was built and solved here.

The macro `quantities` defines each quantity, for tables and solutions; the view
`table_quantities` adds those that only tables have. Where a game has both, both must agree.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size import is_large
from marubatsu.pipeline.checking.inventory import KnownCount, known_counts
from marubatsu.pipeline.solving.cost_estimate import estimate
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.solving.node_counts import PlyCount, count_nodes
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.sql.query_files import lookup
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.stage import TREE_STAGES, stages_of
from marubatsu.pipeline.stages.usable import parts_of
from marubatsu.pipeline.support.cures import Cure
from marubatsu.pipeline.support.errors import BusyError, DataError, UsageError
from marubatsu.pipeline.support.progress import Advance
from marubatsu.pipeline.tables.data_set import DataSet, Solution
from marubatsu.pipeline.tables.solved_schemas import SOLUTION

AGREES, DIFFERS, NOT_THERE, FAILED = "agrees", "differs", "not there", "failed"

_TABLES = frozenset({"positions", "classes", "moves"})
_OF_NODES = ("nodes", "games")

Counts = dict[tuple[str, int | None], int]
"""The counts of a game here, by quantity and ply, None for all plies."""


class Anchor(NamedTuple):
    """One known count and our count; ``found`` is None where nothing counts it."""

    game: str
    quantity: str
    ply: int | None
    expected: int
    found: int | None
    agreement: str
    source: str
    note: str


def games_of(names: Sequence[str]) -> list[Game]:
    """List games with known counts from small to large: all, or those with the given names.

    Raises UsageError for a game without known counts.
    """
    games = {count.game for count in known_counts()}
    named = {Game(name) for name in names}
    for game in named - games:
        raise UsageError(f"no number of {game.name} is published elsewhere: {Cure('known games')}")
    return sorted(named or games, key=lambda game: (game.cells, game.notation))


def compare(
    root: Path,
    games: Sequence[Game],
    memory: int,
    *,
    progress: Callable[[float, str], None] = lambda share, note: None,
) -> list[Anchor]:
    """Compare every known count of some games.

    All counts of a game fail when a file is damaged or counting takes more than ``memory`` bytes;
    their note says why.
    """
    counts: dict[Game, list[KnownCount]] = defaultdict(list)
    for entry in known_counts():
        counts[entry.game].append(entry)
    anchors: list[Anchor] = []
    for number, game in enumerate(games):
        progress(number / len(games), game.name)
        try:
            places = _find(root, game, counts[game], memory)
            lacking, why = NOT_THERE, _cure(DataSet(root, game), places)
        except BusyError:
            raise
        except DataError as error:
            places, lacking, why = {}, FAILED, str(error)
        anchors += [_anchor(count, places, lacking, why) for count in counts[game]]
    return anchors


def summary(anchors: Sequence[Anchor]) -> str:
    """Say in a sentence how many counts agree, and what to do about the others."""
    by_agreement: dict[str, list[Anchor]] = defaultdict(list)
    for anchor in anchors:
        by_agreement[anchor.agreement].append(anchor)
    parts = [f"{len(by_agreement[AGREES]):,} of {len(anchors):,} agree"]
    if differ := by_agreement[DIFFERS]:
        parts.append(f"{len(differ):,} different")
    for agreement in (FAILED, NOT_THERE):
        if others := by_agreement[agreement]:
            notes = ", ".join(dict.fromkeys(anchor.note for anchor in others))
            parts.append(f"{len(others):,} {agreement}: {notes}")
    return ", ".join(parts)


def _anchor(expected: KnownCount, places: dict[str, Counts], lacking: str, why: str) -> Anchor:
    """Compare a count; where no place has it, its agreement is ``lacking``, and the note why."""
    key = expected.quantity, expected.ply
    counts = {place: counts[key] for place, counts in places.items() if key in counts}
    wrong = [count for count in counts.values() if count != expected.count]
    there = wrong[0] if wrong else expected.count if counts else None
    agreement = DIFFERS if wrong else AGREES if counts else lacking
    note = "" if counts else why
    if len(set(counts.values())) > 1:
        note = ", ".join(f"{place}: {count}" for place, count in counts.items())
    return Anchor(
        expected.game.name, expected.quantity, expected.ply, expected.count, there, agreement,
        expected.source, note,
    )  # fmt: skip


def _find(root: Path, game: Game, expected: list[KnownCount], memory: int) -> dict[str, Counts]:
    places: dict[str, Counts] = {}
    if not any(part.has_manifest for part in parts_of(root, game)):
        return places
    with open_catalog(DataSet(root, game), memory=memory // 2) as catalog:
        if catalog.tables >= _TABLES:
            places["tables"] = _counts(catalog, "counts_of_tables")
        if SOLUTION.name in catalog.tables:
            if any(count.quantity.startswith(_OF_NODES) for count in expected):
                _count_nodes(catalog, memory // 2)
            places["solution"] = _counts(catalog, "counts_of_solution")
    return places


def _counts(catalog: Catalog, name: str) -> Counts:
    rows = catalog.ask(lookup(name)).rows
    return {(quantity, ply): count for quantity, ply, count in rows}


def _count_nodes(catalog: Catalog, memory: int) -> None:
    """Count the nodes of a solution outside SQL, and add them as a view for the queries."""
    import pyarrow as pa

    solution = catalog.data_set.sibling(Solution)
    counts = list(count_nodes(solution, catalog.opened[Solution.part], memory))
    nodes = pa.array([Decimal(count.nodes) for count in counts], pa.decimal128(38, 0))
    columns = {name: [getattr(count, name) for count in counts] for name in PlyCount._fields}
    catalog.replace("solution_nodes", pa.table({**columns, "nodes": nodes}))


def _cure(data_set: DataSet, places: dict[str, Counts]) -> str:
    if "tables" not in places and not is_large(data_set.game):
        return str(data_set.cure("make"))
    if "solution" not in places:
        return str(data_set.sibling(Solution).cure("make"))
    return "no query counts it"


def make(root: Path, game: Game, seconds: float, memory: int, progress: Advance) -> list[str]:
    """Build the tables of a small game, and solve a game that takes at most so long by estimate.

    Return why it cannot be done, as sentences.
    """
    expected = estimate(game, memory)
    try:
        if not is_large(game):
            stages = stages_of(game, TREE_STAGES)
            build(DataSet(root, game), stages, progress=progress)
        if expected.seconds <= seconds:
            solve(
                root, game, memory, expected=expected,
                progress=lambda what, share, rows: progress(share, what),
            )  # fmt: skip
    except DataError as error:
        return [str(error)]
    return []
