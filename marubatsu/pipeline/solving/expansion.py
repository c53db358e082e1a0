"""Write the complete form of a solution, the one for SQL, from its compact form."""

import shutil
from collections.abc import Callable
from pathlib import Path

from marubatsu.engine.large.index import Index
from marubatsu.engine.large.tables import ply_of, rules_of
from marubatsu.engine.large.values import Values
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.compact_file import CompactFile, CompactRows
from marubatsu.pipeline.solving.cost_estimate import require_disk
from marubatsu.pipeline.solving.journal import Journal, WrittenPart
from marubatsu.pipeline.solving.solve_job import Progress, Solved, finish, finish_part, make
from marubatsu.pipeline.solving.solved_rows import read_rows
from marubatsu.pipeline.solving.threads import working
from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.store.data_set import Solution, Unfinished
from marubatsu.pipeline.store.manifest import Entry, Manifest
from marubatsu.pipeline.support.cures import Cure
from marubatsu.pipeline.support.errors import MissingError
from marubatsu.pipeline.support.machine import amount
from marubatsu.pipeline.support.resources import near
from marubatsu.version import __version__

_LEAST_TIMES = 2
"""The bytes of a solution, in those of its compact form: 3 to 4 times as many in those solved."""


def expand(
    root: Path,
    game: Game,
    *,
    progress: Progress = lambda what, share, rows: None,
    on_wait: Callable[[], None] = lambda: None,
) -> Solved:
    """Write the same files as a solver, or go on where one stopped; all plies from the last on.

    Raises DataError when there is no compact form, it is damaged, or the disk has no room for the
    files, and the errors of `make`.
    """
    solution, index = Solution(root, game), Index(game)

    def fill(goal: Unfinished, reached: Progress) -> dict[str, Entry]:
        if not solution.compact.exists():
            problem, cure = f"{near(solution.compact)} does not exist", solution.cure("make")
            raise MissingError(problem, cure, game=game.name, path=solution.compact)
        file = CompactFile(solution)
        least = _LEAST_TIMES * file.size
        problem = f"all of {game.name} takes at least {amount(least)} of disk"
        require_disk(goal, least, problem, Cure("other folder"))
        compact, rules = CompactRows(file), rules_of(index, links=False)
        journal, written = Journal.open(goal, VERSION), 0

        def write(item: tuple[int, int, int, Values]) -> tuple[int, int, WrittenPart]:
            ply, number, first, values = item
            of = ply_of(index, ply)
            return ply, number, finish_part(goal, of, number, first, rules, values)

        items = (
            (ply, number, first, read_rows(compact, ply, first, last - first))
            for ply, rows in reversed([*enumerate(compact.rows)])
            for number, first, last in journal.left(ply, rows)
        )
        with working() as workers:
            for ply, number, part in workers.map(write, items):
                journal.part_done(ply, number, part)
                written += part.entry.rows
                reached(f"ply {ply} written", written / sum(compact.rows), written)
        files = finish(journal, index)
        if Manifest(game.notation, __version__, files).data_hash != compact.data_hash:
            shutil.rmtree(goal.folder)
            raise solution.damaged(solution.compact, "its rows are not those that its lines name")
        return files

    return make(root, game, fill, progress=progress, on_wait=on_wait)
