"""Data older than the code: commands refuse what cannot be right, `verify` reports the rest."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import marubatsu as mb
from marubatsu.cli.output import as_command
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.pipeline.checking.inventory import list_games
from marubatsu.pipeline.checking.verify import verify
from marubatsu.pipeline.laboratory import kept_tables
from marubatsu.pipeline.stages import staleness
from marubatsu.pipeline.stages.staleness import (
    ANSWERS_VERSION,
    PROOFS_VERSION,
    RULES,
    VERSION,
    inputs_of_matches,
)
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.data_set import (
    AnswersTable,
    DataSet,
    Part,
    ProofsTable,
    Saved,
    Solution,
    TechniquesTable,
)
from marubatsu.pipeline.tables.manifest import MANIFEST, Entry
from marubatsu.web.app import open_app
from tests.helpers.data.data_sets import SMALLEST as GAME
from tests.helpers.data.data_sets import Solutions, build_smallest, copied, manifest_of
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import run_here
from tools.generators.run_pages import without_times

READERS = [
    "query plies", "show o...", "sql from(positions)select(count(*))", "views", "audit ai2",
    "audit", "anchors GAME", "match ai2 ai1 --games 1 --review", "play ai1 --seed 0",
]  # fmt: skip
"""Commands that read tables."""

READERS_OF_SOLUTIONS = [
    "show o...", "sql from(solution)select(count(*))", "query solved_plies",
    "audit ai2 --sample 10", "views",
]  # fmt: skip


def aged(data_set: DataSet, change: Callable[[Entry], Entry], only: str = "") -> None:
    """Change the entries of a manifest, or only that of one file."""
    manifest = manifest_of(data_set)
    files = {name: change(entry) for name, entry in manifest.files.items() if only in ("", name)}
    older = manifest.with_files(manifest.version, files)
    data_set.write(MANIFEST, memoryview(older.render()))


def other_code(entry: Entry) -> Entry:
    return replace(entry, made_by="0123456789abcdef")


def other_declaration(entry: Entry) -> Entry:
    return replace(entry, schema="0123456789abcdef")


def other_input(entry: Entry) -> Entry:
    return replace(entry, inputs={"moves": "0" * 64})


@pytest.fixture
def tables(shared: Shared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DataSet:
    """Return a small data set of one's own, in the default folder."""
    root = copied(build_smallest(shared), tmp_path / "data")
    monkeypatch.setenv("MARUBATSU_DATA", str(root))
    return DataSet(root, Game(GAME))


def run(command: str, data_set: DataSet) -> tuple[int, str, str]:
    """Run a command over a data set; return its exit code, output and complaint."""
    words = command.split()
    game = [] if "GAME" in words else ["--game", data_set.game.name]
    words = [data_set.game.name if word == "GAME" else word for word in words]
    done = run_here(*words, *game, data=data_set.root)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("command", READERS)
def test_tables_of_other_code_are_read(command: str, tables: DataSet) -> None:
    """Most changes of code change no row, and to hash the code takes longer than to answer."""
    right = run(command, tables)
    assert (right[0], right[2]) == (0, "")
    aged(tables, other_code, "positions.parquet")
    code, output, printed = run(command, tables)
    assert (code, without_times(output), printed) == (0, without_times(right[1]), "")


def test_matches_next_to_damaged_tables_have_unknown_inputs(tables: DataSet) -> None:
    manifest, saved = manifest_of(tables), Saved(tables.root, tables.game)
    tables.write(MANIFEST, memoryview(b"damaged"))
    assert inputs_of_matches(saved, manifest) is None


def test_the_files_that_are_stale_are_counted(tables: DataSet) -> None:
    aged(tables, other_declaration)
    *_, errors = run("query plies", tables)
    assert "is declared otherwise now, and 1 other file too; run `marubatsu build" in errors
    *_, errors = run("audit ai2", tables)
    assert "is declared otherwise now, and 10 other files too; run `marubatsu build" in errors


@pytest.mark.parametrize("command", ["query plies", "show o...", "sql from(positions)", "views"])
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (other_declaration, "its table is declared otherwise now"),
        (other_input, "it was made from another moves"),
    ],
)
def test_tables_that_cannot_be_right_are_refused(
    command: str, change: Callable[[Entry], Entry], why: str, tables: DataSet
) -> None:
    aged(tables, change, "positions.parquet")
    errors = f"marubatsu: {GAME}/positions.parquet is stale: {why}; {as_command(tables.cure())}\n"
    assert run(command, tables) == (1, "", errors)


@pytest.mark.parametrize(
    ("command", "older"),
    [
        ("query solved_plies", "format 0, rules 1"),
        *((command, "format 1, rules 0") for command in READERS_OF_SOLUTIONS),
    ],
)
def test_an_older_solution_is_refused(
    command: str, older: str, solutions: Solutions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARUBATSU_DATA", str(tmp_path))
    solution = Solution(tmp_path, solutions.copy(GAME, tmp_path).game)
    assert run(command, solution)[0] == 0
    aged(solution, lambda entry: replace(entry, made_by=older))
    code, out, errors = run(command, solution)
    assert (code, out) == (1, "")
    assert errors.startswith(f"marubatsu: {GAME}/solution/")
    assert f".parquet is stale: it is of {older}, expected {VERSION}" in errors
    assert errors.endswith(f"; {as_command(solution.cure())}\n")
    with pytest.raises(DataError, match="is stale"):
        mb.answer("o...", GAME, data=tmp_path)
    with pytest.raises(DataError, match="is stale"), open_app(solution):
        pass


def test_verify_and_games_report_stale_tables(tables: DataSet) -> None:
    def state() -> str:
        rows = list_games(tables.root).records()
        return str(next(row["state"] for row in rows if row["game"] == GAME))

    assert state() == "built, solved"
    aged(tables, other_code, "moves.parquet")
    assert state() == "stale, built, solved"
    code, output, errors = run("verify GAME", tables)
    assert (code, "stale" in output, errors) == (1, True, f"{as_command(tables.cure())}\n")


SEARCHED = "4x5k4-gravity"
"""A game that is searched, so that its commands read the table of answers."""

SQL: dict[type[Part], str] = {
    kind: f"sql from({kind.part})" for kind in (AnswersTable, ProofsTable, TechniquesTable)
}


@pytest.fixture(scope="module")
def kept(shared: Shared, tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    """Return a small data set with proofs and techniques."""
    root = copied(build_smallest(shared), tmp_path_factory.mktemp("kept") / "data")
    for command in (["prove", GAME, "--time", "0"], ["compare", GAME]):
        done = run_here(*command, data=root)
        assert done.returncode == 0, done.stderr
    return DataSet(root, Game(GAME))


@pytest.fixture
def part(
    request: pytest.FixtureRequest, kept: DataSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Part:
    """Return a part of one's own in the default folder: answers, proofs, techniques."""
    kind: type[Part] = request.param
    if kind is AnswersTable:
        data_set = DataSet(tmp_path, Game(SEARCHED))
        kept_tables.add_answers(data_set, {EMPTY: kept_tables.Found(0, 1)})
    else:
        data_set = DataSet(copied(kept.root, tmp_path / "data"), kept.game)
    monkeypatch.setenv("MARUBATSU_DATA", str(data_set.root))
    return data_set.sibling(kind)


def first_file(part: Part) -> str:
    return f"{part.game.name}/{part.part}/{next(iter(manifest_of(part).files))}"


OF_FORMAT = "it is of format 3, rules 1, expected"


def other_meaning(entry: Entry) -> Entry:
    return replace(entry, made_by="format 3, rules 1")


@pytest.mark.parametrize(
    ("part", "change", "why"),
    [
        *((kind, other_declaration, "its table is declared otherwise now") for kind in SQL),
        (AnswersTable, other_meaning, f"{OF_FORMAT} answers {ANSWERS_VERSION}, rules {RULES}"),
        (ProofsTable, other_meaning, f"{OF_FORMAT} proofs {PROOFS_VERSION}, rules {RULES}"),
    ],
    indirect=["part"],
)
def test_kept_rows_with_other_columns_or_another_meaning_are_refused(
    part: Part, change: Callable[[Entry], Entry], why: str
) -> None:
    command, cure = SQL[type(part)], as_command(part.cure("renew"))
    assert run(command, part)[0] == 0
    aged(part, change)
    errors = f"marubatsu: {first_file(part)} is stale: {why}; {cure}\n"
    assert run(command, part) == (1, "", errors)
    code, output, errors = run("verify GAME", part)
    assert (code, why in output, errors) == (1, True, f"{cure}\n")


@pytest.mark.parametrize("part", [AnswersTable, ProofsTable], indirect=True)
def test_slowly_computed_rows_survive_another_format_of_solutions(
    part: Part, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staleness, "VERSION", "format 99, rules 1")
    monkeypatch.setattr(staleness, "FORMAT", 99)
    assert [p for p in verify(part) if p.kind == "stale"] == []


@pytest.mark.parametrize("command", ["book GAME --plies 0", "best ...................."])
def test_commands_that_search_refuse_stale_answers(command: str, tmp_path: Path) -> None:
    data_set = DataSet(tmp_path, Game(SEARCHED))
    kept_tables.add_answers(data_set, {EMPTY: kept_tables.Found(0, 1)})
    aged(data_set.sibling(AnswersTable), other_declaration)
    code, _, errors = run(command, data_set)
    assert (code, "is stale: its table is declared otherwise now" in errors) == (1, True)


@pytest.mark.parametrize("part", [TechniquesTable], indirect=True)
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (other_code, "it was counted by other code"),
        (other_declaration, "its table is declared otherwise now"),
    ],
)
def test_compare_counts_stale_rows_again_and_says_so(
    part: Part, change: Callable[[Entry], Entry], why: str
) -> None:
    right = run("compare GAME", part)
    assert (right[0], right[2]) == (0, "")
    before = manifest_of(part)
    aged(part, change)
    stale = first_file(part)
    if change is other_code:
        code, _, errors = run("sql from(techniques)select(count(*))", part)
        assert (code, errors) == (0, "")
    cure = "its searches are counted again; what this run does not reach is dropped"
    message = f"{stale} is stale: {why}; {cure}\n"
    code, output, errors = run("compare GAME", part)
    assert (code, errors) == (0, message)
    assert without_times(output) == without_times(right[1])
    after = manifest_of(part)
    assert after.files.keys() != before.files.keys()  # Whatever replaces a file has another name.
    assert list(after.files.values()) == list(before.files.values())
    assert run("compare GAME", part) == right
