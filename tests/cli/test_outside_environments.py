"""Our objects under the frameworks' own tests, and our server asked by the client of MCP.

`make outside` runs this: it sets MARUBATSU_OUTSIDE. Each package gets a folder of its own, and a
process that takes our code from here.
"""

from pathlib import Path

import pytest

from tests.helpers.frameworks.installed_apart import FRAMEWORKS, Apart, outside, run_with

SCRIPTS = {
    "pettingzoo": """
import warnings
from pettingzoo.test import api_test, seed_test

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for game in ("2x2k2", "3x2k2-misere", "4x4k3-gravity"):
        api_test(frameworks.aec_env(game), num_cycles=200)
        seed_test(lambda: frameworks.aec_env(game), num_cycles=20)
        env = frameworks.aec_env(game)
        env.reset()
        env.step(0)
        while env.agent_selection != "player_0":
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        if game == "2x2k2":
            env.step(0)
            assert env.rewards == {"player_0": -1.0, "player_1": 0}, env.rewards
# Environments with a mask are known to the test by name, and ours are not among them.
expected = {"Observation is not a NumPy array", "Observation numpy array is all zeros."}
warned = {str(each.message) for each in caught if "space for each agent" not in str(each.message)}
assert warned <= expected, warned
""",
    "gymnasium": """
import warnings
import gymnasium
from gymnasium.utils.env_checker import check_env

warnings.simplefilter("error")
for game in ("2x2k2", "3x2k2-misere", "4x4k3-gravity"):
    for side in ("circle", "cross"):
        for opponent in ("ai2", "perfect"):
            check_env(frameworks.gym_env(game, opponent, side=side))
env = gymnasium.make(frameworks.gym_env("2x2k2", "ai1").spec)
env.reset(seed=0)
assert env.step(3)[1:3] == (0.0, False)
""",
    "openspiel": """
import pyspiel
from open_spiel.python.bots.gtp import CommandError, GTPBot
from marubatsu.pipeline.support.errors import UsageError

def nash_conv(name, ours, ai):
    game, bot, policies = pyspiel.load_game(name), frameworks.openspiel_bot(ours, ai, seed=0), {}
    def walk(state):
        if not state.is_terminal() and state.information_state_string() not in policies:
            policies[state.information_state_string()] = bot.get_policy(state)
            for action in state.legal_actions():
                walk(state.child(action))
    walk(game.new_initial_state())
    return pyspiel.nash_conv(game, pyspiel.TabularPolicy(policies))

games = {"mnk(m=3,n=2,k=3)": "3x2k3", "connect_four(rows=3,columns=3,x_in_row=3)": "3x3k3-gravity"}
for name, ours in games.items():
    assert nash_conv(name, ours, "perfect") == 0
    assert nash_conv(name, ours, "ai2") > 0
    game = pyspiel.load_game(name)
    players = [frameworks.openspiel_bot(ours, "perfect", seed=seed) for seed in range(2)]
    assert pyspiel.evaluate_bots(game.new_initial_state(), players, 0) == [0, 0]
    misere = pyspiel.load_game(f"misere(game={name})").new_initial_state()
    assert frameworks.openspiel_bot(ours + "-misere", "ai2").step(misere) in misere.legal_actions()
    try:
        players[0].step(misere)
        raise AssertionError(misere)
    except UsageError as error:
        assert str(error).startswith("the state is one of misere(game="), error
    command = [sys.executable, "-m", "marubatsu", "gtp", ours, "--moves", "openspiel"]
    gtp, other = GTPBot(game, command), pyspiel.make_uniform_random_bot(1, 7)
    assert gtp.name == "marubatsu"
    for number in range(5):
        gtp.restart()
        returns = pyspiel.evaluate_bots(game.new_initial_state(), [gtp, other], number)
        assert returns[0] >= 0
    gtp.restart()
    try:
        gtp.gtp_cmd("play", "w", "o(0,0)")
        raise AssertionError("white moved first")
    except CommandError as error:
        assert str(error) == "illegal move: it is the turn of black"
    gtp.close()
""",
    "kaggle": """
import kaggle_environments

for columns, rows, inarow, ai in ((4, 4, 3, "perfect"), (7, 6, 4, "ai14s")):
    configuration = {"columns": columns, "rows": rows, "inarow": inarow}
    env = kaggle_environments.make("connectx", configuration=configuration, debug=True)
    for seat in (0, 1):
        agents = ["random", "random"]
        agents[seat] = frameworks.connectx_agent(ai, seed=1)
        env.reset()
        env.run(agents)
        assert [state["status"] for state in env.state] == ["DONE", "DONE"]
        assert env.state[seat]["reward"] is not None
""",
    "mcp": """
import json, os, sys
import anyio
from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

async def main():
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "marubatsu", "mcp"], env=dict(os.environ))
    async with stdio_client(command) as (read, write), ClientSession(read, write) as session:
        about = await session.initialize()
        assert about.server_info.name == "marubatsu"
        tools = (await session.list_tools()).tools
        assert [each.name for each in tools] == [
            "games", "evaluate", "best_moves", "review", "sql"]
        for each in tools:
            assert len(each.description) > 200, each

        async def ask(tool, **arguments):
            answer = await session.call_tool(tool, arguments)
            text = answer.content[0].text
            return text if answer.is_error else json.loads(text)

        answer = await ask("evaluate", position="o...x...o")
        assert (answer["score"], answer["distance"], answer["turn"]) == (0, 6, "cross")
        for tool, arguments in (
            ("games", {}),
            ("best_moves", {"position": "d1", "game": "6x4k3-gravity"}),
            ("review", {"moves": "b2 b3 a3 c1 a2 a1 c2"}),
            ("sql", {"query": "select count(*) from positions"}),
        ):
            assert isinstance(await ask(tool, **arguments), dict), tool
        answer = await ask("evaluate", position="oox")
        assert "expected 9 cells of '.ox' for tictactoe, got 3" in answer, answer
        answer = await ask("best_moves", position=["o", "x", *[""] * 7])
        assert answer["board"] == "ox.......", answer
        assert await ask("review", moves="b2", first="x") == (
            "no argument 'first': expected moves, game, numbering")
        assert await ask("evaluate", position=4, game=3) == "position=4: expected a text or a list"
        assert await ask("sql") == "expected the argument 'query'"

anyio.run(main)
""",
}
"""Frameworks, and code that uses them with ours."""

_BEFORE = "import sys\nfrom marubatsu import frameworks\n"


@outside
@pytest.mark.parametrize("framework", SCRIPTS)
def test_our_objects_pass_the_tests_of_a_framework(
    framework: str, apart: Apart, tmp_path: Path
) -> None:
    folder = apart.packages(*FRAMEWORKS["pettingzoo" if framework == "gymnasium" else framework])
    done = run_with(folder, "-c", _BEFORE + SCRIPTS[framework], MARUBATSU_DATA=str(tmp_path))
    assert done.returncode == 0, done.stderr
