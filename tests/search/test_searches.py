"""The searches: node counts and scores against a plain recursion, and published figures."""

from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.rules.board_text import from_text, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY, Position, Status
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import TRAITS, Algorithm, Options, score_range
from marubatsu.engine.search.roster import find
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import classify, enumerate_positions
from tests.helpers.data.published import Nodes, published_nodes
from tests.helpers.slow import slow_ais
from tests.helpers.slow.slow_techniques import SlowWindows

TICTACTOE = Game(3, 3, 3)
POSITIONS = enumerate_positions(TICTACTOE)
SOLUTION = score_positions(POSITIONS)
GRAPH = Graph(new_board(TICTACTOE))


UNFINISHED = [
    int(n) for n in classify(POSITIONS).representative if POSITIONS.status[n] == Status.PLAYING
]
CRITICAL = [n for n in UNFINISHED if SOLUTION.critical[n]]
SAMPLE = sorted({*UNFINISHED[:4], *Random(1).sample(UNFINISHED, 16)})


@cache
def prepared(**options: Any) -> Search:
    ordering = options.pop("ordering", None)
    return Search(Options(ordering=find(ordering) if ordering else None, **options), GRAPH)


def measured(published: Nodes, seed: int | None = None) -> int:
    names = ("ordering", "order_all", "shortest_victory", "init_window", "use_table")
    setting = prepared(**{name: getattr(published, name) for name in names}).with_seed(seed)
    numbers = [0] if published.scope == "empty board" else CRITICAL
    return sum(setting.count(POSITIONS[number]).nodes for number in numbers)


@pytest.mark.parametrize("published", [p for p in published_nodes() if not p.is_random], ids=str)
def test_a_deterministic_count_is_the_published_one(published: Nodes) -> None:
    assert measured(published) == published.nodes


@pytest.mark.parametrize("published", [p for p in published_nodes() if p.is_random], ids=str)
def test_a_drawn_count_lies_where_the_draws_lie(published: Nodes) -> None:
    """The published figure is one sample: it must lie within the range of many, or near it."""
    seeds = 12 if published.scope == "empty board" else 4
    counts = [measured(published, seed) for seed in range(seeds)]
    spread = max(counts) - min(counts)
    assert min(counts) - spread / 2 <= published.nodes <= max(counts) + spread / 2


def swapped(moves: list[int], head: int) -> list[int]:
    """Exchange the first of the moves with another one."""
    place = moves.index(head)
    return [head, *moves[1:place], moves[0], *moves[place + 1 :]] if place else moves


@pytest.mark.parametrize("algorithm", ["alphabeta", "scout", "mtdf"])
def test_counts_of_the_shortest_victory_are_those_of_a_plain_recursion(algorithm: str) -> None:
    for window, table in product((False, True), repeat=2):
        options: dict[str, Any] = {
            "algorithm": Algorithm(algorithm), "shortest_victory": True, "init_window": window,
            "use_table": table,
        }  # fmt: skip
        for number in SAMPLE if table else SAMPLE[4:]:
            slow = SlowWindows(TICTACTOE, Options(**options))
            score = slow.search(POSITIONS[number])
            assert prepared(**options).count(POSITIONS[number]) == (score, slow.nodes), number
            assert score == SOLUTION.score_sv[number]


def test_minimax_visits_the_whole_tree_or_every_class_once_and_a_null_window_less() -> None:
    plain, null = (prepared(algorithm=each) for each in (Algorithm.MINIMAX, Algorithm.NULLWINDOW))
    for number in UNFINISHED:
        for each in (plain, null):
            assert each.count(POSITIONS[number]).score == SOLUTION.score[number]
    assert plain.count(EMPTY) == (0, 549_946)
    assert null.count(EMPTY) == (0, 16_811)
    tabled = prepared(algorithm=Algorithm.MINIMAX, use_table=True)
    assert tabled.count(EMPTY) == (0, 2271)
    assert tabled.table_size == 4520
    slow = SlowWindows(TICTACTOE, Options(Algorithm.MINIMAX, use_table=True))
    assert (slow.search(EMPTY), slow.nodes) == (0, 2271)


@pytest.mark.parametrize("evaluation", ["ai2s", "ai10s", "ai11s", "ai14s"])
def test_depth_limited_scores_are_those_of_plain_recursion(evaluation: str) -> None:
    def value(board: str, depth: int, last: int) -> float:
        """Return a position's value in the view of who just moved."""
        before = slow_ais.filled(board, last, ".")
        if depth == 0 or not TICTACTOE.legal_moves(from_text(TICTACTOE, board)):
            return float(slow_ais.value(evaluation, before, last))
        mark = slow_ais.mark_to_move(board)
        return -max(
            value(slow_ais.filled(board, move, mark), depth - 1, move)
            for move in slow_ais.empty(board)
        )

    for number, depth in product(SAMPLE[3:], (1, 2, 4)):
        board = to_text(TICTACTOE, POSITIONS[number])
        mark = slow_ais.mark_to_move(board)
        best = max(
            value(slow_ais.filled(board, move, mark), depth - 1, move)
            for move in slow_ais.empty(board)
        )
        for algorithm in (Algorithm.DEPTH_LIMITED, Algorithm.ITERATIVE_DEEPENING, Algorithm.PVS):
            setting = prepared(
                algorithm=algorithm, max_depth=depth, evaluation=find(evaluation),
                use_table=evaluation in {"ai2s", "ai14s"},
            )  # fmt: skip
            score = setting.count(POSITIONS[number]).score
            assert score == (best if mark == "o" else -best), (board, algorithm, depth)


def test_the_table_of_a_depth_limited_search_from_the_empty_board() -> None:
    """It then holds 3,219 boards (tutorial series, episode 196)."""
    setting = prepared(
        algorithm=Algorithm.DEPTH_LIMITED, max_depth=8, evaluation=find("ai14s"), use_table=True
    )
    setting.scores_mover(EMPTY)
    assert setting.table_size == 3219


def test_ties_are_drawn_as_random_choice_draws_them() -> None:
    """Alpha-beta with `random.choice` at every node, written out."""
    random = Random(7)

    @cache
    def best(position: Position) -> list[int]:
        board = to_text(TICTACTOE, position)
        worth = {move: slow_ais.value("ai10s", board, move) for move in slow_ais.empty(board)}
        return [move for move in worth if worth[move] == max(worth.values())]

    def order(position: Position) -> list[int]:
        moves = list(TICTACTOE.legal_moves(position))
        return swapped(moves, random.choice(best(position)))

    slow = SlowWindows(TICTACTOE, Options(), order)
    slow.search(EMPTY)
    fast = prepared(ordering="ai10s", seed=7)
    assert [fast.count(EMPTY).nodes for _ in range(2)] == [slow.nodes] * 2  # again from the start


def test_iterative_deepening_answers_from_the_last_finished_depth() -> None:
    options = Options(Algorithm.ITERATIVE_DEEPENING, evaluation=find("ai14s"), use_table=True)
    calls = 0

    def stop() -> bool:
        nonlocal calls
        calls += 1
        return calls > 300

    search = Search(options, GRAPH)
    whole, cut = search.result(EMPTY), search.result(EMPTY, stop=stop)
    assert 1 < cut.nodes < whole.nodes
    finished = [
        Search(Options(Algorithm.ITERATIVE_DEEPENING, evaluation=find("ai14s"), use_table=True,
                       max_depth=depth), GRAPH).count(EMPTY)
        for depth in range(10)
    ]  # fmt: skip
    assert (cut.score, cut.nodes) in finished
    assert (whole.score, whole.nodes) == finished[9]


@pytest.mark.parametrize(
    "algorithm",
    [a for a in Algorithm if a.value != "monte_carlo" and not TRAITS[a].only_on_bitboards],
)
def test_a_result_has_all_best_moves_and_a_variation(algorithm: Algorithm) -> None:
    evaluation = (
        find("ai14s") if algorithm in {"depth_limited", "iterative_deepening", "pvs"} else None
    )
    depth = 9 if algorithm is Algorithm.DEPTH_LIMITED else None
    options = Options(algorithm, evaluation=evaluation, max_depth=depth, use_table=True)
    setting = Search(options, GRAPH)
    for number in SAMPLE:
        result = setting.result(POSITIONS[number])
        at = slice(POSITIONS.first_move[number], POSITIONS.first_move[number + 1])
        best = POSITIONS.move[at][SOLUTION.is_best[at]].tolist()
        assert set(result.best_moves) <= set(best)
        if evaluation is None:
            assert list(result.best_moves) == best
        position = POSITIONS[number]
        for move in result.principal_variation:
            position = TICTACTOE.play(position, move)
        assert not TICTACTOE.legal_moves(position)
        score = {Status.CIRCLE: 1, Status.CROSS: -1, Status.DRAW: 0}[TICTACTOE.status(position)]
        assert score == SOLUTION.score[number]


def test_monte_carlo_is_the_mean_of_its_playouts() -> None:
    options = Options(Algorithm.MONTE_CARLO, playouts=20, seed=3)
    result = Search(options, GRAPH).result(EMPTY)
    assert result == Search(options, GRAPH).result(EMPTY)
    assert 9 * 20 * 5 < result.nodes - 1 <= 9 * 20 * 9
    assert (20 * result.score).is_integer()
    playing = Search(Options(Algorithm.MONTE_CARLO, playouts=5_000, seed=0), GRAPH)
    many = playing.scores_mover(EMPTY)
    exact = SOLUTION.random[1:10, 0] - SOLUTION.random[1:10, 2]
    for value, expected in zip(many, exact, strict=True):
        assert abs(float(value) - expected) < 5 / 5_000**0.5


def test_an_ai_that_searches_forgets_the_position_before() -> None:
    """Also where the first move ends the game, so that the second is the first to be searched."""
    game = Game("3x2k2")
    positions = enumerate_positions(game)
    options = Options(use_table=True)
    met = Search(options, Graph(new_board(game)))
    plays_on = positions.status[positions.child] == Status.PLAYING
    calls = 0
    for number, first in enumerate(positions.first_move[:-1].tolist()):
        here = plays_on[first : positions.first_move[number + 1]]
        if not here.any() or here[0]:
            continue
        met.scores_mover(EMPTY)
        met.scores_mover(positions[number])
        fresh = Search(options, Graph(new_board(game)))
        fresh.scores_mover(positions[number])
        assert met.table_size == fresh.table_size
        calls += 1
    assert calls == 17


def test_a_search_that_goes_on_to_another_ply_forgets_the_values_of_the_last() -> None:
    options = Options(
        Algorithm.DEPTH_LIMITED, max_depth=3, evaluation=find("ai10s"), use_table=True
    )
    going, fresh = (Search(options, GRAPH, goes_on=each) for each in (True, False))
    for position in (EMPTY, EMPTY.after(0), EMPTY.after(0).after(4), EMPTY):
        assert going.count(position) == fresh.count(position)


@pytest.mark.parametrize("name", ["3x3k3-gravity", "3x3k3-misere", "2x4k2"])
def test_scores_of_other_games_lie_in_their_range(name: str) -> None:
    scores = score_positions(enumerate_positions(Game(name))).score_sv
    lowest, highest = score_range(Game(name), shortest_victory=True)
    assert lowest <= scores.min() <= scores.max() <= highest
    if name == "3x3k3-misere":
        assert (lowest, highest) == (scores.min(), scores.max())


def test_a_finished_position_is_one_node() -> None:
    for options in (Options(), Options(Algorithm.MONTE_CARLO), Options(Algorithm.MTDF)):
        result = Search(options, GRAPH).result(Position(0b111, 0b011000))
        assert (result.score, result.nodes) == (1, 1)
        assert result.best_moves == result.principal_variation == ()
