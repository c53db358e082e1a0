"""SQL over solutions: views that read rows, checks that notice every defect, the sandbox."""

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partialmethod
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from marubatsu.engine.large.index import Index
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.checking import checks as checking
from marubatsu.pipeline.checking.checks import Outcome, run_check
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.sql.query_files import checks, connect, report, views
from marubatsu.pipeline.sql.sandbox import QueryLimits, Statement, run_sql
from marubatsu.pipeline.sql.solution_rows import with_keys
from marubatsu.pipeline.sql.view_script import file_names, view_script
from marubatsu.pipeline.stages.usable import open_parts, require_intact
from marubatsu.pipeline.support.errors import UsageError
from marubatsu.pipeline.tables import solution_parts
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.data.data_sets import MEMORY, Solutions
from tests.helpers.processes.commands import require_refused, run_here

SAMPLED = ("solution_classes", "solution_values")

CHECKS = {name: check for name, check in checks().items() if check.needs == ("solution",)}

STACKED, FLAT = "3x2k3-gravity", "3x2k3"
OTHERS = ("2x2k2-misere", "3x3k3-gravity-misere")
GAMES = (STACKED, FLAT, *OTHERS, "2x7k3-gravity", "4x1k1")
"""Blocks of both kinds; all symmetries; lines of every direction; choices with higher cells."""

COPIED = ("solution_files", "solution_parts", "blocks", "value_counts")

PLANNED = ("placed_blocks", "block_neighbours")
"""Views that take long to plan; they are copied where the blocks are right."""

DEFECTS = {
    "solution_blocks": [
        "update copied_blocks set block = 1 - block where ply = 3 and block < 2",
        "update copied_blocks set mask = 1 where ply = 1 and block = 0",
        "update copied_blocks set mask = null where ply = 3 and block = 1",
        "update copied_blocks set block = block + 1 where ply = 3",
        "insert into copied_blocks from copied_blocks where ply = 3 and block = 0",
        # With gravity this one floats, and it has another number of marks without.
        "update copied_blocks set mask = 1 + 2 where ply = 3 and block = 0",
    ],
    "solution_rows": [
        "delete from copied_solution_parts where ply = 3",
        "delete from copied_solution_parts where ply < 3",
        "insert into copied_solution_parts from copied_solution_parts where ply = 3",
        "update copied_solution_files set value = null where ply = 0",
        "delete from copied_blocks where ply = 3 and block = 1",
        "insert into copied_blocks from copied_blocks where ply = 3 and block = 0",
    ],
    "solution_classes": [
        # Rows that are shifted by one.
        "update copied_solution_files set key = key + 1 where ply = 5",
        "update copied_solution_files set value = null where ply = 3",
    ],
    "solution_values": [
        "update copied_solution_files set value = -value where ply = 4 and value <> 0",
        "update copied_solution_files set value = value + 1 where ply = 4",
        "update copied_solution_files set value = -64 where ply = 3",
        "update copied_solution_files set value = 63 where value = -64",
        "update copied_solution_files set key = key + 1 where ply = 4",
        "delete from copied_solution_files where ply = 4",
        "delete from copied_solution_files where ply = (select max(ply) from copied_blocks)",
    ],
    "solution_value_counts": [
        "update copied_value_counts set distance = distance + 1 where ply = 4",
        "delete from copied_value_counts where ply = 4 and distance = 2",
        "insert into copied_value_counts from copied_value_counts where ply = 4",
        "update copied_solution_files set value = 0 where ply = 4 and value <> 0",
    ],
}

WRONG_CELLS = [
    *(("solution_files", column) for column in ("ply", "key", "value")),
    *(("solution_parts", column) for column in ("ply", "first_key", "rows", "rows_of_file")),
    *(("blocks", column) for column in ("ply", "block", "mask")),
    *(("value_counts", c) for c in ("ply", "score_mover", "distance", "classes", "positions")),
]

NOTICE = {
    "solution_files": ("solution_values", "solution_classes"),
    "solution_parts": ("solution_rows",),
    "blocks": ("solution_blocks", "solution_rows"),
    "value_counts": ("solution_value_counts",),
}
"""The checks that notice a wrong cell."""


@pytest.fixture(scope="module")
def solved(solutions: Solutions) -> Path:
    return solutions.of(*GAMES)


@pytest.fixture(scope="module")
def connections(solved: Path) -> Iterator[dict[str, duckdb.DuckDBPyConnection]]:
    """Copy solutions into memory."""
    with ExitStack() as stack:
        made = {}
        for name in (STACKED, FLAT):
            made[name] = stack.enter_context(viewed(solved, Game(name)))
            for view in (*COPIED, *PLANNED):
                made[name].execute(f"create table copied_{view} as from {view}")
                made[name].execute(f"create or replace view {view} as from copied_{view}")
        yield made


@pytest.fixture(scope="module")
def copies(solved: Path, connections: dict[str, duckdb.DuckDBPyConnection]) -> dict[str, Catalog]:
    """Return these copies as catalogs: all checks pass on them."""
    catalogs = {}
    for name, connection in connections.items():
        data_set = DataSet(solved, Game(name))
        catalogs[name] = Catalog(connection, data_set, open_parts(data_set, require_intact))
        catalogs[name]._created.update(view.name for view in views())  # noqa: SLF001, the copies
        assert {_outcome(catalogs[name], check).verdict for check in CHECKS} == {"pass"}
    return catalogs


@pytest.fixture
def copy(copies: dict[str, Catalog], request: pytest.FixtureRequest) -> Iterator[Catalog]:
    """Return a copy that can be damaged; what a test does to it is undone."""
    catalog = copies[request.param]
    catalog.run("begin")
    yield catalog
    catalog.run("rollback")


@pytest.mark.parametrize("name", OTHERS)
def test_the_checks_pass(solved: Path, name: str) -> None:
    with open_catalog(DataSet(solved, Game(name)), memory=10**9) as catalog:
        outcomes = [run_check(catalog, check) for check in CHECKS.values()]
        counts = {relation: catalog.count(relation) for relation in COPIED}
    assert [(o.verdict, o.examined) for o in outcomes] == [
        ("pass", counts[check.examines]) for check in CHECKS.values()
    ]
    assert counts["solution_files"] > 2


def test_every_check_has_defects() -> None:
    assert DEFECTS.keys() == CHECKS.keys()


@pytest.mark.parametrize(
    ("copy", "name", "defect"),
    [
        (game, name, each)
        for game in (STACKED, FLAT)
        for name in DEFECTS
        for each in DEFECTS[name]
        if game == STACKED or name == "solution_blocks"  # Blocks are of two kinds.
    ],
    indirect=["copy"],
)
def test_a_check_notices_a_defect(copy: Catalog, name: str, defect: str) -> None:
    assert _change(copy, defect) > 0
    assert _outcome(copy, name).verdict == "fail"


@pytest.mark.parametrize("copy", [FLAT], indirect=True)
@pytest.mark.parametrize(("relation", "column"), WRONG_CELLS)
def test_a_wrong_cell_never_passes(copy: Catalog, relation: str, column: str) -> None:
    [(row,)] = copy.run(
        f"select rowid from copied_{relation} where {column} is not null "  # noqa: S608
        f"order by abs(rowid - {copy.count(relation) // 2}) limit 1"
    ).rows
    for change in ("+ 1", "* null"):
        wrong = f"update copied_{relation} set {column} = {column} {change} where rowid = ?"  # noqa: S608
        assert _change(copy, wrong, [row]) == 1
        assert any(_outcome(copy, name).verdict == "fail" for name in NOTICE[relation]), change
        copy.run("rollback")
        copy.run("begin")


@pytest.mark.parametrize(("copy", "odd"), [(STACKED, False), (FLAT, True)], indirect=["copy"])
def test_a_value_too_many_is_named(copy: Catalog, *, odd: bool) -> None:
    """In every second ply, so that none leads to another."""
    rows = copy.run(
        "update copied_solution_files set value = 0 where value is null and ply % 2 = ?::int "
        "returning ply, key",
        [odd],
    ).rows
    assert len(rows) > 4
    named = {tuple(row[:2]) for row in _outcome(copy, "solution_classes").counterexamples.rows}
    assert named.issuperset(map(tuple, rows))


def test_a_sample_reads_only_the_parts_that_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the parts before and after those of its ply, each sample finds a fault."""
    monkeypatch.setattr(solution_parts, "PART", 64)
    files = solve(tmp_path, Game(FLAT), MEMORY).manifest.files
    monkeypatch.setattr(checking, "MOST_CLASSES", 10)
    monkeypatch.setattr(checking, "_ROWS", 10)
    variables, read = Catalog.variables, list[int]()

    def spied(
        catalog: Catalog, values: dict[str, Any], *, only: bool
    ) -> AbstractContextManager[None]:
        if places := values.get("drawn_places"):
            read.append(len(places))
            own = [place for place in places if place["ply"] == values["ply"] or not only]
            values = {**values, "drawn_places": own}
        return variables(catalog, values)

    for only, verdict in ((False, "pass"), (True, "fail")):
        monkeypatch.setattr(Catalog, "variables", partialmethod(spied, only=only))
        with open_catalog(DataSet(tmp_path, Game(FLAT))) as catalog:
            outcomes = [_outcome(catalog, name) for name in SAMPLED]
            rows = catalog.count("solution_files")
        assert all(outcome.sample for outcome in outcomes)
        assert [outcome.verdict for outcome in outcomes] == [verdict, verdict]
        row = outcomes[1].row()
        assert row[4].endswith(f"A sample: {row[2]} of {rows} rows.")
    assert 2 <= min(read) < max(read) < sum("/" in file for file in files)


@pytest.mark.parametrize("copy", [STACKED], indirect=True)
def test_a_sample_of_plies_takes_the_smallest(
    copy: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, counted = (
        {ply: copy.run(f"select count(*) from {of} where ply = ?", [ply]).rows[0][0]  # noqa: S608
         for ply in copy.distinct(of, "ply")}
        for of in ("solution_files", "value_counts")
    )  # fmt: skip
    drawn = sorted(rows, key=lambda ply: (rows[ply], ply))[:4]
    monkeypatch.setattr(checking, "MOST_ROWS", sum(rows[ply] for ply in drawn))
    some, every = sum(counted[ply] for ply in drawn), sum(counted.values())
    for ply in rows:
        wrong = "update copied_value_counts set classes = 1 + classes where ply = ?"
        assert _change(copy, wrong, [ply]) > 0
        outcome = _outcome(copy, "solution_value_counts")
        assert outcome.verdict == ("fail" if ply in drawn else "pass")
        assert outcome.sample == f"A sample: {some} of {every} rows."
        copy.run("rollback")
        copy.run("begin")
    assert len(drawn) < len(rows)


def _change(copy: Catalog, sql: str, values: list[object] | None = None) -> int:
    """Change a copy; return how many rows that concerns."""
    if "copied_blocks" in sql:
        for view in views():
            if view.name in PLANNED:
                copy.run(view.sql)
    [(changed,)] = copy.run(sql, values).rows
    return int(changed)


def _outcome(catalog: Catalog, name: str) -> Outcome:
    return run_check(catalog, CHECKS[name])


@pytest.mark.parametrize("name", GAMES)
def test_the_view_reads_rows_as_we_do(solved: Path, name: str) -> None:
    game = Game(name)
    with open_catalog(DataSet(solved, game)) as catalog:
        rows = catalog.run("select ply, key, board, score_mover, score, orbit from solution").rows
        found = catalog.run("select ply, key, solution_key(board) from solution").rows
    assert len({board for _, _, board, *_ in rows}) == len(rows) > 2
    assert all(key == again for _, key, again in found)
    index = Index(game)
    for ply, key, board, score_mover, score, orbit in rows:
        [circle], [cross] = (masks.tolist() for masks in index.masks(ply, np.array([key])))
        assert board == to_text(game, Position(circle, cross))
        assert score == (-score_mover if ply % 2 else score_mover)
        assert orbit == len(images(game, board))


def test_the_report_counts_as_the_tables_do(solutions: Solutions, root: Path) -> None:
    game = Game("3x3k3-gravity")
    with open_catalog(DataSet(solutions.of(game.name), game)) as catalog:
        solution = catalog.ask(report("solved_plies"))
    with open_catalog(DataSet(root, game)) as catalog:
        tables = catalog.run(
            """
            select
                ply, count(distinct class), count(*), count(distinct class) filter (distance = 0),
                count(distinct class) filter (score = 1), count(distinct class) filter (score = 0),
                count(distinct class) filter (score = -1), count(*) filter (score = 1),
                count(*) filter (score = 0), count(*) filter (score = -1),
                max(distance) filter (score <> 0),
            from positions group by ply order by ply
            """
        ).rows
    assert list(map(tuple, solution.rows)) == list(map(tuple, tables))


def test_totals_are_what_solving_counted(solved: Path) -> None:
    """The orbits alone: the view takes another way to them than with boards."""
    rows = "select ply, score_mover, distance, count(*), sum(orbit)::bigint from solution"
    counts = "select ply, score_mover, distance, classes, positions from value_counts"
    data_set = DataSet(solved, Game("2x2k2-misere"))
    with open_catalog(data_set) as catalog:
        counted = [list(row) for row in catalog.run(f"{counts} order by all").rows]
        assert [list(row) for row in catalog.run(f"{rows} group by all order by all").rows] == (
            counted
        )
    statement = Statement(f"{rows} where ply = 1 group by all order by all")
    with run_sql(data_set, statement, QueryLimits()) as answer:
        assert list(answer.rows) == [row for row in counted if row[0] == 1] != []


def test_sql_of_users_reads_a_solution(solved: Path) -> None:
    data_set = DataSet(solved, Game(FLAT))

    def ask(sql: str) -> list[list[object]]:
        with run_sql(data_set, Statement(sql), QueryLimits()) as answer:
            return list(answer.rows)

    assert ask("select board, distance from solution where ply = 0") == [["." * 6, 6]]
    sql = "select board, ply from solution where board = representative('x..o..')"
    assert ask(sql) == [["..x..o", 2]]
    with pytest.raises(UsageError, match="SQL reads no files here"):
        ask(f"select * from read_parquet('{data_set.folder}/solution/*/*')")  # noqa: S608


def test_a_board_is_found_by_its_key(solved: Path) -> None:
    """A board and an image of it: the same rows with and without the key."""
    game = Game("3x3k3-gravity-misere")
    with viewed(solved, game) as connection:
        some = "select board from solution order by ply < 2, hash(board) limit 1"
        [(board,)] = connection.execute(some).fetchall()
        for image in (board, min(images(game, board) - {board})):
            found = []
            for constant in ("$board", "representative($board)"):
                sql = f"select board from solution where board = {constant}"  # noqa: S608
                narrowed = with_keys(game, sql, {"board": image})
                assert '"key" = ' in narrowed
                found.append(connection.execute(narrowed, {"board": image}).fetchall())
                assert found[-1] == connection.execute(sql, {"board": image}).fetchall()
            assert found == [[(board,)] * (image == board), [(board,)]]


@contextmanager
def viewed(root: Path, game: Game) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the views of a solution without a sandbox."""
    with connect() as connection:
        opened = open_parts(DataSet(root, game), require_intact)
        connection.execute(view_script(file_names(opened)))
        yield connection


def images(game: Game, board: str) -> set[str]:
    found = set()
    for symmetry in symmetries(game):
        cells = dict(zip(symmetry.image, board, strict=True))
        found.add("".join(cells[cell] for cell in range(game.cells)))
    return found


@pytest.mark.parametrize(
    ("sql", "narrows"),
    [
        ("from solution where board = 'o.x...'", True),
        ("select * from Solution as S where 'o.x...' = s.BOARD and ply > 1", True),
        ("from solution where board = $board", True),
        ("with a as (from solution where board = 'o.x...') from a where ply = 2", True),
        ("from solution join solution_moves using (ply, key) where board = 'o.x...'", True),
        ("from solution a left join solution_moves using (key) where a.board = 'o.x...'", True),
        ("select 1 where 2 in (select ply from solution where board = 'o.x...')", True),
        ("from solution union all from solution where board = 'o.x...'", True),
        ("select 'o' as board, ply as key from solution where board = 'o.x...'", True),
        ("from solution where board = 'o.x...' or ply = 0", False),
        ("from solution where not (board = 'o.x...')", False),
        ("from solution where board = 'o.x'", False),
        ("from solution where board = 'O.X...'", False),
        ("from solution where board = 'o..o..'", False),
        ("from solution where board = null", False),
        ("with solution as (select 'o.x...' as board) from solution where board = 'o.x...'", False),
        ("from solution as s (a, b, c, d, e, f, board) where s.board = 'o.x...'", False),
        ("from solution, solution as b where b.board = 'o.x...'", False),
        ("from (select 'o.x...' as board) right join solution using (board) where board = 'o.x...'",
         False),
        ("select count(*) from solution_files where key = 2", False),
    ],
)  # fmt: skip
def test_only_a_board_that_must_be_there_is_looked_up(
    connections: dict[str, duckdb.DuckDBPyConnection], sql: str, *, narrows: bool
) -> None:
    connection, used = connections[FLAT], {"board": "o.x..."} if "$board" in sql else {}
    narrowed = with_keys(Game(FLAT), sql, used)
    assert (narrowed != sql) == narrows
    pairs = [connection.execute(text, used).fetchall() for text in (sql, narrowed)]
    assert sorted(pairs[0], key=str) == sorted(pairs[1], key=str)


def test_commands_say_what_is_missing(solved: Path, root: Path, tmp_path: Path) -> None:
    message = f"plies needs positions and classes: run `marubatsu build {FLAT}`"
    require_refused(run_here("query", "plies", "--game", FLAT, data=solved), message, 1)
    message = "solved_plies needs solution: run `marubatsu solve tictactoe`"
    require_refused(run_here("query", "solved_plies", "--game", "tictactoe", data=root), message, 1)
    done = run_here("query", "--all", str(tmp_path / "answers"), "--game", FLAT, data=solved)
    assert done.returncode == 0
    assert "positions and searches: run `marubatsu build" in done.stdout
    (written,) = (tmp_path / "answers").iterdir()
    assert "finished_classes" in written.read_text(encoding="utf-8")


def test_a_check_with_too_little_memory_says_so(solved: Path) -> None:
    done = run_here("check", "3x3k3-gravity-misere", "--memory", "1MB", data=solved)
    require_refused(done, "needs more memory than it may have; raise --memory", 1)
    done = run_here("sql", "from solution_moves", "--memory", "1MB", "--game", FLAT, data=solved)
    assert "choose a ply and a key of solution_moves; raise --memory" in done.stderr


def test_a_part_that_the_manifest_does_not_list_is_not_read(
    solutions: Solutions, solved: Path, tmp_path: Path
) -> None:
    game = Game(FLAT)
    folder = solutions.copy(game.name, tmp_path).path("solution/ply=03")
    (folder / "part-0009.parquet").write_bytes((folder / "part-0000.parquet").read_bytes())
    counts = []
    for root in (solved, tmp_path):
        with open_catalog(DataSet(root, game)) as catalog:
            counts.append(catalog.count("solution"))
    sql = Statement("select count(*) from solution")
    with run_sql(DataSet(tmp_path, game), sql, QueryLimits()) as answer:
        assert [[count] for count in counts] == 2 * list(answer.rows)


def test_totals_of_a_solution_take_little_memory(solutions: Solutions) -> None:
    """The join with the blocks holds the blocks in memory, not the 1,217,977 classes."""
    sql = "select ply, score_mover, sum(orbit) as positions, count(*) as classes from solution"
    done = run_here(
        "sql", f"{sql} group by all", "--game", "4x4k4", "--memory", "80MB", "--timeout", "600",
        "--format", "json", data=solutions.of("4x4k4"),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)
    assert sum(row["classes"] for row in rows) == 1_217_977
    assert sum(row["positions"] for row in rows) == 9_722_011
