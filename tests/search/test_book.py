"""Stored answers: a book of the first positions, and results of long searches."""

import signal
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.kernels.exact_search import ExactSearch
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position
from marubatsu.engine.rules.symmetry import smallest_member
from marubatsu.judge.oracle import book, search_oracle
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.judge.oracle.search_oracle import SearchOracle
from marubatsu.pipeline.checking.checks import run_check
from marubatsu.pipeline.laboratory import kept_tables
from marubatsu.pipeline.laboratory.kept_tables import Found
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.sql.query_files import checks
from marubatsu.pipeline.support.errors import DamagedError, DataError, UsageError
from marubatsu.pipeline.support.progress import Advance
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers import CHECKOUT
from tests.helpers.data.data_sets import Solutions
from tests.helpers.processes.stopping import stopped_at_every_step

pytestmark = pytest.mark.usefixtures("kernels")

GAME = Game("4x5k4-gravity")


def write(
    root: Path,
    plies: int = 3,
    seconds: float = 1e6,
    game: Game = GAME,
    progress: Advance = lambda share, note="": None,
) -> book.Book:
    searches = book.ThreadSearches(game, memory=1)
    return book.write_book(DataSet(root, game), plies, searches, seconds=seconds, progress=progress)


def test_a_book_has_the_values_of_the_solution(tmp_path: Path, solutions: Solutions) -> None:
    game = Game("4x4k3-gravity")
    shares: list[float | None] = []
    made = write(tmp_path, 4, game=game, progress=lambda share, note="": shares.append(share))
    kept = kept_tables.kept_answers(DataSet(tmp_path, game))
    assert made.left == 0
    assert shares[-1] == 1 - 1 / made.searched  # when it looked at the clock before the last one
    assert made.classes == len(kept)
    assert {position.ply for position in kept} == {0, 1, 2, 3, 4}
    assert {position.ply for position, found in kept.items() if found.nodes} == {4}
    truth = open_oracle(DataSet(solutions.of(game.name), game))
    (file,) = (tmp_path / game.name / "answers").glob("*.parquet")
    rows = pq.read_table(file).to_pylist()
    assert len(rows) == made.classes
    for row in rows:
        answer = truth.answer(row["board"])
        found = (answer.ply, answer.score, answer.distance)
        assert found == (row["ply"], row["score"], row["distance"])
        position = Position(row["circles"], row["crosses"])
        assert position == smallest_member(game, position)


def test_the_check_finds_every_wrong_answer(tmp_path: Path) -> None:
    """In the last ply, whose values follow from no other answer, all rows are wrong at once."""
    game, check = Game("4x3k4-torus"), checks()["answers"]
    write(tmp_path, 2, game=game)
    with open_catalog(DataSet(tmp_path, game)) as catalog:
        right = catalog.run("from answers order by all").records()
        assert run_check(catalog, check).examined == len(right)
        assert run_check(catalog, check).verdict == "pass"
        for number, row in enumerate(right):
            wrong = changes(row) if row["ply"] < 2 else []
            if wrong:
                wrong += [{"score": score} for score in {-1, 0, 1} - {row["score"]}]
                wrong += [{"distance": row["distance"] - 2}]
            for change in wrong:
                rows = [*right[:number], {**row, **change}, *right[number + 1 :]]
                catalog.replace("answers", pa.Table.from_pylist(rows))
                assert run_check(catalog, check).verdict == "fail", (row, change)
        first, last = (
            [row for row in right if (row["ply"] < 2) == is_first] for is_first in (1, 0)
        )
        for each in zip(*map(changes, last), strict=True):
            rows = [{**row, **change} for row, change in zip(last, each, strict=True)]
            catalog.replace("answers", pa.Table.from_pylist([*first, *rows]))
            named = {(row["ply"], row["circles"], row["crosses"])
                     for row in run_check(catalog, check).counterexamples.records()}  # fmt: skip
            assert named >= {(row["ply"], row["circles"], row["crosses"]) for row in rows}, each


def changes(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the wrong cells of an answer of any ply, which the check finds in its row."""
    return [
        {"ply": row["ply"] + 1},
        {"board": row["board"].translate(str.maketrans(".x", "x."))},
        {"circles": row["circles"] ^ 1},
        {"crosses": row["crosses"] ^ 2},
        {"distance": row["distance"] + 1},
        {"distance": 0},
    ]


def test_a_book_of_one_ply_more_starts_from_what_is_known(tmp_path: Path) -> None:
    """Answers of the ply before bound the new ones: the same values for fewer nodes."""
    game = Game("4x4k3-gravity")
    found = []
    for name, plies in (("at once", [4]), ("by ply", [3, 4])):
        for ply in plies:
            write(tmp_path / name, ply, game=game)
        found.append(kept_tables.kept_answers(DataSet(tmp_path / name, game)))
    assert [*map(values_of, found)] == [values_of(found[0])] * 2
    at_once, by_ply = (
        sum(each.nodes for position, each in kept.items() if position.ply == 4) for kept in found
    )
    assert by_ply < at_once


def values_of(kept: kept_tables.KeptAnswers) -> dict[Position, int]:
    return {position: each.value for position, each in kept.items()}


def test_a_run_resumes_after_its_time_is_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, calls = book.ThreadSearches.search, count()
    with monkeypatch.context() as patch:
        patch.setattr(
            book.ThreadSearches, "search", lambda *each: found(*each) if next(calls) < 5 else None
        )
        first = write(tmp_path)
    assert first.searched == 5
    assert first.left > 0
    second = write(tmp_path)
    assert (second.searched, second.left) == (first.left, 0)
    assert write(tmp_path) == second._replace(searched=0)
    assert write(tmp_path, plies=2).searched == 0


def test_a_search_ends_in_time_without_an_answer() -> None:
    assert book.ThreadSearches(GAME, memory=1).search(EMPTY, None, ends=0) is None


def test_a_book_that_is_killed_at_any_step_keeps_what_it_had(tmp_path: Path) -> None:
    game, before, into = Game("4x4k3-gravity"), tmp_path / "before", tmp_path / "into"
    write(before, plies=1, game=game)
    had = kept_tables.kept_answers(DataSet(before, game))
    into.mkdir()
    stops = stopped_at_every_step("book", game, before, into, "SIGKILL", stride=5)
    assert len(stops) > 3
    whole = kept_tables.kept_answers(DataSet(stops[-1].root, game))
    assert whole.keys() > had.keys()
    for stop in stops[:-1]:
        assert stop.code == -signal.SIGKILL
        assert kept_tables.kept_answers(DataSet(stop.root, game)).items() >= had.items()
        write(stop.root, plies=2, game=game)
        assert kept_tables.kept_answers(DataSet(stop.root, game)) == whole


def test_two_processes_that_add_answers_lose_none(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Position
from marubatsu.pipeline.laboratory.kept_tables import Found, add_answers
from marubatsu.pipeline.tables.data_set import DataSet
for number in range(8):
    cell = 2 * number + int(sys.argv[2])
    add_answers(DataSet(Path(sys.argv[1]), Game("4x5k4")), {Position(1 << cell, 0): Found(0, cell)})
"""
    runs = [
        subprocess.Popen([sys.executable, "-c", program, tmp_path, str(which)], cwd=CHECKOUT)
        for which in (0, 1)
    ]
    assert [run.wait(120) for run in runs] == [0, 0]
    kept = kept_tables.kept_answers(DataSet(tmp_path, Game("4x5k4")))
    assert kept == {Position(1 << cell, 0): Found(0, cell) for cell in range(16)}


def test_the_answer_of_a_long_search_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_oracle, "LONG", 100)
    data_set = DataSet(tmp_path, GAME)
    first = open_oracle(data_set).answer(EMPTY)
    kept = kept_tables.kept_answers(data_set)
    assert {position.ply for position in kept} == {1}
    monkeypatch.setattr(ExactSearch, "narrow", lambda *a: pytest.fail("called"))
    oracle = open_oracle(data_set)
    assert isinstance(oracle, SearchOracle)
    assert oracle.answer(EMPTY) == first
    assert oracle.within(EMPTY) == first


def test_answers_that_cannot_be_kept_are_answers_nevertheless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(search_oracle, "LONG", 0)
    monkeypatch.setattr(
        kept_tables, "replace_rows", lambda *a: (_ for _ in ()).throw(DataError("full"))
    )
    assert open_oracle(DataSet(tmp_path, GAME)).answer(EMPTY).score == 0
    assert "what the search found is not kept: full" in capsys.readouterr().err
    assert not (tmp_path / GAME.name / "answers").exists()


def test_damaged_answers_are_refused(tmp_path: Path) -> None:
    write(tmp_path, plies=1)
    (file,) = (tmp_path / GAME.name / "answers").glob("*.parquet")
    whole = file.read_bytes()
    file.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    with pytest.raises(DamagedError, match=r"remove the folder .*4x5k4-gravity/answers, and"):
        open_oracle(DataSet(tmp_path, GAME))
    with pytest.raises(DamagedError):
        write(tmp_path)


@pytest.mark.parametrize(("most", "plies"), [(100, 19), (200, 5)])  # estimated, and counted
def test_a_book_has_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, plies: int
) -> None:
    monkeypatch.setattr(book, "MOST_CLASSES", most)
    with pytest.raises(UsageError, match=r"has 2\d\d classes with 5 marks: expected --plies with"):
        write(tmp_path, plies=plies)
