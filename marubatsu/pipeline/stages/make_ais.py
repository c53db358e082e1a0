"""The tables of AIs: the AIs, their view of every move, and all their matches."""

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from marubatsu.engine.ais.ai import AI
from marubatsu.engine.ais.matches import exact
from marubatsu.engine.ais.policy import Policy, policy_of, probabilities
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import RESULTS
from marubatsu.engine.search.options import Algorithm
from marubatsu.engine.search.roster import all_ais, find, options_of
from marubatsu.engine.tree.positions import Positions, classify, enumerate_positions
from marubatsu.pipeline.stages.stage import BuildContext
from marubatsu.pipeline.support.events import note
from marubatsu.pipeline.support.importing import how_to_install
from marubatsu.pipeline.tables.schemas import Columns, Labels, Nullable

if TYPE_CHECKING:
    from marubatsu.engine.kernels.batch import CompiledSearches

_FEW_POSITIONS = 200  # with fewer, loading Numba takes longer than all searches


def make(context: BuildContext) -> Columns:
    """Make one row per AI."""
    ais = sorted(all_ais(), key=lambda ai: ai.name)
    return {
        "ai": _each([ai.name for ai in ais]),
        "family": _each([ai.family for ai in ais]),
        "rule": _each([ai.rule for ai in ais]),
        "parameters": _each([json.dumps(dict(ai.parameters), default=float) for ai in ais]),
    }


def make_ai_moves(context: BuildContext) -> Columns:
    """Make one row per AI, unfinished position and legal move."""
    positions, policies = context.positions, context.once(_policies)
    names = tuple(sorted(policies))
    moves = len(positions.move)
    return {
        "ai": Labels(np.repeat(np.arange(len(names)), moves), names),
        "position": np.tile(positions.parent, len(names)),
        "move": np.tile(positions.move, len(names)),
        "ai_score": Nullable(
            np.concatenate([_values(policies[name]) for name in names]),
            np.repeat([policies[name].ai_score is None for name in names], moves),
        ),
        "is_candidate": np.concatenate([policies[name].is_candidate for name in names]),
        "probability": np.concatenate(
            [probabilities(positions, policies[name].is_candidate) for name in names]
        ),
    }


def make_matches(context: BuildContext) -> Columns:
    """Make one row per AI as circle and AI as cross."""
    policies = context.once(_policies)
    names = tuple(sorted(policies))
    candidates = np.stack([policies[name].is_candidate for name in names])
    numerators, denominator = exact(context.positions, candidates, candidates)
    flat = numerators.reshape(-1, len(RESULTS))
    numbers = np.arange(len(names))
    fractions = [[str(Fraction(int(n), denominator)) for n in column] for column in flat.T]
    return {
        "circle_ai": Labels(np.repeat(numbers, len(names)), names),
        "cross_ai": Labels(np.tile(numbers, len(names)), names),
        **{
            f"p_{result.word}": column / denominator
            for result, column in zip(RESULTS, flat.T, strict=True)
        },
        **{
            f"fraction_{result.word}": _each(column)
            for result, column in zip(RESULTS, fractions, strict=True)
        },
    }


def _policies(context: BuildContext) -> dict[str, Policy]:
    names = [ai.name for ai in all_ais()]
    if len(context.positions) >= _FEW_POSITIONS and find_spec("numba") is None:
        text = f"with Numba, this takes a fraction of the time: {how_to_install('solve')}"
        note("slow", text, library="numba")
    # The searches take longest, so they come first.
    answers = context.in_parallel(
        policy_by_name, [(context.game, name) for name in reversed(names)]
    )
    return dict(zip(reversed(names), answers, strict=True))


def policy_by_name(game: Game, name: str) -> Policy:
    """Compute the policy of one AI in every position."""
    ai = find(name)
    kernels = compiled_searches(game) if ai.family == "search" else None
    if kernels is not None:
        parameters: dict[str, Any] = dict(ai.parameters)
        options = options_of(Algorithm(ai.name), **parameters)
        if kernels.knows(options):
            return kernels.policy(options)
    return _policy(game, ai)


@cache
def _policy(game: Game, ai: AI) -> Policy:
    return policy_of(ai.on(game), _positions(game))


@cache
def compiled_searches(game: Game) -> "CompiledSearches | None":
    """Prepare compiled searches of a game; None without Numba, or when loading it takes longer."""
    positions = _positions(game)
    if len(positions) < _FEW_POSITIONS:
        return None
    try:
        from marubatsu.engine.kernels.batch import CompiledSearches
    except ImportError:  # Numba is an extra, and does not work with every NumPy.
        return None
    return CompiledSearches(positions, classify(positions), partial(_policy, game))


@cache
def _positions(game: Game) -> Positions:
    return enumerate_positions(game)


def _values(policy: Policy) -> Any:
    return np.zeros(len(policy.is_candidate)) if policy.ai_score is None else policy.ai_score


def _each(texts: Sequence[str]) -> Labels:
    """Give every row a text of its own."""
    return Labels(np.arange(len(texts)), tuple(texts))
