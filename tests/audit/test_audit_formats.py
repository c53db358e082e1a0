"""The formats of an audit that hold one table: the verdicts as a row."""

import csv
import json
from pathlib import Path

import pyarrow.ipc
import pyarrow.parquet
import pytest

from tests.helpers.commands import run_here

GAME = "3x2k2"
AUDIT = ("audit", "ai2", "--game", GAME)


def test_each_format_holds_the_verdicts_of_the_json(root: Path, tmp_path: Path) -> None:
    told = json.loads(run_here(*AUDIT, "--format", "json", data=root).stdout)
    expected = {
        "ai": "ai2",
        "family": "rule",
        "game": GAME,
        "examined": told["examined"],
        "without_answer": 0,
        "findings": 0,
        **told["verdicts"],
    }
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
    assert row[:6] == ["ai2", "rule", GAME, str(told["examined"]), "0", "0"]
    assert files["md"].read_text().startswith("| ai | family | game |")


@pytest.mark.parametrize("form", ["csv", "ndjson", "parquet", "arrow", "html"])
def test_all_of_ours_are_more_than_one_table(form: str, root: Path, tmp_path: Path) -> None:
    file = tmp_path / f"x.{form}"
    done = run_here("audit", "--game", GAME, "--output", str(file), data=root)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"marubatsu: --format {form} shows one AI: name it, or ask `marubatsu query strong` and "
        "`marubatsu query weak` about all of ours\n"
    )
    assert not file.exists()
