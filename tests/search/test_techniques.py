"""The searches on bitboards: equal to the recursion, and to slow twins written from the sources."""

import signal
import sys
from dataclasses import replace
from itertools import chain, product
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep
from types import FrameType
from typing import Any

import pytest

import marubatsu as mb
from marubatsu.engine.ais.by_function import ordering_of
from marubatsu.engine.ais.reply import Reply
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.kernels import bitboard_searches, tree_searches
from marubatsu.engine.kernels.bit_rules import SearchEnded, bit_game, key_of
from marubatsu.engine.kernels.bitboard_searches import AIOrder, SearchWithBestMoves, searcher_of
from marubatsu.engine.large.compiled import uncached
from marubatsu.engine.rules.game import Game, GameError
from marubatsu.engine.rules.position import EMPTY, Position, Status
from marubatsu.engine.rules.symmetry import smallest_member
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import (
    TECHNIQUES,
    TRAITS,
    Algorithm,
    Options,
    Replacement,
    SearchError,
    parse_techniques,
)
from marubatsu.engine.search.roster import options_of
from marubatsu.engine.tree.induction import score_positions
from marubatsu.engine.tree.positions import Positions, classify, enumerate_positions
from marubatsu.pipeline.support.background import WorkerThreads, in_background
from marubatsu.pipeline.support.events import Interrupted, held_back
from tests.helpers.data.played import late, played
from tests.helpers.processes.commands import PATIENCE, run_here
from tests.helpers.slow.slow_techniques import SlowProofNumbers, SlowUct, SlowWindows

WHOLE = ("2x2k2", "3x2k2")
LARGER = ("3x3k3-gravity", "3x3k3-misere", "3x2k3-torus")
CUTTING = sorted(each for each in Algorithm if "killers" in TRAITS[each].used)


def representatives(positions: Positions, least: int, step: int) -> list[Position]:
    """Return some classes by a position each; the first numbers are those of early plies."""
    numbers = [n for n in classify(positions).representative.tolist() if n >= least]
    return [positions[number] for number in numbers[::step]]


def settings(random: Random, count: int) -> list[Options]:
    """Draw options of depth-first searches: any techniques that go together."""
    found: list[Options] = []
    flags = sorted(TECHNIQUES - {"symmetry", "table_size", "replacement"})
    while len(found) < count:
        options: dict[str, Any] = {name: random.random() < 0.4 for name in [*flags, "init_window"]}
        if random.random() < 0.4:
            options["table_size"] = 1 << random.randint(1, 8)
            options["replacement"] = random.choice(list(Replacement))
        options["symmetry"] = random.random() < 0.6
        options["use_table"] = random.random() < 0.8
        try:
            found.append(Options(random.choice(CUTTING), **options))
        except SearchError:
            continue
    return found


@pytest.mark.parametrize("name", [
    *(pytest.param(name, marks=pytest.mark.quick) for name in WHOLE), *LARGER, "4x3k3",
])  # fmt: skip
def test_windows_are_those_of_the_slow_twin(name: str) -> None:
    """Scores, nodes, and nodes of each type: of every class of small games, of some of others."""
    game, positions = Game(name), enumerate_positions(Game(name))
    sample, count = representatives(positions, 0, 1), 40
    if name not in WHOLE:
        sample, count = (
            representatives(positions, len(positions) // 6, len(positions) // 40)[:6],
            25,
        )
    for options in settings(Random(7), count):
        fast = searcher_of(game, options)
        for position in sample:
            slow = SlowWindows(game, options)
            score, found = slow.search(position), fast.count(position)
            assert found.types is not None
            message = (found.score, found.nodes, found.types._asdict())
            assert message == (score, slow.nodes, slow.types), (options, position)


ORDERS = [
    Options(), options_of(Algorithm.ALPHABETA, ordering="ai14s"),
    options_of(Algorithm.ALPHABETA, ordering="ai2s", order_all=True),
]  # fmt: skip


@pytest.mark.parametrize(("name", "all_"), [
    *((name, True) for name in WHOLE), ("3x2k3-torus", True), ("3x3k3-gravity", True),
    ("3x3k3", False), ("3x3k3-misere", False),
])  # fmt: skip
def test_without_techniques_the_recursion_visits_as_many_nodes(name: str, *, all_: bool) -> None:
    """Minimax, alpha-beta, scout, MTD(f) and null window, each with its window and its table."""
    game, positions = Game(name), enumerate_positions(Game(name))
    graph = Graph(new_board(game))
    sample = representatives(positions, len(positions) // 20, 1 + len(positions) // 120)
    algorithms = (
        Algorithm.MINIMAX,
        *(each for each in CUTTING if not TRAITS[each].only_on_bitboards),
    )
    bits = bit_game(game)
    orders = [
        (each, AIOrder(bits, each.ordering) if each.ordering else None)
        for each in ORDERS[: 3 if all_ else 2]
    ]
    for (ordered, order), algorithm, table, window in product(
        orders, algorithms, (False, True), (False, True)
    ):
        try:
            options = replace(ordered, algorithm=algorithm, use_table=table, init_window=window)
        except SearchError:
            continue
        slow, fast = Search(options, graph), searcher_of(game, options, order)
        for position in sample:
            expected, found = slow.count(position), fast.count(position)
            assert (found.score, found.nodes) == expected, (options, position)
    assert all(order.asked <= len(positions) for _, order in orders if order)


@pytest.mark.parametrize(("name", "least", "step"), [
    *((name, 0, 1) for name in WHOLE), ("3x3k3-gravity", 0, 61), ("3x3k3", 1500, 61),
    ("3x3k3-misere", 1500, 61), ("4x3k3", 90_000, 900),
])  # fmt: skip
def test_proof_numbers_and_random_games_are_those_of_the_slow_twins(
    name: str, least: int, step: int
) -> None:
    game, positions = Game(name), enumerate_positions(Game(name))
    for by_lines in (False, True):
        fast = [
            searcher_of(game, Options(algorithm, by_lines=by_lines, **more))
            for algorithm, more in (
                (Algorithm.PROOF_NUMBER, {}),
                (Algorithm.DF_PN, {"use_table": True}),
                (Algorithm.UCT, {"seed": 3}),
            )
        ]
        for position in representatives(positions, least, step):
            tree, table = (SlowProofNumbers(game, by_lines=by_lines) for _ in range(2))
            played = SlowUct(game, by_lines=by_lines)
            slow = [
                (tree.search(position, tree.tree), tree.nodes),
                (table.search(position, table.depth_first), table.nodes),
                (played.search(position, 3), played.nodes),
            ]
            assert [each.count(position)[:2] for each in fast] == slow, position


def test_every_search_finds_the_score_of_every_class() -> None:
    game = Game("3x3k3-gravity")
    positions = enumerate_positions(game)
    scores, shown = score_positions(positions).score, classify(positions).representative.tolist()
    searches = [
        *settings(Random(9), 12), Options(Algorithm.PROOF_NUMBER), Options(Algorithm.UCT, seed=0),
        Options(Algorithm.DF_PN, use_table=True),
    ]  # fmt: skip
    for options in searches:
        technique = searcher_of(game, options)
        assert [technique.count(positions[n]).score for n in shown] == scores[shown].tolist()


COUNTS = [
    ("3x3k3", Options(Algorithm.MINIMAX), 0, 549_946),
    ("3x3k3", Options(), 0, 18_297),
    ("3x3k3", Options(use_table=True), 0, 1_054),
    ("4x4k4-gravity", Options(Algorithm.DF_PN, use_table=True), 0, 41_971),
    ("4x4k4-gravity", Options(Algorithm.NULLWINDOW, use_table=True, by_lines=True), 0, 6_795),
]
"""The first three are those of the tutorial (episodes 100 to 164), the others of the slow twins."""


@pytest.mark.parametrize(("name", "options", "score", "nodes"), COUNTS)
def test_counts_from_the_empty_board(name: str, options: Options, score: int, nodes: int) -> None:
    assert searcher_of(Game(name), options).count(EMPTY)[:2] == (score, nodes)


@pytest.mark.quick
def test_the_keys_of_connect4_distinguish_positions() -> None:
    """Of 500 games: as many keys as positions, and as many least keys as classes."""
    game, random = Game("connect4"), Random(5)
    bits, keys, least = bit_game(game), dict[Position, int](), dict[Position, int]()
    images, places_up = bits.rules.images, bits.rules.places_up
    for position in chain.from_iterable(played(game, random)[1:] for _ in range(500)):
        mover, other, _ = bits.masks(position)
        assert bits.position(mover, other, position.ply) == position
        keys[position], _ = key_of(mover, other, images, places_up, False)
        least[position], _ = key_of(mover, other, images, places_up, True)
    assert len(set(keys.values())) == len(keys) > 5_000
    classes = {smallest_member(game, position) for position in keys}
    assert len(set(least.values())) == len(classes) < len(keys)


@pytest.mark.parametrize("name", ["connect4", "4x4k4"])
def test_a_python_ordering_orders_searches_of_large_games(name: str) -> None:
    """Nodes and score are those of the recursion; each position gets one question."""
    game, random = Game(name), Random(6)
    positions = [late(game, random, 7) for _ in range(8)]
    graph = Graph(new_board(game))
    for all_, table in product((False, True), repeat=2):
        boards = list[str]()

        def rank(board: str, legal: list[int], boards: list[str] = boards) -> Reply:
            boards.append(board)
            return Reply(tuple(legal), tuple(float(7 * move % 5) for move in legal))

        options = options_of(
            Algorithm.ALPHABETA, ordering=ordering_of("f", rank), order_all=all_, use_table=table
        )
        slow, fast = Search(options, graph), searcher_of(game, options)
        found = [fast.count(position)[:2] for position in positions]
        assert len(set(boards)) == len(boards) > 0
        assert found == [slow.count(position) for position in positions]


def test_the_largest_boards_have_positions_of_all_cells() -> None:
    """Two masks of 31 cells; the last cells are filled, and the search ends at once."""
    game = Game("31x1k3")
    full = (1 << 31) - 1
    circle = sum(1 << i for i in range(31) if i % 4 in (0, 1))
    position = Position(circle & ~(1 << 28), full & ~circle & ~(1 << 30))
    assert position.ply == 29
    assert game.status(position) is Status.PLAYING
    scores = {
        searcher_of(game, options).count(position).score
        for options in (*settings(Random(4), 5), Options(Algorithm.DF_PN, use_table=True))
    }
    assert scores == {Search(Options(), Graph(new_board(game))).result(position).score}
    with pytest.raises(GameError, match="8x4k4 has 32 cells: expected at most 31"):
        bit_game(Game("8x4k4"))


KINDS = [
    Options(), Options(Algorithm.PROOF_NUMBER), Options(Algorithm.DF_PN, use_table=True),
    Options(Algorithm.UCT, seed=1), Options(use_table=True, deepening=True, table_move=True),
]  # fmt: skip
"""A search of each kind."""


@pytest.mark.parametrize("options", KINDS, ids=lambda options: options.algorithm)
def test_a_limit_ends_a_search_without_a_score_and_changes_nothing_later(options: Options) -> None:
    technique = searcher_of(Game("3x3k3"), options)
    whole = technique.count(EMPTY)
    assert technique.count(EMPTY, whole.nodes) == whole
    assert technique.count(EMPTY, whole.nodes // 2).score is None
    assert technique.count(EMPTY) == whole


@pytest.mark.parametrize("options", KINDS[:-1], ids=lambda options: options.algorithm)
def test_a_long_search_can_be_ended(options: Options) -> None:
    """Of a game that none of them solves in a day."""

    class Late(Exception):  # noqa: N818, not an error
        pass

    def look() -> None:
        raise Late

    long = SearchWithBestMoves(Game("6x5k4"), options)
    with pytest.raises(Late):
        in_background(lambda: long.result(EMPTY), long.stop, look)
    with pytest.raises(SearchEnded):
        long.result(EMPTY)


@pytest.mark.parametrize(("options", "most"), [
    (Options(Algorithm.PROOF_NUMBER), "_MOST_PROOF_NODES"),
    (Options(Algorithm.DF_PN, use_table=True), "_MOST_ROWS"),
    (Options(Algorithm.UCT, seed=1), "_MOST_PLAYOUTS"),
], ids=lambda value: getattr(value, "algorithm", ""))  # fmt: skip
def test_a_search_without_room_is_a_sentence(
    options: Options, most: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_searches, most, 1 << 10)
    sentence = f"{options.algorithm} keeps too many positions in memory, after "
    with pytest.raises(SearchError, match=sentence):
        SearchWithBestMoves(Game("4x4k4-gravity"), options).result(EMPTY)


@pytest.mark.parametrize("algorithm", [Algorithm.ALPHABETA, Algorithm.MTDF, Algorithm.SSS])
def test_a_table_that_may_not_grow_replaces(
    algorithm: Algorithm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bitboard_searches, "MOST_PLACES", 1 << 10)
    game, options = Game("3x3k3"), Options(algorithm, use_table=True, symmetry=False)
    small = searcher_of(game, options)
    monkeypatch.undo()
    found, whole = small.count(EMPTY), searcher_of(game, options).count(EMPTY)
    assert found == small.count(EMPTY)
    assert found.score == whole.score == 0
    assert found.nodes > whole.nodes


def test_an_exception_in_a_thread_is_raised() -> None:
    assert in_background(lambda: 3, lambda: None) == 3
    with pytest.raises(ZeroDivisionError):
        in_background(lambda: 1 // 0, lambda: None)


def test_a_thread_that_does_not_start_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refuse)
    orders = iter([None])
    with pytest.raises(RuntimeError, match="can't start"):
        in_background(lambda: 3, lambda: next(orders))  # A second order would be an error.


def nested() -> tuple[Any, Any]:
    """Return the innermost of kernels, which is compiled first, and the outermost."""
    first = last = uncached(lambda number: number)
    for _ in range(16):
        last = uncached(lambda number, inner=last: inner(number) + 1)
    return first, last


def compile_held_back(first: Any, last: Any) -> None:
    with held_back(), WorkerThreads() as workers:
        future = workers.submit(last, 1)
        while not (first.signatures or future.done()):
            sleep(0.01)
        signal.raise_signal(signal.SIGTERM)
        future.result(PATIENCE)


def test_a_signal_ends_the_compilation_of_kernels() -> None:
    def interrupt() -> None:
        if first.signatures:
            raise KeyboardInterrupt

    first, last = nested()
    with pytest.raises(KeyboardInterrupt):
        in_background(lambda: last(1), lambda: None, interrupt)
    assert not last.signatures
    assert last(1) == 17
    first, last = nested()
    with pytest.raises(Interrupted):
        compile_held_back(first, last)
    assert not last.signatures


@pytest.mark.usefixtures("_heard_sigint")
def test_a_signal_while_llvm_calls_python_is_handled_later() -> None:
    def interrupt(frame: FrameType, kind: str, of: object) -> None:
        if frame.f_code.co_name == "_object_compiled_hook":
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)

    _, last = nested()
    sys.setprofile(interrupt)
    with pytest.raises(KeyboardInterrupt):
        last(1)
    assert not last.signatures
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_result_has_all_best_moves_and_a_variation() -> None:
    game, options = Game("3x3k3"), Options(use_table=True)
    for moves in ((), (0,), (0, 1), (0, 4, 8)):
        position = EMPTY
        for move in moves:
            position = position.after(move)
        expected = Search(options, Graph(new_board(game))).result(position)
        found = SearchWithBestMoves(game, replace(options, killers=True)).result(position)
        assert (found.score, found.best_moves) == (expected.score, expected.best_moves)
        assert found.principal_variation == expected.principal_variation


@pytest.mark.quick
def test_the_command_and_the_function_search_by_bits(tmp_path: Path) -> None:
    arguments: dict[str, Any] = {"use_table": True, "killers": True, "history": True}
    found = mb.search("scout", game="3x2k2", ordering="ai14s", data=tmp_path, **arguments)
    expected = options_of(Algorithm.SCOUT, ordering="ai14s", **arguments)
    technique = searcher_of(Game("3x2k2"), expected)
    assert (found.score, found.nodes) == technique.count(EMPTY)[:2]
    done = run_here(
        "search", "3x2k2", "--algorithm", "scout", "--ordering", "ai14s", "--use-table",
        "--techniques", "killers,history", "--format", "csv", data=tmp_path,
    )  # fmt: skip
    assert done.stdout.splitlines()[1].startswith(f"ai14s,{found.score},{found.nodes},")


@pytest.mark.quick
@pytest.mark.parametrize("text", ["kilers", "table_size=x", "replacement=x", "killers killers"])
def test_a_wrong_technique_is_quoted(text: str) -> None:
    with pytest.raises(SearchError, match=f"'{text}'"):
        parse_techniques(text)


def test_the_recursion_refuses_what_only_bitboards_search() -> None:
    with pytest.raises(SearchError, match="bitboards"):
        Search(Options(killers=True), Graph(new_board(Game("2x2k2"))))


@pytest.mark.quick
def test_techniques_are_read_as_they_are_written() -> None:
    for options in settings(Random(3), 30):
        read = parse_techniques(options.written_techniques)
        plain = {"algorithm": options.algorithm, "use_table": options.use_table}
        again: Any = {**plain, "init_window": options.init_window, **read}
        assert Options(**again) == options
