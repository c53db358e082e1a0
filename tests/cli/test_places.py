"""Where commands write: never among data, never through a link, never over what is not theirs."""

from pathlib import Path

import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.solving.local_engine import solve
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.data_set import PARTS, DataSet, Unfinished
from tests.helpers.data.data_sets import (
    MEMORY,
    SMALLEST,
    build_smallest,
    contents,
    copied,
    stop_solving,
    tree_stages,
)
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import require_refused, run_here

INSIDE = {
    "a file of a data set": f"data/{SMALLEST}/manifest.json",
    "a new file next to the tables": f"data/{SMALLEST}/x.csv",
    "a file of a solution": f"data/{SMALLEST}/solution/ply=00/part-0000.parquet",
    "a new folder in a solution": f"data/{SMALLEST}/solution/new/x.csv",
    "an unfinished solution": "data/4x3k3/solution.partial/keys/00.keys",
    "next to an unfinished solution": "data/4x3k3/x.csv",
    "through a link to the root": f"link_to_root/{SMALLEST}/x.csv",
    "through a link to a data set": "link_to_data/x.csv",
    "through a link to a solution": "link_to_solution/x.csv",
    "a link to a file": "link_to_file.csv",
    "a link to a file to be": "link_to_new.csv",
    "by the parent folder": f"other/../data/{SMALLEST}/x.csv",
    "a data set under another name": "renamed/x.csv",
}
"""Places among data, as people may name them."""

WRITERS = [
    "query --output PLACE",
    "ais --output PLACE",
    "audit ai2 --output PLACE",
    "sql from(positions) --output PLACE",
    "search 2x2k2 --output PLACE",
    "search 2x2k2 --trace PLACE",
    "items 2x2k2 --output PLACE",
    "bench boards --plot PLACE",
    "site --out PLACE",
    "publish 2x2k2 --out PLACE",
]


@pytest.fixture
def folder(shared: Shared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working directory: data, an unfinished solution, and links to them."""
    data = copied(build_smallest(shared), tmp_path / "data")
    stop_solving(data, Game("4x3k3"), "backward, ply 9")
    copied(data / SMALLEST, tmp_path / "renamed")
    (tmp_path / "other").mkdir()
    for name, goal in {
        "link_to_root": data,
        "link_to_data": data / SMALLEST,
        "link_to_solution": data / SMALLEST / "solution",
        "link_to_file.csv": data / SMALLEST / "moves.parquet",
        "link_to_new.csv": data / SMALLEST / "new.csv",
    }.items():
        (tmp_path / name).symlink_to(goal)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_no_command_writes_among_data(folder: Path) -> None:
    before = contents(folder)
    for what, place in INSIDE.items():
        for shown in (place, str(folder / place)):
            done = run_here("query", "--output", shown, data=folder / "data")
            require_refused(done, "lies in the data of")
            assert f"marubatsu: '{shown[:20]}" in done.stderr, what
    for writer in WRITERS:
        place = INSIDE["through a link to a data set"].replace("csv", "svg" * ("plot" in writer))
        words = writer.replace("PLACE", place).split()
        require_refused(run_here(*words, data=folder / "data"), "lies in the data of")
    assert contents(folder) == before


def test_standard_output_lies_nowhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "data" / SMALLEST)
    assert run_here("query", "--output", "-", data=folder / "data").returncode == 0


@pytest.mark.parametrize("name", ["x.csv.partial", ".x.csv.partial", "manifest.json"])
def test_files_next_to_an_output_neither_hinder_it_nor_change(name: str, tmp_path: Path) -> None:
    mine = tmp_path / name
    mine.write_text('{"name": "not ours"}')
    done = run_here("query", "--output", str(tmp_path / "x.csv"), data=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert mine.read_text() == '{"name": "not ours"}'
    assert {path.name for path in tmp_path.iterdir()} == {name, "x.csv"}


def test_a_circle_of_links_is_no_place(tmp_path: Path) -> None:
    loop = tmp_path / "loop.csv"
    loop.symlink_to(loop)
    for command in (["query", "--output", str(loop)], ["site", "--out", str(loop)]):
        done = run_here(*command, data=tmp_path)
        require_refused(done, "leads back to itself: expected another place")
    assert loop.is_symlink()


def test_a_file_without_its_folder_is_refused_before_the_work(tmp_path: Path) -> None:
    for writer in (each for each in WRITERS if "--out " not in each):
        place = tmp_path / "new" / ("x.svg" if "plot" in writer else "x")
        done = run_here(*writer.replace("PLACE", str(place)).split(), data=tmp_path)
        require_refused(done, f"{place.parent} is no folder; make it, or name another")
    assert not any(tmp_path.iterdir())


PARTIALS = ["manifest.json.partial", "moves.parquet.partial", "datapackage.json.partial"]
PARTIALS_OF_SOLVING = ["journal.json.partial", "manifest.json.partial", "keys/02.keys",
                       "ply=01/part-0000.parquet.partial"]  # fmt: skip


@pytest.mark.parametrize("kind", ["a link", "a hard link", "a link to nothing"])
def test_no_build_writes_through_a_link(kind: str, tmp_path: Path) -> None:
    """A stage removes partial files at its start, so the writer itself is asked."""
    mine, data_set = tmp_path / "mine", DataSet(tmp_path / "data", Game(SMALLEST))
    data_set.folder.mkdir(parents=True)
    for name in PARTIALS:
        _link(kind, data_set.path(name), mine)
        data_set.write_partial(name.removesuffix(".partial"), memoryview(b"ours"))
        assert data_set.path(name).read_bytes() == b"ours"
        assert not data_set.path(name).is_symlink()
        assert mine.read_text() == "mine"
    build(data_set, tree_stages(data_set.game))


@pytest.mark.parametrize("kind", ["a link", "a hard link", "a link to nothing"])
def test_no_solver_writes_through_a_link(kind: str, tmp_path: Path) -> None:
    mine, goal = tmp_path / "mine", Unfinished(tmp_path / "data", Game(SMALLEST))
    for name in PARTIALS_OF_SOLVING:
        goal.path(name).parent.mkdir(parents=True, exist_ok=True)
        _link(kind, goal.path(name), mine)
    solve(goal.root, goal.game, MEMORY)
    assert mine.read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"mine", "data"}


@pytest.mark.parametrize("kind", [*PARTS, Unfinished])
def test_no_part_that_is_a_link_is_written_to(kind: type[DataSet], tmp_path: Path) -> None:
    part = kind(tmp_path / "data", Game(SMALLEST))
    part.folder.parent.mkdir(parents=True)
    part.folder.symlink_to(tmp_path)
    with pytest.raises(DataError, match="is a link: expected a folder of its own"):
        build(DataSet(part.root, part.game), [])
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def _link(kind: str, place: Path, mine: Path) -> None:
    """Put a link to a file of the user, or to one that is not there, at a place."""
    mine.write_text("mine")
    if kind == "a hard link":
        place.hardlink_to(mine)
    else:
        place.symlink_to(mine if kind == "a link" else mine.with_name("nothing"))
