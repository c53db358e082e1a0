"""Reports as views, narrowed, in a folder; what a game lacks; CSV in columns."""

from pathlib import Path

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import reports
from marubatsu.pipeline.sql.sandbox import QueryLimits, Statement, run_sql
from marubatsu.pipeline.support.progress import say_waiting
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.processes.commands import Marubatsu, require_refused


def test_a_report_is_a_view_too(root: Path) -> None:
    asked = "select count(*), min(nodes) from savings where ordering = 'ai14s' and use_table"
    data_set = DataSet(root, Game("tictactoe"))
    with run_sql(data_set, Statement(asked), QueryLimits(), say_waiting) as found:
        answer = list(found.rows)
    with open_catalog(data_set, say_waiting) as catalog:
        report = catalog.ask(reports()["savings"]).records()
    nodes = [row["nodes"] for row in report if row["ordering"] == "ai14s" and row["use_table"]]
    assert answer == [[len(nodes), min(nodes)]] != [[0, None]]


@pytest.mark.parametrize(
    ("game", "name", "told"),
    [
        ("4x3k3", "tree_bfs",
         "it has classes, moves, positions, splits; 4x3k3 is too large for this table"),
        ("4x3k3", "Savings", "this game has no searches, which savings reads; it has classes,"),
        ("tictactoe", "proof_sizes", "this game has no proofs, which proof_sizes reads; it has ai"),
        ("tictactoe", "proofs", "tree_dfs; run `marubatsu prove tictactoe"),
    ],
)  # fmt: skip
def test_a_missing_table_is_told_with_those_that_are_there(
    marubatsu: Marubatsu, game: str, name: str, told: str
) -> None:
    require_refused(marubatsu("sql", f"from {name}", "--game", game), told)


def test_a_report_is_narrowed_and_all_go_into_a_folder(
    marubatsu: Marubatsu, tmp_path: Path
) -> None:
    done = marubatsu("query", "openings", "--where", "opening = 4", "--format", "csv")
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 2)
    done = marubatsu("query", "--all", str(tmp_path / "answers"), "--game", "2x2k2",
                     "--format", "csv")  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    written = {path.stem for path in (tmp_path / "answers").iterdir()}
    listed = {line.split()[0] for line in done.stdout.splitlines()[2:] if ".csv" in line}
    assert written == listed > {"savings", "strong", "weak"}


@pytest.mark.parametrize(
    "asked",
    [
        "from nodes where ply < 5",
        """select 1e16 a, 'nan'::double b, null c, '=x' d, [1, null] e, {'f': [true]} f,
            9::hugeint g, date '2020-01-01' h, map {'q': 2} i, 'a,"b' j, e'x\\ny' k, []::int[] l""",
        "select null as a, 2 as a union all select 1, 3",
        "select 1 where false",
    ],
)
def test_csv_in_columns_is_csv_by_rows(marubatsu: Marubatsu, tmp_path: Path, asked: str) -> None:
    by_rows = marubatsu("sql", asked, "--format", "csv")
    assert marubatsu("sql", asked, "--output", str(tmp_path / "rows.csv")).returncode == 0
    assert (tmp_path / "rows.csv").read_text(encoding="utf-8") == by_rows.stdout
