"""The wheel, installed outside the checkout, does what the checkout does."""

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from marubatsu.pipeline.support.importing import EXTRAS, not_installed
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import build_smallest, build_tree, copied
from tests.helpers.data.shared import Shared


def sources() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the checkout by name; a link is its text, as where links are lost."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in listed.stdout.splitlines():
        path = CHECKOUT / name
        if path.is_symlink():
            yield name, str(path.readlink()).encode()
        elif path.is_file():
            yield name, path.read_bytes()


def wheel_of(source: Path) -> Path:
    """Make a wheel from a source, next to it."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "-w", str(source.parent), str(source)]
    subprocess.run([*pip, *build], check=True)
    (wheel,) = source.parent.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel that is made from the source distribution."""
    folder = tmp_path_factory.mktemp("sdist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    subprocess.run(build, cwd=CHECKOUT, check=True, capture_output=True)
    (source,) = folder.glob("*.tar.gz")
    return wheel_of(source)


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """Return the environment of that wheel; libraries are those of this one."""
    environment = wheel.parent / "environment"
    venv.create(environment, with_pip=False)
    (site,) = environment.rglob("site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # Through PYTHONPATH the libraries come without the .pth file that names this checkout.
    return environment


@pytest.fixture(scope="module")
def data(shared: Shared, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(build_smallest(shared), tmp_path_factory.mktemp("data") / "data")


def run(
    environment: Path, home: Path, *arguments: str, path: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run a command of the wheel; modules in ``path`` come before all others."""
    libraries = sysconfig.get_path("purelib")
    variables = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": libraries if path is None else f"{path}{os.pathsep}{libraries}",
    }
    return subprocess.run(
        [environment / "bin" / "python", "-m", "marubatsu", *arguments],
        capture_output=True, text=True, env=variables, cwd=home, check=False,
    )  # fmt: skip


def test_an_archive_of_the_checkout_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    """Such as a host of repositories offers it, where links are lost."""
    source = tmp_path / "marubatsu-main.zip"
    with zipfile.ZipFile(source, "w") as archive:
        for name, content in sources():
            archive.writestr(f"marubatsu-main/{name}", content)
    with zipfile.ZipFile(wheel) as ours, zipfile.ZipFile(wheel_of(source)) as theirs:
        assert {name: ours.read(name) for name in ours.namelist()} == {
            name: theirs.read(name) for name in theirs.namelist()
        }


def test_the_wheel_needs_no_checkout(installed: Path, tmp_path: Path) -> None:
    built = run(installed, tmp_path, "tree", "2x2k2")
    assert built.returncode == 0, built.stderr
    assert "41 nodes with the root, 40 made by a move" in built.stdout
    (manifest,) = tmp_path.rglob("manifest.json")
    assert str(CHECKOUT) not in built.stdout
    assert manifest.parent.parts[-2:] == ("marubatsu", "2x2k2")
    here = build_tree(tmp_path / "here", "2x2k2").path("manifest.json")
    assert manifest.read_bytes() == here.read_bytes()
    for arguments in (["check", "2x2k2"], ["query", "openings", "-g2x2k2"],
                      ["sql", "select count(*) from known_counts", "-g2x2k2"]):  # fmt: skip
        done = run(installed, tmp_path, *arguments)
        assert done.returncode == 0, (arguments, done.stderr)
        assert done.stdout


def test_the_wheel_holds_the_page_the_sql_and_the_known_counts(installed: Path) -> None:
    """It adds one name to the libraries."""
    (site,) = installed.rglob("site-packages")
    names = {path.name for path in site.iterdir() if not path.name.endswith(".dist-info")}
    assert names == {"marubatsu"}
    assert (site / "marubatsu" / "py.typed").exists()
    for folder in ("queries", "explorer"):
        files = {
            path.relative_to(CHECKOUT): path.read_bytes()
            for path in (CHECKOUT / folder).rglob("*")
            if path.suffix in (".sql", ".csv", ".js", ".css", ".html", ".svg")
        }
        assert len(files) > 30
        for name, content in files.items():
            assert (site / "marubatsu" / name).read_bytes() == content


def test_foreign_packages_named_like_our_folders_change_nothing(
    installed: Path, data: Path, tmp_path: Path
) -> None:
    """Packages named like our folders stand first on the path, and raise when imported.

    But an AI that imports a module of that name gets it.
    """
    mine = tmp_path / "mine"
    for name in ("pipeline", "queries", "explorer", "tools"):
        (mine / name).mkdir(parents=True)
        (mine / name / "__init__.py").write_text("raise RuntimeError('this is mine')\n")
    (mine / "engine.py").write_text("def last(moves): return moves[-1]\n")
    (mine / "ai.py").write_text(
        "from engine import last\n\ndef choose(board, moves): return last(moves)\n"
    )
    place = ("--game", "2x2k2", "--data", str(data))
    for arguments, message in (
        (["sql", "select count(*) from positions"], "29"),
        (["audit", f"{mine / 'ai.py'}:choose"], "findings: none"),
        (["audit", "ai:choose"], "findings: none"),
    ):
        done = run(installed, mine, *arguments, *place, path=mine)
        assert done.returncode == 0, (arguments, done.stderr)
        assert message in done.stdout


def leave_out(library: str, path: Path) -> None:
    """Let a library be missing for programs that import from a folder first."""
    (path / f"{library}.py").write_text(
        f"raise ModuleNotFoundError('No module named {library}', name={library!r})\n"
    )


def test_a_site_is_written_without_the_libraries_of_the_server(
    installed: Path, data: Path, tmp_path: Path
) -> None:
    for library in EXTRAS["explore"]:
        leave_out(library, tmp_path)
    place = ("--game", "2x2k2", "--data", str(data), "--out", str(tmp_path / "site"))
    done = run(installed, tmp_path, "site", *place, path=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "index.html").is_file()


@pytest.mark.parametrize(
    ("library", "extra", "arguments"),
    [
        ("numba", "solve", ["solve", "2x2k2"]),
        ("uvicorn", "explore", ["explore", "--no-browser", "--port", "0", "--game", "2x2k2"]),
        ("matplotlib", "plot", ["bench", "boards", "--game", "2x2k2", "--plot", "x.svg",
                                "--pairs", "1", "--repeats", "1"]),
        ("scipy", "prove", ["prove", "2x2k2"]),
        ("mcp", "mcp", ["mcp", "2x2k2"]),
        ("pyspark", "spark", ["solve", "2x2k2", "--engine", "spark"]),
    ],
)  # fmt: skip
def test_a_command_names_the_extra_that_it_misses(
    installed: Path, data: Path, tmp_path: Path, library: str, extra: str, arguments: list[str]
) -> None:
    leave_out(library, tmp_path)
    place = [] if library == "matplotlib" else ["--data", str(data)]
    done = run(installed, tmp_path, *arguments, *place, path=tmp_path)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr == (
        f"marubatsu: this needs {library}, which is not installed: "
        f"pip install 'marubatsu[{extra}]'\n"
    )


@pytest.mark.quick
@pytest.mark.parametrize(
    ("library", "cure"),
    [
        ("starlette", "run `make data` in the checkout"),
        ("pyspark", "run `make spark` in the checkout"),
        ("mcp", "pip install 'marubatsu[mcp]'"),  # Make does not pin it.
    ],
)
def test_a_checkout_gets_what_it_misses_by_make(library: str, cure: str) -> None:
    error = not_installed(ModuleNotFoundError(name=f"{library}.server"))
    assert str(error) == f"this needs {library}, which is not installed: {cure}"
    assert not_installed(ModuleNotFoundError(name="nothing")) is None


def test_neither_archive_holds_the_environments_of_other_frameworks(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    (source,) = wheel.parent.glob("*.tar.gz")
    listed = subprocess.run(["tar", "-tzf", source], capture_output=True, text=True, check=True)
    names += listed.stdout.splitlines()
    assert len(names) > 500
    assert not [name for name in names if "integrations" in name or "environments/" in name]
