"""Tables and solutions against the content hashes that are published."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from marubatsu.cli.output import as_command
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.checking.verify import differences, published, published_of
from marubatsu.pipeline.laboratory import kept_tables
from marubatsu.pipeline.publishing.verify_folder import verify_folder
from marubatsu.pipeline.support.errors import DamagedError
from marubatsu.pipeline.support.resources import REFERENCE
from marubatsu.pipeline.tables.data_set import AnswersTable, DataSet, ProofsTable, Solution
from marubatsu.pipeline.tables.integrity import Problem
from marubatsu.pipeline.tables.manifest import is_part, table_of
from marubatsu.pipeline.tables.parquet import content_hash, writer_options
from marubatsu.pipeline.tables.solved_schemas import DECLARED
from tests.helpers.data import data_sets
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import run_here
from tools.generators.content_hashes import KEPT, content_hashes, keep_results, render

SOLVED = (
    "2x2k2", "3x2k2", "2x2k2-misere", "3x3k3-gravity", "4x3k3-gravity-misere", "3x2k3-torus",
)  # fmt: skip
"""Games of every kind of rules, with square boards and others."""

CHANGED = (
    "the rows of {} changed: if that is meant, run `make hashes`; also raise a version in "
    "marubatsu.pipeline.stages.staleness: for a solution FORMAT or RULES, for answers and proofs, "
    "where rows mean something else, ANSWERS_VERSION or PROOFS_VERSION"
)

WHOLE = "every file is as its manifest says: {0}\nevery row is as published: {0}\n"


def changed(data_set: DataSet) -> list[str]:
    """Return the files of a data set whose content hashes are not published, by its manifest."""
    manifest = data_sets.manifest_of(data_set)
    known = published()
    return [row.file for row in content_hashes(data_set, manifest) if row not in known]


@pytest.mark.quick
@pytest.mark.parametrize("name", SOLVED)
def test_a_solution_holds_what_is_published(name: str, solutions: data_sets.Solutions) -> None:
    solution = Solution(solutions.of(name), Game(name))
    assert changed(solution) == [], CHANGED.format(name)
    assert list(differences(solution, [])) == []


def test_a_verification_shows_its_progress(solutions: data_sets.Solutions) -> None:
    """Of the bytes of all files first, then of their rows."""
    solution = Solution(solutions.of("2x2k2"), Game("2x2k2"))
    files = len(data_sets.manifest_of(solution).files)
    shown = list[tuple[float | None, str]]()
    found = verify_folder(
        solution.root, solution.game, lambda share, note="": shown.append((share, note))
    )
    assert found.problems == []
    notes = ("2x2k2", "rows of 2x2k2")
    assert shown == [(number / files, note) for note in notes for number in range(files)]


@pytest.mark.parametrize("name", ["3x3k3-gravity", "3x2k2", "8x4k2-gravity"])
def test_tables_hold_what_is_published(name: str, root: Path) -> None:
    tables = DataSet(root, Game(name))
    manifest = data_sets.manifest_of(tables)
    has_all = published_of(tables).keys() == manifest.files.keys()
    assert has_all or name not in data_sets.AI_GAMES
    assert changed(tables) == ([] if has_all else [""]), CHANGED.format(name)
    assert list(differences(tables, [])) == []


@pytest.mark.quick
@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("name", KEPT)
def test_kept_results_hold_what_is_published(name: str, tmp_path: Path) -> None:
    data_set = DataSet(tmp_path, Game(name))
    keep_results(data_set)
    for kind in (AnswersTable, ProofsTable):
        assert changed(data_set.sibling(kind)) == [], CHANGED.format(name)


@pytest.mark.usefixtures("kernels")
def test_other_answers_of_a_game_with_published_ones_are_no_difference(tmp_path: Path) -> None:
    data_set = DataSet(tmp_path, Game(KEPT[0]))
    keep_results(data_set)
    position, found = next(iter(kept_tables.kept_answers(data_set).items()))
    kept_tables.add_answers(data_set, {position: found._replace(nodes=found.nodes + 1)})
    kept = data_set.sibling(AnswersTable)
    assert changed(kept) == [f"{kept.part}.parquet"]
    assert (list(differences(kept, [])), published_of(kept)) == ([], {})


def test_each_row_is_published_once() -> None:
    text = (REFERENCE / "content_hashes.csv").read_text(encoding="utf-8")
    rows = published()
    assert len(rows) == len({row[:3] for row in rows}) == text.count("\n") - 1
    parts = {row[:2] for row in rows if row.part not in (AnswersTable.part, ProofsTable.part)}
    assert {(row.game, row.part) for row in rows if not row.file} == parts
    assert render([]) == text.partition("\n")[0] + "\n"


def rewritten(
    data_set: DataSet, name: str, table: pa.Table, *, admitted: bool, other_pages: bool = False
) -> None:
    """Replace a table together with its manifest, which has the new content hash or the old one."""
    sink = pa.BufferOutputStream()
    options = writer_options(DECLARED[table_of(name)])
    options["column_encoding"] = {
        column: encoding
        for column, encoding in options["column_encoding"].items()
        if column != table.schema.field(end_column(table)).name
    }
    options["write_page_checksum"] ^= other_pages
    pq.write_table(table, sink, **options)
    data = sink.getvalue()
    sha256 = hashlib.sha256(data).hexdigest()
    manifest = data_sets.manifest_of(data_set)
    entry = replace(manifest.files[name], rows=table.num_rows, bytes=len(data), sha256=sha256)
    if admitted:
        entry = replace(entry, content=content_hash(table))
    data_set.write(name, memoryview(data))
    data_set.publish([], manifest.with_files(manifest.version, {name: entry}))


def end_column(table: pa.Table) -> int:
    """Return the index of the column with the value, or the distance to the end."""
    return int(table.schema.get_field_index("value" if table.num_columns == 1 else "distance"))


def one_value(table: pa.Table) -> pa.Table:
    """Change the distance, or the value, in the first row."""
    at = end_column(table)
    first, *others = table.column(at).to_pylist()
    field = table.schema.field(at)
    return table.set_column(at, field, pa.array([first + 1, *others], field.type))


def one_row(table: pa.Table) -> pa.Table:
    return table.slice(0, table.num_rows - 1)


@pytest.fixture
def smallest(shared: Shared, tmp_path: Path) -> Path:
    """Return a root with the smallest game, with every table and solved, to be changed."""
    return data_sets.copied(data_sets.build_smallest(shared), tmp_path / "data")


def states_of(root: Path) -> dict[str, str]:
    """Verify; return the state of each file that is named."""
    done = run_here("verify", "--format", "json", data=root)
    return {row["path"]: row["state"] for row in json.loads(done.stdout)}


FILES = [(DataSet, "positions.parquet"), (Solution, "ply=02/part-0000.parquet")]


@pytest.mark.parametrize("change", [one_value, one_row])
@pytest.mark.parametrize(("kind", "name"), FILES)
def test_other_rows_with_a_fitting_manifest_are_found(
    change: Callable[[pa.Table], pa.Table], kind: type[DataSet], name: str, smallest: Path
) -> None:
    data_set, state = kind(smallest, Game(data_sets.SMALLEST)), "different"
    table = pq.read_table(data_set.path(name), partitioning=None)
    rewritten(data_set, name, change(table), admitted=False)
    if change is one_row and kind is Solution:
        name, state = "manifest.json", "damaged"
    assert states_of(smallest)[str(data_set.path(name))] == state


def test_other_bytes_of_the_same_rows_are_the_same(smallest: Path) -> None:
    for kind, name in FILES:
        data_set = kind(smallest, Game(data_sets.SMALLEST))
        before = data_set.path(name).read_bytes()
        table = pq.read_table(data_set.path(name), partitioning=None)
        rewritten(data_set, name, table, admitted=False, other_pages=True)
        assert data_set.path(name).read_bytes() != before
    done = run_here("verify", data=smallest)
    assert (done.returncode, done.stdout) == (0, WHOLE.format(data_sets.SMALLEST))


def test_verify_names_the_file_and_its_cure_helps(
    smallest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARUBATSU_DATA", str(smallest))
    for kind, name in FILES:
        data_set = kind(smallest, Game(data_sets.SMALLEST))
        path = data_set.path(name)
        table = pq.read_table(path, partitioning=None)
        rewritten(data_set, name, one_value(table), admitted=True)
        assert [p for p in data_sets.verified(data_set) if p.kind != "stale"] == []
        assert states_of(smallest)[str(path)] == "different"
        done = run_here("verify", data=smallest)
        assert done.returncode == 1
        assert done.stderr == f"remove the different files, and {as_command(data_set.cure())}\n"
        path.unlink()
        done = run_here("build" if kind is DataSet else "solve", data_sets.SMALLEST, data=smallest)
        assert done.returncode == 0
    assert run_here("verify", data=smallest).stdout == WHOLE.format(data_sets.SMALLEST)


def test_a_solution_has_exactly_the_published_files(smallest: Path) -> None:
    solution = Solution(smallest, Game(data_sets.SMALLEST))
    manifest = data_sets.manifest_of(solution)
    last = max(filter(is_part, manifest.files))
    files = {name: entry for name, entry in manifest.files.items() if name != last}
    solution.publish([], replace(manifest, files=files))
    reason = "it is published, and the manifest does not list it"
    assert [*differences(solution, [])] == [Problem("different", solution.path(last), reason)]
    more = {**manifest.files, "more.parquet": manifest.files[last]}
    solution.publish([], replace(manifest, files=more))
    with pytest.raises(DamagedError, match=r"it lists more\.parquet"):
        solution.manifest()


def test_verify_reports_games_without_published_hashes(tmp_path: Path) -> None:
    assert run_here("tree", "2x3k2", data=tmp_path).returncode == 0
    done = run_here("verify", data=tmp_path)
    assert (done.returncode, done.stdout) == (
        0,
        "every file is as its manifest says: 2x3k2\nno content hash is published: 2x3k2\n",
    )
