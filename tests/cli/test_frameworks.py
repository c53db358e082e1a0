"""Our AIs and values in the terms of other frameworks, with stand-ins for their packages.

`make outside` runs the frameworks' own conformance tests on the same objects.
"""

import pickle
import sys
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import marubatsu as mb
from marubatsu import frameworks
from marubatsu.engine.ais.ai import AIError
from marubatsu.engine.rules.board_text import BoardError
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import Side
from marubatsu.judge.bridges.our_environments import Episode
from marubatsu.pipeline.support.errors import UsageError
from tests.helpers.frameworks.stand_ins import State, modules


@pytest.fixture(autouse=True)
def _stand_ins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MARUBATSU_DATA", str(tmp_path))
    for name, module in modules().items():
        monkeypatch.setitem(sys.modules, name, module)


def first(board: str, legal: list[int]) -> int:
    return legal[0]


def test_a_bot_plays_and_returns_its_policy() -> None:
    bot = frameworks.openspiel_bot("3x2k2", "perfect", seed=1)
    state = State("3x2k2", 0)
    policy, action = bot.step_with_policy(state)
    assert bot.provides_policy()
    assert policy == bot.get_policy(state) == [(each, 1 / 5) for each in range(1, 6)]
    assert action in state.legal_actions()
    assert bot.step(State("3x2k2", 1, 0)) in (3, 4, 5, 2)
    bot.restart()
    bot.restart_at(state)
    bot.inform_action(state, 0, 1)
    weighs = frameworks.openspiel_bot("3x2k2", lambda board, legal: {0: 0.75, 4: 0.25}, seed=1)
    assert weighs.get_policy(State("3x2k2"))[:2] == [(0, 0.75), (1, 0.0)]
    falls = frameworks.openspiel_bot("4x4k3-gravity", first, seed=1)
    assert falls.get_policy(State("4x4k3-gravity", 0, 0, 0, 0)) == [(1, 1.0), (2, 0.0), (3, 0.0)]


@pytest.mark.parametrize(
    ("state", "complaint"),
    [
        (State("2x3k2"), "expected one of 3x2k2"),  # as many actions
        (State("3x2k3", 0), "expected one of 3x2k2"),
        (State("3x2k2-misere", 0), "expected one of 3x2k2"),
        (State("3x2k2", 0, 5, 1), r"has the actions \[\], .* expected an unfinished state"),
    ],
)
def test_a_bot_refuses_states_of_other_games(state: State, complaint: str) -> None:
    bot = frameworks.openspiel_bot("3x2k2", first)
    with pytest.raises(UsageError, match=complaint):
        bot.step(state)


CONNECTX = {"columns": 4, "rows": 2, "inarow": 3}


def test_an_agent_of_connectx_reads_the_board_of_the_configuration() -> None:
    agent = frameworks.connectx_agent("perfect_sv", seed=0)
    assert agent({"board": [0, 0, 0, 0, 0, 1, 1, 2], "mark": 2}, CONNECTX) == 0
    taller = {"columns": 1, "rows": 3, "inarow": 3}
    assert agent({"board": [0, 2, 1], "mark": 1}, taller) == 0
    assert agent.__code__.co_argcount == 2  # Kaggle hands over as many arguments.


@pytest.mark.parametrize(
    ("board", "mark", "error", "complaint"),
    [
        ([0] * 8, 2, UsageError, "has mark 2, but its board has 0 marks: expected mark 1"),
        (None, 1, UsageError, "the board is None: expected 0, 1 and 2 as its cells"),
        ([3] * 8, 1, UsageError, "expected 0, 1 and 2 as its cells"),
        ([0.0] * 8, 1, UsageError, "expected 0, 1 and 2 as its cells"),
        ([[0] * 4] * 2, 1, UsageError, "expected 0, 1 and 2 as its cells"),
        ([0] * 7, 1, BoardError, "expected 8 cells"),
        ([1] + [0] * 7, 2, BoardError, "nothing supports the mark on cell 0"),
    ],
)
def test_an_agent_of_connectx_refuses_boards_that_play_does_not_reach(
    board: list[Any], mark: int, error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error, match=complaint):
        frameworks.connectx_agent("ai1")({"board": board, "mark": mark}, CONNECTX)


def test_an_aec_environment_plays_a_game_with_exact_infos() -> None:
    env = frameworks.aec_env("3x2k2", render_mode="ansi")
    env.reset(options={"board": mb.Position(1, 32)})
    assert (env.agent_selection, env.agents) == ("player_0", ["player_0", "player_1"])
    assert env.infos == {
        "player_0": {
            "score": 1, "score_mover": 1, "distance": 1,
            "best_moves": [1, 3, 4], "best_actions": [2, 1, 3],
        },
        "player_1": {},
    }  # fmt: skip
    seen = env.observe("player_0")
    assert seen["observation"].tolist() == [[[1, 0], [0, 0]], [[0, 0], [0, 0]], [[0, 0], [0, 1]]]
    assert seen["action_mask"].tolist() == [0, 1, 1, 1, 1, 0]
    other = env.observe("player_1")
    assert (other["observation"][..., ::-1] == seen["observation"]).all()
    assert other["action_mask"].sum() == 0
    with pytest.raises(UsageError, match="action 0 is not legal"):
        env.step(0)
    env.step(2)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.infos == {"player_0": {"loss": 0}, "player_1": {}}
    assert env.render() == " o | o | 2\n---+---+---\n 3 | 4 | x"
    env.step(None)
    assert env.agents == ["player_0"]
    assert env.observation_space("player_0")["observation"][:3] == (0, 1, (3, 2, 2))
    assert env.action_space("player_1") == 6
    env.close()


def test_an_info_has_only_proved_values() -> None:
    """Gymnasium's vectors of environments join infos, and fail where one has None for a number."""
    oracle: Any = SimpleNamespace(within=lambda board: SimpleNamespace(score=None, best_moves=()))
    assert Episode(Game("3x2k2"), lambda: oracle, None).info(Side.CIRCLE) == {
        "best_moves": [], "best_actions": [],
    }  # fmt: skip


def test_an_info_has_the_loss_of_the_last_move_of_its_agent() -> None:
    env, aec = frameworks.gym_env("tictactoe", first), frameworks.aec_env("tictactoe")
    assert "loss" not in env.reset(seed=0, options={"board": "ox......."})[1]
    assert env.step(7)[4]["loss"] == mb.reward("tictactoe", "ox.......", 5).loss == 1
    aec.reset()
    losses = []
    for action in (0, 3, 7):
        aec.step(action)
        losses.append([aec.infos[agent].get("loss") for agent in aec.agents])
    assert losses == [[0, None], [0, 1], [1, 1]]


def test_a_board_is_read_by_the_numbering_that_errors_name() -> None:
    moves, game = [0, 0, 1], "4x4k3-gravity"
    env = frameworks.aec_env(game, truth=False)
    env.reset(options={"board": moves, "numbering": "columns"})
    seen = env.observe("player_1")["observation"]
    assert np.argwhere(seen).tolist() == [[2, 0, 0], [3, 0, 1], [3, 1, 1]]
    assert frameworks.player(game, first, numbering="columns")(moves) == 4
    assert mb.question(moves, game, numbering="columns").board == "........x...oo.."


def test_a_gym_environment_replies_by_its_seed() -> None:
    env = frameworks.gym_env("3x2k2-misere", "ai2", side="cross")
    assert env.spec == ("marubatsu/3x2k2-misere-v0", "marubatsu.frameworks:gym_env")
    begun = [env.reset(seed=seed)[0]["observation"].tolist() for seed in (0, 0, *range(8))]
    assert begun[0] == begun[1]
    assert len(set(map(str, begun))) > 1
    seen, info = env.reset(options={"board": "o.x..o"})
    assert seen["observation"].sum() == 3
    assert set(info) == {"score", "score_mover", "distance", "best_moves", "best_actions"}
    assert info["score_mover"] == -info["score"]
    action = int(seen["action_mask"].argmax())
    assert env.step(action)[3] is False
    assert env.render() is None
    env.reset(seed=0)
    with pytest.raises(UsageError, match="where cross moves, or an environment with side='circle'"):
        env.reset(options={"board": "o.x..."})
    with pytest.raises(UsageError, match="expected reset"):
        env.step(action)
    with pytest.raises(UsageError, match="2x2k1 is over before cross moves"):
        frameworks.gym_env("2x2k1", "ai2", side="cross").reset(seed=0)


def test_environments_and_players_are_copied_in_the_middle_of_a_game() -> None:
    env, aec = frameworks.gym_env("3x2k2-misere", "ai2"), frameworks.aec_env("3x2k2-misere")
    player = frameworks.player("3x2k2-misere", "ai2", seed=0)
    env.reset(seed=0)
    aec.reset(options={"board": "o....."})
    pickled = pickle.dumps((env, aec, player))
    copied = deepcopy((env, aec, player)), pickle.loads(pickled)  # noqa: S301, our own
    games = [
        (str(gym.step(0)), one.infos, [choose("......") for _ in range(9)])
        for gym, one, choose in ((env, aec, player), *copied)
    ]
    assert games[0] == games[1] == games[2]


def test_a_game_of_gym_ends_by_a_line_and_by_an_illegal_action() -> None:
    env = frameworks.gym_env("4x2k3-gravity", first, truth=False, render_mode="ansi")
    env.reset(seed=0, options={"board": "o...x.xo", "first": "x"})
    _, reward, is_over, _, info = env.step(1)
    assert (reward, is_over, info) == (1.0, True, {})
    assert env.render() == " x |   |   |\n---+---+---+---\n o | o | o | x\n a   b   c   d"
    with pytest.raises(UsageError, match="expected reset"):
        env.step(0)
    env.reset()
    assert env.step(4)[1:] == (-1.0, True, False, {"illegal_action": 4})
    env.reset()
    for action in (None, 1.0, 1.5, True, "1", np.array([1])):
        with pytest.raises(UsageError, match="is no action: expected an int"):
            env.step(action)
    assert env.step(np.int64(1))[1:] == (0.0, False, False, {})
    lost = frameworks.gym_env("2x2k2", first, side="cross", truth=False)
    lost.reset(seed=0)
    assert lost.step(3)[1:] == (-1.0, True, False, {})


WRONG: list[tuple[Any, type[Exception], str]] = [
    (lambda: frameworks.connectx_agent()(None, CONNECTX), UsageError, "None and {'columns': 4, 'r"),
    (lambda: frameworks.connectx_agent()({"mark": 1}, {}), UsageError, "expected mappings with bo"),
    (lambda: frameworks.gym_env(side="both"), UsageError, "no side 'both': expected circle or"),
    (lambda: frameworks.gym_env(opponent="nobody"), AIError, "'nobody' names no AI"),
    (lambda: frameworks.gym_env(render_mode="human"), UsageError, "render_mode 'human': expected"),
    (lambda: frameworks.aec_env(render_mode="rgb"), UsageError, "render_mode 'rgb': expected ansi"),
    (lambda: frameworks.aec_env(time=-1), UsageError, "time=-1: expected 0 to 86,400 seconds"),
    (lambda: frameworks.openspiel_bot(ai="command:true"), UsageError, "a process of its own"),
    (
        lambda: frameworks.aec_env("2x2k2").reset(options=["o..."]),
        UsageError,
        r"options=\['o\.\.\.'\]: ",
    ),
    (lambda: frameworks.aec_env("2x2k2").reset(options={"bord": "o..."}), UsageError, "mean board"),
    (lambda: reset("oxx."), BoardError, "no game"),
    (lambda: reset(2), BoardError, "2 is no position: expected the text of a board"),
    (lambda: reset("oox."), UsageError, "'oox.' is f"),
]


def reset(board: Any) -> None:
    frameworks.aec_env("2x2k2").reset(options={"board": board})


@pytest.mark.parametrize(("call", "error", "complaint"), WRONG, ids=range(len(WRONG)))
def test_wrong_arguments_are_refused(call: Any, error: type[Exception], complaint: str) -> None:
    with pytest.raises(error, match=complaint):
        call()
