"""The compact form of a solution: it omits values that the rules give, and expands to all."""

import hashlib
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
import zstandard

import marubatsu
from marubatsu.engine.large.arrays import ply_of, rules_of
from marubatsu.engine.large.index import Index
from marubatsu.engine.large.rows import OPEN, derive
from marubatsu.engine.large.values import NULL
from marubatsu.engine.rules.board_text import is_reachable
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.pipeline.solving import compact_file
from marubatsu.pipeline.solving.solution_files import GROUP
from marubatsu.pipeline.tables.data_set import COMPACT, DataSet
from marubatsu.web.app import open_app
from tests.helpers.broken.damaged import damaged
from tests.helpers.data.data_sets import Solutions, contents
from tests.helpers.processes.commands import raw_file, run_here
from tests.helpers.processes.disks import mounted
from tests.helpers.processes.in_process import ask_app
from tests.helpers.slow.slow_derived import value_at_once

GAMES = (
    "3x3k3", "3x3k3-misere", "3x3k3-gravity-misere", "4x3k3-misere-torus", "4x4k3-gravity",
    "1x9k3-gravity", "2x2k1-misere",
)  # fmt: skip
RULES = ("3x3k3", "5x2k2-misere", "3x2k3-torus", "3x3k3-gravity", "3x3k3-gravity-misere", "2x2k1")
GAME = "3x3k3-gravity"


def compact(solutions: Solutions, name: str, root: Path) -> Path:
    """Write the compact form of a solution, in place of it, below a root; return the file."""
    file = root / Game(name).name / COMPACT
    file.parent.mkdir(parents=True)
    done = run_here("export", name, "--compact", "--output", str(file), data=solutions.of(name))
    assert (done.returncode, done.stderr) == (0, "")
    return file


@pytest.mark.quick
@pytest.mark.parametrize("name", RULES)
def test_derived_values_are_those_of_the_rules(name: str) -> None:
    game = Game(name)
    index = Index(game)
    for number in range(game.cells + 1):
        ply = ply_of(index, number)
        values = np.empty(ply.rows, np.int8)
        derive(ply, 0, ply.rows, rules_of(index, links=False), values)
        masks = index.masks(number, np.arange(ply.rows))
        classes = index.of(*masks).tolist()
        for row, sides in enumerate(zip(*(side.tolist() for side in masks), strict=True)):
            position = Position(*sides)
            if classes[row] != row or not is_reachable(game, position):
                assert values[row] == NULL or game.gravity, (number, row)
            else:
                value = value_at_once(game, position)
                assert values[row] == (OPEN if value is None else value), (number, row)
        middle = slice(ply.rows // 3, 1 + ply.rows * 2 // 3)
        some = np.empty_like(values[middle])
        derive(ply, middle.start, middle.stop, rules_of(index, links=False), some)
        assert np.array_equal(some, values[middle])


@pytest.mark.parametrize("name", GAMES)
def test_a_compact_form_is_all_of_a_solution(
    name: str, solutions: Solutions, tmp_path: Path
) -> None:
    root, data = solutions.of(name), tmp_path / "data"
    file = compact(solutions, name, data)
    assert raw_file(data, name) == raw_file(root, name)
    again = run_here("export", name, "--compact", data=data).stdout
    assert again.encode("utf-8", "surrogateescape") == file.read_bytes()
    done = run_here("solve", name, "--expand", data=data)
    assert (done.returncode, done.stderr) == (0, "")
    file.unlink()
    assert contents(data / Game(name).name) == solutions.contents(name)


def test_the_oracle_reads_it(solutions: Solutions, tmp_path: Path) -> None:
    file = compact(solutions, "4x4k4-gravity", tmp_path)
    of_file, usual = (
        marubatsu.oracle("4x4k4-gravity", data=root)
        for root in (tmp_path, solutions.of("4x4k4-gravity"))
    )
    for board in ("................", "............o...", "........x...o..o"):
        assert of_file.answer(board) == usual.answer(board)
    audit = ("audit", "random", "--game", "4x4k4-gravity", "--sample", "50", "--format", "json")
    for words in (audit, ("best", "4x4k4-gravity")):
        done, expected_done = (
            run_here(*words, data=at) for at in (tmp_path, solutions.of("4x4k4-gravity"))
        )
        assert timeless(done.stdout) == timeless(expected_done.stdout)
    assert "solved (compact)" in run_here("games", data=tmp_path).stdout
    assert run_here("verify", data=tmp_path).returncode == 0
    for command in (["check", "4x4k4-gravity"], ["sql", "select 1", "--game", "4x4k4-gravity"]):
        done = run_here(*command, data=tmp_path)
        assert (done.returncode, "solve 4x4k4-gravity --expand`" in done.stderr) == (1, True)
    file.unlink()
    assert of_file.answer("." * 16).score == 0  # It stays open.


def timeless(text: str) -> str:
    """Return the output of a command without the seconds that it took."""
    return re.sub(r'"seconds": [0-9.]+', "", text)


def edited(content: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """Return a file whose lines are changed, and fit their hash."""
    lines, _, frames = content.partition(b"\n\n")
    text = change(lines[: lines.rindex(b"sha256")])
    return text + b"sha256 " + hashlib.sha256(text).hexdigest().encode() + b"\n\n" + frames


def with_line(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda content: edited(content, lambda text: text.replace(old, new, 1))


def with_frame(data: bytes) -> Callable[[bytes], bytes]:
    """Return what gives a file another first frame, which its line names."""
    old = zstandard.ZstdCompressor(19).compress(b"\0")
    lines = [
        b"bytes %d sha256 %s" % (len(frame), hashlib.sha256(frame).hexdigest().encode())
        for frame in (old, data)
    ]

    def change(content: bytes) -> bytes:
        head, _, frames = with_line(*lines)(content).partition(b"\n\n")
        return head + b"\n\n" + data + frames.removeprefix(old)

    return change


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "truncated": (lambda content: content[:-1], "is damaged: it has "),
    "longer": (lambda content: content + b"\0", "is damaged: it has "),
    "nothing": (lambda content: b"", "is damaged: it is no compact form of a solution"),
    "a line": (lambda content: content.replace(b"ply 3", b"ply 4"), "do not fit their own sha256"),
    "a frame": (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "has sha256"),
    "newer": (lambda content: content.replace(b"compact 1", b"compact 2"), "another version"),
    "of another game": (with_line(b"gravity", b"misere"), "it does not belong to 3x3k3-gravity"),
    "other rows": (with_line(b"rows 1 ", b"rows 9 "), "its lines are not those of a solution"),
    "a bomb": (with_frame(zstandard.compress(bytes(1 << 24))), "a frame of ply 0 has not 1 rows"),
    "no value": (
        with_frame(zstandard.compress(b"\x64")),
        "a frame of ply 0 has bytes that are no values",
    ),
    "a second frame": (with_frame(2 * zstandard.compress(b"\x05")), "bytes of unused data"),
}


def test_frames_join(solutions: Solutions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compact_file, "_FRAME", GROUP)
    file = compact(solutions, "5x4k4-gravity", tmp_path)
    assert file.read_bytes().count(b"\nply 13 ") > 1
    assert raw_file(tmp_path, "5x4k4-gravity") == raw_file(
        solutions.of("5x4k4-gravity"), "5x4k4-gravity"
    )


def test_a_full_disk_leaves_no_file(
    solutions: Solutions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = solutions.of("4x4k4-gravity")
    with mounted(disk := tmp_path / "disk", "8k"):
        goal = str(disk / COMPACT)
        done = run_here("export", "4x4k4-gravity", "--compact", "-o", goal, data=root)
        assert (done.returncode, "No space left on device" in done.stderr) == (1, True)
        assert not [*disk.iterdir()]
        monkeypatch.setattr("tempfile.tempdir", str(disk))
        done = run_here(
            "export", "4x4k4-gravity", "--compact", "-o", str(tmp_path / COMPACT), data=root
        )
        assert f"cannot write a temporary file to {disk}: No space left" in done.stderr


def test_no_room_to_expand_is_reported_before(solutions: Solutions, tmp_path: Path) -> None:
    file = compact(solutions, "5x4k4-gravity", tmp_path)
    with mounted(disk := tmp_path / "disk", "400k"):
        (disk / file.parent.name).mkdir()
        there = shutil.copy(file, disk / file.parent.name)
        done = run_here("solve", "5x4k4-gravity", "--expand", data=disk)
        assert (done.returncode, "takes at least" in done.stderr) == (1, True)
        assert [*Path(there).parent.iterdir()] == [Path(there)]


def test_solving_again_names_the_shorter_way(solutions: Solutions, tmp_path: Path) -> None:
    compact(solutions, GAME, tmp_path)
    done = run_here("solve", GAME, "--data", str(tmp_path), data=tmp_path / "other")
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1)
    assert f"is there: run `marubatsu solve {GAME} --data {tmp_path} --expand`" in done.stderr


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_one_sentence(damage: str, solutions: Solutions, tmp_path: Path) -> None:
    file = compact(solutions, GAME, tmp_path)
    change, sentence = DAMAGES[damage]
    file.write_bytes(change(file.read_bytes()))
    for words in (["export", GAME, "--raw"], ["solve", GAME, "--expand"]):
        done = run_here(*words, data=tmp_path)
        assert (done.returncode, done.stdout) == (1, ""), done
        assert sentence in done.stderr
        assert f"remove the file, and run `marubatsu solve {GAME}`" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    done = run_here("verify", data=tmp_path)
    assert done.returncode == 1
    assert done.stderr.endswith(f"remove the file, and run `marubatsu solve {GAME}`\n")
    assert "to go on" not in done.stderr


def test_other_rows_and_hashes_are_different(solutions: Solutions, tmp_path: Path) -> None:
    file = compact(solutions, GAME, tmp_path)
    right = file.read_bytes()
    assert run_here("verify", data=tmp_path).stdout == (
        f"the compact form is as its lines say: {GAME}\nevery row is as published: {GAME}\n"
    )
    file.write_bytes(with_frame(zstandard.compress(b"\x05"))(right))
    shown = run_here("verify", data=tmp_path).stdout
    assert "its rows of ply=00/part-0000.parquet are not those that are published" in shown
    shutil.copytree(solutions.of(GAME) / GAME / "solution", file.with_name("solution"))
    file.write_bytes(edited(right, lambda text: re.sub(b"data ....", b"data 0000", text)))
    done = run_here("verify", data=tmp_path)
    sentence = "it is not the compact form of the solution next to it"
    assert (done.returncode, sentence in done.stdout) == (1, True)
    assert "up to date" in run_here("solve", GAME, "--expand", data=tmp_path).stdout


def test_commands_that_need_the_complete_form_say_so(solutions: Solutions, tmp_path: Path) -> None:
    compact(solutions, GAME, tmp_path)
    done = run_here("site", "--game", GAME, "--out", str(tmp_path / "site"), data=tmp_path)
    assert (done.returncode, "only in its compact form" in done.stderr) == (1, True)
    with open_app(DataSet(tmp_path, Game(GAME))) as app:
        reply = ask_app(app, f"/api/v2/games/{GAME}/sql", {"sql": "select 1"})
    assert (reply.status, b"the compact form of its solution answers" in reply.body) == (404, True)


def test_damaged_compact_forms_never_give_wrong_values(
    solutions: Solutions, tmp_path: Path
) -> None:
    file, random = compact(solutions, GAME, tmp_path), Random(1)
    right, raw = file.read_bytes(), raw_file(tmp_path, GAME)
    for _ in range(100):
        file.write_bytes(damaged(right, random))
        done = run_here("export", GAME, "--raw", data=tmp_path)
        if done.returncode == 0:
            assert done.stdout.encode("utf-8", "surrogateescape") == raw
        else:
            assert (done.returncode, len(done.stderr.splitlines())) == (1, 1), done


def test_nothing_and_a_folder_in_its_place_are_refused(tmp_path: Path) -> None:
    done = run_here("solve", GAME, "--expand", data=tmp_path)
    assert (done.returncode, "does not exist" in done.stderr) == (1, True)
    (tmp_path / GAME / COMPACT).mkdir(parents=True)
    done = run_here("export", GAME, "--raw", data=tmp_path)
    assert (done.returncode, "it cannot be read" in done.stderr) == (1, True)
