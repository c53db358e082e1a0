"""Large games: solutions against slow ones, against the tables, killed, damaged, short of room."""

import os
import re
import shutil
import signal
import subprocess
import sys
from errno import ENOSPC
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.large.arrays import WORD
from marubatsu.engine.large.index import Index
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.engine.rules.size import estimate_positions_by_ply
from marubatsu.engine.rules.symmetry import class_members
from marubatsu.pipeline.solving import local_engine
from marubatsu.pipeline.solving.cost_estimate import calibrated, estimate
from marubatsu.pipeline.solving.journal import reached_file
from marubatsu.pipeline.solving.node_counts import count_nodes
from marubatsu.pipeline.solving.solution_files import read_value_counts
from marubatsu.pipeline.solving.solve_job import Solved, describe
from marubatsu.pipeline.stages.usable import require_intact
from marubatsu.pipeline.support.machine import half_the_memory
from marubatsu.pipeline.tables import solution_parts
from marubatsu.pipeline.tables.data_set import DataSet, Solution, Unfinished
from marubatsu.pipeline.tables.work_in_progress import JOURNAL, lines_of
from tests.helpers.data import data_sets
from tests.helpers.processes.commands import run_here, running
from tests.helpers.processes.stopping import stopped_at_every_step
from tests.helpers.slow.slow_solution import solution

Rows = list[dict[int, tuple[int, int, int]]]


def rows_of(root: Path, game: Game) -> Rows:
    """Read a solution, ply by ply: score, distance and members of each class, by its row."""
    folder, index, plies = Solution(root, game).folder, Index(game), []
    for ply, parts in enumerate(sorted(folder.glob("ply=*"))):
        assert parts.name == f"ply={ply:02}"
        tables = [pq.read_table(path, partitioning=None) for path in sorted(parts.iterdir())]
        assert all(table.column_names == ["value"] for table in tables)
        values = [value for table in tables for value in table["value"].to_pylist()]
        assert len(values) == index.shape(ply).rows
        rows = [row for row, value in enumerate(values) if value is not None]
        masks = (side.tolist() for side in index.masks(ply, np.array(rows)))
        orbits = [len(class_members(game, Position(*pair))) for pair in zip(*masks, strict=True)]
        facts = [_read(values[row], game.cells - ply) for row in rows]
        plies.append({r: (*fact, n) for r, fact, n in zip(rows, facts, orbits, strict=True)})
    return plies


def _read(value: int, empty: int) -> tuple[int, int]:
    """Return score and distance, mover's view, as the dictionary explains a value."""
    return (0, empty) if value == 0 else (1, 64 - value) if value > 0 else (-1, 64 + value)


def solved(root: Path, name: str, memory: int = 10**9) -> Solved:
    return local_engine.solve(root, Game(name), memory)


@pytest.mark.parametrize(
    "name",
    [
        "3x3k3-misere", "3x3k3-gravity-misere", "3x3k2", "3x3k1", "2x2k2", "4x2k2-misere",
        "1x9k3", "1x10k3-gravity", "5x2k3",
    ],
)  # fmt: skip
def test_a_solution_is_the_slow_one(name: str, solutions: data_sets.Solutions) -> None:
    root, game = solutions.of(name), Game(name)
    slow, here = solution(game), Solution(root, game)
    assert rows_of(root, game) == slow
    ((score, distance, _),) = slow[0].values()
    result = ("draw", "circle wins", "cross wins")[score]
    classes, files = sum(map(len, slow)), [*here.folder.rglob("*.parquet")]
    size = sum(file.stat().st_size for file in files)
    assert describe(Solved(here, data_sets.manifest_of(here), is_new=True)).splitlines() == [
        f"{game.name} in {here.folder}",
        f"{result} in {distance} {'ply' if distance == 1 else 'plies'} with best play",
        f"{classes:,} classes, {len(files)} files, {size:,} bytes, {size / classes:.2f} a class",
    ]


@pytest.mark.parametrize("name", ["4x3k3", "3x4k3-gravity"])
def test_small_pieces_and_values_on_disk_give_the_same_bytes(
    name: str, solutions: data_sets.Solutions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = Solution(solutions.of(name), Game(name)).manifest()
    monkeypatch.setattr(local_engine, "_MOST", 3 * WORD)
    monkeypatch.setattr(np, "memmap", mapped := Mock(wraps=np.memmap))
    assert solved(tmp_path, name, memory=0).manifest == manifest
    assert mapped.call_count > 10


def test_a_ply_of_several_parts_has_the_same_rows(
    solutions: data_sets.Solutions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game("4x3k3")
    usual = Solution(solutions.of(game.name), game)
    nodes = list(count_nodes(usual, require_intact(usual), data_sets.MEMORY))
    monkeypatch.setattr(solution_parts, "PART", 250)
    monkeypatch.setattr(solution_parts, "MOST_PARTS", 4)
    solution = solved(tmp_path, game.name).solution
    for ply, size, parts in [(4, 250, 4), (5, 1000, 3), (6, 2000, 3)]:
        rows = Index(game).shape(ply).rows
        assert (solution_parts.rows_of_part(rows), -(-rows // size)) == (size, parts)
        assert len(list(solution.folder.glob(f"ply={ply:02}/*"))) == parts
    assert rows_of(tmp_path, game) == rows_of(usual.root, game)
    assert list(count_nodes(solution, require_intact(solution), data_sets.MEMORY)) == nodes


def test_a_solution_that_is_up_to_date_is_not_rewritten(tmp_path: Path) -> None:
    first = solved(tmp_path, "3x3k3")
    assert first.is_new
    times = {path: path.stat().st_mtime_ns for path in first.solution.folder.rglob("*")}
    again = solved(tmp_path, "3x3k3")
    assert not again.is_new
    assert again.manifest == first.manifest
    unchanged = "everything was up to date, nothing was rewritten"
    assert describe(again) == f"{describe(first)}\n{unchanged}"
    assert times == {path: path.stat().st_mtime_ns for path in first.solution.folder.rglob("*")}
    assert [path.name for path in (tmp_path / "tictactoe").iterdir()] == ["solution"]


def test_a_board_without_a_ply_to_measure_is_estimated() -> None:
    game = Game("1x1k1-gravity")
    assert 0 < calibrated(game, estimate(game)).seconds < 60


@pytest.mark.parametrize("name", ["4x3k3", "1x9k3"])  # Of four symmetries, two move no cell.
def test_an_estimate_is_near(solutions: data_sets.Solutions, name: str) -> None:
    game = Game(name)
    manifest = Solution(solutions.of(game.name), game).manifest()
    assert manifest
    classes = sum(read_value_counts(Solution(solutions.of(game.name), game))["classes"].to_pylist())
    assert 0.9 < estimate(game).classes / classes < 1.1
    assert half_the_memory() > 10**8


def seconds_by(game: Game, *ticks: float) -> float:
    """Return the seconds that an estimate adds when a clock shows these times and not only 0."""
    shown, zeros = iter(ticks), iter([0.0] * len(ticks))
    found, besides = (calibrated(game, estimate(game), each.__next__) for each in (shown, zeros))
    return found.seconds - besides.seconds


def test_the_estimate_takes_as_long_as_this_moment_says() -> None:
    """A clock goes so far while rows are valued.

    With gravity, 1 s for those that play does not reach, and 3 s for a mixture; of 8x4k2-gravity,
    it reaches none of the longest ply.
    """
    for name, ticks in (
        ("4x4k3", (0.0, 1.0)), ("4x4k3", (0.0, 7.0)), ("5x4k4-gravity", (0.0, 1.0, 5.0, 8.0)),
        ("8x4k2-gravity", (0.0, 1.0, 5.0, 8.0)),
    ):  # fmt: skip
        game, expected = Game(name), estimate(Game(name))
        rows = {ply: Index(game).shape(ply).rows for ply in range(1, game.cells)}
        longest = max(rows, key=lambda ply: rows[ply])
        right = ticks[1] * expected.rows / min(rows[longest], 1 << 22)
        if game.gravity and (reached := [*estimate_positions_by_ply(game)][longest] / 2):
            right += 2.0 * expected.classes / reached
        assert seconds_by(game, *ticks) == pytest.approx(right), name


@pytest.mark.parametrize("name", ["2x2k2", "3x3k3", "4x4k4-gravity"])
def test_the_disk_of_a_small_game_is_estimated(tmp_path: Path, name: str) -> None:
    folder = local_engine.solve(tmp_path, Game(name), 10**9).solution.folder
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert size <= estimate(Game(name)).disk <= 1.2 * size


def test_an_estimate_measures_this_machine_and_solves_nothing(tmp_path: Path) -> None:
    done = run_here("solve", "5x4k4-gravity", "--estimate", data=tmp_path)
    number = r"\d+(\.\d)?"
    assert re.fullmatch(
        rf"5x4k4-gravity: about 2 million classes, {number} (s|min), 748 kB of disk, "
        r"851 kB of memory for data\n",
        done.stdout,
    )
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (0, "", [])
    for memory, disk, used in (("4000GB", "2.0 TB", "2.3 TB"), ("1GB", "5.5 TB", "1.0 GB")):
        far = run_here("solve", "connect4", "--estimate", "--memory", memory, data=tmp_path)
        sizes = f"{disk} of disk, {used} of memory for data"
        line = rf"connect4: about 2.26 trillion classes, [\d,]+ days, {sizes}\n"
        assert re.fullmatch(line, far.stdout)
    spark = run_here("solve", "3x3", "--estimate", "--engine", "spark", data=tmp_path)
    assert spark.returncode == 2


PRESSES_CTRL_C = """
import os, signal
from marubatsu.pipeline.support import events
original = events.note
def note(event, message, **facts):
    original(event, message, **facts)
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
    assert last.partition(" s  ")[2] == f"stopped ({state}): run the same command to go on"
    done = run_here("query", "solved_plies", "-g", name, data=tmp_path)
    assert (done.returncode, done.stderr) == (
        1,
        f"marubatsu: {name} is being solved ({state}): run `marubatsu solve {name}` to go on\n",
    )
    again = run_here("solve", name, data=tmp_path)
    assert (again.returncode, again.stderr) == (0, f"resuming {name}: {state}\n")


@pytest.mark.parametrize(("name", "stride"), [("2x2k2", 5), ("2x2k2-gravity", 5)])
def test_a_killed_run_resumes(
    name: str, stride: int, solutions: data_sets.Solutions, tmp_path: Path
) -> None:
    game = Game(name)
    right = solutions.contents(name)
    (tmp_path / "before").mkdir()
    *stops, last = stopped_at_every_step(
        "solve", game, tmp_path / "before", tmp_path, "SIGKILL", stride
    )
    assert last.code == 0
    assert {stop.code for stop in stops} == {-signal.SIGKILL}
    assert len(stops) * stride > 10 * game.cells  # Each ply is written in many steps.
    plies = len({file.split("/")[1] for file in right if "/ply=" in file})
    went_on = set()
    for stop in stops:
        found = data_sets.contents(stop.root / game.name)
        solution = {file: data for file, data in found.items() if file.startswith("solution/")}
        assert solution in ({}, right)
        left = left_to_do(stop.root, game, plies)
        done: list[str] = []
        local_engine.solve(
            stop.root, game, 10**9, progress=lambda what, *_, done=done: done.append(what)
        )
        assert data_sets.contents(stop.root / game.name) == right
        steps = [step for step in dict.fromkeys(done) if not step.endswith("written")]
        assert steps == ([] if solution else left)
        went_on.add(len(left))
    assert went_on >= set(range(1, plies))  # It was stopped in every ply.
    assert game.gravity == (len(went_on - set(range(plies + 2))) >= plies - 1)  # Both ways.


def test_a_solution_survives_a_kill_while_it_waits_for_readers(
    solutions: data_sets.Solutions, tmp_path: Path
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
        assert Unfinished(tmp_path, game).state == "all plies, to be published"
    steps: list[str] = []
    local_engine.solve(tmp_path, game, 10**9, progress=lambda what, *_: steps.append(what))
    assert steps == []
    assert data_sets.contents(folder) == solutions.contents(game.name)


def left_to_do(root: Path, game: Game, plies: int) -> list[str]:
    """Return what a run has to do after one that was stopped, as its journal has it."""
    backward = [f"backward, ply {ply}" for ply in reversed(range(plies))]
    folder = root / game.name / "solution.partial"
    if (folder / "manifest.json").exists():
        return []
    lines = list(lines_of(folder))
    if any("plies" in line for line in lines):
        return backward[sum("part" in line for line in lines) :]
    if not game.gravity:
        return [f"backward, ply {ply}" for ply in reversed(range(plies, game.cells + 1))] + backward
    known = sum("forward" in line for line in lines)
    forward = range(max(known - 1, 0), min(plies, game.cells) + 1)
    return [f"forward, ply {ply}" for ply in forward] + backward


def test_a_run_without_room_keeps_the_plies_that_are_done(
    solutions: data_sets.Solutions, tmp_path: Path
) -> None:
    game = Game("2x2k2")
    right = solutions.contents(game.name)
    (tmp_path / "before").mkdir()
    *stops, last = stopped_at_every_step("solve", game, tmp_path / "before", tmp_path, "ENOSPC", 5)
    assert (last.code, last.message) == (0, "")
    assert len(stops) > 8
    plies = []
    for stop in stops:
        if stop.code:
            assert re.fullmatch(f"cannot .*: {os.strerror(ENOSPC)}; .*", stop.message)
            lines = lines_of(stop.root / game.name / "solution.partial")
            plies.append(sum("part" in line for line in lines))
        solved(stop.root, game.name)
        assert data_sets.contents(stop.root / game.name) == right
    assert plies[0] == 0
    assert max(plies) == sum("/part-" in file for file in right)


def test_a_damaged_journal_is_not_believed(solutions: data_sets.Solutions, tmp_path: Path) -> None:
    game = Game("2x2k2")
    right = Solution(solutions.of(game.name), game).manifest()
    data_sets.stop_solving(tmp_path / "before", game, "backward, ply 1")
    for tenth in range(11):
        root = shutil.copytree(tmp_path / "before", tmp_path / str(tenth))
        data_sets.damage(root / game.name / "solution.partial" / JOURNAL, tenth / 10)
        assert solved(root, game.name).manifest == right


@pytest.mark.parametrize("file", [reached_file(7), "ply=08/part-0000.parquet"])
def test_a_damaged_file_is_found_before_it_is_used(
    file: str, solutions: data_sets.Solutions, tmp_path: Path
) -> None:
    game = Game("3x4k3-gravity")
    right = solutions.contents(game.name)
    data_sets.stop_solving(tmp_path / "before", game, "backward, ply 6")
    for root, at in ((tmp_path / "first", 0), (tmp_path / "middle", 0.5), (tmp_path / "last", 1)):
        shutil.copytree(tmp_path / "before", root)
        data_sets.damage(root / game.name / "solution.partial" / file, at, bit=2)
        solved(root, game.name)
        assert data_sets.contents(root / game.name) == right


def test_damage_to_a_solution_is_found_and_mended(
    solutions: data_sets.Solutions, tmp_path: Path
) -> None:
    game = solutions.copy("3x3k3", tmp_path).game
    right = Solution(tmp_path, game).manifest()
    assert right
    for file in right.files:
        data_sets.damage(Solution(tmp_path, game).path(file), 0.5)
        again = solved(tmp_path, game.name)
        assert again.is_new
        assert again.manifest == right
