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

from marubatsu.pipeline.support.errors import not_installed
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import build_tree


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


def zipped(folder: Path) -> Path:
    """Write the checkout as the archive that a host of repositories offers."""
    goal = folder / "marubatsu-main.zip"
    with zipfile.ZipFile(goal, "w") as archive:
        for name, content in sources():
            archive.writestr(f"marubatsu-main/{name}", content)
    return goal


def sdist(folder: Path) -> Path:
    """Make the source distribution."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    subprocess.run(build, cwd=CHECKOUT, check=True, capture_output=True)
    (source,) = folder.glob("*.tar.gz")
    return source


@pytest.fixture(scope="module", params=[sdist, zipped])
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the environment of a wheel made from a source; libraries are those of this one."""
    folder = tmp_path_factory.mktemp("wheel")
    source = request.param(folder)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(source)],
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


@pytest.fixture(scope="module")
def data(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the wheel has built a game."""
    folder = tmp_path_factory.mktemp("data")
    done = run(installed, folder, "build", "2x2k2", "--data", str(folder))
    assert done.returncode == 0, done.stderr
    return folder


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


def test_a_clone_without_links_works(tmp_path: Path) -> None:
    """As with core.symlinks=false, where each link is a file with its target."""
    for name, content in sources():
        path = tmp_path / "clone" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-m", "marubatsu", "tree", "2x2k2"],
        cwd=tmp_path / "clone",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path / "clone")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "41 nodes with the root, 40 made by a move" in done.stdout
    assert (tmp_path / "clone" / "data" / "2x2k2" / "manifest.json").is_file()


def test_the_wheel_needs_no_checkout(installed: Path, tmp_path: Path) -> None:
    built = run(installed, tmp_path, "tree", "2x2k2")
    assert built.returncode == 0, built.stderr
    assert "41 nodes with the root, 40 made by a move" in built.stdout
    (manifest,) = tmp_path.rglob("manifest.json")
    assert str(CHECKOUT) not in built.stdout
    assert manifest.parent.parts[-2:] == ("marubatsu", "2x2k2")
    here = build_tree(tmp_path / "here", "2x2k2").path("manifest.json")
    assert manifest.read_bytes() == here.read_bytes()
    for arguments in (["verify", "2x2k2"], ["check", "2x2k2"], ["query", "openings", "-g2x2k2"],
                      ["show", "o...", "-g2x2k2"], ["games"],
                      ["sql", "select count(*) from known_counts", "-g2x2k2"]):  # fmt: skip
        done = run(installed, tmp_path, *arguments)
        assert done.returncode == 0, (arguments, done.stderr)
        assert done.stdout


def test_the_wheel_holds_the_page(installed: Path, data: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "site", "--out", "site", "--game", "2x2k2", "--data", str(data))
    assert done.returncode == 0, done.stderr
    page = CHECKOUT / "explorer"
    pages = {
        path.relative_to(page): path.read_bytes() for path in page.rglob("*") if path.is_file()
    }
    site = tmp_path / "site"
    written = {path.relative_to(site): path for path in site.rglob("*") if path.is_file()}
    assert pages == {
        name: path.read_bytes() for name, path in written.items() if name.parts[0] != "api"
    }


def test_the_wheel_holds_the_sql_and_the_known_counts(installed: Path) -> None:
    (queries,) = installed.rglob("queries")
    for kind in ("sql", "csv"):
        files = list((CHECKOUT / "queries").rglob(f"*.{kind}"))
        assert len(files) > 3
        for path in files:
            copy = queries / path.relative_to(CHECKOUT / "queries")
            assert copy.read_bytes() == path.read_bytes()


def test_the_wheel_adds_one_name(installed: Path) -> None:
    (site,) = installed.rglob("site-packages")
    names = {path.name for path in site.iterdir() if not path.name.endswith(".dist-info")}
    assert names == {"marubatsu"}
    assert (site / "marubatsu" / "py.typed").exists()


def test_folders_of_ones_own_change_nothing(installed: Path, tmp_path: Path) -> None:
    """Packages named like our folders stand first on the path, and raise when imported."""
    mine = tmp_path / "mine"
    for name in ("engine", "pipeline", "queries", "explorer", "tools"):
        (mine / name).mkdir(parents=True)
        (mine / name / "__init__.py").write_text("raise RuntimeError('this is mine')\n")
    data = ("--data", str(tmp_path / "data"))
    (mine / "ai.py").write_text("def choose(board, moves): return moves\n")
    for arguments in (
        ["build", "2x2k2", *data],
        ["check", "2x2k2", *data],
        ["sql", "select count(*) from positions", "--game", "2x2k2", *data],
        ["audit", f"{mine / 'ai.py'}:choose", "--game", "2x2k2", *data],
        ["audit", "ai:choose", "--game", "2x2k2", *data],
    ):
        done = run(installed, mine, *arguments, path=mine)
        assert done.returncode == 0, (arguments, done.stderr)
        assert "findings: none" in done.stdout or arguments[0] != "audit"


def test_an_ai_that_imports_its_own_engine_gets_it(
    installed: Path, data: Path, tmp_path: Path
) -> None:
    (tmp_path / "engine.py").write_text("def last(moves): return moves[-1]\n")
    (tmp_path / "ai.py").write_text(
        "from engine import last\n\ndef choose(board, moves): return last(moves)\n"
    )
    for spec in ("ai.py:choose", "ai:choose"):
        done = run(installed, tmp_path, "audit", spec, "--game", "2x2k2", "--data", str(data))
        assert done.returncode == 0, done.stderr
        assert "findings: none" in done.stdout


@pytest.mark.parametrize(
    ("library", "extra", "arguments"),
    [
        ("numba", "solve", ["solve", "2x2k2"]),
        ("uvicorn", "explore", ["explore", "--no-browser", "--port", "0", "--game", "2x2k2"]),
        ("matplotlib", "plot", ["bench", "boards", "--game", "2x2k2", "--plot", "x.svg",
                                "--pairs", "1", "--repeats", "1"]),
        ("scipy", "prove", ["prove", "2x2k2"]),
        ("pyspark", "spark", ["solve", "2x2k2", "--engine", "spark"]),
    ],
)  # fmt: skip
def test_a_command_names_the_extra_that_it_misses(
    installed: Path, data: Path, tmp_path: Path, library: str, extra: str, arguments: list[str]
) -> None:
    (tmp_path / f"{library}.py").write_text(
        f"raise ModuleNotFoundError('No module named {library}', name={library!r})\n"
    )
    place = [] if library == "matplotlib" else ["--data", str(data)]
    done = run(installed, tmp_path, *arguments, *place, path=tmp_path)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr == (
        f"marubatsu: this needs {library}, which is not installed: "
        f"pip install 'marubatsu[{extra}]'\n"
    )


@pytest.mark.quick
@pytest.mark.parametrize(("library", "target"), [("starlette", "data"), ("pyspark", "spark")])
def test_a_checkout_gets_what_it_misses_by_make(library: str, target: str) -> None:
    error = not_installed(ModuleNotFoundError(name=f"{library}.routing"))
    said = f"this needs {library}, which is not installed: run `make {target}` in the checkout"
    assert str(error) == said
    assert not_installed(ModuleNotFoundError(name="nothing")) is None
