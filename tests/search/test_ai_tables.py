"""The tables of AIs and searches against the rules told a second way, not against the engine."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from marubatsu.engine.search.roster import all_ais
from marubatsu.pipeline.stages.search_grid import settings
from tests.helpers.slow import slow_ais
from tests.helpers.slow.slow_search import Order, SlowSearch, by_value, head_first


@pytest.fixture(scope="module")
def boards(root: Path) -> list[str]:
    """Return the board of every position, by number."""
    found: list[str] = table(root, "positions")["board"].to_pylist()
    return found


def table(root: Path, name: str) -> Any:
    """Read a table of tictactoe."""
    return pq.read_table(root / "tictactoe" / f"{name}.parquet")


def test_ais_are_those_of_the_registry(root: Path) -> None:
    rows = table(root, "ais").to_pylist()
    assert [row["ai"] for row in rows] == sorted(ai.name for ai in all_ais())
    ours = {ai.name: ai for ai in all_ais()}
    for row in rows:
        ai = ours[row["ai"]]
        assert (row["family"], row["rule"]) == (ai.family, ai.rule)
        assert json.loads(row["parameters"]) == dict(ai.parameters)


NAMES = [f"ai{n}" for n in range(1, 8)] + [f"ai{n}s" for n in range(1, 15)]


@pytest.mark.parametrize("name", NAMES)
def test_every_move_of_every_position_is_as_the_rule_says(
    root: Path, boards: list[str], name: str
) -> None:
    rows = table(root, "ai_moves")
    rows = rows.filter(pc.equal(rows["ai"], name)).to_pydict()
    unfinished = [number for number, board in enumerate(boards) if moves_of(board)]
    expected: dict[str, list[Any]] = {
        "position": [], "move": [], "ai_score": [], "is_candidate": [], "probability": []
    }  # fmt: skip
    for number in unfinished:
        moves = moves_of(boards[number])
        values: list[Fraction | None] = [None] * len(moves)
        if name.endswith("s"):
            values = [slow_ais.value(name, boards[number], move) for move in moves]
            best = max(value for value in values if value is not None)
            chosen = [m for m, value in zip(moves, values, strict=True) if value == best]
        else:
            chosen = slow_ais.candidates_by_rule(name, boards[number])
        expected["position"] += [number] * len(moves)
        expected["move"] += moves
        expected["ai_score"] += values
        expected["is_candidate"] += [move in chosen for move in moves]
        expected["probability"] += [1 / len(chosen) if m in chosen else 0.0 for m in moves]
    assert {column: rows[column] for column in expected} == expected


def moves_of(board: str) -> list[int]:
    """List the legal moves of a board; none when the game is over."""
    if slow_ais.has_won(board, "o") or slow_ais.has_won(board, "x"):
        return []
    return slow_ais.empty(board)


def test_the_grid_is_the_one_that_was_asked_for(root: Path) -> None:
    """Episode 164's grid for the empty board and all 627 classes, 30 seeds and depths 0 to 8."""
    rows = table(root, "searches")
    assert rows.num_rows == len(settings()) * 627
    assert len(set(settings())) == len(settings())
    grid = {
        (s.ordering, s.order_all, s.shortest_victory, s.init_window, s.use_table)
        for s in settings() if s.algorithm == "alphabeta" and s.seed is None
    }  # fmt: skip
    assert len(grid) == 11 * 8
    for algorithm in ("scout", "mtdf"):
        assert grid == {
            (s.ordering, s.order_all, s.shortest_victory, s.init_window, s.use_table)
            for s in settings() if s.algorithm == algorithm
        }  # fmt: skip
    drawn = {s[:6] for s in settings() if s.algorithm == "alphabeta" and s.seed is not None}
    assert len(drawn) == 4 * 8
    for setting in drawn:
        seeds = {s.seed for s in settings() if s[:6] == setting and s.seed is not None}
        assert len(seeds) >= 30
    depths = {(s.evaluation, s.max_depth) for s in settings() if s.algorithm == "depth_limited"}
    assert depths == {
        (evaluation, depth)
        for evaluation in ("ai2s", "ai10s", "ai11s", "ai14s")
        for depth in range(9)
    }


def order_of(ordering: str | None, *, order_all: bool) -> Order:
    """Return the order of an AI, told the slow way."""
    if ordering is None:
        return slow_ais.empty

    def value(board: str, move: int) -> float:
        return float(slow_ais.value(ordering, board, move))

    def best(board: str) -> list[int]:
        values = {move: value(board, move) for move in slow_ais.empty(board)}
        return [move for move in values if values[move] == max(values.values())]

    return by_value(value) if order_all else head_first(best)


def test_rows_of_searches_are_those_of_two_mirrored_functions(
    root: Path, boards: list[str]
) -> None:
    rows = table(root, "searches")
    exact = [
        number for number, s in enumerate(settings())
        if s.algorithm in ("alphabeta", "scout", "mtdf") and s.seed is None
        and s.ordering != "perfect"
    ]  # fmt: skip
    random = Random(5)
    for number in random.sample(exact, 120):
        setting = settings()[number]
        place = number * 627 + random.randrange(4, 627)
        [row] = rows.slice(place, 1).to_pylist()
        assert row["search"] == number
        assert {key: row[key] for key in setting._fields} == setting._asdict()
        slow = SlowSearch(
            order_of(setting.ordering, order_all=setting.order_all),
            setting.shortest_victory,
            setting.init_window,
            {} if setting.use_table else None,
            scout=setting.algorithm == "scout",
        )
        board = boards[row["position"]]
        score = slow.mtdf(board) if setting.algorithm == "mtdf" else slow.run(board)
        assert (row["score"], row["nodes"]) == (score, slow.nodes), (setting, board)


def test_matches_are_exact_fractions(root: Path) -> None:
    rows = table(root, "matches").to_pylist()
    assert len(rows) == len(all_ais()) ** 2
    random = next(r for r in rows if r["circle_ai"] == r["cross_ai"] == "ai2")
    assert [random[f"fraction_{result}"] for result in ("circle", "draw", "cross")] == [
        "737/1260", "8/63", "121/420",
    ]  # fmt: skip
    for row in rows:
        fractions = [Fraction(row[f"fraction_{r}"]) for r in ("circle", "draw", "cross")]
        assert sum(fractions) == 1
        assert [float(f) for f in fractions] == [row[f"p_{r}"] for r in ("circle", "draw", "cross")]
