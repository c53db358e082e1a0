"""The wheel, installed outside the checkout, does what the checkout does."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.helpers import CHECKOUT
from tests.helpers.data_sets import build_tree

pytestmark = pytest.mark.xdist_group("wheel")  # One worker builds it.


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the environment of a wheel, which borrows the libraries of this one."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(CHECKOUT)],
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    environment = folder / "environment"
    venv.create(environment, with_pip=False)
    python = environment / "bin" / "python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # Through PYTHONPATH the libraries come without the .pth file that names this checkout.
    return environment


def run(environment: Path, home: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    variables = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": sysconfig.get_path("purelib"),
    }
    return subprocess.run(
        [environment / "bin" / "python", "-m", "marubatsu", *arguments],
        capture_output=True, text=True, env=variables, cwd=home, check=False,
    )  # fmt: skip


def test_the_wheel_needs_no_checkout(installed: Path, tmp_path: Path) -> None:
    built = run(installed, tmp_path, "tree")
    assert built.returncode == 0, built.stderr
    assert "549,946 nodes with the root, 549,945 made by a move" in built.stdout
    (manifest,) = tmp_path.rglob("manifest.json")
    assert str(CHECKOUT) not in built.stdout
    assert manifest.parent.parts[-2:] == ("marubatsu", "tictactoe")
    here = build_tree(tmp_path / "here", "tictactoe").path("manifest.json")
    assert manifest.read_bytes() == here.read_bytes()
    for arguments in (["verify"], ["check"], ["query", "openings"], ["show", "o........"],
                      ["games"], ["sql", "select count(*) from known_counts"]):  # fmt: skip
        done = run(installed, tmp_path, *arguments)
        assert done.returncode == 0, (arguments, done.stderr)
        assert done.stdout


def test_the_wheel_holds_the_page(installed: Path, root: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "site", "--out", "site", "--data", str(root))
    assert done.returncode == 0, done.stderr
    pages = [path for path in (CHECKOUT / "explorer").iterdir() if path.is_file()]
    for path in pages:
        assert (tmp_path / "site" / path.name).read_bytes() == path.read_bytes()
    assert len(list((tmp_path / "site").iterdir())) == len(pages) + 1  # and the documents


def test_the_wheel_holds_the_sql_and_the_known_counts(installed: Path) -> None:
    (queries,) = installed.rglob("queries")
    for kind in ("sql", "csv"):
        files = list((CHECKOUT / "queries").rglob(f"*.{kind}"))
        assert len(files) > 3
        for path in files:
            copy = queries / path.relative_to(CHECKOUT / "queries")
            assert copy.read_bytes() == path.read_bytes()
