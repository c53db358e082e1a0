"""Games in the frameworks themselves, and the same positions asked by us.

``framework_games.py INTERFACE`` runs where that framework is installed, and prints the number of
positions. `tests/audit/test_outside_frameworks.py` runs it.
"""

import re
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from marubatsu.engine.rules.board_text import to_text
from marubatsu.engine.rules.game import Game
from marubatsu.engine.rules.position import EMPTY
from marubatsu.judge.agents.interfaces import chooser
from marubatsu.judge.bridges.actions import cells_by_action
from marubatsu.judge.bridges.openspiel import PlainState
from tests.helpers.frameworks.framework_agents import agents

GAMES = 20
"""Games of each kind; their number is the seed of the agents."""

Seen = list[tuple[Any, Any]]
"""The questions to an agent in each position, and its answers."""


def recorded(agent: Callable[..., Any], seen: Seen) -> Callable[..., Any]:
    """Return an agent that records its questions and its answers."""

    def ask(*message: Any) -> Any:
        seen.append((deepcopy(message), answer := agent(*message)))
        return answer

    return ask


def asked_by_us(interface: str, game: Game, agent: Any, actions: list[int]) -> list[int]:
    """Ask an agent in all positions of a game, and return its actions."""
    choose, position, found = chooser(interface, agent, game), EMPTY, []
    for action in actions:
        legal = list(game.legal_moves(position))
        cell = choose(to_text(game, position), legal)
        found.append(cell)
        assert cell == cells_by_action(game, legal)[action], (to_text(game, position), action)
        position = position.after(cell)
    assert not game.legal_moves(position)
    return found


def connectx() -> Iterator[int]:
    from kaggle_environments import make

    for name in ("7x6k4-gravity", "4x4k3-gravity"):
        game = Game(name)
        size = {"columns": game.columns, "rows": game.rows, "inarow": game.run}
        for seed in range(GAMES):
            agent, theirs, ours = agents(game, seed)["connectx"], Seen(), Seen()
            there, here = (_naming_arguments(recorded(agent, seen)) for seen in (theirs, ours))
            steps = make("connectx", configuration=size).run([there, there])
            actions = [steps[ply][(ply + 1) % 2]["action"] for ply in range(1, len(steps))]
            assert [status["status"] for status in steps[-1]] == ["DONE", "DONE"]
            asked_by_us("connectx", game, here, actions)
            for arguments, _ in (*ours, *theirs):
                arguments[0].pop("remainingOverageTime")
            assert ours == theirs
            yield len(actions)


def _naming_arguments(ask: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """Return an agent with two named arguments: it gets as many as it names."""

    def named(observation: Any, configuration: Any) -> Any:
        return ask(observation, configuration)

    return named


def aec() -> Iterator[int]:
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    for name, env in (("connect4", connect_four_v3.env()), ("tictactoe", tictactoe_v3.env())):
        game = Game(name)
        for seed in range(GAMES):
            theirs, ours, actions = Seen(), Seen(), []
            agent = agents(game, seed)["aec"]
            ask = recorded(agent, theirs)
            env.reset()
            for player in env.agent_iter():
                if env.last()[2]:
                    break
                actions.append(ask(env.observe(player)))
                env.step(actions[-1])
            rows = [a if game.gravity else 3 * (a % 3) + a // 3 for a in actions]
            asked_by_us("aec", game, recorded(agent, ours), rows)
            for (here,), there in zip((message for message, _ in ours), theirs, strict=True):
                for part in ("observation", "action_mask"):
                    expected = there[0][0][part]
                    assert here[part].dtype == expected.dtype
                    assert here[part].tolist() == expected.tolist()
            assert [answer for _, answer in ours] == actions
            yield len(actions)


METHODS = (
    "history", "history_str", "move_number", "num_players", "num_distinct_actions",
    "current_player", "is_terminal", "is_chance_node", "is_simultaneous_node", "legal_actions",
    "legal_actions_mask", "returns", "rewards", "__str__",
)  # fmt: skip
OF_A_PLAYER = (
    "legal_actions", "legal_actions_mask", "player_return", "observation_string",
    "observation_tensor", "information_state_string",
)  # fmt: skip


def openspiel() -> Iterator[int]:
    """Play games of OpenSpiel with a bot, and compare our states with its own."""
    import pyspiel

    class Bot(pyspiel.Bot):  # type: ignore[misc]
        def __init__(self, picking: Any) -> None:
            super().__init__()
            self._picking = picking
            self.asked: set[type] = set()

        def step(self, state: Any) -> Any:
            self.asked.add(type(state))
            return self._picking.step(state)

    kinds = {
        "tictactoe": "tic_tac_toe",
        "4x3k3": "mnk(m=4,n=3,k=3)",
        "7x6k4-gravity": "connect_four",
        "4x4k3-gravity": "connect_four(rows=4,columns=4,x_in_row=3)",
    }
    for name, kind in kinds.items():
        game = Game(name)
        for seed in range(GAMES):
            bot = Bot(agents(game, seed)["openspiel"])
            state, ours = pyspiel.load_game(kind).new_initial_state(), PlainState(game)
            while not state.is_terminal():
                _require_same(state, ours)
                action = bot.step(state)
                state.apply_action(action)
                ours = ours.child(action)
            _require_same(state, ours)
            asked_by_us("openspiel", game, bot, state.history())
            assert bot.asked == {type(state)}  # The bot has imported pyspiel.
            yield len(state.history())


def _require_same(state: Any, ours: PlainState) -> None:
    for method in METHODS:
        assert getattr(state, method)() == getattr(ours, method)(), method
    for player in (0, 1):
        for method in OF_A_PLAYER:
            assert getattr(state, method)(player) == getattr(ours, method)(player), method
    for action in state.legal_actions():
        player = state.current_player()
        text = state.action_to_string(player, action)
        assert text == ours.action_to_string(player, action) == ours.action_to_string(action)


def textarena() -> Iterator[int]:
    """Play tic-tac-toe and Connect Four of TextArena, where boards are drawn as ours."""
    import textarena as ta

    for name, kind in (("tictactoe", "TicTacToe-v0"), ("connect4", "ConnectFour-v0")):
        game = Game(name)
        for seed in range(GAMES):
            theirs, ours = Seen(), Seen()

            def agent(text: str, game: Game = game, seed: int = seed) -> str:
                board = _last_board(game, text)
                top = board.splitlines()[2].split() if game.gravity else re.findall("[0-9]", board)
                free = [at for at, sign in enumerate(top) if sign == "."] if game.gravity else top
                move = free[(sum(map(ord, board)) + seed) % len(free)]
                return f"Not [0], but [col {move}]" if game.gravity else f"[{move}] beats [0]"

            env, ask, done, actions = ta.make(kind), recorded(agent, theirs), False, list[int]()
            env.reset(num_players=2)
            while not done:
                reply = ask(env.get_observation()[1])
                actions.append(int(re.findall("[0-9]", reply)[-1 if game.gravity else 0]))
                done = env.step(action=reply)[0]
            asked_by_us("textarena", game, recorded(agent, ours), actions)
            for (here, answered), (there, same) in zip(ours, theirs, strict=True):
                assert _last_board(game, here[0]) == _last_board(game, there[0])
                assert answered == same
            yield len(actions)


def _last_board(game: Game, text: str) -> str:
    """Return the last board that is drawn in a text, with its heading."""
    heading = " ".join(map(str, range(game.columns))) if game.gravity else "Current Board:"
    lines = [heading, *text.rpartition(heading)[2].splitlines()[1:]]
    return "\n".join(lines[: game.rows + 2 if game.gravity else 9])


if __name__ == "__main__":
    print(sum(globals()[sys.argv[1]]()))
