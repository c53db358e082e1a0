"""Pins against advisories in the OSV format, by records made by hand in the shapes of real ones."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tools import scan_pins
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
    lines = folder / "lines.ndjson"
    lines.write_bytes(one.read_bytes() + b"\n\n" + json.dumps(record(name="é")).encode() + b"\n")
    assert [each.name for each in advisories(lines)] == ["numpy", "é"]
    for path in (one, folder / "records", folder / "all.zip"):
        (advisory,) = advisories(path)
        assert (advisory.name, advisory.ids) == ("numpy", ("X-1",))


GITHUB: Record = {
    "schema_version": "1.4.0",
    "id": "GHSA-aaaa-bbbb-cccc",
    "modified": "2026-05-01T00:00:00Z",
    "published": "2026-04-01T00:00:00Z",
    "aliases": ["CVE-2026-1", "PYSEC-2026-7"],
    "summary": "NumPy adds wrongly",
    "details": "### Impact\nWrong sums.",
    "severity": [{"type": "CVSS_V3", "score": "CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N"}],
    "affected": [
        {
            "package": {"ecosystem": "PyPI", "name": "numpy", "purl": "pkg:pypi/numpy"},
            "ranges": [
                {"type": "ECOSYSTEM", "events": [{"introduced": "2.4.0"}, {"fixed": "2.4.7"}]}
            ],
            "versions": ["2.4.0", "2.4.6"],
            "database_specific": {"last_known_affected_version_range": "<= 2.4.6"},
        },
        {
            "package": {"ecosystem": "PyPI", "name": "numpy", "purl": "pkg:pypi/numpy"},
            "ranges": [
                {
                    "type": "ECOSYSTEM",
                    "events": [{"introduced": "2.5.0"}, {"last_affected": "2.5.4"}],
                }
            ],
            "ecosystem_specific": {"affected_functions": ["numpy.add"]},
        },
        {
            "package": {"ecosystem": "Root:PyPI", "name": "numpy"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}],
        },
    ],
    "references": [{"type": "WEB", "url": "https://example.com"}],
    "database_specific": {"cwe_ids": ["CWE-682"], "severity": "HIGH", "github_reviewed": True},
}
"""As from GitHub: an entry for each branch, aliases in other databases."""

PYPA: Record = {
    "id": "PYSEC-2026-7",
    "modified": "2026-05-02T00:00:00.123456Z",
    "aliases": ["CVE-2026-1"],
    "details": "An issue in\n  NumPy \x1b[2J " + "long " * 40,
    "affected": [
        {
            "package": {"ecosystem": "PyPI", "name": "numpy", "purl": "pkg:pypi/numpy"},
            "ranges": [
                {
                    "type": "GIT",
                    "repo": "https://github.com/numpy/numpy",
                    "events": [{"introduced": "0"}, {"fixed": "0123456789abcdef" * 2 + "01234567"}],
                },
                {"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "2.4.7"}]},
            ],
            "versions": ["1.0rc1", "2.4.6", "2010k-post1"],
        }
    ],
}
"""As from PyPA: no summary, a range of commits, versions listed one by one."""

COMMITS: Record = {
    "id": "CVE-2026-2",
    "modified": "2026-05-02T00:00:00Z",
    "affected": [
        {"ranges": [{"type": "GIT", "repo": "https://x", "events": [{"introduced": "0"}]}]}
    ],
}
"""As converted from CVE: commits of no package."""


def test_records_in_the_shapes_of_real_ones(folder: Path) -> None:
    withdrawn = {**PYPA, "id": "PYSEC-2026-8", "aliases": [], "withdrawn": "2026-06-01T00:00:00Z"}
    malware = record(introduced("0"), id="MAL-2026-1", name="numpyy", versions=["1.0"])
    empty = {**GITHUB, "id": "GHSA-0", "affected": None}
    with zipfile.ZipFile(folder / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for each in (GITHUB, PYPA, COMMITS, withdrawn, malware, empty):
            archive.writestr(f"{each['id']}.json", json.dumps(each, indent=2))
    found = hits(pins(folder), advisories(folder / "all.zip"))
    told = "GHSA-aaaa-bbbb-cccc, CVE-2026-1, PYSEC-2026-7: NumPy adds wrongly; fixed in 2.4.7"
    assert [(str(pin.version), str(advisory)) for pin, advisory in found] == [("2.4.6", told)]


def test_a_vulnerability_in_two_databases_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = record(introduced("2.4.6"), id="X-2", summary="another")
    assert main([str(written(folder / "osv.json", PYPA, GITHUB, other))], folder) == 1
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith("numpy 2.4.6 (requirements-more.txt, requirements.txt): GHSA-aaaa-bb")
    assert "X-2: another" in second
    assert third.startswith("numpy 2.5.5")
    assert main([str(written(folder / "osv.json", PYPA))], folder) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert r": PYSEC-2026-7, CVE-2026-1: An issue in NumPy \x1b[2J long" in line
    assert line.endswith("…; fixed in 2.4.7")


def damaged(archive: bytes) -> dict[str, bytes]:
    """Return an archive damaged in several ways."""
    at = archive.index(b"PK\x01\x02")
    return {
        "cut": archive[:-40],
        "only its start": archive[:40],
        "a wrong byte": archive[: at - 5] + bytes([archive[at - 5] ^ 255]) + archive[at - 4 :],
        "encrypted": archive[: at + 8] + b"\1" + archive[at + 9 :],
        "unknown compression": archive[: at + 10] + b"\x63" + archive[at + 11 :],
    }


def test_a_damaged_archive_is_refused_in_a_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "all.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("X-1.json", json.dumps([record(introduced("0"))] * 9))
    whole = path.read_bytes()
    assert main([str(path)], folder) == 1
    capsys.readouterr()
    for how, content in damaged(whole).items():
        path.write_bytes(content)
        assert main([str(path)], folder) == 2, how
        told = capsys.readouterr().err
        assert told.startswith(f"scan: cannot read the archive {path}: "), how
        assert told.count("\n") == 1


def test_no_file_takes_more_memory_than_a_limit(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan_pins, "_MOST", 10_000)
    with zipfile.ZipFile(folder / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("X-1.json", " " * 20_000)
    for path in (folder / "all.zip", Path("/dev/zero")):
        with pytest.raises(ScanError, match="more than 10,000 bytes in one piece"):
            advisories(path)
    lines = folder / "lines.ndjson"
    lines.write_text((json.dumps(record(introduced("0"))) + "\n") * 100, encoding="utf-8")
    assert lines.stat().st_size > 10_000
    assert len(advisories(lines)) == 100


@pytest.mark.parametrize(
    "content",
    [
        "",
        "1",
        '"x"',
        "null",
        "[1]",
        "{}",
        "[[]]",
        '{"vulns": []}',
        "\xff",
        "[" * 100_000,
        '{"id": 1}',
        '{"id": "X"}\n1',
    ],
)
def test_what_is_no_record_is_refused(content: str, folder: Path) -> None:
    path = folder / "osv.json"
    path.write_text(content, encoding="latin-1")
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
