"""The formats of rows, and the files and terminals that they are written to."""

import csv
import io
import json
import os
import pty
import sys
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import zstandard
from pyarrow import feather

from marubatsu.cli.output import refuse_binary
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.sql.sandbox import QueryLimits, Statement, run_sql
from marubatsu.pipeline.support.errors import UsageError, harmless
from marubatsu.pipeline.tables.arrow_files import typed
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.formats import Format
from marubatsu.pipeline.tables.output import MOST_SHOWN, write
from tests.helpers.processes.commands import Marubatsu, require_refused, run_here
from tests.helpers.processes.watching import shown_on


def in_formats(root: Path, sql: str) -> dict[str, str]:
    """Ask once, and write the answer in every format of text."""
    shown = {}
    data_set = DataSet(root, Game("tictactoe"))
    with run_sql(data_set, Statement(sql), QueryLimits()) as answer:
        rows = list(answer.rows)
    for form in (Format.TABLE, Format.JSON, Format.CSV, Format.MARKDOWN):
        out = io.StringIO()
        write(answer.columns, rows, form, out)
        shown[form.value] = out.getvalue()
    return shown


def test_formats_hold_the_same_rows(root: Path) -> None:
    sql = "select move, is_best, null as nothing, [1, 2] as list from moves where position = 1"
    shown = in_formats(root, f"{sql} order by move")
    as_json = json.loads(shown["json"])
    read = list(csv.DictReader(io.StringIO(shown["csv"])))
    assert [int(row["move"]) for row in read] == [row["move"] for row in as_json]
    assert read[0] == {"move": "1", "is_best": "false", "nothing": "", "list": "[1, 2]"}
    assert shown["markdown"].splitlines()[:3] == [
        "| move | is_best | nothing | list |",
        "|---:|---|---|---|",
        "| 1 | no |  | [1, 2] |",
    ]
    table = shown["table"].splitlines()
    assert table[0].split() == ["move", "is_best", "nothing", "list"]
    assert len(table) == len(as_json) + 2 == len(read) + 2


def test_json_is_json_whatever_the_values(marubatsu: Marubatsu) -> None:
    sql = "select 'nan'::double as a, 'inf'::double as a, 1.5::decimal(3, 1) as b, {'c': 2} as d"
    shown = marubatsu("sql", sql, "-f", "json").stdout
    assert json.loads(shown, parse_constant=pytest.fail) == [
        {"a": None, "a_2": None, "b": "1.5", "d": {"c": 2}}
    ]


def test_no_rows_are_no_rows_in_every_format(root: Path) -> None:
    shown = in_formats(root, "select board from positions where ply > 9")
    assert json.loads(shown["json"]) == []
    assert (shown["csv"], shown["markdown"]) == ("board\n", "| board |\n|---|\n")


def test_output_goes_to_a_file_compressed_by_its_name(marubatsu: Marubatsu, tmp_path: Path) -> None:
    plain, packed = tmp_path / "moves.csv", tmp_path / "moves.csv.zst"
    for path in (plain, packed):
        done = marubatsu("sql", "from moves order by all", "-f", "csv", "-o", str(path))
        assert (done.returncode, done.stdout) == (0, "")
    with zstandard.open(packed, "rt", encoding="utf-8", newline="") as file:
        assert file.read() == plain.read_text(encoding="utf-8")
    assert len(plain.read_text().splitlines()) == 16167 + 1
    assert {path.name for path in tmp_path.iterdir()} == {"moves.csv", "moves.csv.zst"}


def test_output_goes_through_links_and_pipes(marubatsu: Marubatsu, tmp_path: Path) -> None:
    target, link, fifo = tmp_path / "target.csv", tmp_path / "link.csv", tmp_path / "fifo"
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to(target)
    assert marubatsu("sql", "select 1 as one", "-f", "csv", "-o", str(link)).returncode == 0
    assert link.is_symlink()
    assert target.read_text() == "one\n1\n"
    assert target.stat().st_mode & 0o777 == 0o600
    os.mkfifo(fifo)
    with os.fdopen(os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)) as lines:
        assert marubatsu("sql", "select 1 as one", "-f", "csv", "-o", str(fifo)).returncode == 0
        assert lines.read() == "one\n1\n"
    assert fifo.is_fifo()
    reader, writer = os.pipe()  # A link to it leads to no path: "pipe:[1234]".
    with os.fdopen(reader) as lines:
        with os.fdopen(writer):
            done = marubatsu("sql", "select 1 as one", "-f", "csv", "-o", f"/dev/fd/{writer}")
        assert (done.returncode, lines.read()) == (0, "one\n1\n")


def test_a_table_shows_its_first_rows_and_says_so(marubatsu: Marubatsu) -> None:
    done = marubatsu("sql", "from range(10001)")
    assert len(done.stdout.splitlines()) == MOST_SHOWN + 2
    assert "more than these 10,000 rows" in done.stderr


def test_a_table_is_aligned_where_letters_take_two_columns() -> None:
    out = io.StringIO()
    write(["name", "n"], [["花子", 1], ["ab", 10]], Format.TABLE, out)
    assert out.getvalue() == "name    n\n─────────\n花子    1\nab     10\n"


HARMFUL = "a\x1b[2J\x9b2J\x7f\u202e\u2066\u2028\U000e0001あ😀"
"""Text with characters that control a terminal, and two that do not."""

ESCAPED = r"a\u001b[2J\u009b2J\u007f\u202e\u2066\u2028\udb40\udc01あ😀"


@pytest.mark.parametrize("form", ["json", "ndjson"])
def test_json_escapes_what_controls_a_terminal_and_is_the_same_value(
    marubatsu: Marubatsu, form: str
) -> None:
    sql = f"select '{HARMFUL}' as \"{HARMFUL}\", ['{HARMFUL}', 'nan'] as list, 'nan'::float as f"
    text = marubatsu("sql", sql, "-f", form).stdout.strip("[]\n ")
    assert text == f'{{"{ESCAPED}": "{ESCAPED}", "list": ["{ESCAPED}", "nan"], "f": null}}'
    assert json.loads(text) == {HARMFUL: HARMFUL, "list": [HARMFUL, "nan"], "f": None}


def test_log_lines_escape_control_characters(marubatsu: Marubatsu) -> None:
    (line,) = marubatsu("--log-json", "show", "a\x9b\u202e").stderr.splitlines()
    assert line.isprintable()
    assert r"'a\x9b\u202e'" in json.loads(line)["message"]


def test_csv_is_exact_but_on_a_terminal(marubatsu: Marubatsu, tmp_path: Path) -> None:
    sql = f"select '{HARMFUL}' as \"{HARMFUL}\""
    exact = f"{HARMFUL}\n{HARMFUL}\n"
    assert marubatsu("sql", sql, "-f", "csv").stdout == exact
    file = tmp_path / "rows.csv"
    assert marubatsu("sql", sql, "-o", str(file)).returncode == 0
    assert file.read_bytes().decode() == exact
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as out:
        write([HARMFUL], [[HARMFUL]], Format.CSV, out)
    shown = shown_on(ours)
    assert shown.splitlines() == [harmless(HARMFUL)] * 2
    assert shown.startswith(r"a\x1b[2J\x9b2J\x7f\u202e")


def test_no_spreadsheet_runs_the_name_of_a_player(marubatsu: Marubatsu, tmp_path: Path) -> None:
    """A name in a log, a value of SQL, a name of a column; other formats keep them."""
    names = ["=1+1", "+1+1", "-1+1", "@sum(a1)", "\t=1", "=cmd|' /c'!a1"]
    log = tmp_path / "games.csv"
    with log.open("w", newline="") as file:
        games = [[name, "bob", "4 0 8"] for name in names]
        csv.writer(file).writerows([["first", "second", "moves"], *games])
    review = marubatsu("review", str(log), "-g", "tictactoe", "-f", "csv")
    cells = {row["player"] for row in csv.DictReader(io.StringIO(review.stdout))}
    assert cells == {*("'" + name.strip() for name in names), "bob"}
    columns = ", ".join("'{}' as \"{}\"".format(name.replace("'", "''"), name) for name in names)
    sql = f"select {columns}, -1 as number, '-2.5' as text"
    quoted = ["'" + name for name in names]
    assert list(csv.reader(io.StringIO(marubatsu("sql", sql, "-f", "csv").stdout))) == [
        [*quoted, "number", "text"], [*quoted, "-1", "-2.5"],
    ]  # fmt: skip
    (row,) = json.loads(marubatsu("sql", sql, "-f", "json").stdout)
    assert all(row[name] == name for name in names)


def test_tables_names_and_errors_escape_what_would_move_the_cursor(root: Path) -> None:
    sql = "select 'a' || chr(27) || chr(9) || 'b' as \"a\x1bb\", 'c' || chr(10) || 'd' as lines"
    shown = in_formats(root, sql)
    assert shown["markdown"].startswith("| a\\x1bb |")
    head, _, *lines = shown["table"].splitlines()
    assert head.startswith("a\\x1bb ")
    assert lines == ["a\\x1b\\tb   c", "           d"]
    done = run_here("sql", "select error('cause' || chr(27))", data=root)
    assert done.stderr.endswith("Invalid Input Error: cause\\x1b\n")


def test_values_of_every_type_can_be_shown(root: Path) -> None:
    shown = in_formats(root, "from test_all_types()")
    assert len(json.loads(shown["json"])) == 3
    assert all(len(text.splitlines()) > 3 for text in shown.values())


def test_output_that_fails_leaves_no_file(marubatsu: Marubatsu, tmp_path: Path) -> None:
    late_error = "select case when i = 90000 then error('late') else i end from range(90001) t(i)"
    for path in (tmp_path / "x.csv", tmp_path / "no" / "x.csv"):
        done = marubatsu("sql", late_error, "-f", "csv", "-o", str(path))
        assert done.returncode in (1, 2)
        assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_parquet_and_arrow_keep_the_types_of_duckdb(root: Path, tmp_path: Path) -> None:
    sql = "select 1::tinyint as a, 2.5::decimal(3, 1) as a, date '2026-01-01' as c, ['x'] as d"
    parquet, arrow = tmp_path / "x.parquet", tmp_path / "x.arrow"
    for path in (parquet, arrow):
        done = run_here("sql", sql, "--output", str(path), data=root)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    read = {"parquet": pq.read_table(parquet), "arrow": feather.read_table(arrow)}
    expected = {"a": 1, "a_2": Decimal("2.5"), "c": date(2026, 1, 1), "d": ["x"]}
    for table in read.values():
        assert table.to_pylist() == [expected]
        assert [str(kind) for kind in table.schema.types[:3]] == [
            "int8", "decimal128(3, 1)", "date32[day]",
        ]  # fmt: skip
    late_error = "select case when i = 400000 then error('late') else i end from range(400001) t(i)"
    done = run_here("sql", late_error, "-o", str(tmp_path / "y.arrow"), data=root)
    assert done.stderr == "marubatsu: the query failed: Invalid Input Error: late\n"
    assert {path.name for path in tmp_path.iterdir()} == {"x.parquet", "x.arrow"}


def test_every_command_with_rows_writes_parquet_and_arrow(root: Path, tmp_path: Path) -> None:
    expected = json.loads(run_here("query", "openings", "-f", "json", data=root).stdout)
    for name, read in (("x.parquet", pq.read_table), ("x.arrow", feather.read_table)):
        done = run_here("query", "openings", "-o", str(tmp_path / name), data=root)
        assert (done.returncode, done.stderr) == (0, "")
        assert read(tmp_path / name).to_pylist() == expected
    odd = typed(["a", "b", "c"], [[1, Fraction(1, 2), 2**70], ["x", None, 1]])
    assert odd.to_pylist() == [
        {"a": "1", "b": "1/2", "c": str(2**70)}, {"a": "x", "b": None, "c": "1"},
    ]  # fmt: skip
    assert typed(["a"], []).to_pylist() == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("select 1", "-o", "x.parquet.zst"), "parquet compresses by itself; leave .zst out"),
        (("select 1", "-f", "arrow", "-o", "x.zst"), "arrow compresses by itself"),
        (("select 1", "-f", "arrow", "-o", "x.csv"), "ends as csv, --format says arrow"),
        (("select interval 1 day as i", "-o", "x.parquet"), "Parquet has no type for a column ("),
        (("select [md5_number('')]", "-o", "x.arrow"), "no uhugeint: write column::varchar"),
    ],
)
def test_binary_formats_are_refused_where_they_cannot_go(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: Any, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    require_refused(run_here("sql", *arguments, data=root), message)
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_gets_no_binary_format(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdout", terminal)
    with pytest.raises(UsageError, match="parquet is for programs: expected --output FILE"):
        refuse_binary("parquet", Path("-"))
    refuse_binary("csv", Path("-"))
