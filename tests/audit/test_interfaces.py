"""Agents of other frameworks: asked in their own terms, they are judged like ours."""

import io
import shlex
import sys
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
import pytest

import marubatsu as mb
from marubatsu.engine.ais.reply import Fault, Reply
from marubatsu.engine.rules.board_text import from_text, to_text
from marubatsu.engine.rules.game import Game
from marubatsu.judge.agents import interfaces
from marubatsu.judge.agents.agent_options import AgentOptions
from marubatsu.judge.agents.interfaces import (
    INTERFACES,
    AnswerError,
    NoAgentError,
    ReadLine,
    chooser,
)
from marubatsu.judge.bridges import gtp
from marubatsu.pipeline.support.errors import DataError, UsageError
from tests.audit.conftest import Write
from tests.helpers.data.played import played
from tests.helpers.frameworks import framework_agents
from tests.helpers.frameworks.framework_agents import agents
from tests.helpers.frameworks.odd_replies import Bot
from tests.helpers.processes.commands import Marubatsu, json_of
from tools.generators.run_pages import CHECKOUT

pytestmark = pytest.mark.programs

SMALL = "3x2k2"
PROGRAMS = [name for name, interface in INTERFACES.items() if interface.of_programs]


def judged(agent: Any, game: str, root: Path, interface: str | None = None) -> dict[str, Any]:
    """Return the JSON of an audit but the name, and what runs the agent."""
    patient: AgentOptions = {"timeout": 60} if isinstance(agent, str) else {}
    found = mb.audit(agent, game, interface=interface, data=root, **patient).to_json()
    of_its_place = ("ai", "not_confined", "could_read_answers")
    return {name: part for name, part in found.items() if name not in of_its_place}


@pytest.mark.parametrize("interface", INTERFACES)
def test_the_examples_take_the_first_column(root: Path, interface: str) -> None:
    def first(board: str, legal: list[int]) -> int:
        return min(legal, key=lambda cell: cell % 3)

    place = CHECKOUT / "examples" / INTERFACES[interface].example
    program = f"command:{shlex.quote(sys.executable)} {place}"
    address = program if interface in PROGRAMS else str(place)
    game = "3x3k3-gravity"
    assert judged(address, game, root, interface) == judged(first, game, root)


@pytest.mark.parametrize("interface", INTERFACES)
def test_the_document_has_each_interface_and_its_example(interface: str) -> None:
    text = (CHECKOUT / "docs" / "your-ai.md").read_text(encoding="utf-8")
    file = INTERFACES[interface].example.partition(":")[0]
    assert f"\n| [`{interface}`](../examples/{file}) |" in text


@pytest.mark.parametrize("interface", INTERFACES)
@pytest.mark.parametrize("name", ["3x4k3", "3x3k3-misere", "4x3k3-torus", "9x2k2-gravity-misere"])
def test_interfaces_pass_boards_of_every_kind_unchanged(name: str, interface: str) -> None:
    game, random = Game(name), Random(0)
    known = agents(game)
    positions = {position for _ in range(9) for position in played(game, random)}
    for position in sorted(positions):
        if legal := list(game.legal_moves(position)):
            board = to_text(game, position)
            assert answer(interface, known.get(interface), game, board) == known[""](board, legal)


def answer(interface: str, agent: Any, game: Game, board: str) -> Any:
    """Return what an agent answers in a position, as a function of ours."""
    legal = list(game.legal_moves(from_text(game, board)))
    if interface not in PROGRAMS:
        return chooser(interface, agent, game)(board, legal)
    lines = interfaces.dialogue_of(interface, game)
    question = io.StringIO(lines.question(board, legal).decode())
    with mock.patch.object(sys, "stdin", question), redirect_stdout(io.StringIO()) as answers:
        framework_agents.speak_gtp(game)
    *_, last = (lines.heard(line.encode()) for line in answers.getvalue().splitlines())
    assert last is not None
    assert isinstance(last.answer, Reply)
    return last.answer.moves[0]


def test_a_policy_becomes_weights_of_candidates(root: Path) -> None:
    def ours(board: str, legal: list[int]) -> dict[int, float]:
        return {legal[0]: 0.25, legal[-1]: 0.75} if len(legal) > 1 else {legal[0]: 1}

    class Policy:
        def action_probabilities(self, state: Any, player_id: int | None = None) -> Any:
            legal = state.legal_actions()
            if len(legal) == 1:
                return {legal[0]: 1.0}
            return {**dict.fromkeys(legal, 0.0), legal[0]: 0.25, legal[-1]: 0.75}

    class Bot:
        def __init__(self, player: int) -> None:
            self._player = player

        def provides_policy(self) -> bool:
            return True

        def step_with_policy(self, state: Any) -> Any:
            assert state.current_player() == self._player
            assert state is self._restarted
            policy = Policy().action_probabilities(state)
            return list(policy.items()), 99

        def restart_at(self, state: Any) -> None:
            assert state.history_str() == ", ".join(map(str, state.history()))
            self._restarted = state

        step = None

    expected = judged(ours, SMALL, root)
    assert not expected["verdicts"]["strongly_solved"]
    assert judged(Policy(), SMALL, root, "openspiel") == expected
    assert judged(Bot, SMALL, root, "openspiel") == expected


class _Policy(Bot):
    """A policy that gives one answer."""

    action_probabilities = Bot.step


def test_a_fault_is_a_finding_and_the_same_one_ends_the_audit(root: Path) -> None:
    found = judged(lambda text: "[0]", SMALL, root, "textarena")
    first = found["findings"][0]
    assert (first["kind"], first["board"]) == ("illegal move", "o.....")
    assert first["detail"].startswith("action 0 in '[0]'; legal: 1, 2, 3, 4, 5")
    for agent, interface, message in (
        (lambda observation, configuration: observation.no, "connectx",
         "AttributeError: 'Struct' object has no attribute 'no' (test_interfaces.py, line"),
        (SimpleNamespace(step=lambda state: state.no), "openspiel", "AttributeError: 'PlainState'"),
    ):  # fmt: skip
        with pytest.raises(DataError) as caught:
            judged(agent, SMALL, root, interface)
        ended = f"10 times in a row, the first time on ......: raises: {message}"
        assert ended in str(caught.value)


@pytest.mark.parametrize(
    ("interface", "agent", "kind", "message"),
    [
        ("connectx", lambda o, c: 99, "illegal move", "action 99; legal: 0, 1, 2, 3, 4, 5"),
        ("connectx", lambda o: "3", "wrong answer", "'3'; expected an action, one of 0, 1, 2, 3, "),
        ("aec", lambda o: None, "wrong answer", "None; expected an action, one of 0, 1, 2, 3"),
        ("openspiel", Bot(-1), "illegal move", "action -1; legal: 0, 1, 2, 3, 4, 5"),
        ("openspiel", _Policy({}), "no move", "its policy has no action"),
        ("openspiel", _Policy(7), "wrong answer", "7; expected actions with their chances"),
        ("openspiel", _Policy({0: -1.0, 1: 2.0}), "wrong answer",
         "0: -1, 1: 2; expected chances of 0 or more that add up to 1, within 0.001"),
        ("openspiel", _Policy({0: 0.5, 99: 0.5}), "illegal move",
         "chances of illegal actions (99: 0.5); legal: 0, 1, 2, 3, 4, 5; apply the "),
        ("textarena", lambda text: "[99] or [0]", "illegal move", "action 99 in '[99] or [0]'; "),
        ("textarena", lambda text: "the middle (4)", "no move", "'the middle (4)' has no move "),
        ("textarena", lambda text: 4, "wrong answer", "4; expected a text with a move such as [0]"),
    ],
)  # fmt: skip
def test_a_wrong_action_is_a_fault(interface: str, agent: Any, kind: str, message: str) -> None:
    with pytest.raises(AnswerError) as caught:
        chooser(interface, agent, Game(SMALL))("......", [*range(6)])
    fault = caught.value.fault
    assert fault.kind == kind
    assert f"{fault.detail}; {fault.cure}".startswith(message)


@pytest.mark.parametrize(
    ("answers", "kind", "detail"),
    [
        ("=\n\n? too small\n\n=\n\n= a1\n\n", "wrong answer",
         "'? too small' to 'clear_board'; expected ="),
        ("=\n\n=\n\n=\n\n? no idea\n\n", "wrong answer", "'? no idea' to 'genmove w'; exp"),
        ("=\n\n=\n\n=\n\n= resign\n\n", "no move", "'resign'; legal: b2, c2, a1, b1, c1"),
        ("=\n\n=\n\n=\n\n=\n\n", "no move", "''; legal: b2, c2"),
        ("=\n\n=\n\n=\n\n= a2\n\n", "illegal move", "'a2'; legal: b2, c2"),
        ("=\n\n=\n\n=\n\n= d9 at last\nmore\n\n", "illegal move",
         "'d9 at last\\nmore'; legal:"),
    ],
)  # fmt: skip
def test_answers_of_gtp_that_are_faults(answers: str, kind: str, detail: str) -> None:
    lines = gtp.Dialogue(Game(SMALL))
    commands = lines.question("o.....", [1, 2, 3, 4, 5]).decode()
    assert commands == "rectangular_boardsize 3 2\nclear_board\nplay b a2\ngenmove w\n"
    *before, last = (lines.heard(line.encode()) for line in answers.split("\n")[:-1])
    assert all(heard == ReadLine(None) for heard in before)
    assert last is not None
    assert isinstance(last.answer, Fault)
    assert last.answer.kind == kind
    assert last.answer.detail.startswith(detail)
    assert lines.heard(b"a1") is None


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("while read c; do echo '? what'; echo; done",
         "wrong answer: '. what' to 'rectangular_boardsize 3 2'"),
        ("read c; printf '1\\n\\nwhy\\n' >&2; exit 3",
         "crash: it ended with exit code 3, and last printed 'why'"),
    ],
)  # fmt: skip
def test_a_program_that_speaks_no_gtp_ends_the_audit(
    root: Path, program: Write, script: str, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        judged(program(script), SMALL, root, "gtp")


def test_an_answer_of_gtp_without_an_end_is_late(root: Path, program: Write) -> None:
    ai = program("while read c; do echo =; done")
    with pytest.raises(DataError, match=r"begins with = or \?, ends with an empty line, and is fl"):
        mb.audit(ai, SMALL, interface="gtp", timeout=0.1, data=root)


CONNECTX = f"{CHECKOUT}/examples/connectx_agent.py:agent"


def test_connectx_agents_play_against_ours(marubatsu: Marubatsu) -> None:
    options = ("ai14s", "--games", "5", "--format", "json")
    ours = json_of(marubatsu("match", "ai1", *options))
    theirs = json_of(marubatsu("match", CONNECTX, *options, "--as", "connectx"))
    tallies = [[(row["win"], row["lose"]) for row in rows] for rows in (ours, theirs)]
    assert tallies[0] == tallies[1]
    done = marubatsu("play", CONNECTX, "--as", "connectx", "--side", "cross")
    assert f"{CONNECTX} plays 0\n" in done.stdout
    found = mb.match("ai1", lambda text: "[0]", interface="textarena", game="1x1k1", games=1)
    assert (found.as_circle.win, found.as_cross.lose) == (1, 1)


def test_a_policy_of_observation_and_agent_is_refused_with_what_it_gets() -> None:
    """The documents of PettingZoo call policies so; here the second argument is the mask."""
    with pytest.raises(NoAgentError, match=r"is not given: expected f\(observation, action_mask\)"):
        chooser("aec", lambda observation, agent: 0, Game(SMALL))
    with pytest.raises(NoAgentError, match=r"info would be the mask of legal actions: expected f"):
        chooser("aec", lambda observation, info: 0, Game(SMALL))


def test_a_function_of_a_state_is_refused_with_what_it_gets() -> None:
    with pytest.raises(NoAgentError, match=r"it got the number of a player: expected a bot with"):
        chooser("openspiel", lambda state: state.legal_actions()[0], Game(SMALL))
    with pytest.raises(AttributeError):
        chooser("openspiel", lambda player: "".no, Game(SMALL))  # type: ignore[attr-defined]


@pytest.mark.parametrize("interface", ["aec", "connectx", "textarena"])
def test_an_async_agent_is_refused(interface: str) -> None:
    async def agent(observation: Any) -> int:
        return 0

    with pytest.raises(NoAgentError, match=r"write def, not async def$"):
        chooser(interface, agent, Game(SMALL))


@pytest.mark.parametrize("interface", ["aec", "series", "evaluation", "openspiel"])
def test_a_wrong_answer_is_quoted_on_one_line(interface: str) -> None:
    wrong = np.ones((2, 6))
    agent = _Policy(wrong) if interface == "openspiel" else lambda seen: wrong
    with pytest.raises(AnswerError, match=r"^array\(\[\[1\., .*\], \[1\., .*"):
        chooser(interface, agent, Game(SMALL))("......", [*range(6)])


@pytest.mark.parametrize("ours", [lambda board, legal: legal[0], lambda state, legal: legal[0]])
def test_a_function_of_ours_is_refused_as_an_agent_of_a_framework(ours: Any) -> None:
    message = r"legal\), as functions do without the option interface='connectx'.* the option save"
    with pytest.raises(NoAgentError, match=message):
        chooser("connectx", ours, Game(SMALL))


def test_two_ais_of_different_interfaces_are_refused_with_the_way_on(root: Path) -> None:
    message = "programs speak it, .* is none; .*; of two AIs .* audit one with the option save"
    with pytest.raises(UsageError, match=message):
        mb.match(len, f"command:{sys.executable}", SMALL, interface="gtp", data=root)


def test_an_exception_names_the_interface_by_which_the_ai_is_asked(root: Path) -> None:
    with pytest.raises(DataError, match=r"KeyError: 7 .*; it is asked by .* interface='connectx'$"):
        mb.audit(lambda b, c: b[7], SMALL, interface="connectx", data=root)
