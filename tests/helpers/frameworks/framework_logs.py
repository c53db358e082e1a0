"""Logs of games that frameworks themselves write, with the moves and results that they should hold.

``framework_logs.py FRAMEWORK FILE`` runs where that framework is installed. It plays games at
random, writes their log to a file, and prints the truth as JSON. `tests/audit/test_outside_logs.py`
runs it.
"""

import json
import random
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

ROLLOUT = "openenv.core.harness.rollout"
GAMES = 12  # of each kind

Truth = dict[str, Any]
"""A game: its name, its moves as cells or columns, and its result; -1 is a move not made."""


def textarena(file: Path) -> list[Truth]:
    """Play TextArena: each player's row holds what it observed and replied."""
    import textarena as ta

    truth, rows = [], []
    for number in range(2 * GAMES):
        name, size = (("TicTacToe-v0", 9), ("ConnectFour-v0", 7))[number % 2]
        name += ("", "-train")[number // GAMES]
        random.seed(number)
        env = ta.make(name)
        env.reset(num_players=2, seed=number)
        seen: dict[int, list[dict[str, str]]] = {0: [], 1: []}
        played, done = list[int](), False
        while not done:
            player, observation = env.get_observation()
            before = env.state.game_state["board"]
            free = [
                at for at in range(size)
                if (before[0][at] == "." if size == 7 else not before[at // 3][at % 3])
            ]  # fmt: skip
            wrong = random.random() < 0.08
            action = random.choice(range(size) if wrong else free)
            reply = f"[{action}] rather than [{random.randrange(size)}]"
            if size == 7:
                reply = f"not [col {random.randrange(size)}] but [col {action}]"
            seen[player].append({"observation": observation, "action": reply})
            turns = env.state.turn
            done, _ = env.step(action=reply)
            if env.state.turn > turns and action in free:
                played.append(action)
        rewards, info = env.close()
        has_failed = any(each["invalid_move"] for each in info.values())
        truth.append({
            "game": "connect4" if size == 7 else "tictactoe",
            "moves": [*played, -1] if has_failed else played,
            "result": [rewards[0], rewards[1]],
        })  # fmt: skip
        rows += [
            {"player_game_id": 2 * number + player, "game_id": number, "env_name": name,
             "model_name": f"model {player}", "player_id": player,
             "opponent_names": [f"model {1 - player}"], "rewards": rewards[player],
             "observations": seen[player], "num_turns": len(played), "status": "finished",
             "reason": info[player].get("reason")}
            for player in (0, 1)
        ]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return truth


def kaggle(file: Path) -> list[Truth]:
    """Play the games of OpenSpiel in Kaggle's environments."""
    from kaggle_environments import make

    truth, replays = [], []
    for number in range(2 * GAMES):
        name = ("open_spiel_tic_tac_toe", "open_spiel_connect_four")[number % 2]
        random.seed(number)
        played: list[int] = []

        def agent(observation: Any, _: Any, played: list[int] = played) -> dict[str, int]:
            legal = observation.get("legalActions")
            if not legal:
                return {"submission": -1}
            action = int(random.choice(legal)) if random.random() > 0.04 else 99
            played.append(action if action in legal else -1)
            return {"submission": action}

        env = make(name, {"includeLegalActions": True})
        env.run([agent, agent])
        replay = env.toJSON()
        replays.append(replay)
        truth.append({
            "game": ("tictactoe", "connect4")[number % 2],
            "moves": played,
            "result": replay["rewards"],
        })  # fmt: skip
    file.write_text(json.dumps(replays), encoding="utf-8")
    return truth


class Replying:
    """A game of tic-tac-toe whose environment replies at random."""

    def __init__(self) -> None:
        self.left = list(range(9))
        self.played: list[int] = []

    def reply_to(self, cell: int) -> dict[str, Any]:
        self._take(cell)
        reply = None
        if not self.is_over:
            reply = random.choice(self.left)
            self._take(reply)
        return {"opponent_last_action": reply, "legal_actions": self.left}

    @property
    def is_over(self) -> bool:
        lines = ("012", "345", "678", "036", "147", "258", "048", "246")
        mine = set(map(str, self.played[::-1][::2]))
        return not self.left or any(set(line) <= mine for line in lines)

    def _take(self, cell: int) -> None:
        self.left.remove(cell)
        self.played.append(cell)


def openenv(file: Path) -> list[Truth]:
    """Collect episodes with OpenEnv: a model plays tic-tac-toe, and the environment replies."""
    collect, rollout = map(import_module, ("openenv.core.harness.collect", ROLLOUT))
    client = import_module("openenv.core.llm_client")
    types = import_module("openenv.core.env_server.mcp_types")

    games: list[Replying] = []

    class Session(rollout.ResourceSession):  # type: ignore[name-defined, misc]
        def initial_messages(self) -> list[Any]:
            return [{"role": "user", "content": "Play."}]

        def list_tools(self) -> list[Any]:
            return [types.Tool(name="play", description="Play a cell.", input_schema={})]

        def call_tool(self, _: str, arguments: dict[str, Any]) -> Any:
            data = games[-1].reply_to(arguments["action_id"])
            return rollout.ToolResult(data=data, done=games[-1].is_over)

        def verify(self, **_: Any) -> Any:
            return rollout.VerifyResult(env_reward=0.0, done=True)

        def close(self) -> None:
            pass

    class Sessions:
        def create(self, **_: Any) -> Any:
            games.append(Replying())
            return Session()

    def model_step(*_: Any, **__: Any) -> Any:
        call = client.ToolCall(
            id="1", name="play", args={"action_id": random.choice(games[-1].left)}
        )
        return rollout.ModelStepResult(response=client.LLMResponse(content="", tool_calls=[call]))

    random.seed(1)
    runner = collect.CollectRunner(
        session_factory=Sessions(),
        harness_adapter=rollout.MCPHarnessAdapter(),
        serializer=collect.RolloutSerializer(file.parent),
        tasks=[{"game_name": "tic_tac_toe"}] * GAMES,
    )
    runner.run(model_step=model_step, num_episodes=GAMES)
    (file.parent / "results.jsonl").rename(file)
    return [{"game": "tictactoe", "moves": game.played, "result": [None, None]} for game in games]


PLAY: dict[str, Callable[[Path], list[Truth]]] = {
    "textarena": textarena, "kaggle": kaggle, "openenv": openenv,
}  # fmt: skip

if __name__ == "__main__":
    print("\n" + json.dumps(PLAY[sys.argv[1]](Path(sys.argv[2]))))
