"""The positions that the seed of an audit draws, and how many get two questions."""

from pathlib import Path

import pytest

import marubatsu as mb
from marubatsu.judge.audit import source
from marubatsu.judge.audit.verdicts import GAMES
from tests.audit.conftest import Counted

SMALL, LARGER = "3x2k2", "tictactoe"


@pytest.mark.parametrize("options", [{"most_questions": 20}, {"sample": "all"}])
def test_the_seed_draws_positions_and_members(root: Path, options: dict[str, object]) -> None:
    """Also where every class has a question, so that one side of the board is not enough."""
    questions = []
    for seed in (1, 1, 2):
        ai = Counted()
        found = mb.audit(ai, SMALL, seed=seed, matches=False, data=root, **options)  # type: ignore[arg-type]
        questions.append(ai.boards[: found.interview.examined])
    assert questions[0] == questions[1]
    assert set(questions[0]) != set(questions[2])


def test_each_critical_class_is_asked_about_twice(root: Path) -> None:
    found = mb.audit(Counted(), LARGER, matches=False, data=root)
    assert found.interview.asked_again == found.verdicts.classes == 431


def test_batches_share_what_is_asked_about_twice(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "_AGAIN", 5)
    monkeypatch.setattr(source, "_AHEAD", 8)
    found = mb.audit(Counted(), LARGER, positions="random", sample=60, matches=False, data=root)
    assert found.interview.asked_again == 5


def test_games_start_from_a_limited_number_of_positions(root: Path) -> None:
    found = mb.audit(Counted(), LARGER, positions="random", sample=GAMES + 40, data=root)
    assert found.sampled is not None
    assert found.interview.examined == GAMES + 40
    assert sum(found.sampled.starts.values()) == GAMES
