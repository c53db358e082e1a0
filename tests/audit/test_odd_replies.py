"""Odd replies in the terms of other frameworks: an adapter plays what the framework plays."""

from typing import Any

import pytest

from marubatsu.engine.players.reply import Fault, Reply
from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.pipeline.frameworks.actions import action_of, position_after
from marubatsu.pipeline.frameworks.aec_form import aec_action
from marubatsu.pipeline.frameworks.gtp_programs import Lines
from marubatsu.pipeline.frameworks.interfaces import AnswerError, chooser
from tests.helpers.frameworks.odd_replies import BEFORE, GTP, GTP_WORDS, SOURCES, boards_of

BOARDS = [
    (interface, name)
    for interface in SOURCES
    if interface != "gtp"
    for name in boards_of(interface)
]


class Bot:
    """An agent of any framework that has one answer."""

    def __init__(self, answer: Any) -> None:
        """Take the answer."""
        self._answer = answer

    def step(self, state: Any) -> Any:
        """Answer as a bot of OpenSpiel."""
        return self._answer

    def __call__(self, *asked: Any) -> Any:
        """Answer as a function."""
        return self._answer


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


@pytest.mark.parametrize(("interface", "name"), BOARDS)
def test_an_adapter_plays_what_its_framework_plays(interface: str, name: str) -> None:
    rows = boards_of(interface)[name]
    assert len(rows) >= 60
    for reply, plays in rows:
        assert played(interface, name, reply) == plays, reply


@pytest.mark.parametrize(("answer", "is_played"), GTP)
def test_a_gtp_program_plays_what_a_controller_reads(answer: str, is_played: bool) -> None:  # noqa: FBT001
    for word, written in GTP_WORDS["vertices"].items():
        answer = answer.replace(word, written)
    lines = Lines(Game("tictactoe"))
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
        lambda *asked: 2 if not asked else 0,  # Kaggle counts the arguments that have a name.
    ],
)
def test_a_connectx_agent_gets_as_many_arguments_as_there(agent: Any) -> None:
    choose = chooser("connectx", agent, Game("connect4"))
    assert choose("." * 42, list(range(35, 42))) == 37
