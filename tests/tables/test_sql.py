"""Reports, also as views; and SQL from a user, which can do nothing but read."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql import sandbox_worker
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import connect, reports, views
from marubatsu.pipeline.sql.sandbox import QueryLimits, Statement, run_sql
from marubatsu.pipeline.support.errors import DataError, UsageError
from marubatsu.pipeline.support.machine import parse_memory
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.output import Rows
from marubatsu.pipeline.tables.schemas import TABLES
from tests.helpers.data.data_sets import AI_GAMES, LARGER_GAMES
from tests.helpers.processes.commands import (
    PATIENCE,
    Marubatsu,
    require_refused,
    run_here,
    run_marubatsu,
    running,
)
from tests.helpers.processes.watching import children_of, lives, wait_until

NEVER_WRONG = ("2x2k2",)


NEEDS_CRITICAL = {
    "critical_classes", "blunders_by_class", "blunders_by_ply", "expected_loss",
    "ordering_accuracy",
}  # fmt: skip
"""Games in which every legal move is a best move."""


def ask(root: Path, sql: str, name: str = "tictactoe", limits: QueryLimits | None = None) -> Rows:
    data_set = DataSet(root, Game(name))
    with run_sql(data_set, Statement(sql), limits or QueryLimits()) as answer:
        return Rows(answer.columns, list(answer.rows))


@pytest.mark.parametrize("name", ["2x2k2", "3x2k3-torus", "4x3k3"])
def test_every_report_answers_for_every_game(root: Path, name: str) -> None:
    with open_catalog(DataSet(root, Game(name))) as catalog:
        for report in reports().values():
            missing = [table for table in report.needs if table not in catalog.tables]
            if missing:
                with pytest.raises(
                    DataError, match=r"too large|call marubatsu\.|`marubatsu \w+` makes"
                ):
                    catalog.ask(report)
                assert name not in AI_GAMES or missing in (["solution"], ["proofs"], ["techniques"])
                continue
            answer = catalog.ask(report)
            empty_by_right = name in NEVER_WRONG and report.name in NEEDS_CRITICAL
            assert (len(answer.rows) == 0) == empty_by_right, report.name


def test_a_report_is_a_view_too(root: Path) -> None:
    sql = "select count(*), min(nodes) from savings where ordering = 'ai14s' and use_table"
    answer = ask(root, sql).rows
    with open_catalog(DataSet(root, Game("tictactoe"))) as catalog:
        report = catalog.ask(reports()["savings"]).records()
    nodes = [row["nodes"] for row in report if row["ordering"] == "ai14s" and row["use_table"]]
    assert answer == [[len(nodes), min(nodes)]] != [[0, None]]


@pytest.mark.parametrize(
    ("game", "name", "message"),
    [
        ("4x3k3", "tree_bfs",
         "it has classes, moves, positions, splits; 4x3k3 is too large for that"),
        ("4x3k3", "Savings", "this game has no searches, which savings reads; it has classes,"),
        ("tictactoe", "proof_sizes", "this game has no proofs, which proof_sizes reads; it has ai"),
        ("tictactoe", "proofs", "tree_dfs; run `marubatsu prove tictactoe"),
        ("4x3k3", "Tree", "no table Tree: did you mean trees, tree_dfs or tree_bfs?"),
        ("4x3k3", "xyz", "no table xyz: this game has classes, moves, positions, splits"),
    ],
)  # fmt: skip
def test_the_error_of_a_missing_table_lists_the_others(
    marubatsu: Marubatsu, game: str, name: str, message: str
) -> None:
    require_refused(marubatsu("sql", f"from {name}", "--game", game), message)


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
    "statement",
    [
        "from nodes where ply < 5",
        """select 1e16 a, 'nan'::double b, null c, '=x' d, [1, null] e, {'f': [true]} f,
            [340282366920938463463374607431768211455::uhugeint] g, date '2020-01-01' h,
            map {'q': 2} i, 'a,"b' j, e'x\\ny' k, []::int[] l""",
        "select null as a, 2 as a union all select 1, 3",
        "select 1 where false",
    ],
)
def test_csv_in_columns_is_csv_by_rows(
    marubatsu: Marubatsu, tmp_path: Path, statement: str
) -> None:
    by_rows = marubatsu("sql", statement, "--format", "csv")
    assert marubatsu("sql", statement, "--output", str(tmp_path / "rows.csv")).returncode == 0
    assert (tmp_path / "rows.csv").read_text(encoding="utf-8") == by_rows.stdout


@pytest.mark.parametrize("name", ["2x2k2", "4x3k3"])
def test_a_user_sees_the_tables_and_views_and_nothing_else(root: Path, name: str) -> None:
    shown = {row[0] for row in ask(root, "show tables", name).rows}
    seen = [view for view in views() if not view.takes]
    apart = {"solution", "answers", "proofs", "techniques"}
    expected = {view.name for view in seen if apart.isdisjoint(view.needs)}
    if name in LARGER_GAMES:
        there = {"positions", "classes", "moves", "splits"}
        expected = {view.name for view in seen if there.issuperset(view.needs)}
    assert shown == expected
    assert set(TABLES) <= {view.name for view in views()}


@pytest.mark.parametrize(
    ("command", "files"),
    [
        (("sql", "select ply, loss from nodes join moves using (position) limit 1"),
         {"positions", "tree_bfs", "moves"}),
        (("sql", "select 1"), set()),
        (("query", "standings"), {"matches"}),
    ],
)  # fmt: skip
def test_a_question_opens_the_files_that_it_names(
    root: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], files: set[str]
) -> None:
    opened: list[Path] = []

    def spy(path: Any, *arguments: Any, **options: Any) -> int:
        opened.append(Path(path))
        return real(path, *arguments, **options)

    real = os.open
    monkeypatch.setattr(os, "open", spy)
    assert run_here(*command, data=root).returncode == 0
    names = [path.name for path in opened if path.parent == root / "tictactoe"]
    assert sorted(names) == sorted(["manifest.json", *(f"{table}.parquet" for table in files)])


def test_values_without_a_python_type_are_written_as_duckdb_does(root: Path) -> None:
    sql = """
        select interval '99999999 months', 'infinity'::date, ['-infinity'::timestamp],
            {'a b': 1.50::decimal(3, 2)}, '\\x00'::blob, 170141183460469231731687303715884105727,
    ; -- end"""
    years, two = "8333333 years 3 months", {"a b": "1.50"}
    assert ask(root, sql, "2x2k2").rows == [
        [years, "infinity", ["-infinity"], two, "\\x00", 2**127 - 1]
    ]


def test_sql_does_not_reveal_the_folder_of_a_user(root: Path) -> None:
    settings = "select current_setting('secret_directory') || current_setting('home_directory')"
    assert str(Path.home()) not in ask(root, settings, "2x2k2").rows[0][0]


def test_one_long_value_costs_no_more_than_its_length(root: Path) -> None:
    long = "select repeat('x', 30000000) as long"
    answer = ask(root, long, "2x2k2", QueryLimits(PATIENCE, 10**8))
    assert [len(row[0]) for row in answer.rows] == [30_000_000]
    longer, limits = "select repeat('x', 200000000) from range(3)", QueryLimits(PATIENCE, 3 * 10**8)
    with pytest.raises(DataError, match="raise memory"):
        ask(root, longer, "2x2k2", limits)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("", "expected one statement that reads, got none"), ("-- only a comment", "got none"),
        ("create table mine (i int)", "got CREATE"),
        ("insert into moves select * from moves", "got INSERT"),
        ("with x as (insert into moves from moves) select 1", "got INSERT"),
        ("select (with x as (delete from moves) select 1)", "got DELETE"),
        ("with x as (update moves set loss = 0) select 1", "got UPDATE"),
        ("with x as (copy (select 1) to 'one.csv') from x", "got COPY"),
        ("update moves set loss = 0", "got UPDATE"), ("delete from moves", "got DELETE"),
        ("drop table moves", "got DROP"), ("select $ply", "expected values for $ply: give the"),
        ("copy moves to 'moves.csv'", "got COPY"),
        ("copy (select 1) to '/tmp/one.csv'", "got COPY"), ("export database 'out'", "got EXPORT"),
        ("attach 'other.db'", "got ATTACH"), ("install httpfs", "got LOAD"),
        ("load httpfs", "got LOAD"), ("set enable_external_access = true", "got SET"),
        ("pragma version", "got PRAGMA"), ("call pragma_version()", "got CALL"),
        ("begin", "got TRANSACTION"), ("commit", "got TRANSACTION"),
        ("prepare p as select 1", "got PREPARE"),
        ("pivot moves on score using count(*)", "expected the values of a pivot, as in"),
    ],
)  # fmt: skip
def test_a_statement_that_is_not_one_that_reads_is_refused_before_it_runs(
    sql: str, message: str
) -> None:
    request = {"sql": sql, "parameters": {}}
    with connect() as connection:
        assert message in sandbox_worker._refusal(connection, request)  # noqa: SLF001


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("select * from nowhere", "there is no table nowhere: this game has"),
        ("select nothing from positions", '"nothing" not found'),
        ('from positions where board = "o.x."', r"quotes a name: write a text as 'o\.x\.'$"),
        ("from connect4.positions", r"SQL reads one game, .*: docs/python\.md joins two$"),
        ("select 1; drop table moves", "got 2 statements"),
        (
            "with x as (delete from moves returning *) from x",
            "expected a statement that reads, .*DELETE",
        ),
        (
            "select * from read_csv('/etc/passwd')",
            "reads no files here: instead of '/etc/passwd' write the name of a table",
        ),
        ("from 'data/*/moves.parquet'", "write the name of a table; `marubatsu views` makes"),
        ("select * from request", "there is no table request"),  # a variable of the process
        ("select 'x'::int", "Could not convert"),
        ("select a.ply from positions a cross join positions b whre 1", 'at or near "whre"$'),
    ],
)
def test_sql_that_cannot_run_or_does_not_just_read_is_refused(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sql: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=message) as caught:
        ask(root, sql, "2x2k2")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sql", "limits", "message"),
    [
        ("select count(*) from range(10000000) a(i), range(10000000) b(j) where sin(i * j) > 2",
         QueryLimits(seconds=0.5), r"stopped after 0\.5 s; raise timeout"),
        ("select list(a.i) from range(100000000) a(i)", QueryLimits(memory=200 * 10**6),
         "raise memory"),
    ],
)  # fmt: skip
def test_sql_that_takes_too_much_is_stopped(
    root: Path, sql: str, limits: QueryLimits, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        ask(root, sql, "2x2k2", limits)


@pytest.mark.parametrize("form", ["json", "arrow"])
def test_the_time_limit_counts_while_the_output_is_not_read(root: Path, form: str) -> None:
    endless = ("sql", "select * from range(1000000000000)", "--timeout", "1", "--format", form)
    with running(*endless, data=root) as process:
        assert process.wait(PATIENCE) == 1
        assert process.stderr
        assert process.stderr.read() == (
            "marubatsu: the query was stopped after 1 s; raise --timeout\n"
        )


NO_THREADS = """import sys, threading
def refuse(thread):
    raise RuntimeError("can't start new thread")
if "marubatsu.pipeline.sql.sandbox_worker" in sys.orig_argv:
    threading.Thread.start = refuse
"""


def test_sql_names_the_threads_that_it_lacks(root: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(NO_THREADS)
    done = run_marubatsu("sql", "select 1", data=root, environment={"PYTHONPATH": str(tmp_path)})
    message = "no more threads for the query; raise the limit of the system (ulimit -u)\n"
    require_refused(done, message, 1)


def test_sql_comes_from_a_file_or_from_standard_input(root: Path, tmp_path: Path) -> None:
    file = tmp_path / "query.sql"
    file.write_text("\ufeffselect 1 as one; -- as editors end it", encoding="utf-8")
    for arguments, lines in ((("--file", str(file)), ""), (("-",), "select 1 as one\n")):
        done = run_here("sql", *arguments, "--format", "csv", data=root, lines=lines)
        assert (done.stdout, done.stderr) == ("one\n1\n", "")
    more = 300 * " "  # more than the name of a file may have
    done = run_here("sql", f"select 'k'{more}as one", "--format", "csv", data=root)
    assert (done.stdout, done.stderr) == ("one\nk\n", "")
    for wrong in ((), ("select 1", "--file", str(file)), ("-", "--file", str(file))):
        done = run_here("sql", *wrong, data=root)
        require_refused(done, "expected one statement: as SQL, as --file FILE, or - for")
    done = run_here("sql", str(file), data=root)
    assert (done.returncode, f"is a file: expected --file {file}" in done.stderr) == (2, True)
    file.write_bytes(b"select '\xff'")
    done = run_here("sql", "--file", str(file), data=root)
    assert (done.returncode, "byte 8 is no UTF-8" in done.stderr) == (2, True)
    done = run_here("sql", "select '\udcff'", data=root)
    assert (done.returncode, "expected SQL and its values in UTF-8" in done.stderr) == (2, True)


def test_sql_without_an_end_is_refused(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run_here("sql", "--file", "nope.sql", data=root)
    assert done.returncode == 2
    assert done.stderr == "marubatsu: cannot read 'nope.sql': No such file or directory\n"
    done = run_here("sql", "--file", "/dev/zero", data=root)
    sentence = "it holds more than 1,000,000 bytes: expected fewer\n"
    refused = f"marubatsu: cannot read '/dev/zero': {sentence}"
    assert (done.returncode, done.stderr) == (2, refused)
    monkeypatch.chdir(tmp_path)
    for size, code in ((1_000_000, 0), (1_000_001, 2)):
        lines = "select 1 as one".ljust(size)
        Path("query.sql").write_text(lines, encoding="utf-8")
        for arguments, where in ((["--file=query.sql"], "'query.sql'"), (["-"], "standard input")):
            done = run_here("sql", *arguments, "--format=csv", data=root, lines=lines)
            refused = f"marubatsu: cannot read {where}: {sentence}" if code else ""
            assert (done.returncode, done.stderr) == (code, refused)
            assert done.stdout == ("" if code else "one\n1\n")


def test_parameters_are_values_and_never_sql(root: Path) -> None:
    given = {
        "a": "3", "b": "-1.5e3", "c": "true", "d": "null", "e": "o.x", "f": "", "g": "[1]",
        "h": "1; drop table moves", "i": '"1"', "j": "NaN",
    }  # fmt: skip
    sql = f"select {', '.join(f'${name} as {name}' for name in given)}"
    options = [part for name, value in given.items() for part in ("-p", f"{name}={value}")]
    done = run_here("sql", sql, *options, "--format", "ndjson", data=root)
    assert json.loads(done.stdout) == {
        **given, "a": 3, "b": -1500, "c": True, "d": None,
    }  # fmt: skip


def test_the_worker_ends_with_its_parent(root: Path) -> None:
    """A parent that is killed cannot end it; the query must not run on for ever."""
    endless = "select count(*) from range(1000000000000)"
    with running("sql", endless, data=root) as parent:
        wait_until(lambda: children_of(parent.pid) or parent.poll() is not None)
        workers = children_of(parent.pid)
        time.sleep(0.5)  # It is at work.
        parent.kill()
    assert workers
    wait_until(lambda: not any(map(lives, workers)))


@pytest.mark.usefixtures("_heard_sigint")
def test_ctrl_c_ends_every_command_quietly(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endless = "select count(*) from range(1000000000000)"
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    for arguments, is_at_work in (
        (["sql", endless], children_of),
        (["check", "8x4k2-gravity"], lambda _: list(temporary.glob("marubatsu-*"))),
    ):
        with running(*arguments, data=root) as process:
            wait_until(partial(is_at_work, process.pid), pause=0.01)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (130, "")
        assert not list(temporary.glob("marubatsu-*"))


_BUSY = """
import sys
from pathlib import Path
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.tables.data_set import DataSet

with open_catalog(DataSet(Path(sys.argv[1]), Game(sys.argv[2]))) as catalog:
    catalog.run("create table many as from range(10_000_000)")
    print("ready", flush=True)
    catalog.run("select sum((a.range + b.range) % 7) from many as a, range(1_000_000) as b")
"""
"""A query of days, whose threads DuckDB would wait for."""


@pytest.mark.usefixtures("_heard_sigint")
def test_a_signal_ends_a_query_on_all_cores(root: Path) -> None:
    command = [sys.executable, "-c", _BUSY, str(root), "2x2k2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            time.sleep(1)  # It is at work.
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == -signal.SIGINT
        finally:
            process.kill()


_JUPYTER = """
import sys, types
sys.modules["ipywidgets"] = None  # It is not installed.
sys.modules["IPython"] = jupyter = types.ModuleType("IPython")
jupyter.get_ipython = lambda: types.SimpleNamespace(config={"IPKernelApp": {}})
"""

_BAR = """
import sys
import duckdb, marubatsu as mb
shown = "select current_setting('enable_progress_bar')"
usual = duckdb.connect().execute(shown).fetchall()
print(usual, mb.sql(shown, data=sys.argv[1]).fetchall())
"""


@pytest.mark.parametrize(
    ("where", "usual"), [("", "True"), (_JUPYTER, "False")], ids=["", "Jupyter"]
)
def test_no_progress_bar_mixes_with_the_output_of_a_program(
    root: Path, where: str, usual: str
) -> None:
    """DuckDB shows one at a terminal; in Jupyter without ipywidgets it refuses the setting."""
    command = [sys.executable, "-c", where + _BAR, str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == (f"[({usual},)] [(False,)]\n", 0), done.stderr


def test_amounts_of_memory() -> None:
    assert [parse_memory(text) for text in ("500MB", "2gb")] == [500 * 10**6, 2 * 10**9]
    for wrong in ("", "0MB", "2", "2TB", "-1GB", "1e3MB", "99999999GB"):
        with pytest.raises(UsageError) as caught:
            parse_memory(wrong)
        assert repr(wrong) in str(caught.value)
