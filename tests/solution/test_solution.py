"""Large games: solutions against slow ones, against the tables, killed, damaged, short of room."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from errno import ENOSPC
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from marubatsu.engine.large.class_keys import ClassKeys
from marubatsu.engine.large.keys import Keys
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.pipeline.solving import local_engine, sorter
from marubatsu.pipeline.solving.cost_estimate import estimate
from marubatsu.pipeline.solving.solve_job import Solved
from marubatsu.pipeline.solving.sorter import Sorter
from marubatsu.pipeline.solving.threads import working
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.store.data_set import DataSet, Solution, Unfinished
from marubatsu.pipeline.support.machine import half_the_memory
from tests.helpers.commands import run_here, running
from tests.helpers.data_sets import GAMES, Solutions, contents, stop_solving
from tests.helpers.played import after
from tests.helpers.slow_solution import SMALL, class_key, solution
from tests.helpers.stopping import stopped_at_every_step

Rows = list[dict[int, tuple[int, ...]]]


def rows_of(root: Path, game: Game) -> Rows:
    """Read a solution, ply by ply."""
    plies: Rows = []
    for ply, folder in enumerate(sorted((Solution(root, game).folder).glob("ply=*"))):
        assert folder.name == f"ply={ply:02}"
        table = pq.read_table(sorted(folder.iterdir()), partitioning=None)
        assert table.column_names == ["key", "score_mover", "distance", "orbit"]
        keys = table["key"].to_numpy()
        assert np.all(keys[1:] > keys[:-1])
        columns = (table[name].to_pylist() for name in table.column_names)
        plies.append({key: tuple(row) for key, *row in zip(*columns, strict=True)})
    return plies


def solved(root: Path, name: str, memory: int = 10**9) -> Solved:
    return local_engine.solve(root, Game(name), memory)


@pytest.mark.parametrize("name", SMALL)
def test_a_solution_is_the_slow_one(name: str, solutions: Solutions) -> None:
    game = Game(name)
    assert rows_of(solutions.of(name), game) == solution(game)


@pytest.mark.parametrize("name", GAMES)
def test_a_solution_says_what_the_tables_say(name: str, root: Path, solutions: Solutions) -> None:
    game = Game(name)
    if Keys(game).bits > 63:
        pytest.skip("its keys have more than 63 bits")
    plies = rows_of(solutions.of(name), game)
    with open_catalog(DataSet(root, game), lambda: None) as catalog:
        rows = catalog.run(
            'select positions.ply, circle, positions."cross", positions.score, '
            "positions.distance, orbit "
            "from classes join positions using (position)"
        ).rows
        assert sum(map(len, plies)) == len(rows)
        for ply, circle, cross, score, distance, orbit in rows:
            key = Keys(game).class_key(Position(circle, cross))
            assert plies[ply][key] == (score if ply % 2 == 0 else -score, distance, orbit)


@given(st.sampled_from(["4x4k4", "5x5k4", "7x4k4", "31x1k5", "7x6k4-gravity", "6x8k4-gravity"]),
       st.randoms(use_true_random=False))  # fmt: skip
def test_keys_are_read_back(name: str, random: Random) -> None:
    game = Game(name)
    position = EMPTY
    for _ in range(random.randrange(game.cells + 1)):
        moves = game.legal_moves(position)
        if not moves:
            break
        position = after(position, random.choice(moves))
    keys = Keys(game)
    assert keys.position(keys.key(position)) == position
    assert 0 <= keys.key(position) < 2**63
    assert keys.class_key(position) == class_key(game, position)
    images = {keys.class_key(symmetry.of_position(position)) for symmetry in symmetries(game)}
    assert images == {keys.class_key(position)}
    many = ClassKeys(game)
    circle, cross = many.masks(np.array([keys.key(position)]))
    assert (int(circle[0]), int(cross[0])) == position
    assert many.of(circle, cross).tolist() == [keys.class_key(position)]


@pytest.mark.parametrize("name", ["8x4k4", "8x7k4-gravity", "6x6k4"])
def test_a_board_that_keys_cannot_hold_is_refused(name: str) -> None:
    with pytest.raises(GameError, match="expected at most 63"):
        Keys(Game(name))


def test_a_torus_with_too_many_symmetries_for_a_solution_is_refused() -> None:
    assert len(symmetries(Keys(Game("5x6k5-torus")).game)) == 120
    with pytest.raises(GameError, match="4x4k4-torus has 128 symmetries, expected at most 127"):
        Keys(Game("4x4k4-torus"))


@given(st.integers(0, 2**32), st.sampled_from([1, 10**9]))
def test_a_sorter_gives_every_key_once(seed: int, memory: int) -> None:
    generator = np.random.default_rng(seed)
    runs = [
        np.unique(generator.integers(0, 3000, generator.integers(0, 2000)))
        for _ in range(generator.integers(1, 8))
    ]
    with pytest.MonkeyPatch.context() as patch, working() as workers, TemporaryDirectory() as name:
        patch.setattr(sorter, "_PIECE", 128)
        patch.setattr(sorter, "_REMEMBERED", 16)
        taker = Sorter(workers, Path(name), memory)
        for run in runs:
            taker.add(run)
        on_disk = len(list(Path(name).iterdir()))
        assert (on_disk > 0) == (memory == 1 and sum(map(len, runs)) > 256)
        pieces = list(taker.merged())
    assert all(piece.size for piece in pieces)
    found = np.concatenate(pieces) if pieces else np.zeros(0, np.int64)
    assert found.tolist() == np.unique(np.concatenate(runs)).tolist()


def test_little_memory_gives_the_same_bytes(
    solutions: Solutions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = Solution(solutions.of("4x3k3"), Game("4x3k3")).manifest()
    monkeypatch.setattr(sorter, "_PIECE", 300)
    monkeypatch.setattr(local_engine, "_CHUNK", 200)
    assert solved(tmp_path / "little", "4x3k3", memory=5000).manifest == manifest


def test_what_is_up_to_date_is_left_alone(tmp_path: Path) -> None:
    first = solved(tmp_path, "3x3k3")
    assert first.made
    times = {path: path.stat().st_mtime_ns for path in first.solution.folder.rglob("*")}
    again = solved(tmp_path, "3x3k3")
    assert not again.made
    assert again.manifest == first.manifest
    assert times == {path: path.stat().st_mtime_ns for path in first.solution.folder.rglob("*")}
    assert [path.name for path in (tmp_path / "tictactoe").iterdir()] == ["solution"]


def test_an_estimate_is_near(solutions: Solutions) -> None:
    game = Game("4x3k3")
    manifest = Solution(solutions.of(game.name), game).manifest()
    assert manifest
    classes = sum(entry.rows for entry in manifest.files.values())
    assert 0.9 < estimate(game).classes / classes < 1.1
    assert half_the_memory() > 10**8


def test_an_estimate_measures_this_machine_and_solves_nothing(tmp_path: Path) -> None:
    done = run_here("solve", "5x4k4-gravity", "--estimate", data=tmp_path)
    number = r"\d+(\.\d)?"
    assert re.fullmatch(
        rf"5x4k4-gravity: about 2 million classes, {number} (s|min), 20 MB of disk, "
        r"at least 1.3 MB of memory\n",
        done.stdout,
    )
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (0, "", [])
    spark = run_here("solve", "3x3", "--estimate", "--engine", "spark", data=tmp_path)
    assert spark.returncode == 2


PRESSES_CTRL_C = """
import os, signal
from marubatsu.pipeline.support import events
tell = events.note
def note(event, message, **facts):
    tell(event, message, **facts)
    if message.startswith("backward, ply 20 done"):
        os.kill(os.getpid(), signal.SIGINT)
events.note = note
signal.signal(signal.SIGINT, signal.default_int_handler)  # Heard even in the background.
from marubatsu.__main__ import main
main()
"""
"""A program that is marubatsu, and hears Ctrl-C when one ply of the second pass is done."""


def test_ctrl_c_says_what_is_kept_and_the_same_command_goes_on(tmp_path: Path) -> None:
    name = "5x4k4-gravity"
    stopped = subprocess.run(
        [sys.executable, "-c", PRESSES_CTRL_C, "-v", "solve", name, "--data", str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert stopped.returncode == 128 + signal.SIGINT
    last = stopped.stderr.splitlines()[-1]
    state = Unfinished(tmp_path, Game(name)).state
    assert last.partition(" s  ")[2] == (
        f"stopped ({state}): these plies are kept, run the same command to go on"
    )
    shown = run_here("show", "." * 20, "-g", name, data=tmp_path)
    assert (shown.returncode, shown.stderr) == (
        1,
        f"marubatsu: {name} is being solved ({state}): run `marubatsu solve {name}` to go on\n",
    )
    again = run_here("solve", name, data=tmp_path)
    assert (again.returncode, again.stderr) == (0, f"resuming {name}: {state}\n")


@pytest.mark.parametrize(("name", "stride"), [("2x2k2", 1), ("4x3k3", 17)])
def test_a_run_that_is_killed_is_gone_on_with(
    name: str, stride: int, solutions: Solutions, tmp_path: Path
) -> None:
    game = Game(name)
    right = solutions.contents(name)
    (tmp_path / "before").mkdir()
    *stops, last = stopped_at_every_step(
        "solve", game, tmp_path / "before", tmp_path, "SIGKILL", stride
    )
    assert last.code == 0
    assert {stop.code for stop in stops} == {-signal.SIGKILL}
    assert len(stops) * stride > 2 * 12 * game.cells  # Each ply is written twice, in many steps.
    plies = len({file.split("/")[1] for file in right if "/ply=" in file})
    went_on = set()
    for stop in stops:
        found = contents(stop.root / game.name)
        solution = {file: data for file, data in found.items() if file.startswith("solution/")}
        assert solution in ({}, right)
        left = left_to_do(stop.root, game, plies)
        done: list[str] = []
        local_engine.solve(
            stop.root, game, 10**9, progress=lambda what, *_, done=done: done.append(what)
        )
        assert contents(stop.root / game.name) == right
        assert list(dict.fromkeys(done)) == ([] if solution else left)
        went_on.add(len(left))
    assert went_on >= set(range(2 * plies))  # It was stopped in every ply, both ways.


def test_what_is_solved_survives_a_kill_while_it_waits_for_readers(
    solutions: Solutions, tmp_path: Path
) -> None:
    game = Game("3x2k2")
    folder = tmp_path / game.name
    folder.mkdir()
    with DataSet(tmp_path, game).lock(write=False, on_wait=pytest.fail):
        with running("solve", game.name, data=tmp_path) as process:
            assert process.stderr
            assert process.stderr.readline().startswith(f"waiting for process {os.getpid()} (")
            process.kill()
        assert [path.name for path in folder.iterdir()] == ["solution.partial"]
        assert Unfinished(tmp_path, game).state == "all plies done, to be published"
    steps: list[str] = []
    local_engine.solve(tmp_path, game, 10**9, progress=lambda what, *_: steps.append(what))
    assert steps == []
    assert contents(folder) == solutions.contents(game.name)


def left_to_do(root: Path, game: Game, plies: int) -> list[str]:
    """Return what a run has to do after one that was stopped, as its journal has it."""
    forward = [f"forward, ply {ply}" for ply in range(plies)]
    backward = [f"backward, ply {ply}" for ply in reversed(range(plies))]
    unfinished = root / game.name / "solution.partial"
    if (unfinished / "manifest.json").exists():
        return []
    try:
        journal = (unfinished / "journal.json").read_bytes()
    except FileNotFoundError:
        return forward + backward
    done = json.loads(journal.partition(b"\n")[2])
    if not done["is_complete"]:
        return forward[len(done["forward"]) - 1 :] + backward
    return backward[len(done["backward"]) :]


def test_a_run_without_room_keeps_the_plies_that_are_done(
    solutions: Solutions, tmp_path: Path
) -> None:
    game = Game("3x2k2")
    right = solutions.contents(game.name)
    (tmp_path / "before").mkdir()
    *stops, last = stopped_at_every_step("solve", game, tmp_path / "before", tmp_path, "ENOSPC")
    assert (last.code, last.said) == (0, "")
    assert len(stops) > 40
    plies = []
    for stop in stops:
        if stop.code:
            assert re.fullmatch(f"cannot .*: {os.strerror(ENOSPC)}; .*", stop.said)
            journal = stop.root / game.name / "solution.partial" / "journal.json"
            plies.append(
                len(json.loads(journal.read_bytes().partition(b"\n")[2])["forward"])
                if journal.exists()
                else 0
            )
        solved(stop.root, game.name)
        assert contents(stop.root / game.name) == right
    assert plies[0] == 0
    assert max(plies) == sum("/part-" in file for file in right)


def test_a_damaged_journal_is_not_believed(solutions: Solutions, tmp_path: Path) -> None:
    game = Game("2x2k2")
    right = Solution(solutions.of(game.name), game).manifest()
    stop_solving(tmp_path / "before", game, "backward, ply 1")
    size = (tmp_path / "before" / game.name / "solution.partial" / "journal.json").stat().st_size
    for at in range(0, size, 41):
        root = shutil.copytree(tmp_path / "before", tmp_path / str(at))
        path = root / game.name / "solution.partial" / "journal.json"
        data = bytearray(path.read_bytes())
        data[at] ^= 1
        path.write_bytes(data)
        assert solved(root, game.name).manifest == right


@pytest.mark.parametrize("file", ["keys/07.keys", "ply=08/part-0000.parquet"])
def test_a_damaged_file_is_found_before_it_is_used(
    file: str, solutions: Solutions, tmp_path: Path
) -> None:
    game = Game("4x3k3")
    right = solutions.contents(game.name)
    stop_solving(tmp_path / "before", game, "backward, ply 6")
    for root, at in ((tmp_path / "first", 0), (tmp_path / "middle", 0.5), (tmp_path / "last", 1)):
        shutil.copytree(tmp_path / "before", root)
        path = root / game.name / "solution.partial" / file
        data = bytearray(path.read_bytes())
        data[round(at * (len(data) - 1))] ^= 4
        path.write_bytes(data)
        solved(root, game.name)
        assert contents(root / game.name) == right


def test_damage_to_a_solution_is_found_and_mended(solutions: Solutions, tmp_path: Path) -> None:
    game = solutions.copy("3x3k3", tmp_path).game
    right = Solution(tmp_path, game).manifest()
    assert right
    for file in right.files:
        path = Solution(tmp_path, game).path(file)
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        again = solved(tmp_path, game.name)
        assert again.made
        assert again.manifest == right
