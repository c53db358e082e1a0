"""Agents asked by the frameworks themselves, and by us: they see the same, and answer the same.

`make outside` runs this: it sets MARUBATSU_OUTSIDE. Each framework is installed apart; its games
run in a process of its own, which `tests/helpers/framework_games.py` is.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers import framework_games
from tools.generators.run_pages import CHECKOUT

PACKAGES = {
    "connectx": ["kaggle-environments"],
    "aec": ["pettingzoo", "pygame"],
    "openspiel": ["open_spiel"],
    "textarena": ["textarena"],
}


@pytest.mark.skipif(
    "MARUBATSU_OUTSIDE" not in os.environ,
    reason="frameworks that others wrote are asked only by `make outside`",
)
@pytest.mark.parametrize("interface", PACKAGES)
def test_an_agent_sees_and_answers_the_same_in_its_own_framework(
    interface: str, tmp_path: Path
) -> None:
    apart = tmp_path / "apart"
    subprocess.run([sys.executable, "-m", "venv", apart], check=True)
    python = str(apart / "bin" / "python")
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
           "--only-binary", ":all:", "numpy", *PACKAGES[interface]]  # fmt: skip
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        told = (done.stderr.strip().splitlines() or ["pip says nothing"])[-1]
        pytest.skip(f"{', '.join(PACKAGES[interface])} cannot be installed here: {told}")
    played = subprocess.run(
        [python, framework_games.__file__, interface],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    assert int(played.stdout.split()[-1]) > framework_games.GAMES
