"""The SQL files: their headers, the order of the views, and the script for any DuckDB."""

import os
from pathlib import Path

import duckdb
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.sql.query_files import (
    Sources,
    folder,
    sources,
    tables_to_open,
    views,
    views_read,
)
from marubatsu.pipeline.sql.view_script import file_names, view_script
from marubatsu.pipeline.stages.usable import open_parts, require_intact
from marubatsu.pipeline.support.resources import QUERIES
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.schemas import TABLES
from marubatsu.pipeline.tables.solved_schemas import ANSWERS, PROOFS, SOLUTION, TECHNIQUES
from tests.helpers.data.data_sets import build_tree
from tests.helpers.processes.commands import run_here

VIEWS = {view.name: view for view in views()}
NAMED = {*TABLES, SOLUTION.name, ANSWERS.name, PROOFS.name, TECHNIQUES.name}
"""All tables that a query may need."""


@pytest.mark.parametrize("kind", ["views", "checks", "reports", "lookups"])
def test_every_query_says_what_it_asks_and_what_a_row_is(kind: str) -> None:
    for name, query in folder(kind).items():
        assert query.grain, name
        assert query.question.endswith("?") or kind == "views", name
        assert kind != "lookups" or query.statement.count("?") == len(query.parameters), name


def test_each_view_comes_after_those_that_it_reads() -> None:
    made: set[str] = set()
    for each in views():
        assert made >= each.sources.views, each.name
        made.add(each.name)
    files = [*(QUERIES / "views").glob("*.sql"), *(QUERIES / "reports").glob("*.sql")]
    assert made == {path.stem for path in files}
    assert VIEWS["table_quantities"].sources.views == {
        "cells", "classes", "game", "moves", "positions", "quantities", "table_tally",
    }  # fmt: skip
    assert VIEWS["line_cells"].sources.views == {"cells", "game"}


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ("-- from b\nselect 1 is distinct from a from a join lateral (select 2) on true", {"a"}),
        ("with c as (from a) from c, B as x, range(3), generate_series(1, 2)", {"a", "b"}),
        ("with a as (from a) from a", {"a"}),
        ("select 'b', choose(4, 2), (select max(x) from a), x.b from unnest([1]) t(x)",
         {"a", "choose"}),
        ("from quantities('a')", {"a", "quantities"}),
        ("from query_table('b') positional join query_table(a)", {"a", "b"}),
        ("select 'a'", set()),
        ("from read_csv('a')", set()),
    ],
)  # fmt: skip
def test_a_statement_reads_the_views_in_its_syntax_tree(sql: str, names: set[str]) -> None:
    read = sources(sql, {"a", "b", "choose", "quantities"})
    assert read == Sources(frozenset(names), frozenset(), frozenset())


@pytest.mark.parametrize(
    "sql",
    [
        "from nowhere", "from other.a", "show tables", "describe a", "explain from a",
        "from query_table(['a'])", "from query_table($1)", "from query('from a')",
        "from duckdb_views()", "pivot a on x using count(*)", "selec",
    ],
)  # fmt: skip
def test_a_statement_that_may_read_any_view_reads_them_all(sql: str) -> None:
    assert sources(sql, {"a"}) is None
    assert views_read(sql) == views()


def test_a_view_names_the_files_of_its_tables_and_the_variables_that_it_reads() -> None:
    files = "from read_parquet(getvariable('files')['moves']), read_csv(getvariable('reference'))"
    assert sources(files, set()) == Sources(
        frozenset(), frozenset({"moves"}), frozenset({"files", "reference"})
    )
    assert VIEWS["nodes"].needs == ("positions", "tree_bfs")
    assert VIEWS["solution"].needs == ("solution",)
    assert tables_to_open(views_read("select count(*) from positions")) == {"positions"}
    assert tables_to_open(views_read("from value_counts")) == {"value_counts"}
    assert tables_to_open(views()) == NAMED | {"blocks", "value_counts"}


def test_a_catalog_creates_what_a_statement_names(root: Path) -> None:
    with open_catalog(DataSet(root, Game("2x2k2"))) as catalog:
        connection = catalog._connection  # noqa: SLF001
        views = "select view_name from duckdb_views() where not internal order by all"
        stored = "select table_name from duckdb_tables() where temporary order by all"
        assert connection.execute(views).fetchall() == []
        assert catalog.count("cells") == 4
        assert connection.execute(views).fetchall() == []
        assert connection.execute(stored).fetchall() == [("cells",), ("game",)]
        assert catalog.count("positions") > 0
        assert connection.execute(views).fetchall() == [("positions",)]
        assert connection.execute(stored).fetchall() == [("cells",), ("game",)]


def test_names_in_sql_are_names(catalog: Catalog) -> None:
    assert catalog.distinct("positions", "ply") == list(range(10))
    for name in ("", "a b", "a; drop", "A", 'a"'):
        with (
            pytest.raises(ValueError, match="expected a name of a-z"),
            catalog.variables({name: 1}),
        ):
            pass
        with pytest.raises(ValueError, match="expected a name of a-z"):
            catalog.distinct("positions", name)


def test_another_duckdb_reads_the_script_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, elsewhere = tmp_path / 'it\'s "here"', tmp_path / "elsewhere"
    elsewhere.mkdir()
    built = build_tree(root, "3x2k3")
    solve(root, built.game, 10**9)
    done = run_here("views", "--game", "3x2k3", "--data", os.path.relpath(root), data=root)
    assert (done.returncode, done.stderr) == (0, "")
    monkeypatch.chdir(elsewhere)
    with duckdb.connect() as connection:
        connection.execute(done.stdout)
        shown = {row[0] for row in connection.execute("show tables").fetchall()}
        scores = connection.execute("select score from solution where ply = 0").fetchall()
        scores += connection.execute("select score from positions where ply = 0").fetchall()
        connection.execute("from known_counts")
    has = {"positions", "classes", "moves", "tree_bfs", "tree_dfs", "solution"}
    assert shown == {v.name for v in views() if has.issuperset(v.needs) and not v.takes}
    assert scores == [(0,), (0,)]
    assert list(elsewhere.iterdir()) == []


def test_the_views_of_a_game_that_is_only_solved(tmp_path: Path) -> None:
    game = Game("3x2k3-gravity")
    solve(tmp_path, game, 10**9)
    opened = open_parts(DataSet(tmp_path, game), require_intact)
    script = view_script(file_names(opened))
    with duckdb.connect() as connection:
        connection.execute(script)
        found = connection.execute("select notation, board from game, solution where ply = 0")
        assert found.fetchall() == [("3x2k3-gravity", "......")]


def test_moves_of_a_solution_are_those_of_the_tables(root: Path, tmp_path: Path) -> None:
    """The moves of a class are those of its representative; scores are from circle's view."""
    game = Game("3x3k3-misere")
    solve(tmp_path, game, 10**9)
    with open_catalog(DataSet(tmp_path, game)) as solved:
        found = solved.run(
            "select ply, score, distance, loss, count(*) from solution_moves group by all "
            "order by all"
        ).rows
    with open_catalog(DataSet(root, game)) as built:
        expected = built.run(
            "select before.ply, moves.score, after.distance, moves.loss, count(*) "
            "from classes join moves using (position) "
            "join positions as before using (position) "
            "join positions as after on moves.child = after.position group by all order by all"
        ).rows
    assert found == expected
    assert len(found) > 50
