"""The making of a solution, by any engine or from its compact form.

That is its lock, progress and publication, and the state after a failure.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import numpy as np

from marubatsu.engine.large.arrays import Ply, Rules, ply_of, rules_of
from marubatsu.engine.large.index import Index
from marubatsu.engine.large.rows import count_classes
from marubatsu.engine.large.values import FAR, Values
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import counted
from marubatsu.pipeline.solving.compact_file import CompactFile, CompactRows
from marubatsu.pipeline.solving.cost_estimate import require_disk
from marubatsu.pipeline.solving.journal import REACHED, Journal, WrittenPart
from marubatsu.pipeline.solving.solution_files import (
    publish,
    read_rows,
    read_value_counts,
    write_blocks,
    write_part,
    write_value_counts,
)
from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.stages.usable import open_listed
from marubatsu.pipeline.support.background import WorkerThreads
from marubatsu.pipeline.support.cures import Cure
from marubatsu.pipeline.support.errors import DamagedError, DataError, MissingError
from marubatsu.pipeline.support.events import held_back, note, step
from marubatsu.pipeline.support.machine import amount
from marubatsu.pipeline.support.resources import near
from marubatsu.pipeline.tables.data_set import DataSet, Solution, Unfinished
from marubatsu.pipeline.tables.integrity import damages
from marubatsu.pipeline.tables.manifest import MANIFEST, Entry, Manifest
from marubatsu.pipeline.tables.solution_parts import part_file, wrong_solution
from marubatsu.pipeline.tables.solved_schemas import VALUE_COUNTS
from marubatsu.pipeline.tables.work_in_progress import JOURNAL
from marubatsu.version import __version__

Progress = Callable[[str, float, int], None]
"""Called with the present step, the share done, and the rows of the index processed in this run.

It raises Interrupted when a signal asked the process to stop.
"""


Engine = Callable[[Unfinished, Progress], dict[str, Entry]]
"""Computes a solution: writes every file, or resumes an earlier run; returns their entries."""


@dataclass(frozen=True)
class Solved:
    """A solution, and whether this run made it."""

    solution: Solution
    manifest: Manifest
    is_new: bool


def make(root: Path, game: Game, engine: Engine, *, progress: Progress) -> Solved:
    """Let an engine make the solution of a game; an up-to-date solution stays as it is.

    Raises DataError when a write fails (finished plies are kept), Interrupted after Ctrl-C or
    SIGTERM.
    """
    solution, goal = Solution(root, game), Unfinished(root, game)
    with held_back() as signals:

        def reached(name: str, share: float, rows: int) -> None:
            signals.stop_if_asked()
            progress(name, share, rows)

        if not goal.folder.exists() and (manifest := _published(solution)):
            return Solved(solution, manifest, is_new=False)  # Also in a read-only folder.
        with _kept(goal), goal.lock(write=True, waiting=signals.at_once):
            if manifest := _published(solution):
                shutil.rmtree(goal.folder, ignore_errors=True)
                return Solved(solution, manifest, is_new=False)
            # An earlier run may have ended while it waited for readers, after all was done.
            manifest = _current(goal) or _finish(goal, engine(goal, reached))
            _tidy(goal, manifest)
            with solution.lock(write=True, waiting=signals.at_once):
                publish(goal, solution)
            step("published", f"published {near(solution.folder)}", folder=str(solution.folder))
    return Solved(solution, manifest, is_new=True)


def name_compact_form(goal: Unfinished) -> None:
    """Before a game is solved again, note that its compact form is there."""
    solution = goal.sibling(Solution)
    file = solution.compact
    if file.exists() and not goal.path(JOURNAL).exists():
        note("compact_form", f"{near(file)} is there: {solution.cure('expand')}", file=str(file))


def finish_part(
    goal: DataSet, ply: Ply, number: int, first: int, rules: Rules, values: Values
) -> WrittenPart:
    """Count and write the classes of a part; ``values`` lose the rows that show a class again."""
    counts = np.zeros((2, 256), np.int64)
    count_classes(ply, first, first + values.size, rules, values, counts)
    _, entry = write_part(goal, ply.number, number, values)
    present = np.flatnonzero(counts[0]).tolist()
    return WrittenPart(entry, [(value - 128, *counts[:, value].tolist()) for value in present])


def finish(journal: Journal, index: Index) -> dict[str, Entry]:
    """Write the files next to the parts; return the entries of all.

    Raises DataError where no value of the empty board was found: see `_remove_and_refuse`.
    """
    value_counts, goal = journal.value_counts, journal.goal
    if not value_counts.get(0):
        _remove_and_refuse(goal, "ply 0 has no class")
    others = write_blocks(goal, index, value_counts), write_value_counts(goal, value_counts)
    return journal.files | dict(others)


def describe(solved: Solved) -> str:
    """Write for people the value of a game, the size of its solution, and its folder."""
    solution, files = solved.solution, solved.manifest.files
    file = open_listed(solution, solved.manifest, part_file(0, 0))
    with file.reading():
        (value,) = file.rows().column("value").to_pylist()
        if value is None or abs(value) > FAR:
            raise ValueError("it has no value of the empty board")
    winner = "draw" if value == 0 else "circle wins" if value > 0 else "cross wins"
    plies = solution.game.cells if value == 0 else FAR - abs(value)
    classes = sum(read_value_counts(solution)["classes"].to_pylist())
    if classes < 1:
        raise DamagedError(f"{near(solution.path(VALUE_COUNTS.file))} is damaged: no class in it")
    size = solved.manifest.size
    lines = [
        f"{solution.game.name} in {near(solution.folder)}",
        f"{winner} in {counted(plies, 'ply', 'plies')} with best play",
        f"{classes:,} classes, {len(files)} files, {size:,} bytes, {size / classes:.2f} a class",
    ]
    if not solved.is_new:
        lines.append("everything was up to date, nothing was rewritten")
    return "\n".join(lines)


def _published(solution: Solution) -> Manifest | None:
    """Return the manifest of a solution that is up to date, if it is there."""
    if not solution.folder.exists():
        return None
    with solution.lock(write=False):
        return _current(solution)


def _current(solution: DataSet) -> Manifest | None:
    """Return the manifest of a solution if it exists, is intact, and has the present version."""
    try:
        manifest = solution.manifest()
    except DataError:
        return None
    if manifest is None or any(damages(solution, manifest)):
        return None
    versions = {entry.made_by for entry in manifest.files.values()}
    return manifest if versions == {VERSION} else None


def _finish(goal: Unfinished, files: dict[str, Entry]) -> Manifest:
    """Write the manifest: from then on it says that all is done, and no journal is needed.

    Raises DataError where the plies are none of a solution: see `_remove_and_refuse`.
    """
    if wrong := wrong_solution(goal.game, {name: entry.rows for name, entry in files.items()}):
        _remove_and_refuse(goal, wrong)
    manifest = Manifest(goal.game.notation, __version__, files)
    goal.write(MANIFEST, memoryview(manifest.render()))
    return manifest


def _remove_and_refuse(goal: DataSet, why: str) -> NoReturn:
    """Remove an unfinished solution whose files were those of another one; raise DataError."""
    shutil.rmtree(goal.folder, ignore_errors=True)
    raise DataError(
        f"{near(goal.folder)} was no unfinished solution of {goal.game.name} ({why}), and is "
        "removed: run the same command again"
    )


def _tidy(goal: Unfinished, manifest: Manifest) -> None:
    """Remove the files that only the solving needed."""
    shutil.rmtree(goal.path(REACHED), ignore_errors=True)
    for path in goal.folder.glob("ply=*/*"):  # Left by a run that could not be resumed.
        if str(path.relative_to(goal.folder)) not in manifest.files:
            path.unlink()
    goal.path(JOURNAL).unlink(missing_ok=True)


@contextmanager
def _kept(goal: Unfinished) -> Iterator[None]:
    """Turn a failed write, such as a full disk, into a DataError that says what is kept."""
    try:
        yield
    except OSError as error:
        raise DataError(
            f"cannot write {near(Path(error.filename or goal.folder))}: {error.strerror or error}; "
            f"{goal.after_failed_write}"
        ) from error
    finally:
        with suppress(OSError):  # The folder is not empty.
            goal.folder.rmdir()
            goal.folder.parent.rmdir()


_LEAST_TIMES = 2
"""The bytes of a solution, in those of its compact form: 3 to 4 times as many in those solved."""


def expand(root: Path, game: Game, *, progress: Progress) -> Solved:
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
        journal, written = Journal.open(goal), 0

        def write(item: tuple[int, int, int, Values]) -> tuple[int, int, WrittenPart]:
            ply, number, first, values = item
            of = ply_of(index, ply)
            return ply, number, finish_part(goal, of, number, first, rules, values)

        items = (
            (ply, number, first, read_rows(compact, ply, first, last - first))
            for ply, rows in reversed([*enumerate(compact.rows)])
            for number, first, last in journal.left(ply, rows)
        )
        with WorkerThreads() as workers:
            for ply, number, part in workers.each(write, items):
                journal.part_done(ply, number, part)
                written += part.entry.rows
                reached(f"ply {ply} written", written / sum(compact.rows), written)
        files = finish(journal, index)
        if Manifest(game.notation, __version__, files).data_hash != compact.data_hash:
            shutil.rmtree(goal.folder)
            raise solution.damaged(solution.compact, "its rows are not those that its lines name")
        return files

    return make(root, game, fill, progress=progress)
