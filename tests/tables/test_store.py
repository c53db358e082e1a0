"""Builds: the same bytes every time, only what changed; and no damage or absence goes unnoticed."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from marubatsu.engine.rules.bounds import TooLargeError
from marubatsu.engine.rules.game import Game
from marubatsu.engine.tree import positions
from marubatsu.pipeline.checking.verify import verify
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.usable import require_intact
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.tables.data_set import DataSet, Saved, Solution
from marubatsu.pipeline.tables.integrity import Problem
from marubatsu.pipeline.tables.manifest import DICTIONARY, MANIFEST, Manifest, ManifestError
from marubatsu.pipeline.tables.schemas import DELTA, INT8, MATCHES
from tests.helpers.data import data_sets
from tests.helpers.data.data_sets import SMALLEST, build_smallest, build_tree, contents, tree_stages
from tests.helpers.data.shared import Shared
from tests.helpers.processes.commands import require_refused, run_here, run_marubatsu

SMALL = "2x2k2"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tree(tmp_path_factory.mktemp("built"), SMALL).folder


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> DataSet:
    data_sets.copied(built, tmp_path / SMALL)
    return DataSet(tmp_path, Game(SMALL))


def test_two_builds_are_the_same_bytes(root: Path, tmp_path: Path) -> None:
    """One build in this environment, one in another: threads, order of sets, letters, time."""
    name = "3x2k2"
    environment = {
        "OMP_NUM_THREADS": "1", "ARROW_NUM_THREADS": "1", "PYTHONHASHSEED": "1", "LC_ALL": "C",
        "LANG": "tr_TR.UTF-8", "TZ": "Asia/Tokyo",
    }  # fmt: skip
    done = run_marubatsu("build", name, data=tmp_path, environment=environment)
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / name) == contents(root / name)


def test_a_build_of_what_is_there_rewrites_nothing(copy: DataSet) -> None:
    before = {path: path.stat() for path in copy.folder.iterdir()}
    built = build(copy, tree_stages(copy.game))
    assert built.made == ()
    for path, stat in before.items():
        after = path.stat()
        assert (after.st_ino, after.st_mtime_ns) == (stat.st_ino, stat.st_mtime_ns)


@pytest.mark.quick
def test_words_about_a_column_are_no_part_of_the_fingerprint_of_its_table() -> None:
    game = Game(SMALL)
    first, *others = MATCHES.columns[-2:]
    table = replace(MATCHES, key=(first.name,), columns=(first, *others))

    def changed(**change: str) -> str:
        return replace(table, columns=(replace(first, **change), *others)).version(game)

    same = table.version(game)
    assert first.null
    for words in ("meaning", "codes", "null"):
        assert changed(**{words: "other words"}) == same
    assert changed(encoding=DELTA) == same
    for fact in ({"name": "other"}, {"type": INT8}, {"unit": "other"}, {"null": ""}):
        assert changed(**fact) != same
    assert replace(table, key=()).version(game) != same
    assert replace(table, columns=(first,)).version(game) != same


def test_a_game_with_too_many_positions_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The estimate lets some of them pass."""
    few = partial(positions.enumerate_positions, limit=10)
    monkeypatch.setattr(positions, "enumerate_positions", few)
    with pytest.raises(TooLargeError):
        build_tree(tmp_path, SMALL)
    assert [*tmp_path.iterdir()] == []


def test_building_one_tree_leaves_the_other_tables_alone(tmp_path: Path) -> None:
    for order, tables in (("bfs", {"tree_bfs"}), ("dfs", {"tree_bfs", "tree_dfs"})):
        done = run_here("tree", SMALL, "--order", order, data=tmp_path)
        assert done.returncode == 0, done.stderr
        built = {path.stem for path in (tmp_path / SMALL).glob("tree*")}
        assert built == tables
    assert verify(DataSet(tmp_path, Game(SMALL))) == []


def refused(data_set: DataSet, file: str) -> Problem:
    """Return the one problem, after all three readers have named the file and refused."""
    (problem,) = verify(data_set)
    assert problem.path.name == file
    with pytest.raises(DataError, match=file):
        require_intact(data_set)
    return problem


@pytest.mark.parametrize(
    ("file", "stride"), [("positions.parquet", 97), ("tree_dfs.parquet", 97), ("manifest.json", 7)]
)
def test_a_flipped_bit_anywhere_is_found(copy: DataSet, file: str, stride: int) -> None:
    path = copy.path(file)
    good = path.read_bytes()
    for at in range(0, len(good), stride):
        path.write_bytes(good[:at] + bytes([good[at] ^ 1 << at % 8]) + good[at + 1 :])
        assert refused(copy, file).kind == "damaged"
    path.write_bytes(good)


def replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def take_from_another_game(path: Path) -> None:
    build_tree(path.parents[1], "2x2k2-misere")
    shutil.copy(path.parents[1] / "2x2k2-misere" / path.name, path)


SPOILT: dict[str, tuple[Callable[[Path], object], str]] = {
    "moves.parquet": (lambda path: path.write_bytes(path.read_bytes()[:-1]), "damaged"),
    "classes.parquet": (lambda path: path.write_bytes(b""), "damaged"),
    "tree_dfs.parquet": (Path.unlink, "missing"),
    "positions.parquet": (take_from_another_game, "damaged"),
}
"""Files, each spoilt in another way, and the kind of problem that this is."""


@pytest.mark.parametrize(
    ("file", "spoil", "kind"),
    [
        *((file, *how) for file, how in SPOILT.items()),
        ("tree_dfs.parquet", replace_by_folder, "damaged"),
    ],
)
def test_a_damaged_file_is_named(
    copy: DataSet, file: str, spoil: Callable[[Path], object], kind: str
) -> None:
    spoil(copy.path(file))
    assert refused(copy, file).kind == kind
    sql = f"from {file.removesuffix('.parquet')}"
    for command in (["verify", SMALL], ["check", SMALL], ["sql", sql, "-g", SMALL]):
        done = run_here(*command, data=copy.root)
        assert done.returncode == 1, command
        assert file in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_the_manifest_of_another_game_or_version_is_refused(copy: DataSet) -> None:
    manifest = data_sets.manifest_of(copy)
    more = {**manifest.files, "more.parquet": manifest.files["moves.parquet"]}
    for change, why in (
        ({"game": "2x2k2-misere"}, r"belongs to 2x2k2-misere, expected 2x2k2"),
        ({"version": "9.0", "files": more}, r"lists more\.parquet, and version 9\.0 of"),
    ):
        copy.path(MANIFEST).write_bytes(replace(manifest, **change).render())
        with pytest.raises(DataError, match=why):
            copy.manifest()


def test_a_missing_manifest_is_named_and_what_it_leaves_unknown(copy: DataSet) -> None:
    tables = {path.name for path in copy.folder.glob("*.parquet")}
    copy.path("manifest.json").unlink()
    found = {(p.kind, p.path.name) for p in verify(copy)}
    assert found == {("missing", "manifest.json"), *(("unknown", table) for table in tables)}
    with pytest.raises(DataError, match="2x2k2 is not built"):
        require_intact(copy)


def test_a_build_of_one_tree_removes_what_a_build_of_the_other_left(copy: DataSet) -> None:
    copy.path("tree_dfs.parquet.partial").write_text("half")
    output = copy.path(".marubatsu-0.partial")
    output.touch()  # of another command, which may still write it
    done = run_here("tree", SMALL, "--order", "bfs", data=copy.root)
    assert done.returncode == 0, done.stderr
    output.unlink()
    assert verify(copy) == []


def test_unknown_files_are_named(copy: DataSet) -> None:
    copy.path("notes.txt").write_text("mine")
    copy.path("moves.parquet.partial").write_text("half")
    (copy.root / "3x3k3").mkdir()
    (copy.root / "3x3k3" / "file").touch()  # it would belong to tictactoe
    (copy.root / "4x3k3").mkdir()  # empty, as a build leaves it that was stopped early
    (copy.root / "stray").mkdir()
    (copy.root / "README.md").write_text("belongs here")
    done = run_here("verify", "--format", "csv", data=copy.root)
    assert (done.returncode, done.stderr) == (1, "remove the unknown files or move them away\n")
    reasons = {
        "3x3k3": "the folder of tictactoe is called tictactoe: rename it or move it away",
        "stray": NO_GAME,
        f"{SMALL}/moves.parquet.partial": "left by an interrupted command",
        f"{SMALL}/notes.txt": "the manifest does not list it",
    }
    rows = [f"unknown,{copy.root / name},{why}" for name, why in reasons.items()]
    assert done.stdout.splitlines() == ["state,path,reason", *rows]


def test_verify_as_json_has_the_state_of_every_data_set(copy: DataSet) -> None:
    def verified_json(*game: str) -> tuple[int, list[dict[str, str]]]:
        done = run_here("verify", *game, "--format", "json", data=copy.root)
        return done.returncode, json.loads(done.stdout)

    whole = {"state": "intact", "path": str(copy.folder), "reason": "its rows are as published"}
    assert verified_json() == (0, [whole])
    empty_one = copy.root / "3x3k2" / "solution"
    empty_one.mkdir(parents=True)
    reason = "it was never built to the end, or lost it"
    missing = {"state": "missing", "path": str(empty_one / "manifest.json"), "reason": reason}
    assert verified_json() == (1, [missing, whole])
    assert verified_json("3x3k2") == (1, [missing])


def test_a_build_repairs_damaged_files(copy: DataSet) -> None:
    good = contents(copy.folder)
    for file, (spoil, _) in SPOILT.items():
        spoil(copy.path(file))
        built = build(copy, tree_stages(copy.game))
        assert built.made == (file.removesuffix(".parquet"),)
        assert contents(copy.folder) == good


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"null", b"\xff", b'{"format": 2}', b"[" * 9999]
)
def test_a_wrong_manifest_is_refused_and_rebuilt(copy: DataSet, data: bytes) -> None:
    with pytest.raises(ManifestError):
        Manifest.parse(data)
    good = contents(copy.folder)
    copy.path("manifest.json").write_bytes(data)
    build(copy, tree_stages(copy.game))
    assert contents(copy.folder) == good


@pytest.mark.parametrize("name", [MANIFEST, DICTIONARY, "moves.parquet", "answers", "saved"])
def test_a_build_names_what_is_in_the_place_of_a_file_or_a_folder(copy: DataSet, name: str) -> None:
    path = copy.path(name)
    if path.is_file():
        path.unlink()
        path.mkdir()
    else:
        path.touch()
    assert path in [problem.path for problem in verify(copy)] or not path.is_dir()
    good = contents(copy.folder)
    with pytest.raises(DataError, match=rf"{name} is a f.*: expected a f.*; move it away"):
        build_tree(copy.root, SMALL)
    assert contents(copy.folder) == good


def test_a_manifest_names_no_path(copy: DataSet) -> None:
    manifest = data_sets.manifest_of(copy)
    entry = manifest.files["moves.parquet"]
    for name in ("../moves.parquet", "/etc/passwd", "moves.parquet/..", "a b.parquet"):
        with pytest.raises(ManifestError, match="does not fit"):
            Manifest.parse(manifest.with_files("", {name: entry}).render())


NOTHING = "there is no data set in"
UNBUILT = f"{SMALLEST} is not built in"
NO_GAME = "its name is not the name of a game: move it away"
LOST = "it was never built to the end, or lost it"

ALIENS = [
    ("", "", NOTHING), ("", SMALLEST, UNBUILT), ("README.md", "", NOTHING),
    ("notes.txt", "", NO_GAME), ("photos/", "", NO_GAME), ("photos/", SMALLEST, UNBUILT),
    ("99x99k99/solution/", "", NO_GAME), (f"{SMALLEST}", "", "it is not a folder"),
    (f"{SMALLEST}", SMALLEST, "directory; move away what"), (f"{SMALLEST}/", "", NOTHING),
    (f"{SMALLEST}/", SMALLEST, UNBUILT), (f"{SMALLEST}/README.md", SMALLEST, UNBUILT),
    ("5x5k4/", "5x5k4", "run `marubatsu solve 5x5k4"),
    (f"{SMALLEST}/notes.txt", "", "unknown files"), (f"{SMALLEST}/solution/", "", LOST),
    (f"{SMALLEST}/moves.parquet", "", LOST), (f"{SMALLEST}/moves.parquet.partial", "", LOST),
    (f"{SMALLEST}/solution/", SMALLEST, LOST), (f"{SMALLEST}/solution/ply=00/", "", LOST),
    (f"{SMALLEST}/solution", "", "Not a directory"), (f"{SMALLEST}/saved/", "", LOST),
    (f"{SMALLEST}/saved/", SMALLEST, LOST), (f"{SMALLEST}/saved/notes.txt", "", LOST),
    (f"{SMALLEST}/solution.partial/", SMALLEST, "its solution is being made: nothing yet"),
]  # fmt: skip
"""A file, the game to verify or none, and a part of the message."""


@pytest.mark.parametrize(("there", "named", "message"), ALIENS)
def test_verify_fails_over_what_is_no_data(
    there: str, named: str, message: str, tmp_path: Path
) -> None:
    place = tmp_path / there
    (place if there.endswith("/") else place.parent).mkdir(parents=True, exist_ok=True)
    if there and not there.endswith("/"):
        place.touch()
    done = run_here("verify", *filter(None, [named]), data=tmp_path)
    assert done.returncode == 1
    assert message in done.stdout + done.stderr
    assert "is as its manifest says" not in done.stdout


def test_verify_fails_inside_data(shared: Shared) -> None:
    for folder in (SMALLEST, f"{SMALLEST}/solution", f"{SMALLEST}/solution/ply=00"):
        done = run_here("verify", data=build_smallest(shared) / folder)
        require_refused(done, "the data of one game: expected the folder above that")


@pytest.mark.parametrize("kind", [DataSet, Solution, Saved])
def test_verify_fails_over_a_manifest_of_nothing(kind: type[DataSet], tmp_path: Path) -> None:
    data_set = kind(tmp_path, Game(SMALLEST))
    data_set.write(MANIFEST, memoryview(Manifest(SMALLEST, "", {}).render()))
    done = run_here("verify", SMALLEST, data=tmp_path)
    assert (done.returncode, "it lists no file" in done.stdout) == (1, True)
