"""The commands: their games, their help, their exit codes, their sentences."""

import bz2
import csv
import json
import lzma
import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import fields, replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from marubatsu.cli.commands import GROUPS, MODULES, app
from marubatsu.engine.rules.game import Game
from marubatsu.engine.search.options import TECHNIQUES, Options, SearchSettings
from marubatsu.pipeline.laboratory.technique_runs import NODE_LIMIT
from marubatsu.pipeline.sql.query_files import checks
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.stage import BuildContext
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.data.data_sets import SMALLEST, tree_stages
from tests.helpers.processes.commands import (
    Marubatsu,
    every_command,
    json_of,
    require_refused,
    run_here,
    run_marubatsu,
)


def test_help_lists_every_command_with_its_first_sentence(tmp_path: Path) -> None:
    """No module of commands holds one that is not listed."""
    first_lines = {
        name: " ".join((command.help or "").partition("\n\n")[0].split())
        for name, command in every_command().items()
    }
    done = run_here("--help", data=tmp_path).stdout
    listed = " ".join(done.split())
    assert all(f" {name} {line}" in listed for name, line in first_lines.items())
    known = {command.name or command.callback.__name__ for command in app.registered_commands}  # type: ignore[union-attr]
    assert known == set(MODULES)
    places = [done.index(f"\n{title}:") for title in GROUPS]
    assert places == sorted(places)


def test_search_has_the_options_of_a_search_by_their_names() -> None:
    """Each with its meaning; ``--techniques`` takes those that are techniques."""
    options = {option.name: option for option in every_command()["search"].params}
    for name, annotation in SearchSettings.__annotations__.items():
        assert options[name].opts == [f"--{name.replace('_', '-')}"]
        assert options[name].help == annotation.__metadata__[0]
    assert {field.name for field in fields(Options)} <= {*options} | TECHNIQUES


def test_help_and_version_succeed(tmp_path: Path) -> None:
    for arguments in ("--help", "-h", "--version"):
        done = run_here(arguments, data=tmp_path)
        assert (done.returncode, done.stderr, bool(done.stdout)) == (0, "", True)
    assert run_marubatsu("--version").stdout == done.stdout


@pytest.mark.parametrize(
    "arguments",
    [["verify"], ["verify", "3x3"], ["check"], ["query", "plies"], ["show", "........."],
     ["sql", "select 1"]],
)  # fmt: skip
def test_without_data_the_error_names_the_next_step(tmp_path: Path, arguments: list[str]) -> None:
    missing = tmp_path / "missing"
    done = run_here(*arguments, data=missing)
    require_refused(done, "run `marubatsu", code=1)
    assert len(done.stderr.splitlines()) == 1
    assert not missing.exists()


def test_the_data_folder_is_an_option_or_a_variable(root: Path, tmp_path: Path) -> None:
    words = ("sql", "select count(*) as n from moves", "-f", "csv")
    for arguments, data in (((*words, "--data", str(root)), tmp_path), (words, root)):
        assert run_here(*arguments, data=data).stdout == "n\n16167\n"


def test_games_lists_what_is_known_and_built(marubatsu: Marubatsu) -> None:
    rows = {row["game"]: row for row in json.loads(marubatsu("games", "-f", "json").stdout)}
    tictactoe = rows["tictactoe"]
    assert (tictactoe["positions"], tictactoe["classes"], tictactoe["nodes"]) == (5478, 765, 549946)
    assert (tictactoe["counts"], tictactoe["tables"]) == ("built", "11 of 11")
    assert (tictactoe["state"], rows["connect4"]["state"]) == ("built", "can be searched")
    assert rows["connect4"]["positions"] == 4531985219092


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["sql 'from nodes' -f csv", "tree", "show", "items"])
def test_a_closed_pipe_is_no_failure(root: Path, command: str, unbuffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = [sys.executable, "-m", "marubatsu", *shlex.split(command), "--data", str(root)]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with os.fdopen(writer) as out:
        done = subprocess.run(words, stdout=out, stderr=-1, env=environment, check=False)
    waits = b"waiting for another process, which holds this data set\n"  # Tests share the data.
    assert (done.returncode, done.stderr.replace(waits, b"")) == (128 + signal.SIGPIPE, b"")


def test_a_failed_check_shows_its_counterexamples(tmp_path: Path) -> None:
    """A table that is wrong but intact: only the check can notice it."""
    tree, moves = (
        next(stage for stage in tree_stages(Game(SMALLEST)) if stage.table.name == name)
        for name in ("positions", "moves")
    )

    def lying(context: BuildContext) -> dict[str, Any]:
        columns = dict(moves.make(context))
        return {**columns, "loss": np.asarray(columns["loss"]) + 1}

    build(DataSet(tmp_path, Game(SMALLEST)), [tree, replace(moves, make=lying)])
    done = run_here("check", SMALLEST, "--only", "best_moves", data=tmp_path)
    assert done.returncode == 1
    assert re.search(r"best_moves: \d+ counterexamples", done.stderr)
    assert "...." in done.stderr  # the board
    logged = run_here("--log-json", "check", SMALLEST, "--only", "best_moves", data=tmp_path)
    *_, event = map(json.loads, logged.stderr.splitlines())
    assert (event["event"], event["exit_code"]) == ("error", 1)
    assert "...." in [row["board"] for row in event["rows"]]
    only = [word for name in ("scores", "proofs", "scores") for word in ("--only", name)]
    idle = run_here("check", SMALLEST, *only, data=tmp_path)
    assert idle.returncode == 1
    assert [line.split()[:2] for line in idle.stdout.splitlines()[2:]] == [
        ["scores", "pass"], ["proofs", "none"]
    ]  # fmt: skip
    assert idle.stderr == "marubatsu: proofs examined no row, so it has not passed\n"


def test_counts_of_one_are_singular(tmp_path: Path) -> None:
    built = run_here("build", "1x1k1", data=tmp_path).stdout
    assert re.findall(r"moves +(1 row\w*)", built) == ["1 row"]
    audit = run_here("audit", "ai2", "--game", "1x1k1", data=tmp_path).stdout
    assert "1 question about 1 position in " in audit


def test_idle_checks_take_one_line(tmp_path: Path) -> None:
    run_here("tree", "1x1k1", data=tmp_path)
    *rows, _, last = run_here("check", "1x1k1", data=tmp_path).stdout.splitlines()[2:]
    assert {row.split()[1] for row in rows} == {"pass"}
    idle = len(checks()) - len(rows)
    assert last == f"{idle} checks examined nothing: --format csv says why"
    every = run_here("check", "1x1k1", "--format", "csv", data=tmp_path).stdout
    assert every.count(",none,0,0,") == idle


def test_show_reads_many_boards(root: Path) -> None:
    def show(lines: str, *options: str) -> "subprocess.CompletedProcess[str]":
        return run_here("show", "-", *options, data=root, lines=lines)

    rows = list(csv.DictReader(StringIO(show("o...x...o\nb2, a1\n", "-f", "csv").stdout)))
    assert [row["board"] for row in rows] == ["o...x...o", "....o.x.."]
    assert [row["best_moves"] for row in rows] == ["[1, 3, 5, 7]", "[0, 1, 2, 3, 5, 7, 8]"]
    (one, other) = json.loads(show("o...x...o\n.........\n", "-f", "json").stdout)
    assert one == json.loads(run_here("show", "o...x...o", "-f", "json", data=root).stdout)
    assert other["ply"] == 0
    wrong = show("o........\no.q......\n")
    require_refused(wrong, "line 2: cell 2 of 'o.q......' is 'q': expected '.'")
    assert "oo…' has 20,000 characters" in show("o" * 20_000).stderr


def test_show_reads_boards_with_their_rows_on_lines(root: Path) -> None:
    def boards(lines: str) -> list[str]:
        shown = run_here("show", "-", "-f", "json", data=root, lines=lines)
        return [answer["board"] for answer in json_of(shown)]

    drawn = run_here("show", "o...x...o", data=root).stdout.partition("\n\n")[0]
    assert boards("o..\n.x.\n..o\n") == ["o...x...o"]
    assert boards(f"\ufeff{drawn}\n\n\r\no..\r\n.x.\r\n...\r\n") == ["o...x...o", "o...x...."]
    assert boards("\n4\n\n4 0\n") == ["....o....", "x...o...."]
    assert boards("4 0\r\n8 1\r\n") == ["x...o....", ".x......o"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "standard input holds no position: expected a board or a list of moves on each"),
        (" \n\n", "standard input holds no position: "),
        ("o..\n...\n...\no..\n.x.\n...\n", ("line 1: expected 9 cells of '.ox' for tictactoe, got "
         "3: 'o..'; rows on lines need an empty line between two boards")),
        ("o..\n...\n...\n\no..\n.x.\nq..\n", "line 1: expected 9 cells"),
        ("1 0 2\n0 1 2\n2 1 0\n", ("line 1: the text may be 3 positions, one a line, or 1 with "
         "their rows on lines: write each position on one line, with / between rows")),
        ("4 0\n4 4\n", "line 2: move 2 of '4 4', '4', is not legal"),
    ],
)  # fmt: skip
def test_show_refuses_lines_that_it_cannot_read(root: Path, lines: str, message: str) -> None:
    shown = run_here("show", "-", "-f", "json", data=root, lines=lines)
    require_refused(shown, f"marubatsu: {message}")


@pytest.mark.parametrize(
    ("beginning", "message"),
    [
        ("4 0\n".encode("utf-16"), "it is UTF-16: save it as UTF-8"),
        ("4 0\n".encode("utf-16-le"), "it holds zero bytes, as UTF-16 and binary files do"),
        (b"4 \xff\n", "byte 2 is no UTF-8: save it as UTF-8"),
        (b"\x1f\x8b\x08", "it is compressed by gzip: unpack it first"),
        (bz2.compress(b"4 0"), "it is compressed by bzip2: unpack it first"),
        (lzma.compress(b"4 0"), "it is compressed by xz: unpack it first"),
    ],
)
def test_another_encoding_is_named(
    root: Path, tmp_path: Path, beginning: bytes, message: str
) -> None:
    file = tmp_path / "log"
    file.write_bytes(beginning)
    shown = run_here("show", "-", data=root, lines=beginning)
    require_refused(shown, f"cannot read standard input: {message}")
    reviewed = run_here("review", str(file), "-g", "tictactoe", data=root)
    require_refused(reviewed, f"line 1 of '{file}': {message.partition(':')[0]}")


X_FIRST = "x begins on your boards: it is o, circle, in what follows\n"


@pytest.mark.parametrize(
    ("arguments", "board"),
    [
        (["X,O,_,_,X,_,_,_,_", "--first", "X"], "ox..o...."),
        (["1 5", "--numbering", "cells-from-1"], "o...x...."),
        ([" O | X | 2 \n---+---+---\n 3 | 4 | 5 \n---+---+---\n 6 | 7 | 8 "], "ox......."),
    ],
)
def test_show_and_best_read_the_spellings_of_others(
    root: Path, arguments: list[str], board: str
) -> None:
    shown = run_here("show", *arguments, "-f", "json", data=root)
    assert json.loads(shown.stdout)["board"] == board
    assert shown.stderr == X_FIRST * ("--first" in arguments)
    expected = run_here("best", board, data=root)
    assert run_here("best", *arguments, data=root).stdout == expected.stdout
    many = run_here("show", "-", *arguments[1:], "-f", "csv", data=root,
                    lines=arguments[0].replace("\n", "/") + "\n")  # fmt: skip
    assert many.stdout == run_here("show", "-", "-f", "csv", data=root, lines=board).stdout
    assert many.stderr == X_FIRST * ("--first" in arguments)


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("x.CSV", "first,second,"), ("x.json", "[\n {"), ("x.ndjson", '{"first"'),
        ("x.jsonl", '{"first"'), ("x.md", "| first |"), ("x.txt", "first   second"),
        ("x", "first   second"),
    ],
)  # fmt: skip
def test_the_ending_of_the_output_chooses_the_format(
    tmp_path: Path, name: str, begins: str
) -> None:
    assert matched(tmp_path / name).returncode == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


def matched(file: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    command = ("match", "ai1", "ai2", "--games", "2", "--output", str(file))
    return run_here(*command, *options, data=file.parent)


@pytest.mark.parametrize("name", ["x.xlsx", "x.csv.gz", "x.out.zst"])
def test_an_ending_that_chooses_no_format_is_refused(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    require_refused(
        matched(file),
        ": expected the ending .txt, .json, .ndjson, .jsonl, .csv, .md, .parquet, .arrow or none, "
        "or --format; .zst after it compresses\n",
    )
    assert not file.exists()
    assert matched(file, "--format", "csv").returncode == 0
    assert file.exists()


@pytest.mark.parametrize(("name", "code"), [("i.csv", 2), ("i.json", 2), ("i.jsonl", 0), ("i", 0)])
def test_items_are_json_lines(tmp_path: Path, name: str, code: int) -> None:
    file = tmp_path / name
    done = run_here("items", "3x2k2", "--output", str(file), data=tmp_path / "data")
    assert (done.returncode, file.exists()) == (code, code == 0)
    assert ("expected the ending .jsonl, .ndjson or none; " in done.stderr) == (code == 2)


def test_an_ending_that_contradicts_the_format_is_refused(tmp_path: Path) -> None:
    assert matched(tmp_path / "x.csv", "--format", "csv").returncode == 0
    done = matched(tmp_path / "x.csv", "--format", "json")
    require_refused(done, "ends as csv, --format says json: leave one of them out")
    done = matched(tmp_path / "y.html")
    require_refused(done, "match does not write html; expected one of table, json, ndjson, csv")
    assert not (tmp_path / "y.html").exists()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("book", "Time limit (default: none). --memory"),
        ("compare", "Time limit. [default: 86400]"),
        ("compare", f"Most nodes of one search (default: {NODE_LIMIT:,}). --time"),
        ("publish", "or tictactoe, connect4 (default: tictactoe). Options"),
    ],
)
def test_help_says_each_default_once_and_as_it_is(command: str, message: str) -> None:
    shown = CliRunner().invoke(app, [command, "--help"]).stdout
    assert message in " ".join(shown.split())


def test_each_help_has_examples_on_their_lines_and_is_not_cut() -> None:
    """On a terminal of 80 columns, which is narrow."""
    commands = every_command()
    for name in ("", *commands):
        shown = CliRunner().invoke(app, [*name.split(), "--help"], env={"COLUMNS": "80"})
        assert shown.exit_code == 0
        lines = shown.output.splitlines()
        whole = ("Usage: ", "  Example: ")  # A board ends in dots, too.
        cut = [line for line in lines if line.endswith("...") and not line.startswith(whole)]
        assert cut == [], name
        if name:
            _, *examples = (commands[name].help or "").split("Example:")
            assert examples
            assert {f"  Example: {each.strip()}" for each in examples} <= {*lines}, name
            assert f"Example: marubatsu {name}" in shown.output


REST = {
    "show": "o...", "best": "o...", "query": "plies", "sql": "select||1", "audit": "ai2",
    "match": "ai1 ai2 --games 2", "play": "ai1", "search": "o...", "items": "--split all",
    "prove": "", "compare": "", "book": "--remove", "export": "--raw", "publish": "--out OUT",
    "site": "--out OUT", "check": "", "verify": "", "anchors": "", "ais": "", "views": "",
    "tree": "", "build": "", "solve": "", "gtp": "", "mcp": "",
}  # fmt: skip
"""Arguments besides the game. The others have no game, or need a program of their own."""

NO_GAME = {"games", "grade", "bench", "conform", "conform-env", "review", "explore"}


def test_a_game_is_an_argument_and_an_option() -> None:
    """However it is given, a command gets the same arguments."""
    commands = every_command()
    assert REST.keys() | NO_GAME == MODULES.keys()
    for name, line in REST.items():
        rest = [word.replace("||", " ") for word in line.split()]
        got = [
            commands[name].make_context(name, words).params
            for words in ([SMALLEST, *rest], ["--game", SMALLEST, *rest], [*rest, "-g", SMALLEST],
                          [f"--game={SMALLEST}", *rest])
        ]  # fmt: skip
        assert got == [got[0]] * 4, name
        given = got[0]["game"] if "game" in got[0] else [*got[0]["games"]]
        assert given in (SMALLEST, [SMALLEST]), name


def test_a_board_that_reads_as_a_game_stays_a_board(tmp_path: Path) -> None:
    """Run lengths: three empty cells on each side of a cross."""
    done = run_here("show", "3x3", "-g", "7x1k7", data=tmp_path)
    assert "given twice" not in done.stderr
    assert "7x1k7" in done.stdout + done.stderr
