"""Print the content hashes of tables, solutions and kept results of small games, to be published.

``python -m tools.generators.content_hashes > queries/reference/content_hashes.csv`` (``make
hashes``) builds and solves the games. A content hash depends on the rows of a file, and not on the
Parquet writer. Run it together with a change of tables, of the format of solutions, of what kept
rows mean, or of the rules of a game, never to silence a failing test.
"""

import csv
import io
import math
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from marubatsu.engine.rules.bounds import MAX_POSITIONS
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size import estimate_positions
from marubatsu.judge.oracle.book import ThreadSearches, write_book
from marubatsu.pipeline.checking.anchors import games_of
from marubatsu.pipeline.checking.verify import ContentHash
from marubatsu.pipeline.laboratory import kept_tables
from marubatsu.pipeline.laboratory.proving import Proving
from marubatsu.pipeline.solving.cost_estimate import estimate
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.stage import stages_of
from marubatsu.pipeline.tables.data_set import (
    AnswersTable,
    DataSet,
    KeptTable,
    ProofsTable,
    Solution,
)
from marubatsu.pipeline.tables.manifest import Manifest

MORE = ("2x2k2-misere", "8x4k2-gravity")  # games besides those with known counts

KEPT = ("3x2k2", "tictactoe", "3x3k3-gravity", "3x3k3-misere", "3x2k3-torus")
"""Games whose first answers, and proofs found without a solver, are published."""

PLIES = 3  # the plies of these answers

MOST_ROWS = 100_000_000
"""Of the index of the largest game that is solved: 5x5k4-gravity, in some seconds."""

MEMORY = 10**9


def games() -> list[Game]:
    """List the games whose content is published, from small to large."""
    found = {*games_of(()), *map(Game, MORE)}
    small = (game for game in found if _is_built(game) or _is_solved(game))
    return sorted(small, key=lambda game: (game.cells, game.notation))


def _is_built(game: Game) -> bool:
    return estimate_positions(game) <= MAX_POSITIONS


def _is_solved(game: Game) -> bool:
    return estimate(game).rows <= MOST_ROWS


def content_hashes(data_set: DataSet, manifest: Manifest) -> list[ContentHash]:
    """List the content hashes of a data set, as they are published."""
    place = data_set.game.name, data_set.part or "tables"
    if isinstance(data_set, KeptTable):  # The number in the name of its file changes.
        (entry,) = manifest.files.values()
        return [ContentHash(*place, data_set.table.file, entry.rows, entry.content)]
    files = sorted(manifest.files.items())
    rows = sum(entry.rows for entry in manifest.files.values())
    return [
        ContentHash(*place, "", rows, manifest.data_hash),
        *(ContentHash(*place, name, entry.rows, entry.content) for name, entry in files),
    ]


def made(root: Path, game: Game) -> Iterator[ContentHash]:
    """Build every table of a game, solve it, keep results of some, and yield the content hashes."""
    tables, solution = DataSet(root, game), Solution(root, game)
    if _is_built(game):
        build(tables, stages_of(game))
    if _is_solved(game):
        solve(root, game, MEMORY)
    if game in map(Game, KEPT):
        keep_results(tables)
    for data_set in (tables, solution, tables.sibling(AnswersTable), tables.sibling(ProofsTable)):
        manifest = data_set.manifest()
        if manifest is not None:
            yield from content_hashes(data_set, manifest)


def keep_results(data_set: DataSet) -> None:
    """Keep answers and proofs of a game; the answers without the nodes of their searches."""

    def advance(share: float | None, note: str = "") -> None:
        """Show no progress."""

    searches = ThreadSearches(data_set.game, memory=1)
    write_book(data_set, PLIES, searches, seconds=math.inf, progress=advance)
    found = kept_tables.kept_answers(data_set)
    kept_tables.add_answers(data_set, {at: each._replace(nodes=0) for at, each in found.items()})
    proving = Proving(data_set, lambda share: None)
    for claim in proving.claims:
        proving.prove(claim, 0, advance)


def render(rows: list[ContentHash]) -> str:
    """Return the text of the file."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(ContentHash._fields)
    writer.writerows(rows)
    return out.getvalue()


def main() -> None:
    """Make the games one after the other, then print the file."""
    rows: list[ContentHash] = []
    for game in games():
        print(game.name, file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            rows += made(Path(folder), game)
    sys.stdout.write(render(rows))


if __name__ == "__main__":
    main()
