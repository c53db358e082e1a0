"""Data sets of others, in which anything may be: manifests, journals, rows, devices.

Every question about them ends with an answer or a sentence, and soon. Which answers are right is
what `test_forged` and `check` are for.
"""

import hashlib
import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.pipeline.laboratory import kept_tables
from marubatsu.pipeline.stages.staleness import VERSION
from marubatsu.pipeline.tables import open_file
from marubatsu.pipeline.tables.data_set import DataSet
from marubatsu.pipeline.tables.manifest import DICTIONARY, MANIFEST, is_part
from marubatsu.pipeline.tables.solution_parts import ply_of_part
from marubatsu.pipeline.tables.work_in_progress import JOURNAL
from tests.attacks.forged import LAYOUTS, like_ours, put
from tests.attacks.readers import BUILT, SOLVED, copy_of
from tests.attacks.tally import ATTEMPTS, Tally
from tests.helpers.broken.damaged import damaged_json
from tests.helpers.processes.commands import run_here

QUESTIONS = [line.split() for line in (
    f"show o... --game {BUILT}", f"best o... --game {BUILT}", f"query plies --game {BUILT}",
    f"query proof_sizes --game {BUILT}", f"query technique_ladder --game {BUILT}",
    f"check {BUILT} --only scores", f"audit --game {BUILT}", f"audit ai2 --game {BUILT}",
    f"match ai1 ai2 --review --game {BUILT}", f"match first ai1 --games 9 --game {BUILT}",
    f"ais --game {BUILT}", f"prove {BUILT}", f"compare {BUILT}", f"items {BUILT} --split all",
    f"views --game {BUILT}", f"publish {BUILT} --out OUT", f"site --out OUT --game {BUILT}",
    f"show o..... --game {SOLVED}", f"query solved_plies --game {SOLVED}",
    f"check {SOLVED} --only solution_values", f"export {SOLVED} --raw --output OUT",
    f"publish {SOLVED} --out OUT", f"site --out OUT --game {SOLVED}", f"anchors {SOLVED}", "games",
    "verify",
)]  # fmt: skip


@pytest.fixture(scope="session")
def whole(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with every kind of file: also saved AIs, proofs, techniques and answers."""
    root = copy_of(data, tmp_path_factory.mktemp("whole") / "data")
    agent = root.parent / "first.py"
    agent.write_text("def choose(board, legal):\n    return legal[0]\n")
    game = Game(BUILT)
    kept_tables.add_answers(DataSet(root, game), {Position(0, 0): kept_tables.Found(0, 9)})
    for line in (
        f"prove {BUILT}", f"compare {BUILT}", f"audit {agent}:choose --game {BUILT} --save first",
    ):  # fmt: skip
        done = run_here(*line.split(), data=root)
        assert done.returncode == 0, done.stderr
    return root


def answered(question: list[str], root: Path) -> "subprocess.CompletedProcess[str]":
    """Ask, with nothing where the command may write."""
    out = root.parent / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.unlink(missing_ok=True)
    return run_here(*(str(out) if word == "OUT" else word for word in question), data=root)


def ask(question: list[str], root: Path) -> str:
    """Ask; return nothing when that ends with an answer or a sentence."""
    done = answered(question, root)
    text = done.stdout + done.stderr
    assert done.returncode in (0, 1, 2), text
    assert done.returncode == 0 or done.stdout or "marubatsu: " in done.stderr, text
    assert not [each for each in ("Traceback", "INTERNAL", "\x1b") if each in text], text
    return ""


def test_undamaged_data_answers_every_question(whole: Path, tmp_path: Path) -> None:
    """The attacks below find something to attack."""
    root = copy_of(whole, tmp_path / "data")
    for question in QUESTIONS:
        done = answered(question, root)
        assert done.returncode == 0, (question, done.stdout, done.stderr)


def spoil_manifest(path: Path, random: Random) -> None:
    """Change one value of a manifest, and let its hash fit."""
    content = json.loads(path.read_bytes())
    del content["sha256"]
    content = damaged_json(content, random)
    if isinstance(content, dict):
        if isinstance(content.get("files"), dict):
            content["files"] = dict(sorted(content["files"].items()))
        text = (json.dumps(content, indent=1) + "\n").encode("ascii")
        content["sha256"] = hashlib.sha256(text).hexdigest()
    path.write_bytes((json.dumps(content, indent=1) + "\n").encode("ascii"))


def test_manifests_with_other_values(whole: Path, tmp_path: Path) -> None:
    tally, random, root = Tally("foreign data: manifests"), Random("manifests"), tmp_path / "data"
    for number in range(ATTEMPTS):
        path = random.choice(sorted(copy_of(whole, root).rglob(MANIFEST)))
        spoil_manifest(path, random)
        question = random.choice(QUESTIONS)
        what = f"{number} {' '.join(question)} {path.relative_to(root)}"
        tally.add(what, partial(ask, question, root), "")
    tally.report()


_LINES = (
    b"5", b"{{{", b"null", b"[]", b'{"part": 5}', b'{"plies": "x"}', b'{"forward": null}', b"\xff",
    b'{"part": [0, 0], "entry": {}, "value_counts": []}', b"[" * 100_000, b'{"plies": 9999999999}',
    b'{"part": [99, -1], "entry": null, "value_counts": [[1]]}', b"",
)  # fmt: skip


def test_journals_with_other_lines(tmp_path: Path) -> None:
    """A solution is made nevertheless: parts that are not in the journal are made again."""
    head = json.dumps({"game": SOLVED, "version": "format 4, rules 1"}).encode()
    for number, line in enumerate(_LINES):
        root = tmp_path / str(number)
        folder = root / SOLVED / "solution.partial"
        folder.mkdir(parents=True)
        (folder / JOURNAL).write_bytes(journal([head, line]))
        assert "being solved" in run_here("games", data=root).stdout
        assert run_here("verify", data=root).returncode == 1
        done = run_here("solve", SOLVED, data=root)
        assert (done.returncode, "draw" in done.stdout or "wins" in done.stdout) == (0, True), done


def journal(lines: list[bytes]) -> bytes:
    """Return a journal in which the hash of every line fits."""
    return b"".join(
        hashlib.sha256(line).hexdigest().encode() + b" " + line + b"\n" for line in lines
    )


_PARTS: dict[str, tuple[Callable[[bytes], bytes], Callable[[Any], Any]]] = {
    "its own": (bytes, lambda line: line),
    "no Parquet": (lambda data: b"hello", lambda line: line),
    "another layout": (LAYOUTS["pyarrow"], lambda line: line),
    "other rows": (bytes, lambda line: {**line, "entry": {**line["entry"], "rows": 5}}),
    "another number": (bytes, lambda line: {**line, "part": [line["part"][0], 7]}),
    "a ply too many": (bytes, lambda line: {**line, "part": [Game(SOLVED).cells + 1, 0]}),
    "no counts": (bytes, lambda line: {**line, "value_counts": []}),
    "huge counts": (bytes, lambda line: {**line, "value_counts": [[0, 2**70, 2**70]]}),
    "too many positions": (
        bytes,
        lambda line: {**line, "value_counts": [[v, n, 99 * n] for v, n, _ in line["value_counts"]]},
    ),
}
"""Changes of a part of an unfinished solution, and of its line in the journal."""


@pytest.mark.parametrize("name", _PARTS)
def test_parts_of_an_unfinished_solution_with_other_content(
    name: str, data: Path, tmp_path: Path
) -> None:
    """They are made again, and the solution is the right one."""
    change, say = _PARTS[name]
    root = copy_of(data, tmp_path / "data")
    solved, unfinished = (root / SOLVED / each for each in ("solution", "solution.partial"))
    right = rows_of(solved)
    files = json.loads((solved / MANIFEST).read_bytes())["files"]
    solved.rename(unfinished)
    (unfinished / MANIFEST).unlink()
    lines: list[Any] = [{"game": SOLVED, "version": VERSION}]
    for file in sorted(filter(is_part, files), reverse=True):
        path = unfinished / file
        values = pq.ParquetFile(path).read()["value"].drop_null().to_pylist()
        path.write_bytes(change(path.read_bytes()))
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        line = {
            "part": [ply_of_part(file), 0],
            "entry": {**files[file], "bytes": len(content), "sha256": digest},
            "value_counts": [[v, n, n] for v, n in sorted(Counter(values).items())],
        }
        lines.append(say(line))
    (unfinished / JOURNAL).write_bytes(journal([json.dumps(line).encode() for line in lines]))
    done = run_here("solve", SOLVED, data=root)
    assert done.returncode == 0, done.stderr
    assert rows_of(solved) == right != []


def rows_of(solution: Path) -> list[Any]:
    parts = sorted(solution.glob("ply=*/*.parquet"))
    return [pq.ParquetFile(part).read().to_pylist() for part in parts]


@pytest.mark.parametrize("part", ["proofs", "techniques", "answers", "saved", "solution.partial"])
def test_a_link_in_place_of_a_part_is_refused(part: str, whole: Path, tmp_path: Path) -> None:
    """Else a command would remove files of another game."""
    root = copy_of(whole, tmp_path / "data")
    path = root / BUILT / part
    shutil.rmtree(path, ignore_errors=True)
    path.symlink_to(Path("..", SOLVED))
    before = sorted((root / SOLVED).rglob("*"))
    for line in ("prove --remove", "compare --remove", "book --remove", "solve", "build"):
        done = run_here(*line.split(), BUILT, data=root)
        assert done.returncode == 1
        assert "is a link: expected a folder of its own" in done.stderr
    assert sorted((root / SOLVED).rglob("*")) == before


def _large(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 40)


NO_FILES: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo, "an endless device": lambda path: path.symlink_to("/dev/zero"),
    "a large file": _large, "a folder": Path.mkdir,
}  # fmt: skip


@pytest.mark.parametrize(("name", "kind"), [
    *((name, "a pipe") for name in (MANIFEST, DICTIONARY, "positions.parquet", JOURNAL)),
    (MANIFEST, "an endless device"), (MANIFEST, "a large file"), (JOURNAL, "an endless device"),
    ("positions.parquet", "a folder"), ("positions.parquet", "a large file"),
    ("SHA256SUMS", "an endless device"),
])  # fmt: skip
def test_pipes_and_devices_in_place_of_files_are_refused(
    name: str, kind: str, data: Path, tmp_path: Path
) -> None:
    root = copy_of(data, tmp_path / "data")
    path = root / BUILT / name
    if name == "SHA256SUMS":
        path = root / name
    if name == JOURNAL:
        path = root / "2x2" / "solution.partial" / name
        path.parent.mkdir(parents=True)
    path.unlink(missing_ok=True)
    NO_FILES[kind](path)
    for line in (f"show o... --game {BUILT}", "games", f"audit --game {BUILT}"):
        ask(line.split(), root)
    assert run_here("verify", data=root).returncode == 1


def test_an_empty_device_is_no_table(data: Path, tmp_path: Path) -> None:
    """Its size is 0, as the manifest says, and it never ends."""
    root = copy_of(data, tmp_path / "data")
    path = root / BUILT / "positions.parquet"
    put(path, b"")
    path.unlink()
    NO_FILES["an endless device"](path)
    done = run_here("verify", data=root)
    assert done.returncode == 1
    assert "it is no regular file" in done.stdout


def test_a_system_without_names_of_open_files_is_refused(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where /proc is not mounted."""
    monkeypatch.setattr(open_file, "_NAMES", ("/nowhere",))
    done = run_here("show", "o...", "--game", BUILT, data=data)
    assert (done.returncode, done.stderr) == (
        1, "marubatsu: this system does not show open files: expected /nowhere; mount /proc\n",
    )  # fmt: skip


_NUMBERS = (-128, -1, 0, 1, 2, 127)


def others(random: Random) -> Callable[[pa.Table], pa.Table]:
    """Return the change of one value, or of a column, into any of its type."""

    def change(rows: pa.Table) -> pa.Table:
        at = random.randrange(rows.num_columns)
        field = rows.schema.field(at)
        values = rows.column(at).to_pylist()
        places = range(len(values))
        if random.random() < 0.7 and values:
            places = range(at := random.randrange(len(values)), at + 1)
            at = rows.column_names.index(field.name)
        for place in places:
            values[place] = _other(field.type, random)
        return rows.set_column(at, field, _array(values, field.type))

    return change


def _other(type_: pa.DataType, random: Random) -> Any:
    if pa.types.is_string(type_):
        return random.choice(
            [b"", b"x", b"\xff\xfe", b"\x1b[31m", b"circle", b"y" * 999, b"[" * 99_999]
        )
    if pa.types.is_list(type_):
        return random.choice([[], [0], [-1], [99], [0, 0]])
    if pa.types.is_boolean(type_):
        return random.random() < 0.5
    if pa.types.is_floating(type_):
        return random.choice([-1.0, 0.0, 0.5, 2.0, float("nan"), float("inf")])
    most: int = 2 ** (type_.bit_width - 1)
    return random.choice([*_NUMBERS, most - 1, -most])


def _array(values: list[Any], type_: pa.DataType) -> pa.Array:
    """Return an array; text may be no UTF-8."""
    if not pa.types.is_string(type_):
        return pa.array(values, type_)
    coded = [text.encode() if isinstance(text, str) else text for text in values]
    return pa.array(coded, pa.binary()).view(pa.string())


def test_rows_with_other_values(whole: Path, tmp_path: Path) -> None:
    tally, random, root = Tally("foreign data: rows"), Random("rows"), tmp_path / "data"
    for number in range(ATTEMPTS):
        path = random.choice(sorted(copy_of(whole, root).rglob("*.parquet")))
        put(path, like_ours(others(random))(path.read_bytes()))
        question = random.choice(QUESTIONS)
        what = f"{number} {' '.join(question)} {path.relative_to(root)}"
        tally.add(what, partial(ask, question, root), "")
    tally.report()


@pytest.mark.parametrize(
    ("column", "board", "number", "wrong"),
    [
        ("position", "o...", 2, "position"),
        ("circles", "o...", 16, "circle and cross"),
        ("circles", "ox..", 3, "circle and cross"),
        ("ply", "o...", 2, "ply"),
        *(("symmetry", "o...", number, "symmetry") for number in (-1, 8)),
        *(("class", "o...", number, "class") for number in (-1, 99)),
        *(("score", "o...", number, "score") for number in (-2, 2)),
        *(("distance", "o...", number, "distance") for number in (-1, 5)),
    ],
)
def test_numbers_that_no_position_has_are_named(
    data: Path, tmp_path: Path, column: str, board: str, number: int, wrong: str
) -> None:
    def change(rows: pa.Table) -> pa.Table:
        values = rows.column(column).to_pylist()
        values[rows.column("board").to_pylist().index(board)] = number
        at = rows.column_names.index(column)
        return rows.set_column(at, column, pa.array(values, rows.column(at).type))

    path = copy_of(data, tmp_path / "data") / BUILT / "positions.parquet"
    put(path, like_ours(change)(path.read_bytes()))
    done = run_here("show", "o...", "--game", BUILT, data=tmp_path / "data")
    assert f"numbers in {wrong} are none of {BUILT}" in done.stderr
