"""Verify names each file of a published folder that is not as it was published."""

import json
from pathlib import Path

import pytest

from marubatsu.pipeline.checking.verify import render_sums
from tests.helpers.data.data_sets import SMALLEST as GAME
from tests.helpers.data.data_sets import copied
from tests.helpers.data.published_folder import DOCUMENTS, document, hashes
from tests.helpers.processes.commands import run_here


def wrong_files(folder: Path) -> tuple[set[tuple[str, str]], str]:
    """Verify a published folder with a fault; return what is not intact, and the cure."""
    done = run_here("verify", "--format", "csv", data=folder)
    assert done.returncode == 1
    rows = [line.split(",")[:2] for line in done.stdout.splitlines()[1:]]
    found = {(state, str(Path(path).relative_to(folder))) for state, path in rows}
    assert len(found) == len(rows)  # No file is named twice.
    return {each for each in found if each[0] != "intact"}, done.stderr


def test_verify_names_every_file_that_is_not_as_published(published: Path, tmp_path: Path) -> None:
    names = [*sorted(DOCUMENTS - {"SHA256SUMS"}), f"{GAME}/moves.parquet"]
    for number, missing in enumerate((names[::2], names[1::2])):
        folder = copied(published, tmp_path / str(number))
        for name in names:
            if name in missing:
                (folder / name).unlink()
            else:
                (folder / name).write_bytes((published / name).read_bytes()[:-2] + b"?\n")
        wrong, cure = wrong_files(folder)
        assert wrong == {("missing" if name in missing else "damaged", name) for name in names}
        assert "get the named files again, or run `marubatsu publish` into another" in cure
    folder = copied(published, tmp_path / "without sums")
    (folder / "SHA256SUMS").unlink()
    assert wrong_files(folder)[0] == {("missing", "SHA256SUMS")}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("letter.txt", "dear", "letter.txt"),
        ("SHA256SUMS", f"{'0' * 64}  {'n' * 300}\n", "cannot be read: File name too long"),
        *(("SHA256SUMS", f"{line}\n", "it is not a list of checksums as SHA256SUMS has them")
          for line in ("0" * 64 + "  ../secret", "0" * 64 + "  /etc/passwd", "x")),
    ],
)  # fmt: skip
def test_verify_accepts_files_that_hubs_add_and_no_others(
    name: str, text: str, message: str, published: Path, tmp_path: Path
) -> None:
    """And checksums lead nowhere else."""
    folder = copied(published, tmp_path / "folder")
    (folder / ".gitattributes").write_text("*.parquet filter=lfs\n")
    assert run_here("verify", data=folder).returncode == 0
    (folder / name).write_text(text)
    done = run_here("verify", data=folder)
    assert done.returncode == 1
    assert message in done.stdout


def forged(published: Path, folder: Path, changes: dict[str, bytes]) -> Path:
    """Copy a published folder, replace some of its documents, and write fitting checksums."""
    copied(published, folder)
    for name, content in changes.items():
        (folder / name).write_bytes(content)
    sums = {name: hash_ for name, hash_ in hashes(folder).items() if name != "SHA256SUMS"}
    (folder / "SHA256SUMS").write_bytes(render_sums(sums))
    return folder


def test_documents_with_fitting_checksums_are_compared(published: Path, tmp_path: Path) -> None:
    """A folder that says what others should run must not say anything else."""
    names = DOCUMENTS - {"SHA256SUMS"}
    longer = {name: (published / name).read_bytes() + b"\n\n" for name in names}
    folder = forged(published, tmp_path / "folder", longer)
    assert wrong_files(folder)[0] == {("different", name) for name in names}


def test_a_listed_file_of_another_kind_is_unknown(published: Path, tmp_path: Path) -> None:
    folder = forged(published, tmp_path / "folder", {"setup.py": b"import os\n"})
    done = run_here("verify", data=folder)
    assert done.returncode == 1
    assert "SHA256SUMS lists it, and it is no data" in done.stdout
    assert done.stderr.startswith("get the named files again")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("datePublished", "2026-11-21'; drop view positions; --"), ("datePublished", None),
        ("url", "https://example.org/'\ninstall evil"),
        ("recordSet", [{"@id": "../../etc.positions"}]),
        ("recordSet", [{"@id": "3x3k3-misere.positions"}]), ("recordSet", []), ("recordSet", 7),
    ],
)  # fmt: skip
def test_a_document_that_names_something_else_is_refused(
    published: Path, tmp_path: Path, key: str, value: object
) -> None:
    changed = {**document(published, "croissant.json"), key: value}
    folder = forged(
        published, tmp_path / "folder", {"croissant.json": json.dumps(changed).encode()}
    )
    done = run_here("verify", data=folder)
    assert done.returncode == 1
    assert "it does not name the day, the address and the games as this version does" in done.stdout
