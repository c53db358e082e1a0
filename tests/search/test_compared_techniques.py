"""The table of techniques: made, resumed, checked in SQL, and asked by its reports."""

import csv
import io
from collections.abc import Iterator
from itertools import product
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from marubatsu.engine.kernels.bitboard_searches import searcher_of
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.engine.search.options import Algorithm, Options
from marubatsu.pipeline.checking.checks import run_check
from marubatsu.pipeline.laboratory import technique_grid, technique_runs
from marubatsu.pipeline.laboratory.technique_grid import settings_of
from marubatsu.pipeline.sql.catalog import Catalog, open_catalog
from marubatsu.pipeline.sql.query_files import checks, report
from marubatsu.pipeline.support.resources import reference_rows
from marubatsu.pipeline.tables.data_set import DataSet, TechniquesTable
from tests.helpers.broken.defects import notices, replaced
from tests.helpers.data.data_sets import build_tree
from tests.helpers.processes.commands import run_here, run_marubatsu
from tools.generators import technique_tables

GAME = "3x2k2"
SETTINGS, POSITIONS = 83, 8


def advance(share: float | None, note: str = "") -> None:
    assert share is not None
    assert 0 <= share <= 1


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    data_set = build_tree(tmp_path_factory.mktemp("techniques"), GAME)
    done = run_here("compare", GAME, "--format", "csv", data=data_set.root)
    assert (done.returncode, done.stderr) == (0, "")
    rows = {row["setting"]: row for row in csv.DictReader(io.StringIO(done.stdout))}
    assert len(rows) == SETTINGS
    nodes = {name: int(rows[name]["from_empty_board"]) for name in ("minimax", "alphabeta")}
    assert nodes == {"minimax": 285, "alphabeta": 53}
    assert {(row["searches"], row["stopped"]) for row in rows.values()} == {(str(POSITIONS), "0")}
    return data_set


@pytest.fixture(scope="module")
def catalog(made: DataSet) -> Iterator[Catalog]:
    with open_catalog(made) as opened:
        yield opened


def test_the_checks_pass(catalog: Catalog) -> None:
    for name in ("technique_rows", "technique_scores"):
        outcome = run_check(catalog, checks()[name])
        assert (outcome.verdict, outcome.examined) == ("pass", SETTINGS * POSITIONS)


ROWS = {
    "a row is missing": "select * from techniques where not (ply = 0 and setting = 'minimax')",
    "a row is there twice": "from techniques union all (from techniques limit 1)",
    "a name": """
        select * replace ('alphabeta x' as setting) from techniques where setting = 'minimax'
    """,
    "names not in order": """
        select * replace ('killers history' as techniques, 'scout killers history' as setting)
        from techniques where setting = 'scout history killers'
    """,
    **replaced("techniques", {
        "a score": "if(setting = 'scout' and ply = 2, -1, score) as score",
        "a stop below the limit": "if(setting = 'scout' and ply = 2, null, score) as score",
        "more nodes than the limit": "1 as node_limit",
        "an option": "not init_window as init_window",
        "two settings on a step": "if(step = 3, 4, step) as step",
        "a ply": "if(ply = 2, 3, ply) as ply",
        "a board": "translate(board, 'ox', 'xo') as board",
        "a node": "nodes + 1 as nodes",
        "types of a search without windows": "coalesce(leaves, 1) as leaves",
        "no types": "null::bigint as cut_nodes",
        "a type below 0": "leaves + all_nodes + 1 as leaves, -1 as all_nodes",
        "more first cuts than cuts": "cut_nodes + 1 as first_cuts",
        "answers without a table": "answered + 1 as answered, leaves - 1 as leaves",
        "cuts of minimax": ("if(algorithm = 'minimax', 1, cut_nodes) as cut_nodes, "
                            "if(algorithm = 'minimax', leaves - 1, leaves) as leaves"),
    }),
}  # fmt: skip
SCORES = replaced("techniques", {
    "all scores": "-score as score",
    "a finished board": "'oo.xx.' as board",
    "a board of no position": "'oooooo' as board",
    "fewer nodes than the least tree": "if(setting = 'alphabeta', 3, nodes) as nodes",
})  # fmt: skip


@pytest.mark.parametrize(("check", "defect"), [
    *(pytest.param("technique_rows", sql, id=name) for name, sql in ROWS.items()),
    *(pytest.param("technique_scores", sql, id=name) for name, sql in SCORES.items()),
])  # fmt: skip
def test_a_check_notices_a_defect(catalog: Catalog, check: str, defect: str) -> None:
    assert notices(catalog, check, "techniques", defect)


def ask(catalog: Catalog, name: str, **conditions: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = catalog.ask(report(name)).records()
    return [row for row in rows if all(row[key] == value for key, value in conditions.items())]


def test_the_reports(catalog: Catalog) -> None:
    assert ask(catalog, "technique_ladder")[:2] == [
        {
            "step": 0, "setting": "minimax", "searches": 8, "stopped": 0, "nodes": 354,
            "from_empty_board": 285, "compared": 0, "times_before": None,
            "first_move_cuts_percent": None,
        },
        {
            "step": 1, "setting": "alphabeta", "searches": 8, "stopped": 0, "nodes": 98,
            "from_empty_board": 53, "compared": 8, "times_before": 0.571,
            "first_move_cuts_percent": 100.0,
        },
    ]  # fmt: skip
    assert ask(catalog, "technique_factorial", technique="by_lines", others="all") == [
        {
            "technique": "by_lines", "others": "all", "positions": 8, "times_without": 0.952,
            "low_95": 0.884, "high_95": 1.026,
        }
    ]  # fmt: skip
    assert ask(catalog, "technique_costs", setting="minimax") == [
        {
            "setting": "minimax", "positions": 8, "nodes": 354, "least_nodes": 92,
            "times_least": 1.825, "from_empty_board": 285, "least_from_empty_board": 49,
        }
    ]  # fmt: skip
    assert ask(catalog, "technique_types", setting="alphabeta table aspiration") == [
        {
            "setting": "alphabeta table aspiration", "searches": 8, "nodes": 38,
            "leaves_percent": 36.8, "answered_percent": 21.1, "pv_percent": 0.0,
            "cut_percent": 39.5, "all_percent": 2.6, "first_move_cuts_percent": 86.7,
            "branching_from_empty_board": 1.57,
        }
    ]  # fmt: skip
    assert ask(catalog, "technique_orderings", ordering="ai14s", use_table=False) == [
        {
            "use_table": False, "place": 3, "ordering": "ai14s", "positions": 8, "nodes": 96,
            "best_in": 7, "times_best": 1.005, "low_95": 1.0, "high_95": 1.014,
        }
    ]  # fmt: skip


def test_each_technique_is_paired_with_the_same_search_without_it(catalog: Catalog) -> None:
    names, nodes = ("scout", "by_lines", "table", "killers", "history"), dict[Any, int]()
    for row in catalog.run("from techniques where ordering is null and not init_window").records():
        used = {*row["techniques"].split(), row["algorithm"], "table" if row["use_table"] else ""}
        if used <= {*names, "alphabeta", ""}:
            nodes[row["board"], frozenset(used.intersection(names))] = row["nodes"]
    expected = {}
    for name, other in product(names, names):
        for label in ("with", "without") if other != name else ("all",):
            changes = [
                log(count / nodes[board, used - {name}])
                for (board, used), count in nodes.items()
                if name in used and (label == "all" or (other in used) == (label == "with"))
            ]
            others = label if label == "all" else f"{label} {other}"
            expected[name, others] = round(exp(fmean(changes)), 3)
    found = ask(catalog, "technique_factorial")
    assert {(row["technique"], row["others"]): row["times_without"] for row in found} == expected


def test_another_process_with_another_hash_seed_writes_the_same_file(
    made: DataSet, tmp_path: Path
) -> None:
    seed = {"PYTHONHASHSEED": "7"}
    assert run_marubatsu("compare", GAME, data=tmp_path, environment=seed).returncode == 0
    files = [
        file.read_bytes()
        for each in (made, DataSet(tmp_path, Game(GAME)))
        for file in each.sibling(TechniquesTable).folder.glob("*.parquet")
    ]
    assert len(files) == 2
    assert files[0] == files[1]


def test_a_comparison_resumes_where_one_stopped(tmp_path: Path) -> None:
    """Without time nothing is searched; with a low limit, what was stopped is searched again."""
    data_set = DataSet(tmp_path, Game("2x2k2-gravity"))

    def compare(limit: int, seconds: float = 60) -> technique_runs.Compared:
        return technique_runs.compare(data_set, limit=limit, seconds=seconds, progress=advance)

    nothing = compare(1000, -1)
    assert (nothing.counted, nothing.left) == ({}, len(nothing.settings))
    first = compare(9)
    stopped = {name for name, each in first.counted.items() if not each.is_finished}
    assert (first.left, "minimax" in stopped) == (0, True)
    assert len(stopped) < len(first.settings)
    assert compare(9).counted == first.counted
    second = compare(1000)
    assert all(each.is_finished for each in second.counted.values())
    assert {name for name, each in second.counted.items() if each.limit == 1000} == stopped
    assert technique_runs.read(data_set, second.positions) == second.counted


FEW_NODES = 100_000


def test_the_ladders_that_are_published() -> None:
    """The searches with few nodes; all are exact counts."""
    steps = [setting.options for setting in technique_grid.ladder()]
    for row in reference_rows("technique_ladder"):
        if int(row["nodes"]) <= FEW_NODES:
            technique = searcher_of(Game(row["game"]), steps[int(row["step"])])
            found = technique.count(EMPTY)
            assert (found.score, found.nodes) == (int(row["score"]), int(row["nodes"])), row


def test_the_means_that_are_published(catalog: Catalog) -> None:
    rows = reference_rows("technique_means")
    found = catalog.ask(report("techniques_alone")).records()
    assert [dict(row) for row in rows if row["game"] == GAME] == [
        {"game": GAME, **{name: str(value) for name, value in row.items()}} for row in found
    ]


def test_the_page_and_the_plot_are_those_of_the_files() -> None:
    page = technique_tables.PAGE.read_text(encoding="utf-8")
    ladders = reference_rows("technique_ladder")
    assert technique_tables.with_means(page) == page
    assert technique_tables.PLOT.read_text(encoding="utf-8") == technique_tables.plot(ladders)
    counts = [
        [int(row["nodes"]) for row in ladders if row["game"] == game]
        for game in technique_tables.GAMES
    ]
    killers, history = (technique_tables.STEPS.index(name) for name in ("killers", "history"))
    more = sum(nodes[history] > nodes[history - 1] for nodes in counts)
    fewer = sum(nodes[killers] < nodes[killers - 1] for nodes in counts)
    message = f"{more} of these {len(counts)} games, and `killers` lowers it on {fewer}."
    assert f"`history` raises the count on {message}" in " ".join(page.split())


@pytest.mark.quick
def test_the_grid_has_each_search_once_and_of_large_games_only_those_with_a_table() -> None:
    settings = settings_of(Game(GAME))
    assert len({setting.options for setting in settings}) == len(settings) == SETTINGS
    large = settings_of(Game("5x5k4-gravity"))
    assert {setting.options.use_table for setting in large} == {True}
    assert Options(Algorithm.MINIMAX) not in {setting.options for setting in large}
