"""Audits by a solution: all classes as the tables judge them, samples that say what they are."""

import json
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from marubatsu.engine.boards.bit_board import new_board
from marubatsu.engine.large.index import Index
from marubatsu.engine.notations.many_positions import masks_of_boards
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.masks import Bools
from marubatsu.engine.rules.position import Side
from marubatsu.engine.search.roster import find
from marubatsu.judge.agents.address import ai_at
from marubatsu.judge.agents.agent import SpentError
from marubatsu.judge.audit import games, mistakes, source
from marubatsu.judge.audit.audit_report import Audit, worst_of_classes
from marubatsu.judge.audit.games import Walked, walk
from marubatsu.judge.audit.interview import Choices
from marubatsu.judge.audit.requirements import parse_requirements
from marubatsu.judge.audit.run_audit import run
from marubatsu.judge.oracle.answer import Answers
from marubatsu.judge.oracle.choose_oracle import open_oracle
from marubatsu.judge.oracle.solution_oracle import SolutionClasses, SolutionOracle
from marubatsu.pipeline.tables.data_set import DataSet, Solution
from tests.helpers.data.audit_schema import complaints
from tests.helpers.data.data_sets import Solutions


@pytest.fixture(scope="module")
def solved(solutions: Solutions) -> Path:
    return solutions.of("4x3k3", "tictactoe")


def audit(root: Path, name: str, ai: str, sample: int | str | None = "all", seed: int = 0) -> Audit:
    """Audit an AI by a solution; by the tables when ``sample`` is None."""
    data_set = DataSet(root, Game(name))
    return run(data_set, [ai_at(ai, data_set)], {"sample": sample, "seed": seed})


@pytest.mark.parametrize("ai", ["ai2", "ai14s", "perfect"])
def test_all_classes_are_judged_as_by_the_tables(root: Path, solved: Path, ai: str) -> None:
    """These AIs do the same in all members of a class, whichever is shown."""
    tables = audit(root, "tictactoe", ai, None)
    found, more, unasked = (audit(solved, "tictactoe", ai, size) for size in ("all", 10**6, None))
    assert found.to_json() == more.to_json() == unasked.to_json()
    right, theirs = found.verdicts, tables.verdicts
    assert not right.is_sample
    assert (found.interview.examined, found.unfinished) == (627, 627)
    assert (right.classes, right.classes_right) == (theirs.classes, theirs.classes_right)
    assert right.classes == 431
    assert (right.positions, right.positions_right) == (431, right.classes_right)
    assert theirs.representatives_right == theirs.classes_right
    assert right.representatives_right is None
    assert right.share == ((right.classes_right or 0) / 431,) * 2
    assert theirs.share == ((theirs.positions_right or 0) / 3191,) * 2
    assert right.strongly_solved == (None if theirs.strongly_solved else False)
    blunders = worst_of_classes(tables).records()
    chances = [row["chance_percent"] for row in blunders]
    losses = [row["chance_percent"] * row["loss"] / 100 for row in blunders]
    assert right.best_move_percent == pytest.approx(100 - sum(chances) / 431, abs=0.01)
    assert right.expected_loss == pytest.approx(sum(losses) / 431, abs=1e-4)
    assert (right.as_circle, right.as_cross) == (theirs.as_circle, theirs.as_cross)
    for refuted in found.refutations.records():
        assert_loses(found.game, ai, refuted)
    assert len(found.refutations.rows) == [right.as_circle, right.as_cross].count(False)
    for audited in (found, tables):
        assert complaints(json.loads(json.dumps(audited.to_json()))) == []
    of_ours, known = (
        {(row["ply"], row["loss"]) for row in each.blunders.records()} for each in (found, tables)
    )
    assert of_ours <= known


def assert_loses(game: Game, ai: str, refuted: dict[str, Any]) -> None:
    """Assert that an AI plays its part of a line, and has lost at its end."""
    chooser, board = find(ai).on(game), new_board(game)
    for move in refuted["moves"]:
        if board.turn.word == refuted["side"]:
            assert move in chooser.choice(board).candidates
        board.make(board.move_of(move))
    assert board.text() == refuted["final_board"]
    assert board.status.word == Side[refuted["side"].upper()].other.word


def _chosen(truth: Answers, is_candidate: Bools) -> Choices:
    nowhere = np.zeros(len(truth.status), np.bool_)
    return Choices(is_candidate, is_candidate.astype(float), truth.unfinished, nowhere, nowhere)


def _plays_best(truth: Answers) -> Choices:
    return _chosen(truth, truth.is_best)


def test_a_walk_that_is_too_long_says_so(solved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = open_oracle(DataSet(solved, Game("4x3k3")))
    whole = walk(oracle, Side.CIRCLE, _plays_best, is_free=False)
    assert whole == Walked(never_loses=True)
    monkeypatch.setattr(games, "MOST_ASKED", 100)
    walked = walk(oracle, Side.CIRCLE, _plays_best, is_free=False)
    assert walked == Walked(never_loses=None)


def test_a_loss_stays_known_where_the_questions_end(solved: Path) -> None:
    """A walk that finds a lost position asks on, to show how it is lost."""
    oracle, found = open_oracle(DataSet(solved, Game("4x3k3"))), []
    for most in count():
        left = iter(range(most))

        def ask(truth: Answers, left: Iterator[int] = left) -> Choices:
            if next(left, None) is None:
                raise SpentError
            return _chosen(truth, truth.unfinished[truth.parent])

        with suppress(SpentError):
            found.append(walk(oracle, Side.CROSS, ask, is_free=False))
            if found[-1].line:
                break
    *cut, whole = found
    assert set(cut) == {Walked(never_loses=False)}
    assert whole.never_loses is False


def test_tables_without_ais_judge_as_the_solution_does(root: Path, solved: Path) -> None:
    """Every position against one member of each class, by an AI that treats all alike."""
    game = "4x3k3"
    every, members = audit(root, game, "ai7", None), audit(solved, game, "ai7")
    assert (every.unit, members.unit) == ("position", "class")
    assert every.interview.examined == every.unfinished == 79_563
    assert members.interview.examined == members.unfinished
    classes, by_class = every.verdicts, members.verdicts
    assert classes.classes_right == classes.representatives_right == by_class.classes_right
    assert classes.classes == by_class.classes == by_class.positions
    assert by_class.positions_right == by_class.classes_right
    assert (classes.as_circle, classes.as_cross) == (by_class.as_circle, by_class.as_cross)
    assert (by_class.exploitability, by_class.representatives_right) == (None, None)
    assert 0 < (by_class.exploitability_at_least or 0) < (classes.exploitability or 0)
    assert (every.seed, members.seed) == (None, 0)
    assert every.blunders_found > len(worst_of_classes(every).rows)
    assert members.blunders_found == len(worst_of_classes(members).rows)
    ours, theirs = every.refutations.records(), members.refutations.records()
    for one, other in zip(ours, theirs, strict=True):
        assert_loses(every.game, "ai7", one)
        assert one["length"] <= other["length"]


def test_blunders_show_members_of_classes_with_exact_losses(solved: Path) -> None:
    game = Game("4x3k3")
    found = audit(solved, "4x3k3", "ai2", 500, 3)
    oracle = SolutionOracle(Solution(solved, game))
    shown = circle, cross = masks_of_boards(game, found.blunders.column("board"))
    classes = SolutionClasses(np.bitwise_count(circle | cross), Index(game).of(circle, cross))
    assert not np.array_equal(shown, oracle.masks(classes))
    for row in found.blunders.records():
        answer = oracle.answer(row["board"])
        losses = {move.move: move.loss for move in answer.moves}
        assert row["loss"] == losses[row["move"]] > 0
        assert row["best_moves"] == list(answer.best_moves)
        assert row["chance_percent"] == round(100 / len(losses), 2)


def test_a_sample_is_the_same_with_the_same_seed(solved: Path) -> None:
    whole = audit(solved, "4x3k3", "ai2")
    first, again, other = (audit(solved, "4x3k3", "ai2", 2000, seed) for seed in (1, 1, 2))
    assert first.verdicts.is_sample
    assert (first.interview.examined, first.unfinished) == (2000, whole.unfinished)
    assert (first.by_ply, first.blunders) == (again.by_ply, again.blunders)
    assert first.blunders != other.blunders
    exact, _ = whole.verdicts.share or (-1, -1)
    for found in (first, other):
        least, most = found.verdicts.share or (0, 0)
        assert least <= exact <= most < least + 0.06
        assert found.verdicts.strongly_solved is False


def test_a_sample_without_a_mistake_proves_nothing(solved: Path) -> None:
    found = audit(solved, "4x3k3", "perfect", 300, 0)
    assert found.verdicts.classes_right == found.verdicts.classes > 50
    assert found.verdicts.strongly_solved is None
    assert "made no mistake, which proves nothing yet" in str(found)
    (strong,) = parse_requirements(["strong"])
    assert "a sample without a mistake proves nothing" in str(strong(found))
    assert found.matches.rows[0][4] == 0.0


def test_batches_add_up(solved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the members shown differ, which ai7 does not notice; the worst blunders are listed."""
    whole = audit(solved, "4x3k3", "ai7")
    monkeypatch.setattr(source, "_BATCH", 1000)
    monkeypatch.setattr(mistakes, "MOST_BLUNDERS", 50)
    found = audit(solved, "4x3k3", "ai7")
    assert found.verdicts == whole.verdicts
    assert found.by_ply == whole.by_ply
    assert found.interview.examined == whole.interview.examined > 20_000
    assert found.blunders_found == whole.blunders_found == len(whole.blunders.rows) > 50
    every, listed = (
        sorted((row["loss"], row["chance_percent"]) for row in each.blunders.records())
        for each in (whole, found)
    )
    assert listed == every[-50:]
    plies = found.blunders.column("ply")
    assert plies == sorted(plies)
