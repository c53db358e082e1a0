"""The compiled searches against the recursion: equal scores and node counts for all options."""

import sys
from dataclasses import dataclass
from functools import partial
from itertools import product
from random import Random

import numpy as np
import pytest

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.ais.policy import Policy, policy_of
from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.kernels import batch
from marubatsu.engine.kernels.batch import CompiledSearches
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Ints, images
from marubatsu.engine.rules.position import EMPTY, Status
from marubatsu.engine.rules.symmetry import symmetries
from marubatsu.engine.search.driver import Search
from marubatsu.engine.search.graph import Graph
from marubatsu.engine.search.options import TRAITS, Algorithm, Options
from marubatsu.engine.search.roster import all_ais, options_of
from marubatsu.engine.tree.positions import Positions, classify, enumerate_positions
from marubatsu.pipeline.stages import make_ais, make_searches
from marubatsu.pipeline.stages.make_searches import GridSearch, settings
from marubatsu.pipeline.stages.stage import BuildContext

BY_SEARCH = [ai for ai in all_ais() if ai.family == "search"]
SMALL = ("2x2k2", "3x2k2", "3x2k2-misere")


def compiled_searches(name: str) -> CompiledSearches:
    positions = enumerate_positions(Game(name))
    policies: dict[AI, Policy] = {}

    def policy(ai: AI) -> Policy:
        if ai not in policies:
            policies[ai] = policy_of(ai.on(positions.game), positions)
        return policies[ai]

    return CompiledSearches(positions, classify(positions), policy)


def representatives(positions: Positions) -> Ints:
    """Return one position of each unfinished class, by its number."""
    found = classify(positions).representative
    playing: Ints = found[positions.status[found] == Status.PLAYING]
    return playing


def require_equal(
    name: str, searches: list[GridSearch], numbers: Ints, kernels: CompiledSearches
) -> None:
    """Run settings in positions in both ways."""
    slow = make_searches.run_slowly(Game(name), searches, numbers)
    for setting, scores, nodes in zip(searches, *slow, strict=True):
        fast = kernels.count(setting.options(), numbers)
        assert fast.scores.tobytes() == scores.tobytes(), setting  # also the sign of 0
        assert fast.nodes.tolist() == nodes.tolist(), setting


@pytest.mark.quick
@pytest.mark.parametrize("name", ["2x2k2", "3x2k2"])
def test_the_whole_grid_is_equal(name: str) -> None:
    numbers = representatives(enumerate_positions(Game(name)))
    require_equal(name, settings(), numbers, compiled_searches(name))


def test_the_grid_is_equal_in_positions_of_tictactoe() -> None:
    late = [n for n in representatives(enumerate_positions(Game("3x3k3"))).tolist() if n > 500]
    numbers = np.array(Random(20).sample(late, 8), np.int32)
    searches = [setting for setting in settings() if setting.seed in (None, 1)]
    require_equal("3x3k3", searches, numbers, compiled_searches("3x3k3"))


def outside_the_grid() -> list[GridSearch]:
    """List options that the grid does not combine."""
    found = []
    for algorithm, table, ordering, order_all in product(
        (Algorithm.ITERATIVE_DEEPENING, Algorithm.PVS), (False, True), ("ai1s", "ai14s"),
        (False, True),
    ):  # fmt: skip
        found.append(
            GridSearch(
                algorithm, ordering, order_all, use_table=table, evaluation="ai3s", max_depth=5
            )
        )
    for algorithm, table in product(
        (Algorithm.MINIMAX, Algorithm.SCOUT, Algorithm.MTDF, Algorithm.NULLWINDOW), (False, True)
    ):
        found.append(GridSearch(algorithm, "ai2s", use_table=table, seed=4))
    found += [
        GridSearch(Algorithm.DEPTH_LIMITED, "ai2s", max_depth=depth, evaluation="ai11s", seed=5)
        for depth in (0, 3)
    ]
    return found


def test_searches_outside_the_grid_are_equal() -> None:
    """ai3s values a corner and an edge alike, and the images of a position differently."""
    for name in ("3x2k2-misere", "3x3k3-gravity"):
        numbers = representatives(enumerate_positions(Game(name)))[:40]
        require_equal(name, outside_the_grid(), numbers, compiled_searches(name))


def test_finished_positions_are_one_node() -> None:
    """Their score is the result, or the evaluation of the position itself."""
    positions = enumerate_positions(Game("3x2k2"))
    finished = np.flatnonzero(positions.status != Status.PLAYING).astype(np.int32)
    searches = [
        GridSearch(Algorithm.ALPHABETA, shortest_victory=True),
        GridSearch(Algorithm.MONTE_CARLO, seed=1),
        GridSearch(Algorithm.PVS, evaluation="ai14s"),
    ]
    require_equal("3x2k2", searches, finished, compiled_searches("3x2k2"))


@pytest.mark.quick
@pytest.mark.parametrize("ai", BY_SEARCH, ids=lambda ai: ai.name)
def test_a_search_as_an_ai_chooses_the_same(ai: AI) -> None:
    for name in SMALL:
        positions = enumerate_positions(Game(name))
        slow = policy_of(ai.on(positions.game), positions)
        fast = compiled_searches(name).policy(options_of(Algorithm(ai.name), **dict(ai.parameters)))  # type: ignore[arg-type]
        assert slow.ai_score is not None
        assert fast.ai_score is not None
        assert fast.is_candidate.tolist() == slow.is_candidate.tolist()
        assert fast.ai_score.tobytes() == slow.ai_score.tobytes()  # also the sign of 0


def test_a_search_that_needs_more_words_gets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.arange(1, dtype=np.int32)
    for options in (
        options_of(Algorithm.ALPHABETA, ordering="ai2s", seed=3),
        options_of(Algorithm.MONTE_CARLO, seed=3),
    ):
        expected = Search(options, Graph(new_board(Game("3x2k2")))).result(EMPTY)
        with monkeypatch.context() as few:
            few.setattr(batch, "_FEW_WORDS", 1)
            found = compiled_searches("3x2k2").count(options, numbers)
        assert (found.scores.tolist(), found.nodes.tolist()) == ([expected.score], [expected.nodes])


@pytest.mark.quick
@pytest.mark.parametrize("name", ["3x2k3-torus", "8x4k2-gravity"])
def test_images_have_the_numbers_of_the_mirrored_marks(name: str) -> None:
    """Two masks of the second game do not fit one integer."""
    positions = enumerate_positions(Game(name))
    found = compiled_searches(name).image
    for symmetry, number in zip(symmetries(positions.game), found, strict=True):
        assert (positions.circle[number] == images(symmetry, positions.circle)).all()
        assert (positions.cross[number] == images(symmetry, positions.cross)).all()


@dataclass(frozen=True)
class MoreOptions(Options):
    """Options with one that only the recursion knows."""

    even_first: bool = False


def test_the_recursion_searches_what_the_kernels_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    """A weight of 0.1 is a fraction in the recursion; 0.1 + 0.2 is 0.3 there, and not here."""
    traits = TRAITS[Algorithm.ALPHABETA]
    changed = traits._replace(used=traits.used | {"even_first"})
    monkeypatch.setitem(TRAITS, Algorithm.ALPHABETA, changed)
    knows = compiled_searches("2x2k2").knows
    limited = partial(options_of, Algorithm.DEPTH_LIMITED, max_depth=2)
    assert all(knows(setting.options()) for setting in settings())
    assert knows(MoreOptions())
    assert not knows(MoreOptions(even_first=True))
    assert not knows(options_of(Algorithm.UCT))
    assert not knows(options_of(Algorithm.SSS, use_table=True))
    assert knows(limited(evaluation="ai14s:score_102=0.25"))
    assert not knows(limited(evaluation="ai14s:score_102=0.1"))
    assert not knows(options_of(Algorithm.ALPHABETA, ordering="ai14s:score_102=0.1"))


@pytest.mark.quick
def test_without_numba_the_recursion_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("3x2k3-torus")
    numbers = np.arange(3, dtype=np.int32)
    searches = [GridSearch(Algorithm.ALPHABETA), GridSearch(Algorithm.MONTE_CARLO, seed=2)]
    prepare = make_ais.compiled_searches.__wrapped__  # without its cache
    monkeypatch.setattr(make_searches, "compiled_searches", prepare)
    assert prepare(game) is not None
    fast = make_searches.run(game, searches, numbers)
    monkeypatch.setitem(sys.modules, CompiledSearches.__module__, None)
    assert prepare(game) is None
    assert np.array_equal(fast, make_searches.run(game, searches, numbers))


def test_a_build_without_numba_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_ais, "find_spec", lambda name: None)
    make_ais.make_ai_moves(BuildContext(Game("3x2k3-torus")))
    cure = "run `make data` in the checkout"
    assert capsys.readouterr().err == f"with Numba, this takes a fraction of the time: {cure}\n"
