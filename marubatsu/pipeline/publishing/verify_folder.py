"""The verification of everything below a folder: data sets, checksums and documents.

Whoever changes ``load.py`` or ``views.sql`` can write fitting checksums too. The documents follow
from the data, the day and the address of the folder, so they are written again and compared. What
the folder lists besides data and documents is not ours.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.input_error import InputError
from marubatsu.pipeline.checking.inventory import data_sets
from marubatsu.pipeline.checking.verify import (
    CURE,
    SUMS,
    cure,
    differences,
    published_of,
    read_sums,
    sum_problems,
    verify,
)
from marubatsu.pipeline.publishing import ducklake
from marubatsu.pipeline.publishing.documents import documents_of
from marubatsu.pipeline.publishing.metadata import CRATE, CROISSANT, crate
from marubatsu.pipeline.publishing.publication import (
    Publication,
    PublishedFile,
    PublishedGame,
    checked_date,
    checked_url,
)
from marubatsu.pipeline.solving.compact_file import CompactFile, CompactRows
from marubatsu.pipeline.solving.solution_files import encode_part, read_rows
from marubatsu.pipeline.stages.usable import parts_of
from marubatsu.pipeline.support.errors import DataError, StaleError, UsageError
from marubatsu.pipeline.support.events import step
from marubatsu.pipeline.support.progress import Advance
from marubatsu.pipeline.support.resources import file_sha256, near, read_whole
from marubatsu.pipeline.tables.data_set import DataSet, Solution
from marubatsu.pipeline.tables.integrity import Problem, ProblemKind
from marubatsu.pipeline.tables.manifest import DICTIONARY, MANIFEST, is_part
from marubatsu.pipeline.tables.solution_parts import part_file
from marubatsu.pipeline.tables.solution_parts import parts as parts_of_ply

COLUMNS = ("state", "path", "reason")
"""The columns of `Verification.rows`."""


@dataclass
class Verification:
    """The problems of all files, what to do about them, and the data sets without problems."""

    problems: list[Problem] = field(default_factory=list)
    cures: list[str] = field(default_factory=list)
    intact: list[DataSet] = field(default_factory=list)

    def add_compact(self, solution: Solution) -> None:
        """Verify the compact form of a solution."""
        with solution.lock(write=False):
            problems = [*_compact_problems(solution)]
        self.problems += problems
        if problems:
            self.cures.append(str(solution.cure_of_compact))
        elif solution.is_compact:
            self.intact.append(solution)

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """A row for each problem and each intact data set; names that are no UTF-8 are escaped."""
        rows = [(str(each.kind), each.path, each.reason) for each in self.problems]
        for data_set in self.intact:
            how = "as" if published_of(data_set) else "not"
            rows.append(("intact", data_set.folder, f"its rows are {how} published"))
        return [
            (state, str(near(path)).encode("utf-8", "backslashreplace").decode(), reason)
            for state, path, reason in rows
        ]

    def summary(self) -> str:
        """Name the games without problems, and those whose rows are published."""
        games = dict.fromkeys(each.game.name for each in self.intact)
        listed = dict.fromkeys(each.game.name for each in self.intact if each.has_manifest)
        alone = [each.game.name for each in self.intact if not each.has_manifest]
        published = dict.fromkeys(each.game.name for each in self.intact if published_of(each))
        others = [name for name in games if name not in published]
        sentences = [f"every file is as its manifest says: {', '.join(listed)}"] if listed else []
        if alone:
            sentences.append(f"the compact form is as its lines say: {', '.join(alone)}")
        if published:
            sentences.append(f"every row is as published: {', '.join(published)}")
        if others:
            sentences.append(f"no content hash is published: {', '.join(others)}")
        return "\n".join(sentences)


def verify_folder(root: Path, game: Game | None, progress: Advance) -> Verification:
    """Verify a game, or all of a folder; documents only where all else is sound."""
    result = Verification()
    if game is None:
        sums = [*sum_problems(root)]
        parts, problems = data_sets(root)
        if root / CROISSANT in {problem.path for problem in problems}:  # No list names it.
            if not (root / SUMS).exists():
                sums = [Problem("missing", root / SUMS, "every published folder has it")]
            problems = [] if sums else problems
        result.problems += [*sums, *problems]
        result.cures += [str(CURE)] * bool(sums)
    else:
        parts = parts_of(root, game) or [DataSet(root, game)]
    listed = {problem.path for problem in result.problems}
    for data_set in parts:
        step("verify", f"comparing {near(data_set.folder)}", folder=str(data_set.folder))
        with data_set.lock(write=False):
            problems = verify(data_set, progress)
            problems += differences(data_set, problems, progress)
        new = [problem for problem in problems if problem.path not in listed]
        if new:
            result.cures.append(cure(data_set, new))
            result.problems += new
        elif not problems and data_set.has_manifest:
            result.intact.append(data_set)
    for solution in dict.fromkeys(Solution(root, each.game) for each in parts):
        if solution.compact.exists():
            result.add_compact(solution)
    if game is None and not result.problems:
        result.problems += document_problems(root)
        result.cures += [str(CURE)] * bool(result.problems)
    return result


def _compact_problems(solution: Solution) -> Iterator[Problem]:
    """Yield what is wrong with the compact form of a solution, if anything.

    Its frames are compared with their hashes, and its rows with those that are published, or else
    with what the complete form says of its own. The caller holds the lock of the solution.
    """
    try:
        file = CompactFile(solution)
        file.require_intact()
        reason = _difference_of_compact(solution, file)
    except DataError as error:
        why = error.facts.get("why", error.problem)
        kind: ProblemKind = "stale" if isinstance(error, StaleError) else "damaged"
        yield Problem(kind, solution.compact, str(why))
    else:
        if reason:
            yield Problem("different", solution.compact, reason)


def _difference_of_compact(solution: Solution, file: CompactFile) -> str:
    """Say how its rows differ from others, "" when they do not, or there are none."""
    manifest = solution.manifest()
    if manifest and manifest.data_hash != file.totals.data_hash:
        return "it is not the compact form of the solution next to it"
    published = {name: of for name, of in published_of(solution).items() if is_part(name)}
    rows = CompactRows(file)
    for ply, count in enumerate(rows.rows if published else ()):
        for number, first, last in parts_of_ply(count):
            name = part_file(ply, number)
            values = read_rows(rows, ply, first, last - first)
            if published.pop(name, "") != encode_part(rows.game, values).content:
                return f"its rows of {name} are not those that are published"
    return f"it lacks {min(published)}, which is published" if published else ""


_UNREADABLE = (
    InputError, UsageError, AttributeError, LookupError, OSError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip
"""Errors of reading a document that has another form."""

_WHY = "this version writes it otherwise for this data"


def document_problems(folder: Path) -> Iterator[Problem]:
    """Compare the documents of a sound folder that is published; nothing for any other."""
    try:
        sums = read_sums(folder)
    except FileNotFoundError:
        return
    try:
        published = _publication(folder)
    except _UNREADABLE:
        reason = "it does not name the day, the address and the games as this version does"
        yield Problem("different", folder / CROISSANT, reason)
        return
    data, documents = _data_files(published), documents_of(published, folder)
    ours = [
        PublishedFile(name, (folder / name).stat().st_size, sha256)
        for name, sha256 in sorted(sums.items())
        if name in data | documents.keys()
    ]
    documents[CRATE] = crate(published, ours)
    for name, content in documents.items():
        if name not in sums:
            yield Problem("missing", folder / name, "every published folder has it")
        elif file_sha256(folder / name) != (len(content), hashlib.sha256(content).hexdigest()):
            how = f", with DuckDB {duckdb.__version__}" if name == ducklake.FILE else ""
            yield Problem("different", folder / name, _WHY + how)
    for name in sums.keys() - documents.keys() - data:
        yield Problem("unknown", folder / name, f"{SUMS} lists it, and it is no data")


def _publication(folder: Path) -> Publication:
    """Return what a folder publishes: games in the order of its documents, day and address.

    Raises what Python or ours raises where a document has another form.
    """
    described = json.loads(read_whole(folder / CROISSANT))
    names = dict.fromkeys(record["@id"].partition(".")[0] for record in described["recordSet"])
    games = tuple(_game(folder, Game(name)) for name in names)
    if not games or any(not game.manifests for game in games):
        raise ValueError("a game without data")
    return Publication(
        games, checked_date(described["datePublished"]), checked_url(described.get("url"))
    )


def _game(folder: Path, game: Game) -> PublishedGame:
    data_set = DataSet(folder, game)
    manifests = {part.part: part.manifest() for part in (data_set, data_set.sibling(Solution))}
    return PublishedGame(game, {part: each for part, each in manifests.items() if each})


def _data_files(published: Publication) -> set[str]:
    """Return the names of all files of data, with manifests and dictionaries."""
    names = {file.name for table in published.tables for file in table.files}
    for game in published.games:
        names |= {str(Path(game.game.name, part, MANIFEST)) for part in game.manifests}
        if "" in game.manifests:
            names.add(str(Path(game.game.name, DICTIONARY)))
    return names
