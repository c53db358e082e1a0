"""The plan of a build: what it would do and why, its drawing, its checks on the way."""

import random
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.checking.checks import checks_after, mermaid
from marubatsu.pipeline.sql.query_files import checks
from marubatsu.pipeline.stages import stage as stages_module
from marubatsu.pipeline.stages.build import build
from marubatsu.pipeline.stages.plan import REFERENCE, plan, slowness
from marubatsu.pipeline.stages.stage import STAGES, Stage
from marubatsu.pipeline.tables.data_set import DataSet
from tests.attacks.forged import put
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import manifest_of, shared_stages
from tests.helpers.processes.commands import Marubatsu, run_here

GAME = "3x2k2"
Stages = list[Stage]
Edit = Callable[[DataSet, Stages, random.Random], tuple[Stages, str]]
"""Change a data set, or return other stages; and say a part of the reason that a plan gives."""


def remove_a_file(data_set: DataSet, stages: Stages, chance: random.Random) -> tuple[Stages, str]:
    data_set.path(chance.choice(stages).table.file).unlink()
    return stages, "its file is missing"


def flip_a_bit(data_set: DataSet, stages: Stages, chance: random.Random) -> tuple[Stages, str]:
    path = data_set.path(chance.choice(stages).table.file)
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1
    path.write_bytes(data)
    return stages, "its file is damaged"


def write_as_others_do(
    data_set: DataSet, stages: Stages, chance: random.Random
) -> tuple[Stages, str]:
    """Write a file that matches its manifest, in a layout that readers refuse."""
    path, written = data_set.path(chance.choice(stages).table.file), BytesIO()
    pq.write_table(pq.read_table(path), written)
    put(path, written.getvalue(), is_read=False)
    return stages, "its file is damaged"


def with_other(stages: Stages, old: Stage, new: Stage) -> Stages:
    return [new if stage is old else stage for stage in stages]


def leave_garbage_of_other_columns(
    data_set: DataSet, stages: Stages, chance: random.Random
) -> tuple[Stages, str]:
    """Write a file that matches its manifest, and is no Parquet, where the columns were others."""
    path = data_set.path(chance.choice(stages).table.file)
    put(path, b"garbage", is_read=False, schema="0" * 16)
    return stages, "its table is declared otherwise now"


def rename_a_column(data_set: DataSet, stages: Stages, chance: random.Random) -> tuple[Stages, str]:
    stage = chance.choice(stages)
    # A key cannot be renamed alone: rows are sorted by it.
    others = [each for each in stage.table.columns if each.name not in stage.table.key]
    column = chance.choice(others)
    renamed = tuple(
        replace(each, name="renamed") if each is column else each for each in stage.table.columns
    )
    table = replace(stage.table, columns=renamed)

    def make(context: object) -> dict[str, object]:
        made = dict(stage.make(context))  # type: ignore[arg-type]
        return {"renamed" if name == column.name else name: made[name] for name in made}

    new = replace(stage, table=table, make=make)  # type: ignore[arg-type]
    return with_other(stages, stage, new), "its table is declared otherwise now"


def use_other_code(data_set: DataSet, stages: Stages, chance: random.Random) -> tuple[Stages, str]:
    stage = chance.choice(stages)
    return (
        with_other(stages, stage, replace(stage, rooms=(*stage.rooms, "cli.commands"))),
        "it was built by other code",
    )


def turn_scores(data_set: DataSet, stages: Stages, chance: random.Random) -> tuple[Stages, str]:
    """Other code that makes other rows: what is made from them follows."""
    stage = stages[0]

    def make(context: object) -> dict[str, object]:
        columns = dict(stage.make(context))  # type: ignore[arg-type]
        return {**columns, "score": -columns["score"]}  # type: ignore[operator]

    new = replace(stage, make=make, rooms=(*stage.rooms, "cli.commands"))  # type: ignore[arg-type]
    return with_other(stages, stage, new), "it was built by other code"


def nothing(data_set: DataSet, stages: Stages, chance: random.Random) -> tuple[Stages, str]:
    return stages, ""


EDITS: list[Edit] = [
    remove_a_file, flip_a_bit, write_as_others_do, leave_garbage_of_other_columns, rename_a_column,
    use_other_code, turn_scores, nothing,
]  # fmt: skip


@pytest.mark.parametrize("seed", range(2 * len(EDITS)))
def test_a_build_does_what_its_plan_says(root: Path, tmp_path: Path, seed: int) -> None:
    shutil.copytree(root / GAME, tmp_path / GAME)
    data_set, chance = DataSet(tmp_path, Game(GAME)), random.Random(seed)
    stages, why = EDITS[seed % len(EDITS)](data_set, shared_stages(GAME), chance)
    before = manifest_of(data_set)
    planned = plan(data_set, stages)
    reasons = [each.why for each in planned if each.action == "make"]
    assert reasons == [each.why for each in planned if why and why in each.why]
    assert bool(reasons) == bool(why)
    built = build(data_set, stages)
    changed = {
        name for name, entry in built.manifest.tables.items()
        if entry.content != before.tables[name].content
    }  # fmt: skip
    expected = {
        each.table
        for each, stage in zip(planned, stages, strict=True)
        if each.action == "make"
        or (each.action == "make if changed" and changed & {table.name for table in stage.inputs})
    }
    assert set(built.made) == expected
    assert {each.action for each in plan(data_set, stages)} == {"keep"}


def test_the_command_plans_without_writing(root: Path, tmp_path: Path) -> None:
    done = run_here("build", GAME, "--plan", "--format", "csv", data=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [line.split(",") for line in done.stdout.splitlines()]
    assert rows[0] == ["table", "action", "why", "rows", "seconds"]
    assert {row[1] for row in rows[1:]} == {"make"}
    by_estimate = {row[0]: int(row[3]) for row in rows[1:] if row[3]}
    assert by_estimate == {"positions": 128, "classes": 128 / 4, "tree_bfs": 286, "tree_dfs": 286}
    assert not (tmp_path / GAME).exists()


@pytest.mark.parametrize("busy", [0.5, 7.0])
def test_the_seconds_of_a_plan_are_those_of_this_moment(
    root: Path, tmp_path: Path, busy: float
) -> None:
    """The clock goes on while the work is done, as on a machine that is so many times as slow."""
    now, measured = [100.0], []

    def work() -> None:
        now[0] += busy * REFERENCE

    def measure() -> float:
        measured.append(slowness(lambda: now[0], work))
        return measured[-1]

    data_set = DataSet(tmp_path, Game(GAME))
    stages = shared_stages(GAME)
    idle = plan(data_set, stages)
    planned = plan(data_set, stages, measure)
    assert measured == [pytest.approx(busy)]
    assert 1.0 <= now[0] - 100.0 < 1.1
    for each, before in zip(planned, idle, strict=True):
        assert each.seconds == pytest.approx(busy * before.seconds)
    plan(DataSet(root, data_set.game), stages, measure)  # Nothing is to be made or measured.
    assert len(measured) == 1


def test_a_plan_without_numba_takes_longer_where_kernels_would_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_set = DataSet(tmp_path, Game("tictactoe"))
    compiled = {each.table: each.seconds for each in plan(data_set, STAGES)}
    monkeypatch.setattr(stages_module, "find_spec", lambda name: None)
    times = {each.table: each.seconds / compiled[each.table] for each in plan(data_set, STAGES)}
    assert {table for table, factor in times.items() if factor > 2} == {"ai_moves", "searches"}
    assert all(factor == 1 for table, factor in times.items() if factor <= 2)


def test_the_progress_of_a_build_follows_the_seconds_of_its_plan(tmp_path: Path) -> None:
    data_set, stages, shares = DataSet(tmp_path, Game(GAME)), shared_stages(GAME), list[float]()
    seconds = [each.seconds for each in plan(data_set, stages)]
    build(data_set, stages, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)
    begun = [1 - sum(seconds[n:]) / (seconds[0] + sum(seconds)) for n in range(len(seconds))]
    for share in begun:
        assert min(abs(share - each) for each in shares) < 0.01


def test_the_drawing_has_each_check_and_its_short_form_is_that_of_the_page() -> None:
    drawing = mermaid()
    drawn = [check.name for stage in STAGES for check in checks_after(stage)]
    built = {stage.table.name for stage in STAGES}
    assert sorted(drawn) == [name for name, each in checks().items() if set(each.needs) <= built]
    assert all(re.search(rf"\b{name}\b", drawing) for name in drawn)
    text = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    assert f"```mermaid\n{mermaid(details=False)}```\n" in text


def test_a_checked_build_stops_where_a_check_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scores with the wrong sign are found in the first table, before another one uses it."""
    stages, _ = turn_scores(DataSet(tmp_path, Game(GAME)), list(STAGES), random.Random())
    monkeypatch.setattr(stages_module, "STAGES", stages)
    monkeypatch.setattr(stages_module.stages_of, "__defaults__", (stages,))
    done = run_here("build", GAME, "--check", data=tmp_path)
    assert done.returncode == 1
    assert "shortest_victory: 129 counterexamples" in done.stderr
    assert {path.stem for path in (tmp_path / GAME).glob("*.parquet")} == {"positions"}


def test_a_checked_build_checks_what_is_there(marubatsu: Marubatsu) -> None:
    done = marubatsu("build", GAME, "--check")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-2] == "27 checks passed"
