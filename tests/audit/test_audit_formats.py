"""The formats of an audit: a page, a text, and tables that hold the verdicts as a row."""

import csv
import json
import re
from pathlib import Path

import pyarrow.ipc
import pyarrow.parquet
import pytest

import marubatsu as mb
from tests.helpers.processes.commands import Marubatsu, json_of, require_refused, run_here

GAME = "3x2k2"
AUDIT = ("audit", "ai2", "--game", GAME)


def test_each_format_holds_the_verdicts_of_the_json(root: Path, tmp_path: Path) -> None:
    answer = json.loads(run_here(*AUDIT, "--format", "json", data=root).stdout)
    expected = {
        "ai": "ai2", "family": "rule", "game": GAME, "examined": answer["examined"],
        "without_answer": 0, "findings": 0, "could_read_answers": False, **answer["verdicts"],
    }  # fmt: skip
    assert expected["classes"] > expected["classes_right"]
    files = {form: tmp_path / f"x.{form}" for form in ("parquet", "arrow", "ndjson", "csv", "md")}
    for file in files.values():
        done = run_here(*AUDIT, "--output", str(file), data=root)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert pyarrow.parquet.read_table(files["parquet"]).to_pylist() == [expected]
    with pyarrow.ipc.open_file(files["arrow"]) as reader:
        assert reader.read_all().to_pylist() == [expected]
    assert json.loads(files["ndjson"].read_text()) == expected
    header, row = csv.reader(files["csv"].read_text().splitlines())
    assert header == list(expected)
    assert row[:6] == ["ai2", "rule", GAME, str(answer["examined"]), "0", "0"]
    assert files["md"].read_text().startswith("| ai | family | game |")


def test_formats_for_one_ai_are_refused_for_all_of_ours(root: Path, tmp_path: Path) -> None:
    for form in ("csv", "html"):
        file = tmp_path / f"x.{form}"
        done = run_here("audit", "--game", GAME, "--output", str(file), data=root)
        require_refused(done, f"--format {form} shows one AI: name it, or ask `marubatsu query")
        assert not file.exists()


def test_the_page_of_an_audit_is_one_file(root: Path) -> None:
    audit = mb.audit("ai1", data=root)
    assert audit.interview.seconds > 0
    text = audit._repr_html_()
    assert text.startswith("<!DOCTYPE html>")
    assert not re.search(r"<script|\b(src|href)=", text)
    assert text.count("<figure>") == text.count("</figure>") == 2 + 60
    assert "a best opponent, who knows how it plays, wins" in text
    assert "<td>best response</td><td>total</td>" in text


def test_bars_are_as_long_as_their_shares(root: Path) -> None:
    audit = mb.audit("ai2", GAME, data=root)
    drawn = re.findall(r"<td><svg.*?</svg></td>", audit._repr_html_())
    bars = sorted([float(wide) for wide in re.findall(r'width="([0-9.]+)" height="14"/>', bar)]
                  for bar in drawn)  # fmt: skip
    wrong = [[200 * row["wrong"] / row["critical"]] for row in audit.by_ply.records()]
    results = [[2 * row[f"{each}_percent"] for each in ("win", "draw", "lose")]
               for row in audit.matches.records()]  # fmt: skip
    for bar, shares in zip(bars, sorted(wrong + results), strict=True):
        assert bar == pytest.approx(shares, abs=0.01)


def test_the_text_draws_how_an_ai_loses_and_without_an_ai_lists_all(marubatsu: Marubatsu) -> None:
    flawed = marubatsu("audit", "ai1").stdout
    assert "\n4,520 questions about 4,520 positions in " in flawed
    sides = re.findall(r"^(?:ai2|ai7) +(\w+)", flawed, re.MULTILINE)
    assert sides == ["circle", "cross", "total", "total"]
    assert "how it loses as cross: play 0 1 3 2 6" in flawed
    assert " o | x | x\n---+---+---\n o | 4 | 5\n---+---+---\n o | 7 | 8" in flawed
    ours = marubatsu("audit", "--game", GAME).stdout
    assert "Which AIs solve the game strongly" in ours
    assert "Which AIs solve the game weakly" in ours
    tables = json_of(marubatsu("audit", "--game", GAME, "--format", "json"))
    assert {name: len(rows) for name, rows in tables.items()} == {"strong": 33, "weak": 33}
    headings = marubatsu("audit", "--game", GAME, "--format", "markdown").stdout.split("\n\n")
    assert [each[:6] for each in headings] == ["Which ", "| ai |"] * 2
