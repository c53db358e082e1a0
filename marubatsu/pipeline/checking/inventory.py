"""The games that are known, built or solved in a folder, with their sizes."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from marubatsu.engine.kernels.exact_layout import is_searchable
from marubatsu.engine.large.index import require_index
from marubatsu.engine.rules.bounds import MAX_CLASSES, MAX_POSITIONS, arrangements
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.size import estimate_positions
from marubatsu.engine.rules.symmetry import most_members
from marubatsu.pipeline.checking.verify import NOT_DATA, SUMS, listed_files
from marubatsu.pipeline.solving.compact_file import CompactFile
from marubatsu.pipeline.solving.solution_files import read_value_counts
from marubatsu.pipeline.stages.stage import stages_of
from marubatsu.pipeline.stages.staleness import staleness
from marubatsu.pipeline.stages.usable import parts_of
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.resources import reference_rows
from marubatsu.pipeline.tables.data_set import (
    AnswersTable,
    DataSet,
    ProofsTable,
    Saved,
    Solution,
    TechniquesTable,
    Unfinished,
)
from marubatsu.pipeline.tables.integrity import Problem
from marubatsu.pipeline.tables.manifest import Manifest
from marubatsu.pipeline.tables.output import Rows
from marubatsu.pipeline.tables.solved_schemas import ANSWERS

_SIZES = ("positions", "classes", "nodes")

COLUMNS = (
    "game", "state", "positions", "classes", "nodes", "tables", "solved", "bytes", "counts",
    "cells", "notation",
)  # fmt: skip

_SAMPLES = 256  # samples of each ply: enough to tell thousands of positions from millions


@dataclass(frozen=True)
class KnownCount:
    """One exact count of one game, with its source; ``ply`` is None for a total."""

    game: Game
    quantity: str
    ply: int | None
    count: int
    source: str


def known_counts() -> Iterator[KnownCount]:
    """Read every known count, in the order of the file."""
    for row in reference_rows("known_counts"):
        yield KnownCount(
            Game(row["game"]),
            row["quantity"],
            int(row["ply"]) if row["ply"] else None,
            int(row["count"]),
            row["source"],
        )


_NO_GAME = "its name is not the name of a game: move it away"


@cache
def known_scores() -> dict[Game, int]:
    """Return the scores of the empty boards that are known, in circle's view."""
    scores = {known.game: known.count for known in known_counts() if known.quantity == "value"}
    return {Game(row["game"]): int(row["score"]) for row in reference_rows("solved")} | scores


def data_sets(root: Path) -> tuple[list[DataSet], list[Problem]]:
    """List the data sets under a root; everything else there is unknown."""
    sets, problems = [], []
    expected = NOT_DATA | _listed_names(root)
    for path in sorted(root.iterdir()) if root.is_dir() else []:
        try:
            game = Game(path.name)
        except GameError:
            if path.name not in expected:
                problems.append(Problem("unknown", path, _NO_GAME))
            continue
        if not path.is_dir():
            problems.append(Problem("unknown", path, "it is not a folder"))
        elif path.name != game.name and any(path.iterdir()):
            reason = f"the folder of {game.name} is called {game.name}: rename it or move it away"
            problems.append(Problem("unknown", path, reason))
        elif path.name == game.name:  # A build that stopped before its first file left no parts.
            sets += parts_of(root, game)
    return sets, problems


def _listed_names(root: Path) -> set[str]:
    """Return the names that a published folder lists, and those that hubs add to them."""
    try:
        return {*listed_files(root), ".cache", ".git", ".gitattributes"}
    except (OSError, ValueError):
        return {SUMS}


def list_games(root: Path) -> Rows:
    """List games from small to large, by their manifests and the sizes of their files.

    ``state`` says what there is, or what can be made. ``counts`` is the source of the sizes,
    ``solved`` the number of classes in a solution, ``bytes`` the size of tables and solution.
    """
    sizes = _known_sizes()
    parts: dict[Game, list[DataSet]] = {}
    for data_set in data_sets(root)[0]:
        parts.setdefault(data_set.game, []).append(data_set)
    rows = [_row(root, game, sizes.get(game, {}), parts.get(game, [])) for game in {*sizes, *parts}]
    by_cells, by_notation = COLUMNS.index("cells"), COLUMNS.index("notation")
    return Rows(COLUMNS, sorted(rows, key=lambda row: (row[by_cells], row[by_notation])))


def _row(root: Path, game: Game, published: dict[str, int], parts: list[DataSet]) -> list[Any]:
    read = {part.part: (part, *_read(part)) for part in parts}
    manifests = {name: manifest for name, (_, manifest, _) in read.items() if manifest}
    states = [state for each in read.values() for state in _states(*each)]
    size, tables, solved = sum(manifest.size for manifest in manifests.values()), None, None
    rows: dict[str, int] = {}
    if built := manifests.get(DataSet.part):
        rows = {name: entry.rows for name, entry in built.tables.items()}
        rows["nodes"] = rows.get("tree_bfs", rows.get("tree_dfs", 0))
        tables = f"{len(built.files)} of {len(stages_of(game))}"
    sizes = {name: rows.get(name) or published.get(name) for name in _SIZES}
    counts = "built" if any(rows.get(name) for name in _SIZES) else "known"
    solution, unfinished = Solution(root, game), Unfinished(root, game)
    if Solution.part in manifests:
        solved = _classes(solution)
    elif solution.is_compact:
        state, solved, more = _compact(solution)
        states, size = [*states, state], size + more
    if unfinished.folder.exists():
        states.append(f"being solved ({unfinished.state})")
    state = ", ".join(dict.fromkeys(states)) or _possible(game, sizes["positions"])
    return [game.name, state, *sizes.values(), tables, solved, size or None, counts,
            game.cells, game.notation]  # fmt: skip


def _states(part: DataSet, manifest: Manifest | None, is_whole: bool) -> Iterator[str]:  # noqa: FBT001
    """Yield the states that a part gives its game; damage also where there is no manifest."""
    if not is_whole:
        yield "damaged"
    if manifest is None:
        return
    if any(staleness(part, manifest, name) for name in manifest.files):
        yield "stale"
    match part:
        case Solution():
            yield "solved"
        case AnswersTable():
            yield f"{manifest.tables[ANSWERS.name].rows:,} answers"
        case TechniquesTable():
            yield "compared"
        case ProofsTable():
            yield "proved"
        case Saved():
            pass
        case _:
            is_complete = len(manifest.files) == len(stages_of(part.game))
            yield "built" if is_complete else "partly built"


def _compact(solution: Solution) -> tuple[str, int | None, int]:
    """Return the state that a compact form gives its game, its classes, and its bytes."""
    try:
        file = CompactFile(solution)
    except DataError as error:
        return error.kind, None, 0
    return "solved (compact)", file.totals.classes, file.size


def _possible(game: Game, positions: float | None) -> str:
    if positions is None:
        ways = arrangements(game)  # Before ply 2 * run - 1 no side has won: all can be reached.
        least, positions = sum(ways[: 2 * game.run - 1]), sum(ways)
        if least <= MAX_POSITIONS < positions:
            positions = estimate_positions(game, _SAMPLES)
    if positions <= MAX_POSITIONS:
        return "can be built"
    if positions / most_members(game) <= MAX_CLASSES:
        with suppress(GameError):
            require_index(game)
            return "can be solved"
    return "can be searched" if is_searchable(game) else "too large"


def _read(data_set: DataSet) -> tuple[Manifest | None, bool]:
    """Return the manifest of a data set, and whether it and the sizes of its files are right."""
    try:
        manifest = data_set.manifest()
    except DataError:
        return None, False
    files = manifest.files.items() if manifest else ()
    try:
        return manifest, all(data_set.path(n).stat().st_size == entry.bytes for n, entry in files)
    except OSError:
        return manifest, False


def _known_sizes() -> dict[Game, dict[str, int]]:
    sizes: dict[Game, dict[str, int]] = {}
    for row in reference_rows("solved"):
        sizes[Game(row["game"])] = {name: int(row[name]) for name in ("positions", "classes")}
    for count in known_counts():
        of_game = sizes.setdefault(count.game, {})
        if count.ply is None and count.quantity in _SIZES:
            of_game[count.quantity] = count.count
    return sizes


def _classes(solution: Solution) -> int | None:
    try:
        classes: list[int] = read_value_counts(solution)["classes"].to_pylist()
    except DataError:
        return None
    return sum(classes)
