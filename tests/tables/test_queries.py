"""The SQL files: their headers, the order of the views, and the script for any DuckDB."""

import os
import re
from graphlib import CycleError
from pathlib import Path

import duckdb
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.sql.query_files import (
    Query,
    in_order,
    lookup,
    lookups,
    named_in,
    parse,
    views,
)
from marubatsu.pipeline.sql.view_script import view_script
from marubatsu.pipeline.store.data_set import DataSet
from marubatsu.pipeline.store.integrity import file_names, open_parts, require_intact
from marubatsu.pipeline.support.resources import QUERIES
from marubatsu.pipeline.tables.schemas import TABLES
from marubatsu.pipeline.tables.solved_schemas import ANSWERS, PROOFS, SOLUTION, TECHNIQUES
from tests.helpers.data.data_sets import build_tree
from tests.helpers.processes.commands import run_marubatsu

VIEWS = {view.name: view for view in views()}
NAMED = {*TABLES, SOLUTION.name, ANSWERS.name, PROOFS.name, TECHNIQUES.name}
"""All tables that a query may need."""

CREATES = re.compile(
    r"^create or replace (?:(?:view|table) (\w+) as|macro (\w+)\([\w, ]+\) as(?: table| \()?)$",
    re.MULTILINE,
)


def view(name: str, sql: str) -> Query:
    return parse(name, f"create or replace view {name} as\n{sql};\n")


def names(*queries: Query) -> list[str]:
    return [query.name for query in in_order({query.name: query for query in queries})]


@pytest.mark.parametrize("path", sorted((QUERIES / "views").glob("*.sql")), ids=lambda p: p.stem)
def test_a_file_makes_one_view_of_its_name(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert [a or b for a, b in CREATES.findall(text)] == [path.stem]
    assert text.count(";\n") == 1
    assert text.endswith(";\n")
    assert VIEWS[path.stem].grain
    assert set(VIEWS[path.stem].needs) <= NAMED


def test_each_view_comes_after_those_that_it_reads() -> None:
    made: set[str] = set()
    for each in views():
        assert made.issuperset(each.sources(VIEWS)), each.name
        made.add(each.name)
    assert made == {path.stem for path in (QUERIES / "views").glob("*.sql")}
    assert VIEWS["table_quantities"].sources(VIEWS) == [
        "cells", "classes", "game", "moves", "positions", "quantities", "table_tally",
    ]  # fmt: skip
    assert VIEWS["line_cells"].sources(VIEWS) == ["cells", "game"]


def test_the_order_does_not_depend_on_the_order_of_the_files() -> None:
    queries = [view("a", "from b, c as x"), view("b", "from c"), view("c", "select 1")]
    assert names(*queries) == names(*reversed(queries)) == ["c", "b", "a"]


def test_only_what_a_statement_reads_counts() -> None:
    one = "-- from b\nwith b as (select 1 is distinct from c) from b join lateral (select 2)"
    assert names(view("a", one), view("b", "from a"), view("c", "from range(3)")) == ["a", "c", "b"]


def test_a_statement_names_views_and_what_they_read() -> None:
    queries = [view("d", "select 1"), view("c", "-- a\nfrom d"), view("b", "from c"), view("a", "")]
    assert [each.name for each in named_in("select b.x", queries)] == ["d", "c", "b"]
    assert named_in("select 'ab' from bc", queries) == []


def test_a_catalog_creates_the_views_that_a_statement_names(root: Path) -> None:
    with open_catalog(DataSet(root, Game("2x2k2")), lambda: None) as catalog:
        made = "select view_name from duckdb_views() where not internal order by all"
        assert catalog.run(made).rows == []
        assert catalog.count("cells") == 4
        assert catalog.run(made).rows == [("cells",), ("game",)]


def test_an_unknown_relation_is_an_error() -> None:
    with pytest.raises(LookupError, match="a reads 'nowhere', which is no view"):
        names(view("a", "from nowhere"))


def test_views_in_a_circle_are_an_error() -> None:
    with pytest.raises(CycleError):
        names(view("a", "from b"), view("b", "from a"))


@pytest.mark.parametrize("query", lookups().values(), ids=lookups())
def test_a_look_up_says_what_it_asks_and_takes(query: Query) -> None:
    assert query.question.endswith("?")
    assert query.grain
    assert NAMED >= set(query.needs) > set()
    assert query.statement.count("?") == len(query.parameters)
    query.sources(VIEWS)


def test_look_ups_are_read_once() -> None:
    assert lookup("ais") is lookup("ais")
    with pytest.raises(KeyError):
        lookup("nothing")


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
    done = run_marubatsu("views", "--game", "3x2k3", "--data", os.path.relpath(root))
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


def test_without_tables_the_command_says_what_to_do(tmp_path: Path) -> None:
    done = run_marubatsu("views", data=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "marubatsu tree" in done.stderr or "marubatsu build" in done.stderr


def test_moves_of_a_solution_are_those_of_the_tables(root: Path, tmp_path: Path) -> None:
    """The moves of a class are those of its representative; scores are from circle's view."""
    game = Game("3x3k3-misere")
    solve(tmp_path, game, 10**9)
    with open_catalog(DataSet(tmp_path, game), lambda: None) as solved:
        found = solved.run(
            "select ply, score, distance, loss, count(*) from solution_moves group by all "
            "order by all"
        ).rows
    with open_catalog(DataSet(root, game), lambda: None) as built:
        expected = built.run(
            "select before.ply, moves.score, after.distance, moves.loss, count(*) "
            "from classes join moves using (position) "
            "join positions as before using (position) "
            "join positions as after on moves.child = after.position group by all order by all"
        ).rows
    assert found == expected
    assert len(found) > 50
