"""Pins against advisories in the OSV format, by records made by hand."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools.scan_pins import HOME, ScanError, advisories, hits, main, pins

PINS = """\
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:00
numpy==2.5.5 ; python_full_version >= '3.12' \\
    --hash=sha256:00
ruamel-yaml==1.0rc1 \\
    --hash=sha256:00
"""

Record = dict[str, Any]


def record(*events: dict[str, str], name: str = "numpy", **changed: Any) -> Record:
    """Return a record with one range of a package on PyPI."""
    affected = {
        "package": {"ecosystem": changed.pop("ecosystem", "PyPI"), "name": name},
        "ranges": [{"type": changed.pop("type", "ECOSYSTEM"), "events": list(events)}],
        "versions": changed.pop("versions", []),
    }
    whole = {"id": "X-1", "modified": "2026-01-01T00:00:00Z", "affected": [affected]}
    return {**whole, "summary": "It breaks", **changed}


def introduced(at: str) -> dict[str, str]:
    return {"introduced": at}


def fixed(at: str) -> dict[str, str]:
    return {"fixed": at}


OLD, NEW = ["2.4.6"], ["2.5.5"]
BOTH, NEITHER = OLD + NEW, OLD[:0]
NO_RANGE = {"introduced": "9999"}

RECORDS = {
    "all": (record(introduced("0")), BOTH),
    "fixed before": (record(introduced("0"), fixed("2.4.6")), NEITHER),
    "fixed between": (record(introduced("0"), fixed("2.5")), OLD),
    "introduced between": (record(introduced("2.4.7")), NEW),
    "introduced at the pin": (record(introduced("2.5.5")), NEW),
    "versions are no text": (record(introduced("2.4.10")), NEW),
    "fixed, then broken": (
        record(introduced("2.5"), fixed("3"), introduced("0"), fixed("2.4")),
        NEW,
    ),
    "last affected": (record(introduced("1"), {"last_affected": "2.4.6"}), OLD),
    "limit": (record(introduced("0"), {"limit": "2.5"}), OLD),
    "no limit": (record(introduced("0"), {"limit": "*"}), BOTH),
    "listed": (record(NO_RANGE, versions=["2.4.6.0", "what"]), OLD),
    "unreadable range": (record(introduced("what")), BOTH),
    "commits": (record(introduced("0"), type="GIT"), NEITHER),
    "withdrawn": (record(introduced("0"), withdrawn="2026-02-01T00:00:00Z"), NEITHER),
    "elsewhere": (record(introduced("0"), ecosystem="Debian:12"), NEITHER),
    "another": (record(introduced("0"), name="numpy-financial"), NEITHER),
    "spelled otherwise": (record(introduced("0"), name="NumPy"), BOTH),
    "no package": ({"id": "X-1", "modified": "2026-01-01T00:00:00Z"}, NEITHER),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with pins, and a record that hits none of them."""
    (tmp_path / "requirements.txt").write_text(PINS, encoding="utf-8")
    (tmp_path / "requirements-more.txt").write_text(PINS[:60], encoding="utf-8")
    return tmp_path


def written(path: Path, *records: Record) -> Path:
    path.write_text(json.dumps([*records, record(name="unknown")]), encoding="utf-8")
    return path


@pytest.mark.parametrize(("given", "versions"), RECORDS.values(), ids=RECORDS)
def test_a_record_hits_the_versions_that_it_names(
    given: Record, versions: list[str], folder: Path
) -> None:
    found = hits(pins(folder), advisories(written(folder / "osv.json", given)))
    assert [str(pin.version) for pin, _ in found] == versions


def test_every_pin_of_every_file_is_read() -> None:
    pinned = pins(HOME)
    lines = [
        line for path in HOME.glob("requirements*.txt") for line in path.read_text().splitlines()
    ]
    assert sum(len(pin.files) for pin in pinned) == sum("==" in line for line in lines)
    assert len({pin[:2] for pin in pinned}) == len(pinned)
    assert {"duckdb", "numpy", "pytest"} <= {pin.name for pin in pinned}


def test_a_pre_release_comes_before_its_release(folder: Path) -> None:
    for at, count in (("1.0b1", 1), ("1.0", 0)):
        given = record(introduced(at), name="ruamel.yaml")
        assert len(hits(pins(folder), advisories(written(folder / "osv.json", given)))) == count


def test_a_file_a_folder_and_an_archive_hold_the_same(folder: Path) -> None:
    given = record(introduced("0"))
    one = folder / "one.json"
    one.write_text(json.dumps(given), encoding="utf-8")
    records = folder / "records" / "PyPI"
    records.mkdir(parents=True)
    (records / "X-1.json").write_bytes(one.read_bytes())
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        archive.write(one, "X-1.json")
    for path in (one, folder / "records", folder / "all.zip"):
        (advisory,) = advisories(path)
        assert (advisory.name, advisory.id) == ("numpy", "X-1")


@pytest.mark.parametrize("content", ["", "1", '"x"', "null", "[1]", "{}", "[[]]", '{"vulns": []}'])
def test_what_is_no_record_is_refused(content: str, folder: Path) -> None:
    path = folder / "osv.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ScanError, match="holds no OSV records"):
        advisories(path)


def test_a_scan_over_nothing_is_no_scan(folder: Path) -> None:
    (folder / "empty").mkdir()
    for path, told in ((folder / "empty", "holds no record about"), (folder / "no", "cannot read")):
        with pytest.raises(ScanError, match=told):
            advisories(path)
    with pytest.raises(ScanError, match="pins no package"):
        pins(folder / "empty")


def test_the_command_prints_a_line_for_each_hit(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = record(introduced("0"), fixed("2.4.7"), id="X-7")
    assert main([str(written(folder / "osv.json", given))], folder) == 1
    assert capsys.readouterr().out == (
        "numpy 2.4.6 (requirements-more.txt, requirements.txt): X-7: It breaks; fixed in 2.4.7\n"
    )
    assert main([str(written(folder / "osv.json"))], folder) == 0
    assert capsys.readouterr().out == "no known vulnerability in 3 pins, by 1 advisories\n"
    for wrong in ([], [""], [str(folder / "no")]):
        assert main(wrong, folder) == 2
        assert capsys.readouterr().err.startswith("scan: ")
