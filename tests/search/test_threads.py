"""Searches in several threads: the values of one thread, from a table that all of them share."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from marubatsu.engine.kernels import exact_search
from marubatsu.engine.kernels.exact_kernel import NODES, Stack
from marubatsu.engine.kernels.exact_layout import ExactTechniques
from marubatsu.engine.kernels.exact_search import ExactSearch
from marubatsu.engine.notations.reading import read_position
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.tree.positions import enumerate_positions
from marubatsu.judge.oracle.book import ThreadSearches, write_book
from marubatsu.pipeline.laboratory import kept_tables
from marubatsu.pipeline.tables.data_set import DataSet
from tests.helpers.processes.commands import run_here

pytestmark = pytest.mark.usefixtures("kernels")

ALL, NO_TABLE = ExactTechniques(), ExactTechniques(table=False)


@pytest.fixture
def short_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads meet so often that small games take many rounds."""
    monkeypatch.setattr(exact_search, "_ROUND", 8)


@pytest.mark.usefixtures("short_rounds")
@pytest.mark.parametrize(("name", "use"), [
    ("4x3k3-gravity", ALL), ("4x3k3-gravity-misere", NO_TABLE), ("3x3k3", NO_TABLE),
    ("3x4k3-torus", ALL),
])  # fmt: skip
def test_threads_find_the_values_of_one(name: str, use: ExactTechniques) -> None:
    positions = enumerate_positions(Game(name))
    sample = [positions[number] for number in range(0, len(positions), 13)]
    one = ExactSearch(Game(name), memory=1)
    values = [one.value(position) for position in sample]
    with ThreadPoolExecutor(3) as pool:
        together = ExactSearch(Game(name), memory=1, use=use, threads=3, run=pool.map)
        assert [together.value(position) for position in sample] == values


def test_threads_share_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here each goes on for a round in turn, so the counts are always the same."""
    monkeypatch.setattr(exact_search, "_ROUND", 64)
    game = Game("6x5k4-gravity")
    position = read_position(game, "c1 c2 d1")
    one, two = (ExactSearch(game, memory=1, threads=threads) for threads in (1, 2))
    assert two.value(position) == one.value(position)
    assert two.nodes < 1.1 * one.nodes  # Each of the two visits about half of them.


def test_no_thread_runs_on_when_another_has_the_result() -> None:
    """The next search would begin on a stack that is in use."""
    rounds: list[int] = []

    def run(function: Callable[[Stack], bool], stacks: list[Stack]) -> Iterator[bool]:
        rounds.append(0)
        for stack in stacks:
            rounds[-1] += 1
            yield function(stack)

    ExactSearch(Game("4x4k4-gravity"), memory=1, threads=2, run=run).value(EMPTY)
    assert {*rounds} == {2}


def test_a_thread_that_an_interrupt_left_running_keeps_its_stack() -> None:
    stacks_of_rounds: list[list[Stack]] = []

    def run(function: Callable[[Stack], bool], stacks: list[Stack]) -> list[bool]:
        stacks_of_rounds.append(stacks)
        done = [function(stack) for stack in stacks]
        if len(stacks_of_rounds) == 1:
            raise KeyboardInterrupt
        return done

    search = ExactSearch(Game("4x4k4-gravity"), memory=1, threads=2, run=run)
    with pytest.raises(KeyboardInterrupt):
        search.value(EMPTY)
    assert search.value(EMPTY) == 0
    first, *others = stacks_of_rounds
    assert others
    assert all(one is not other for stacks in others for one in first for other in stacks)
    assert search.nodes == sum(stack.head[NODES] for stack in [*first, *others[-1]])


def test_a_book_of_several_threads_has_the_same_answers(tmp_path: Path) -> None:
    game, books = Game("4x5k4-gravity"), []
    for threads in (1, 3):
        data_set = DataSet(tmp_path / f"{threads}", game)
        searches = ThreadSearches(game, 1, threads)
        made = write_book(data_set, 4, searches, seconds=600, progress=lambda *a: None)
        kept = kept_tables.kept_answers(data_set)
        assert made.classes == made.searched + sum(not found.nodes for found in kept.values())
        books.append({position: found.value for position, found in kept.items()})
    assert books[0] == books[1]


def test_commands_take_a_number_of_threads(tmp_path: Path) -> None:
    shown = [
        run_here("best", "--game", "4x5k4-gravity", "--threads", number, data=tmp_path)
        for number in ("1", "2")
    ]
    assert shown[0].returncode == 0
    assert shown[0].stdout == shown[1].stdout
    refused = run_here("best", "--threads", "0", data=tmp_path)
    assert refused.returncode == 2
    assert "--threads 0: expected 1 to 64" in refused.stderr
