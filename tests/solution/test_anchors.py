"""Every number known from elsewhere against tables and solutions made here."""

import csv
import json
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from math import prod
from operator import attrgetter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marubatsu.engine.large.index import Index
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.size import estimate_positions
from marubatsu.pipeline.checking import anchors
from marubatsu.pipeline.checking.inventory import list_games
from marubatsu.pipeline.solving import node_counts
from marubatsu.pipeline.solving.node_counts import PlyCount, count_nodes
from marubatsu.pipeline.sql.catalog import open_catalog
from marubatsu.pipeline.stages.usable import require_intact
from marubatsu.pipeline.support.background import WorkerThreads
from marubatsu.pipeline.support.errors import DataError
from marubatsu.pipeline.support.resources import REFERENCE
from marubatsu.pipeline.tables.data_set import DataSet, Solution
from marubatsu.pipeline.tables.open_file import Opened
from tests.helpers.data.data_sets import MEMORY, Solutions, build_tree, stop_solving
from tests.helpers.data.known import known_counts, known_of
from tests.helpers.data.shared import Shared, linked
from tests.helpers.processes.commands import require_refused, run_here
from tests.helpers.slow.slow_solution import quantities

SLOWLY = "recomputed with tests/helpers/slow/slow_solution.py"


@cache
def solve_game() -> list[Game]:
    """List the games of the registry that the tests solve; `make anchors` solves larger ones."""
    return [Game("4x4k4"), *(g for g in anchors.games_of([]) if estimate_positions(g) < 300_000)]


BOTH = ("tictactoe", "2x2k2", "3x3k3-gravity")
"""Games that are built as well."""

KNOWN = REFERENCE / "known_counts.csv"


@pytest.fixture(scope="module")
def made(shared: Shared, solutions: Solutions) -> Path:
    def gather(folder: Path) -> None:
        for name in BOTH:
            build_tree(folder, name)
        for game in games:
            linked(solutions.of(game.name) / game.name, folder / game.name)

    games = solve_game()
    solutions.of(*(game.name for game in games))  # With the other workers.
    return shared.make("anchors", gather)


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a copy of the registry, to be changed, in the place of the real one."""
    copy = tmp_path / "known" / KNOWN.name
    copy.parent.mkdir()
    copy.write_bytes(KNOWN.read_bytes())
    monkeypatch.setattr("marubatsu.pipeline.support.resources.REFERENCE", copy.parent)
    return copy


def of(found: list[anchors.Anchor], agreement: str) -> list[anchors.Anchor]:
    return [anchor for anchor in found if anchor.agreement == agreement]


def test_every_known_count_of_a_game_solved_here_agrees(made: Path) -> None:
    games = solve_game()
    found = anchors.compare(made, games, MEMORY)
    assert [anchor for anchor in found if anchor.agreement != anchors.AGREES] == []
    assert len(found) == sum(known.game in games for known in known_counts()) > 400
    assert len(games) > 26


def test_only_the_tables_know_of_moves_and_critical_positions(solutions: Solutions) -> None:
    """A solution has all other quantities, too, by the same definitions."""
    there = solutions.of("tictactoe")
    missing = of(anchors.compare(there, anchors.games_of(["tictactoe"]), MEMORY), anchors.NOT_THERE)
    assert {anchor.quantity for anchor in missing} == {
        "critical positions", "critical classes", "moves",
        "games up to symmetry (paths in the class graph)", "subtree of a corner opening",
        "subtree of an edge opening", "subtree of the centre opening",
    }  # fmt: skip
    cure = f"call marubatsu.build('tictactoe', data='{there}')"
    assert {anchor.note for anchor in missing} == {cure}


def test_a_wrong_number_differs_whatever_it_counts(made: Path, registry: Path) -> None:
    """One number of each quantity is made wrong; these differ and no other."""
    with registry.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {*(game.notation for game in solve_game()), "tictactoe"}
    ours = sorted(
        (row for row in rows if row["game"] in names),
        key=lambda row: (row["quantity"], row["ply"] == "", Game(row["game"]).cells),
    )
    planted = set()
    for quantity, alike in groupby(ours, lambda row: (row["quantity"], row["ply"] == "")):
        row = next(alike)
        row["count"] = str(int(row["count"]) + 1)
        planted.add((Game(row["game"]).name, *quantity))
    assert len(planted) > 35
    with registry.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    games = {Game(name) for name, *_ in planted}
    differ = of(
        anchors.compare(made, sorted(games, key=attrgetter("name")), MEMORY), anchors.DIFFERS
    )
    assert {(a.game, a.quantity, a.ply is None) for a in differ} == planted
    assert len(differ) == len(planted)
    assert all(a.found == a.expected - 1 for a in differ)


def test_the_command_reports_a_wrong_number_and_exits_1(made: Path, registry: Path) -> None:
    number = len(known_of("2x2k2"))
    right = run_here("anchors", "2x2k2", data=made)
    assert right.returncode == 0
    assert right.stdout.endswith(f"\n{number} of {number} agree\n")
    text = registry.read_text(encoding="utf-8")
    registry.write_text(text.replace("2x2k2,nodes,,41,", "2x2k2,nodes,,42,"), encoding="utf-8")
    wrong, as_json = (
        run_here("anchors", "2x2k2", "--format", form, data=made) for form in ("table", "json")
    )
    assert (wrong.returncode, as_json.returncode) == (1, 1)
    assert wrong.stdout.endswith(f"\n{number - 1} of {number} agree, 1 different\n")
    (row,) = [row for row in json.loads(as_json.stdout) if row["agreement"] == anchors.DIFFERS]
    assert (row["quantity"], row["expected"], row["found"]) == ("nodes", 42, 41)


def test_tables_and_solution_must_both_agree(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(solution: DataSet, opened: Opened, memory: int) -> Iterator[PlyCount]:
        for count in count_nodes(solution, opened, memory):
            yield count._replace(nodes=count.nodes + ((count.ply, count.score) == (2, 0)))

    monkeypatch.setattr(anchors, "count_nodes", wrong)
    differ = of(anchors.compare(made, anchors.games_of(["tictactoe"]), MEMORY), anchors.DIFFERS)
    assert {(anchor.quantity, anchor.ply) for anchor in differ} == {
        ("nodes", 2), ("nodes", None), ("nodes made by a move", None),
    }  # fmt: skip
    assert differ[0].note == "tables: 72, solution: 73"


def test_anchors_without_data_name_the_command_to_run(made: Path, tmp_path: Path) -> None:
    done = run_here("anchors", "2x2k2", "5x5k4-gravity", data=made)
    assert done.returncode == 1
    assert "no number of 5x5k4-gravity was compared, so none agrees" in done.stderr
    number, missing = len(known_of("2x2k2")), len(known_of("5x5k4-gravity"))
    assert done.stdout.endswith(
        f"\n{number} of {number + missing} agree, {missing} not there: "
        "run `marubatsu solve 5x5k4-gravity`\n"
    )
    done = run_here("anchors", "2x2k2", "-f", "csv", data=tmp_path)
    assert done.returncode == 1
    assert done.stdout.count("run `marubatsu build 2x2k2`") == number
    assert "no number of 2x2k2 was compared" in done.stderr
    done = run_here("anchors", "2x5k2", data=made)
    require_refused(done, "no number of 2x5k2 is published elsewhere")
    assert run_here("anchors", "--make", "0", data=made).returncode == 2


def test_missing_data_are_made_on_demand(tmp_path: Path) -> None:
    done = run_here("anchors", "2x2k2", "5x5k4-gravity", "--make", "0.001", data=tmp_path)
    assert done.returncode == 1  # The other game was named, and takes longer.
    assert "run `marubatsu solve 5x5k4-gravity`" in done.stdout
    made = {path.name for path in (tmp_path / "2x2k2").iterdir()}
    assert made >= {"positions.parquet", "solution"}
    assert {path.name for path in tmp_path.iterdir()} == {"2x2k2"}


@pytest.mark.parametrize("name", sorted({k.game.name for k in known_counts()
                                         if k.source == SLOWLY
                                         and estimate_positions(k.game) < 4000}))  # fmt: skip
def test_slowly_computed_counts_are_computed_again(name: str) -> None:
    slow = quantities(Game(name))
    rows = [known for known in known_of(name) if known.source == SLOWLY]
    assert len(rows) > 5
    assert {row.quantity: row.count for row in rows} == {r.quantity: slow[r.quantity] for r in rows}


def counts_of(root: Path, name: str, memory: int = MEMORY) -> list[PlyCount]:
    solution = Solution(root, Game(name))
    return list(count_nodes(solution, require_intact(solution), memory))


@pytest.mark.parametrize("name", ["4x3k3", "3x3k3-torus", "3x3k3-misere", "4x1k1"])
def test_two_ways_to_count_agree(name: str, solutions: Solutions) -> None:
    """Without gravity, counting line by line, as with gravity, gives the same."""
    solution = Solution(solutions.of(name), Game(name))
    opened, index = require_intact(solution), Index(solution.game)
    plies = node_counts.files_of_plies(opened)
    with WorkerThreads() as workers:
        by_orders = list(node_counts.by_orders(index, plies, workers))
        assert by_orders == list(node_counts.by_primes(index, plies, workers))
    assert len(by_orders) == len(plies) > 1


@pytest.mark.parametrize("name", ["3x2k3-gravity", "3x3k3-gravity"])
def test_counts_are_joined_from_small_remainders_and_few_rows_at_a_time(
    name: str, solutions: Solutions, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = solutions.of(name)
    counts = counts_of(root, name)
    monkeypatch.setattr(node_counts, "_BELOW", 200)
    monkeypatch.setattr(node_counts, "_AT_ONCE", 1)
    assert counts_of(root, name) == counts


@given(st.integers(1, 10**40))
def test_a_number_follows_from_its_remainders(number: int) -> None:
    primes = list(node_counts._primes(number))  # noqa: SLF001
    assert prod(primes) > number >= prod(primes[:-1])
    assert node_counts.joined([number % prime for prime in primes], primes) == number


def test_too_little_memory_is_an_error(solutions: Solutions) -> None:
    with pytest.raises(DataError, match="given: raise memory"):
        counts_of(solutions.of("3x2k3-gravity"), "3x2k3-gravity", memory=10)
    assert counts_of(solutions.of("3x2k2"), "3x2k2", memory=0)  # It needs none without gravity.


def test_a_game_that_fails_does_not_stop_the_others(solutions: Solutions, tmp_path: Path) -> None:
    bad, _ = (solutions.copy(name, tmp_path) for name in ("3x2k2", "2x2k2"))
    part = bad.path("solution/ply=01/part-0000.parquet")
    part.write_bytes(part.read_bytes()[:-1])
    done = run_here("anchors", "2x2k2", "3x2k2", "--format", "json", data=tmp_path)
    assert done.returncode == 1
    found = {row["game"]: row for row in json.loads(done.stdout)}
    assert found["2x2k2"]["agreement"] == anchors.AGREES
    assert found["3x2k2"]["agreement"] == "failed"
    assert "part-0000.parquet is damaged" in found["3x2k2"]["note"]
    done = run_here("anchors", "4x3k3", "--make", "60", "--memory", "1MB", data=tmp_path)
    assert done.returncode == 1
    assert "raise --memory" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_games_shows_what_is_there_and_what_can_be_made(
    made: Path, solutions: Solutions, tmp_path: Path
) -> None:
    rows = {row["game"]: list(row.values())[1:] for row in list_games(made).records()}
    size = {
        name: sum(file.stat().st_size for file in (made / name).rglob("*.parquet"))
        for name in ("tictactoe", "4x4k4")
    }
    assert {name: rows[name] for name in (*size, "4x5k4-gravity", "connect4")} == {
        "tictactoe": ["partly built, solved", 5478, 765, 549946, "5 of 11", 765,
                      size["tictactoe"], "built", 9, "3x3k3"],
        "4x4k4": ["solved", 9722011, 1217977, None, None, 1217977, size["4x4k4"], "known", 16,
                  "4x4k4"],
        "4x5k4-gravity": ["can be solved", 1706255, None, None, None, None, None, "known", 20,
                          "4x5k4-gravity"],
        "connect4": ["can be searched", 4531985219092, None, None, None, None, None, "known", 42,
                     "7x6k4-gravity"],
    }  # fmt: skip
    part = solutions.copy("2x2k2", tmp_path).path("solution/ply=00/part-0000.parquet")
    part.write_bytes(part.read_bytes()[:-1])
    assert states(tmp_path)["2x2k2"] == "damaged, solved"
    assert states(tmp_path)["tictactoe"] == "can be built"
    part.unlink()
    assert states(tmp_path)["2x2k2"] == "damaged, solved"


def test_games_shows_what_is_being_solved(tmp_path: Path) -> None:
    game = Game("4x3k3-gravity")
    for goal, state in (
        ("forward, ply 2", "forward, as far as ply 0 of 12"),
        ("backward, ply 12", "forward, all plies"),
        ("backward, ply 10", "backward, as far as ply 12"),
        ("backward, ply 8", "backward, as far as ply 10"),
    ):
        stop_solving(tmp_path, game, goal)
        assert states(tmp_path)[game.name] == f"being solved ({state})"
    done = run_here("verify", data=tmp_path)
    assert (done.returncode, "unfinished" in done.stdout) == (1, True)
    assert done.stderr == "run `marubatsu solve 4x3k3-gravity` to go on\n"


def states(root: Path) -> dict[str, str]:
    return {row["game"]: row["state"] for row in list_games(root).records()}


def test_the_registry_is_read_as_sql_reads_it(made: Path) -> None:
    with open_catalog(DataSet(made, Game("4x4k4"))) as catalog:
        rows = catalog.run("select quantity, ply, count, source from known_counts_here").rows
    ours = [(k.quantity, k.ply, k.count, k.source) for k in known_of("4x4k4")]
    assert [tuple(row) for row in rows] == ours
