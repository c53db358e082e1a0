"""The figures and gates of audits, against plain loops: our AIs, and AIs that are half right."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from fractions import Fraction
from functools import cache, lru_cache
from inspect import getmembers, isfunction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import marubatsu as mb
from marubatsu.judge.audit.audit_report import Audit
from marubatsu.judge.audit.requirements import parse_requirements
from tests.helpers.broken import partly_right
from tests.helpers.data.data_sets import Solutions
from tests.helpers.processes.commands import run_here
from tests.helpers.slow import slow_figures
from tests.helpers.slow.slow_ais import empty
from tests.helpers.slow.slow_figures import Choose, Figures, created, figures

HALF_RIGHT = {
    name: function
    for name, function in getmembers(partly_right, isfunction)
    if function.__module__ == partly_right.__name__ and not name.startswith("_")
}


def chances_of(answer: Any, board: str) -> Mapping[int, Fraction]:
    """Return the candidates that an answer gives; an illegal one, or none, is every legal one."""
    legal = empty(board)
    weights = answer if isinstance(answer, dict) else dict.fromkeys(np.atleast_1d(answer), 1)
    weights = weights or dict.fromkeys(legal, 1)
    is_even = len({*weights.values()}) == 1
    chances: dict[int, Fraction] = {}
    for move, weight in weights.items():
        moves = [move] if move in legal else legal
        exact = Fraction(1 if is_even else weight).limit_denominator(10**6) / len(moves)
        chances |= {each: chances.get(each, 0) + exact for each in moves}
    return {move: chance / sum(chances.values()) for move, chance in chances.items()}


@lru_cache(maxsize=1)  # One test asks for the choices of one AI.
def choice_of(function: Callable[[str, list[int]], Any]) -> Choose:
    """Return what an audit must take an AI to choose."""

    @cache
    def choose(board: str) -> Mapping[int, Fraction]:
        try:
            return chances_of(function(board, empty(board)), board)
        except KeyError:
            return chances_of((), board)

    return choose


@cache
def twin(name: str) -> Figures:
    """Return the figures of a half-right AI by plain loops."""
    return figures(choice_of(HALF_RIGHT[name]))


def test_known_figures_of_our_ais(root: Path) -> None:
    """Members and representatives are counted apart; only the shortest victory wastes no ply."""
    ais = ("ai1", "monte_carlo", "ai14s", "minimax", "perfect_sv")
    found = {ai: mb.audit(ai, data=root).verdicts for ai in ais}
    assert {ai: (each.classes_right, each.representatives_right) for ai, each in found.items()} == {
        "ai1": (11, 138), "monte_carlo": (371, 407), "ai14s": (424, 424), "minimax": (431, 431),
        "perfect_sv": (431, 431),
    }  # fmt: skip
    wasted = {ai: each.mean_plies_lost for ai, each in found.items() if each.strongly_solved}
    assert wasted == {"minimax": 0.2253, "perfect_sv": 0.0}


@pytest.fixture(scope="module")
def audits(root: Path) -> dict[str, Audit]:
    return {name: mb.audit(function, data=root) for name, function in HALF_RIGHT.items()}


@pytest.mark.parametrize("name", HALF_RIGHT)
def test_a_half_right_ai_is_judged_in_every_position(audits: dict[str, Audit], name: str) -> None:
    audit, expected = audits[name], asdict(twin(name))
    as_json = json.loads(json.dumps(audit.to_json()))
    (row,) = audit.verdict_row().records()
    assert {column: getattr(audit.verdicts, column) for column in expected} == expected
    for verdicts in (as_json["verdicts"], row):
        assert verdicts | expected == verdicts
    assert "exchanged marks" not in {finding["kind"] for finding in as_json["findings"]}
    share = expected["positions_right"] / expected["positions"]
    assert as_json["verdicts"]["share_right_at_least"] == share
    blunders = [(row["board"], row["move"]) for row in as_json["blunders"]]
    choose = choice_of(HALF_RIGHT[name])
    assert sorted(blunders) == sorted(slow_figures.blunders(choose))
    assert as_json["blunders_found"] == len(blunders)
    wrong = {row["ply"]: row["wrong"] for row in as_json["blunders_by_ply"]}
    assert wrong == slow_figures.wrong_by_ply(choose)


@pytest.mark.parametrize("name", HALF_RIGHT)
def test_text_and_page_say_what_a_half_right_ai_does(audits: dict[str, Audit], name: str) -> None:
    expected, text = twin(name), str(audits[name])
    page = audits[name]._repr_html_()
    right = (
        f"right in {expected.classes_right} of 431 critical classes, "
        f"{expected.positions_right:,} of 3,191 critical positions"
    )
    wasted = f"astes {expected.mean_plies_lost:.4f} plies on average where it keeps the score"
    for message in (text, page):
        assert right in message
        assert (wasted in message) == (expected.mean_plies_lost > 0)
        assert ("solves the game strongly" in message.lower()) == expected.strongly_solved
        weakly = audits[name].verdicts.weakly_solved
        assert ("solves the game weakly" in message.lower()) == weakly
        exploited = audits[name].verdicts.exploitability
        assert ("s not exploitable" in message) == (exploited == 0)


@pytest.mark.parametrize(
    ("name", "positions_right"),
    [
        ("best_in_representatives", 1615), ("wrong_in_one_member", 3190), ("weighs_all", 0),
        ("weighs_outside", 431), ("silent_in_some", 2553), ("slow", 3191),
    ],
)  # fmt: skip
def test_both_share_requirements_count_all_positions(
    audits: dict[str, Audit], name: str, positions_right: int
) -> None:
    assert twin(name).positions_right == positions_right
    share = positions_right / 3191
    percent = f"it is right in {100 * share:.2f} % of the critical positions"
    for least in {min(1, share + 1e-5), max(1e-9, share - 1e-5)}:
        lacks = [gate(audits[name]) for gate in parse_requirements([f"share={least}"], least=least)]
        assert [str(lack).count(percent) for lack in lacks] == [int(share < least)] * 2
        assert (None in lacks) == (share >= least)
    (strong,) = parse_requirements(["strong"])
    assert (strong(audits[name]) is None) == (name == "slow")


def test_one_position_of_each_class_says_so(solutions: Solutions) -> None:
    """Positions and classes are the same number; no representative need be among them."""
    data = solutions.of("tictactoe")
    whole = mb.audit(partly_right.slow, sample="all", data=data)
    assert "right in 431 of 431 critical positions, one of each class\n" in str(whole)
    lacks = [gate(whole) for gate in parse_requirements(["strong"], least=1)]
    assert lacks == [
        "strong: it was asked in one position of each class, which does not prove the others",
        None,
    ]
    drawn = mb.audit(partly_right.weighs_all, sample=200, seed=1, data=data)
    assert drawn.interview.examined == 200
    count = drawn.verdicts.positions
    assert f"right in 0 of {count} critical positions of the sample, one of each class\n" in str(
        drawn
    )
    least, most = (f"{100 * share:.2f} %" for share in drawn.verdicts.share or ())
    assert f"is right in {least} to {most} of all critical positions, one of each" in str(drawn)
    (gate,) = parse_requirements([], least=0.5)
    assert str(gate(drawn)).endswith("at least 0.00 % of the critical positions, one of each class")


def test_plies_are_lost_alike_in_every_kind_of_audit(solutions: Solutions) -> None:
    """It loses as many plies in all members of a class: it does not matter which is asked."""
    function, data = partly_right.slow, solutions.of("tictactoe")
    choose = choice_of(function)
    boards = [board for board in created() if board == slow_figures.representative(board)]
    mean = slow_figures.half_up(slow_figures.mean_plies_lost(choose, boards), 4)
    whole = mb.audit(function, sample="all", data=data)
    drawn = mb.audit(function, positions="random", sample=1000, data=data)
    for audit in (whole, drawn):
        assert audit.verdicts.mean_plies_lost == mean
    assert drawn.sampled is not None
    for row in drawn.sampled.by_ply.records():
        here = [board for board in boards if 9 - board.count(".") == row["ply"]]
        lost = slow_figures.half_up(slow_figures.mean_plies_lost(choose, here), 4)
        assert row["mean_plies_lost"] == lost


def test_a_printed_audit_is_what_the_command_prints(root: Path) -> None:
    time = re.compile(r"\d+\.\d\d s")
    shown = run_here("audit", "ai7", "--game", "3x2k2", data=root).stdout
    assert time.sub("", f"{mb.audit('ai7', '3x2k2', data=root)}\n") == time.sub("", shown)
