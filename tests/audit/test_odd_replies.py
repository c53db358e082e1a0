"""Odd replies in the terms of other frameworks: an adapter plays what the framework plays."""

from typing import Any

import numpy as np
import pytest

from marubatsu.engine.ais.reply import Fault, Reply
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents.interfaces import AnswerError, chooser
from marubatsu.judge.bridges.actions import action_of, position_after
from marubatsu.judge.bridges.gtp import Dialogue
from marubatsu.judge.bridges.pettingzoo import aec_action
from tests.helpers.frameworks.odd_replies import BEFORE, BOARDS, GTP, GTP_WORDS, Bot, boards_of

KINDS = [(interface, name) for interface, (names, _) in BOARDS.items() for name in names]


def played(interface: str, name: str, reply: Any) -> int | None:
    """Return the action that our adapter reads in a reply, None where it refuses the reply."""
    game = Game(name)
    position = position_after(game, BEFORE[name])
    choose = chooser(interface, Bot(reply), game)
    try:
        cell = choose(to_text(game, position), list(game.legal_moves(position)))
    except AnswerError:
        return None
    return aec_action(game, cell) if interface == "aec" else action_of(game, cell)


@pytest.mark.parametrize(("interface", "name"), KINDS)
def test_an_adapter_plays_what_its_framework_plays(interface: str, name: str) -> None:
    rows = boards_of(interface)[name]
    assert len(rows) >= 60
    for reply, plays in rows:
        assert played(interface, name, reply) == plays, reply


@pytest.mark.parametrize(("answer", "is_played"), GTP)
def test_a_gtp_program_plays_what_a_controller_reads(answer: str, is_played: bool) -> None:  # noqa: FBT001
    for word, written in GTP_WORDS["vertices"].items():
        answer = answer.replace(word, written)
    lines = Dialogue(Game("tictactoe"))
    lines.question("....o....", [0, 1, 2, 3, 5, 6, 7, 8])
    last = None
    for line in f"=\n\n=\n\n=\n\n{answer}".split("\n")[:-1]:
        last = lines.heard(line.encode())
    assert last is not None
    if is_played:
        assert last.answer == Reply((2,))
    else:
        assert isinstance(last.answer, Fault)


@pytest.mark.parametrize(
    "agent",
    [
        lambda observation: 2,
        lambda observation, configuration: 2,
        lambda observation, configuration=None: 2,
        Bot(2),  # It has no code of its own, so it gets both.
        lambda *args: 2 if not args else 0,  # Kaggle counts the arguments that have a name.
    ],
)
def test_a_connectx_agent_gets_as_many_arguments_as_there(agent: Any) -> None:
    choose = chooser("connectx", agent, Game("connect4"))
    assert choose("." * 42, list(range(35, 42))) == 37


CHANCES = np.array([0, 0.125, 0, 0, 0.5, 0, 0.375, 0, 0])
SAME = [(3, 0.125), (4, 0.5), (2, 0.375)]


@pytest.mark.parametrize(
    ("policy", "read"),
    [
        *((same, SAME) for same in (
            CHANCES, CHANCES.tolist(), CHANCES.astype(np.float16), [*CHANCES.astype(np.float32)],
            np.ma.array(CHANCES), (CHANCES * (1 + 1e-7)).tolist(),
            [-0.0, 0.125, 0, -0.0, 0.5, 0, 0.375, 0, -0.0],
        )),
        (np.eye(9, dtype=np.int8)[5], [(7, 1.0)]),
        ([0, 0.3333, 0, 0, 0.3333, 0, 0.3333, 0, 0], [(3, 0.3333), (4, 0.3333), (2, 0.3333)]),
        (np.array([0.25, 0.25, 0, 0, 0.5, 0, 0, 0, 0]), "illegal move: chances of illegal actions"),
        (np.eye(9)[8], "actions (8: 1); legal: 1, 2, 3, 4, 5, 6, 7; apply the mask before softmax"),
        (np.array([0, 0, 0, 0, 0, 0, 0, 0, 0.99]), "8: 0.99; expected chances of 0 or more"),
        (np.array([0, np.nan, 0, 0, 0.5, 0, 0.5, 0, 0]), "1: nan, 2: 0"),
        (np.array([-np.inf, 0.25, 0, 0, 0.5, 0, 0.25, 0, 0]), "0: -inf, 1: 0.25"),
        *((scores, "apply softmax over the legal actions, or") for scores in (
            np.array([-3.5, 1, 0, 0, 2, 0, 0.5, 0, 0]), np.log(np.eye(9)[4] + 1e-9),
        )),
        *((no_chances, "expected chances of 0 or more that add up to 1") for no_chances in (
            np.zeros(9), np.arange(9), CHANCES * 0.99, CHANCES * 100,
        )),
        (CHANCES[None, :], "expected an action, one of 1, 2, 3, 4, 5, 6, 7; PettingZoo takes"),
        *((other, "a chance for every action is read, too") for other in (
            CHANCES[:8], CHANCES > 0, [*map(str, CHANCES)], dict(enumerate(CHANCES)), "0.25, 0.75",
        )),
    ],
)  # fmt: skip
def test_a_masked_policy_may_return_a_chance_for_every_action(policy: Any, read: Any) -> None:
    choose = chooser("aec", lambda observation, action_mask: policy, Game("tictactoe"))
    board, legal = "o.......x", [1, 2, 3, 4, 5, 6, 7]
    if isinstance(read, list):
        assert [(cell, pytest.approx(chance, abs=1e-7)) for cell, chance in read] == choose(
            board, legal
        )
        return
    with pytest.raises(AnswerError) as caught:
        choose(board, legal)
    assert read in str(caught.value.fault)
