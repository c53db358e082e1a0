"""Our environments under the frameworks' own validators, with the released packages.

`make outside` runs this: it sets MARUBATSU_OUTSIDE. Each framework is installed apart, and our own
package of environments is built and installed as its users install it.
"""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import marubatsu as mb
from tests.helpers import CHECKOUT
from tests.helpers.frameworks.installed_apart import FRAMEWORKS, Apart, outside, run_with
from tests.helpers.frameworks.model_server import model_server

pytestmark = outside

REASONING_GYM = """
import reasoning_gym
from reasoning_gym.coaching import BaseCurriculum
from reasoning_gym.composite import CompositeConfig, CompositeDataset, DatasetSpec
from reasoning_gym.factory import create_curriculum, get_score_answer_fn
import marubatsu_environments.reasoning_dataset

first, second = (reasoning_gym.create_dataset("marubatsu", seed=7, size=60) for _ in range(2))
assert len(first) == 60 and list(first) == list(second)
for place, entry in enumerate(first):
    assert (entry["metadata"]["source_dataset"], entry["metadata"]["source_index"]) == (
        "marubatsu", place)
    item = entry["metadata"]["item"]
    scores = {first.score_answer(f"move: {move}", entry): loss
              for move, loss in zip(item["moves"], item["losses"])}
    assert scores == {1 - loss / 2: loss for loss in item["losses"]}
    assert first.score_answer(entry["answer"], entry) == 1.0
    for wrong in (None, "", "no idea", "a9"):
        assert first.score_answer(wrong, entry) == 0.0
curriculum = create_curriculum("marubatsu")
assert isinstance(curriculum, BaseCurriculum)
means = []
for level in range(4):
    curriculum.set_attr_level("hardness", level)
    config = curriculum.generate_configuration({"seed": 1, "size": 100})
    drawn = reasoning_gym.create_dataset("marubatsu", **vars(config))
    means.append(sum(each["metadata"]["item"]["hardness"] for each in drawn) / 100)
    assert config.max_hardness == (level + 1) / 4
assert means == sorted(means), means
spec = DatasetSpec(name="marubatsu", weight=1, config={"game": "3x2k2", "split": "all"})
mixed = CompositeDataset(CompositeConfig(size=5, seed=1, datasets=[spec]))
assert [mixed.score_answer(each["answer"], each) for each in mixed] == [1.0] * 5
for wrong in ({"min_hardness": 0.9, "max_hardness": 0.1}, {"size": 0}, {"min_hardness": 0.99}):
    try:
        reasoning_gym.create_dataset("marubatsu", **wrong)
        raise AssertionError(wrong)
    except ValueError as error:
        assert "hardness" in str(error) or "size" in str(error), error
print("means of hardness by level:", means)
"""

INSPECT = """
import re
from inspect_ai import eval as run
from inspect_ai.model import ModelOutput, ModelUsage, get_model

replies = {"move": "move: b2", "nothing": "I do not know."}
for name, text in replies.items():
    def reply(messages, tools, choice, config):
        output = ModelOutput.from_content("mockllm", text)
        output.usage = ModelUsage()  # otherwise Inspect downloads a tokenizer
        return output

    model = get_model("mockllm/model", custom_outputs=reply)
    (log,) = run("marubatsu_environments/marubatsu_positions", model=model, display="plain",
                 log_dir=name)
    assert log.status == "success", log.error
    metrics = {score.name: {key: each.value for key, each in score.metrics.items()}
            for score in log.results.scores}
    print(name, log.eval.dataset.samples, metrics)
    if name == "nothing":
        assert metrics["legal"]["accuracy"] == metrics["best"]["accuracy"] == 0
        assert metrics["dense"]["mean"] == -2
    else:
        assert 0 < metrics["best"]["accuracy"] < metrics["legal"]["accuracy"] < 1
        assert metrics["in_form"]["accuracy"] == 1
"""

OPENENV = """
import sys
from openenv.core import GenericEnvClient

with GenericEnvClient(base_url=sys.argv[1]).sync() as client:
    def line(seed, side):
        result, boards = client.reset(seed=seed, side=side), []
        while not result.done:
            boards.append(result.observation["board"])
            move = result.observation["legal_moves"][0]
            result = client.step({"reply": f"I play {move}.\\nmove: {move}"})
            assert result.reward == result.metadata["dense"] <= 0
        assert result.metadata["result"] in (-1.0, 0.0)  # a perfect opponent never loses
        return boards
    assert line(3, "cross") == line(3, "cross")
    assert len({line(seed, "cross")[0] for seed in range(8)}) > 1  # the first move is drawn
    assert len({client.reset(side="cross").observation["board"] for _ in range(20)}) > 1
    result = client.reset(side="cross", board="x........", first="x")
    assert result.observation["board"] == "o........"
    result = client.step({"reply": "no idea"})
    assert (result.done, result.reward) == (True, -2.0), result
    assert client.state()["step_count"] == 1
    try:
        client.reset(game="oops")
        raise AssertionError("a game named oops")
    except RuntimeError as error:
        assert "oops" in str(error), error
print("a round trip of the client")
"""


def run(apart: Apart, framework: str, root: Path, *words: str | Path) -> str:
    """Run Python with a framework and our package; return what it prints."""
    folder = apart.packages(*FRAMEWORKS[framework])
    data = str(root / "data")
    done = run_with(folder, *words, more=apart.environments(), MARUBATSU_DATA=data)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


EVALUATE = "from verifiers.v1.cli.eval.main import main; main()"
VALIDATE = "from verifiers.v1.cli.validate import main; main()"
ALL_VALID = {
    "marubatsu-positions": (["--taskset.split", "test"], "all", 43),
    "marubatsu-games": (["--only-gold"], "gold", 20),
}
"""Tasksets of verifiers: words for its validator, its mode, and the tasks."""


@pytest.mark.parametrize("taskset", ALL_VALID)
def test_verifiers_proves_every_task(taskset: str, apart: Apart, tmp_path: Path) -> None:
    words, mode, tasks = ALL_VALID[taskset]
    where = ["--runtime.type", "subprocess", "--rich", "false", "-o", str(tmp_path / "out")]
    run(apart, "verifiers", tmp_path, "-c", VALIDATE, taskset, *words, *where)
    (file,) = tmp_path.glob("out/*/summary.json")
    summary = json.loads(file.read_text())
    assert (summary["mode"], summary["total"]) == (mode, tasks)
    assert summary["outcomes"]["valid"] == tasks, summary
    print(f"vf-validate {taskset}: {summary['outcomes']}")


def evaluated(apart: Apart, root: Path, taskset: str, *words: str) -> list[dict[str, Any]]:
    """Let vf-eval ask a model; return the episodes, and leave them in ``traces.jsonl``."""
    with model_server() as address:
        model = ["--model", "first", "--client.base-url", address, "--client.api-key-var", "HOME"]
        where = ["--no-push", "-o", str(root / "out")]
        run(apart, "verifiers", root, "-c", EVALUATE, taskset, *words, *model, *where)
    (file,) = root.glob("out/*/traces.jsonl")
    text = file.rename(root / "traces.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def scores(trace: dict[str, Any]) -> dict[str, float]:
    return {name: each["score"] for name, each in trace["rewards"].items()}


@pytest.mark.parametrize("opponent", ["perfect", "ai2", "self"])
def test_a_model_plays_whole_games_in_verifiers(
    opponent: str, apart: Apart, tmp_path: Path
) -> None:
    words = ["--env.taskset.num-tasks", "4", "--env.opponent", opponent]
    episodes = evaluated(apart, tmp_path, "marubatsu-games", *words)
    sides = [each["task"]["data"]["side"] for each in episodes]
    assert sorted(sides) == ["circle"] * 2 + ["cross"] * 2
    for episode, side in zip(episodes, sides, strict=True):
        assert episode["ok"], episode
        rewards = {trace["agent"]["name"]: scores(trace) for trace in episode["traces"]}
        assert set(rewards) == ({"circle", "cross"} if opponent == "self" else {side})
        assert all(each["legal"] == 1 for each in rewards.values())
        if opponent == "perfect":
            assert rewards[side]["result"] == rewards[side]["dense"] <= 0
        if opponent == "self":
            assert rewards["circle"]["result"] == -rewards["cross"]["result"]
    rows = mb.review(tmp_path / "traces.jsonl", data=tmp_path / "data").leaderboard.records()
    players = {"first"} if opponent == "self" else {"first", opponent}
    assert {row["player"] for row in rows} == players
    assert all(row["games"] == 4 * (1 + (opponent == "self")) for row in rows), rows
    assert all(row["right_percent"] == 100 for row in rows if row["player"] == "perfect")


def test_a_model_is_rewarded_by_position_in_verifiers(apart: Apart, tmp_path: Path) -> None:
    words = ["--env.taskset.split", "test", "--env.agent.runtime.type", "subprocess"]
    episodes = evaluated(apart, tmp_path, "marubatsu-positions", *words)
    assert len(episodes) == 43
    for episode in episodes:
        (trace,) = episode["traces"]
        first = episode["task"]["data"]["item"]["losses"][0]  # of the first empty cell
        assert scores(trace) == {"best": float(first == 0), "legal": 1, "dense": -first}


def test_the_data_set_passes_the_checks_of_reasoning_gym(apart: Apart, tmp_path: Path) -> None:
    print(run(apart, "reasoning-gym", tmp_path, "-c", REASONING_GYM))


def test_inspect_runs_the_task_with_a_mock_model(apart: Apart, tmp_path: Path) -> None:
    script = f"import os; os.chdir({str(tmp_path)!r})\n{INSPECT}"
    print(run(apart, "inspect", tmp_path, "-c", script))


def test_openenv_validates_the_package_and_the_server(apart: Apart, tmp_path: Path) -> None:
    command = "from openenv.cli.__main__ import main; main()"
    static = ["validate", str(CHECKOUT / "integrations"), "--level", "static", "--skip-build"]
    assert "Verdict: PASS" in run(apart, "openenv", tmp_path, "-c", command, *static)
    folder, ours = apart.packages(*FRAMEWORKS["openenv"]), apart.environments()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    path = os.pathsep.join(map(str, (folder, ours, CHECKOUT)))
    server = subprocess.Popen(
        [sys.executable, "-m", "marubatsu_environments.openenv_server", "--port", str(port)],
        env={**os.environ, "PYTHONPATH": path, "MARUBATSU_DATA": str(tmp_path / "data")},
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_for(port, server)
        output = run(apart, "openenv", tmp_path, "-c", command, "validate", "--url", address)
        assert "Verdict: PASS" in output
        assert "FAIL" not in output
        print(output, run(apart, "openenv", tmp_path, "-c", OPENENV, address))
    finally:
        server.terminate()
        server.wait()


def wait_for(port: int, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        assert server.poll() is None
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"nothing answers on port {port}")
